//! Opens the files that are read. The name `-` is stdin.

use std::fs::File;
use std::io::{self, Read, Seek, stdin};
use std::path::Path;

/// The most bytes that are read from stdin, or from a pipe or a device, whose length is unknown.
const MAX_STREAM: u64 = 1 << 30;

/// Opens a file, or a copy of it in a temporary file if it cannot be read in any order.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if path == Path::new("-") {
        return copied(stdin().lock(), MAX_STREAM);
    }
    let file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() { Ok(file) } else { copied(file, MAX_STREAM) }
}

fn copied(stream: impl Read, most: u64) -> io::Result<File> {
    let mut copy = tempfile::tempfile()?;
    if io::copy(&mut stream.take(most + 1), &mut copy)? > most {
        return Err(io::Error::other("it is longer than 1 GiB, and it is no regular file; save it to one first"));
    }
    copy.rewind()?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_stream_is_refused() {
        let error = copied(io::repeat(0), 1000).unwrap_err().to_string();
        assert!(error.contains("longer than 1 GiB"), "{error}");
        let mut text = String::new();
        copied(&b"0, 1"[..], 4).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "0, 1");
    }
}
