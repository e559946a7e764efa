//! Facts about the workspace.

use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::root::read;

/// The first two commands of `README.md`.
pub(crate) const QUICKSTART: &str = "cargo run --release --example quickstart";
pub(crate) const TEST: &str = "cargo test --workspace";

/// The packages that are their own workspaces.
pub(crate) const SEPARATE: [&str; 12] = [
    "benches",
    "fuzz",
    "python",
    "web",
    "tests/mpfr",
    "tests/hashes",
    "tests/bare-metal",
    "examples/gallery",
    "examples/candle",
    "examples/does_it_matter",
    "examples/burn",
    "examples/microcontroller",
];

/// Returns the files that git does not ignore and whose paths match a pattern.
pub(crate) fn files(pattern: &str) -> Outcome<Vec<String>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern];
    let files = Run::new("git").args(list).stdout()?;
    Ok(files.split_terminator('\0').map(str::to_owned).collect())
}

/// Returns a value of `[workspace.package]`, such as the version.
pub(crate) fn manifest_value(key: &str) -> Outcome<String> {
    let manifest: toml::Table = read("Cargo.toml")?.parse().map_err(Failure::failed)?;
    let value = manifest["workspace"]["package"].get(key).and_then(toml::Value::as_str);
    value.map(str::to_owned).ok_or_else(|| Failure::failed(format_args!("Cargo.toml has no `{key}`")))
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> Outcome<String> {
    let version = Run::new("rustc").arg("-vV").stdout()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::failed("`rustc -vV` names no host"))
}

/// Returns the name and the version of the compiler.
pub(crate) fn rustc() -> Outcome<String> {
    rustc_at("rustc")
}

/// Returns the name and the version of a compiler.
pub(crate) fn rustc_at(path: impl AsRef<std::ffi::OsStr>) -> Outcome<String> {
    let printed = Run::new(path).arg("--version").stdout()?;
    Ok(printed.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

/// Returns a run of a command in `README.md`, split at spaces as a shell would.
pub(crate) fn readme_command(command: &str) -> Run {
    let mut words = command.split(' ');
    Run::new(words.next().expect("`split` returns at least one word")).args(words)
}

#[cfg(test)]
mod tests {
    use super::{QUICKSTART, SEPARATE, TEST, files, manifest_value};
    use crate::root::read;

    #[test]
    fn the_first_two_commands_of_the_readme_are_the_ones_that_are_run() {
        let readme = read("README.md").unwrap();
        let commands =
            readme.lines().filter_map(|line| line.strip_prefix("$ ")).filter(|line| line.starts_with("cargo"));
        // A comment may follow a command.
        let first: Vec<_> = commands.take(2).map(|line| line.split(" #").next().unwrap().trim_end()).collect();
        assert_eq!(first, [QUICKSTART, TEST]);
    }

    #[test]
    fn the_manifest_has_versions() {
        assert!(manifest_value("rust-version").unwrap().starts_with("1."));
        assert_eq!(manifest_value("version").unwrap().split('.').count(), 3);
    }

    #[test]
    fn separate_packages_are_workspaces() {
        let manifests = files("*Cargo.toml").unwrap();
        let has_workspace = |manifest: &&String| read(manifest).unwrap().contains("\n[workspace]\n");
        let mut separate: Vec<_> = manifests
            .iter()
            .filter(has_workspace)
            .filter_map(|manifest| manifest.strip_suffix("/Cargo.toml"))
            .collect();
        separate.sort_unstable();
        let mut expected = SEPARATE;
        expected.sort_unstable();
        assert_eq!(separate, expected);
    }
}
