//! What is said of a table: its sizes, and how to make it elsewhere.

use posenc_text::request::Request;
use posenc_text::rule::between_commas;
use posenc_text::with_stored;
use serde::Serialize;

use crate::columns;
use posenc_web_shared::request::Wish;

/// The sizes of a table, and the calls that make it.
#[derive(Serialize)]
pub(crate) struct Description {
    rows: usize,
    columns: usize,
    bytes: usize,
    /// The position of the first row, and the distance to the next one. They are 0 and 1 for a table of several axes.
    start: i64,
    step: i64,
    /// The row of a table of one axis that holds zeros.
    zero_row: Option<usize>,
    /// The macro call in Rust.
    r#macro: String,
    /// The parameters that are not the defaults, and their values.
    values: Vec<[String; 2]>,
    /// What the entries are at most, whatever their sign.
    largest: f64,
}

pub(crate) fn describe(wish: &Wish) -> Result<Description, String> {
    let request = wish.request()?;
    let of_rows = request.packed()?.map(|spec| spec.parameters());
    let (start, step) = of_rows.map_or((0, 1), |rows| (rows.start.unwrap_or(0), rows.step));
    let zero_row = of_rows.and_then(|rows| rows.zero_row);
    with_stored!(wish.dtype()?, T => {
        let rows = request.rows::<T>()?;
        let ([seq_len, columns], bytes, call) = (rows.shape(), rows.bytes(), rows.call());
        let (values, largest) = (values(&call), largest(&request, columns)?);
        Ok(Description { rows: seq_len, columns, bytes, start, step, zero_row, r#macro: call, values, largest })
    })
}

/// Reads the parameters of a macro call.
fn values(call: &str) -> Vec<[String; 2]> {
    let arguments = call.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    let named = between_commas(arguments).into_iter().filter_map(|argument| argument.split_once(" = "));
    named.map(|(key, value)| [key, value].map(str::to_owned)).collect()
}

/// Returns the factor of the sines and cosines. Only integers and fixed-point numbers are drawn without it.
fn largest(request: &Request, columns: usize) -> Result<f64, String> {
    if columns == 0 || request.quantiser.is_some() {
        return Ok(1.0);
    }
    let amplitude = columns::of(request, 0)?.amplitude.abs();
    Ok(if amplitude > 0.0 { amplitude } else { 1.0 })
}
