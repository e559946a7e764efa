//! The lines of the list: a hash of each table.

use std::fmt::Write;

use posenc::{Flat, Rows};
use sha2::{Digest, Sha256};

use crate::bits::Bits;

pub fn add<T: Bits>(lines: &mut String, entry_point: &str, of: &str, rows: &(impl Rows<T> + ?Sized)) {
    let mut hash = Sha256::new();
    let mut bytes = Vec::new();
    for i in 0..rows.seq_len() {
        bytes.clear();
        for entry in rows.row(i) {
            // The low bytes first, on machines of either byte order.
            bytes.extend_from_slice(&entry.bits().to_le_bytes()[..size_of::<T>()]);
        }
        hash.update(&bytes);
    }
    let digits = digits(&hash.finalize());
    let (seq_len, d_model) = (rows.seq_len(), rows.row(0).len());
    writeln!(lines, "{digits} {entry_point} {} {seq_len}x{d_model} {of}", T::DTYPE).expect("a string");
}

pub fn flat<T: Bits>(entries: &[T], d_model: usize) -> Flat<'_, T> {
    Flat::new(entries, d_model).expect("whole rows")
}

pub fn digits(hash: &[u8]) -> String {
    hash.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}
