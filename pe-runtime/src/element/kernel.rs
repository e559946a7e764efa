//! What the fast tier needs from an element type. `engine::fast` implements it.

use crate::exact::format::Format;
#[cfg(feature = "alloc")]
use crate::exact::rotation::Rotation;

/// An element type with a format, which is all that rounding needs, unless the spec has a quantiser.
pub trait HasFormat: Sized {
    /// The format of the type, with the zero point 0.
    const FORMAT: Format;
}

/// An element type that the tiers can compute.
pub trait Kernel: HasFormat {
    /// A block of columns in floats that is precise enough for the type.
    #[cfg(feature = "alloc")]
    type Block: Block;

    /// Returns the element nearest to all numbers in an enclosure, and a flag.
    ///
    /// The flag is 0 if all these numbers round to that element, and not 0 if the rounding is undecided. The numbers
    /// must be far from overflow. `rounder` comes from the plan; only integers need it.
    #[cfg(feature = "alloc")]
    fn round(value: FloatEnclosure, rounder: f64) -> (Self, u32);
}

#[cfg(not(feature = "alloc"))]
impl<T: HasFormat> Kernel for T {}

/// An interval that contains the value of an entry before rounding: from `number + least` to `number + greatest`.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub struct FloatEnclosure {
    pub(crate) number: f64,
    pub(crate) least: f64,
    /// At least the absolute value of `least`, if there is one `f64` per number.
    pub(crate) greatest: f64,
}

/// The number of columns in a block: as many `f64` as the widest SIMD vectors hold.
#[cfg(feature = "alloc")]
pub(crate) const LANES: usize = 8;

/// One `f64` for each column of a block.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
#[repr(align(64))]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub struct Lanes(pub(crate) [f64; LANES]);

#[cfg(feature = "alloc")]
impl Lanes {
    pub(crate) const ZEROS: Self = Self([0.0; LANES]);
}

/// The frequencies of eight columns in turns per position, and the angles that are added to get a sine.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub struct FrequencyBlock {
    pub(crate) high: Lanes,
    /// What `high` lacks.
    pub(crate) low: Lanes,
    /// A quarter turn for cosines, 0 for sines.
    pub(crate) offset: Lanes,
}

#[cfg(feature = "alloc")]
impl FrequencyBlock {
    /// Cosines of a zero angle. Columns that the table does not have keep them, because they are decided.
    pub(crate) const PADDING: Self =
        Self { high: Lanes::ZEROS, low: Lanes::ZEROS, offset: Lanes([QUARTER_TURN; LANES]) };
}

/// A quarter turn in turns, the angle by which a cosine is ahead of a sine.
#[cfg(feature = "alloc")]
pub(crate) const QUARTER_TURN: f64 = 0.25;

/// The sine and cosine of one angle for each of eight columns, times an amplitude of at most `2^exponent`.
#[cfg(feature = "alloc")]
#[allow(unreachable_pub, reason = "named by a sealed trait, which is public")]
pub trait Block: Copy + Send + Sync + 'static {
    /// A block in which no column has been set.
    const ZERO: Self;

    /// Zero angles.
    const IDENTITY: Self;

    /// The unit of the error bound: after `n` products, a sine is off by less than `n + 2` units of an amplitude.
    const ERROR: f64;

    /// The relative error bound of [`sine_at`](Self::sine_at) times an amplitude, if the angle were exact.
    const DIRECT_ERROR: f64;

    /// A lower limit of the error bound of direct evaluation. Entries below it are undecided.
    const LEAST_ERROR: f64;

    /// Whether direct evaluation bounds the error due to the angle for each column, or for a row by its largest angle.
    ///
    /// Only the first decides entries of `f64` in columns of very low frequencies. The second takes fewer steps.
    const EACH_ANGLE: bool;

    /// Sets one column to `2^exponent` times a rotation.
    fn set(&mut self, column: usize, rotation: Rotation, exponent: i32);

    /// Sets one column to a sine and a cosine, each a number and a rest, of at most `2^exponent`.
    fn set_floats(&mut self, column: usize, sin: (f64, f64), cos: (f64, f64), exponent: i32);

    /// Returns the sine of the angle of one column at `position`, plus `offset` turns, as a number and a rest.
    ///
    /// The position and the frequencies must be those that `Columns::turns_at` accepts.
    fn sine_at<const FUSED: bool>(
        position: f64,
        frequencies: &FrequencyBlock,
        column: usize,
        offset: f64,
    ) -> (f64, f64);

    /// Returns the product with an amplitude, which is a number and a rest.
    fn scaled<const FUSED: bool>(sine: (f64, f64), amplitude: (f64, f64)) -> (f64, f64);

    /// Returns the angles of `self` plus the angles of `by`, whose amplitude is 1.
    fn turned<const FUSED: bool>(&self, by: &Self, exponent: i32) -> Self;

    /// Returns the sine of the sum of the two angles of one column, plus `offset`, as a number and a rest.
    fn sine_of_sum<const FUSED: bool>(&self, by: &Self, column: usize, offset: f64) -> (f64, f64);
}
