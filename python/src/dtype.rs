//! The types of entries, by their names here, in NumPy, in PyTorch and in JAX.

use posenc::half::{bf16, f16};
use posenc::{Q7, Q15, Q31};
use posenc_identify::{Dtype, FloatType};
use posenc_text::dtype::{instead, read_dtype, read_float};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString, PyType};

use crate::array::ElementKind;
use crate::errors::{type_error, value_error};

/// Reads the argument `dtype`.
pub(crate) fn dtype(value: Option<&Bound<'_, PyAny>>) -> PyResult<Dtype> {
    let Some(value) = value else { return Ok(Dtype::Float(FloatType::F32)) };
    let name = name(value)?;
    read_dtype(&name).map_err(|error| wrong(&name, &error))
}

/// Reads the argument `dtype` of a function that has only floats.
pub(crate) fn float(value: Option<&Bound<'_, PyAny>>) -> PyResult<FloatType> {
    let Some(value) = value else { return Ok(FloatType::F32) };
    let name = name(value)?;
    read_float(&name).map_err(|error| wrong(&name, &error))
}

fn wrong(name: &str, error: &str) -> PyErr {
    match instead(name) {
        Some(instead) => value_error(format!("`dtype` is `{name}`; use {instead}")),
        None => value_error(format!("`dtype` is `{name}`, but {error}")),
    }
}

/// Returns the name of a type, which other packages have objects for.
fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_string();
        return match text.as_str() {
            "float" => Err(value_error(
                "`dtype` is `float`, which has 64 bits in NumPy and 32 in PyTorch; use `float32` or `float64`",
            )),
            _ => Ok(text),
        };
    }
    if value.is(PyType::new::<PyFloat>(value.py())) {
        return Ok("float64".to_owned());
    }
    if let Ok(false) = value.getattr("isnative").and_then(|native| native.extract::<bool>()) {
        return Err(value_error("`dtype` has another byte order than this machine; use the native one"));
    }
    // A dtype of NumPy has a `name`. The scalar types of NumPy, ml_dtypes and JAX have a `__name__`. A dtype of PyTorch has
    // neither, but its text is `torch.float32`, for example.
    let named = ["name", "__name__"].into_iter().find_map(|key| value.getattr(key).ok()?.extract::<String>().ok());
    match named {
        Some(name) => Ok(name),
        None if value.get_type().name()? == "dtype" => Ok(value.str()?.to_string()),
        None => Err(type_error(format!(
            "`dtype` is of type `{}`, but must be a name such as `float32`, or a type of NumPy, PyTorch or JAX",
            value.get_type().name()?
        ))),
    }
}

/// Returns the name of a type in Python: that of NumPy, or ours for fixed-point numbers.
pub(crate) fn name_in_python(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Float(FloatType::F32) => "float32",
        Dtype::Float(FloatType::F64) => "float64",
        Dtype::Float(FloatType::F16) => "float16",
        Dtype::Float(FloatType::Bf16) => "bfloat16",
        Dtype::Q7 => "q7",
        Dtype::Q15 => "q15",
        Dtype::Q31 => "q31",
        Dtype::I8(_) => "int8",
        Dtype::I16(_) => "int16",
        Dtype::U8(_) => "uint8",
    }
}

/// Returns what the entries of a type are in memory.
pub(crate) fn in_memory(dtype: Dtype) -> ElementKind {
    match dtype {
        Dtype::Float(FloatType::F32) => ElementKind::F32,
        Dtype::Float(FloatType::F64) => ElementKind::F64,
        Dtype::Float(FloatType::F16) => ElementKind::F16,
        Dtype::Float(FloatType::Bf16) => ElementKind::Bf16,
        Dtype::Q7 | Dtype::I8(_) => ElementKind::I8,
        Dtype::Q15 | Dtype::I16(_) => ElementKind::I16,
        Dtype::Q31 => ElementKind::I32,
        Dtype::U8(_) => ElementKind::U8,
    }
}

/// An entry as a number of Python: integers without their scale.
pub(crate) trait Number: Copy {
    fn number(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

macro_rules! numbers {
    ($($entry:ty: $number:expr;)*) => { $(
        impl Number for $entry {
            fn number(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                $number(self).into_bound_py_any(py)
            }
        }
    )* };
}

numbers! {
    f32: f64::from;
    f64: f64::from;
    f16: f64::from;
    bf16: f64::from;
    i8: i64::from;
    i16: i64::from;
    u8: i64::from;
    Q7: Q7::to_bits;
    Q15: Q15::to_bits;
    Q31: Q31::to_bits;
}
