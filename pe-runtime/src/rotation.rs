//! Sine and cosine of an angle as integers: the points that a run of positions starts from.

use crate::fixed::mul_high;

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
    pub(crate) fn quarter_on(self) -> Self {
        Self { sin: self.cos, cos: -self.sin }
    }

    /// Twice the angle, for a rotation of length 1.
    ///
    /// As complex numbers, an error of `e` units becomes less than `2 e + 4`: of the square, to which the cuts add less than 2
    /// units in the sine and 1 in the cosine, and more than the square of the error.
    pub(crate) fn doubled(self) -> Self {
        let Self { sin, cos } = self;
        Self { sin: 2 * product(sin, cos), cos: product(cos - sin, cos + sin) }
    }
}

/// The product of two numbers of sizes below `2^127`, in units: cut towards zero, error < 1.
fn product(a: i128, b: i128) -> i128 {
    let size = mul_high(a.unsigned_abs() << 1, b.unsigned_abs() << 1) as i128;
    if (a < 0) == (b < 0) { size } else { -size }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::frequency::tests::{advanced, paired};
    use crate::wave::{PreparedAmplitude, Wave};

    proptest! {
        /// From 724 units of error 15 doublings make less than `2^15 (724 + 4)`; and without any errors the cuts show.
        #[test]
        fn doublings_lose_as_little_as_stated(position in 1i32..1_000_000, d_model in 4u64..600) {
            let frequencies = paired(10_000.0, d_model);
            let turns = advanced(frequencies, 1);
            let wave = Wave { frequencies, i: 1, turns, amplitude: &PreparedAmplitude::ONE };
            let exact = |doublings: u32| wave.rotation((i64::from(position) << doublings) as f64, 0).unwrap();
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
