//! The door for build scripts: tables that are too large or too many for a macro, written to files that the macro includes.
//!
//! In `build.rs`, with `posenc` among the build dependencies:
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
//! and in the crate, where the compiler checks that the file holds the table that is asked for:
//!
//! ```text
//! static PE: [[f32; 384]; 1500] = posenc::sinusoidal_table!(1500, 384, preset = whisper, file = "whisper");
//! ```

use std::borrow::ToOwned;
use std::env::{self, VarError};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::string::String;
use std::{format, vec, vec::Vec};

use crate::element::{Element, as_bytes};
use crate::error::SpecError;
use crate::spec::Spec;
use crate::stored::{Fingerprint, MAGIC};

/// Writes the first `seq_len` rows of the table of `spec` to the file `name.posenc` in `OUT_DIR`, for the macro's key `file`.
///
/// The entries are in the byte order of the target. A file that holds this table already is left alone, so the crate is compiled
/// again only if the table changes. A new one replaces it when it is complete.
///
/// # Errors
///
/// For what [`Spec::check_table`] refuses, for a name with other characters than letters, digits, `_` and `-`, outside a build
/// script, and if the file cannot be written.
///
/// ```no_run
/// use posenc::{Spec, build_script};
///
/// # fn main() -> Result<(), build_script::Error> {
/// // 128 MiB, some 50 ms
/// build_script::write_table::<f32>("long", &Spec::new(1024), 32_768)
/// # }
/// ```
pub fn write_table<T: Element>(name: &str, spec: &Spec, seq_len: usize) -> Result<(), Error> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(Error::Name(name.to_owned()));
    }
    let folder = PathBuf::from(variable("OUT_DIR")?);
    let big_endian = variable("CARGO_CFG_TARGET_ENDIAN")? == "big";
    write_to::<T>(&folder.join(format!("{name}.posenc")), spec, seq_len, big_endian)
}

fn variable(name: &'static str) -> Result<String, Error> {
    env::var(name).map_err(|error| Error::Variable(name, error))
}

fn write_to<T: Element>(path: &Path, spec: &Spec, seq_len: usize, big_endian: bool) -> Result<(), Error> {
    let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
    let end = end::<T>(spec, seq_len, big_endian);
    if holds(path, bytes as u64, &end) {
        return Ok(());
    }
    let aside = path.with_extension("posenc.part");
    write_rows::<T>(&aside, spec, seq_len, big_endian, &end).and_then(|()| fs::rename(&aside, path)).map_err(|error| {
        // What is left of it is of no use; that it cannot be removed is not the error to tell.
        let _ = fs::remove_file(&aside);
        Error::File(path.to_owned(), error)
    })
}

/// The end of the file, from which `stored` knows what table it is.
fn end<T: Element>(spec: &Spec, seq_len: usize, big_endian: bool) -> Vec<u8> {
    let order = if big_endian { "big" } else { "little" };
    let call = format!("{spec}").replacen("seq_len", &format!("{seq_len}"), 1);
    let text = format!("{}, dtype = {}) ({order}-endian)", &call[..call.len() - 1], T::DTYPE);
    let mut end = text.as_bytes().to_vec();
    end.extend((text.len() as u32).to_le_bytes());
    end.extend(Fingerprint::of::<T>(spec, seq_len, big_endian).to_le_bytes());
    end.extend(MAGIC);
    end
}

/// Whether the file is there, of this size and with this end.
fn holds(path: &Path, bytes: u64, end: &[u8]) -> bool {
    let read = || -> io::Result<bool> {
        let mut file = File::open(path)?;
        let mut found = vec![0; end.len()];
        let len = file.seek(SeekFrom::End(-(end.len() as i64)))?;
        file.read_exact(&mut found)?;
        Ok(len == bytes && found == end)
    };
    read().unwrap_or(false)
}

fn write_rows<T: Element>(path: &Path, spec: &Spec, seq_len: usize, big_endian: bool, end: &[u8]) -> io::Result<()> {
    /// Enough for the fast tier to be fast.
    const BYTES: usize = 1 << 22;
    let d_model = spec.d_model();
    let mut file = BufWriter::new(File::create(path)?);
    let rows = (BYTES / size_of::<T>() / d_model).clamp(1, seq_len.max(1));
    let mut buffer = vec![T::default(); rows * d_model];
    let mut row = 0;
    while row < seq_len {
        let entries = &mut buffer[..rows.min(seq_len - row) * d_model];
        spec.fill(row.., entries).map_err(|error| io::Error::other(format!("{error}")))?;
        if big_endian == cfg!(target_endian = "big") {
            file.write_all(as_bytes(entries))?;
        } else {
            let mut swapped = as_bytes(entries).to_vec();
            swapped.chunks_exact_mut(size_of::<T>()).for_each(<[u8]>::reverse);
            file.write_all(&swapped)?;
        }
        row += rows;
    }
    file.write_all(end)?;
    file.flush()
}

/// Why a file was not written. `Debug`, which a build script's `main` shows, is the sentence too.
#[non_exhaustive]
pub enum Error {
    /// The table cannot be made.
    Spec(SpecError),
    /// Not a name for a file.
    Name(String),
    /// Not called in a build script.
    Variable(&'static str, VarError),
    /// The file could not be written.
    File(PathBuf, io::Error),
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Self::Spec(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(error) => write!(f, "{error}"),
            Self::Name(name) => {
                write!(
                    f,
                    "the name is `{name}`, but must be of letters, digits, `_` and `-`; give the one in `file = \"...\"`"
                )
            }
            Self::Variable(name, error) => {
                write!(f, "`{name}`: {error}; call this in a build script, to which cargo tells it")
            }
            Self::File(path, error) => {
                write!(f, "{} cannot be written: {error}; make room, or allow it", path.display())
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Error {}
