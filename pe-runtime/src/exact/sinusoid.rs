//! The sine and cosine of a frequency at a position, times the amplitude: correctly rounded, or as integers.

use core::fmt::{Display, Formatter, Result as FmtResult};

use crate::exact::constants::LIMBS;
use crate::exact::factor::{Factor, Size, Units, factor_in};
use crate::exact::float::Float;
use crate::exact::format::{Format, decompose};
use crate::exact::frequency::Frequency;
use crate::exact::frequency_rule::FrequencyRule;
use crate::exact::limbs::NARROW;
use crate::exact::phase::{Phase, Turn};
use crate::exact::product::Product;
use crate::exact::progression::Progression;
use crate::exact::rotation::Rotation;
use crate::exact::rounding::Enclosure;
use crate::exact::sincos::{narrow, wide};
use crate::float_bits::{is_zero, sign};

/// An amplitude other than zero, in units of the entries, in the form that the tiers need.
#[derive(Clone, Copy)]
pub(crate) struct PreparedAmplitude {
    pub(crate) size: Size,
    pub(crate) units: Units,
    pub(crate) negative: bool,
    /// The absolute value in units, or `None` if it is 1.
    narrow: Option<Factor<NARROW>>,
    /// The bits of the sine and of the cosine of a zero angle.
    at_zero: [u64; 2],
}

impl PreparedAmplitude {
    /// Returns the least `n` for which the amplitude is at most `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        match &self.narrow {
            None => 0,
            Some(factor) => factor.exponent(),
        }
    }

    /// Returns the absolute value, or `None` if it is 1.
    pub(crate) const fn factor(&self) -> Option<&Factor<NARROW>> {
        self.narrow.as_ref()
    }

    /// Returns the amplitude as a product of given numbers, if it is one.
    pub(crate) const fn product(&self) -> Option<Product> {
        let Size::Rational(size, denominator) = self.size else { return None };
        let mut product = Product::of(size);
        product.over(denominator);
        product.times(self.units.times);
        product.over(self.units.over);
        Some(product)
    }

    /// Returns whether the amplitude is the midpoint of two numbers of the format.
    pub(crate) const fn is_midpoint(&self, format: Format) -> bool {
        match self.product() {
            Some(product) => {
                let Float { fraction, exponent } = product.quotient();
                Enclosure::around(&fraction, 1, exponent).round(format).is_none()
            }
            None => false,
        }
    }

    /// Returns the bits of a function of a zero angle.
    pub(crate) const fn at_zero(&self, function: Function) -> u64 {
        let [sine, cosine] = self.at_zero;
        match function {
            Function::Sine => sine,
            Function::Cosine => cosine,
        }
    }

    /// The amplitude of unscaled sines and cosines.
    pub(crate) const ONE: Self = Self::new(Size::ONE, Units::ONE, false, Format::F64);

    pub(crate) const fn new(size: Size, units: Units, negative: bool, format: Format) -> Self {
        let narrow = match size {
            Size::Rational(value, 1.0) if units.are_one() && (value == 1.0 || value == -1.0) => None,
            _ => Some(Factor::in_units(size, units)),
        };
        // Small machines have no room for this.
        #[cfg(feature = "alloc")]
        let known = if let Some(factor) = &narrow { factor.round(format) } else { None };
        #[cfg(not(feature = "alloc"))]
        let known = None;
        let cosine = if let Some(bits) = known { bits } else { size.round_in(units, format) };
        let cosine = format.signed(negative, cosine);
        Self { size, units, negative, narrow, at_zero: [format.zero(), cosine] }
    }
}

/// The function of an angle that a column contains.
///
/// # Examples
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

#[cfg(feature = "alloc")]
impl Rotation {
    /// Returns the rotation whose sine is `function` of this angle. For the cosine, it is a quarter turn later.
    pub(crate) const fn of(self, function: Function) -> Self {
        match function {
            Function::Sine => self,
            Function::Cosine => self.quarter_on(),
        }
    }
}

