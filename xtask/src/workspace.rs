//! Facts about the workspace.

use crate::run::{Context, Outcome, Run, read};

/// The first two commands of `README.md`.
pub(crate) const QUICKSTART: &str = "cargo run --release --example quickstart";
pub(crate) const TEST: &str = "cargo test --workspace";

/// The packages that are their own workspaces.
pub(crate) const SEPARATE: [&str; 12] = [
    "benches",
    "examples/burn",
    "examples/candle",
    "examples/does_it_matter",
    "examples/gallery",
    "examples/microcontroller",
    "fuzz",
    "python",
    "tests/bare-metal",
    "tests/hashes",
    "tests/mpfr",
    "web",
];

/// Returns the files that git does not ignore and whose paths match a pattern.
pub(crate) fn files(pattern: &str) -> Outcome<Vec<String>> {
    let files = Run::line("git ls-files -z --cached --others --exclude-standard").arg(pattern).stdout()?;
    Ok(files.split_terminator('\0').map(str::to_owned).collect())
}

/// Returns a value of `[workspace.package]`, such as the version.
pub(crate) fn manifest_value(key: &str) -> Outcome<String> {
    let manifest: toml::Table = read("Cargo.toml")?.parse()?;
    let value = manifest["workspace"]["package"].get(key).and_then(toml::Value::as_str);
    Ok(value.with_context(|| format!("Cargo.toml has no `{key}`"))?.to_owned())
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> Outcome<String> {
    Ok(Run::line("rustc --print host-tuple").stdout()?.trim().to_owned())
}

/// Returns the environment variable by which cargo learns something about a target, such as its `LINKER`.
pub(crate) fn target_variable(target: &str, what: &str) -> String {
    format!("CARGO_TARGET_{}_{what}", target.to_uppercase().replace('-', "_"))
}

/// Returns the name and the version of a compiler.
pub(crate) fn rustc(path: impl AsRef<std::ffi::OsStr>) -> Outcome<String> {
    let printed = Run::new(path).arg("--version").stdout()?;
    Ok(printed.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::{QUICKSTART, SEPARATE, TEST, files, target_variable};
    use crate::run::read;

    #[test]
    fn the_first_two_commands_of_the_readme_are_the_ones_that_are_run() {
        let readme = read("README.md").unwrap();
        let mut commands =
            readme.lines().filter_map(|line| line.strip_prefix("$ ")).filter(|line| line.starts_with("cargo"));
        assert_eq!([commands.next(), commands.next()], [Some(QUICKSTART), Some(TEST)]);
    }

    #[test]
    fn separate_packages_are_workspaces() {
        let mut separate = files("*Cargo.toml").unwrap();
        separate.retain(|manifest| read(manifest).unwrap().contains("\n[workspace]\n"));
        separate.sort_unstable();
        assert_eq!(separate, SEPARATE.map(|folder| format!("{folder}/Cargo.toml")));
    }

    #[test]
    fn cargo_is_told_by_variables_named_after_the_target() {
        let expected = "CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_RUNNER";
        assert_eq!(target_variable("armv7-unknown-linux-gnueabihf", "RUNNER"), expected);
    }
}
