//! Arrays in Rust.

use super::parts::{Facts, Parts, append_array};
use crate::element::Stored;

pub(super) fn parts<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    facts.refuse_vector()?;
    let name = facts.identifier()?;
    let [rows, columns] = facts.shape;
    let (version, call, note) = (env!("CARGO_PKG_VERSION"), facts.call, T::NOTE);
    let note = if note.is_empty() { String::new() } else { format!("///\n/// {note}\n") };
    // Short literals may be those of constants such as 1/sqrt(2), and names may be in lower case.
    let before = format!(
        "/// Positional encodings: {rows} x {columns} {}, each entry correctly rounded.\n{note}\
         ///\n/// Written by posenc {version}; the table of `{call}`.\n\
         #[rustfmt::skip]\n\
         #[allow(non_upper_case_globals, clippy::approx_constant, clippy::unreadable_literal)]\n\
         pub static {name}: [[{}; {columns}]; {rows}] = [\n",
        T::DTYPE,
        T::RUST
    );
    Ok(Parts {
        before: before.into_bytes(),
        append_row: |row, code| append_array(row, ['[', ']'], T::rust, code),
        after: "];\n",
    })
}
