//! The interpreters on this machine.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::install;
use crate::run::{Outcome, Run, ensure_available};

/// The minor versions of Python 3 that the package supports; those after the newest do not exist yet.
const MINOR_VERSIONS: Range<u32> = 11..20;

/// Prints the version of an interpreter, and its kind: "t" has no global lock, "d" has assertions.
const DESCRIBE: &str = "import sys; print('Python 3.%d%s' % (sys.version_info[1], sys.abiflags))";

/// An interpreter of a version that the package supports.
#[derive(Debug)]
pub(super) struct Interpreter {
    pub(super) program: OsString,
    /// `Python 3.14t`, for example.
    pub(super) name: String,
}

impl Interpreter {
    /// Returns one interpreter of each version and kind.
    pub(super) fn all() -> Vec<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(folders_of_pyenv());
        let names = || MINOR_VERSIONS.flat_map(|minor| ["", "t"].map(|kind| format!("python3.{minor}{kind}")));
        let programs = folders.flat_map(|folder| names().map(move |name| folder.join(name)));
        let mut all = BTreeMap::new();
        // A program of pyenv does not start a version that is not selected.
        for interpreter in programs.filter(|program| program.is_file()).flat_map(|program| Self::of(program.into())) {
            all.entry(interpreter.name.clone()).or_insert(interpreter);
        }
        all.into_values().collect()
    }

    /// Installs Debian's interpreter with assertions.
    pub(super) fn with_assertions() -> Outcome<Self> {
        install::programs(&["python3-dbg"], &["python3-dbg", "python3-venv"])?;
        Self::of("python3-dbg".into())
    }

    pub(super) fn is_free_threaded(&self) -> bool {
        self.name.ends_with('t')
    }

    pub(super) fn of(program: OsString) -> Outcome<Self> {
        let (_, described) = Run::new(&program).args(["-c", DESCRIBE]).capture()?;
        let (name, oldest) = (described.trim_end().to_owned(), MINOR_VERSIONS.start);
        let reason = format_args!("`{}` is not Python 3.{oldest} or newer", program.display());
        ensure_available(is_supported(&name), reason)?;
        Ok(Self { program, name })
    }
}

/// Returns whether the package supports an interpreter that has described itself.
fn is_supported(name: &str) -> bool {
    let minor = name.strip_prefix("Python 3.").map(|version| version.trim_end_matches(char::is_alphabetic).parse());
    matches!(minor, Some(Ok(minor)) if MINOR_VERSIONS.contains(&minor))
}

/// Returns the folders of all versions that pyenv has installed.
fn folders_of_pyenv() -> Vec<PathBuf> {
    let root = Run::line("pyenv root").stdout().ok();
    let versions = root.and_then(|root| fs::read_dir(Path::new(root.trim()).join("versions")).ok());
    versions.into_iter().flatten().flatten().map(|version| version.path().join("bin")).collect()
}

#[cfg(test)]
mod tests {
    use super::is_supported;

    #[test]
    fn an_old_interpreter_is_not_supported() {
        assert!(is_supported("Python 3.11") && is_supported("Python 3.14t"));
        assert!(!is_supported("Python 3.10") && !is_supported("Python 2.7") && !is_supported(""));
    }
}
