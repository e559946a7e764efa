//! A factor of a table: the amplitude, the scale or the base.

use posenc::{Amplitude, Frequencies, Parameters, Spec};

use crate::numbers::{self, Number};

/// A factor of the entries or of the angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Amplitude,
    Scale,
    Base,
}

impl Factor {
    pub(crate) const ALL: [Self; 3] = [Self::Scale, Self::Base, Self::Amplitude];

    /// Returns the name of its key in the macro.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Amplitude => "amplitude",
            Self::Scale => "scale",
            Self::Base => "base",
        }
    }

    pub(crate) fn of(self, spec: &Spec) -> f64 {
        let Parameters { amplitude, scale, unit, frequencies, d_model, .. } = spec.parameters();
        match (self, amplitude, frequencies) {
            (Self::Amplitude, Amplitude::Value(value), _) => value,
            (Self::Amplitude, Amplitude::Sqrt2OverD, _) => numbers::rsqrt(d_model) * 2_f64.sqrt(),
            (Self::Amplitude, ..) => numbers::rsqrt(d_model),
            (Self::Scale, ..) => scale * unit.0 as f64 / unit.1 as f64,
            (Self::Base, _, Frequencies::Geometric { base, .. }) => base,
            (Self::Base, ..) => f64::NAN,
        }
    }

    pub(crate) fn set(self, spec: Spec, number: Number) -> Spec {
        match (self, number) {
            (Self::Scale, Number::Quotient(over, under)) => spec.scale(1.0).unit(over, under),
            (Self::Scale, Number::Plain(value)) => spec.scale(value).unit(1, 1),
            (Self::Amplitude, _) => spec.amplitude(Amplitude::Value(number.value())),
            (Self::Base, _) => spec.base(number.value()),
        }
    }

    /// Returns an integer that it multiplies: the step.
    pub(crate) fn multiple(self, spec: &Spec) -> u64 {
        if self == Self::Scale { spec.parameters().step.unsigned_abs() } else { 1 }
    }

    /// Returns whether it is one that people choose so often that a range need not single it out.
    pub(crate) fn is_common(self, spec: &Spec) -> bool {
        let Parameters { amplitude, unit, .. } = spec.parameters();
        match self {
            Self::Amplitude if !matches!(amplitude, Amplitude::Value(_)) => true,
            Self::Scale if unit != (1, 1) => false,
            _ => Number::Plain(self.of(spec)).cost_beside(self.multiple(spec)) <= numbers::COMMON,
        }
    }
}
