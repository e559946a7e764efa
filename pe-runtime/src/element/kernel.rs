//! What the tier that adds angles in floats needs of an element type. `engine::fast` implements it.

use crate::exact::format::Format;
#[cfg(feature = "alloc")]
use crate::exact::rotation::Rotation;

/// What rounding needs to know of an element type.
pub trait HasFormat: Sized {
    /// The binary format of the type.
    const FORMAT: Format;
}

/// An element type that the tiers can compute.
pub trait Kernel: HasFormat {
    /// Columns in floats, precise enough for the type.
    #[cfg(feature = "alloc")]
    type Block: Block;

    /// Returns the element nearest to all numbers within `error` of `high + rest`, or not 0 if that is undecided. They are far from
    /// overflow.
    #[cfg(feature = "alloc")]
    fn round(high: f64, rest: f64, error: f64) -> (Self, u32);
}

#[cfg(not(feature = "alloc"))]
impl<T: HasFormat> Kernel for T {}

/// Columns in a block: a full vector of `f64` on the widest machines.
#[cfg(feature = "alloc")]
pub(crate) const LANES: usize = 8;

/// For eight columns the sine and cosine of an angle, times an amplitude of at most `2^exponent`.
#[cfg(feature = "alloc")]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub trait Block: Copy + Send + Sync + 'static {
    /// A block in which no column has been set.
    const ZERO: Self;

    /// A sine after `n` products is off by less than `2^ERROR_EXPONENT` amplitudes times `n + 2`.
    const ERROR_EXPONENT: i32;

    /// Sets one column to `2^exponent` times a rotation.
    fn set(&mut self, column: usize, rotation: Rotation, exponent: i32);

    /// Returns the sums of these angles and those of `by`, whose amplitude is 1.
    fn turned<const FUSED: bool>(&self, by: &Self, exponent: i32) -> Self;

    /// Returns, for one column, the sine of the sum of the two angles, as a number and a rest.
    fn sine_of_sum<const FUSED: bool>(&self, by: &Self, column: usize) -> (f64, f64);

    /// Returns the sines of the sums of the angles, rounded, and whether all of them are decided.
    ///
    /// It writes only after it has read everything, so that the compiler need not fear that one is in the place of the other.
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
