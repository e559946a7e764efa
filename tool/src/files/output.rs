//! The destination of a table.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use posenc_files::format::is_stdout;
use tempfile::NamedTempFile;

use crate::text::failure::{Failure, cannot_print};

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
        if is_stdout(path) {
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
        check_folder(folder).map_err(|why| cannot_write(&path, why))?;
        // The text of the error has the name of the temporary file, but its kind has not.
        let file = builder.tempfile_in(folder).map_err(|error| cannot_write(&path, error.kind()))?;
        remove_if_stopped(file.path().to_owned());
        keep_mode(&file, &path).map_err(|error| cannot_write(&path, error))?;
        Ok(Self::Aside(file, path))
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
            Self::Device(..) | Self::Stdout(_) => Ok(()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Errors of `NamedTempFile::write` contain the name of the temporary file.
            Self::Aside(file, _) => file.as_file_mut().write(bytes),
            Self::Device(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Aside(file, _) => file.as_file_mut().flush(),
            Self::Device(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// Says why a file cannot be in this folder, if it is none.
pub(crate) fn check_folder(folder: &Path) -> Result<(), String> {
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(format!("`{}` is not a folder", folder.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(format!("there is no folder `{}`", folder.display()))
        }
        Err(error) => Err(format!("the folder `{}`: {error}", folder.display())),
    }
}

/// Gives the temporary file the mode of the file that it replaces, if there is one.
#[cfg(unix)]
fn keep_mode(file: &NamedTempFile, replaced: &Path) -> io::Result<()> {
    fs::metadata(replaced).map_or(Ok(()), |replaced| file.as_file().set_permissions(replaced.permissions()))
}

#[cfg(not(unix))]
fn keep_mode(_: &NamedTempFile, _: &Path) -> io::Result<()> {
    Ok(())
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
