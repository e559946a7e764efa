//! The destination of a table, and the headers of the file formats.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use npyz::WriterBuilder;
use safetensors::tensor::{Metadata, TensorInfo};
use tempfile::NamedTempFile;

use crate::args::Format;
use crate::entry::Entry;
use crate::failure::{Failure, cannot_print};

/// Returns the bytes of a file before the entries.
pub(crate) fn header<T: Entry>(format: Format, shape: [usize; 2], name: &str, call: &str) -> Result<Vec<u8>, Failure> {
    match format {
        Format::Npy => npy_header::<T>(shape),
        Format::Safetensors => safetensors_header::<T>(shape, name, call),
        Format::Bin => Ok(Vec::new()),
    }
}

fn npy_header<T: Entry>(shape: [usize; 2]) -> Result<Vec<u8>, Failure> {
    let Some(dtype) = T::npy() else {
        return Err(Failure::new(format_args!(
            "NumPy has no {}, so a .npy file cannot contain it; write a .safetensors or .bin file, or use another --dtype",
            T::DTYPE
        )));
    };
    let options = npyz::WriteOptions::new_header_only().dtype(dtype).shape(&shape.map(|n| n as u64));
    options.writer(Vec::new()).write_header_only().map_err(Failure::new)
}

fn safetensors_header<T: Entry>(shape: [usize; 2], name: &str, call: &str) -> Result<Vec<u8>, Failure> {
    if name == "__metadata__" {
        return Err(Failure::new("the tensor name `__metadata__` is reserved by the format; use another --name"));
    }
    let bytes = shape[0] * shape[1] * size_of::<T>();
    let tensor = TensorInfo { dtype: T::TENSOR, shape: shape.to_vec(), data_offsets: (0, bytes) };
    let facts = HashMap::from([("posenc".to_owned(), call.to_owned())]);
    let metadata = Metadata::new(Some(facts), vec![(name.to_owned(), tensor)]).map_err(Failure::new)?;
    let mut text = serde_json::to_vec(&metadata).map_err(Failure::new)?;
    // The format requires aligned entries.
    text.resize(text.len().next_multiple_of(8), b' ');
    Ok([&(text.len() as u64).to_le_bytes(), text.as_slice()].concat())
}

/// The destination of the bytes.
pub(crate) enum Target {
    /// A temporary file next to the one it replaces when it is complete. It is removed on a signal.
    Aside(NamedTempFile, PathBuf),
    /// A device or a pipe, which is written to directly.
    Device(File),
    Stdout(io::StdoutLock<'static>),
}

impl Target {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        // A file that stdout is redirected to must not be replaced.
        if path == Path::new("-") || path == Path::new("/dev/stdout") {
            return Ok(Self::Stdout(io::stdout().lock()));
        }
        // If the path is a link, the file it points to is replaced, and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => Err(cannot_write(&path, "it is a directory")),
            Ok(found) if !found.is_file() => Self::device(&path),
            _ => Self::aside(path),
        }
    }

    fn device(path: &Path) -> Result<Self, Failure> {
        match File::options().write(true).open(path) {
            Ok(file) => Ok(Self::Device(file)),
            Err(error) => Err(cannot_write(path, error)),
        }
    }

    fn aside(path: PathBuf) -> Result<Self, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".posenc-").suffix(".part");
        // The default of `tempfile` is 0o600, so that only the owner could read the table. The umask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        match builder.tempfile_in(folder) {
            Ok(file) => {
                remove_if_stopped(file.path().to_owned());
                Ok(Self::Aside(file, path))
            }
            Err(error) => Err(cannot_write(&path, error)),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            // Errors of `NamedTempFile::write_all` contain the name of the temporary file.
            Self::Aside(file, _) => file.as_file_mut().write_all(bytes),
            Self::Device(file) => file.write_all(bytes),
            Self::Stdout(stdout) => stdout.write_all(bytes),
        }
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout(_))
    }

    /// Returns the failure of a write.
    pub(crate) fn failure(&self, name: &str, error: &io::Error) -> Failure {
        match self {
            Self::Aside(..) => {
                Failure::new(format_args!("cannot write `{name}`: {error}; an existing file is unchanged"))
            }
            Self::Device(_) => Failure::new(format_args!("cannot write `{name}`: {error}")),
            Self::Stdout(_) => cannot_print(error),
        }
    }

    /// Moves the complete table to its final name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Aside(file, path) => {
                // Synced before the rename, so that a power failure does not leave an incomplete table.
                let synced = file.as_file().sync_all();
                let named = synced.and_then(|()| file.persist(&path).map_err(|error| error.error));
                named.map(drop).map_err(|error| cannot_write(&path, error))
            }
            Self::Device(..) => Ok(()),
            Self::Stdout(mut stdout) => stdout.flush().map_err(|error| cannot_print(&error)),
        }
    }
}

/// Removes the temporary file when a signal ends the program.
fn remove_if_stopped(path: PathBuf) {
    /// The exit status of shells for an interrupt.
    const INTERRUPTED: i32 = 130;
    let removed = move || {
        let _ = fs::remove_file(&path);
        std::process::exit(INTERRUPTED);
    };
    // Without a handler, a hidden file may be left behind. That is no reason to fail.
    let _ = ctrlc::set_handler(removed);
}

fn cannot_write(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::new(format_args!("cannot write `{}`: {why}", path.display()))
}