impl Function {
    /// Returns whether the function changes sign between the absolute value of an angle and the angle itself.
    ///
    /// The sine, which is odd, does so if `angle_sign` is negative. The cosine is even.
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

/// Enclosures of sine and cosine at a position, both times the amplitude, which may be too wide to decide the rounding.
pub(crate) struct Enclosed {
    position: f64,
    sin: Enclosure,
    cos: Enclosure,
}

/// The sine and cosine of a frequency: its value in a few limbs, the rule that gives it more precisely, and the
/// amplitude.
pub(crate) struct Sinusoid<'a> {
    pub(crate) frequencies: &'a FrequencyRule<'a>,
    pub(crate) i: usize,
    pub(crate) turns: Frequency<NARROW>,
    /// Whether the frequency is positive, zero or negative: 1, 0 or -1.
    pub(crate) sign: i32,
    pub(crate) amplitude: &'a PreparedAmplitude,
}

/// The sinusoids of a table's frequencies, in order.
pub(crate) struct Sinusoids<'a> {
    progression: Progression<'a, NARROW>,
    frequencies: &'a FrequencyRule<'a>,
    next: usize,
    count: usize,
    amplitude: &'a PreparedAmplitude,
}

impl<'a> Sinusoids<'a> {
    pub(crate) const fn new(
        frequencies: &'a FrequencyRule<'a>,
        count: usize,
        amplitude: &'a PreparedAmplitude,
    ) -> Self {
        Self { progression: Progression::new(frequencies), frequencies, next: 0, count, amplitude }
    }

    /// Returns the next one. This is not an iterator, because a trait method cannot be `const`.
    pub(crate) const fn advance(&mut self) -> Option<Sinusoid<'a>> {
        let i = self.next;
        if i == self.count {
            return None;
        }
        self.next += 1;
        let (frequencies, amplitude) = (self.frequencies, self.amplitude);
        Some(Sinusoid::new(frequencies, i, self.progression.advance(), amplitude))
    }
}

impl<'a> Sinusoid<'a> {
    pub(crate) const fn new(
        frequencies: &'a FrequencyRule<'a>,
        i: usize,
        turns: Frequency<NARROW>,
        amplitude: &'a PreparedAmplitude,
    ) -> Self {
        Self { frequencies, i, turns, sign: frequencies.sign(i), amplitude }
    }

    /// Returns the same sinusoid with amplitude 1.
    pub(crate) const fn of_length_one(&self) -> Self {
        Self { amplitude: &PreparedAmplitude::ONE, ..*self }
    }

