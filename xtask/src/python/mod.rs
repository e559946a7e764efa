//! Builds the Python package, and tests it as users install it.

mod contents;
mod interpreter;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::built::posenc_command;
use crate::python::interpreter::Interpreter;
use crate::run::{Outcome, Run, Skipped, ensure, remove, root, target_dir};
use crate::{install, workspace};

/// What builds the package.
const MATURIN: &str = "maturin>=1.16,<2";

/// What the tests use. The package itself needs none of it.
const PACKAGES: [&str; 5] = ["ml_dtypes>=0.4,<1", "mypy>=2,<3", "numpy>=2,<3", "pytest>=9,<10", "safetensors>=0.4,<1"];

/// What more the tests use if it is there.
const FRAMEWORKS: [&str; 2] = ["jax<1", "torch>=2,<3"];

/// An interpreter without the global lock. maturin knows for Linux what it must know of it.
const FREE_THREADED: &str = "python3.14t";

/// The part of CI.
pub(crate) fn sample() -> Outcome {
    let package = Package::build()?;
    package.test(&package.tools, &package.wheel, &PACKAGES).map(drop)
}

/// Tests the package with the frameworks, with the other interpreters on the machine, and with one that has assertions.
pub(crate) fn run() -> Outcome {
    let package = Package::build()?;
    let mut skipped = Skipped::default();
    let printed = package.test(&package.tools, &package.wheel, &[PACKAGES.as_slice(), &FRAMEWORKS].concat());
    if let Ok(printed) = &printed {
        ensure!(!printed.contains("could not import"), "python: a test needs a package that is not listed");
    }
    skipped.check("python", printed.map(drop))?;
    let (own, all) = (Interpreter::of("python3".into())?.name, Interpreter::all());
    for interpreter in all.iter().filter(|interpreter| interpreter.name != own) {
        skipped.check("python", package.test_with(interpreter))?;
    }
    if !all.iter().any(Interpreter::is_free_threaded) {
        println!("python: there is no interpreter without the global lock; its wheel is built, not tested");
        wheel(&package.tools, FREE_THREADED, "wheel-of-another")?;
    }
    let with_assertions = Interpreter::with_assertions().and_then(|interpreter| package.test_with(&interpreter));
    skipped.check("python", with_assertions)?;
    skipped.finish()
}

/// The sources that are packed, the wheel that is built from nothing but these, and what both must contain.
pub(crate) fn release(clone: &Path, folder: &Path) -> Outcome {
    let tools = tools(&folder.join("venv"))?;
    let packed = folder.join("packed");
    let build = maturin(&tools, "--release --sdist --offline", &packed)?.dir(&clone.join("python"));
    build.env("CARGO_TARGET_DIR", folder.join("target")).run()?;
    contents::check(&tools, clone, &packed)
}

/// The package, and what it is tested with.
struct Package {
    /// The Python of the environment with maturin.
    tools: PathBuf,
    wheel: PathBuf,
    /// The command `posenc`, whose tables are the same.
    command: PathBuf,
}

impl Package {
    fn build() -> Outcome<Self> {
        let tools = tools(&folder().join("venv"))?;
        let wheel = wheel(&tools, &tools, "wheel")?;
        Ok(Self { tools, wheel, command: posenc_command()? })
    }

    fn test_with(&self, interpreter: &Interpreter) -> Outcome {
        println!("python: {}", interpreter.name);
        let python = environment(interpreter, &folder().join("venv-of-another"))?;
        let wheel = if interpreter.is_free_threaded() {
            // A wheel for any version is for interpreters with the global lock.
            wheel(&self.tools, &python, "wheel-of-another")?
        } else {
            self.wheel.clone()
        };
        self.test(&python, &wheel, &PACKAGES).map(drop)
    }

    /// Installs a wheel without asking the registry, which fails if the package requires others, and runs the tests.
    ///
    /// Returns what they print.
    fn test(&self, python: &Path, wheel: &Path, packages: &[&str]) -> Outcome<String> {
        Run::new(python).words("-m pip install --quiet --no-index --force-reinstall").arg(wheel).run()?;
        install::pip(python, packages)?;
        let tests = Run::new(python).words("-m pytest -q -rs -p no:cacheprovider").arg(root().join("python/tests"));
        // Python does not find the sources of the package from this folder.
        tests.env("PYTHONDONTWRITEBYTECODE", "1").env("POSENC", &self.command).dir(&folder()).tee()
    }
}

fn folder() -> PathBuf {
    target_dir("target").join("python")
}

/// Makes an environment without packages in a folder, and returns its Python.
fn environment(interpreter: &Interpreter, folder: &Path) -> Outcome<PathBuf> {
    remove(folder)?;
    install::venv(&interpreter.program, folder)
}

/// Makes an environment with maturin, and returns its Python.
fn tools(folder: &Path) -> Outcome<PathBuf> {
    install::dependencies("python/Cargo.toml", "--locked")?;
    let python = environment(&Interpreter::of("python3".into())?, folder)?;
    install::pip(&python, &[MATURIN])?;
    Ok(python)
}

/// Builds the wheel for an interpreter in a folder of this name, and returns its path.
fn wheel(tools: &Path, python: impl AsRef<OsStr>, name: &str) -> Outcome<PathBuf> {
    let wheels = folder().join(name);
    let options = format!("--profile quick --target {} --interpreter", workspace::host()?);
    let build = maturin(tools, &options, &wheels)?.arg(python);
    build.dir(&root().join("python")).env("CARGO_TARGET_DIR", folder()).run()?;
    contents::file(&wheels, ".whl")
}

/// Returns a run of `maturin build` that writes to a folder, which is empty.
fn maturin(tools: &Path, options: &str, folder: &Path) -> Outcome<Run> {
    remove(folder)?;
    Ok(Run::new(tools).words("-m maturin build --quiet --locked --out").arg(folder).words(options))
}
