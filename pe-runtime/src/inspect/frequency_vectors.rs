//! The frequencies of a rotary cache as other programs store them, each correctly rounded.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::exact::constants::LIMBS;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::frequency_rule::{FrequencyRule, Unit};
use crate::exact::product::Product;
use crate::exact::scaling::LoweredScaling;
use crate::inspect::wavelengths::{FEW, radians, round_in};
use crate::plan::Plan;
use crate::rope::Rope;
use crate::rope::error::RopeError;
use crate::spec::choices::{Columns, FrequencyDtype, Repeat};
use crate::spec::error::SpecError;

impl Rope<'_> {
    /// Returns the frequencies in radians per position, which most models call `inv_freq`.
    ///
    /// There is one per pair: the frequencies of [`new`](Self::new) or of the list, after the [scaling
    /// rule](Self::scaling), and before `unit` and `scale`. Each is rounded to `T` once. Models compute theirs in
    /// `f32`, so many of them differ in the last place. A frequency that the rule `proportional` makes zero is 0.
    ///
    /// Source: Su et al., [*RoFormer*](https://arxiv.org/abs/2104.09864) (2021), equation 15.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if `T` is a type of integers, or if
    /// allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(8).inv_freq::<f32>()?, [1.0, 0.1, 0.01, 0.001]);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[doc(alias("rotary_inv_freq", "theta"))]
    pub fn inv_freq<T: Element>(&self) -> Result<Vec<T>, RopeError> {
        self.vector(Format::zero, |rule, i| {
            let magnitude = round_in(
                T::FORMAT,
                || radians::<FEW>(rule, i),
                || rational(rule, i).map_or_else(|| radians::<LIMBS>(rule, i), padded),
            );
            T::FORMAT.signed(rule.sign(i) < 0, magnitude)
        })
    }

    /// Returns the reciprocals of the frequencies, as MLX's `rope` takes them and `DINOv3` stores them.
    ///
    /// There is one per pair: `1 / w` for each frequency `w` of [`inv_freq`](Self::inv_freq), rounded to `T` once. The
    /// reciprocal of a frequency of zero is infinite.
    ///
    /// Sources: the argument `freqs` of `mlx.core.fast.rope` in MLX, and `rope_embed.periods` in the weights of
    /// [`DINOv3`](https://arxiv.org/abs/2508.10104).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`inv_freq`](Self::inv_freq).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(8).periods::<f32>()?, [1.0, 10.0, 100.0, 1000.0]);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub fn periods<T: Element>(&self) -> Result<Vec<T>, RopeError> {
        fn period<const L: usize>(rule: &FrequencyRule, i: usize) -> (Float<L>, u32) {
            let (frequency, error_bits) = radians(rule, i);
            (Float::from_f64(1.0).over(&frequency), error_bits + 2)
        }
        self.vector(Format::infinity, |rule, i| {
            let magnitude = round_in(
                T::FORMAT,
                || period::<FEW>(rule, i),
                || rational(rule, i).map_or_else(|| period::<LIMBS>(rule, i), |number| padded(number.reciprocal())),
            );
            T::FORMAT.signed(rule.sign(i) < 0, magnitude)
        })
    }

    /// Returns the factors by which the scaling rule divides the frequencies, called `rope_freqs` in GGUF files.
    ///
    /// There is one factor per pair, rounded to `T` once. It is positive, and 1 if there is no rule. For a frequency that
    /// the rule `proportional` makes zero it is 1e30, as the converter for Gemma 4 writes it. A
    /// [`frequency_dtype`](Self::frequency_dtype) has no effect.
    ///
    /// Source: `ggml_rope_ext` in ggml, which divides the angles by its `freq_factors`, and the converters of llama.cpp.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`inv_freq`](Self::inv_freq).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Rope, RopePreset};
    ///
    /// let factors: Vec<f32> = Rope::preset(RopePreset::Llama3_1).frequency_factors()?;
    /// assert_eq!((factors[28], factors[29], factors[63]), (1.0, 1.207_483_9, 8.0));
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[doc(alias("rope_freqs", "freq_factors", "gguf"))]
    pub fn frequency_factors<T: Element>(&self) -> Result<Vec<T>, RopeError> {
        fn factor<const L: usize>(rule: &FrequencyRule, i: usize) -> (Float<L>, u32) {
            let (before, error_bits_before) = radians(&FrequencyRule { scaling: LoweredScaling::None, ..*rule }, i);
            let (after, error_bits) = radians(rule, i);
            (before.over(&after), error_bits.max(error_bits_before) + 3)
        }
        let of_zero = |format| round_in(format, || (Float::<FEW>::from_f64(1e30), 0), || (Float::from_f64(1e30), 0));
        let exact = self.frequency_dtype(FrequencyDtype::Exact);
        exact.vector(of_zero, |rule, i| match rule.scaling.divisor(i) {
            Some(divisor) => {
                round_in(T::FORMAT, || (Float::<FEW>::from_f64(divisor), 0), || (Float::from_f64(divisor), 0))
            }
            None => round_in(T::FORMAT, || factor::<FEW>(rule, i), || factor::<LIMBS>(rule, i)),
        })
    }

    /// Returns a number per pair, as bits of `T`: `of_zero` for a frequency of zero, and `of` for the others.
    fn vector<T: Element>(
        &self,
        of_zero: impl Fn(Format) -> u64,
        of: impl Fn(&FrequencyRule, usize) -> u64,
    ) -> Result<Vec<T>, RopeError> {
        if T::FORMAT.integers.is_some() {
            let reason = "has integers, but frequencies need a floating-point type; use `f32` or `f64`";
            return Err(SpecError::Dtype { dtype: T::DTYPE, reason }.into());
        }
        self.check::<T>()?;
        let spec = self.repeat(Repeat::None).spec(Columns::Cos)?;
        let plan = Plan::<f64>::new(&spec)?;
        let rule = FrequencyRule { scale: 1.0, unit: Unit::ONE, ..*plan.frequencies() };
        let mut vector = Vec::new();
        let bytes = plan.count() * size_of::<T>();
        vector.try_reserve_exact(plan.count()).map_err(|_| SpecError::OutOfMemory { bytes })?;
        vector.extend(
            (0..plan.count())
                .map(|i| from_bits::<T>(if rule.sign(i) == 0 { of_zero(T::FORMAT) } else { of(&rule, i) })),
        );
        Ok(vector)
    }
}

/// Returns frequency `i`, if it is rational and known to be. It may then be a tie, which thousands of bits would decide
/// otherwise.
fn rational(rule: &FrequencyRule, i: usize) -> Option<Product> {
    let mut product = Product::of(1.0);
    rule.multiply_exactly(i, &mut product).then_some(product)
}

/// Returns a quotient with further limbs, which are zeros, and the error bits.
///
/// Its denominator has at most 212 bits, so it is a tie of a format of at most 53 bits if it is as near to one as the
/// relative error of `2^-380`.
fn padded(quotient: Product) -> (Float<LIMBS>, u32) {
    let Float { fraction: Fixed(limbs), exponent } = quotient.quotient();
    let mut fraction = [0; LIMBS];
    fraction[..limbs.len()].copy_from_slice(&limbs);
    (Float { fraction: Fixed(fraction), exponent }, 4 + 64 * (LIMBS - limbs.len()) as u32)
}
