//! The presets, and the class `PresetInfo`.

use posenc_text::presets::{Described, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;

/// The kinds of tables, as the functions are named.
const KINDS: [(&str, Kind); 4] =
    [("sinusoidal", Kind::Table), ("rotary", Kind::Rope), ("grid", Kind::Grid), ("rotary_grid", Kind::Axial)];

/// What is known of a preset.
#[pyclass(frozen, module = "posenc")]
pub(crate) struct PresetInfo {
    /// The name.
    #[pyo3(get)]
    name: &'static str,
    /// `sinusoidal`, `rotary`, `grid` or `rotary_grid`, as the functions are named.
    #[pyo3(get)]
    kind: &'static str,
    /// The formula, the sizes or the axes, in short.
    #[pyo3(get)]
    table: String,
    /// The models and libraries that use it, and a note.
    #[pyo3(get)]
    models: String,
    /// What the parameters were read from.
    #[pyo3(get)]
    source: Option<&'static str>,
    /// The keys that differ from the defaults, or the macro call of an example.
    #[pyo3(get)]
    parameters: String,
    /// The names of other presets of the kind that make the same table.
    #[pyo3(get)]
    same: Vec<&'static str>,
    /// Names elsewhere.
    #[pyo3(get)]
    see_also: Vec<&'static str>,
    /// The command that writes an example to a file.
    #[pyo3(get)]
    command: String,
    text: String,
}

impl PresetInfo {
    fn of(kind: &'static str, described: Described) -> Self {
        let text = described.text().trim_end().to_owned();
        let Described { name, table, models, source, parameters, same, see_also, command, .. } = described;
        Self { name, kind, table, models, source, parameters, same, see_also, command, text }
    }
}

#[pymethods]
impl PresetInfo {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let Self { name, kind, models, .. } = self;
        format!("<posenc.PresetInfo {name} ({kind}): {models}>")
    }
}

/// Returns all presets by name, or the presets of one kind.
///
/// Args:
///     kind: "sinusoidal", "rotary", "grid" or "rotary_grid", as the functions are named.
///
/// Raises:
///     ValueError: `kind` is another word.
///
/// Example:
///     >>> import posenc
///     >>> print(posenc.presets("rotary")["llama3_1"].models)
///     Llama 3.1 and 3.3
#[pyfunction]
#[pyo3(signature = (kind = None))]
pub(crate) fn presets<'py>(py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    if let Some(kind) = kind.filter(|kind| KINDS.iter().all(|(known, _)| known != kind)) {
        let kinds = KINDS.map(|(kind, _)| format!("`{kind}`")).join(", ");
        return Err(value_error(format!("`kind` is `{kind}`, but must be one of {kinds}")));
    }
    let all = PyDict::new(py);
    for (name, presets) in KINDS.into_iter().filter(|(name, _)| kind.is_none_or(|kind| kind == *name)) {
        for described in presets.presets() {
            all.set_item(described.name, PresetInfo::of(name, described))?;
        }
    }
    Ok(all)
}
