//! A frequency at a position: sine and cosine times the amplitude, correctly rounded or as integers.

use core::fmt::{Display, Formatter, Result as FmtResult};

use crate::exact::constants::LIMBS;
use crate::exact::factor::{Factor, Size, factor_in};
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::frequency::{Frequency, FrequencyRule, NARROW, Progression};
use crate::exact::phase::{Phase, Turn};
use crate::exact::rotation::Rotation;
use crate::exact::rounding::Enclosure;
use crate::exact::sincos::{narrow, wide};

/// The amplitude, not zero, as the tiers need it.
#[derive(Clone, Copy)]
pub(crate) struct PreparedAmplitude {
    pub(crate) size: Size,
    pub(crate) negative: bool,
    /// `None` for a size of 1.
    narrow: Option<Factor<NARROW>>,
    /// The bits of the cosine of a zero angle.
    at_zero: u64,
}

impl PreparedAmplitude {
    /// The least `n` such that the amplitude is at most `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        match &self.narrow {
            None => 0,
            Some(factor) => factor.exponent(),
        }
    }

    /// That of sine and cosine themselves.
    pub(crate) const ONE: Self = Self::new(Size::Of(1.0), false, Format::F64);

    pub(crate) const fn new(size: Size, negative: bool, format: Format) -> Self {
        let narrow = match size {
            Size::Of(value) if value == 1.0 || value == -1.0 => None,
            _ => Some(Factor::of(size)),
        };
        let sign_bit = (negative as u64) << (format.width - 1);
        Self { size, negative, narrow, at_zero: sign_bit | size.round(format) }
    }
}

/// Which of the two functions of an angle a column holds.
///
/// ```
/// assert_eq!(posenc::explain::Function::Cosine.to_string(), "cosine");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(unreachable_pub, reason = "exported with the feature `inspect`")]
pub enum Function {
    /// The sine.
    Sine,
    /// The cosine.
    Cosine,
}

impl Rotation {
    /// Returns the rotation whose sine is this function of the angle: for the cosine that of a quarter turn later.
    pub(crate) const fn of(self, function: Function) -> Self {
        match function {
            Function::Sine => self,
            Function::Cosine => self.quarter_on(),
        }
    }
}

impl Function {
    /// Returns whether it has the opposite sign at an angle whose sign is `angle_sign` as at the angle's size: the sine is odd, the
    /// cosine even.
    pub(crate) const fn is_flipped(self, angle_sign: i32) -> bool {
        matches!(self, Self::Sine) && angle_sign < 0
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.pad(match self {
            Self::Sine => "sine",
            Self::Cosine => "cosine",
        })
    }
}

/// Sine and cosine at a position, both times the amplitude, in enclosures that need not decide their rounding.
pub(crate) struct Enclosed {
    position: f64,
    sin: Enclosure,
    cos: Enclosure,
}

/// The sine and cosine of a frequency: how fast they turn, and what it takes to know that more precisely.
pub(crate) struct Sinusoid<'a> {
    pub(crate) frequencies: FrequencyRule<'a>,
    pub(crate) i: usize,
    pub(crate) turns: Frequency<NARROW>,
    pub(crate) amplitude: &'a PreparedAmplitude,
}

/// The sines and cosines of a table's frequencies, in order.
pub(crate) struct Sinusoids<'a> {
    progression: Progression<'a>,
    frequencies: FrequencyRule<'a>,
    next: usize,
    count: usize,
    amplitude: &'a PreparedAmplitude,
}

impl<'a> Sinusoids<'a> {
    pub(crate) const fn new(frequencies: FrequencyRule<'a>, count: usize, amplitude: &'a PreparedAmplitude) -> Self {
        Self { progression: Progression::new(frequencies), frequencies, next: 0, count, amplitude }
    }

    /// Returns the next one. (An iterator's method is not `const`.)
    pub(crate) const fn advance(&mut self) -> Option<Sinusoid<'a>> {
        let i = self.next;
        if i == self.count {
            return None;
        }
        self.next += 1;
        let (frequencies, amplitude) = (self.frequencies, self.amplitude);
        Some(Sinusoid { frequencies, i, turns: self.progression.advance(), amplitude })
    }
}

