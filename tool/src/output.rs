//! Where a table is written to, and the headers of the formats.

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

/// What stands in a file before the entries.
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
            "NumPy has no {}, so a .npy file cannot hold it; write a .safetensors or .bin file, or choose another --dtype",
            T::DTYPE
        )));
    };
    let options = npyz::WriteOptions::new_header_only().dtype(dtype).shape(&shape.map(|n| n as u64));
    options.writer(Vec::new()).write_header_only().map_err(Failure::new)
}

fn safetensors_header<T: Entry>(shape: [usize; 2], name: &str, call: &str) -> Result<Vec<u8>, Failure> {
    if name == "__metadata__" {
        return Err(Failure::new(
            "`__metadata__` is no name for a tensor, as the format reserves it; choose another --name",
        ));
    }
    let bytes = shape[0] * shape[1] * size_of::<T>();
    let tensor = TensorInfo { dtype: T::TENSOR, shape: shape.to_vec(), data_offsets: (0, bytes) };
    let facts = HashMap::from([("posenc".to_owned(), call.to_owned())]);
    let metadata = Metadata::new(Some(facts), vec![(name.to_owned(), tensor)]).map_err(Failure::new)?;
    let mut text = serde_json::to_vec(&metadata).map_err(Failure::new)?;
    // The format wants the entries aligned.
    text.resize(text.len().next_multiple_of(8), b' ');
    Ok([&(text.len() as u64).to_le_bytes(), text.as_slice()].concat())
}

/// Where the bytes go.
pub(crate) enum Target {
    /// A file beside the one to be replaced, until it is complete. A signal removes it.
    Aside(NamedTempFile, PathBuf),
    /// A device or a pipe, which cannot be replaced.
    Device(File),
    Stdout(io::StdoutLock<'static>),
}

impl Target {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        // What stdout has been redirected to is not to be replaced.
        if path == Path::new("-") || path == Path::new("/dev/stdout") {
            return Ok(Self::Stdout(io::stdout().lock()));
        }
        // A link keeps pointing where it does, if that is there: what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => Err(cannot_write(&path, "it is a folder; name a file in it")),
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
        // Without this only the owner could read the table; the umask takes off what it always does.
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
            // Its own `write_all` would tell the name that nobody has asked for.
            Self::Aside(file, _) => file.as_file_mut().write_all(bytes),
            Self::Device(file) => file.write_all(bytes),
            Self::Stdout(stdout) => stdout.write_all(bytes),
        }
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout(_))
    }

    /// The failure of a write.
    pub(crate) fn failure(&self, name: &str, error: &io::Error) -> Failure {
        match self {
            Self::Aside(..) => {
                Failure::new(format_args!("cannot write `{name}`: {error}; what had that name before is as it was"))
            }
            Self::Device(_) => Failure::new(format_args!("cannot write `{name}`: {error}")),
            Self::Stdout(_) => cannot_print(error),
        }
    }

    /// The table is complete: it takes its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Aside(file, path) => {
                // Before the name moves, so that a power failure does not leave half a table under it.
                let synced = file.as_file().sync_all();
                let named = synced.and_then(|()| file.persist(&path).map_err(|error| error.error));
                named.map(drop).map_err(|error| cannot_write(&path, error))
            }
            Self::Device(..) => Ok(()),
            Self::Stdout(mut stdout) => stdout.flush().map_err(|error| cannot_print(&error)),
        }
    }
}

/// Removes the file, which nobody would look for, when a signal ends the program.
fn remove_if_stopped(path: PathBuf) {
    /// What shells give for an interrupt.
    const INTERRUPTED: i32 = 130;
    let removed = move || {
        let _ = fs::remove_file(&path);
        std::process::exit(INTERRUPTED);
    };
    // Without a handler the file would be left, hidden: no reason not to begin.
    let _ = ctrlc::set_handler(removed);
}

fn cannot_write(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::new(format_args!("cannot write `{}`: {why}", path.display()))
}
