//! What is said of a table: its sizes, and how to make it elsewhere.

use posenc_text::with_stored;
use serde::Serialize;

use crate::request::Wish;

/// The sizes of a table, and the calls that make it.
#[derive(Serialize)]
pub(crate) struct Description {
    rows: usize,
    columns: usize,
    bytes: usize,
    /// The macro call in Rust.
    r#macro: String,
}

pub(crate) fn describe(wish: &Wish) -> Result<Description, String> {
    let request = wish.request()?;
    with_stored!(wish.dtype()?, T => {
        let rows = request.rows::<T>()?;
        let [seq_len, columns] = rows.shape();
        Ok(Description { rows: seq_len, columns, bytes: rows.bytes(), r#macro: rows.call() })
    })
}
