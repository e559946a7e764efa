//! Opens the files that are read, which `posenc-files` understands.

pub(crate) mod checkpoint;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use posenc_files::input::{Table, Tensors};
use posenc_files::source::Source;
use posenc_identify::Rows;

use crate::files::open;
use crate::text::failure::Failure;

/// The entries of a table.
pub struct TableBytes {
    /// The numbers of rows and columns.
    pub shape: [usize; 2],
    /// The size of an entry in bytes.
    pub size: usize,
    /// All entries, row by row, in little-endian order.
    pub bytes: Vec<u8>,
}

/// Reads the table in a file.
///
/// # Errors
///
/// If the file cannot be read or contains no table, or if it contains several and no name is given.
pub fn read(path: &Path, name: Option<&str>) -> Result<TableBytes, Failure> {
    let table = open_table(path, name)?;
    let shape @ [_, d_model] = table.shape();
    let mut bytes = Vec::new();
    for rows in table.pieces() {
        bytes.append(&mut table.read(rows, 0..d_model).map_err(Failure::new)?);
    }
    Ok(TableBytes { shape, size: table.dtype().size(), bytes })
}

/// Finds the table in a file.
pub(crate) fn open_table(path: &Path, name: Option<&str>) -> Result<Table, Failure> {
    open_tensors(path)?.table(name).map_err(Failure::new)
}

/// Reads what a file says of its tensors.
pub(crate) fn open_tensors(path: &Path) -> Result<Tensors, Failure> {
    let opened = open::open(path).map_err(|error| failure(path, &format!("cannot be opened: {error}")))?;
    let file = Opened::of(opened).map_err(|error| failure(path, &format!("cannot be read: {error}")))?;
    Tensors::of(&path.display().to_string(), Rc::new(file)).map_err(Failure::new)
}

/// Returns a failure about a file.
fn failure(path: &Path, error: &str) -> Failure {
    Failure::new(format_args!("`{}` {error}", path.display()))
}

/// A file of which parts are read.
struct Opened {
    file: File,
    size: u64,
}

impl Opened {
    fn of(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file, size })
    }
}

impl Source for Opened {
    fn size(&self) -> u64 {
        self.size
    }

    fn fill(&self, place: u64, part: &mut [u8]) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(part))
    }
}
