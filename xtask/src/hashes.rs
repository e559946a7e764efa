//! The program that hashes tables, and its recorded output.

use std::ffi::OsString;
use std::fs;

use crate::compare::same;
use crate::run::{Context, Outcome, Run, read, root};
use crate::variant::{self, Variant};

/// The recorded hashes.
const FILE: &str = "tests/hashes/recorded.txt";

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
    /// Runs it, and checks that it and the macro have the variant of posenc-runtime. Returns stdout and stderr.
    fn run(self) -> Outcome<(String, String)> {
        let run = Run::line("cargo run --quiet --release --manifest-path tests/hashes/Cargo.toml --target-dir");
        let run = run.arg(variant::target_dir()).args(self.options).envs(self.envs).arg("--");
        let run = self.variant.of(run.args(self.without_large.then_some("--without-large")));
        let (hashes, stderr) = run.stdout_and_stderr()?;
        self.variant.check(&stderr, &["posenc-runtime", "posenc-runtime of the macro"])?;
        Ok((hashes, stderr))
    }

    /// Fails unless its hashes are those recorded. Returns their number, and the hash of all.
    pub(crate) fn check(self, description: &str) -> Outcome<String> {
        let recorded = recorded(!self.without_large)?;
        let (hashes, stderr) = self.run()?;
        same(&format!("{description}: the hashes"), recorded.lines(), hashes.lines())?;
        let together = stderr.lines().find_map(|line| line.strip_prefix("hashes: together "));
        let together = together.with_context(|| format!("{stderr}the hash of all hashes is missing"))?;
        Ok(format!("{} hashes, all as recorded, together {together}", hashes.lines().count()))
    }
}

/// Records the hashes of the program as users build it.
pub(crate) fn record() -> Outcome {
    Ok(fs::write(root().join(FILE), Program::default().run()?.0)?)
}

/// Returns the recorded hashes, including those of the tables of more than 64 MiB if `large` is set.
fn recorded(large: bool) -> Outcome<String> {
    Ok(read(FILE)?.split_inclusive('\n').filter(|line| large || !line.contains("past 64 MiB")).collect())
}

#[cfg(test)]
mod tests {
    use super::recorded;

    #[test]
    fn large_tables_are_recorded_and_can_be_left_out() {
        let [all, small] = [true, false].map(|large| recorded(large).unwrap());
        assert_eq!(all.lines().count() - small.lines().count(), 4);
        assert!(small.ends_with('\n') && !small.contains("past 64 MiB"));
    }
}
