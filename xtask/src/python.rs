//! Builds the Python package as a wheel, and tests it as users install it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check;
use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::root::{root, target_dir};

/// What builds and tests the package. It needs none of these itself.
const TOOLS: [&str; 6] =
    ["maturin>=1.16,<2", "pytest>=9,<10", "mypy>=2.4,<3", "numpy>=2.4,<3", "ml_dtypes<1", "safetensors<1"];

/// The frameworks that the tests use if they are installed.
const FRAMEWORKS: [&str; 2] = ["torch>=2.15", "jax[cpu]"];

/// The other interpreters that may be on the machine. The last one checks the counts of references.
const OTHERS: [&str; 6] = ["python3.12", "python3.13", "python3.14", "python3.14t", "python3.15", "python3-dbg"];

/// Tests the package with the interpreter and the packages that all users have.
pub(crate) fn sample() -> Outcome {
    let python = Interpreter::of("python3")?;
    python.install(&TOOLS)?;
    lint(&python)?;
    let wheel = python.wheel(&root().join("python"), "quick", "target/python/wheels")?;
    python.test(&wheel)
}

/// Tests it with the frameworks too, and with every interpreter on the machine.
pub(crate) fn run() -> Outcome {
    sample()?;
    let python = Interpreter::of("python3")?;
    let wheel = python.wheel(&root().join("python"), "quick", "target/python/wheels")?;
    for other in OTHERS.into_iter().filter(|other| Run::new(other).arg("--version").succeeds()) {
        let other = Interpreter::of(other)?;
        other.install(&TOOLS[1..])?;
        // A wheel for one interpreter without a lock is another one.
        let is_free_threaded = other.is_free_threaded();
        let own = is_free_threaded.then(|| other.wheel(&root().join("python"), "quick", "target/python/free-threaded"));
        other.test(own.transpose()?.as_ref().unwrap_or(&wheel))?;
    }
    python.install(&FRAMEWORKS)?;
    python.test(&wheel)
}

fn lint(python: &Interpreter) -> Outcome {
    let manifest = ["--manifest-path", "python/Cargo.toml", "--all-targets"];
    let clippy = Run::cargo("clippy").args(manifest).args(check::WARNINGS_FAIL);
    clippy.env("PYO3_PYTHON", &python.path).env("CARGO_TARGET_DIR", target_dir("target/python")).run()
}

/// An interpreter in a virtual environment of its own.
pub(crate) struct Interpreter {
    path: PathBuf,
}

impl Interpreter {
    /// Makes an environment for an interpreter on the machine.
    pub(crate) fn of(program: &str) -> Outcome<Self> {
        let venv = root().join("target/python").join(program);
        let path = venv.join("bin/python");
        if !path.exists() {
            Run::new(program).args(["-m", "venv"]).arg(&venv).run()?;
        }
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Installs packages from the registry.
    pub(crate) fn install(&self, packages: &[&str]) -> Outcome {
        let pip = Run::new(&self.path).args(["-m", "pip", "install", "--quiet"]).args(packages).run();
        pip.map_err(|_| Failure::unavailable(format_args!("{} cannot be installed", packages.join(", "))))
    }

    fn is_free_threaded(&self) -> bool {
        let told =
            Run::new(&self.path).args(["-c", "import sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED'))"]);
        told.stdout().is_ok_and(|told| told.trim() == "1")
    }

    /// Builds the only wheel in a folder, and returns its path.
    pub(crate) fn wheel(&self, source: &Path, profile: &str, folder: &str) -> Outcome<PathBuf> {
        let maturin = self.maturin(&["build", "--profile", profile, "--quiet", "--interpreter"], folder)?;
        maturin.arg(&self.path).dir(source).run()?;
        only_file(&root().join(folder))
    }

    /// Packs the sources into the only file in a folder, and returns its path.
    pub(crate) fn source_distribution(&self, source: &Path, folder: &str) -> Outcome<PathBuf> {
        self.maturin(&["sdist"], folder)?.dir(source).run()?;
        only_file(&root().join(folder))
    }

    /// Returns a run of maturin that writes to a folder, which is empty.
    fn maturin(&self, arguments: &[&str], folder: &str) -> Outcome<Run> {
        let folder = root().join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let run = Run::new(self.path.with_file_name("maturin")).arg(arguments[0]).arg("--out").arg(folder);
        Ok(run.args(&arguments[1..]).env("CARGO_TARGET_DIR", target_dir("target/python")))
    }

    /// Installs a wheel and runs the tests from a folder in which the sources are not.
    fn test(&self, wheel: &Path) -> Outcome {
        let pip = Run::new(&self.path).args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]);
        pip.arg(wheel).run()?;
        // The tests compare with the files of the command.
        Run::cargo("build").args(["--package", "posenc-cli"]).run()?;
        let tests = Run::new(&self.path)
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .arg(root().join("python/tests"));
        tests.env("POSENC", target_dir("target").join("debug/posenc")).dir(&root().join("target/python")).run()
    }
}

/// Returns the path of the only file in a folder.
fn only_file(folder: &Path) -> Outcome<PathBuf> {
    let files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    match files.as_slice() {
        [file] => Ok(file.path()),
        files => Err(Failure::failed(format_args!("{} has {} files, not one", folder.display(), files.len()))),
    }
}
