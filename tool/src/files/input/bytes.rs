//! The bytes of a file, of which parts are read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// A file, or an entry of an archive, which is unpacked.
pub(super) enum Bytes {
    File { file: File, len: u64 },
    Memory(Vec<u8>),
}

impl Bytes {
    pub(super) fn of(file: File) -> Result<Self, String> {
        let len = file.metadata().map_err(unread)?.len();
        Ok(Self::File { file, len })
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::File { len, .. } => *len,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads `count` bytes from a place on.
    pub(super) fn read(&self, place: u64, count: usize) -> Result<Vec<u8>, String> {
        // The caller has compared the count with the length, so a file cannot ask for more memory than it has bytes.
        let mut part = vec![0; count];
        self.fill(place, &mut part)?;
        Ok(part)
    }

    /// Reads as many bytes as `part` has from a place on.
    pub(super) fn fill(&self, place: u64, part: &mut [u8]) -> Result<(), String> {
        match self {
            Self::File { file, .. } => {
                let mut file = file;
                file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(part)).map_err(unread)
            }
            Self::Memory(bytes) => {
                let from = usize::try_from(place).unwrap_or(usize::MAX);
                let found = bytes.get(from..).and_then(|rest| rest.get(..part.len()));
                part.copy_from_slice(found.ok_or("cannot be read: it is too short")?);
                Ok(())
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn unread(error: std::io::Error) -> String {
    format!("cannot be read: {error}")
}
