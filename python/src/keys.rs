//! Keyword arguments as parameters.

use std::sync::LazyLock;

use posenc::reflection::{
    self, AMPLITUDE_EXPECTED, Access, Kind, Names, Of, PARAMETERS, Parameter, TableKind, Value, ValueError, find_key,
};
use posenc_text::given::{Given, GivenValues};
use posenc_text::names::choice;
use posenc_text::rule::{OwnedRule, rule};
use posenc_text::values::{exactly, quotient};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PySequence, PyString, PyTuple};

use crate::array::Array;
use crate::errors::{shown, type_error, value_error, wrong_type};

/// The keyword arguments of every function that are no parameters.
const OWN: [&str; 3] = ["preset", "dtype", "out"];

/// Names elsewhere for the arguments that are no parameters.
const ELSEWHERE: &[(&str, &str)] = &[
    // Only tables of several axes have no such parameter.
    ("attention_factor", "a rule without one, because axes would differ in it"),
    ("max_len", "`seq_len`, the first argument"),
    ("max_position_embeddings", "`seq_len`, the first argument"),
    ("embed_dim", "`d_model`, the second argument"),
    ("dim", "the second argument"),
    ("img_size", "the shape: img_size / patch_size points along each axis"),
    ("patch_size", "the shape: img_size / patch_size points along each axis"),
    ("grid_size", "the shape, the first argument"),
    ("positions", "`posenc.encode`, or `posenc.rotary` for rotary embeddings"),
    ("rope_theta", "`base`"),
    ("device", "`.torch(device)` of the table"),
    ("model", "`preset`"),
    ("type", "`dtype`"),
];

/// The keyword arguments of each kind of table.
static KEYS: LazyLock<[Names; 4]> = LazyLock::new(|| {
    TableKind::ALL.iter().map(|table| names(*table)).collect::<Vec<_>>().try_into().expect("there are four kinds")
});

fn names(table: TableKind) -> Names {
    let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_of(table)).map(|parameter| parameter.key);
    let all: Vec<_> = parameters.chain(OWN).collect();
    let elsewhere = if table == TableKind::Axial { ELSEWHERE } else { &ELSEWHERE[1..] };
    Names { of: Of::Things("key"), all: all.leak(), paths: &[], elsewhere }
}

/// Returns the keyword arguments of a function that are parameters.
#[pyfunction(name = "_keys")]
pub(crate) fn keys(kind: &str) -> PyResult<Vec<&'static str>> {
    let table = match kind {
        "sinusoidal" => TableKind::Sinusoidal,
        "rotary" => TableKind::Rotary,
        "grid" => TableKind::Grid,
        "rotary_grid" => TableKind::Axial,
        _ => return Err(value_error(format!("unknown kind `{kind}`"))),
    };
    let own = PARAMETERS.iter().filter(|parameter| parameter.is_of(table));
    Ok(own.filter(|parameter| parameter.key != "packing").map(|parameter| parameter.key).collect())
}

/// Reads the parameters of a kind of table. An argument that is `None` is not given.
pub(crate) fn given(keys: Option<&Bound<'_, PyDict>>, table: TableKind) -> PyResult<Given> {
    let Some(keys) = keys else { return Ok(Given::default()) };
    let mut given = Vec::with_capacity(keys.len());
    for (key, value) in keys {
        let key = key.cast_into::<PyString>()?;
        let parameter = parameter(key.to_str()?, table)?;
        if !value.is_none() {
            given.push((parameter, values(parameter, &value, table)?));
        }
    }
    Ok(Given::new(given))
}

/// Returns the parameter of a key.
fn parameter(key: &str, table: TableKind) -> PyResult<&'static Parameter> {
    // The functions that make packed tables have an argument for it.
    let found = PARAMETERS.iter().find(|parameter| parameter.key == key && key != "packing" && parameter.is_of(table));
    found.ok_or_else(|| {
        let i = TableKind::ALL.iter().position(|kind| *kind == table).expect("there are four kinds");
        match find_key(&KEYS[i], table, key) {
            Err(unknown) => type_error(unknown),
            Ok(_) => type_error(format!("`{key}` does not apply to this function; leave it out")),
        }
    })
}

/// Reads what is given for a parameter.
fn values(parameter: &'static Parameter, value: &Bound<'_, PyAny>, table: TableKind) -> PyResult<GivenValues> {
    let key = parameter.key;
    let each = if parameter.by_axis && table.has_axes() { elements(value) } else { None };
    match parameter.kind {
        Kind::Numbers => match each {
            // A sequence that contains lists has one for each axis.
            Some(lists) if lists.is_empty() || lists.iter().any(is_list) => {
                lists.iter().map(|list| numbers(key, list)).collect::<PyResult<_>>().map(GivenValues::Lists)
            }
            _ => Ok(GivenValues::Lists(vec![numbers(key, value)?])),
        },
        Kind::Scaling => {
            let rules = each.unwrap_or_else(|| vec![value.clone()]);
            rules.iter().map(scaling).collect::<PyResult<_>>().map(GivenValues::Rules)
        }
        Kind::Axes => axes(key, value).map(GivenValues::Axes),
        _ => {
            let each = each.unwrap_or_else(|| vec![value.clone()]);
            each.iter().map(|value| one(parameter, value)).collect::<PyResult<_>>().map(GivenValues::Values)
        }
    }
}

