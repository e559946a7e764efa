//! A frequency at a position: sine and cosine times the amplitude, correctly rounded or as integers.

use crate::amplitude::{Factor, Size};
use crate::constants::LIMBS;
use crate::frequency::{Frequencies, Frequency, NARROW};
use crate::phase::Phase;
use crate::rotation::Rotation;
use crate::rounding::{Enclosure, Format};
use crate::sincos::{narrow, wide};
use crate::spec::Spec;

/// The amplitude, not zero, as the tiers need it.
#[derive(Clone)]
pub(crate) struct PreparedAmplitude {
    size: Size,
    negative: bool,
    /// Nothing for a size of 1.
    narrow: Option<Factor<NARROW>>,
    /// The bits of sine and cosine of a zero angle.
    at_zero: (u64, u64),
}

impl PreparedAmplitude {
    /// The least `n` such that the amplitude is at most `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        Factor::<NARROW>::of(self.size).exponent()
    }

    /// That of sine and cosine themselves.
    pub(crate) const ONE: Self = Self::of(Size::Of(1.0), false, Format::F64);

    pub(crate) const fn new(spec: &Spec, format: Format) -> Self {
        Self::of(spec.amplitude_size(), spec.amplitude_sign() < 0, format)
    }

    const fn of(size: Size, negative: bool, format: Format) -> Self {
        let narrow = match size {
            Size::Of(value) if value == 1.0 || value == -1.0 => None,
            _ => Some(Factor::of(size)),
        };
        let sign = (negative as u64) << (format.width - 1);
        Self { size, negative, narrow, at_zero: (0, sign | size.round(format)) }
    }
}

/// The sine and cosine of a frequency: how fast they turn, and what it takes to know that more precisely.
pub(crate) struct Wave<'a> {
    pub(crate) frequencies: Frequencies<'a>,
    pub(crate) i: usize,
    pub(crate) turns: Frequency<NARROW>,
    pub(crate) amplitude: &'a PreparedAmplitude,
}

impl Wave<'_> {
    /// Sine and cosine at `position` times the amplitude in units of `2^(exponent - 126)`, below `2^126` of them in size, each
    /// off by less than 512.
    pub(crate) const fn rotation(&self, position: f64, exponent: i32) -> Option<Rotation> {
        let unit = exponent - Rotation::BITS;
        if position == 0.0 || self.frequencies.sign(self.i) == 0 {
            let cos = match &self.amplitude.narrow {
                None => Enclosure::ONE,
                Some(factor) => factor.times(Enclosure::ONE),
            };
            return match cos.in_units(unit) {
                Some(cos) => Some(Rotation { sin: 0, cos: if self.amplitude.negative { -cos } else { cos } }),
                None => None,
            };
        }
        if let Some(rotation) = in_units(self.enclose_narrow(position), unit) {
            return Some(rotation);
        }
        if let Some(rotation) = in_units(self.enclose_wide::<16>(position), unit) {
            return Some(rotation);
        }
        if let Some(rotation) = in_units(self.enclose_wide::<32>(position), unit) {
            return Some(rotation);
        }
        in_units(self.enclose_wide::<LIMBS>(position), unit)
    }

    /// The bits of sine and cosine at `position`, correctly rounded.
    pub(crate) const fn round_at(&self, position: f64, format: Format) -> (u64, u64) {
        if position == 0.0 || self.frequencies.sign(self.i) == 0 {
            return self.amplitude.at_zero;
        }
        let (sin, cos) = self.enclose_narrow(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => (sin, cos),
            _ => self.round_wide(position, format),
        }
    }

    /// Ziv's loop: more limbs until both are decided.
    ///
    /// All parameters are rational numbers, or in the amplitude the root of one, so the angle is algebraic. It is not zero, so
    /// its sine and cosine are transcendental (Hermite-Lindemann), and so are their products with the amplitude: some
    /// precision decides. The ladder ends at 5120 bits all the same.
    ///
    /// Up to 4300 of them go to the integer part of the angle: 2150 for the frequency (`base` to the -2), 1024 for `scale`,
    /// 1024 for the position. Of the rest 690 remain: that random digits need more has a probability below `2^-500`. Cases
    /// made to be hard have small angles, which times the amplitude are exactly half way between two numbers (or an amplitude
    /// that is, times the cosine of one), and are decided by their cubes (or squares). Where those are beyond 5120 bits, the
    /// lower end of the enclosure is rounded, and that is right: the value is below half way.
    #[cold]
    const fn round_wide(&self, position: f64, format: Format) -> (u64, u64) {
        if let Some(bits) = self.decide::<8>(position, format) {
            return bits;
        }
        if let Some(bits) = self.decide::<16>(position, format) {
            return bits;
        }
        if let Some(bits) = self.decide::<32>(position, format) {
            return bits;
        }
        let (sin, cos) = self.enclose_wide::<LIMBS>(position);
        (sin.round_low(format), cos.round_low(format))
    }

    const fn decide<const L: usize>(&self, position: f64, format: Format) -> Option<(u64, u64)> {
        let (sin, cos) = self.enclose_wide::<L>(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => Some((sin, cos)),
            _ => None,
        }
    }

    const fn enclose_narrow(&self, position: f64) -> (Enclosure, Enclosure) {
        if let Some(phase) = Phase::new(position, &self.turns) {
            if let Some((sin, cos)) = narrow(&phase) {
                return match &self.amplitude.narrow {
                    None => self.with_signs(position, phase.unfold(sin, cos)),
                    Some(factor) => self.with_signs(position, phase.unfold(factor.times(sin), factor.times(cos))),
                };
            }
        }
        (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
    }

    const fn enclose_wide<const L: usize>(&self, position: f64) -> (Enclosure, Enclosure) {
        match Phase::new(position, &self.frequencies.of::<L>(self.i)) {
            Some(phase) => {
                let (sin, cos) = wide(&phase, &Factor::of(self.amplitude.size));
                self.with_signs(position, phase.unfold(sin, cos))
            }
            None => (Enclosure::UNKNOWN, Enclosure::UNKNOWN),
        }
    }

    /// The sine is odd, the cosine even; a negative amplitude turns both.
    const fn with_signs(&self, position: f64, (sin, cos): (Enclosure, Enclosure)) -> (Enclosure, Enclosure) {
        let backwards = (position < 0.0) != (self.frequencies.sign(self.i) < 0);
        let negative = self.amplitude.negative;
        (if backwards == negative { sin } else { sin.negated() }, if negative { cos.negated() } else { cos })
    }
}

const fn in_units((sin, cos): (Enclosure, Enclosure), unit: i32) -> Option<Rotation> {
    match (sin.in_units(unit), cos.in_units(unit)) {
        (Some(sin), Some(cos)) => Some(Rotation { sin, cos }),
        _ => None,
    }
}
