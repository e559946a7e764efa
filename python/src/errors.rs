//! Exceptions, and how a wrong value is shown.

use std::fmt::Display;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Returns the exception for a value out of range.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn value_error(sentence: impl Display) -> PyErr {
    PyValueError::new_err(in_python(&sentence.to_string()))
}

/// Returns a sentence of the libraries, some of which name the command, in the terms of this package.
fn in_python(sentence: &str) -> String {
    [
        ("`AxialConfig` or --shape", "`posenc.rotary_grid`"),
        ("`sinusoidal_table!`, `Spec` or `posenc table --config`", "`posenc.sinusoidal` with a preset"),
        ("posenc rope --shape", "posenc.rotary_grid"),
        ("posenc table", "posenc.sinusoidal"),
        ("posenc rope", "posenc.rotary"),
        ("posenc grid", "posenc.grid"),
        ("`with_head_dim` or --head-dim", "`head_dim`"),
        ("`with_base` or --base", "`base`"),
        ("`ignore_key` or --ignore-key", "`ignore_keys`"),
    ]
    .into_iter()
    .fold(sentence.to_owned(), |sentence, (command, here)| sentence.replace(command, here))
}

/// Returns the exception for a value of a wrong type.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn type_error(sentence: impl Display) -> PyErr {
    PyTypeError::new_err(sentence.to_string())
}

/// Returns the exception for an argument that must be something else.
pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    type_error(format!("`{name}` is {}, but must be {expected}", shown(value)))
}

/// Returns a value as Python shows it, or its type if that is long.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    /// The longest text of a value in a sentence.
    const LONGEST: usize = 60;
    let repr = value.repr().and_then(|repr| repr.extract::<String>());
    match (repr, value.get_type().name()) {
        (Ok(repr), _) if repr.chars().count() <= LONGEST && !repr.contains('\n') => format!("`{repr}`"),
        (_, Ok(name)) => format!("of type `{name}`"),
        _ => "another object".to_owned(),
    }
}
