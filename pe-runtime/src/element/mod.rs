//! The number types a table can hold.

pub(crate) mod bits;
mod half_bits;
pub(crate) mod kernel;

use core::fmt::Debug;

use crate::exact::format::Format;
pub use half_bits::{Bf16Bits, F16Bits};
use kernel::Kernel;

/// An element type of a table.
///
/// These are `f64`, `f32`, and of 16 bits [`F16Bits`] and [`Bf16Bits`] or, with the feature `half`, `half::f16` and `half::bf16`.
///
/// Every entry is rounded once, from the exact value to the element type, in the 16-bit types too: a table in `f32` or
/// `f64` that is narrowed afterwards is rounded twice.
///
/// Sealed: the decoding of baked tables relies on every bit pattern being a value.
///
/// # Examples
///
/// ```
/// use posenc::{Element, Spec, SpecError};
///
/// /// Returns the encoding of one position, in any element type.
/// fn encode<T: Element>(spec: Spec, position: i64) -> Result<Vec<T>, SpecError> {
///     let mut row = vec![T::default(); spec.d_model()];
///     spec.encode(position, &mut row)?;
///     Ok(row)
/// }
///
/// assert_eq!(encode::<f64>(Spec::new(2), 0)?, [0.0, 1.0]);
/// assert_eq!(<f64 as Element>::DTYPE, "f64");
/// # Ok::<(), SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a table",
    note = "the element types are `f32`, `f64`, `F16Bits` and `Bf16Bits`, and with the feature `half` `half::f16` and `half::bf16`; \
            rows of an array are given as one slice, `as_flattened_mut()`"
)]
pub trait Element: Kernel + Copy + PartialEq + Debug + Default + Send + Sync + 'static {
    /// The name of the type, as the macro's `dtype` key takes it.
    const DTYPE: &'static str;
}

macro_rules! elements {
    ($($element:ty = $dtype:literal, $format:ident;)*) => { $(
        impl kernel::HasFormat for $element {
            const FORMAT: Format = Format::$format;
        }

        impl Element for $element {
            const DTYPE: &'static str = $dtype;
        }
    )* };
}

elements! {
    f32 = "f32", F32;
    f64 = "f64", F64;
    F16Bits = "f16_bits", F16;
    Bf16Bits = "bf16_bits", BF16;
}

#[cfg(feature = "half")]
elements! {
    half::f16 = "f16", F16;
    half::bf16 = "bf16", BF16;
}
