//! Writes and inspects whole files of tables, for build scripts and for the macro.
//!
//! Reading and writing go through closures, so that this needs only `alloc`. If it needed `std`, the macro would enable
//! `std` also for targets that do not have it: Cargo's first feature resolver builds this crate with the same features
//! for the macro and for the target.

use alloc::{borrow::Cow, format, vec, vec::Vec};

use crate::bake::checksum::Checksum;
use crate::bake::file_format::{FIXED, MAGIC, SEAL, WRITER, little_endian};
use crate::bake::source::CheckedTable;
use crate::element::Element;
use crate::element::bits::as_bytes;

/// A table as a file, in the byte order of the target.
#[derive(Clone, Copy)]
pub struct TableFile<'t, T> {
    /// The table.
    pub table: &'t (dyn CheckedTable<T> + 't),
    /// The byte order of the target.
    pub big_endian: bool,
}

impl<T: Element> TableFile<'_, T> {
    /// Returns a hash of everything that the file depends on, as a name for it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.table.fingerprint(self.big_endian)
    }

    /// Passes the file to `write`, in pieces.
    ///
    /// # Errors
    ///
    /// Returns the errors of `write`.
    pub fn write<E>(&self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        /// Large enough for the fast tier to reach its full speed.
        const BYTES: usize = 1 << 22;
        let Self { table, big_endian } = *self;
        let [seq_len, d_model] = table.shape();
        let mut checksum = Checksum::new();
        let mut write_hashed = |bytes: &[u8]| {
            checksum.add(bytes);
            write(bytes)
        };
        let rows = (BYTES / size_of::<T>() / d_model).clamp(1, seq_len.max(1));
        let mut buffer = vec![T::default(); rows * d_model];
        let mut row = 0;
        while row < seq_len {
            let entries = &mut buffer[..rows.min(seq_len - row) * d_model];
            table.fill(row, entries);
            write_hashed(&in_byte_order(entries, big_endian))?;
            row += rows;
        }
        write_hashed(&self.end())?;
        write(&checksum.finish().to_le_bytes())?;
        write(&MAGIC)
    }

    /// Returns whether a file of `len` bytes is this one, unchanged. `read` reads a piece of it at an offset.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn is<E>(&self, len: u64, mut read: impl FnMut(u64, &mut [u8]) -> Result<(), E>) -> Result<bool, E> {
        let (entries, end) = (self.table.bytes(), self.end());
        if len != (entries + end.len() + SEAL) as u64 {
            return Ok(false);
        }
        let mut found = vec![0; end.len()];
        read(entries as u64, &mut found)?;
        Ok(found == end && inspect_file(len, read)? == Found::Sound)
    }

    /// Returns the end of the file up to its checksum, which identifies the table.
    fn end(&self) -> Vec<u8> {
        let order = if self.big_endian { "big" } else { "little" };
        let text = format!("{} ({order}-endian, {WRITER}", self.table.call());
        let mut end = text.as_bytes().to_vec();
        end.extend((text.len() as u32).to_le_bytes());
        end.extend(self.fingerprint().to_le_bytes());
        end
    }
}

/// Returns the bytes of entries in the byte order of the target.
#[must_use]
pub fn in_byte_order<T: Element>(entries: &[T], big_endian: bool) -> Cow<'_, [u8]> {
    let bytes = as_bytes(entries);
    if big_endian == cfg!(target_endian = "big") {
        return Cow::Borrowed(bytes);
    }
    let mut swapped = bytes.to_vec();
    swapped.chunks_exact_mut(size_of::<T>()).for_each(<[u8]>::reverse);
    Cow::Owned(swapped)
}

/// The condition of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A table as this version writes it.
    Sound,
    /// Not as it was written.
    Damaged,
    /// Written by another version.
    Foreign,
}

/// Inspects a whole file of `len` bytes, of which `read` reads a piece at an offset.
///
/// This would take constant evaluation too long. Whether the file holds the requested table is checked by
/// `entries_of_file`.
///
/// # Errors
///
/// Returns the errors of `read`.
pub fn inspect_file<E>(len: u64, mut read: impl FnMut(u64, &mut [u8]) -> Result<(), E>) -> Result<Found, E> {
    let mut end = [0; WRITER.len() + FIXED];
    let Some(start) = len.checked_sub(end.len() as u64) else { return Ok(Found::Damaged) };
    read(start, &mut end)?;
    let (writer, fixed) = end.split_at(WRITER.len());
    let (checksum, magic) = fixed[FIXED - SEAL..].split_at(8);
    if *magic != MAGIC {
        return Ok(if magic.starts_with(b"posenc ") { Found::Foreign } else { Found::Damaged });
    }
    if Checksum::of_file(len - SEAL as u64, read)? != little_endian(checksum) {
        return Ok(Found::Damaged);
    }
    Ok(if writer == WRITER.as_bytes() { Found::Sound } else { Found::Foreign })
}
