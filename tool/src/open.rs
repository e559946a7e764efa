//! Opens the files that are read. The name `-` is stdin.

use std::fs::File;
use std::io::{self, Seek, stdin};
use std::path::Path;

/// Opens a file. Stdin is copied to a temporary file first, because tensors are not read in order.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if path != Path::new("-") {
        return File::open(path);
    }
    let mut copy = tempfile::tempfile()?;
    io::copy(&mut stdin().lock(), &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}
