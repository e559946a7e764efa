//! Arrays as lists of numbers.

use posenc::half::{bf16, f16};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::element::{ElementKind, Entry};
use super::input::Array;
use super::layout::tuple;

impl Array {
    /// Returns the numbers that an argument is: an array of one axis, of floats, or of integers that are exactly floats.
    pub(crate) fn numbers(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<f64>> {
        let array = Self::with_entries(value, argument, &ElementKind::ALL)?;
        if array.shape().len() != 1 {
            return Err(PyValueError::new_err(format!(
                "`{argument}` has the shape {}, but must have one axis",
                tuple(array.shape())
            )));
        }
        let numbers = match array.kind() {
            ElementKind::F32 => array.mapped::<f32>(|number| Some(number.into()))?,
            ElementKind::F64 => array.mapped::<f64>(Some)?,
            ElementKind::F16 => array.mapped::<f16>(|number| Some(number.into()))?,
            ElementKind::Bf16 => array.mapped::<bf16>(|number| Some(number.into()))?,
            ElementKind::I8 => array.mapped::<i8>(|number| Some(number.into()))?,
            ElementKind::U8 => array.mapped::<u8>(|number| Some(number.into()))?,
            ElementKind::I16 => array.mapped::<i16>(|number| Some(number.into()))?,
            ElementKind::U16 => array.mapped::<u16>(|number| Some(number.into()))?,
            ElementKind::I32 => array.mapped::<i32>(|number| Some(number.into()))?,
            ElementKind::U32 => array.mapped::<u32>(|number| Some(number.into()))?,
            ElementKind::I64 => array.mapped::<i64>(|number| posenc_text::values::exactly(number.into()))?,
            ElementKind::U64 => array.mapped::<u64>(|number| posenc_text::values::exactly(number.into()))?,
        };
        numbers.ok_or_else(|| {
            PyValueError::new_err(format!("`{argument}` has an integer that is not from -2^53 to 2^53; use floats"))
        })
    }

    fn mapped<T: Entry>(&self, number: fn(T) -> Option<f64>) -> PyResult<Option<Vec<f64>>> {
        Ok(self.contiguous::<T>()?.iter().map(|entry| number(*entry)).collect())
    }
}
