//! The parameters of a table, as the documentation of `Spec` and `Preset` describes them: the meaning of each column.

use posenc::{
    Amplitude, Columns, FrequencyDtype, Grid, Layout, MAX_D_MODEL, Nest, Odd, Order, Pairing, Preset, Quantiser, Spec,
};
use rug::Rational;

use crate::amplitude;
use crate::entries::Entries;
use crate::integers::Steps;
use crate::rounding::FORMATS;
use crate::scaling::{Pairs, Rule};
use crate::stored::Stored;
use crate::value::{Factors, Source};

/// The parameters of a `Spec`, readable.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    pub preset: Preset,
    pub d_model: usize,
    pub base: f64,
    pub freq_shift: f64,
    pub freq_offset: (i64, i64),
    pub frequency_dtype: FrequencyDtype,
    pub frequencies: Option<Vec<f64>>,
    pub rule: Rule,
    pub layout: Layout,
    pub order: Order,
    pub columns: Columns,
    pub pairing: Pairing,
    pub odd: Odd,
    pub scale: f64,
    pub unit: (i64, i64),
    pub amplitude: Amplitude,
    pub start: i64,
    pub step: i64,
    pub zero_row: Option<usize>,
    /// The quantisers of the types that have one.
    pub quantisers: [Steps; 3],
}

/// A frequency and its columns.
#[derive(Clone, Debug)]
pub struct Wave {
    pub source: Source,
    pub sin: Option<usize>,
    pub cos: Option<usize>,
}

impl Params {
    /// Returns the encoding of the paper.
    pub fn paper(d_model: usize) -> Self {
        Self {
            preset: Preset::Paper,
            d_model,
            base: 10_000.0,
            freq_shift: 0.0,
            freq_offset: (0, 1),
            frequency_dtype: FrequencyDtype::Exact,
            frequencies: None,
            rule: Rule::default(),
            layout: Layout::Interleaved,
            order: Order::SinCos,
            columns: Columns::Both,
            pairing: Pairing::Paired,
            odd: Odd::LastSin,
            scale: 1.0,
            unit: (1, 1),
            amplitude: Amplitude::Value(1.0),
            start: 0,
            step: 1,
            zero_row: None,
            quantisers: Steps::usual(),
        }
    }

    /// Returns a preset's parameters, as documented. If the preset requires a `start`, it is 0 here.
    pub fn of_preset(preset: Preset, d_model: usize) -> Self {
        use Preset as P;
        let mut params = Self { preset, ..Self::paper(d_model) };
        if matches!(
            preset,
            P::Tensor2Tensor | P::Fairseq | P::Whisper | P::MarianNmt | P::OpennmtTf | P::Musicgen | P::Ddpm | P::Mlx
        ) {
            params.freq_shift = 1.0;
        }
        if params.freq_shift == 1.0 || matches!(preset, P::HfMarian | P::Adm | P::XTransformers | P::TransformerXl) {
            params.layout = Layout::Halves;
        }
        if matches!(preset, P::Musicgen | P::Adm) {
            params.order = Order::CosSin;
        }
        match preset {
            P::Tensor2Tensor | P::Fairseq | P::Musicgen | P::Ddpm | P::Adm => params.odd = Odd::Zero,
            P::Whisper | P::MarianNmt | P::OpennmtTf | P::NemoFixed | P::XTransformers | P::Mlx | P::TransformerXl => {
                params.odd = Odd::Reject;
            }
            P::ConformerRel => params.odd = Odd::Reject,
            P::SineCodes => params.columns = Columns::Sin,
            P::Unpaired => params.pairing = Pairing::Unpaired,
            _ => {}
        }
        match preset {
            P::NemoFixed | P::XTransformers => params.amplitude = Amplitude::RsqrtD,
            P::Mlx => params.amplitude = Amplitude::Sqrt2OverD,
            P::TransformerXl | P::ConformerRel => params.step = -1,
            P::OpennmtTf => params.start = 1,
            _ => {}
        }
        params
    }

