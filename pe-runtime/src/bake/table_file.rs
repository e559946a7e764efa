//! Writes and inspects whole files of tables, for build scripts and for the macro.
//!
//! Reading and writing go through closures, so that this needs only `alloc`. If it needed `std`, the macro would enable
//! `std` also for targets that do not have it: Cargo's first feature resolver builds this crate with the same features
//! for the macro and for the target.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::bake::checksum::Checksum;
use crate::bake::file_format::{FIXED, MAGIC, SEAL, WRITER, little_endian};
use crate::bake::source::CheckedTable;

/// A table as a file, in the byte order of the target.
#[derive(Clone, Copy)]
pub struct TableFile<'t> {
    /// The table.
    pub table: &'t CheckedTable<'t>,
    /// The byte order of the target.
    pub big_endian: bool,
}

impl TableFile<'_> {
    /// Passes the file to `write`, in pieces.
    ///
    /// # Errors
    ///
    /// Returns the errors of `write`.
    pub fn write<E>(&self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut checksum = Checksum::new();
        let mut write_hashed = |bytes: &[u8]| {
            checksum.add(bytes);
            write(bytes)
        };
        self.table.write(self.big_endian, &mut write_hashed)?;
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
        end.extend(self.table.fingerprint(self.big_endian).to_le_bytes());
        end
    }
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
