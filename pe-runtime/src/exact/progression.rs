//! The frequencies of a table in order, each from the one before it.

use crate::error_bounds::{PROGRESSION_ERROR_BITS, ROUNDED_ERROR_BITS};
use crate::exact::apply_scaling::PreparedScaling;
use crate::exact::float::Float;
use crate::exact::frequency::Frequency;
use crate::exact::frequency_rule::{Exponents, Family, FrequencyRule};
use crate::exact::logarithm::Base;
use crate::exact::power::{power, power_and_octaves};
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};

/// The frequencies of a table in order.
///
/// In a geometric family, each is the product of the previous one and the ratio, before a scaling rule. A rule that is a
/// power is part of the ratio. One that divides all frequencies by the same number is part of the first of them, except on
/// small machines.
pub(crate) struct Progression<'a, const L: usize> {
    frequencies: &'a FrequencyRule<'a>,
    next: usize,
    steps: Steps,
    /// In turns, or in radians without `scale` if a scaling rule is applied to each or each is rounded.
    current: Float<L>,
    ratio: Float<L>,
    /// `scale` radians in turns.
    unit: Float<L>,
    scaling: PreparedScaling<'a, L>,
}

/// The numbers that the frequencies of a progression are made from.
#[cfg(feature = "alloc")]
pub(crate) struct Geometric<'a, const L: usize> {
    /// The first frequency, in turns unless a rule blends. It is not yet divided by a number of its own.
    pub(crate) first: Float<L>,
    pub(crate) ratio: Float<L>,
    /// A rule that blends, and what frequencies are multiplied by after it.
    pub(crate) blended: Option<(&'a PreparedScaling<'a, L>, Float<L>)>,
}

/// How one frequency follows from the previous one.
#[derive(Clone, Copy)]
enum Steps {
    /// By the ratio.
    Ratio,
    /// By the ratio, and then the scaling rule.
    Scaled,
    /// Likewise, and then it is rounded.
    Rounded,
    /// Each is computed on its own.
    Alone,
}

impl<'a, const L: usize> Progression<'a, L> {
    pub(crate) const fn new(frequencies: &'a FrequencyRule<'a>) -> Self {
        let mut unit = frequencies.unit_in_turns();
        let mut first_power = Float::from_f64(1.0);
        let mut fall = None;
        let (steps, ratio) = match frequencies.family {
            Family::Geometric { base, exponents } => {
                let (base, Exponents { step, first, stride }) = (Base::of(base), exponents);
                if THERE_ARE_RULES && first > 0 {
                    first_power = power(&base, step.times(first));
                }
                let (ratio, octaves) =
                    power_and_octaves(&base, if THERE_ARE_RULES { step.times(stride) } else { step });
                fall = Some(octaves);
                let (steps, ratio) = match frequencies.scaling {
                    rule if !THERE_ARE_RULES || rule.keeps_ratio() => (Steps::Ratio, ratio),
                    LoweredScaling::Power { base, step } => (Steps::Ratio, ratio.mul(&power(&base, step))),
                    _ => (Steps::Scaled, ratio),
                };
                let is_rounded = THERE_ARE_RULES && !frequencies.rounding.is_none();
                (if is_rounded { Steps::Rounded } else { steps }, ratio)
            }
            Family::Given(_) => (Steps::Alone, Float::from_f64(1.0)),
        };
        let scaling = PreparedScaling::new(&frequencies.scaling, fall.as_ref());
        if THERE_ARE_RULES && matches!(steps, Steps::Ratio) {
            unit = unit.mul(&first_power);
        }
        let current = match (steps, frequencies.scaling) {
            #[cfg(feature = "alloc")]
            (Steps::Ratio, LoweredScaling::Linear(_) | LoweredScaling::First { .. }) => scaling.scaled(0, unit),
            (Steps::Ratio, _) => unit,
            _ => first_power,
        };
        Self { frequencies, next: 0, steps, current, ratio, unit, scaling }
    }

    /// Returns the geometric family that the frequencies are made from, or `None` if they are given.
    #[cfg(feature = "alloc")]
    pub(crate) fn geometric(&self) -> Option<Geometric<'_, L>> {
        let (first, blended) = match (self.steps, self.frequencies.scaling) {
            (Steps::Alone | Steps::Rounded, _) => return None,
            (Steps::Ratio, _) => (self.current, None),
            (Steps::Scaled, LoweredScaling::Each(_)) => (self.unit, None),
            (Steps::Scaled, _) => (self.current, Some((&self.scaling, self.unit))),
        };
        Some(Geometric { first, ratio: self.ratio, blended })
    }

    /// Returns the next frequency, starting with frequency 0.
    #[cfg_attr(feature = "alloc", inline)] // see `Float::mul`
    pub(crate) const fn advance(&mut self) -> Frequency<L> {
        let i = self.next;
        self.next += 1;
        let current = self.current;
        self.current = current.mul(&self.ratio);
        match self.steps {
            Steps::Ratio => Frequency { turns: current, error_bits: PROGRESSION_ERROR_BITS },
            Steps::Scaled if THERE_ARE_RULES => Frequency {
                turns: self.scaling.scaled(i, current).mul(&self.unit),
                error_bits: self.frequencies.scaling.error_bits(PROGRESSION_ERROR_BITS),
            },
            Steps::Rounded if THERE_ARE_RULES => {
                let error_bits = self.frequencies.scaling.error_bits(PROGRESSION_ERROR_BITS);
                let rounded = self.frequencies.round_near(i, &self.scaling.scaled(i, current), error_bits);
                Frequency { turns: rounded.mul(&self.unit), error_bits: ROUNDED_ERROR_BITS }
            }
            Steps::Scaled | Steps::Rounded | Steps::Alone => self.frequencies.of(i),
        }
    }
}
