//! The number types that can be a position.

/// A number that can be a position.
///
/// It is an integer within `±2^53`, of any type up to 64 bits, or a finite `f32` or `f64`. It is used exactly. This
/// trait is sealed.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
///
/// let (mut a, mut b) = ([0.0f32; 4], [0.0f32; 4]);
/// Spec::new(4).encode(300_u16, &mut a)?;
/// Spec::new(4).encode(300.0, &mut b)?;
/// assert_eq!(a, b);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a position",
    note = "a position is an `f64`, an `f32` or an integer of at most 64 bits"
)]
pub trait Position: sealed::Exact {}

pub(crate) mod sealed {
    use crate::spec::error::SpecError;

    /// A number that may be exactly representable as an `f64`.
    pub trait Exact: Copy {
        /// Returns the finite `f64` equal to it.
        fn exact(self) -> Result<f64, SpecError>;
    }
}

use crate::float_bits::times_power_of_two;
use crate::limits::in_range;
use crate::spec::error::SpecError;

macro_rules! integers {
    ($($integer:ty)*) => { $(
        impl sealed::Exact for $integer {
            fn exact(self) -> Result<f64, SpecError> {
                let value = self as i128;
                in_range(value).map(|value| value as f64).ok_or(SpecError::Position { value })
            }
        }

        impl Position for $integer {}
    )* };
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($float:ty = $exact:expr;)*) => { $(
        impl sealed::Exact for $float {
            fn exact(self) -> Result<f64, SpecError> {
                let value = $exact(self);
                if value.is_finite() { Ok(value) } else { Err(SpecError::PositionNotFinite { index: None, value }) }
            }
        }

        impl Position for $float {}
    )* };
}

floats! {
    f32 = widened;
    f64 = core::convert::identity;
}

/// Widens to the same number as an `f64`.
///
/// A plain conversion turns subnormal numbers into zeros if the program has set its processor to ignore them.
fn widened(value: f32) -> f64 {
    const FRACTION: u32 = (1 << 23) - 1;
    match value.to_bits() & !(1 << 31) {
        subnormal @ 1..=FRACTION => times_power_of_two(subnormal.into(), -149).copysign(value.into()),
        _ => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processor of a test does not ignore subnormal numbers, so a conversion gives the same.
    #[test]
    fn floats_are_widened_to_the_same_numbers() {
        let subnormal = [1, 2, 3, 0x40_0000, 0x7f_ffff].map(f32::from_bits);
        let normal = [0.0, f32::MIN_POSITIVE, 0.1, 1.5, 16_777_217.0, f32::MAX, f32::INFINITY];
        for value in subnormal.into_iter().chain(normal).flat_map(|value| [value, -value]) {
            assert_eq!(widened(value).to_bits(), f64::from(value).to_bits(), "{value}");
        }
    }
}
