//! Arguments that should be arrays, and what to say if they are not.

use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use super::dlpack::Device;
use super::element::ElementKind;

/// The argument of a function, its name for errors, and the types of entries that the function accepts.
#[derive(Clone, Copy)]
pub(super) struct Argument<'a, 'py> {
    pub(super) value: &'a Bound<'py, PyAny>,
    pub(super) name: &'a str,
    pub(super) accepted: &'a [ElementKind],
}

impl Argument<'_, '_> {
    /// Returns the type of the entries, or an error if the function does not accept it.
    pub(super) fn accept(self, kind: ElementKind) -> PyResult<ElementKind> {
        if self.accepted.contains(&kind) { Ok(kind) } else { Err(self.unsupported(kind.name())) }
    }

    /// Returns the error of entries that the function does not accept.
    pub(super) fn unsupported(self, found: &str) -> PyErr {
        let accepted = ElementKind::names(self.accepted);
        let name = self.name;
        PyTypeError::new_err(format!(
            "`{name}` has entries of the type {found}, but must have entries of the type {accepted}"
        ))
    }

    /// Returns the error of something that is not an array.
    pub(super) fn not_an_array(self) -> PyErr {
        let found = self.value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        let article = if found.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
        PyTypeError::new_err(format!(
            "`{}` is {article} {found}, but must be an array: a NumPy array, a tensor of PyTorch or JAX on the CPU, or a \
             posenc table",
            self.name
        ))
    }

    /// Returns the error of an array in the memory of a GPU or another device.
    pub(super) fn elsewhere(self, device: Device) -> PyErr {
        let Device { kind, id } = device;
        let device = match kind {
            2 => format!("CUDA device {id}"),
            8 => format!("Metal device {id}"),
            10 => format!("ROCm device {id}"),
            _ => format!("device ({kind}, {id}) of DLPack"),
        };
        let name = self.name;
        let has_cpu = self.value.hasattr(intern!(self.value.py(), "cpu")).unwrap_or(false);
        let remedy = if has_cpu { format!("pass `{name}.cpu()`") } else { "copy it there first".to_owned() };
        PyValueError::new_err(format!("`{name}` is on the {device}, but must be on the CPU: {remedy}"))
    }

    /// Returns the error of an array whose exporter does not follow the rules of the protocol.
    pub(super) fn invalid(self) -> PyErr {
        self.wrong("has a description that is not one of an array in memory, but must have a valid one")
    }

    /// Returns the error of a value, in a sentence that continues after the name of the argument.
    pub(super) fn wrong(self, sentence: &str) -> PyErr {
        PyValueError::new_err(format!("`{}` {sentence}", self.name))
    }

    /// Returns the error of an exporter with the name of the argument.
    pub(super) fn caused_by(self, cause: PyErr) -> PyErr {
        let py = self.value.py();
        if !cause.is_instance_of::<PyException>(py) {
            return cause; // such as an interruption by the user
        }
        let error = PyTypeError::new_err(format!("`{}` cannot be read as an array: {}", self.name, cause.value(py)));
        error.set_cause(py, Some(cause));
        error
    }
}

/// Returns whether a value is an instance of a class of another package, which is not imported for that.
pub(super) fn is_instance(value: &Bound<'_, PyAny>, package: &str, class: &str) -> PyResult<bool> {
    let py = value.py();
    let package =
        py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?.call_method1(intern!(py, "get"), (package,))?;
    // A package that is being imported may not have its class yet.
    package.getattr_opt(class)?.map_or(Ok(false), |class| value.is_instance(&class))
}
