//! Sine and cosine of an angle as integers, from which a run of positions starts.

/// The sine and cosine of an angle, each at most `2^126` in absolute value.
#[derive(Clone, Copy)]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub struct Rotation {
    pub sin: i128,
    pub cos: i128,
}

impl Rotation {
    /// The units are `2^-BITS`.
    pub(crate) const BITS: i32 = 126;

    /// The rotation by a zero angle.
    pub(crate) const IDENTITY: Self = Self { sin: 0, cos: 1 << Self::BITS };

    /// Returns the rotation a quarter turn later.
    #[cfg(feature = "alloc")]
    pub(crate) const fn quarter_on(self) -> Self {
        Self { sin: self.cos, cos: -self.sin }
    }

    /// Returns the sum of this angle and that of `by`, which has length 1. This rotation has at most length 1.
    ///
    /// The errors in length add up, and truncation adds to them. In each component, four shifts and two dropped
    /// products of low halves each add less than 1 unit. That is below 6 units in each component, and 8.5 in length.
    /// With the product of the two errors it is below 9.
    ///
    /// The products are written out, because function calls are slow at compile time.
    pub(crate) const fn turned(self, by: Self) -> Self {
        const HALF: i32 = Rotation::BITS / 2;
        const LOW: i128 = (1 << HALF) - 1;
        let ((s, s_low), (c, c_low)) = ((self.sin >> HALF, self.sin & LOW), (self.cos >> HALF, self.cos & LOW));
        let ((u, u_low), (v, v_low)) = ((by.sin >> HALF, by.sin & LOW), (by.cos >> HALF, by.cos & LOW));
        // Each product is at most 2^126 in absolute value. So is the sum of two of them, which is a component of a
        // product of two vectors.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Rotation;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::sinusoid::{PreparedAmplitude, Sinusoid};
    use crate::properties;

    /// Returns the rotation at a position, for pair 1 of tables of this width.
    fn exact(d_model: u64) -> impl Fn(i64) -> Rotation {
        let frequencies = paired(10_000.0, d_model);
        let turns = advanced(&frequencies, 1);
        move |position| {
            let sinusoid = Sinusoid::new(&frequencies, 1, turns, &PreparedAmplitude::ONE);
            sinusoid.rotation(position as f64, 0).unwrap()
        }
    }

    /// Returns the length of the difference, in units.
    fn distance(a: Rotation, b: Rotation) -> f64 {
        ((a.sin - b.sin) as f64).hypot((a.cos - b.cos) as f64)
    }

    /// Returns the errors of sums of 1 to 64 turns, which is the length of a chain of fine rows in the compile-time
    /// tier.
    fn errors_of_turns(position: i32, by: i32, d_model: u64) -> impl Iterator<Item = (u32, f64)> {
        let exact = exact(d_model);
        let (mut rotation, turn) = (exact(position.into()), exact(by.into()));
        (1..=64).map(move |chain| {
            rotation = rotation.turned(turn);
            (chain, distance(rotation, exact(i64::from(position) + i64::from(chain) * i64::from(by))))
        })
    }

    properties! {
        #![cases(256)]

        #[test]
        fn turns_lose_as_little_as_stated(position in 1i32..1_000_000, by in 1i32..1_000_000, d_model in 4u64..600) {
            for (chain, error) in errors_of_turns(position, by, d_model) {
                // At such angles the exact tier is off by less than 5 units.
                prop_assert!(error < f64::from(5 * (chain + 2) + 9 * chain));
            }
        }
    }

    /// Shows that the test above has errors to measure.
    #[test]
    fn turns_lose_something() {
        assert!(errors_of_turns(1_000, 37, 512).any(|(_, error)| error > 64.0));
    }
}