/// Reads a value that is not a list, a rule or an order of axes, and checks it alone.
fn one(parameter: &'static Parameter, value: &Bound<'_, PyAny>) -> PyResult<Value<'static>> {
    let key = parameter.key;
    let read = match parameter.kind {
        Kind::Choice(names) => match value.cast::<PyString>() {
            Ok(text) => choice(names, text.to_str()?).map(|i| Value::Word(names.all[i])).map_err(value_error)?,
            Err(_) => return Err(wrong_type(key, value, &format!("a name such as `{}`", names.all[0]))),
        },
        Kind::Integer => Value::Integer(reflection::position(key, integer(key, value)?).map_err(value_error)?),
        Kind::Size => Value::Size(size(key, value)?),
        Kind::Quotient => fraction(key, value)?,
        Kind::Amplitude => match value.cast::<PyString>() {
            Ok(word) => reflection::amplitude_of_word(word.to_str()?)
                .map(Value::Amplitude)
                .ok_or_else(|| value_error(format!("`{key}` is `{word}`, but must be {AMPLITUDE_EXPECTED}")))?,
            Err(_) => Value::Number(number(key, value, AMPLITUDE_EXPECTED)?),
        },
        _ => Value::Number(number(key, value, "a number")?),
    };
    if let Access::Spec { check, .. } = parameter.access {
        check(read).map_err(value_error)?;
    }
    Ok(read)
}

/// Reads a number: a float, or an integer that is exactly one.
pub(crate) fn number(key: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyResult<f64> {
    if let Ok(float) = value.cast::<PyFloat>() {
        return Ok(float.value());
    }
    // NumPy has a bool of its own.
    let is_bool = value.is_instance_of::<PyBool>() || value.get_type().name()?.to_str()?.starts_with("bool");
    if is_bool || value.is_instance_of::<PyString>() {
        return Err(wrong_type(key, value, expected));
    }
    if let Ok(integer) = value.call_method0("__index__") {
        let exact = integer.extract::<i128>().ok().and_then(exactly);
        return exact.ok_or_else(|| {
            value_error(format!("`{key}` is {}, but integers must be from -2^53 to 2^53; write a float", shown(value)))
        });
    }
    let float: f64 = value.extract().map_err(|_| wrong_type(key, value, expected))?;
    // Fractions, decimals and wider floats may lie between two floats.
    if float.is_nan() || value.eq(float)? {
        return Ok(float);
    }
    Err(value_error(format!("`{key}` is {}, which is not exactly a float; write `float(...)` of it", shown(value))))
}

/// Reads an integer.
pub(crate) fn integer(key: &str, value: &Bound<'_, PyAny>) -> PyResult<i128> {
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(key, value, "an integer"));
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        return Err(type_error(ValueError::not_an_integer(key, float.value())));
    }
    let index = value.call_method0("__index__").map_err(|_| wrong_type(key, value, "an integer"))?;
    index.extract().map_err(|_| {
        let max = i128::MAX;
        value_error(format!("`{key}` is out of range: integers must be from -{max} to {max}"))
    })
}

/// Reads a number of rows or columns.
pub(crate) fn size(key: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    reflection::size(key, integer(key, value)?).map_err(value_error)
}

/// Reads an integer or a quotient of two: an `int`, a `Fraction`, or text such as `8/15`.
fn fraction(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value<'static>> {
    if let Ok(text) = value.cast::<PyString>() {
        let (over, under) = quotient(key, text.to_str()?).map_err(value_error)?;
        return Ok(Value::Quotient(over, under));
    }
    let is_number = value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyBool>();
    let (Ok(over), Ok(under), false) = (value.getattr("numerator"), value.getattr("denominator"), is_number) else {
        return Err(wrong_type(key, value, "an int, a Fraction, or text such as \"8/15\""));
    };
    let part = |part: &Bound<'_, PyAny>| reflection::position(key, integer(key, part)?).map_err(value_error);
    Ok(Value::Quotient(part(&over)?, part(&under)?))
}

fn scaling(value: &Bound<'_, PyAny>) -> PyResult<OwnedRule> {
    match value.cast::<PyString>() {
        Ok(text) => rule(text.to_str()?).map_err(value_error),
        Err(_) => Err(wrong_type("scaling", value, "a rule with its arguments, such as \"linear(8)\"")),
    }
}

/// Reads the names of axes: a sequence of them, or text such as `w,h`.
fn axes(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = || wrong_type(key, value, "the names of the axes, such as \"w,h\"");
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.split(',').map(|name| name.trim().to_owned()).collect());
    }
    let names = elements(value).ok_or_else(wrong)?;
    names.iter().map(|name| name.extract::<String>().map_err(|_| wrong())).collect()
}

/// Reads a list of numbers: a sequence of them, or an array of one axis.
pub(crate) fn numbers(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    const EXPECTED: &str = "a list of numbers, or an array of one axis";
    match elements(value) {
        Some(list) => list.iter().map(|number| self::number(key, number, "a list of numbers")).collect(),
        None if value.is_instance_of::<PyString>() => Err(wrong_type(key, value, EXPECTED)),
        None => Array::numbers(value, key).map_err(|error| {
            let is_array = value.hasattr("__dlpack__").unwrap_or(false) || value.hasattr("__array__").unwrap_or(false);
            if is_array { error } else { wrong_type(key, value, EXPECTED) }
        }),
    }
}

fn is_list(value: &Bound<'_, PyAny>) -> bool {
    let has_axes = || value.getattr("ndim").and_then(|axes| axes.extract::<usize>()).is_ok_and(|axes| axes > 0);
    elements(value).is_some() || has_axes()
}

/// Returns the elements of a list, a tuple or another sequence that is not an array and not text.
pub(crate) fn elements<'py>(value: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Some(tuple.iter().collect());
    }
    if let Ok(list) = value.cast::<PyList>() {
        return Some(list.iter().collect());
    }
    if value.is_instance_of::<PyString>() || value.hasattr("__dlpack__").unwrap_or(false) {
        return None;
    }
    value.cast::<PySequence>().ok()?.try_iter().ok()?.collect::<PyResult<_>>().ok()
}
