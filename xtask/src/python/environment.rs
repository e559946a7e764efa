//! A virtual environment.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::failure::Outcome;
use crate::install;
use crate::python::interpreter::Interpreter;

/// A new virtual environment.
pub(super) struct Environment {
    python: PathBuf,
}

impl Environment {
    /// Makes an environment in a folder. What was there before is removed, so nothing is installed in it.
    pub(super) fn new(interpreter: &Interpreter, folder: &Path) -> Outcome<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        Ok(Self { python: install::venv(&interpreter.program, folder)? })
    }

    /// Installs packages from the registry.
    pub(super) fn install(&self, packages: &[&str]) -> Outcome {
        install::pip(&self.python, packages)
    }

    /// Installs a file without asking the registry. It fails if the package requires others.
    pub(super) fn install_file(&self, file: &Path) -> Outcome {
        let install = ["-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall"];
        Run::new(&self.python).args(install).arg(file).run()
    }

    /// Returns a run of a module of Python, such as `pytest`.
    pub(super) fn module(&self, name: &str) -> Run {
        Run::new(&self.python).args(["-m", name])
    }

    pub(super) fn python(&self) -> &Path {
        &self.python
    }
}
