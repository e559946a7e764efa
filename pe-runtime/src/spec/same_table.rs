//! Whether two specs make the same table, as far as their parameters show.

use crate::exact::factor::Size;
use crate::exact::scaling::LoweredScaling;
use crate::float_bits::is_zero;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::Columns;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::{Access, TableKind, Value};
use crate::spec::scaling::Argument;
use crate::spec::values::{Frequencies, Parameters};

impl Spec<'_> {
    /// Returns whether both specs make the same table, bit for bit.
    ///
    /// If `true`, the tables are the same for every number of rows and every element type, and both specs are rejected
    /// in the same cases.
    ///
    /// `==` compares the parameters as set. This method ignores parameters that cannot change an entry:
    ///
    /// * `odd`, if the width is even;
    /// * the sign of a parameter that is zero;
    /// * a scaling rule that changes no frequency, such as one with a factor of 1, unless its attention factor counts, or
    ///   the feature `scaling` is not enabled;
    /// * `base`, `freq_shift` and `frequency_dtype`, if there is a single frequency and no rule that changes it;
    ///   `freq_shift` and `pairing`, if the base is 1;
    /// * `layout`, if there are at most two columns; `columns = sin` and `pairing`, if there is one;
    /// * everything that makes the frequencies, and `pairing`, if all frequencies are zero;
    /// * everything except the width, `start`, `step`, `zero_row` and the quantiser, if the amplitude is zero;
    /// * everything except these and the amplitude, if the formula fills no column, because `d_model` is 1 and `odd`
    ///   is `zero`;
    /// * a common divisor of the numbers of `unit` or of `freq_offset`;
    /// * how the amplitude is given: `rsqrt_d` is 0.125 for 64 columns.
    ///
    /// `start` and `step` always count, because they decide which tables are rejected. `false` does not prove that the
    /// tables differ: other parameters may happen to give the same numbers, such as a list of frequencies and the base
    /// of the same progression. Specs that [`check_parameters`](Self::check_parameters) rejects for all element types
    /// are the same only if every parameter is, apart from the sign of a zero.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Odd, Preset, Spec};
    /// let (whisper, fairseq) = (Spec::preset(Preset::Whisper, 384), Spec::preset(Preset::Fairseq, 384));
    /// assert_ne!(whisper, fairseq); // they differ in how an odd width ends
    /// assert!(whisper.is_same_table(&fairseq));
    /// assert!(!Spec::new(385).is_same_table(&Spec::new(385).odd(Odd::Zero)));
    /// ```
    #[must_use]
    pub fn is_same_table(&self, other: &Spec) -> bool {
        let (one, other) = (canonical(self), canonical(other));
        let same_quantiser = match (one.quantiser, other.quantiser) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        one.d_model == other.d_model
            && same_quantiser
            && PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal)).all(|parameter| {
                let Access::Spec { get, .. } = parameter.access else { return true };
                match (get(&one), get(&other)) {
                    (Some(one), Some(other)) => is_same(one, other),
                    (one, other) => one.is_none() && other.is_none(),
                }
            })
    }
}

/// Returns parameters that are equal for all specs that [`is_same_table`](Spec::is_same_table) considers equal.
///
/// They have as many defaults as possible. Parameters that make no table are returned unchanged, so they never equal
/// parameters that make one.
fn canonical<'a>(spec: &Spec<'a>) -> Parameters<'a> {
    let Spec { mut parameters } = *spec;
    if spec.without_quantiser().check_parameters::<f64>().is_err() {
        return parameters;
    }
    let plain = Parameters::paper(parameters.d_model);
    if let Size::Rational(size, 1.0) = parameters.amplitude.size(parameters.d_model, &parameters.scaling) {
        parameters.amplitude = Amplitude::Value(size);
    }
    let arrangement = spec.arrangement();
    let blank = matches!(parameters.amplitude, Amplitude::Value(value) if is_zero(value));
    if blank || arrangement.width == 0 {
        let odd = if blank { plain.odd } else { parameters.odd };
        // Without `..`: whether a further parameter matters here has to be decided.
        let Parameters {
            d_model: _,
            frequencies: _,
            freq_offset: _,
            scaling: _,
            frequency_dtype: _,
            layout: _,
            order: _,
            columns: _,
            pairing: _,
            repeat: _,
            odd: _,
            start,
            step,
            scale: _,
            unit: _,
            amplitude,
            quantiser,
            zero_row,
        } = parameters;
        return Parameters { odd, start, step, amplitude, quantiser, zero_row, ..plain };
    }
    parameters.unit = reduced(parameters.unit);
    parameters.freq_offset = reduced(parameters.freq_offset);
    parameters.repeat = arrangement.repeat;
    if parameters.d_model % 2 == 0 {
        parameters.odd = plain.odd;
    }
    let still = is_zero(parameters.scale)
        || matches!(parameters.frequencies, Frequencies::Given(list) if list.iter().all(|&frequency| is_zero(frequency)));
    let changes_nothing = still || matches!(spec.lower_scaling(), Ok(LoweredScaling::None));
    if changes_nothing && parameters.amplitude != Amplitude::AttentionFactor {
        parameters.scaling = plain.scaling;
    }
    let unscaled = parameters.scaling == plain.scaling;
    let geometric = matches!(parameters.frequencies, Frequencies::Geometric { .. });
    if still {
        (parameters.scale, parameters.unit, parameters.pairing) = (0.0, plain.unit, plain.pairing);
    }
    let single = arrangement.frequencies() == 1 && parameters.freq_offset == plain.freq_offset;
    if unscaled && (still || (geometric && single)) {
        (parameters.frequencies, parameters.freq_offset) = (plain.frequencies, plain.freq_offset);
    }
    if still || (unscaled && geometric && (single || parameters.frequencies.base() == 1.0)) {
        parameters.frequency_dtype = plain.frequency_dtype;
    }
    if geometric && parameters.frequencies.base() == 1.0 {
        parameters.frequencies = Frequencies::Geometric { base: 1.0, freq_shift: 0.0 };
        parameters.freq_offset = plain.freq_offset;
        parameters.pairing = plain.pairing;
    }
    if arrangement.width <= 2 {
        parameters.layout = plain.layout;
    }
    if arrangement.width == 1 {
        parameters.pairing = plain.pairing;
        // With `columns = both`, a rule would be an error.
        if parameters.columns == Columns::Sin && unscaled {
            parameters.columns = plain.columns;
        }
    }
    parameters
}

