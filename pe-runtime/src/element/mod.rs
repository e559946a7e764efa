//! The number types that a table can hold.

pub(crate) mod bits;
mod fixed_point;
mod half_bits;
pub(crate) mod kernel;
#[cfg(feature = "bytemuck")]
mod pod;
pub(crate) mod slot;

use core::fmt::Debug;

use crate::exact::format::Format;
pub use fixed_point::{Q7, Q15, Q31};
pub use half_bits::{Bf16Bits, F16Bits};
use kernel::Kernel;

/// A number type that a table can hold.
///
/// The element types are `f32`, `f64`, [`F16Bits`] and [`Bf16Bits`], the fixed-point numbers [`Q7`], [`Q15`] and [`Q31`],
/// and the integers `i8`, `i16` and `u8`, whose scale and zero point are the spec's [`quantiser`](crate::Spec::quantiser).
/// With the feature `half`, `half::f16` and `half::bf16` are element types too.
///
/// Every entry is rounded once, from the exact value to the element type. This includes the 16-bit types and the
/// integers. Narrowing a table of `f32` or `f64` instead would round every entry twice.
///
/// This trait is sealed, because decoding a baked table requires that every bit pattern is a valid value.
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
    note = "the element types are `f32`, `f64`, `F16Bits`, `Bf16Bits`, `Q7`, `Q15`, `Q31`, `i8`, `i16` and `u8`, and with the feature `half` also `half::f16` and `half::bf16`; \
            pass an array of rows as one slice with `as_flattened_mut()`"
)]
pub trait Element: Kernel + Copy + PartialEq + Debug + Default + Send + Sync + 'static {
    /// The name of the type as the macro's `dtype` key expects it.
    const DTYPE: &'static str;
}

/// Calls a macro with the list of all element types.
///
/// Each entry has the name that the key `dtype` expects, the feature that the type needs, the type, a type of the same
/// bits that needs no feature, the format, and the names used elsewhere. The types must be in scope at the call.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_element {
    ($callback:ident) => {
        $callback! {
            f32: core::primitive::f32 as core::primitive::f32, F32, ["float", "float32", "fp32"];
            f64: core::primitive::f64 as core::primitive::f64, F64, ["double", "float64"];
            f16 ["half"]: half::f16 as F16Bits, F16, ["float16", "fp16", "half"];
            bf16 ["half"]: half::bf16 as Bf16Bits, BF16, ["bfloat16"];
            f16_bits: F16Bits as F16Bits, F16, [];
            bf16_bits: Bf16Bits as Bf16Bits, BF16, [];
            q7: Q7 as Q7, Q7, ["q7_t", "I1F7"];
            q15: Q15 as Q15, Q15, ["q15_t", "I1F15"];
            q31: Q31 as Q31, Q31, ["q31_t", "I1F31"];
            i8: core::primitive::i8 as core::primitive::i8, I8, ["int8", "qint8", "int8_t"];
            i16: core::primitive::i16 as core::primitive::i16, I16, ["int16", "qint16", "int16_t"];
            u8: core::primitive::u8 as core::primitive::u8, U8, ["uint8", "quint8", "uint8_t"];
        }
    };
}

macro_rules! elements {
    ($($dtype:ident $([$feature:literal])?: $element:ty as $bits:ty, $format:ident, $elsewhere:tt;)*) => { $(
        $(#[cfg(feature = $feature)])?
        impl kernel::HasFormat for $element {
            const FORMAT: Format = Format::$format;
        }

        $(#[cfg(feature = $feature)])?
        impl Element for $element {
            const DTYPE: &'static str = stringify!($dtype);
        }
    )* };
}

for_each_element!(elements);
