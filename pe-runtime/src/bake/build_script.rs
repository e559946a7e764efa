//! Writes tables to files in a build script, for the macro to include.
//!
//! Use it for tables whose parameters the build script reads from a file, and for tables that another program reads
//! too.
//!
//! # Examples
//!
//! In `build.rs`, with `posenc` as a build dependency:
//!
//! ```no_run
//! use posenc::{Preset, Spec, build_script};
//!
//! fn main() -> Result<(), build_script::Error> {
//!     println!("cargo::rerun-if-changed=build.rs");
//!     build_script::write_table::<f32>("whisper", &Spec::preset(Preset::Whisper, 384), 1500)
//! }
//! ```
//!
//! In the crate, the macro checks that the file is as it was written, and the compiler checks that it holds the
//! requested table:
//!
//! ```text
//! static PE: [[f32; 384]; 1500] = posenc::sinusoidal_table!(1500, 384, preset = whisper, file = "whisper");
//! ```

use std::borrow::ToOwned;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::format;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::string::String;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use crate::bake::convert;
use crate::bake::error::TableError;
use crate::bake::source::{FirstRows, Source};
use crate::bake::table_file::TableFile;
use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// Writes the first `seq_len` rows of the table of `spec` to the file `name.posenc` in `OUT_DIR`.
///
/// The key `file` of the macro includes the file. The entries are in the byte order of the target. The file is left
/// alone if it already holds this table, if this version of `posenc` wrote it, and if its checksum shows that no byte
/// has changed. Any other file is replaced once the new one is complete.
///
/// A table of more than [`MAX_BYTES`] is an error, to guard against typing errors; [`max_bytes`] sets another limit.
/// The incomplete file of a build that was killed is removed when the same name is written again.
///
/// Cargo reruns a build script, and then recompiles its crate, if a file that the script names with
/// `cargo::rerun-if-changed` changes, or any file of the package if the script names none. So name `build.rs` and the
/// files from which the parameters are read.
///
/// # Errors
///
/// Returns an error if [`Spec::check_table`] rejects the table, if it takes more than [`MAX_BYTES`], if the name is empty
/// or contains characters other than letters, digits, `_` and `-`, if it is not called from a build script, or if the file
/// cannot be written.
///
/// # Examples
///
/// ```no_run
/// use posenc::{Spec, build_script};
///
/// # fn main() -> Result<(), build_script::Error> {
/// // 128 MiB: half a second unoptimised, as build scripts are, or less than a tenth if the file exists already.
/// build_script::write_table::<f32>("long", &Spec::new(1024), 32_768)
/// # }
/// ```
pub fn write_table<T: Element>(name: &str, spec: &Spec, seq_len: usize) -> Result<(), Error> {
    max_bytes(MAX_BYTES).write_table::<T>(name, spec, seq_len)
}

/// Writes the table of `grid` to the file `name.posenc` in `OUT_DIR`, as [`write_table`] does.
///
/// The key `file` of `grid_table!` includes the file.
///
/// # Errors
///
/// Returns an error if [`Grid::check_table`] rejects the table, and the other errors of [`write_table`].
///
/// # Examples
///
/// ```no_run
/// use posenc::{Grid, GridPreset, build_script};
///
/// # fn main() -> Result<(), build_script::Error> {
/// build_script::write_grid::<f32, 2>("patches", &Grid::preset(GridPreset::Mae, [14, 14], 768))
/// # }
/// ```
pub fn write_grid<T: Element, const A: usize>(name: &str, grid: &Grid<A>) -> Result<(), Error> {
    max_bytes(MAX_BYTES).write_grid::<T, A>(name, grid)
}

/// The largest table that [`write_table`] and [`write_grid`] write: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;

/// Returns a writer of tables of at most this many bytes, in place of [`MAX_BYTES`].
///
/// # Examples
///
/// ```no_run
/// use posenc::{Spec, build_script};
///
/// # fn main() -> Result<(), build_script::Error> {
/// // 2 GiB.
/// build_script::max_bytes(2 << 30).write_table::<f32>("huge", &Spec::new(4096), 131_072)
/// # }
/// ```
#[must_use]
pub const fn max_bytes(max_bytes: usize) -> Writer {
    Writer { max_bytes }
}

/// A writer of tables up to a given size, which [`max_bytes`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writer {
    max_bytes: usize,
}

impl Writer {
    /// Writes a table, as [`write_table`](write_table()) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`write_table`](write_table()), with this limit.
    pub fn write_table<T: Element>(self, name: &str, spec: &Spec, seq_len: usize) -> Result<(), Error> {
        self.write::<T>(name, &FirstRows { spec: *spec, seq_len })
    }

    /// Writes the table of a grid, as [`write_grid`](write_grid()) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`write_grid`](write_grid()), with this limit.
    pub fn write_grid<T: Element, const A: usize>(self, name: &str, grid: &Grid<A>) -> Result<(), Error> {
        self.write::<T>(name, grid)
    }

