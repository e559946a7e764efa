//! Packages that are written to be built, and what cargo builds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Context, Outcome, Run, root};

/// Writes a package with these sources, by their paths in `src`. The manifest ends with `more`.
pub(crate) fn write_package(folder: &Path, more: &str, sources: &[(&str, &str)]) -> Outcome {
    let manifest = "[workspace]\n\n[package]\nname = \"written\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    fs::create_dir_all(folder.join("src/bin"))?;
    fs::write(folder.join("Cargo.toml"), format!("{manifest}{more}"))?;
    sources.iter().try_for_each(|(path, source)| Ok(fs::write(folder.join("src").join(path), source)?))
}

/// Returns the library as a dependency, with more of its keys.
pub(crate) fn posenc(keys: &str) -> String {
    format!("posenc = {{ path = '{}'{keys} }}\n", root().display())
}

/// Runs a build of cargo, and returns the path of the first program that it builds.
pub(crate) fn executable(build: Run) -> Outcome<PathBuf> {
    let messages = build.words("--message-format json-render-diagnostics").stdout()?;
    let mut messages = messages.lines().filter_map(|message| serde_json::from_str::<serde_json::Value>(message).ok());
    let executable = messages.find_map(|message| {
        let is_program = message["target"]["kind"][0] == "bin";
        message["executable"].as_str().filter(|_| is_program).map(PathBuf::from)
    });
    executable.context("cargo built no executable")
}

/// Builds the command-line tool, and returns the path of the command.
///
/// It is the command that its tests run. A build of the command alone would have other features, and compile everything anew.
pub(crate) fn posenc_command() -> Outcome<PathBuf> {
    executable(Run::line("cargo test --no-run --workspace --test command"))
}