    /// Returns sine and cosine at `position`, times the amplitude, in units of `2^(exponent - 126)`.
    ///
    /// Each is at most `2^126` units in absolute value, and off by less than 512.
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
        ladder!(L of 8, 16, 32, LIMBS => in_units(self.enclose_wide::<L>(position), unit))
    }

    /// Returns sine and cosine at `position`, in most cases as precisely as 128-bit integers allow.
    pub(crate) const fn enclose(&self, position: f64) -> Enclosed {
        let (sin, cos) = if self.stands_still(position) {
            (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
        } else {
            self.enclose_narrow(position)
        };
        Enclosed { position, sin, cos }
    }

    /// Returns the correctly rounded bits of a function at the position of `enclosed`.
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

    /// Returns the correctly rounded bits of a function at `position`.
    pub(crate) const fn round_at(&self, function: Function, position: f64, format: Format) -> u64 {
        self.round(function, &self.enclose(position), format)
    }

    /// Returns whether the angle is exactly zero.
    const fn stands_still(&self, position: f64) -> bool {
        self.sign == 0 || is_zero(position)
    }

    /// Adds limbs until the rounding is decided (Ziv's method).
    ///
    /// Some precision always decides it. All parameters are rational, except that the amplitude may be a square root of
    /// a rational number. Therefore the angle is algebraic. If it is not zero, its sine and cosine are transcendental
    /// (Hermite-Lindemann), and so are their products with the amplitude.
    ///
    /// Nevertheless the ladder ends at 5120 bits. Up to 4250 of them are needed for the integer part of the angle: 2150
    /// for the frequency (`base` to the -2), 1024 for `scale`, 53 for `unit`, and 1024 for the position. After the errors
    /// more than 800 remain. The probability that random digits need more is below `2^-500`. Hard cases can be constructed
    /// from small angles which, times the amplitude, are exactly the midpoint of two numbers, so that their cubes decide.
    /// [`round_small`](Self::round_small) decides these at once if amplitude and frequency are rational. If only their
    /// product is, and the cube is beyond 5120 bits, the lower end of the enclosure is rounded. That is correct, because
    /// the value is below the midpoint.
    #[cold]
    const fn round_wide(&self, function: Function, position: f64, format: Format) -> u64 {
        if self.stands_still(position) {
            return self.amplitude.at_zero(function);
        }
        if let Some(bits) = self.round_small(function, position, format) {
            return bits;
        }
        match ladder!(L of 8, 16, 32 => self.enclose_one::<L>(function, position).round(format)) {
            Some(bits) => bits,
            None => self.enclose_one::<LIMBS>(function, position).round_low(format),
        }
    }

    /// Returns the bits if the angle `x` is so small that the value is just below a product of given numbers.
    ///
    /// The product is the amplitude for a cosine, since `1 - x^2/2 < cos x < 1`, and amplitude times angle for a sine,
    /// since `x - x^3/6 < sin x < x`. However small the difference is, it decides the rounding if the product is a
    /// midpoint.
    ///
    /// The product is a quotient `P / Q`. A number of the format, or a midpoint of two, has up to 54 bits. It either
    /// equals the quotient or differs from it by a relative amount of at least `2^-(n + 1)`, where `n` is the number of bits
    /// of `P`, or 54 more than that of `Q`, whichever is greater. For an amplitude in units, `P` has 106 bits and `Q` has 65,
    /// and a cosine with `x < 2^-64` is less than it by a relative amount below `2^-129`. For a sine in a floating-point
    /// format, `P` has 265 bits and `Q` has 224, and a sine with `x < 2^-145` is less than the product by a relative amount
    /// below `2^-292`. So there is no number and no midpoint between the product and the value. A number that is less than
    /// the product by a relative `2^-380` therefore rounds as the value does. In units, such a sine is far below half of
    /// one.
    const fn round_small(&self, function: Function, position: f64, format: Format) -> Option<u64> {
        let (Some(phase), Some(mut product)) = (Phase::new(position, &self.turns), self.amplitude.product()) else {
            return None;
        };
        // The angle is below 2^exponent radians.
        let is_known = match function {
            Function::Cosine => phase.turn.exponent <= -64,
            Function::Sine => {
                product.times(position);
                phase.turn.exponent <= -145 && self.frequencies.multiply_exactly(self.i, &mut product)
            }
        };
        if !is_known {
            return None;
        }
        let product = product.quotient();
        let just_below = Enclosure::around(&product.fraction, 0, product.exponent);
        Some(self.with_sign(function, position, (just_below, false)).round_low(format))
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
        self.enclose_far(position)
    }

    /// Does the same for an angle with so many whole turns that the narrow tier has no correct bit of the rest, with as few
    /// limbs as are likely to decide.
    #[cold]
    const fn enclose_far(&self, position: f64) -> (Enclosure, Enclosure) {
        // The whole turns, what the frequency is off by, and what the roundings take.
        let turns = self.turns.turns.exponent + decompose(position).1;
        match turns + (self.frequencies.error_bits() + 160) as i32 {
            ..=512 => self.enclose_wide::<8>(position),
            513..=1024 => self.enclose_wide::<16>(position),
            1025..=2048 => self.enclose_wide::<32>(position),
            _ => self.enclose_wide::<LIMBS>(position),
        }
    }

    /// Not inlined, so that the stack memory of a precision is used only if that precision is needed.
    #[inline(never)]
    const fn enclose_wide<const L: usize>(&self, position: f64) -> (Enclosure, Enclosure) {
        let mut numbers = [[0; L]; 8];
        let [one, two, three, four, five, six, seven, eight] = &mut numbers;
        self.enclose_in(position, [one, two, three, four, five, six, seven, eight])
    }

    /// Implements [`enclose_wide`](Self::enclose_wide) for all precisions, so that it is compiled once.
    #[inline(never)]
    const fn enclose_in(&self, position: f64, numbers: [&mut [u64]; 8]) -> (Enclosure, Enclosure) {
        let [turns, amplitude, one, two, three, four, five, six] = numbers;
        let factor = factor_in(self.amplitude.size, self.amplitude.units, [amplitude, one, two, three, four, five]);
        let exponent = self.frequencies.turns_in(self.i, [turns, one, two, three, four, five, six]);
        match Turn::new(position, turns, exponent, self.frequencies.error_bits()) {
            Some(turn) => {
                let (sin, cos) = wide(&turn, factor, [turns, amplitude, one, two, three]);
                self.with_signs(position, turn.unfold(sin, cos))
            }
            None => (Enclosure::UNKNOWN, Enclosure::UNKNOWN),
        }
    }

    /// Returns `function` of the angle times the amplitude.
    ///
    /// The input is the function of the angle's absolute value: its absolute value, and whether it is negative.
    const fn with_sign(&self, function: Function, position: f64, (size, negative): (Enclosure, bool)) -> Enclosure {
        let flipped = function.is_flipped(self.sign * sign(position));
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
    use crate::exact::frequency_rule::FrequencyRounding;
    use crate::exact::frequency_rule::{Exponents, Family, Unit};
    use crate::exact::logarithm::Ratio;
    use crate::exact::progression::Progression;
    use crate::exact::scaling::LoweredScaling;
    use crate::float_bits::power_of_two;
    use crate::properties;

    /// Numbers with few bits and with many, in any binade from `2^least` to `2^most`, of both signs.
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
        // Midpoints of two numbers of each type, and others, also with a subnormal product.
        prop_oneof![number(-1, 4), number(-1000, -900), number(-140, -100), number(-20, -10)]
    }

    fn ladder(sinusoid: &Sinusoid, function: Function, position: f64, format: Format) -> u64 {
        let decided = sinusoid.enclose_one::<32>(function, position).round(format);
        decided.unwrap_or_else(|| sinusoid.enclose_one::<LIMBS>(function, position).round_low(format))
    }

    /// Rational amplitudes, and numbers that are midpoints in few bits.
    fn size() -> impl Strategy<Value = Size> {
        prop_oneof![
            amplitude().prop_map(Size::of),
            (1u64..50, 1u64..4096).prop_map(|(numerator, denominator)| Size::quotient(numerator, denominator))
        ]
    }

    /// Families of frequencies, most of them rational.
    fn family() -> impl Strategy<Value = Family<'static>> {
        static GIVEN: [f64; 5] = [1.0, 3.0, 0.625, 1e-30, f64::from_bits(3)];
        let geometric = (prop_oneof![Just(10_000.0), Just(16.0), Just(1.0), 1e-9..1e9], 1u128..9, 1usize..4, 0usize..3)
            .prop_map(|(base, denominator, stride, first)| {
                let step = Ratio { numerator: 1, denominator: denominator * stride as u128 };
                Family::Geometric { base, exponents: Exponents { step, first: first % stride, stride } }
            });
        prop_oneof![geometric, Just(Family::Given(&GIVEN))]
    }

    fn scaling() -> impl Strategy<Value = LoweredScaling<'static>> {
        prop_oneof![
            Just(LoweredScaling::None),
            Just(LoweredScaling::Linear(1.5)),
            Just(LoweredScaling::Each(&[1.0, 3.0, 7.0, 0.75, 1e9]))
        ]
    }

    properties! {
        #![cases(500)]

        /// `round_small` gives the same bits as thousands of bits do.
        #[test]
        fn small_angles_round_as_the_ladder_does(
            size in size(), negative: bool, position in number(-400, 40), scale in number(-400, 4), family in family(),
            i in 0usize..5, scaling in scaling(), unit in prop_oneof![Just((1, 1)), (1i64..9, 1i64..99)],
            steps in prop_oneof![Just((9.0, 1.0)), Just((27.0, 8.0)), Just((1.0, 0.3)), Just(TIE_IN_UNITS)],
        ) {
            let frequencies = FrequencyRule { family, scaling, rounding: FrequencyRounding::None, scale, unit: Unit::of(unit) };
            let turns = frequencies.of(i);
            let steps = Units { times: steps.0, over: steps.1 };
            let floats = [Format::F16, Format::BF16, Format::F32, Format::F64].map(|format| (format, Units::ONE));
            for (format, units) in floats.into_iter().chain([(Format::I8, steps)]) {
                let amplitude = PreparedAmplitude::new(size, units, negative, format);
                let sinusoid = Sinusoid::new(&frequencies, i, turns, &amplitude);
                for function in [Function::Sine, Function::Cosine] {
                    if let Some(bits) = sinusoid.round_small(function, position, format) {
                        prop_assert_eq!(bits, ladder(&sinusoid, function, position, format));
                    }
                }
            }
        }
    }

    /// A quotient as units in which [`NEARLY_TIED`] is greater than 100.5 by a relative `2^-103`.
    const TIE_IN_UNITS: (f64, f64) = (3_905_343_649_490_137.0, 16_571_144_646_194.0);
    const NEARLY_TIED: f64 = f64::from_bits(0x3fdb_4ad0_ae28_6da4);

    /// The cosine of these angles is less than 1 by about as much as the amplitude is greater than a midpoint.
    ///
    /// The expected bits are the integers of a calculation with fractions.
    #[test]
    fn a_cosine_may_be_on_the_other_side_of_a_midpoint_than_its_amplitude() {
        let (times, over) = TIE_IN_UNITS;
        let amplitude = PreparedAmplitude::new(Size::of(NEARLY_TIED), Units { times, over }, false, Format::I8);
        let angle = 5.163_876_244_598_421e-16_f64;
        for (angle, expected) in [(angle.next_down(), 101), (angle, 100), (angle.next_up(), 100), (0.0, 101)] {
            let family = Family::Given(&[1.0]);
            let frequencies = FrequencyRule {
                family,
                scaling: LoweredScaling::None,
                rounding: FrequencyRounding::None,
                scale: 1.0,
                unit: Unit::ONE,
            };
            let sinusoid = Sinusoid::new(&frequencies, 0, frequencies.of(0), &amplitude);
            assert_eq!(sinusoid.round_at(Function::Cosine, angle, Format::I8), expected, "{angle}");
        }
    }

    /// The product is on one side of a midpoint, and the value on the other, unless the angle is small enough.
    #[test]
    fn products_next_to_midpoints_round_as_the_ladder_does() {
        // The product is 283 2^145 + 1, and 283 is the midpoint of two `bf16`.
        const FACTORS: [f64; 3] = [660_259_654_203_969.0, 3_351_991_863_962_077.0, 5_703_193_291_630_389.0];
        let scaled =
            |number: f64, bits: i32| f64::from_bits(number.to_bits().wrapping_add_signed(i64::from(bits) << 52));
        let round_small = |amplitude: f64, position, scale, function, format| {
            let frequencies = FrequencyRule {
                family: Family::Given(&[1.0]),
                scaling: LoweredScaling::None,
                rounding: FrequencyRounding::None,
                scale,
                unit: Unit::ONE,
            };
            let turns = Progression::new(&frequencies).advance();
            let amplitude = PreparedAmplitude::new(Size::of(amplitude), Units::ONE, false, format);
            let sinusoid = Sinusoid::new(&frequencies, 0, turns, &amplitude);
            let bits = sinusoid.round_small(function, position, format);
            assert!(bits.is_none_or(|bits| bits == ladder(&sinusoid, function, position, format)), "{scale:e}");
            bits.is_some()
        };
        let [one, two, three] = FACTORS;
        for bits in 40..170 {
            let (amplitude, scale) = (scaled(one, bits - 50), scaled(three, -104 - bits));
            assert!(round_small(amplitude, two, scale, Function::Sine, Format::BF16) || bits < 150);
        }
        for bits in 10..80 {
            assert!(round_small(1.0, 1.0, scaled(1.0, -bits), Function::Cosine, Format::F64) || bits < 69);
        }
    }

    /// An amplitude that is the midpoint of two `f32`, from which the angle subtracts less than `2^-2000`, and an angle
    /// that is the midpoint of two subnormal `f64`.
    #[test]
    fn the_slightest_difference_decides() {
        let frequencies = FrequencyRule {
            family: Family::Given(&[1.0]),
            scaling: LoweredScaling::None,
            rounding: FrequencyRounding::None,
            scale: 1.0,
            unit: Unit::ONE,
        };
        let turns = Progression::new(&frequencies).advance();
        let tie = f64::from_bits(0x3ff0_0000_1000_0000); // 1 + 2^-24
        let minus_two_ties = f64::from_bits(0xc000_0000_1000_0000);
        let round = |amplitude: f64, function, position, format| {
            let amplitude = PreparedAmplitude::new(Size::of(amplitude), Units::ONE, amplitude < 0.0, format);
            let sinusoid = Sinusoid::new(&frequencies, 0, turns, &amplitude);
            assert!(sinusoid.round_small(function, position, format).is_some());
            sinusoid.round_at(function, position, format)
        };
        assert_eq!(round(tie, Function::Cosine, 1e-320, Format::F32), 0x3f80_0000);
        assert_eq!(round(minus_two_ties, Function::Cosine, 1e-20, Format::F32), 0xc000_0000);
        assert_eq!(round(0.5, Function::Sine, f64::from_bits(3), Format::F64), 1);
        assert_eq!(round(0.5, Function::Sine, f64::from_bits(5), Format::F64), 2);
        assert_eq!(round(1.0, Function::Sine, f64::from_bits(5), Format::F64), 5);
    }
}
