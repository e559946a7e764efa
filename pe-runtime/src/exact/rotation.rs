//! Sine and cosine of an angle as integers: the points that a run of positions starts from.

#[cfg(feature = "alloc")]
use crate::exact::fixed::mul_high;

/// Sine and cosine of one angle, each up to `2^126` in size.
#[derive(Clone, Copy)]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub struct Rotation {
    pub sin: i128,
    pub cos: i128,
}

impl Rotation {
    /// The units are `2^-BITS`.
    pub(crate) const BITS: i32 = 126;

    /// No turn at all.
    pub(crate) const IDENTITY: Self = Self { sin: 0, cos: 1 << Self::BITS };

    /// What the sine and the cosine become when both are asked a quarter turn later.
    pub(crate) const fn quarter_on(self) -> Self {
        Self { sin: self.cos, cos: -self.sin }
    }

    /// Twice the angle, for a rotation of length 1.
    ///
    /// As complex numbers, an error of `e` units becomes less than `2 e + 4`: of the square, to which the cuts add less than 2
    /// units in the sine and 1 in the cosine, and more than the square of the error.
    #[cfg(feature = "alloc")]
    pub(crate) fn doubled(self) -> Self {
        let Self { sin, cos } = self;
        Self { sin: 2 * product(sin, cos), cos: product(cos - sin, cos + sin) }
    }

    /// This angle and that of `by`, added; `by` has length 1, this one at most that.
    ///
    /// The errors in length add up, with the cuts of the products: of each component four shifts, below 1 unit each, and two
    /// products of low halves, below 1 unit each. That is below 6 units in each component, 8.5 in length, and with the product
    /// of both errors below 9.
    ///
    /// Without calls, which take the compiler long.
    pub(crate) const fn turned(self, by: Self) -> Self {
        const HALF: i32 = Rotation::BITS / 2;
        const LOW: i128 = (1 << HALF) - 1;
        let ((s, s_low), (c, c_low)) = ((self.sin >> HALF, self.sin & LOW), (self.cos >> HALF, self.cos & LOW));
        let ((u, u_low), (v, v_low)) = ((by.sin >> HALF, by.sin & LOW), (by.cos >> HALF, by.cos & LOW));
        // Each product is at most 2^126 in size, and so is the sum of two that are those of two vectors.
        Self {
            sin: s * v
                + c * u
                + ((s * v_low) >> HALF)
                + ((s_low * v) >> HALF)
                + ((c * u_low) >> HALF)
                + ((c_low * u) >> HALF),
            cos: c * v - s * u + ((c * v_low) >> HALF) + ((c_low * v) >> HALF)
                - ((s * u_low) >> HALF)
                - ((s_low * u) >> HALF),
        }
    }
}

/// The product of two numbers of sizes below `2^127`, in units: cut towards zero, error < 1.
#[cfg(feature = "alloc")]
fn product(a: i128, b: i128) -> i128 {
    let size = mul_high(a.unsigned_abs() << 1, b.unsigned_abs() << 1) as i128;
    if (a < 0) == (b < 0) { size } else { -size }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::effort::cases;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::sinusoid::{PreparedAmplitude, Sinusoid};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        /// Chains as long as those of fine rows in the tier of the compiler, in which an error would grow.
        #[test]
        fn turns_lose_as_little_as_stated(position in 1i32..1_000_000, by in 1i32..1_000_000, d_model in 4u64..600) {
            let frequencies = paired(10_000.0, d_model);
            let turns = advanced(frequencies, 1);
            let sinusoid = Sinusoid { frequencies, i: 1, turns, amplitude: &PreparedAmplitude::ONE };
            let exact = |position: i64| sinusoid.rotation(position as f64, 0).unwrap();
            let (mut rotation, turn) = (exact(position.into()), exact(by.into()));
            let (mut largest, mut chain) = (0.0f64, 0);
            while chain < 64 {
                rotation = rotation.turned(turn);
                chain += 1;
                let sum = exact(i64::from(position) + i64::from(chain) * i64::from(by));
                let (sin, cos) = ((rotation.sin - sum.sin) as f64, (rotation.cos - sum.cos) as f64);
                // At such angles the exact tier is off by less than 5 units.
                prop_assert!(sin.hypot(cos) < f64::from(5 * (chain + 2) + 9 * chain));
                largest = largest.max(sin.hypot(cos));
            }
            prop_assert!(largest > 64.0);
        }

        /// From 724 units of error 15 doublings make less than `2^15 (724 + 4)`; and without any errors the cuts show.
        #[test]
        fn doublings_lose_as_little_as_stated(position in 1i32..1_000_000, d_model in 4u64..600) {
            let frequencies = paired(10_000.0, d_model);
            let turns = advanced(frequencies, 1);
            let sinusoid = Sinusoid { frequencies, i: 1, turns, amplitude: &PreparedAmplitude::ONE };
            let exact = |doublings: u32| sinusoid.rotation((i64::from(position) << doublings) as f64, 0).unwrap();
            let mut rotation = exact(0);
            for doublings in 1..16 {
                rotation = rotation.doubled();
                let off = [rotation.sin - exact(doublings).sin, rotation.cos - exact(doublings).cos];
                prop_assert!(off.iter().all(|off| off.unsigned_abs() < 728 << doublings));
            }
            prop_assert!(rotation.sin != exact(15).sin || rotation.cos != exact(15).cos);
        }
    }
}
