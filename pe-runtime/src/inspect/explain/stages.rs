//! From the frequency to the value.

use alloc::string::String;

use crate::element::Element;
use crate::exact::constants::LIMBS;
use crate::exact::fixed::Fixed;
use crate::exact::sinusoid::Function;
use crate::exact::unscaled::Approximation;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::signed::{Integer, Signed};
use crate::inspect::explain::formula::formula;
use crate::plan::Plan;
use crate::spec::Spec;

/// Significant digits of the numbers.
pub(super) const DIGITS: usize = 40;

/// What a sine or cosine goes through: [`Explanation::stages`](crate::explain::Explanation::stages).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stages {
    /// Which of the two functions it is.
    pub function: Function,
    /// The number of the frequency, from 0: that of a pair of columns, where those share one.
    pub frequency_index: usize,
    /// The formula of the frequency, in radians per position, the parameters filled in: `"w = 10000^(-2/8)"`.
    pub formula: String,
    /// The frequency in radians per position, `scale` included.
    pub frequency: Decimal,
    /// The frequency in turns per position: that in radians over 2π.
    pub frequency_in_turns: Decimal,
    /// The wavelength, in positions, always positive: 2π over the size of the frequency. A frequency of zero has none.
    pub wavelength: Option<Decimal>,
    /// The angle in radians: position times frequency.
    pub angle: Decimal,
    /// The whole turns in the angle, with the sign of the angle: what is taken away.
    pub whole_turns: Integer,
    /// The rest of the angle in turns, with the sign of the angle: less than 1 in size.
    pub phase: Decimal,
    /// The quadrant of the angle, 1 to 4: in 1 and 2 the sine is positive, in 4 and 1 the cosine.
    pub quadrant: u8,
    /// The sine or cosine of the angle, before the amplitude.
    pub unscaled: Decimal,
    /// The amplitude.
    pub amplitude: Decimal,
}

impl Stages {
    /// Evaluates the stages in `L` limbs, and the value that they lead to; returns `None` if some digit is not certain.
    ///
    /// Sine and cosine are those of the exact tier, which leaves whole turns to wrap; here they are shown.
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
            frequency: shown(&frequency)?,
            frequency_in_turns: shown(&frequency_in_turns)?,
            wavelength,
            angle: shown(&frequency.times(&position_factor))?,
            whole_turns,
            phase: shown(&phase)?,
            // An angle that is no multiple of a quarter turn, as none but 0 is, is in the opposite one when negative.
            quadrant: if phase.negative { 4 - quarters } else { 1 + quarters },
            unscaled: shown(&unscaled)?,
            amplitude: shown(&amplitude)?,
        };
        Some((stages, amplitude.times(&unscaled)))
    }
}
