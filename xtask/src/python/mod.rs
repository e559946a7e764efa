//! Builds the Python package, and tests it as users install it.

mod contents;
mod environment;
mod interpreter;

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::failure::{Outcome, Skipped, ensure};
use crate::install;
use crate::python::environment::Environment;
use crate::python::interpreter::Interpreter;
use crate::root::{root, target_dir};
use crate::workspace;

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
    skipped.check("python", package.test_with_frameworks())?;
    let (own, all) = (Interpreter::of_system()?.name, Interpreter::all());
    for interpreter in all.iter().filter(|interpreter| interpreter.name != own) {
        skipped.check("python", package.test_with(interpreter))?;
    }
    if !all.iter().any(Interpreter::is_free_threaded) {
        println!(
            "python: the wheel for an interpreter without the global lock is built, not tested: there is none here"
        );
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
    let build = maturin(&tools, &["--release", "--sdist", "--offline"], &packed)?.dir(&clone.join("python"));
    build.env("CARGO_TARGET_DIR", folder.join("target")).run()?;
    contents::check(&tools, clone, &packed)
}

/// The package, and what it is tested with.
struct Package {
    tools: Environment,
    wheel: PathBuf,
    /// The command `posenc`, whose tables are the same.
    command: PathBuf,
}

impl Package {
    fn build() -> Outcome<Self> {
        let tools = tools(&folder().join("venv"))?;
        let wheel = wheel(&tools, tools.python(), "wheel")?;
        Run::cargo("build").args(["--package", "posenc-cli"]).run()?;
        let command = target_dir("target").join(format!("debug/posenc{EXE_SUFFIX}"));
        Ok(Self { tools, wheel, command })
    }

    fn test_with(&self, interpreter: &Interpreter) -> Outcome {
        println!("python: {}", interpreter.name);
        let environment = Environment::new(interpreter, &folder().join("venv-of-another"))?;
        let wheel = if interpreter.is_free_threaded() {
            // A wheel for any version is for interpreters with the global lock.
            wheel(&self.tools, environment.python(), "wheel-of-another")?
        } else {
            self.wheel.clone()
        };
        self.test(&environment, &wheel, &PACKAGES).map(drop)
    }

    fn test_with_frameworks(&self) -> Outcome {
        let packages = [PACKAGES.as_slice(), &FRAMEWORKS].concat();
        let printed = self.test(&self.tools, &self.wheel, &packages)?;
        ensure(!printed.contains("could not import"), || "python: a test needs a package that is not listed".to_owned())
    }

    /// Installs a wheel and runs the tests, and returns what they print.
    fn test(&self, environment: &Environment, wheel: &Path, packages: &[&str]) -> Outcome<String> {
        environment.install_file(wheel)?;
        environment.install(packages)?;
        let tests = environment.module("pytest").args(["-q", "-rs", "-p", "no:cacheprovider"]);
        let tests = tests.arg(root().join("python/tests")).env("PYTHONDONTWRITEBYTECODE", "1");
        // Python does not find the sources of the package from this folder.
        tests.env("POSENC", &self.command).dir(&folder()).tee()
    }
}

fn folder() -> PathBuf {
    target_dir("target").join("python")
}

/// Makes an environment with maturin.
fn tools(folder: &Path) -> Outcome<Environment> {
    install::dependencies("python/Cargo.toml", &["--locked"])?;
    let tools = Environment::new(&Interpreter::of_system()?, folder)?;
    tools.install(&[MATURIN])?;
    Ok(tools)
}

/// Builds the wheel for an interpreter in a folder of this name, and returns its path.
fn wheel(tools: &Environment, python: impl AsRef<OsStr>, name: &str) -> Outcome<PathBuf> {
    let wheels = folder().join(name);
    let options = ["--profile", "quick", "--target", &workspace::host()?, "--interpreter"];
    let build = maturin(tools, &options, &wheels)?.arg(python);
    build.dir(&root().join("python")).env("CARGO_TARGET_DIR", folder()).run()?;
    contents::file(&wheels, ".whl")
}

/// Returns a run of `maturin build` that writes to a folder, which is empty.
fn maturin(tools: &Environment, options: &[&str], folder: &Path) -> Outcome<Run> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(tools.module("maturin").args(["build", "--quiet", "--locked", "--out"]).arg(folder).args(options))
}
