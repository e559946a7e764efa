//! Element types by their bits.

use std::ops::{Add, AddAssign, Mul, Sub};

use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, Element, F16Bits};

pub(crate) trait Entry: Element {
    /// A NaN that is no entry of a table. It fills buffers that nothing has been written to.
    const POISON: Self;

    fn bits(self) -> u64;
    fn value(self) -> f64;
}

/// An element type with arithmetic.
pub(crate) trait Number:
    Entry + From<i8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
}

impl<T> Number for T where T: Entry + From<i8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{}

macro_rules! entries {
    ($($entry:ty = $poison:expr, $bits:expr, $value:expr;)*) => { $(
        impl Entry for $entry {
            const POISON: Self = $poison;

            fn bits(self) -> u64 {
                let bits: fn(Self) -> _ = $bits;
                bits(self).into()
            }

            fn value(self) -> f64 {
                let value: fn(Self) -> f64 = $value;
                value(self)
            }
        }
    )* };
}

entries! {
    f32 = Self::from_bits(0x7fc0_dead), Self::to_bits, f64::from;
    f64 = Self::from_bits(0x7ff8_0000_dead_dead), Self::to_bits, |value| value;
    f16 = Self::from_bits(0x7ead), Self::to_bits, Self::to_f64;
    bf16 = Self::from_bits(0x7fed), Self::to_bits, Self::to_f64;
    F16Bits = Self::from_bits(0x7ead), Self::to_bits, Self::to_f64;
    Bf16Bits = Self::from_bits(0x7fed), Self::to_bits, Self::to_f64;
}

/// Returns whether nothing has been written to a buffer.
pub(crate) fn is_untouched<T: Entry>(buffer: &[T]) -> bool {
    buffer.iter().all(|entry| entry.bits() == T::POISON.bits())
}

/// Returns whether two buffers are equal bit by bit.
pub(crate) fn is_same<T: Entry>(a: &[T], b: &[T]) -> bool {
    a.iter().map(|entry| entry.bits()).eq(b.iter().map(|entry| entry.bits()))
}
