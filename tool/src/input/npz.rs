//! The arrays of a .npz file, which is a zip archive of .npy files.

use std::fs::File;
use std::io::Read;

use flate2::read::DeflateDecoder;
use posenc::__private::names::Listed;
use rawzip::{CompressionMethod, Error, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

use super::SAVE;
use super::bytes::Bytes;

/// Returns an array, the one with this name or the only one, as the .npy file that it is.
pub(super) fn array(archive: Bytes, name: Option<&str>) -> Result<Bytes, String> {
    match archive {
        Bytes::File { file, .. } => read(file, name).map(Bytes::Memory),
        Bytes::Memory(_) => {
            Err("is an archive, but not a regular file; save it as one, or use `-` for stdin".to_owned())
        }
    }
}

fn read(file: File, name: Option<&str>) -> Result<Vec<u8>, String> {
    let damaged = |error: Error| format!("is damaged: {error}");
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
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
    let array = chosen(&arrays, name)?;
    let entry = archive.get_entry(array.place).map_err(damaged)?;
    match array.method {
        CompressionMethod::STORE => array.read(entry.verifying_reader(entry.reader())),
        CompressionMethod::DEFLATE => array.read(entry.verifying_reader(DeflateDecoder::new(entry.reader()))),
        _ => Err(format!("has the array `{}` in an unknown compression; use numpy.savez_compressed", array.name)),
    }
}

struct Array {
    /// The name without the extension.
    name: String,
    method: CompressionMethod,
    /// The number of bytes, if the archive is not damaged.
    len: u64,
    place: ZipArchiveEntryWayfinder,
}

impl Array {
    fn read(&self, reader: impl Read) -> Result<Vec<u8>, String> {
        // Memory is taken as the bytes come, because a damaged file may claim any number.
        let mut bytes = Vec::new();
        // The reader checks the bytes after the last one.
        let read = reader.take(self.len.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| format!("is damaged: {error}")).map(|_| bytes)
    }
}

fn chosen<'a>(arrays: &'a [Array], name: Option<&str>) -> Result<&'a Array, String> {
    let names: Vec<_> = arrays.iter().map(|array| array.name.as_str()).collect();
    match (name, arrays) {
        (_, []) => Err(format!("is an archive without arrays; {SAVE}")),
        (Some(name), _) => arrays.iter().find(|array| array.name == name).ok_or_else(|| {
            let hint = super::with_suffix(name, &names);
            format!("has no array `{name}`{hint}; its arrays are {}", Listed(&names))
        }),
        (None, [array]) => Ok(array),
        (None, _) => Err(format!("has several arrays; choose one with --name: {}", Listed(&names))),
    }
}
