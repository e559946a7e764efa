//! The interpreters on this machine.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::install;

/// The minor versions of Python 3 that the package supports; those after the newest do not exist yet.
const MINOR_VERSIONS: Range<u32> = 11..20;

/// Prints the minor version of an interpreter, and its kind: "t" has no global lock, "d" has assertions.
const DESCRIBE: &str = "import sys; print(sys.version_info[1], sys.abiflags)";

/// An interpreter of a version that the package supports.
#[derive(Debug)]
pub(super) struct Interpreter {
    pub(super) program: OsString,
    /// `Python 3.14t`, for example.
    pub(super) name: String,
}

impl Interpreter {
    /// Returns the interpreter that is called `python3`.
    pub(super) fn of_system() -> Outcome<Self> {
        Self::of("python3".into())
    }

    /// Returns one interpreter of each version and kind.
    pub(super) fn all() -> Vec<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(folders_of_pyenv());
        let names = MINOR_VERSIONS.flat_map(|minor| [format!("python3.{minor}"), format!("python3.{minor}t")]);
        let names: Vec<_> = names.collect();
        let mut all = BTreeMap::new();
        for program in folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>()) {
            // A program of pyenv does not start a version that is not selected.
            if let Some(interpreter) = program.is_file().then(|| Self::of(program.into()).ok()).flatten() {
                all.entry(interpreter.name.clone()).or_insert(interpreter);
            }
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

    fn of(program: OsString) -> Outcome<Self> {
        let described = Run::new(&program).args(["-c", DESCRIBE]).output()?.stdout;
        let name = name(&described).ok_or_else(|| {
            let oldest = MINOR_VERSIONS.start;
            Failure::unavailable(format_args!("`{}` is not Python 3.{oldest} or newer", program.display()))
        })?;
        Ok(Self { program, name })
    }
}

/// Returns the name of an interpreter that has described itself, if the package supports its version.
fn name(described: &str) -> Option<String> {
    let (minor, kind) = described.trim_end_matches(['\r', '\n']).split_once(' ')?;
    MINOR_VERSIONS.contains(&minor.parse().ok()?).then(|| format!("Python 3.{minor}{kind}"))
}

/// Returns the folders of all versions that pyenv has installed.
fn folders_of_pyenv() -> Vec<PathBuf> {
    let root = Run::new("pyenv").arg("root").output();
    let versions = root.ok().and_then(|root| fs::read_dir(PathBuf::from(root.stdout.trim()).join("versions")).ok());
    versions.into_iter().flatten().flatten().map(|version| version.path().join("bin")).collect()
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn an_old_interpreter_has_no_name_here() {
        assert_eq!(name("11 \n").as_deref(), Some("Python 3.11"));
        assert_eq!(name("14 t\r\n").as_deref(), Some("Python 3.14t"));
        assert_eq!(name("10 \n"), None);
        assert_eq!(name(""), None);
    }
}
