//! The dot product of two positions, which depends on their distance alone.

use core::cmp::Ordering;

use crate::error_bounds::ROTATION_ERROR;
use crate::exact::constants::LIMBS;
use crate::exact::format::Format;
use crate::exact::frequency_rule::FrequencyRule;
use crate::exact::rotation::Rotation;
use crate::exact::rounding::{Enclosure, Magnitude};
use crate::exact::sinusoid::{Function, PreparedAmplitude, Sinusoids};
use crate::inspect::bignum::signed::Signed;
use crate::plan::Plan;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::spec::position::Position;

impl Spec<'_> {
    /// Returns the dot product of the encodings of two positions that are `distance` apart.
    ///
    /// It depends only on the distance:
    ///
    /// ```text
    /// PE(p) . PE(p + distance) = cos(w_0 distance) + cos(w_1 distance) + ...
    /// ```
    ///
    /// It is defined by the formula, not by the rounded entries of a table, and is rounded once, to the nearest `f64`.
    /// The [`amplitude`](Self::amplitude) is left out; multiply the result by its square to include it. At a distance
    /// of 0 the result is `d_model / 2`, the square of a row's length. Divide by that for the cosine similarity.
    ///
    /// It takes about 0.2 µs per pair of columns, and up to milliseconds if angles have thousands of bits before the
    /// point.
    ///
    /// Source: the sines and cosines of Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762)
    /// (2017), section 3.5, multiplied out: `sin a sin b + cos a cos b = cos(a - b)`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does, if some columns are not in pairs, as for
    /// [`translation`](Self::translation), or if the distance is out of range for a position.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let spec = Spec::new(128);
    /// assert_eq!(spec.dot_product(0)?, 64.0);
    /// assert_eq!(spec.dot_product(5)?, spec.dot_product(-5)?);
    ///
    /// let table = spec.table::<f64>(100)?;
    /// let dot: f64 = table[60].iter().zip(&table[65]).map(|(a, b)| a * b).sum();
    /// let roundings = 3.0 + 127.0 + 1.0; // of each product, the sum, and this result; the magnitudes add up to 64
    /// assert!((dot - spec.dot_product(5)?).abs() <= roundings * 64.0 * f64::EPSILON / 2.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("similarity", "cosine_similarity", "kernel"))]
    pub fn dot_product(&self, distance: impl Position) -> Result<f64, SpecError> {
        let plan = Plan::<f64>::new(&self.without_quantiser())?;
        let frequencies = plan.frequencies();
        let pairs = self.count_pairs()?;
        let distance = distance.exact()?;
        if pairs == 0 {
            return Ok(0.0);
        }
        let bits = frequencies.sum_of_integers(pairs, distance);
        let bits = bits.or_else(|| frequencies.sum_of_intervals::<16>(pairs, distance)?.round(Format::F64));
        // The sum is transcendental or a positive integer (see `round_wide` in `exact::sinusoid`, and Lindemann and
        // Weierstrass), so some precision decides. As in `round_wide`, the ladder of precisions still ends at 5120
        // bits.
        let bits =
            bits.or_else(|| Some(frequencies.sum_of_intervals::<LIMBS>(pairs, distance)?.round_low(Format::F64)));
        Ok(bits.map_or(0.0, f64::from_bits))
    }
}

impl FrequencyRule<'_> {
    /// Returns the bits of the sum of the cosines of the first frequencies, if 126 bits decide.
    fn sum_of_integers(&self, pairs: usize, distance: f64) -> Option<u64> {
        // Keeps their sum below 2^126 units.
        let exponent = pairs.next_power_of_two().ilog2() as i32;
        let mut sinusoids = Sinusoids::new(self, pairs, &PreparedAmplitude::ONE);
        let mut sum = 0;
        while let Some(sinusoid) = sinusoids.advance() {
            sum += sinusoid.rotation(distance, exponent)?.cos;
        }
        let (size, error) = (sum.unsigned_abs(), pairs as u128 * ROTATION_ERROR);
        let end = |mantissa| Magnitude { mantissa, exponent: exponent - Rotation::BITS };
        let enclosure = Enclosure::new(end(size.saturating_sub(error)), end(size + error));
        enclosure.negated_if(sum < 0).round(Format::F64)
    }

    /// Returns the same sum, with cosines in `L` limbs, if its sign is certain.
    fn sum_of_intervals<const L: usize>(&self, pairs: usize, distance: f64) -> Option<Enclosure> {
        let [mut positive, mut negative] = [Signed::zero().size, Signed::zero().size];
        for i in 0..pairs {
            let cosine = Signed::from(self.unscaled::<L>(Function::Cosine, i, distance)?);
            let sum = if cosine.negative { &mut negative } else { &mut positive };
            *sum = sum.add(&cosine.size);
        }
        if positive.low.cmp(&negative.high) == Ordering::Greater {
            Some(positive.without(&negative))
        } else if negative.low.cmp(&positive.high) == Ordering::Greater {
            Some(negative.without(&positive).negated())
        } else {
            None
        }
    }
}