/// Returns the same quotient of two positive integers in lowest terms.
fn reduced((numerator, denominator): (i64, i64)) -> (i64, i64) {
    let (mut divisor, mut rest) = (numerator, denominator);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (numerator / divisor, denominator / divisor)
}

/// Returns whether two values are the same, apart from the sign of a zero.
///
/// Compares bits, because a program may have set its processor to treat subnormal numbers as zeros.
fn is_same(one: Value, other: Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => is_same_number(one, other),
        (Value::Numbers(one), Value::Numbers(other)) => are_same_numbers(one, other),
        (Value::Scaling(one), Value::Scaling(other)) => {
            let mut arguments = one.arguments().into_iter().zip(other.arguments());
            one.name() == other.name() && arguments.all(|(one, other)| is_same_argument(one, other))
        }
        _ => one == other,
    }
}

fn is_same_argument(one: Argument, other: Argument) -> bool {
    match (one, other) {
        (Argument::Number(one), Argument::Number(other)) => is_same_number(one, other),
        (Argument::Numbers(one), Argument::Numbers(other)) => are_same_numbers(one, other),
        _ => one == other,
    }
}

fn is_same_number(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || (is_zero(one) && is_zero(other))
}

fn are_same_numbers(one: &[f64], other: &[f64]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(&one, &other)| is_same_number(one, other))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::element::Element;
    use crate::properties;
    use crate::spec::choices::{FrequencyDtype, Layout, Odd, Order, Pairing, Repeat};
    use crate::spec::preset::Preset;
    use crate::spec::quantiser::Quantiser;
    use crate::spec::scaling::{Scaling, Yarn};

    const PLAIN: Spec = Spec::new(8);

    #[test]
    fn what_changes_no_entry_is_left_out() {
        let lists: [&[f64]; 3] = [&[0.0, 1.0], &[-0.0, 1.0], &[0.0, -0.0]];
        let [one, two, three, four] = [1, 2, 3, 4].map(Spec::new);
        let nothing = one.odd(Odd::Zero);
        let same = [
            (PLAIN, PLAIN.odd(Odd::Reject)),
            (PLAIN, PLAIN.freq_shift(-0.0)),
            (PLAIN.unit(8, 15), PLAIN.unit(16, 30)),
            (PLAIN.scale(0.0), PLAIN.scale(0.0).unit(3, 4)),
            (four.frequencies(lists[0]), four.frequencies(lists[1])),
            (four.frequencies(lists[2]), four.scale(-0.0).base(3.0)),
            (two, two.base(3.0).freq_shift(1.0).layout(Layout::Halves)),
            (three.odd(Odd::Zero), three.odd(Odd::Zero).base(3.0).layout(Layout::Halves)),
            (PLAIN.base(1.0), PLAIN.base(1.0).freq_shift(1.0).pairing(Pairing::Unpaired)),
            (one, one.pairing(Pairing::Unpaired).columns(Columns::Both)),
            (one, one.columns(Columns::Sin)),
            (PLAIN.scale(0.0), PLAIN.scale(-0.0).base(3.0).pairing(Pairing::Unpaired)),
            (PLAIN.amplitude(Amplitude::Value(0.0)), PLAIN.amplitude(Amplitude::Value(-0.0)).columns(Columns::Cos)),
            (nothing, nothing.order(Order::CosSin).scale(3.0)),
            (four.amplitude(Amplitude::RsqrtD), four.amplitude(Amplitude::Value(0.5))),
            (PLAIN.amplitude(Amplitude::Sqrt2OverD), PLAIN.amplitude(Amplitude::Value(0.5))),
            (PLAIN.base(f64::NAN), PLAIN.base(f64::NAN).freq_shift(-0.0)),
            (PLAIN, PLAIN.scaling(Scaling::linear(1.0)).amplitude(Amplitude::AttentionFactor)),
            (PLAIN, PLAIN.scaling(Scaling::dynamic(2.0, 8, 8))),
            (two.base(3.0), two.scaling(Scaling::ntk(2.0))),
            (PLAIN.scale(0.0), PLAIN.scale(0.0).scaling(Scaling::linear(2.0))),
            (
                PLAIN.quantiser(Quantiser::new(0.375).zero_point(7)),
                PLAIN.quantiser(Quantiser::quotient(6, 16).zero_point(7)),
            ),
            (one, one.columns(Columns::Sin).scaling(Scaling::linear(1.0))),
        ];
        for (one, other) in same {
            assert!(one.is_same_table(&other) && other.is_same_table(&one), "{one} {other}");
        }
    }

    #[test]
    fn what_changes_an_entry_or_what_is_refused_counts() {
        let [one, three] = [1, 3].map(Spec::new);
        let different = [
            (PLAIN, Spec::new(6)),
            (PLAIN, PLAIN.start(1)),
            (PLAIN, PLAIN.zero_row(0)),
            (PLAIN, PLAIN.base(f64::from_bits(10_000f64.to_bits() + 1))),
            (Spec::new(3), Spec::new(3).freq_shift(0.5)),
            (three, three.layout(Layout::Halves)),
            (three, three.odd(Odd::Zero)),
            (three, three.odd(Odd::Reject)),
            (PLAIN.unit(8, 15), PLAIN.unit(8, 16)),
            (PLAIN.scale(0.0), PLAIN.scale(0.0).unit(0, 4)),
            // Subnormal numbers, which a processor may treat as zeros.
            (PLAIN.scale(f64::from_bits(1)), PLAIN.scale(f64::from_bits(2))),
            (PLAIN.scale(f64::from_bits(1)), PLAIN.scale(0.0)),
            // A single column: zeros or a sine, and a sine or a cosine.
            (one.odd(Odd::Zero).amplitude(Amplitude::Value(2.0)), one.amplitude(Amplitude::Value(2.0))),
            (one, one.columns(Columns::Cos)),
            (Spec::new(2), Spec::new(2).columns(Columns::Sin)),
            (Spec::new(2), Spec::new(2).pairing(Pairing::Unpaired)),
            // The position of a row may be out of range, whatever the entries are.
            (PLAIN.scale(0.0), PLAIN.scale(0.0).step(i64::MAX)),
            (PLAIN.amplitude(Amplitude::Value(0.0)), PLAIN.amplitude(Amplitude::Value(0.0)).zero_row(0)),
            (Spec::preset(Preset::ConformerRel, 8), PLAIN.step(-1)),
            // A shift out of range, even for a single frequency; and a list that a base has replaced.
            (Spec::new(2), Spec::new(2).freq_shift(1e30)),
            (Spec::new(2).frequencies(&[1.0]), Spec::new(2).frequencies(&[1.0]).base(3.0)),
            (PLAIN.base(-1.0), PLAIN.base(-1.0).odd(Odd::Reject)),
            (PLAIN, PLAIN.quantiser(Quantiser::new(0.5))),
            (PLAIN.quantiser(Quantiser::new(0.5)), PLAIN.quantiser(Quantiser::new(0.25))),
            (PLAIN.quantiser(Quantiser::new(0.5)), PLAIN.quantiser(Quantiser::new(0.5).zero_point(1))),
            (PLAIN.quantiser(Quantiser::quotient(1, 3)), PLAIN.quantiser(Quantiser::new(1.0 / 3.0))),
            // A rule, and the parameters that conflict with it.
            (PLAIN, PLAIN.scaling(Scaling::linear(2.0))),
            (PLAIN.scaling(Scaling::linear(2.0)), PLAIN.scaling(Scaling::ntk(2.0))),
            (one.columns(Columns::Sin).scaling(Scaling::linear(2.0)), one.scaling(Scaling::linear(2.0))),
            (one.columns(Columns::Sin).scaling(Scaling::linear(1.0)), one.scaling(Scaling::linear(1.0))),
            (PLAIN.scale(0.0).scaling(Scaling::linear(2.0)), PLAIN.scale(0.0).scaling(Scaling::linear(0.5))),
        ];
        for (one, other) in different {
            assert!(!one.is_same_table(&other) && !other.is_same_table(&one), "{one} {other}");
        }
    }

    /// Draws each parameter from a few values, so that two specs often share them. The first value is drawn about half
    /// the time.
    fn spec(drawn: [u8; 16]) -> Spec<'static> {
        fn one<T: Copy>(of: &[T], drawn: u8) -> T {
            of[usize::from(drawn.saturating_sub(128)) % of.len()]
        }
        const LISTS: [&[f64]; 6] = [&[], &[1.0], &[0.0], &[-0.0, 0.0], &[1.0, 0.0], &[1.0, -0.0]];
        const YARN: Yarn = Yarn::new(4.0, 64);
        const SCALINGS: [Scaling; 19] = [
            Scaling::None,
            Scaling::linear(1.0),
            Scaling::linear(2.0),
            Scaling::linear(0.5),
            Scaling::ntk(1.0),
            Scaling::ntk(2.0),
            Scaling::dynamic(2.0, 8, 8),
            Scaling::dynamic(2.0, 8, 16),
            Scaling::yarn(1.0, 64),
            Scaling::Yarn(YARN),
            Scaling::Yarn(Yarn { mscale: -0.0, ..YARN }),
            Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..YARN }),
            Scaling::Yarn(Yarn { beta_slow: 1.0, beta_fast: 1.0, ..YARN }),
            Scaling::llama3(1.0, 64),
            Scaling::llama3(2.0, 64),
            Scaling::longrope(&[1.0, 1.0], 1.0, 4),
            Scaling::longrope(&[2.0], 64.0, 4),
            Scaling::proportional(1.0),
            Scaling::proportional(0.5),
        ];
        let mut spec = Spec::new(one(&[4, 3, 2, 1], drawn[0]))
            .base(one(&[10_000.0, 1.0, 3.0], drawn[1]))
            .freq_shift(one(&[0.0, -0.0, 0.5], drawn[2]))
            .layout(one(Layout::ALL, drawn[3]))
            .order(one(Order::ALL, drawn[4]))
            .columns(one(Columns::ALL, drawn[5]))
            .pairing(one(Pairing::ALL, drawn[6]))
            .odd(one(Odd::ALL, drawn[7]))
            .repeat(one(Repeat::ALL, drawn[14]))
            .frequency_dtype(one(FrequencyDtype::ALL, drawn[15]))
            .start(one(&[0, 1], drawn[8]))
            .step(one(&[1, i64::MAX], drawn[9]))
            .scale(one(&[1.0, 0.0, -0.0], drawn[10]))
            .unit(one(&[1, 2], drawn[9]), one(&[1, 2, 0], drawn[8]))
            .amplitude(one(
                &[
                    Amplitude::Value(1.0),
                    Amplitude::Value(0.0),
                    Amplitude::Value(-0.0),
                    Amplitude::Value(0.5),
                    Amplitude::Value(1e300),
                    Amplitude::RsqrtD,
                    Amplitude::Sqrt2OverD,
                    Amplitude::AttentionFactor,
                ],
                drawn[11],
            ))
            .scaling(one(&SCALINGS, drawn[13]));
        let list = one(&LISTS, drawn[12]);
        if !list.is_empty() {
            spec = spec.frequencies(list);
        }
        spec
    }

    /// Returns the bits of the first rows, or `None` if there is no such table.
    fn bits<T: Element>(spec: &Spec, seq_len: usize, bits: fn(T) -> u64) -> Option<Vec<u64>> {
        let table = spec.table::<T>(seq_len).ok()?;
        Some(table.as_slice().iter().map(|&entry| bits(entry)).collect())
    }

    properties! {
        #![cases(10_000)]

        #[test]
        fn specs_that_are_the_same_make_the_same_entries(drawn: [u8; 16], other: [u8; 16], changed: [u8; 16]) {
            let mut other = other;
            for i in 0..drawn.len() {
                other[i] = if changed[i] < 20 { other[i] } else { drawn[i] };
            }
            let (one, other) = (spec(drawn), spec(other));
            if one.is_same_table(&other) {
                for seq_len in 0..4 {
                    let wide = |spec| bits::<f64>(spec, seq_len, f64::to_bits);
                    let narrow = |spec| bits::<f32>(spec, seq_len, |entry| entry.to_bits().into());
                    prop_assert_eq!(wide(&one), wide(&other), "{} {}", one, other);
                    prop_assert_eq!(narrow(&one), narrow(&other), "{} {}", one, other);
                }
            }
            prop_assert!(one.is_same_table(&one) && one.is_same_table(&other) == other.is_same_table(&one));
        }
    }
}
