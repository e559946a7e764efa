//! Element types by their bits.

use std::ops::{Add, AddAssign, Mul, Sub};

use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, F16Bits};
use testkit::real::Ieee;

pub(crate) trait Entry: Ieee {
    /// A NaN that is no entry of a table. It fills buffers that nothing has been written to.
    const POISON: Self;

    /// Returns the entry as a number, which is a NaN if it is infinite.
    fn number(self) -> f64 {
        if self.bits() & !Self::SIGN < Self::INFINITY { Self::value(self.bits()) } else { f64::NAN }
    }
}

/// An element type with arithmetic.
pub(crate) trait Number:
    Entry + From<i8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
}

impl<T> Number for T where T: Entry + From<i8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{}

macro_rules! entries {
    ($($entry:ty = $poison:literal;)*) => { $(
        impl Entry for $entry {
            const POISON: Self = Self::from_bits($poison);
        }
    )* };
}

entries! {
    f32 = 0x7fc0_dead;
    f64 = 0x7ff8_0000_dead_dead;
    f16 = 0x7ead;
    bf16 = 0x7fed;
    F16Bits = 0x7ead;
    Bf16Bits = 0x7fed;
}

/// Returns whether nothing has been written to a buffer.
pub(crate) fn is_untouched<T: Entry>(buffer: &[T]) -> bool {
    buffer.iter().all(|entry| entry.bits() == T::POISON.bits())
}

/// Returns whether two buffers are equal bit by bit.
pub(crate) fn is_same<T: Entry>(a: &[T], b: &[T]) -> bool {
    a.iter().map(|entry| entry.bits()).eq(b.iter().map(|entry| entry.bits()))
}
