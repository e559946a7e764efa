//! The stages from the frequency to the value.

use alloc::string::{String, ToString};

use crate::element::Element;
use crate::exact::constants::LIMBS;
use crate::exact::fixed::Fixed;
use crate::exact::frequency_rule::FrequencyRounding;
use crate::exact::frequency_rule::{FrequencyRule, Unit};
use crate::exact::scaling::LoweredScaling;
use crate::exact::sinusoid::Function;
use crate::exact::unscaled::Approximation;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::signed::{Integer, Signed};
use crate::inspect::explain::formula::formula;
use crate::plan::Plan;
use crate::spec::Spec;
use crate::spec::scaling::Scaling;

/// The number of significant digits.
pub(super) const DIGITS: usize = 40;

/// The stages of a sine or cosine, in [`Explanation::stages`](crate::explain::Explanation::stages).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stages {
    /// The function: sine or cosine.
    pub function: Function,
    /// The index of the frequency. If the columns of a pair share a frequency, it is the index of the pair.
    pub frequency_index: usize,
    /// The formula of the frequency, in radians per position, with the parameters filled in: `"w = 10000^(-2/8)"`.
    pub formula: String,
    /// What the scaling rule does to the frequency, or `None` if there is no rule.
    pub scaled: Option<Scaled>,
    /// The frequency in radians per position, after the scaling rule and including `scale`.
    pub frequency: Decimal,
    /// The frequency in turns per position, which is the one in radians divided by 2π.
    pub frequency_in_turns: Decimal,
    /// The wavelength in positions: 2π divided by the magnitude of the frequency. `None` if the frequency is zero.
    pub wavelength: Option<Decimal>,
    /// The angle in radians: position times frequency.
    pub angle: Decimal,
    /// The number of whole turns that range reduction removes from the angle, with the sign of the angle.
    pub whole_turns: Integer,
    /// The rest of the angle in turns, with its sign. Its magnitude is less than 1.
    pub phase: Decimal,
    /// The quadrant of the angle, 1 to 4. The sine is positive in 1 and 2, the cosine in 4 and 1.
    pub quadrant: u8,
    /// The sine or cosine of the angle, before the amplitude.
    pub unscaled: Decimal,
    /// The amplitude.
    pub amplitude: Decimal,
}

/// What a scaling rule does to a frequency, to about 15 digits.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scaled {
    /// The rule with its arguments.
    pub rule: String,
    /// The number by which the frequency is divided: 1 if it is kept, infinity if it becomes zero.
    pub divisor: f64,
    /// The number of turns in the original context, and the length of that context, for rules that depend on them.
    pub turns: Option<(f64, usize)>,
}

impl Scaled {
    #[allow(clippy::float_arithmetic, reason = "for display")]
    fn of(spec: &Spec, rule: &FrequencyRule, i: usize) -> Option<Self> {
        let context = match spec.parameters.scaling {
            Scaling::None => return None,
            Scaling::Yarn(yarn) => Some(yarn.original_max_position_embeddings),
            Scaling::Llama3(llama3) => Some(llama3.original_max_position_embeddings),
            _ => None,
        };
        let [before, after] = [LoweredScaling::None, rule.scaling].map(|scaling| {
            FrequencyRule { scaling, rounding: FrequencyRounding::None, scale: 1.0, unit: Unit::ONE, ..*rule }.round(i)
        });
        let turns = context.map(|length| (before * length as f64 / core::f64::consts::TAU, length));
        Some(Self { rule: spec.parameters.scaling.to_string(), divisor: before / after, turns })
    }
}

impl Stages {
    /// Evaluates the stages in `L` limbs, and their value. Returns `None` if some digit is not certain.
    ///
    /// Sine and cosine come from the exact tier. That tier lets whole turns wrap around; here they are shown.
    pub(super) fn of<T: Element, const L: usize>(
        spec: &Spec,
        plan: &Plan<T>,
        (function, i): (Function, usize),
        position: f64,
    ) -> Option<(Self, Signed)> {
        let last = L == LIMBS;
        let shown = |number: &Signed| number.decimal(DIGITS, last);
        let frequencies = plan.frequencies();
        let [frequency, frequency_in_turns] =
            [frequencies.in_radians::<L>(i), frequencies.in_turns::<L>(i)].map(Signed::from);
        let wavelength = if frequency.size.is_zero() {
            None
        } else {
            Some(frequency_in_turns.size.reciprocal(Fixed::<L>::BITS).decimal(DIGITS, last)?)
        };
        let position_factor = Signed::from(Approximation::<2>::of_f64(position));
        let (whole_turns, phase) = frequency_in_turns.times(&position_factor).split(last)?;
        let quarters = phase.size.times_power_of_two(2).split(last)?.0.small()? as u8;
        let unscaled = Signed::from(frequencies.unscaled::<L>(function, i, position)?);
        let amplitude = plan.amplitude().map_or_else(Signed::zero, |amplitude| amplitude.approximate::<L>().into());
        let stages = Self {
            function,
            frequency_index: i,
            formula: formula(spec, i),
            scaled: Scaled::of(spec, frequencies, i),
            frequency: shown(&frequency)?,
            frequency_in_turns: shown(&frequency_in_turns)?,
            wavelength,
            angle: shown(&frequency.times(&position_factor))?,
            whole_turns,
            phase: shown(&phase)?,
            // For a negative angle, the quadrant is mirrored. That is right unless the angle is a multiple of a quarter
            // turn, and only 0 is.
            quadrant: if phase.negative { 4 - quarters } else { 1 + quarters },
            unscaled: shown(&unscaled)?,
            amplitude: shown(&amplitude)?,
        };
        Some((stages, amplitude.times(&unscaled)))
    }
}
