//! The frequencies and wavelengths of a spec, each correctly rounded.

use crate::exact::constants::LIMBS;
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::format::decompose;
use crate::exact::frequency::Frequency;
use crate::exact::frequency_rule::FrequencyRule;
use crate::exact::rounding::{Enclosure, Magnitude};
use crate::plan::Plan;
use crate::spec::Spec;
use crate::spec::error::SpecError;

impl<'a> Spec<'a> {
    /// Returns the frequencies in radians per position, starting with the first pair of columns.
    ///
    /// They are `w_k = scale * unit * base^(-k / (d/2 - freq_shift))` after the [scaling rule](crate::Scaling), or the
    /// frequencies of the list times `scale` and `unit`. Each is rounded to the nearest `f64`, or to infinity if it is
    /// out of range. There is one for each pair of columns, or for each column if columns are not in pairs. Other
    /// programs call these `inv_freq`; [`frequencies`](Self::frequencies) accepts them as a list.
    ///
    /// Source: Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let frequencies: Vec<f64> = Spec::new(8).angular_frequencies()?.collect();
    /// assert_eq!(frequencies, [1.0, 0.1, 0.01, 0.001]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("inv_freq", "omega", "div_term"))]
    pub fn angular_frequencies(
        &self,
    ) -> Result<impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + use<'a>, SpecError> {
        let plan = Plan::<f64>::new(&self.without_quantiser())?;
        Ok((0..plan.count()).map(move |i| plan.frequencies().round(i)))
    }

    /// Returns the wavelengths in positions, starting with the first pair of columns.
    ///
    /// They are `2π / |w_k|`, where `w_k` are the frequencies of [`angular_frequencies`](Self::angular_frequencies).
    /// Each is the `f64` nearest to the exact value. The wavelength of a frequency of zero is infinite.
    ///
    /// "The wavelengths form a geometric progression from 2π to 10000 · 2π": Vaswani et al., [*Attention Is All You
    /// Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5. The last wavelength is shorter than that by one
    /// step of the progression, unless [`freq_shift`](Self::freq_shift) is 1.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// use std::f64::consts::TAU;
    ///
    /// let paper: Vec<f64> = Spec::new(512).wavelengths()?.collect();
    /// assert_eq!((paper.len(), paper[0]), (256, TAU));
    /// assert_eq!(paper[255].round(), 60611.0);
    ///
    /// let shifted: Vec<f64> = Spec::new(512).freq_shift(1.0).wavelengths()?.collect();
    /// assert_eq!(shifted[255], 10_000.0 * TAU);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("period", "periods"))]
    pub fn wavelengths(&self) -> Result<impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + use<'a>, SpecError> {
        let plan = Plan::<f64>::new(&self.without_quantiser())?;
        Ok((0..plan.count()).map(move |i| plan.frequencies().round_wavelength(i)))
    }
}

/// The number of limbs that nearly always decides: the relative error is `2^-134` or less.
pub(super) const FEW: usize = 3;

impl FrequencyRule<'_> {
    /// Returns frequency `i` in radians per position.
    pub(crate) fn round(&self, i: usize) -> f64 {
        let size = match (self.sign(i), self.own(i)) {
            (0, _) => 0.0,
            // A product of two 53-bit numbers may be a tie, and is exact in 106 bits.
            (_, Some(own)) if self.unit.is_one() => magnitude_of_product(own, self.scale),
            _ => round(|| radians::<FEW>(self, i), || radians::<LIMBS>(self, i)),
        };
        size.copysign(f64::from(self.sign(i)))
    }

    fn round_wavelength(&self, i: usize) -> f64 {
        if self.sign(i) == 0 {
            return f64::INFINITY;
        }
        round(|| self.wavelength::<FEW>(i), || self.wavelength::<LIMBS>(i))
    }

    /// Returns 2π divided by the magnitude of frequency `i`, which is not zero, and the error bits.
    ///
    /// It is the reciprocal of the frequency in turns, which rounding adds less than 4 ulp to.
    fn wavelength<const L: usize>(&self, i: usize) -> (Float<L>, u32) {
        let Frequency { turns, error_bits } = self.of::<L>(i);
        (Float::from_f64(1.0).over(&turns), error_bits + 1)
    }
}

/// Returns frequency `i`, and the relative error of [`FrequencyRule::radians`].
pub(super) fn radians<const L: usize>(frequencies: &FrequencyRule, i: usize) -> (Float<L>, u32) {
    (frequencies.radians(i), frequencies.error_bits())
}

/// Returns `|a b|`, rounded once.
fn magnitude_of_product(a: f64, b: f64) -> f64 {
    let (mantissa, exponent) = decompose(a);
    let (other, other_exponent) = decompose(b);
    let product = mantissa as u128 * other as u128;
    f64::from_bits(limited(Format::F64, exponent + other_exponent, || {
        Magnitude { mantissa: product, exponent: exponent + other_exponent - 104 }.round(Format::F64)
    }))
}