    fn write<'a, T: Element>(self, name: &str, source: &impl Source<'a>) -> Result<(), Error> {
        convert::file_name(name).map_err(|sentence| Error::Name(sentence.as_str().to_owned()))?;
        let table = source.untyped()?.checked::<T>(self.max_bytes)?;
        let folder = PathBuf::from(variable("OUT_DIR")?);
        let big_endian = variable("CARGO_CFG_TARGET_ENDIAN")? == "big";
        Output { folder: &folder, name, table: TableFile { table: &table, big_endian } }.write()
    }
}

fn variable(name: &'static str) -> Result<OsString, Error> {
    env::var_os(name).ok_or(Error::Variable(name))
}

/// The file of a table.
struct Output<'o> {
    folder: &'o Path,
    name: &'o str,
    table: TableFile<'o>,
}

impl Output<'_> {
    /// Writes the file, unless it holds the table already.
    fn write(&self) -> Result<(), Error> {
        self.remove_abandoned();
        let path = self.path();
        if self.is_written(&path).unwrap_or(false) {
            return Ok(());
        }
        // A name of its own, in case two threads write the same file.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let aside = self.folder.join(format!("{}.{}{number}.part", self.name, this_process()));
        let written = File::create(&aside).map_err(|error| self.failed(error)).and_then(|file| {
            let mut file = BufWriter::new(file);
            self.table.write(|bytes| file.write_all(bytes).map_err(|error| self.failed(error)))?;
            file.flush().map_err(|error| self.failed(error))
        });
        let moved = || fs::rename(&aside, path).map_err(|error| self.failed(error));
        written.and_then(|()| moved()).inspect_err(|_| {
            // The incomplete file is useless. If it cannot be removed either, the first error is still the one to report.
            let _ = fs::remove_file(&aside);
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.posenc", self.name))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::File { path: self.path(), bytes: self.table.table.bytes(), error }
    }

    /// Returns whether the file at `path` holds this table, unchanged.
    fn is_written(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        let len = file.metadata()?.len();
        let read = |offset, piece: &mut [u8]| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(piece));
        self.table.is(len, read)
    }

    /// Removes what is left of builds that were killed: the incomplete files of this name that another process wrote.
    ///
    /// Cargo runs one build script at a time in a folder. A file that cannot be removed only takes space.
    fn remove_abandoned(&self) {
        let files = fs::read_dir(self.folder).into_iter().flatten().flatten();
        for file in files.filter(|file| file.file_name().to_str().is_some_and(|file| self.is_abandoned(file))) {
            let _ = fs::remove_file(file.path());
        }
    }

    fn is_abandoned(&self, file: &str) -> bool {
        let marks = file.strip_prefix(self.name).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part"));
        marks.is_some_and(|marks| {
            !marks.starts_with(this_process()) && marks.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
        })
    }
}

/// Returns what the names of the incomplete files of this process begin with.
fn this_process() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        // Processes in different containers may have the same id.
        let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |moment| moment.as_nanos());
        format!("{}-{moment}-", process::id())
    })
}

/// An error from writing a table to a file.
///
/// Its [`Display`](fmt::Display) message says what is wrong and what to do. So does its `Debug` output, which appears
/// if `main` returns the error.
#[non_exhaustive]
pub enum Error {
    /// The table cannot be computed.
    Parameters(TableError),
    /// The file name is not allowed. The field is the message.
    Name(String),
    /// The call is not from a build script. The field is the environment variable that Cargo would have set.
    Variable(&'static str),
    /// The file could not be written.
    File {
        /// The file.
        path: PathBuf,
        /// The size of its entries in bytes.
        bytes: usize,
        /// What the system says.
        error: io::Error,
    },
}

impl<E: Into<TableError>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Parameters(error.into())
    }
}

/// Writes the same as `Display`, because this is what the user reads if `main` of a build script returns the error.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameters(error) => {
                write!(f, "{error}")?;
                match *error {
                    TableError::Spec(SpecError::TableTooLarge { bytes, max_bytes, .. }) => {
                        raised(f, "write_table", bytes, max_bytes)
                    }
                    TableError::Grid(GridError::TooLarge { bytes, max_bytes, .. }) => {
                        raised(f, "write_grid", bytes, max_bytes)
                    }
                    _ => Ok(()),
                }
            }
            Self::Name(sentence) => f.write_str(sentence),
            Self::Variable(name) => write!(
                f,
                "the environment variable `{name}` is not set; the functions of `build_script` must be called from a build \
                 script"
            ),
            Self::File { path, bytes, error } => write!(
                f,
                "cannot write `{}`, which takes {bytes} bytes: {error}; check the free space and the permissions",
                path.display()
            ),
        }
    }
}

/// Writes how to raise the limit, unless it is the address space.
fn raised(f: &mut fmt::Formatter<'_>, function: &str, bytes: u128, max_bytes: usize) -> fmt::Result {
    if max_bytes < isize::MAX as usize && bytes <= isize::MAX as u128 {
        write!(f, ", as in `build_script::max_bytes({bytes}).{function}(..)`")?;
    }
    Ok(())
}

/// The source of [`File`](Self::File) is its [`io::Error`]. [`Parameters`](Self::Parameters) has no source, because its
/// message is already the message of the [`TableError`].
impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            Self::Parameters(_) | Self::Name(_) | Self::Variable(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
