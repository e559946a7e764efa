//! Identifying a table, and the classes `Answer` and `Match`.

use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use posenc::Rope;
use posenc_identify::{
    Candidate, ElementType, Found, FrequencyVector, Lists, Named, Options, Outcome, Rows, identify as identified,
    identify_vector,
};
use posenc_text::identified::{Told, call, command};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::array::Array;
use crate::dtype::name_in_python;
use crate::errors::{type_error, value_error};
use crate::keys::number;
use crate::requests;

/// What made a table: whether that is certain, what fits, and what is said of it.
///
/// An answer is a sequence of its matches, the most likely first. It is true if something fits.
#[pyclass(frozen, sequence, module = "posenc")]
pub(crate) struct Answer {
    outcome: Outcome,
    matches: Vec<Match>,
    told: Told,
}

#[pymethods]
impl Answer {
    /// "identified", "several" if it is not certain which of the matches it is, or "nothing".
    #[getter]
    fn outcome(&self) -> &'static str {
        match self.outcome {
            Outcome::Identified => "identified",
            Outcome::Several => "several",
            Outcome::Nothing => "nothing",
        }
    }

    /// What fits, the most likely first.
    #[getter]
    fn matches(&self) -> Vec<Match> {
        self.matches.clone()
    }

    /// What is said of the table: names and texts, such as `("note", "...")`.
    #[getter]
    fn lines(&self) -> Vec<(&'static str, String)> {
        self.told.lines.clone()
    }

    fn __bool__(&self) -> bool {
        !self.matches.is_empty()
    }

    fn __len__(&self) -> usize {
        self.matches.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Match> {
        let i = if index < 0 { self.matches.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        i.and_then(|i| self.matches.get(i).cloned()).ok_or_else(|| PyIndexError::new_err("there is no such match"))
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Py<PyIterator>> {
        Ok(slf.get().matches().into_pyobject(slf.py())?.try_iter()?.unbind())
    }

    fn __str__(&self) -> String {
        self.told.text().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("<posenc.Answer {}: {}>", self.outcome(), self.told.title)
    }
}

/// A table that fits, or a vector of frequencies.
#[pyclass(frozen, get_all, module = "posenc")]
#[derive(Clone)]
pub(crate) struct Match {
    /// `sinusoidal`, `rotary`, `grid`, `rotary_grid`, `inv_freq`, `periods` or `frequency_factors`.
    kind: &'static str,
    /// The presets that make it, some with a start, rows of zeros or an extent, as `macro` has them.
    presets: Vec<String>,
    /// The name of the type of the entries.
    dtype: &'static str,
    /// The macro call that makes the table.
    r#macro: String,
    /// The command that writes the table to a file.
    command: Option<String>,
    /// Whether it makes the same entries as the first match.
    same_table: bool,
    /// The largest difference from the exact table, in steps if the entries are integers.
    max_abs_error: f64,
    /// The number of entries that are not the exact ones.
    inexact: usize,
}

#[pymethods]
impl Match {
    fn __repr__(&self) -> String {
        format!("<posenc.Match {}>", self.r#macro)
    }
}

/// The file that the commands of matches write.
const OUTPUT: &str = "exact.safetensors";

impl Match {
    fn of(candidate: &Candidate, seq_len: usize) -> Self {
        let (kind, presets): (_, Vec<_>) = match &candidate.found {
            Found::Sinusoidal { presets, .. } => ("sinusoidal", names(presets)),
            Found::Rotary { presets, .. } => ("rotary", names(presets)),
            Found::Grid { presets, .. } => ("grid", names(presets)),
            Found::Axial { presets, .. } => ("rotary_grid", names(presets)),
        };
        Self {
            kind,
            presets,
            dtype: name_in_python(candidate.dtype),
            r#macro: call(candidate, seq_len),
            command: Some(command(candidate, seq_len, OUTPUT)),
            same_table: candidate.is_same,
            max_abs_error: candidate.distance.largest,
            inexact: candidate.distance.inexact,
        }
    }

    fn of_vector(found: &FrequencyVector, told: &Told, dtype: &'static str) -> Self {
        let of_axes = found.axial_presets.iter().map(ToString::to_string);
        let presets = names(&found.presets).into_iter().chain(of_axes);
        let command = told.lines.iter().find(|(name, _)| *name == "command").map(|(_, command)| command.clone());
        let rope: &Rope = &found.rope;
        Self {
            kind: found.kind.name(),
            presets: presets.collect(),
            dtype,
            r#macro: rope.to_string(),
            command,
            same_table: true,
            max_abs_error: found.largest,
            inexact: found.inexact,
        }
    }
}

/// The keys that presets leave to their users: sizes, and where the rows begin.
const OF_USERS: [&str; 7] = ["head_dim", "start", "zero_row", "zero_rows", "extent", "merge", "repeat"];

/// Returns the names of the presets that make a table, with no other parameters than their users set.
fn names<P: ToString>(presets: &[Named<'_, P>]) -> Vec<String> {
    let is_alone = |named: &&Named<'_, P>| named.changed.iter().all(|(key, _)| OF_USERS.contains(key));
    presets.iter().filter(is_alone).map(|named| named.preset.to_string()).collect()
}

/// Finds out which preset and parameters made a table, or a vector of frequencies.
///
/// The table may have been computed exactly, in float64 or in float32, and rounded to 16 bits after that.
///
/// Args:
///     found: The table: an array with rows and columns, of floats of 16 to 64 bits or integers of 8 to 32 bits. An
///         array of one axis is a vector: `inv_freq`, its reciprocals, or the factors of a rule.
///     shape: The points along each axis, if the table may be one of a grid. Without it, shapes of images are tried.
///     tolerance: The error of entries that is accepted in addition to rounding errors. Default: 0.
///
/// Returns:
///     An `Answer`: a sequence of matches, the most likely first. It is false if nothing fits.
///
/// Raises:
///     TypeError: `found` is not an array, or its dtype is that of no table.
///     ValueError: `found` has no rows and columns, or the tolerance is negative.
///
/// Example:
///     >>> import posenc
///     >>> answer = posenc.identify(posenc.sinusoidal(1500, 384, preset="whisper"))
///     >>> answer.outcome, "whisper" in answer[0].presets
///     ('identified', True)
///     >>> posenc.identify(posenc.inv_freq(preset="llama3_1"))[0].presets
///     ['llama3_1']
#[pyfunction]
#[pyo3(signature = (found, *, shape = None, tolerance = None))]
pub(crate) fn identify(
    py: Python<'_>,
    found: &Bound<'_, PyAny>,
    shape: Option<&Bound<'_, PyAny>>,
    tolerance: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let array = Array::of(found, "found")?;
    let is_vector = array.shape().len() == 1;
    let (array, size) = array.into_matrix("found")?;
    let element = array
        .kind()
        .element_type()
        .ok_or_else(|| type_error(format!("`found` has the dtype {}, which no table has", array.kind().name())))?;
    let dtype = array.kind().name();
    let rows = Readable { array, size, element, read: Mutex::new((Instant::now(), None)) };
    let shape = shape.map(requests::shape).transpose()?;
    let tolerance = tolerance.map_or(Ok(0.0), |tolerance| number("tolerance", tolerance, "a number"))?;
    if is_vector && (shape.is_some() || tolerance != 0.0) {
        return Err(type_error("`shape` and `tolerance` do not apply to a vector; leave them out"));
    }
    let answer = py.detach(|| {
        if is_vector {
            of_vector(&rows, dtype)
        } else {
            let options = Options::default().tolerance(tolerance);
            of_table(&rows, &shape.as_ref().map_or(options, |shape| options.shape(shape)))
        }
    });
    answer.map_err(|error| rows.stopped().unwrap_or_else(|| value_error(error)))
}

fn of_table(rows: &Readable, options: &Options) -> io::Result<Answer> {
    let lists = Lists::default();
    let answer = identified(rows, options, &lists)?;
    let matches = answer.candidates.iter().chain(&answer.twin);
    let matches = matches.map(|candidate| Match::of(candidate, rows.size[0])).collect();
    Ok(Answer { outcome: answer.outcome, matches, told: Told::of_answer(&answer, rows, options, OUTPUT) })
}

fn of_vector(rows: &Readable, dtype: &'static str) -> io::Result<Answer> {
    let told = Told::of_vector(rows, OUTPUT)?;
    let found = identify_vector(rows)?;
    let matches = found.iter().map(|found| Match::of_vector(found, &told, dtype)).collect();
    Ok(Answer { outcome: told.outcome, matches, told })
}

/// An array of the caller's that is read without the lock of the interpreter, except to handle signals.
struct Readable {
    array: Array,
    size: [usize; 2],
    element: ElementType,
    /// When signals were handled, and the exception of one.
    read: Mutex<(Instant, Option<PyErr>)>,
}

impl Readable {
    /// Returns the exception that stopped the reading.
    fn stopped(&self) -> Option<PyErr> {
        self.read.lock().ok()?.1.take()
    }
}

impl Rows for Readable {
    fn shape(&self) -> [usize; 2] {
        self.size
    }

    fn element_type(&self) -> ElementType {
        self.element
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
        const BETWEEN_CHECKS: Duration = Duration::from_millis(50);
        if let Ok(mut last) = self.read.lock()
            && last.0.elapsed() >= BETWEEN_CHECKS
        {
            last.0 = Instant::now();
            if let Some(error) = Python::attach(|py| py.check_signals().err()) {
                last.1 = Some(error);
                return Err(io::Error::other("a signal stopped the search"));
            }
        }
        self.array.read(rows, columns).map_err(|_| io::ErrorKind::OutOfMemory.into())
    }
}
