//! Facts about the workspace, mostly read from its files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::command::Run;
use crate::failure::{Failure, Outcome};

/// The first command of `README.md`.
pub(crate) const QUICKSTART: &str = "cargo run --release --example quickstart";

/// The second command of `README.md`.
pub(crate) const TEST: &str = "cargo test --workspace";

/// The packages that are their own workspaces.
pub(crate) const SEPARATE: [&str; 9] = [
    "benches",
    "fuzz",
    "tests/mpfr",
    "tests/hashes",
    "tests/bare-metal",
    "examples/gallery",
    "examples/candle",
    "examples/burn",
    "examples/microcontroller",
];

static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).parent().expect("the package is in a folder of the workspace").to_owned()
});

/// Returns the root of the workspace.
pub(crate) fn root() -> &'static Path {
    &ROOT
}

/// Reads a file of the workspace.
pub(crate) fn read(file: &str) -> Outcome<String> {
    fs::read_to_string(root().join(file)).map_err(|error| Failure::failed(format_args!("{file}: {error}")))
}

/// Returns the files that git does not ignore and whose paths match a pattern.
pub(crate) fn files(pattern: &str) -> Outcome<Vec<String>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern];
    let files = Run::new("git").args(list).stdout()?;
    Ok(files.split_terminator('\0').map(str::to_owned).collect())
}

/// Writes the files of a revision to a folder, which is emptied first.
pub(crate) fn checkout(revision: &str, folder: &Path) -> Outcome {
    let commit = Run::new("git").args(["rev-parse", "--verify", &format!("{revision}^{{commit}}")]).stdout()?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Run::new("git").args(["clone", "--quiet", "--shared", "--no-checkout", "."]).arg(folder).run()?;
    Run::new("git").arg("-C").arg(folder).args(["checkout", "--quiet", "--detach", commit.trim()]).run()
}

/// Returns `CARGO_TARGET_DIR`, or this directory below the root if it is not set.
pub(crate) fn target_dir(default: &str) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join(default), PathBuf::from)
}

/// Returns the oldest supported version of Rust, such as `1.85`.
pub(crate) fn rust_version() -> Outcome<String> {
    manifest_value("rust-version")
}

/// Returns the version of the libraries.
pub(crate) fn version() -> Outcome<String> {
    manifest_value("version")
}

fn manifest_value(key: &str) -> Outcome<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let value = manifest.lines().find_map(|line| {
        line.strip_prefix(key)?.strip_prefix(" = \"")?.split_once('"').map(|(value, _)| value.to_owned())
    });
    value.ok_or_else(|| Failure::failed(format_args!("Cargo.toml has no `{key}`")))
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> Outcome<String> {
    let version = Run::new("rustc").arg("-vV").stdout()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::failed("`rustc -vV` names no host"))
}

/// Returns a run of a command in `README.md`, split at spaces as a shell would.
pub(crate) fn readme_command(command: &str) -> Run {
    let mut words = command.split(' ');
    Run::new(words.next().expect("`split` returns at least one word")).args(words)
}

/// Checks that the first two commands of `README.md` are those that are run here.
pub(crate) fn check_readme() -> Outcome {
    let shown = first_commands(&fs::read_to_string(root().join("README.md"))?);
    if shown == [QUICKSTART, TEST] {
        return Ok(());
    }
    Err(Failure::failed(format_args!(
        "README.md begins with the commands {shown:?}, xtask/src/workspace.rs has {:?}",
        [QUICKSTART, TEST]
    )))
}

/// Returns the first two commands for `cargo` in a text.
fn first_commands(text: &str) -> Vec<String> {
    let commands = text.lines().filter_map(|line| line.strip_prefix("$ ").filter(|line| line.starts_with("cargo ")));
    // In the README a comment may follow a command.
    commands.take(2).map(|line| line.split(" #").next().unwrap_or(line).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{SEPARATE, check_readme, first_commands, root, rust_version, version};

    #[test]
    fn the_first_two_commands_of_the_readme_are_the_ones_that_are_run() {
        check_readme().unwrap();
    }

    #[test]
    fn commands_are_the_lines_with_a_prompt() {
        let text =
            "# cargo\n$ git clone\n```console\n$ cargo run --release   # 1 min\ncargo no\n$ cargo test\n$ cargo doc\n";
        assert_eq!(first_commands(text), ["cargo run --release", "cargo test"]);
        assert_eq!(first_commands("$ cargo test"), ["cargo test"]);
    }

    #[test]
    fn the_manifest_has_versions() {
        assert!(rust_version().unwrap().starts_with("1."));
        assert_eq!(version().unwrap().split('.').count(), 3);
    }

    #[test]
    fn separate_packages_are_workspaces() {
        for package in SEPARATE {
            let manifest = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
            assert!(manifest.contains("\n[workspace]\n"), "{package}");
        }
    }
}