impl Sinusoid<'_> {
    /// The same without the amplitude.
    pub(crate) const fn of_length_one(&self) -> Self {
        Self { amplitude: &PreparedAmplitude::ONE, ..*self }
    }

    /// Sine and cosine at `position` times the amplitude in units of `2^(exponent - 126)`, below `2^126` of them in size, each
    /// off by less than 512.
    pub(crate) const fn rotation(&self, position: f64, exponent: i32) -> Option<Rotation> {
        let unit = exponent - Rotation::BITS;
        if self.stands_still(position) {
            let cos = match &self.amplitude.narrow {
                None => Enclosure::ONE,
                Some(factor) => factor.times(Enclosure::ONE),
            };
            return match cos.in_units(unit) {
                Some(cos) => Some(Rotation { sin: 0, cos: if self.amplitude.negative { -cos } else { cos } }),
                None => None,
            };
        }
        let rotation = in_units(self.enclose_narrow(position), unit);
        if rotation.is_some() {
            return rotation;
        }
        ladder!(L of 16, 32, LIMBS => in_units(self.enclose_wide::<L>(position), unit))
    }

    /// Sine and cosine at `position` as far as 128-bit integers tell.
    pub(crate) const fn enclose(&self, position: f64) -> Enclosed {
        let (sin, cos) = if self.stands_still(position) {
            (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
        } else {
            self.enclose_narrow(position)
        };
        Enclosed { position, sin, cos }
    }

    /// The bits of one function at the position of `enclosed`, correctly rounded.
    pub(crate) const fn round(&self, function: Function, enclosed: &Enclosed, format: Format) -> u64 {
        let enclosure = match function {
            Function::Sine => &enclosed.sin,
            Function::Cosine => &enclosed.cos,
        };
        match enclosure.round(format) {
            Some(bits) => bits,
            None => self.round_wide(function, enclosed.position, format),
        }
    }

    /// The bits of one function at `position`, correctly rounded.
    pub(crate) const fn round_at(&self, function: Function, position: f64, format: Format) -> u64 {
        self.round(function, &self.enclose(position), format)
    }

    /// Whether the angle is exactly zero.
    const fn stands_still(&self, position: f64) -> bool {
        self.frequencies.angle_sign(self.i, position) == 0
    }

    /// Ziv's loop: more limbs until the rounding is decided.
    ///
    /// All parameters are rational numbers, or in the amplitude the root of one, so the angle is algebraic. It is not zero, so
    /// its sine and cosine are transcendental (Hermite-Lindemann), and so are their products with the amplitude: some
    /// precision decides. The ladder ends at 5120 bits all the same.
    ///
    /// Up to 4300 of them go to the integer part of the angle: 2150 for the frequency (`base` to the -2), 1024 for `scale`,
    /// 1024 for the position. Of the rest 690 remain: that random digits need more has a probability below `2^-500`. Cases
    /// made to be hard have small angles, which times the amplitude are exactly half way between two numbers, and are decided by
    /// their cubes. [`round_small`](Self::round_small) knows most of them at once; the others have a frequency that is a power of
    /// the base. Where their cubes are beyond 5120 bits, the lower end of the enclosure is rounded, and that is right: the value is
    /// below half way.
    #[cold]
    const fn round_wide(&self, function: Function, position: f64, format: Format) -> u64 {
        if self.stands_still(position) {
            return match function {
                Function::Sine => 0,
                Function::Cosine => self.amplitude.at_zero,
            };
        }
        if let Some(bits) = self.round_small(function, position, format) {
            return bits;
        }
        match ladder!(L of 8, 16, 32 => self.enclose_one::<L>(function, position).round(format)) {
            Some(bits) => bits,
            None => self.enclose_one::<LIMBS>(function, position).round_low(format),
        }
    }

    /// The bits where the angle `x` is so small that only a hair is missing from a product of given numbers: from the amplitude,
    /// since `1 - x^2/2 < cos x < 1`, or from amplitude times angle, since `x - x^3/6 < sin x < x`. However thin the hair, it
    /// decides if that product is half way between two numbers.
    ///
    /// A number of the format, or the middle of two, has up to 54 bits; it either equals a product of `n` bits or differs from it by
    /// at least a relative `2^-(max(n, 54) + 1)`. An amplitude has 53 bits, and a cosine with `x < 2^-32` falls short of it by a relative
    /// amount below `2^-64`. The product with position, scale and frequency has 212 bits, and a sine with `x < 2^-107` falls short of it
    /// by one below `2^-216`. So nothing lies between, and what is short of the product by a relative `2^-255` rounds as the value does.
    const fn round_small(&self, function: Function, position: f64, format: Format) -> Option<u64> {
        let (Some(phase), Size::Of(amplitude)) = (Phase::new(position, &self.turns), self.amplitude.size) else {
            return None;
        };
        let amplitude = Float::<4>::from_f64(amplitude);
        // The angle is below 2^exponent radians.
        let product = match (function, self.frequencies.exact(self.i)) {
            (Function::Cosine, _) if phase.turn.exponent <= -32 => amplitude,
            (Function::Sine, Some(frequency)) if phase.turn.exponent <= -107 => {
                amplitude.mul(&Float::from_f64(position)).mul(&frequency)
            }
            _ => return None,
        };
        let hair = Enclosure::around(&product.fraction, 0, product.exponent);
        Some(self.with_sign(function, position, (hair, false)).round_low(format))
    }

    const fn enclose_one<const L: usize>(&self, function: Function, position: f64) -> Enclosure {
        let (sin, cos) = self.enclose_wide::<L>(position);
        match function {
            Function::Sine => sin,
            Function::Cosine => cos,
        }
    }

    const fn enclose_narrow(&self, position: f64) -> (Enclosure, Enclosure) {
        if let Some(phase) = Phase::new(position, &self.turns) {
            if let Some((sin, cos)) = narrow(&phase) {
                return match &self.amplitude.narrow {
                    None => self.with_signs(position, phase.turn.unfold(sin, cos)),
                    Some(factor) => self.with_signs(position, phase.turn.unfold(factor.times(sin), factor.times(cos))),
                };
            }
        }
        (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
    }

    /// In a frame of its own, so that the stack a precision takes is taken only where it is needed.
    #[inline(never)]
    const fn enclose_wide<const L: usize>(&self, position: f64) -> (Enclosure, Enclosure) {
        let mut numbers = [[0; L]; 7];
        let [one, two, three, four, five, six, seven] = &mut numbers;
        self.enclose_in(position, [one, two, three, four, five, six, seven])
    }

    /// The body of [`enclose_wide`](Self::enclose_wide), once for all precisions.
    #[inline(never)]
    const fn enclose_in(&self, position: f64, numbers: [&mut [u64]; 7]) -> (Enclosure, Enclosure) {
        let [turns, amplitude, one, two, three, four, five] = numbers;
        let factor = factor_in(self.amplitude.size, [amplitude, one, two, three, four, five]);
        let exponent = self.frequencies.turns_in(self.i, [turns, one, two, three, four, five]);
        match Turn::new(position, turns, exponent, FrequencyRule::ERROR_BITS) {
            Some(turn) => {
                let (sin, cos) = wide(&turn, factor, [turns, amplitude, one, two, three]);
                self.with_signs(position, turn.unfold(sin, cos))
            }
            None => (Enclosure::UNKNOWN, Enclosure::UNKNOWN),
        }
    }

    /// Returns `function` of the angle times the amplitude, from that of the size of the angle: its size, and whether it is negative.
    const fn with_sign(&self, function: Function, position: f64, (size, negative): (Enclosure, bool)) -> Enclosure {
        let flipped = function.is_flipped(self.frequencies.angle_sign(self.i, position));
        size.negated_if(negative ^ flipped ^ self.amplitude.negative)
    }

    const fn with_signs(&self, position: f64, [sin, cos]: [(Enclosure, bool); 2]) -> (Enclosure, Enclosure) {
        (self.with_sign(Function::Sine, position, sin), self.with_sign(Function::Cosine, position, cos))
    }
}

const fn in_units((sin, cos): (Enclosure, Enclosure), unit: i32) -> Option<Rotation> {
    match (sin.in_units(unit), cos.in_units(unit)) {
        (Some(sin), Some(cos)) => Some(Rotation { sin, cos }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::bits::power_of_two;
    use crate::exact::frequency::{Family, Progression, Ratio};

    /// Numbers of few bits and of many, in any binade from `2^least` to `2^most`, of both signs.
    fn number(least: i32, most: i32) -> impl Strategy<Value = f64> {
        let fraction = prop_oneof![
            Just(0),
            Just(1 << 28),
            Just(1 << 51),
            Just(1 << 44),
            Just(1 << 41),
            any::<u64>(),
            Just((1 << 52) - 1)
        ];
        (any::<bool>(), least..most, fraction).prop_map(|(negative, exponent, fraction)| {
            let bits = power_of_two(exponent).to_bits() | fraction & ((1 << 52) - 1);
            f64::from_bits(bits | (negative as u64) << 63)
        })
    }

    fn amplitude() -> impl Strategy<Value = f64> {
        // Half way between two numbers of each type, and any others; also where the product is subnormal.
        prop_oneof![number(-1, 4), number(-1000, -900), number(-140, -100), number(-20, -10)]
    }

    fn ladder(sinusoid: &Sinusoid, function: Function, position: f64, format: Format) -> u64 {
        let decided = sinusoid.enclose_one::<32>(function, position).round(format);
        decided.unwrap_or_else(|| sinusoid.enclose_one::<LIMBS>(function, position).round_low(format))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// What a thin hair decides is what thousands of bits decide.
        #[test]
        fn small_angles_round_as_the_ladder_does(
            amplitude in amplitude(), position in number(-400, 40), scale in number(-400, 4), given in number(-80, 4), list: bool,
        ) {
            let list_of_one = [given];
            let geometric = Family::Geometric { base: 10_000.0, step: Ratio { numerator: 1, denominator: 4 } };
            let family = if list { Family::Given(&list_of_one) } else { geometric };
            let frequencies = FrequencyRule { family, scale };
            let turns = Progression::new(frequencies).advance();
            for format in [Format::F16, Format::BF16, Format::F32, Format::F64] {
                let amplitude = PreparedAmplitude::new(Size::Of(amplitude), amplitude < 0.0, format);
                let sinusoid = Sinusoid { frequencies, i: 0, turns, amplitude: &amplitude };
                for function in [Function::Sine, Function::Cosine] {
                    if let Some(bits) = sinusoid.round_small(function, position, format) {
                        prop_assert_eq!(bits, ladder(&sinusoid, function, position, format));
                    }
                }
            }
        }
    }

    /// An amplitude half way between two `f32`, and an angle that takes less than `2^-2000` from it; an angle half way between two
    /// subnormal `f64`.
    #[test]
    fn a_hair_decides() {
        let frequencies = FrequencyRule { family: Family::Given(&[1.0]), scale: 1.0 };
        let turns = Progression::new(frequencies).advance();
        let tie = f64::from_bits(0x3ff0_0000_1000_0000); // 1 + 2^-24
        let minus_two_ties = f64::from_bits(0xc000_0000_1000_0000);
        let round = |amplitude: f64, function, position, format| {
            let amplitude = PreparedAmplitude::new(Size::Of(amplitude), amplitude < 0.0, format);
            let sinusoid = Sinusoid { frequencies, i: 0, turns, amplitude: &amplitude };
            assert!(sinusoid.round_small(function, position, format).is_some());
            sinusoid.round_at(function, position, format)
        };
        assert_eq!(round(tie, Function::Cosine, 1e-320, Format::F32), 0x3f80_0000);
        assert_eq!(round(minus_two_ties, Function::Cosine, 1e-12, Format::F32), 0xc000_0000);
        assert_eq!(round(0.5, Function::Sine, f64::from_bits(3), Format::F64), 1);
        assert_eq!(round(0.5, Function::Sine, f64::from_bits(5), Format::F64), 2);
        assert_eq!(round(1.0, Function::Sine, f64::from_bits(5), Format::F64), 5);
    }
}
