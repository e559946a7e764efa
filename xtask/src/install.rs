//! Installs missing tools.

use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(unix)]
use nix::fcntl::{Flock, FlockArg};

use crate::run::{Outcome, Run, ensure_available, has_program, root, unavailable};
use crate::workspace;

/// Waits until no other process of this program installs something, because neither apt-get nor rustup does.
///
/// Dropping the lock ends the turn.
#[cfg(unix)]
fn turn() -> Option<Flock<File>> {
    let file = File::create(root().join("target/installing")).ok()?;
    Flock::lock(file, FlockArg::LockExclusive).ok()
}

#[cfg(not(unix))]
fn turn() -> Option<()> {
    None
}

/// Installs Debian packages. Returns whether that succeeded.
pub(crate) fn debian(packages: &[&str]) -> bool {
    let _turn = turn();
    let apt = |arguments: &str| Run::line("apt-get -qq").words(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    let succeeds = |run: Run| run.succeeds_within(Duration::from_secs(600));
    let install = || succeeds(apt("install -y").args(packages));
    has_program("apt-get") && (install() || (succeeds(apt("update")) && install()))
}

/// Installs the Debian packages of programs if one of these is missing.
pub(crate) fn programs(programs: &[&str], packages: &[&str]) -> Outcome {
    let are_there = || programs.iter().all(|program| has_program(program));
    let installed = are_there() || (debian(packages) && are_there());
    ensure_available(installed, format_args!("{} cannot be installed", packages.join(", ")))
}

/// Adds a `component` to the compiler, such as `clippy`, or the standard library of a `target`.
pub(crate) fn rustup(kind: &str, name: &str) -> Outcome {
    let _turn = turn();
    match Run::line("rustup").args([kind, "add", name]).capture() {
        Ok((added, output)) => ensure_available(added, format_args!("no {kind} {name}: {}", output.trim())),
        Err(_) => Err(unavailable(format_args!("no {kind} {name}, and no rustup to install it"))),
    }
}

/// Installs a subcommand of cargo if it is missing.
pub(crate) fn cargo_subcommand(name: &str) -> Outcome {
    if Run::line("cargo").args([name, "--version"]).succeeds() {
        return Ok(());
    }
    let package = format!("cargo-{name}");
    let installed = Run::line("cargo install --locked").arg(&package).run().is_ok();
    ensure_available(installed, format_args!("{package} is missing and cannot be installed"))
}

/// Downloads the dependencies of a package that is its own workspace.
pub(crate) fn dependencies(manifest: &str, options: &str) -> Outcome {
    let fetched = Run::line("cargo fetch --quiet --manifest-path").arg(manifest).words(options).run().is_ok();
    ensure_available(fetched, format_args!("the dependencies of {manifest} cannot be downloaded"))
}

/// Returns the Python of a virtual environment in the target folder, with a package that is installed if it is missing.
pub(crate) fn python_with(package: &str) -> Outcome<PathBuf> {
    let python = venv("python3", &root().join("target/venv"))?;
    pip(&python, &[package])?;
    Ok(python)
}

/// Makes a virtual environment of an interpreter if it is missing, and returns its Python.
pub(crate) fn venv(interpreter: impl AsRef<OsStr>, folder: &Path) -> Outcome<PathBuf> {
    let interpreter = interpreter.as_ref();
    let made = Run::new(interpreter).words("-m venv").arg(folder).run().is_ok();
    ensure_available(made, format_args!("`{} -m venv` does not work", interpreter.display()))?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}

/// Installs Python packages from the registry.
pub(crate) fn pip(python: &Path, packages: &[&str]) -> Outcome {
    let install = Run::new(python).words("-m pip install --quiet --disable-pip-version-check").args(packages);
    let packages = packages.join(", ");
    ensure_available(install.run().is_ok(), format_args!("the Python packages {packages} cannot be installed"))
}

/// Installs the oldest supported compiler, and returns its path.
pub(crate) fn oldest_rustc() -> Outcome<PathBuf> {
    rustc(&workspace::manifest_value("rust-version")?)
}

/// Installs a compiler from rustup, or else from Debian, and returns its path.
pub(crate) fn rustc(version: &str) -> Outcome<PathBuf> {
    let path = || Run::line("rustup which rustc --toolchain").arg(version);
    if path().succeeds() || toolchain(version, 120) {
        return Ok(path().stdout()?.trim().into());
    }
    // The compiler that Debian builds its browsers with has a folder of its own.
    debian(&["rustc-web"]);
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    let beside = folders.filter(|folder| folder.to_string_lossy().starts_with("/usr/lib/rust-web"));
    let is_it =
        |rustc: &PathBuf| workspace::rustc(rustc).is_ok_and(|found| found.starts_with(&format!("rustc {version}.")));
    let found = beside.chain(["/usr".into()]).map(|folder| folder.join("bin/rustc")).find(is_it);
    found.ok_or_else(|| unavailable(format_args!("no rustc {version}, neither from rustup nor as a Debian package")))
}

/// Installs a toolchain, with a time limit. Returns whether that succeeded.
pub(crate) fn toolchain(version: &str, seconds: u64) -> bool {
    let _turn = turn();
    let install = Run::line("rustup toolchain install --profile minimal").arg(version);
    install.succeeds_within(Duration::from_secs(seconds))
}
