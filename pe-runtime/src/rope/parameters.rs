//! The parameters of a cache as data, setting them by their rows in the list, and whether two caches have the same tables.

use crate::rope::Rope;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, FrequencyDtype, Repeat};
use crate::spec::parameters::{Access, OfRope, Parameter, Value};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

/// Every parameter of a rotary cache except the number of rows.
///
/// [`Rope::parameters`] returns it.
///
/// # Examples
///
/// ```
/// use posenc::{Frequencies, Rope, RopePreset};
///
/// let phi2 = Rope::preset(RopePreset::Phi2).parameters();
/// assert_eq!((phi2.head_dim, phi2.rotary_dim), (80, 32));
/// assert_eq!(phi2.frequencies, Frequencies::Geometric { base: 10_000.0, freq_shift: 0.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RopeParameters<'a> {
    /// The number of columns of a head.
    pub head_dim: usize,
    /// The number of columns that are rotated.
    pub rotary_dim: usize,
    /// The frequencies, before [`scale`](Self::scale).
    pub frequencies: Frequencies<'a>,
    /// The number added to the index of each frequency, as a numerator and a denominator.
    pub freq_offset: (i64, i64),
    /// The rule that changes the frequencies.
    pub scaling: Scaling<'a>,
    /// The rounding of the frequencies after the rule.
    pub frequency_dtype: FrequencyDtype,
    /// The factor applied to all entries, or `None` for the factor of the rule.
    pub attention_factor: Option<f64>,
    /// Whether each frequency fills its columns twice.
    pub repeat: Repeat,
    /// The position of row 0.
    pub start: i64,
    /// The distance between the positions of consecutive rows.
    pub step: i64,
    /// The factor applied to all angles.
    pub scale: f64,
    /// Another factor applied to all angles, as a numerator and a denominator.
    pub unit: (i64, i64),
    /// The scale and the zero point of integer entries, if they are set.
    pub quantiser: Option<Quantiser>,
}

