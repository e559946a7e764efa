//! The program that hashes tables, and its recorded output.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::command::{Output, Run};
use crate::failure::{Failure, Outcome};
use crate::root::root;
use crate::variant::{self, Variant};

/// One way to build and run the program.
#[derive(Default)]
pub(crate) struct Program<'a> {
    pub(crate) variant: Variant<'a>,
    /// Additional options for `cargo run`.
    pub(crate) options: Vec<OsString>,
    /// Additional environment variables.
    pub(crate) envs: Vec<(String, OsString)>,
    /// Whether to skip the tables of more than 64 MiB.
    pub(crate) without_large: bool,
}

impl Program<'_> {
    /// Runs it, and checks that it and the macro have the variant of posenc-runtime.
    pub(crate) fn run(self) -> Outcome<Output> {
        let run = Run::cargo("run").args(["--quiet", "--release", "--manifest-path", "tests/hashes/Cargo.toml"]);
        let run = run.arg("--target-dir").arg(variant::target_dir()).args(self.options).envs(self.envs).arg("--");
        let run = if self.without_large { run.arg("--without-large") } else { run };
        let output = self.variant.of(run).output()?;
        self.variant.check(&output.stderr, &["posenc-runtime", "posenc-runtime of the macro"])?;
        Ok(output)
    }
}

/// Returns the path of the file with the recorded hashes.
pub(crate) fn file() -> PathBuf {
    root().join("tests/hashes/recorded.txt")
}

/// Returns the recorded hashes, including those of the tables of more than 64 MiB if `large` is set.
pub(crate) fn recorded(large: bool) -> Outcome<String> {
    let recorded = fs::read_to_string(file())?.replace("\r\n", "\n");
    Ok(if large { recorded } else { without_large(&recorded) })
}

fn without_large(hashes: &str) -> String {
    hashes.split_inclusive('\n').filter(|line| !line.contains("past 64 MiB")).collect()
}

/// Returns the hash of all hashes, which the program writes to stderr.
pub(crate) fn together(stderr: &str) -> Outcome<&str> {
    let hash = stderr.lines().find_map(|line| line.strip_prefix("hashes: together "));
    hash.ok_or_else(|| Failure::failed(format_args!("{stderr}the hash of all hashes is missing")))
}

/// Compares the lines, and returns the differing ones as an error.
pub(crate) fn compare(expected: &str, printed: &str) -> Result<(), String> {
    let only = |sign: char, text: &str, other: &str| -> Vec<_> {
        let lines = text.lines().filter(|line| !other.lines().any(|of| of == *line));
        lines.map(|line| format!("{sign}{line}")).collect()
    };
    let differing = [only('-', expected, printed), only('+', printed, expected)].concat();
    if expected == printed { Ok(()) } else { Err(differing.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::{compare, recorded, without_large};

    #[test]
    fn differing_lines_are_shown_from_both() {
        assert_eq!(compare("a\nb\n", "a\nb\n"), Ok(()));
        assert_eq!(compare("a\nb\nc\n", "a\nx\nc\n"), Err("-b\n+x".to_owned()));
        assert_eq!(compare("a\nb\n", "a\n"), Err("-b".to_owned()));
        assert!(compare("a\nb\n", "b\na\n").is_err());
    }

    #[test]
    fn large_tables_are_recorded_and_can_be_left_out() {
        let (all, small) = (recorded(true).unwrap(), recorded(false).unwrap());
        assert_eq!(all.lines().count() - small.lines().count(), 4);
        assert_eq!(without_large("1 past 64 MiB\n2\n"), "2\n");
    }
}
