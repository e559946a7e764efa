//! The arrays of a .npz file, which is a zip archive of .npy files.

use std::io::{self, Read};
use std::rc::Rc;

use flate2::read::DeflateDecoder;
use posenc_text::words::listed;
use rawzip::{
    CompressionMethod, Error, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator,
};

use super::npy;
use super::sentences::{SAVE, with_suffix};
use super::shape::{As, squeezed};
use super::table::{Content, Tabular};
use crate::source::Source;

/// An archive of arrays.
pub(super) struct Archive {
    archive: ZipArchive<Reader>,
    arrays: Vec<Array>,
}

impl Archive {
    /// Reads the list of the arrays.
    pub(super) fn open(bytes: Rc<dyn Source>) -> Result<Self, String> {
        let (end, mut buffer) = (bytes.size(), vec![0; RECOMMENDED_BUFFER_SIZE]);
        let found = ZipLocator::new().locate_in_reader(Reader(bytes), &mut buffer, end);
        let archive = found.map_err(|(_, error)| damaged(error))?;
        let mut arrays = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(damaged)? {
            let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            if path.ends_with("data.pkl") {
                return Err(format!("is a file of PyTorch with a Python pickle, which could run code; {SAVE}"));
            }
            if let Some(name) = path.strip_suffix(".npy") {
                let (method, len) = (entry.compression_method(), entry.uncompressed_size_hint());
                arrays.push(Array { name: name.to_owned(), method, len, place: entry.wayfinder() });
            }
        }
        Ok(Self { archive, arrays })
    }

    pub(super) fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// Returns the table with this name, or the only one.
    pub(super) fn table(&self, name: Option<&str>) -> Result<Content, String> {
        self.read(self.chosen(name)?, squeezed).and_then(|table| table)
    }

    /// Reads an array as the .npy file that it is.
    pub(super) fn read(&self, array: &Array, read_as: As) -> Result<Tabular, String> {
        let entry = self.archive.get_entry(array.place).map_err(damaged)?;
        match array.method {
            CompressionMethod::STORE => array.read(entry.verifying_reader(entry.reader()), read_as),
            CompressionMethod::DEFLATE => {
                array.read(entry.verifying_reader(DeflateDecoder::new(entry.reader())), read_as)
            }
            _ => Err(format!("has the array `{}` in an unknown compression; use numpy.savez_compressed", array.name)),
        }
    }

    fn chosen(&self, name: Option<&str>) -> Result<&Array, String> {
        let names = || self.arrays.iter().map(Array::name).collect::<Vec<_>>();
        match (name, self.arrays.as_slice()) {
            (_, []) => Err(format!("is an archive without arrays; {SAVE}")),
            (Some(name), arrays) => arrays.iter().find(|array| array.name == name).ok_or_else(|| {
                let hint = with_suffix(name, &names());
                format!("has no array `{name}`{hint}; its arrays are {}", listed(&names()))
            }),
            (None, [array]) => Ok(array),
            (None, _) => Err(format!("has several arrays; choose one with --name: {}", listed(&names()))),
        }
    }
}

/// A source as the reader of archives takes it.
struct Reader(Rc<dyn Source>);

impl ReaderAt for Reader {
    fn read_at(&self, buffer: &mut [u8], place: u64) -> io::Result<usize> {
        let rest = usize::try_from(self.0.size().saturating_sub(place)).unwrap_or(usize::MAX);
        let count = buffer.len().min(rest);
        if count == 0 {
            // An archive may name places after the end, which a source has not.
            return Ok(0);
        }
        self.0.fill(place, &mut buffer[..count]).map(|()| count)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn damaged(error: Error) -> String {
    format!("is damaged: {error}")
}

pub(super) struct Array {
    /// The name without the extension.
    name: String,
    method: CompressionMethod,
    /// The number of bytes, if the archive is not damaged.
    len: u64,
    place: ZipArchiveEntryWayfinder,
}

impl Array {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the header, and the rest only if it describes a table: a small archive may contain any number of bytes.
    fn read(&self, mut reader: impl Read, read_as: As) -> Result<Tabular, String> {
        let mut bytes = Vec::new();
        let mut append = |most: u64, bytes: &mut Vec<u8>| {
            let read = reader.by_ref().take(most).read_to_end(bytes);
            read.map_err(|error| match error.kind() {
                io::ErrorKind::OutOfMemory => {
                    format!("has the array `{}`, for which there is not enough memory", self.name)
                }
                _ => format!("is damaged: {error}"),
            })
        };
        append(npy::MOST_START, &mut bytes)?;
        if let Err(reason) = npy::header(&bytes, read_as)? {
            return Ok(Err(reason));
        }
        // The reader checks the bytes after the last one.
        append(self.len.saturating_add(1), &mut bytes)?;
        npy::table(Rc::new(bytes), read_as)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use rawzip::ReaderAt;

    use super::Reader;

    #[test]
    fn nothing_is_after_the_end() {
        let (reader, mut buffer) = (Reader(Rc::new(vec![1, 2, 3])), [0; 2]);
        let found = [0, 2, 3, 4, u64::MAX].map(|place| reader.read_at(&mut buffer, place).unwrap());
        assert_eq!(found, [2, 1, 0, 0, 0]);
    }
}
