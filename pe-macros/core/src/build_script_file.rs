//! Checks that the file of a build script is there and unchanged.
//!
//! The macro does this because hashing the file in a constant would be too slow. The compiler then compares the
//! parameters of the file with the parameters of the call.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use posenc_runtime::reflection::TableKind;
use posenc_runtime::{Found, Listed, inspect_file};
use syn::LitStr;

use crate::diagnostic::Diagnostic;
use crate::kind::Macro;

/// Rejects a file that is missing, is damaged or was written by another version.
///
/// If it cannot be opened for another reason, the compiler reports that when it includes it.
pub(crate) fn check(name: &LitStr, table: TableKind) -> Result<(), Diagnostic> {
    let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else { return Ok(()) };
    let path = folder.join(format!("{}.posenc", name.value()));
    let found = match File::open(&path) {
        Ok(mut file) => look(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Diagnostic::at(name, missing(&name.value(), table, &folder)));
        }
        Err(_) => return Ok(()),
    };
    let wrong = match found {
        Ok(Found::Sound) => return Ok(()),
        Ok(Found::Damaged) => "is damaged: its content has changed since it was written;".to_owned(),
        Ok(Found::Foreign) => format!(
            "was written by a version of posenc other than {}; use the same version in `build-dependencies` and `dependencies`, then",
            env!("CARGO_PKG_VERSION")
        ),
        Err(error) => format!("cannot be read: {error};"),
    };
    let sentence = format!("the file `{}` {wrong} {}", path.display(), written_anew());
    Err(Diagnostic::at(name, sentence))
}

fn look(file: &mut File) -> io::Result<Found> {
    let len = file.metadata()?.len();
    inspect_file(len, |offset, piece| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(piece)))
}

/// Returns the message for a file that is not there.
fn missing(name: &str, table: TableKind, folder: &Path) -> String {
    let tables = tables(folder);
    let tables: Vec<_> = tables.iter().map(String::as_str).collect();
    let there = match &*tables {
        [] => "no tables; write this one".to_owned(),
        tables => format!("the tables {}; name one that is there, or write this one", Listed(tables)),
    };
    let (writer, anew) = (Macro::of(table).writer, written_anew());
    format!(
        "the file `{name}.posenc` is missing; the build script's folder `{}` has {there} in the build script with \
         `{writer}(\"{name}\", ..)`; if the script does so already, {anew}",
        folder.display()
    )
}

/// Returns the names of the tables in a folder.
fn tables(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let Ok(files) = fs::read_dir(folder) else { return names };
    for file in files.flatten() {
        if let Some(name) = file.file_name().to_str().and_then(|name| name.strip_suffix(".posenc")) {
            names.insert(names.partition_point(|before| **before < *name), name.to_owned());
        }
    }
    names
}

/// Returns how to have the build script write a file once more.
fn written_anew() -> String {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "THIS_PACKAGE".to_owned());
    format!(
        "run `cargo clean --package {package}` with the same `--release`, `--profile` or `--target` as the build, so that the build \
         script rewrites the file"
    )
}
