//! The bytes of a file, of which parts are read.

use std::io;

/// The bytes of a file, of which parts are read in any order.
pub trait Source {
    /// Returns the number of bytes.
    fn size(&self) -> u64;

    /// Reads as many bytes as `part` has from a place on.
    ///
    /// # Errors
    ///
    /// Returns an error if the source has not so many bytes, or if they cannot be read.
    fn fill(&self, place: u64, part: &mut [u8]) -> io::Result<()>;
}

impl Source for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn fill(&self, place: u64, part: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(place).unwrap_or(usize::MAX);
        let found = self.get(from..).and_then(|rest| rest.get(..part.len()));
        part.copy_from_slice(found.ok_or_else(|| io::Error::other("it is too short"))?);
        Ok(())
    }
}

/// Reads as many bytes as `part` has from a place on.
pub(crate) fn fill(source: &dyn Source, place: u64, part: &mut [u8]) -> Result<(), String> {
    source.fill(place, part).map_err(|error| format!("cannot be read: {error}"))
}

/// Reads `count` bytes from a place on.
///
/// The caller has compared the count with the size, so a file cannot ask for more memory than it has bytes.
pub(crate) fn read(source: &dyn Source, place: u64, count: usize) -> Result<Vec<u8>, String> {
    let mut part = vec![0; count];
    fill(source, place, &mut part)?;
    Ok(part)
}
