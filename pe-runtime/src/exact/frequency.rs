//! The frequencies of a table in turns per position: `scale base^(-x) / 2π`, or given frequencies times `scale / 2π`.
//! A scaling rule may change them before they are multiplied by `scale`.

use crate::exact::constants::{INVERSE_TAU, LIMBS};
use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::frequency_rule::{Family, FrequencyRule, or_one};
use crate::exact::limbs;
use crate::exact::product::Product;
use crate::exact::rounded_frequency::Rounded;
#[cfg(feature = "inspect")]
use crate::exact::scaling::LoweredScaling;
use crate::exact::scaling::THERE_ARE_RULES;

/// The absolute value of a frequency in turns per position, with a relative error below `2^(error_bits - 64 L)`.
#[derive(Clone, Copy)]
pub(crate) struct Frequency<const L: usize> {
    pub(crate) turns: Float<L>,
    pub(crate) error_bits: u32,
}

impl FrequencyRule<'_> {
    /// Returns 1, 0 or -1 if frequency `i` is positive, zero or negative.
    pub(crate) const fn sign(&self, i: usize) -> i32 {
        if THERE_ARE_RULES && !self.rounding.is_none() && self.is_rounded_to_zero(i) {
            return 0;
        }
        self.unrounded_sign(i)
    }

    /// Returns the absolute value of frequency `i`, computed on its own. For a frequency of zero it is not meaningful.
    ///
    /// The radian and a product each add `2^(3 - 64 L)` to the relative error of the [radians](Self::radians_in).
    pub(crate) const fn of<const L: usize>(&self, i: usize) -> Frequency<L> {
        let mut numbers = [[0; L]; 7];
        let [out, one, two, three, four, five, six] = &mut numbers;
        let exponent = self.turns_in(i, [out, one, two, three, four, five, six]);
        Frequency { turns: Float { fraction: Fixed(numbers[0]), exponent }, error_bits: self.error_bits() }
    }

    /// Implements [`of`](Self::of) for all precisions, so that it is compiled once.
    ///
    /// It stores the fraction in the first of the numbers, and returns the exponent.
    pub(crate) const fn turns_in(&self, i: usize, numbers: [&mut [u64]; 7]) -> i32 {
        let [out, one, two, three, four, five, six] = numbers;
        let exponent = self.radians_in(i, [out, one, two, three, four, five, six]);
        let radian = radian_in(one);
        limbs::multiply(out, one);
        exponent + radian - limbs::normalise(out)
    }

    /// Returns the absolute value of frequency `i` in radians per position. For a frequency of zero it is not
    /// meaningful.
    ///
    /// The relative error is below `2^(error_bits - 64 L)`, with [these](Self::error_bits).
    #[cfg(feature = "inspect")]
    pub(crate) const fn radians<const L: usize>(&self, i: usize) -> Float<L> {
        let mut numbers = [[0; L]; 7];
        let [out, one, two, three, four, five, six] = &mut numbers;
        let exponent = self.radians_in(i, [out, one, two, three, four, five, six]);
        Float { fraction: Fixed(numbers[0]), exponent }
    }

    /// Implements [`radians`](Self::radians) for all precisions, so that it is compiled once.
    ///
    /// It stores the fraction in the first of the numbers, and returns the exponent. The relative error is that of
    /// [`unrounded_in`](Self::unrounded_in) or less, plus that of a product, `2^(3 - 64 L)`, and of the unit. Given numbers are
    /// exact factors.
    const fn radians_in(&self, i: usize, numbers: [&mut [u64]; 7]) -> i32 {
        let [out, one, two, three, four, five, six] = numbers;
        let exponent = match self.rounded(i) {
            Some(rounded) => rounded.set(out),
            None => self.unrounded_in(i, [out, one, two, three, four, five, six]),
        };
        let scale = limbs::set_f64(one, or_one(self.scale));
        limbs::multiply(out, one);
        let exponent = exponent + scale - limbs::normalise(out);
        exponent + self.unit.times(out, one)
    }

    /// Returns the absolute value of frequency `i` in radians per position if it is a product of given numbers.
    ///
    /// It has up to 106 bits, so two limbs represent it exactly. For a frequency of zero it is not meaningful.
    #[cfg(all(feature = "inspect", feature = "alloc"))]
    pub(crate) const fn exact<const L: usize>(&self, i: usize) -> Option<Float<L>> {
        match self.own(i) {
            Some(own) if self.unit.is_one() => Some(Float::from_f64(self.scale).mul(&Float::from_f64(own))),
            _ => None,
        }
    }

    /// Returns frequency `i` before `scale` and `unit`, or its negative, if it is known to be an `f64`.
    ///
    /// For a frequency of zero it is not meaningful.
    #[cfg(feature = "inspect")]
    pub(crate) const fn own(&self, i: usize) -> Option<f64> {
        match self.rounded(i) {
            Some(Rounded::Frequency(value)) => return Some(value),
            Some(Rounded::Period(_)) => return None,
            None => {}
        }
        match self.family {
            _ if THERE_ARE_RULES && !matches!(self.scaling, LoweredScaling::None) => None,
            Family::Given(frequencies) => Some(frequencies[i]),
            Family::Geometric { exponents, .. } if exponents.at(i).numerator == 0 => Some(1.0),
            Family::Geometric { .. } => None,
        }
    }

    /// Returns whether frequency `i` is known to be the irrational square root of a rational number.
    pub(crate) const fn is_root(&self, i: usize) -> bool {
        match self.family {
            Family::Geometric { base, exponents } if self.scaling.divisor(i).is_some() && self.rounding.is_none() => {
                let (mut power, exponent) = (Product::of(1.0), exponents.at(i));
                !power.over_power(base, exponent) && power.over_power(base, exponent.times(2))
            }
            _ => false,
        }
    }

    /// Multiplies a product by frequency `i` in radians per position, and returns whether the frequency is rational and
    /// known to be. If it is not, the product is not meaningful, and neither is it for a frequency of zero.
    ///
    /// The numerator grows by up to 159 bits, and the denominator by up to 212.
    pub(crate) const fn multiply_exactly(&self, i: usize, product: &mut Product) -> bool {
        product.times(self.scale);
        product.times(self.unit.numerator);
        product.over(self.unit.denominator);
        match self.rounded(i) {
            Some(Rounded::Frequency(value)) => {
                product.times(value);
                return true;
            }
            Some(Rounded::Period(value)) => {
                product.over(value);
                return true;
            }
            None => {}
        }
        self.multiply_unrounded(i, product)
    }

    /// Returns whether frequency `i` makes more turns in `length` positions than `threshold`, both greater than 0.
    ///
    /// For a base and numbers that are rational the turns are transcendental, so some precision decides. If 5120 bits did
    /// not, the answer would be that of their approximation.
    pub(crate) const fn turns_exceed(&self, i: usize, length: f64, threshold: f64) -> bool {
        match ladder!(L of 3, 8, LIMBS => self.compare_turns::<L>(i, length, threshold, L == LIMBS)) {
            Some(exceed) => exceed,
            None => unreachable!(),
        }
    }

    /// Implements [`turns_exceed`](Self::turns_exceed). Returns `None` if `L` limbs do not decide, unless they are the last.
    const fn compare_turns<const L: usize>(&self, i: usize, length: f64, threshold: f64, last: bool) -> Option<bool> {
        let Frequency { turns: Float { fraction: Fixed(mut quotient), exponent }, error_bits } = self.of::<L>(i);
        let mut number = [0; L];
        let exponent = exponent + limbs::set_f64(&mut number, length);
        limbs::multiply(&mut quotient, &number);
        let exponent = exponent - limbs::normalise(&mut quotient) + division::divide_f64(&mut quotient, threshold);
        // From 1 on the exponent is positive. The distance from 1 is the fraction beyond its first bit, or the complement.
        let exceed = exponent > 0;
        if exponent < 0 || exponent > 1 || last {
            return Some(exceed);
        }
        if exceed {
            quotient[0] &= u64::MAX >> 1;
        } else {
            limbs::complement(&mut quotient);
        }
        if Fixed::<L>::BITS - limbs::leading_zeros(&quotient) > error_bits + 2 { Some(exceed) } else { None }
    }

    /// Returns `|scale| unit` radians in turns, with a relative error below `2^(5 - 64 L)`.
    pub(super) const fn unit_in_turns<const L: usize>(&self) -> Float<L> {
        let mut radian = [0; L];
        let exponent = radian_in(&mut radian);
        let Float { mut fraction, exponent } =
            Float { fraction: Fixed(radian), exponent }.mul(&Float::from_f64(or_one(self.scale)));
        let exponent = exponent + self.unit.times(&mut fraction.0, &mut radian);
        Float { fraction, exponent }
    }
}

