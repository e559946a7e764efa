//! Whether the file of a build script is as it was written. The compiler is too slow to hash it where it evaluates the table, so that is
//! done here; the compiler compares its parameters with those of the call.

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use posenc_runtime::{Found, inspect_file};
use syn::LitStr;

use crate::diagnostic::Diagnostic;

/// Refuses a file that is damaged or of another version. Of one that is not there, or cannot be opened, the compiler says so where it
/// includes it.
pub(crate) fn check(name: &LitStr) -> Result<(), Diagnostic> {
    let Some(folder) = env::var_os("OUT_DIR") else { return Ok(()) };
    let path = PathBuf::from(folder).join(format!("{}.posenc", name.value()));
    let Ok(mut file) = File::open(&path) else { return Ok(()) };
    let wrong = match look(&mut file) {
        Ok(Found::Sound) => return Ok(()),
        Ok(Found::Damaged) => "is damaged: its entries are not those that were written;".to_owned(),
        Ok(Found::Foreign) => format!(
            "is of another version than posenc {}; use the same version in `build-dependencies` and `dependencies`, then",
            env!("CARGO_PKG_VERSION")
        ),
        Err(error) => format!("cannot be read: {error};"),
    };
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "THIS_PACKAGE".to_owned());
    let sentence = format!(
        "the file {} {wrong} run `cargo clean --package {package}`, with the `--release`, `--profile` or `--target` of the build, so that the \
         build script writes the file anew",
        path.display()
    );
    Err(Diagnostic::at(name, sentence))
}

fn look(file: &mut File) -> io::Result<Found> {
    let len = file.metadata()?.len();
    inspect_file(len, |offset, piece| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(piece)))
}
