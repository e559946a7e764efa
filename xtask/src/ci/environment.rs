//! The environment of the parts.

use std::env::{self, consts};
use std::process::Command;

/// The variables that could change the meaning of a check.
///
/// They could rewrite expected results, reduce the number of cases, or set other flags or directories. `*` matches any
/// suffix. `.ci/run` unsets the same variables before it builds xtask.
const UNSET: [&str; 19] = [
    "INSTA_*",
    "TRYBUILD",
    "POSENC_*",
    "PROPTEST_*",
    "RUSTFLAGS",
    "RUSTDOCFLAGS",
    "CARGO_ENCODED_*",
    "CARGO_PROFILE_*",
    "CARGO_BUILD_*",
    "CARGO_TARGET_*",
    "CARGO_TERM_*",
    "RUSTC",
    "RUSTC_*",
    "RUSTDOC",
    "RUST_TEST_*",
    "RUSTUP_TOOLCHAIN",
    "ASAN_*",
    "CLIPPY_*",
    "BASH_ENV",
];

/// The variables that make builds from scratch faster. `.ci/run` has the same, so that xtask is built once.
///
/// Panics still have line numbers, but backtraces do not.
const FAST_BUILDS: [(&str, &str); 2] = [("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];

/// Prepares the environment of a part.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_unset) {
            command.env_remove(name);
        }
    }
    command.env("INSTA_UPDATE", "no").env("CARGO_TERM_COLOR", "never").envs(FAST_BUILDS);
}

fn is_unset(name: &str) -> bool {
    UNSET.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == *pattern,
    })
}

/// Returns whether a part fails if something it needs is missing.
///
/// This is so if `CI` is set on x86-64 Linux, unless `POSENC_CI_STRICT` overrides it.
pub(crate) fn is_strict() -> bool {
    let value = |name| env::var(name).unwrap_or_default();
    strict(&value("CI"), &value("POSENC_CI_STRICT"), consts::OS, consts::ARCH)
}

fn strict(ci: &str, setting: &str, os: &str, arch: &str) -> bool {
    match setting {
        "" => !ci.is_empty() && os == "linux" && arch == "x86_64",
        "0" => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FAST_BUILDS, UNSET, is_unset, strict};
    use crate::workspace;

    #[test]
    fn strict_is_ci_on_x86_64_linux_unless_set_otherwise() {
        assert!(strict("true", "", "linux", "x86_64"));
        assert!(!strict("", "", "linux", "x86_64"));
        assert!(!strict("true", "", "linux", "aarch64"));
        assert!(!strict("true", "", "macos", "x86_64"));
        assert!(!strict("true", "0", "linux", "x86_64"));
        assert!(strict("", "1", "macos", "aarch64"));
    }

    #[test]
    fn names_match_as_a_whole_or_by_their_beginning() {
        for name in ["RUSTC", "RUSTC_WRAPPER", "CARGO_TARGET_DIR", "INSTA_UPDATE", "POSENC_CI_STRICT"] {
            assert!(is_unset(name), "{name}");
        }
        for name in ["RUSTC2", "CARGO_HOME", "CARGO_MANIFEST_DIR", "PATH", "RUSTUP_HOME", "RUST_BACKTRACE", "CI"] {
            assert!(!is_unset(name), "{name}");
        }
    }

    /// The names are between `case` and `)`, separated by `|`.
    #[test]
    fn the_script_unsets_the_same() {
        let script = fs::read_to_string(workspace::root().join(".ci/run")).unwrap();
        let names = script.split_once("case $variable in").unwrap().1.split_once(") unset").unwrap().0;
        let names = names.split_once(";;").unwrap().1; // the exception
        let names: Vec<_> = names.split('|').map(|name| name.trim_matches([' ', '\n', '\\'])).collect();
        assert_eq!(names, UNSET);
    }

    #[test]
    fn the_script_builds_with_the_same_variables() {
        let script = fs::read_to_string(workspace::root().join(".ci/run")).unwrap();
        let variables = FAST_BUILDS.map(|(name, value)| format!("{name}={value}")).join(" ");
        assert!(script.contains(&format!("\nexport {variables}\n")), "{variables}");
    }
}