/// Sets `out` to the fraction of one radian in turns, 1/2π, and returns the exponent: relative error < `2^(3 - 64 L)`.
const fn radian_in(out: &mut [u64]) -> i32 {
    limbs::copy(&INVERSE_TAU, out);
    -limbs::normalise(out)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::frequency_rule::{Exponents, FrequencyRounding, Unit};
    #[cfg(feature = "alloc")]
    use crate::exact::limbs::FOR_FLOATS;
    use crate::exact::limbs::NARROW;
    use crate::exact::logarithm::Ratio;
    use crate::exact::power::tests::{any_base, is_within};
    use crate::exact::progression::Progression;
    use crate::exact::scaling::LoweredScaling;
    #[cfg(feature = "alloc")]
    use crate::float_bits::power_of_two;
    use crate::properties;

    /// Returns the frequencies of `d_model` columns in pairs.
    pub(crate) fn paired(base: f64, d_model: u64) -> FrequencyRule<'static> {
        let step = Ratio { numerator: 2, denominator: d_model.into() };
        FrequencyRule {
            family: Family::Geometric { base, exponents: Exponents::multiples(step) },
            scaling: LoweredScaling::None,
            rounding: FrequencyRounding::None,
            scale: 1.0,
            unit: Unit::ONE,
        }
    }

    /// Returns frequency `i` of the narrow tier.
    pub(crate) fn advanced(frequencies: &FrequencyRule, i: usize) -> Frequency<NARROW> {
        let mut progression = Progression::new(frequencies);
        for _ in 0..i {
            progression.advance();
        }
        progression.advance()
    }

    /// Returns quotients other than 1 as often as 1, which takes other paths.
    pub(crate) fn any_unit() -> impl Strategy<Value = Unit> {
        let number = || prop_oneof![1i64..100, 1i64..=1 << 53];
        prop_oneof![Just(Unit::ONE), (number(), number()).prop_map(Unit::of)]
    }

    pub(crate) fn any_scale() -> impl Strategy<Value = f64> {
        (any_base(), any::<bool>()).prop_map(|(scale, negative)| scale.copysign(if negative { -1.0 } else { 1.0 }))
    }

    properties! {
        #![cases(10)]

        #[test]
        fn a_frequency_is_as_precise_as_stated(base in any_base(), d_model in 1u64..5000, scale in any_scale(), unit in any_unit(), at: prop::sample::Index) {
            let i = at.index(d_model.div_ceil(2) as usize);
            let frequencies = FrequencyRule { scale, unit, ..paired(base, d_model) };
            let reference = frequencies.of(i).turns;
            prop_assert!(is_within(frequencies.of::<8>(i).turns, &reference, frequencies.of::<8>(i).error_bits));
            let Frequency { turns, error_bits } = advanced(&frequencies, i);
            prop_assert!(is_within(turns, &reference, error_bits));
            #[cfg(feature = "alloc")]
            {
                let mut progression = Progression::<FOR_FLOATS>::new(&frequencies);
                let frequency = (0..=i).map(|_| progression.advance()).last().expect("frequency 0");
                prop_assert!(is_within(frequency.turns, &reference, frequency.error_bits));
            }
        }

        #[test]
        fn a_given_frequency_is_as_precise_as_stated(frequency in any_scale(), scale in any_scale(), unit in any_unit()) {
            let given = [1.0, frequency];
            let frequencies = FrequencyRule { family: Family::Given(&given), scaling: LoweredScaling::None, rounding: FrequencyRounding::None, scale, unit };
            let reference = frequencies.of(1).turns;
            let narrow = advanced(&frequencies, 1);
            prop_assert!(is_within(narrow.turns, &reference, narrow.error_bits));
            prop_assert_eq!(frequencies.sign(1) > 0, (frequency > 0.0) == (scale > 0.0));
        }
    }

    #[test]
    fn the_longest_progression_is_as_precise_as_stated() {
        let step = Ratio { numerator: 1, denominator: 1 << 24 };
        let exponents = Exponents::multiples(step);
        let frequencies = FrequencyRule { family: Family::Geometric { base: 10_000.0, exponents }, ..paired(1.0, 2) };
        let last = (1 << 24) - 1;
        let reference = frequencies.of(last).turns;
        let Frequency { turns, error_bits } = advanced(&frequencies, last);
        assert!(is_within(turns, &reference, error_bits));
        assert!(!is_within(turns, &reference, error_bits - 12));
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn frequencies_are_known_to_be_small_up_to_a_limit() {
        let paper = || paired(10_000.0, 8);
        let given = |list: &[f64]| FrequencyRule { family: Family::Given(list), ..paper() }.are_below_2_64();
        let scaled = |scale| FrequencyRule { scale, ..paper() }.are_below_2_64();
        let in_units = |unit| FrequencyRule { unit: Unit::of(unit), ..paper() }.are_below_2_64();
        let divided = |list: &[f64]| FrequencyRule { scaling: LoweredScaling::Each(list), ..paper() }.are_below_2_64();
        let [below, limit] = [power_of_two(32).next_down(), power_of_two(32)];
        assert!(given(&[1.0, -below]) && !given(&[1.0, limit]) && !given(&[-limit, 1.0]));
        assert!(scaled(-below / 2.0) && !scaled(limit / 2.0) && !scaled(-limit / 2.0));
        assert!(in_units(((1 << 31) - 1, 1)) && !in_units((1 << 31, 1)) && in_units((1 << 53, 1 << 23)));
        assert!(divided(&[1.0, 3.0]) && !divided(&[3.0, 1f64.next_down()]));
        assert!(paired(1.0, 8).are_below_2_64() && !paired(1f64.next_down(), 8).are_below_2_64());
    }

    /// The first limb alone compares turns with numbers at growing distances from them.
    #[test]
    fn turns_nearer_to_a_threshold_than_their_error_are_not_compared() {
        let frequencies = paired(500_000.0, 128);
        for i in 1..64 {
            let Float { fraction, exponent } = frequencies.of::<8>(i).turns;
            let turns = (exponent + 1022) as u64 * (1 << 52) + (fraction.0[0] >> 11) - (1 << 52);
            for places in 0..18 {
                for threshold in [turns - (1 << places), turns + (1 << places)].map(f64::from_bits) {
                    let compared = frequencies.compare_turns::<1>(i, 1.0, threshold, false);
                    assert!(compared.is_none_or(|exceed| exceed == frequencies.turns_exceed(i, 1.0, threshold)));
                    // A place is from 2^10 to 2^12 ulp. The error is below 2^19 ulp, after the length and the threshold.
                    match places {
                        ..=6 => assert_eq!(compared, None, "{i}: {places}"),
                        10.. => assert!(compared.is_some(), "{i}: {places}"),
                        _ => {}
                    }
                }
            }
        }
    }

    /// 64 bits do not tell turns from the `f64`s next to them. As the last step of the ladder they answer nevertheless.
    #[test]
    fn the_last_precision_always_compares() {
        const LENGTH: f64 = 8192.0;
        let frequencies = paired(500_000.0, 128);
        for i in 0..64 {
            let Float { fraction, exponent } = frequencies.of::<8>(i).turns.mul(&Float::from_f64(LENGTH));
            let below = (exponent + 1022) as u64 * (1 << 52) + (fraction.0[0] >> 11) - (1 << 52);
            for (threshold, exceeds) in [(below, true), (below + 1, false)].map(|(bits, is)| (f64::from_bits(bits), is))
            {
                assert_eq!(frequencies.turns_exceed(i, LENGTH, threshold), exceeds, "{i}: {threshold}");
                assert_eq!(frequencies.compare_turns::<1>(i, LENGTH, threshold, false), None);
                assert!(frequencies.compare_turns::<1>(i, LENGTH, threshold, true).is_some());
            }
        }
    }

    #[test]
    fn a_zero_has_no_sign() {
        let cases = [(0.0, 1.0, 0), (-0.0, 1.0, 0), (-2.0, -0.0, 0), (-2.0, -5e-324, 1), (3.0, -1.0, -1)];
        for (scale, frequency, sign) in cases {
            assert_eq!(
                FrequencyRule {
                    family: Family::Given(&[frequency]),
                    scaling: LoweredScaling::None,
                    rounding: FrequencyRounding::None,
                    scale,
                    unit: Unit::ONE
                }
                .sign(0),
                sign
            );
        }
        assert_eq!(FrequencyRule { scale: -1.0, ..paired(2.0, 4) }.sign(1), -1);
    }
}