/// Returns the nearest `f64` of a number, enclosed with few limbs or, if that does not decide, with the most.
fn round<const L: usize>(few: impl Fn() -> (Float<L>, u32), most: impl Fn() -> (Float<LIMBS>, u32)) -> f64 {
    f64::from_bits(round_in(Format::F64, few, most))
}

/// Returns the bits of the nearest number of a format, or of infinity if the number is out of range.
///
/// If the most limbs do not decide either, the number is a tie, because any other number would have to agree with a tie
/// in 5120 bits. Without a scaling rule and a unit, ties occur only among subnormal numbers of `f64`: a power of the
/// base that is rational is an odd integer times a power of two, so if the scale divided by it has finitely many bits,
/// it has no more bits than the scale. Wavelengths are transcendental.
pub(super) fn round_in<const L: usize>(
    format: Format,
    few: impl Fn() -> (Float<L>, u32),
    most: impl Fn() -> (Float<LIMBS>, u32),
) -> u64 {
    fn enclose<const L: usize>((number, error_bits): (Float<L>, u32)) -> Enclosure {
        Enclosure::around(&number.fraction, error_bits, number.exponent)
    }

    let number = few();
    limited(format, number.0.exponent, || {
        enclose(number).round_size(format).unwrap_or_else(|| enclose(most()).round_size_or_tie(format))
    })
}

/// Returns the given bits, or the bits of infinity if the number is too large for the format.
fn limited(format: Format, exponent: i32, bits: impl Fn() -> u64) -> u64 {
    let infinity = format.infinity();
    if exponent > 1024 { infinity } else { bits().min(infinity) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::fixed::Fixed;
    use crate::exact::frequency::tests::any_unit;
    use crate::exact::frequency_rule::Exponents;
    use crate::exact::frequency_rule::Family;
    use crate::exact::frequency_rule::FrequencyRounding;
    use crate::exact::limbs;
    use crate::exact::logarithm::Ratio;
    use crate::exact::power::tests::distance;
    use crate::exact::scaling::LoweredScaling;
    use crate::properties;

    /// Returns the distance of a number from the same number with the most limbs, as the bit length of its count of
    /// ulps.
    fn error_bits(number: &Float<FEW>, reference: &Float<LIMBS>) -> u32 {
        // The prefix is below the reference by less than 1 ulp. The exponents differ if the fraction is just below 1.
        let (mut shifted, mut halved) = (reference.fraction.0, number.fraction);
        limbs::shift_down(&mut shifted, 1 + (number.exponent - reference.exponent).max(0).unsigned_abs());
        limbs::shift_down(&mut halved.0, 1 + (reference.exponent - number.exponent).max(0).unsigned_abs());
        Fixed::<FEW>::BITS - distance(&Fixed::from_prefix(&shifted), &halved).leading_zeros()
    }

    fn any_number() -> impl Strategy<Value = f64> {
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits)
    }

    properties! {
        #![cases(30)]

        #[test]
        fn numbers_are_as_precise_as_stated(
            base in any_number(), scale in any_number(), frequency in any_number(), numerator in 0u128..1 << 60, denominator in 1u128..1 << 60, unit in any_unit(),
        ) {
            let step = Ratio { numerator: numerator % (2 * denominator + 1), denominator };
            let geometric = FrequencyRule { family: Family::Geometric { base, exponents: Exponents::multiples(step) }, scaling: LoweredScaling::None, rounding: FrequencyRounding::None, scale, unit };
            let given = [0.0, frequency];
            let given = FrequencyRule { family: Family::Given(&given), scaling: LoweredScaling::None, rounding: FrequencyRounding::None, scale, unit };
            for frequencies in [geometric, given] {
                let ((few, bits), (most, _)) = (radians::<FEW>(&frequencies, 1), radians::<LIMBS>(&frequencies, 1));
                prop_assert!(error_bits(&few, &most) < bits);
                let ((few, bits), (most, _)) = (frequencies.wavelength::<FEW>(1), frequencies.wavelength::<LIMBS>(1));
                prop_assert!(error_bits(&few, &most) < bits);
            }
        }

        /// Whatever few limbs do not decide, the most limbs do.
        #[test]
        fn the_most_limbs_decide(base in 1.0..1e9f64, scale in 1e-9..1e9f64, numerator in 0u128..100, unit in any_unit()) {
            let step = Ratio { numerator, denominator: 100 };
            let frequencies = FrequencyRule { family: Family::Geometric { base, exponents: Exponents::multiples(step) }, scaling: LoweredScaling::None, rounding: FrequencyRounding::None, scale, unit };
            let most = || frequencies.wavelength::<LIMBS>(1);
            let undecided = round(|| (frequencies.wavelength::<FEW>(1).0, Fixed::<FEW>::BITS - 40), most);
            prop_assert_eq!(undecided, frequencies.round_wavelength(1));
        }
    }
}