impl<'a> Rope<'a> {
    /// Returns the parameters as they are set, unchecked, for programs that read them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, Scaling};
    /// let rope = Rope::new(64).scaling(Scaling::linear(8.0));
    /// assert_eq!((rope.parameters().scaling, rope.parameters().attention_factor), (Scaling::linear(8.0), None));
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> RopeParameters<'a> {
        // Without `..`, so that each field is read here, or is one that no method of a cache sets.
        let Self { head_dim, rotary_dim, spec: Spec { parameters } } = *self;
        let Parameters {
            d_model: _,
            frequencies,
            freq_offset,
            scaling,
            frequency_dtype,
            layout: _,
            order: _,
            columns: _,
            pairing: _,
            repeat,
            odd: _,
            start,
            step,
            scale,
            unit,
            amplitude,
            quantiser,
            zero_row: _,
        } = parameters;
        let attention_factor = match amplitude {
            Amplitude::Value(factor) => Some(factor),
            Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => None,
        };
        let start = match start {
            Some(start) => start,
            None => 0,
        };
        RopeParameters {
            head_dim,
            rotary_dim,
            frequencies,
            freq_offset,
            scaling,
            frequency_dtype,
            attention_factor,
            repeat,
            start,
            step,
            scale,
            unit,
            quantiser,
        }
    }

    /// Returns the cache with another value of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// # Panics
    ///
    /// Panics if a rotary cache has no such parameter, or if the value is of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let rotary_dim = PARAMETERS.iter().find(|parameter| parameter.key == "rotary_dim").unwrap();
    /// assert_eq!(Rope::new(64).with_value(rotary_dim, Value::Size(32)), Rope::new(64).rotary_dim(32));
    /// ```
    pub fn with_value(self, parameter: &Parameter, value: Value<'a>) -> Self {
        match parameter.access {
            Access::Spec { set, .. } => Self { spec: set(self.spec, value), ..self },
            Access::Rope(OfRope::RotaryDim) => self.rotary_dim(value.size()),
            Access::Rope(OfRope::PartialRotaryFactor) => self.partial_rotary_factor(value.number()),
            Access::Grid(_) | Access::Output => panic!("a cache has no parameter `{}`", parameter.key),
        }
    }

    /// Returns whether both caches have the same tables, bit for bit.
    ///
    /// This method applies [`Spec::is_same_table`](crate::Spec::is_same_table) to the cosines and to the sines. While
    /// `==` compares the parameters as set, this method ignores differences that change no entry, such as the number of
    /// columns that are not rotated. Caches that have no tables are the same only if their widths are.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, Scaling};
    /// let (whole, part) = (Rope::new(32), Rope::new(80).rotary_dim(32));
    /// assert_ne!(whole, part); // they differ in the columns of a head
    /// assert!(whole.is_same_table(&part));
    /// assert!(whole.is_same_table(&whole.scaling(Scaling::linear(1.0))));
    /// assert!(!whole.is_same_table(&whole.base(1e6)));
    /// ```
    #[must_use]
    pub fn is_same_table(&self, other: &Rope) -> bool {
        [Columns::Cos, Columns::Sin].iter().all(|&columns| match (self.spec(columns), other.spec(columns)) {
            (Ok(one), Ok(other)) => one.is_same_table(&other),
            // The error says both widths.
            (Err(one), Err(error)) => one == error && self.spec.is_same_table(&other.spec),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read() {
        let rope = Rope::new(80).rotary_dim(32).base(2.0).scaling(Scaling::linear(8.0)).attention_factor(0.5);
        let rope = rope
            .repeat(Repeat::Pairs)
            .start(3)
            .step(4)
            .scale(5.0)
            .unit(8, 15)
            .freq_offset(1, 3)
            .frequency_dtype(FrequencyDtype::Bf16)
            .quantiser(Quantiser::new(0.5));
        let expected = RopeParameters {
            head_dim: 80,
            rotary_dim: 32,
            frequencies: Frequencies::Geometric { base: 2.0, freq_shift: 0.0 },
            freq_offset: (1, 3),
            scaling: Scaling::linear(8.0),
            frequency_dtype: FrequencyDtype::Bf16,
            attention_factor: Some(0.5),
            repeat: Repeat::Pairs,
            start: 3,
            step: 4,
            scale: 5.0,
            unit: (8, 15),
            quantiser: Some(Quantiser::new(0.5)),
        };
        assert_eq!(rope.parameters(), expected);
        let list = [1.0; 16];
        let given = RopeParameters { frequencies: Frequencies::Given(&list), ..expected };
        assert_eq!(rope.frequencies(&list).parameters(), given);
    }

    #[test]
    fn what_changes_no_entry_is_left_out() {
        let rope = Rope::new(8);
        let same = [
            (rope, rope),
            (rope.unit(8, 15), rope.unit(16, 30)),
            (rope, Rope::new(9).rotary_dim(8)),
            (rope, rope.attention_factor(1.0)),
            (rope.base(f64::NAN), rope.base(f64::NAN)),
            // Neither has tables.
            (Rope::new(7), Rope::new(7)),
            (Rope::new(7).scale(f64::NAN), Rope::new(7).scale(f64::NAN)),
        ];
        for (one, other) in same {
            assert!(one.is_same_table(&other) && other.is_same_table(&one), "{one} {other}");
        }
        let different = [
            (rope, Rope::new(6)),
            (rope, rope.base(3.0)),
            (rope, rope.start(1)),
            (rope, rope.attention_factor(0.5)),
            (rope, rope.repeat(Repeat::Halves)),
            (rope, rope.quantiser(Quantiser::new(0.5))),
            (Rope::new(7), Rope::new(8).rotary_dim(7)),
            (rope, Rope::new(4).rotary_dim(8)),
        ];
        for (one, other) in different {
            assert!(!one.is_same_table(&other) && !other.is_same_table(&one), "{one} {other}");
        }
    }
}
