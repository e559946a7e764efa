//! Explaining an entry, and the class `Explanation`.

use posenc::Element;
use posenc::explain::Function;
use posenc_identify::Dtype;
use posenc_text::with_entry;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dtype::{float, name_in_python};
use crate::errors::{type_error, value_error};
use crate::keys::{number, size};
use crate::requests::{self, Common};

/// How an entry is computed: the exact values as text, because they have more digits than a float.
#[pyclass(frozen, module = "posenc")]
pub(crate) struct Explanation {
    /// The position of the row.
    #[pyo3(get)]
    position: f64,
    /// The column, from 0.
    #[pyo3(get)]
    column: usize,
    /// The number of columns.
    #[pyo3(get)]
    d_model: usize,
    /// The name of the type of the entry.
    #[pyo3(get)]
    dtype: &'static str,
    /// "sine" or "cosine", or `None` in a column of zeros.
    #[pyo3(get)]
    function: Option<&'static str>,
    /// The formula of the frequency.
    #[pyo3(get)]
    formula: Option<String>,
    /// The frequency in radians per position.
    #[pyo3(get)]
    frequency: Option<String>,
    /// The angle in radians.
    #[pyo3(get)]
    angle: Option<String>,
    /// The exact value of the entry.
    #[pyo3(get)]
    value: String,
    /// The largest number of the type that is not above the exact value.
    #[pyo3(get)]
    below: f64,
    /// The smallest number of the type that is not below the exact value.
    #[pyo3(get)]
    above: f64,
    /// The entry.
    #[pyo3(get)]
    result: f64,
    /// Whether the entry is below the exact value ("down"), above it ("up"), or is it ("exact").
    #[pyo3(get)]
    rounded: &'static str,
    text: String,
}

impl Explanation {
    fn of<T: Element + Into<f64>>(explanation: &posenc::explain::Explanation<T>, dtype: Dtype) -> Self {
        let stages = explanation.stages.as_ref();
        Self {
            position: explanation.position,
            column: explanation.column,
            d_model: explanation.d_model,
            dtype: name_in_python(dtype),
            function: stages.map(|stages| match stages.function {
                Function::Sine => "sine",
                Function::Cosine => "cosine",
            }),
            formula: stages.map(|stages| stages.formula.clone()),
            frequency: stages.map(|stages| stages.frequency.to_string()),
            angle: stages.map(|stages| stages.angle.to_string()),
            value: explanation.value.to_string(),
            below: explanation.below.value.into(),
            above: explanation.above.value.into(),
            result: explanation.result.into(),
            rounded: match explanation.rounded() {
                std::cmp::Ordering::Less => "down",
                std::cmp::Ordering::Equal => "exact",
                std::cmp::Ordering::Greater => "up",
            },
            text: explanation.to_string().trim_end().to_owned(),
        }
    }
}

#[pymethods]
impl Explanation {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let Self { position, column, d_model, dtype, result, .. } = self;
        format!("<posenc.Explanation position {position}, column {column} of {d_model}, {dtype}: {result:?}>")
    }
}

/// Explains the entry of a position and a column: the exact value, its neighbours, and how it was rounded.
///
/// Args:
///     position: The position, any number from -2^53 to 2^53.
///     column: The column, from 0 to `d_model` - 1.
///     d_model: The number of columns.
///     preset: The preset whose parameters are the defaults.
///     dtype: A type of floats. Default: float32.
///     **keys: The parameters, as for `sinusoidal`, without `start`, `step` and `zero_row`.
///
/// Returns:
///     An `Explanation`, whose text shows all steps.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range.
///
/// Example:
///     >>> import posenc
///     >>> entry = posenc.explain(4095, 17, 512)
///     >>> entry.function, entry.value[:22], entry.rounded
///     ('cosine', '-0.0899100886019188143', 'down')
#[pyfunction]
#[pyo3(signature = (position, column, d_model, *, preset = None, dtype = None, **keys))]
pub(crate) fn explain<'py>(
    position: &Bound<'py, PyAny>,
    column: &Bound<'py, PyAny>,
    d_model: &Bound<'py, PyAny>,
    preset: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Explanation> {
    let float = float(dtype)?;
    let common = Common { preset, dtype: Dtype::Float(float), keys };
    let request = requests::sinusoidal(1, d_model, &common)?;
    for key in ["start", "step", "zero_row"] {
        if request.given.has(key) {
            return Err(type_error(format!("`{key}` does not change the entry at a position; leave it out")));
        }
    }
    let (position, column) = (number("position", position, "a number")?, size("column", column)?);
    with_entry!(float, T => {
        let explanation = request.explain::<T>(&[position], column).map_err(value_error)?;
        Ok(Explanation::of(&explanation, common.dtype))
    })
}
