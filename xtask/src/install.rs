//! Installs missing tools.

use std::env;
use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(unix)]
use nix::fcntl::{Flock, FlockArg};

use crate::command::{Run, has_program, python};
use crate::failure::{Failure, Outcome};
use crate::root::root;
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
    let apt = |arguments: &[&str]| {
        let run = Run::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        run.succeeds_within(Duration::from_secs(600))
    };
    let install = [&["install", "-qq", "-y"], packages].concat();
    has_program("apt-get") && (apt(&install) || (apt(&["update", "-qq"]) && apt(&install)))
}

/// Adds the standard library of a target to the compiler.
pub(crate) fn target(target: &str) -> Outcome {
    rustup("target", target, &format!("standard library for {target}"))
}

/// Adds a component, such as `clippy`, to the compiler.
pub(crate) fn component(component: &str) -> Outcome {
    rustup("component", component, component)
}

fn rustup(kind: &str, name: &str, description: &str) -> Outcome {
    let _turn = turn();
    let added = Run::new("rustup").args([kind, "add", name]).capture();
    match added {
        Ok((status, _)) if status.success() => Ok(()),
        Ok((_, output)) => Err(Failure::unavailable(format_args!("no {description}: {}", output.trim()))),
        Err(_) => Err(Failure::unavailable(format_args!("no {description}, and no rustup to install it"))),
    }
}

/// Installs a subcommand of cargo if it is missing.
pub(crate) fn cargo_subcommand(name: &str) -> Outcome {
    if Run::cargo(name).arg("--version").succeeds() {
        return Ok(());
    }
    let package = format!("cargo-{name}");
    let installed = Run::cargo("install").args(["--locked", &package]).run();
    installed.map_err(|_| Failure::unavailable(format_args!("{package} is missing and cannot be installed")))
}

/// Downloads the dependencies of a package that is its own workspace.
pub(crate) fn dependencies(manifest: &str, options: &[&str]) -> Outcome {
    let fetched = Run::cargo("fetch").args(["--quiet", "--manifest-path", manifest]).args(options).run();
    fetched.map_err(|_| Failure::unavailable(format_args!("the dependencies of {manifest} cannot be downloaded")))
}

/// Returns the Python of a virtual environment in the target folder, with a package that is installed if it is missing.
pub(crate) fn python_with(package: &str) -> Outcome<PathBuf> {
    let venv = root().join("target/venv");
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python_there = venv.join(folder).join(format!("python{}", env::consts::EXE_SUFFIX));
    let created = python().args(["-m", "venv"]).arg(&venv).run();
    created
        .and_then(|()| Run::new(&python_there).args(["-m", "pip", "install", "--quiet", package]).run())
        .map_err(|_| Failure::unavailable(format_args!("Python with {package} cannot be installed")))?;
    Ok(python_there)
}

/// Returns the path of the oldest supported compiler: an installed one, or rustup's, or Debian's.
pub(crate) fn oldest_rustc() -> Outcome<PathBuf> {
    let version = workspace::manifest_value("rust-version")?;
    if let Some(rustc) = find_rustc(&version) {
        return Ok(rustc);
    }
    toolchain(&version, 120);
    if let Some(rustc) = find_rustc(&version) {
        return Ok(rustc);
    }
    debian(&["rustc-web"]);
    find_rustc(&version).ok_or_else(|| {
        Failure::unavailable(format_args!("no rustc {version}, neither from rustup nor as a Debian package"))
    })
}

/// Installs a toolchain, with a time limit. Returns whether that succeeded.
pub(crate) fn toolchain(version: &str, seconds: u64) -> bool {
    let _turn = turn();
    let install = Run::new("rustup").args(["toolchain", "install", version, "--profile", "minimal"]);
    install.succeeds_within(Duration::from_secs(seconds))
}

fn find_rustc(version: &str) -> Option<PathBuf> {
    let rustup = env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".rustup")));
    let toolchains = rustup.map(|rustup| folders(&rustup.join("toolchains"), version)).unwrap_or_default();
    let debian = folders(Path::new("/usr/lib"), "rust-web");
    let system = PathBuf::from("/usr");
    let folders = toolchains.into_iter().chain([system]).chain(debian);
    let mut compilers = folders.map(|folder| folder.join("bin").join(format!("rustc{}", env::consts::EXE_SUFFIX)));
    compilers.find(|rustc| rustc.is_file() && has_version(rustc, version))
}

/// Returns the subfolders whose names begin with `prefix`.
fn folders(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn has_version(rustc: &Path, version: &str) -> bool {
    let printed = Run::new(rustc).arg("--version").stdout();
    printed.is_ok_and(|printed| is_of_version(&printed, version))
}

fn is_of_version(printed: &str, version: &str) -> bool {
    let number = printed.strip_prefix("rustc ").and_then(|rest| rest.strip_prefix(version));
    number.is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_of_version;

    #[test]
    fn a_version_is_that_of_its_patches_alone() {
        assert!(is_of_version("rustc 1.85.1 (4eb161250 2025-03-15)", "1.85"));
        assert!(!is_of_version("rustc 1.850.0", "1.85"));
        assert!(!is_of_version("rustc 1.8.0", "1.85"));
        assert!(!is_of_version("clippy 1.85.0", "1.85"));
    }
}