    /// Returns a grid whose second axis has these parameters and `rows` points, after four columns of an axis of one point.
    ///
    /// Returns `None` if a grid has no such parameters.
    pub fn grid(&self, rows: usize) -> Option<Grid<'_, 2>> {
        let Amplitude::Value(amplitude) = self.amplitude else { return None };
        let pairs = self.columns == Columns::Both && self.pairing == Pairing::Paired && self.d_model.is_multiple_of(2);
        if !pairs || self.rule != Rule::default() || self.zero_row.is_some() || self.d_model > MAX_D_MODEL - 4 {
            return None;
        }
        let nest = if self.layout == Layout::Halves { Nest::Blocks } else { Nest::Pairs };
        let grid = Grid::new([1, rows], self.d_model + 4).widths([4, self.d_model]).nest(nest).order(self.order);
        let grid = grid.start([0, self.start]).step([1, self.step]).unit([(1, 1), self.unit]);
        let grid = grid.scale(self.scale).amplitude(amplitude).frequency_dtype(self.frequency_dtype);
        let grid = grid.freq_offset([(0, 1), self.freq_offset]);
        Some(match &self.frequencies {
            Some(frequencies) => grid.frequencies([&[1.0, 0.5], frequencies]),
            None => grid.base([10_000.0, self.base]).freq_shift([0.0, self.freq_shift]),
        })
    }

    /// Returns the `Spec`. Only parameters that differ from the preset are set.
    pub fn spec(&self) -> Spec<'_> {
        let preset = Self::of_preset(self.preset, self.d_model);
        let mut spec = Spec::preset(self.preset, self.d_model);
        macro_rules! set {
            ($($key:ident)*) => { $(if self.$key != preset.$key { spec = spec.$key(self.$key); })* };
        }
        set!(base freq_shift frequency_dtype layout order columns pairing odd scale amplitude step);
        if self.start != preset.start || preset.step < 0 {
            spec = spec.start(self.start);
        }
        if self.freq_offset != (0, 1) {
            spec = spec.freq_offset(self.freq_offset.0, self.freq_offset.1);
        }
        if self.unit != (1, 1) {
            spec = spec.unit(self.unit.0, self.unit.1);
        }
        if let Some(row) = self.zero_row {
            spec = spec.zero_row(row);
        }
        if !self.rule.is_none() {
            spec = spec.scaling(self.rule.scaling());
        }
        match &self.frequencies {
            Some(frequencies) => spec.frequencies(frequencies),
            None => spec,
        }
    }

    /// Returns the quantiser of an element type, if it has one.
    pub fn quantiser(&self, dtype: usize) -> Option<Quantiser> {
        Steps::all(self.quantisers).get(dtype.checked_sub(FORMATS.len())?)?.quantiser()
    }

    /// Returns how the real numbers become entries.
    pub fn entries(&self) -> Entries {
        Entries::new(self.factor(), Steps::all(self.quantisers))
    }

    /// Returns the factors of all angles.
    pub fn factors(&self) -> Factors {
        Factors { scale: self.scale, unit: self.unit }
    }

    /// Returns the position of a row of the table.
    pub fn position(&self, row: usize) -> i64 {
        self.start + i64::try_from(row).expect("a row within 2^54") * self.step
    }

    /// Returns the number of columns that the formula fills, without a last column of zeros.
    fn filled(&self) -> usize {
        self.d_model - usize::from(self.odd == Odd::Zero && self.d_model % 2 == 1)
    }

    /// Returns the number of frequencies.
    pub fn frequency_count(&self) -> usize {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => self.filled().div_ceil(2),
            _ => self.filled(),
        }
    }

    /// Returns the column that is zero in all rows.
    pub fn zero_column(&self) -> Option<usize> {
        (self.filled() < self.d_model).then(|| self.d_model - 1)
    }

    /// Returns the column of the sine (0) or cosine (1) of a pair. If the width is odd, the last pair has only a sine.
    fn column(&self, pair: usize, function: usize) -> Option<usize> {
        let width = self.filled();
        let second = function != usize::from(self.order == Order::CosSin);
        let column = match self.layout {
            Layout::Interleaved => 2 * pair + usize::from(second),
            // If the width is odd, there is one cosine fewer.
            Layout::Halves if second => pair + if function == 1 { width.div_ceil(2) } else { width / 2 },
            Layout::Halves => pair,
        };
        let exists = 2 * pair + function < width;
        exists.then_some(column)
    }

    /// Returns frequency `number`, rounded if a type is set.
    fn source(&self, number: usize) -> Source {
        let source = self.own_source(number);
        if self.frequency_dtype == FrequencyDtype::Exact || source == Source::Given(0.0) {
            return source;
        }
        let negative = matches!(source, Source::Given(frequency) if frequency < 0.0);
        Source::Stored {
            number: Stored::of(|precision| source.frequency(Factors::ONE, precision), self.frequency_dtype),
            negative,
        }
    }

    /// Returns whether a frequency is infinite when it is rounded, so that the type has to be refused.
    pub fn is_infinite(&self, number: usize) -> bool {
        matches!(self.source(number), Source::Stored { number: Stored::Infinite, .. })
    }

    /// Returns frequency `number`, which is a power of the base unless the frequencies are given.
    fn own_source(&self, number: usize) -> Source {
        match &self.frequencies {
            Some(frequencies) => Source::Given(frequencies[number]),
            None if !self.rule.is_none() => self.rule.source(self.pairs(), number),
            // With a single frequency the denominator may be 0, but does not matter.
            None if number == 0 && self.freq_offset.0 == 0 => {
                Source::Power { base: self.base, exponent: Rational::new() }
            }
            None => {
                let index = Rational::from(number) + Rational::from(self.freq_offset);
                Source::Power { base: self.base, exponent: index / self.denominator() }
            }
        }
    }

    pub fn pairs(&self) -> Pairs {
        Pairs { base: self.base, count: self.frequency_count() }
    }

    /// Returns whether a scaling rule is allowed.
    ///
    /// The columns must be pairs or one of each pair, and the frequencies those of a base, without a shift.
    pub fn takes_a_rule(&self) -> bool {
        let one_of_each = self.columns != Columns::Both;
        let are_pairs = self.pairing == Pairing::Paired && (one_of_each || self.d_model.is_multiple_of(2));
        are_pairs && self.freq_shift == 0.0 && self.frequencies.is_none()
    }

    /// Returns the number by which a frequency's index is divided to give its exponent.
    fn denominator(&self) -> Rational {
        let width = Rational::from(self.filled());
        let shift = Rational::from_f64(self.freq_shift).expect("finite");
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => width / 2 - shift,
            (Columns::Both, Pairing::Unpaired) => width - shift * 2,
            _ => width - shift,
        }
    }

    /// Returns whether the shift is allowed.
    ///
    /// It must be from `-2^24` to the shift that makes the last exponent 2, and 0 or at least `2^-42` in magnitude.
    /// With a single frequency there is no such exponent, and according to the error the upper limit is `2^24`.
    pub fn freq_shift_is_allowed(&self) -> bool {
        let size = self.freq_shift.abs();
        let last = self.frequency_count().saturating_sub(1);
        (size == 0.0 || (2f64.powi(-42)..=2f64.powi(24)).contains(&size))
            && (last == 0 || last <= self.denominator() * 2)
    }

    /// Returns one of the frequencies, in the order of a given list.
    pub fn wave(&self, number: usize) -> Wave {
        let source = self.source(number);
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => {
                Wave { source, sin: self.column(number, 0), cos: self.column(number, 1) }
            }
            (Columns::Both, Pairing::Unpaired) => {
                // In the order of the interleaved layout, whose columns 0, 2, 4, ... are the first of their pairs.
                let function = (number + usize::from(self.order == Order::CosSin)) % 2;
                let column = self.column(number / 2, function);
                let [sin, cos] = if function == 0 { [column, None] } else { [None, column] };
                Wave { source, sin, cos }
            }
            (Columns::Sin, _) => Wave { source, sin: Some(number), cos: None },
            (Columns::Cos, _) => Wave { source, sin: None, cos: Some(number) },
        }
    }

    /// Returns the factor of all entries. `d_model` is that of the table, even if the last column is zero.
    pub fn factor(&self) -> amplitude::Amplitude {
        match self.amplitude {
            Amplitude::Value(amplitude) => amplitude::Amplitude::Given(amplitude),
            Amplitude::RsqrtD => amplitude::Amplitude::root(Rational::from((1, self.d_model))),
            Amplitude::Sqrt2OverD => amplitude::Amplitude::root(Rational::from((2, self.d_model))),
            Amplitude::AttentionFactor => self.rule.attention_factor(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posenc::SpecError;

    #[test]
    fn shifts_are_refused_where_they_have_to_be() {
        let kinds = [
            (Columns::Both, Pairing::Paired),
            (Columns::Both, Pairing::Unpaired),
            (Columns::Sin, Pairing::Paired),
            (Columns::Cos, Pairing::Paired),
        ];
        let mut answers = [0, 0];
        for d_model in (1..100).chain([1023, 4096]) {
            for (columns, pairing) in kinds {
                let mut params = Params { columns, pairing, ..Params::paper(d_model) };
                // The shift that makes the last exponent 2. It is exact, because it is a multiple of 1/2 or 1/4.
                let last = params.frequency_count() - 1;
                let denominator = params.denominator().to_f64();
                let unit = if pairing == Pairing::Unpaired { 2.0 } else { 1.0 };
                let largest = (denominator - last as f64 / 2.0) / unit;
                for bound in [largest, largest / 2.0, 0.5, 1.0, 2f64.powi(-42), -2f64.powi(-42), 0.0, -2f64.powi(24)] {
                    for shift in [bound.next_down(), bound, bound.next_up()] {
                        params.freq_shift = shift;
                        let found = params.spec().check_parameters::<f64>();
                        let refused = matches!(found, Err(SpecError::FreqShift { .. }));
                        assert_eq!(refused, !params.freq_shift_is_allowed(), "{found:?}: {params:?}");
                        assert!(refused || found.is_ok(), "{found:?}: {params:?}");
                        answers[usize::from(refused)] += 1;
                    }
                }
            }
        }
        assert!(answers.iter().all(|&count| count > 1000), "{answers:?}");
    }

    #[test]
    fn every_column_is_one_of_the_waves() {
        for preset in Preset::ALL {
            for d_model in 1..20 {
                let params = Params::of_preset(*preset, d_model);
                if params.odd == Odd::Reject && d_model % 2 == 1 {
                    continue;
                }
                let waves = (0..params.frequency_count()).map(|number| params.wave(number));
                let mut columns: Vec<_> = waves.flat_map(|wave| [wave.sin, wave.cos]).flatten().collect();
                columns.extend(params.zero_column());
                columns.sort_unstable();
                assert!(columns.into_iter().eq(0..d_model), "{preset:?}, {d_model}");
            }
        }
    }
}
