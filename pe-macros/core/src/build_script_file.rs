//! Checks that the file of a build script is unchanged.
//!
//! The macro does this because hashing the file in a constant would be too slow. The compiler then compares the
//! parameters of the file with those of the call.

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use posenc_runtime::{Found, inspect_file};
use syn::LitStr;

use crate::diagnostic::Diagnostic;

/// Rejects a file that is damaged or was written by another version.
///
/// If the file is missing or cannot be opened, the compiler reports that when it includes it.
pub(crate) fn check(name: &LitStr) -> Result<(), Diagnostic> {
    let Some(folder) = env::var_os("OUT_DIR") else { return Ok(()) };
    let path = PathBuf::from(folder).join(format!("{}.posenc", name.value()));
    let Ok(mut file) = File::open(&path) else { return Ok(()) };
    let wrong = match look(&mut file) {
        Ok(Found::Sound) => return Ok(()),
        Ok(Found::Damaged) => "is damaged: its content has changed since it was written;".to_owned(),
        Ok(Found::Foreign) => format!(
            "was written by a version of posenc other than {}; use the same version in `build-dependencies` and `dependencies`, then",
            env!("CARGO_PKG_VERSION")
        ),
        Err(error) => format!("cannot be read: {error};"),
    };
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "THIS_PACKAGE".to_owned());
    let sentence = format!(
        "the file `{}` {wrong} run `cargo clean --package {package}` with the same `--release`, `--profile` or `--target` as the build, so \
         that the build script rewrites the file",
        path.display()
    );
    Err(Diagnostic::at(name, sentence))
}

fn look(file: &mut File) -> io::Result<Found> {
    let len = file.metadata()?.len();
    inspect_file(len, |offset, piece| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(piece)))
}
