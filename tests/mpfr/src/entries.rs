//! How the real numbers of a table become entries of each element type.

use posenc::SpecError;
use rug::float::Round;

use crate::amplitude::{Amplitude, FIRST, LAST};
use crate::integers::{INTEGERS, Steps};
use crate::interval::Interval;
use crate::rounding::{Digits, FORMATS};

const FLOATS: usize = FORMATS.len();
/// The number of element types. Floats are before integers in all arrays.
pub const TYPES: usize = FLOATS + INTEGERS.len();

/// The bits of one entry, in each element type.
pub type Bits = [u64; TYPES];

/// Returns the name and the width of each element type.
pub fn types() -> impl Iterator<Item = (&'static str, u32)> {
    let floats = FORMATS.iter().map(|format| (format.name, format.width));
    floats.chain(INTEGERS.iter().map(|of| (of.name, of.width)))
}

/// Steps beyond these are reported as so many.
const MOST_STEPS: i64 = 1 << 36;

/// Why a type has to be refused.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// The amplitude is beyond the largest float.
    Amplitude,
    /// All integers would be the zero point.
    NoSteps { of: Steps },
    /// Integers would be clamped by more than one step.
    Clipped { steps: i64, of: Steps },
}

impl Refusal {
    /// Returns whether an error says so.
    pub fn is(self, error: &SpecError) -> bool {
        match (self, error) {
            (Self::Amplitude, SpecError::Amplitude { .. }) => true,
            (Self::NoSteps { of }, SpecError::NoSteps { dtype, zero_point, .. }) => {
                (of.of.name, of.zero_point) == (*dtype, *zero_point)
            }
            (Self::Clipped { steps, of }, SpecError::Clipped { steps: found, dtype, zero_point, range, .. }) => {
                steps.min(MOST_STEPS) == *found
                    && (of.of.name, of.zero_point, of.of.range) == (*dtype, *zero_point, *range)
            }
            _ => false,
        }
    }
}

/// The amplitude of a table, and the rounding to each type.
pub struct Entries {
    amplitude: Amplitude,
    /// `None` for types that have to be refused.
    integers: [Option<Steps>; INTEGERS.len()],
    refusals: [Option<Refusal>; TYPES],
    /// The entry of the real number 0.
    pub zero: Bits,
    /// The entry of the cosine of 0, which is the amplitude.
    one: Bits,
}

impl Entries {
    pub fn new(amplitude: Amplitude, integers: [Steps; INTEGERS.len()]) -> Self {
        let mut refusals = [None; TYPES];
        if let Amplitude::Given(amplitude) = amplitude {
            for (refusal, format) in refusals.iter_mut().zip(&FORMATS) {
                *refusal = format.is_exceeded_by(amplitude).then_some(Refusal::Amplitude);
            }
        }
        let (mut zero, mut one) = ([0; TYPES], [0; TYPES]);
        one[..FLOATS].copy_from_slice(&floats(&amplitude));
        let mut dtype = FLOATS;
        let integers = integers.map(|of| {
            let steps = amplitude.steps(of.scale);
            let refusal = match steps.abs() {
                0 if !amplitude.is_zero() => Some(Refusal::NoSteps { of }),
                steps if steps > of.of.most(of.zero_point) => Some(Refusal::Clipped { steps, of }),
                _ => None,
            };
            if refusal.is_none() {
                (zero[dtype], one[dtype]) = (of.bits(0), of.bits(steps));
            }
            refusals[dtype] = refusal;
            dtype += 1;
            refusal.is_none().then_some(of)
        });
        Self { amplitude, integers, refusals, zero, one }
    }

    /// Returns why a type has to be refused.
    pub fn refusal(&self, dtype: usize) -> Option<Refusal> {
        self.refusals[dtype]
    }

    /// Returns the entries of the sine and the cosine of the angle 0.
    pub fn at_zero(&self) -> [Bits; 2] {
        [self.zero, self.one]
    }

    pub fn are_zero(&self) -> bool {
        self.amplitude.is_zero()
    }

    /// Returns the entries of a sine or a cosine in an interval, if they are the same for all of its numbers.
    ///
    /// Rounding is monotonic, so it is enough that both ends round to the same number. The result is `None` if an end
    /// is 0, which leaves the sign open.
    pub fn of(&self, value: &Interval) -> Option<Bits> {
        let [low, high] = self.amplitude.times(value).ends();
        let digits = [Digits::of(&low)?, Digits::of(&high)?];
        let mut bits = [0; TYPES];
        bits[..FLOATS].copy_from_slice(&decided(&digits)?);
        for (bits, of) in bits[FLOATS..].iter_mut().zip(&self.integers) {
            let Some(of) = of else { continue };
            *bits = of.entry(&low, &digits[0], Round::Down);
            if *bits != of.entry(&high, &digits[1], Round::Up) {
                return None;
            }
        }
        Some(bits)
    }
}

/// Returns the float of each type that both numbers are rounded to, if that is one float.
fn decided(digits: &[Digits; 2]) -> Option<[u64; FLOATS]> {
    let [low, high] = digits.each_ref().map(|end| FORMATS.each_ref().map(|format| format.nearest(end)));
    (low == high).then_some(low)
}

/// Returns the rounded amplitude.
fn floats(amplitude: &Amplitude) -> [u64; FLOATS] {
    let mut precision = FIRST;
    loop {
        let (number, exact) = amplitude.with_precision(precision);
        if exact {
            let digits = Digits::of(&number);
            return digits.map_or([0; FLOATS], |digits| FORMATS.each_ref().map(|format| format.nearest(&digits)));
        }
        let ends = Interval::around(number, i32::MIN).ends();
        if let Some(bits) = decided(&ends.map(|end| Digits::of(&end).expect("not 0"))) {
            return bits;
        }
        precision *= 2;
        assert!(precision <= LAST, "an amplitude is not decided by {LAST} bits");
    }
}
