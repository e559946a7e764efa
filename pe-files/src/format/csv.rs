//! Comma-separated values, without a header.

use super::parts::{Facts, Parts};
use crate::element::Stored;

pub(super) fn parts<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    facts.refuse_name("csv")?;
    let append_row = |row: &[T], line: &mut Vec<u8>| {
        for (i, entry) in row.iter().enumerate() {
            if i > 0 {
                line.push(b',');
            }
            entry.decimal(line)?;
        }
        line.push(b'\n');
        Ok(())
    };
    Ok(Parts { before: Vec::new(), append_row, after: "" })
}
