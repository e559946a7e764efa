//! The folder of the workspace, and its files.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use crate::run::failure::{Context, Outcome};

static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).parent().expect("the package is in a folder of the workspace").to_owned()
});

/// Returns the root of the workspace.
pub(crate) fn root() -> &'static Path {
    &ROOT
}

/// Returns `CARGO_TARGET_DIR`, or this directory below the root if it is not set.
pub(crate) fn target_dir(default: &str) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join(default), PathBuf::from)
}

/// Reads a file of the workspace.
pub(crate) fn read(file: &str) -> Outcome<String> {
    fs::read_to_string(root().join(file)).with_context(|| file.to_owned())
}

/// Removes a folder and all that is in it, if it exists.
pub(crate) fn remove(folder: &Path) -> Outcome {
    if folder.exists() { Ok(fs::remove_dir_all(folder)?) } else { Ok(()) }
}
