//! What the fast tier needs from an element type. `engine::fast` implements it.

use crate::exact::format::Format;
#[cfg(feature = "alloc")]
use crate::exact::rotation::Rotation;

/// An element type with a binary format, which is all that rounding needs.
pub trait HasFormat: Sized {
    /// The binary format of the type.
    const FORMAT: Format;
}

/// An element type that the tiers can compute.
pub trait Kernel: HasFormat {
    /// A block of columns in floats that is precise enough for the type.
    #[cfg(feature = "alloc")]
    type Block: Block;

    /// Returns the element nearest to all numbers within `error` of `high + rest`, and a flag.
    ///
    /// The flag is 0 if all these numbers round to that element, and not 0 if the rounding is undecided. The numbers
    /// must be far from overflow.
    #[cfg(feature = "alloc")]
    fn round(high: f64, rest: f64, error: f64) -> (Self, u32);
}

#[cfg(not(feature = "alloc"))]
impl<T: HasFormat> Kernel for T {}

/// The number of columns in a block: as many `f64` as the widest SIMD vectors hold.
#[cfg(feature = "alloc")]
pub(crate) const LANES: usize = 8;

/// The sine and cosine of one angle for each of eight columns, times an amplitude of at most `2^exponent`.
#[cfg(feature = "alloc")]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub trait Block: Copy + Send + Sync + 'static {
    /// A block in which no column has been set.
    const ZERO: Self;

    /// The exponent `k` of the error bound: after `n` products, a sine is off by less than `(n + 2) 2^k` amplitudes.
    const ERROR_EXPONENT: i32;

    /// Sets one column to `2^exponent` times a rotation.
    fn set(&mut self, column: usize, rotation: Rotation, exponent: i32);

    /// Returns the angles of `self` plus those of `by`, whose amplitude is 1.
    fn turned<const FUSED: bool>(&self, by: &Self, exponent: i32) -> Self;

    /// Returns the sine of the sum of the two angles of one column, as a number and a rest.
    fn sine_of_sum<const FUSED: bool>(&self, by: &Self, column: usize) -> (f64, f64);

    /// Returns the rounded sines of the sums of the angles, and whether all of them are decided.
    ///
    /// All reads come before the writes, so the compiler need not assume that one place is both read and written.
    #[inline(always)]
    fn round<T: Kernel + Copy + Default, const FUSED: bool>(&self, by: &Self, error: f64) -> ([T; LANES], bool) {
        let (mut entries, mut undecided) = ([T::default(); LANES], [0; LANES]);
        let mut i = 0;
        while i < LANES {
            let (high, rest) = self.sine_of_sum::<FUSED>(by, i);
            (entries[i], undecided[i]) = T::round(high, rest, error);
            i += 1;
        }
        let mut any = 0;
        let mut i = 0;
        while i < LANES {
            any |= undecided[i];
            i += 1;
        }
        (entries, any == 0)
    }
}
