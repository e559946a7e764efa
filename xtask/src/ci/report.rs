//! The results of the parts.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use crate::ci::parts::Part;
use crate::run::{Ended, UNAVAILABLE};

/// What the output of a part says.
#[derive(Default)]
pub(super) struct Watched {
    /// The test program that runs.
    program: String,
    /// The tests that were ignored and have not been run since, by their program and name.
    ignored: BTreeSet<String>,
    last_line: String,
}

impl Watched {
    pub(super) fn read(&mut self, line: &str) {
        if !line.is_empty() {
            line.clone_into(&mut self.last_line);
        }
        if let Some(program) = program(line) {
            program.clone_into(&mut self.program);
        }
        let Some((name, result)) = line.strip_prefix("test ").and_then(|test| test.split_once(" ... ")) else { return };
        let test = format!("{} {name}", self.program).trim_start().to_owned();
        if result.starts_with("ignored") {
            self.ignored.insert(test);
        } else if result == "ok" {
            self.ignored.remove(&test);
        }
    }
}

/// Returns the name of the program that cargo says it runs: `suite` for `Running main.rs (target/debug/deps/suite-1f)`.
fn program(line: &str) -> Option<&str> {
    let (_, path) = line.trim_start().strip_prefix("Running ")?.strip_suffix(')')?.split_once(" (")?;
    let (_, file) = path.rsplit_once(['/', '\\'])?;
    Some(file.rsplit_once('-')?.0)
}

/// The result of a part.
#[derive(Debug)]
pub(super) enum Verdict {
    Passed,
    Skipped(String),
    Failed(String),
}

/// Determines the result of a part that has ended.
pub(super) fn judge(part: &Part, ended: &Ended, watched: Watched, strict: bool) -> Verdict {
    let missing = match ended.code {
        _ if ended.late => return Verdict::Failed("killed, because it took too long".to_owned()),
        Some(0) if watched.ignored.is_empty() => return Verdict::Passed,
        Some(0) => {
            let tests: Vec<_> = watched.ignored.into_iter().collect();
            format!("ignored tests have not run: {}", tests.join(", "))
        }
        Some(code) if code == i32::from(UNAVAILABLE) => watched.last_line,
        _ => return Verdict::Failed(watched.last_line),
    };
    if strict && !part.may_be_skipped {
        Verdict::Failed(format!("something is missing, and this run is strict: {missing}"))
    } else {
        Verdict::Skipped(missing)
    }
}

/// The results of the parts that have run.
#[derive(Default)]
pub(super) struct Summary {
    lines: Vec<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
    pub(super) total: Duration,
    pub(super) interrupted: bool,
}

impl Summary {
    pub(super) fn add(&mut self, part: &Part, took: Duration, verdict: Verdict) {
        let (took, budget) = (took.as_secs(), part.budget);
        let (count, result) = match verdict {
            Verdict::Passed => (&mut self.passed, "passed".to_owned()),
            Verdict::Skipped(reason) => (&mut self.skipped, format!("SKIPPED, all of it or some: {reason}")),
            Verdict::Failed(reason) => (&mut self.failed, format!("FAILED: {reason}")),
        };
        *count += 1;
        let sample = part.sample.map(|sample| format!(", a sample: {sample}")).unwrap_or_default();
        let over = if took > budget { ", over its budget" } else { "" };
        self.lines.push(format!("{took:5} s of {budget:4}  {:16} {result}{over}{sample}", part.name));
    }

    pub(super) fn has_failed(&self) -> bool {
        self.interrupted || self.failed > 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n== the parts: seconds taken, budget, result\n{}", self.lines.join("\n"))?;
        writeln!(f, "{:5} s in all", self.total.as_secs())?;
        if self.interrupted {
            writeln!(f, "the run was interrupted")?;
        }
        write!(f, "\nparts: {} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Summary, Verdict, Watched, judge};
    use crate::ci::parts::{Part, part};
    use crate::run::Ended;

    const PART: Part = part(0, "a-part", 20, || Ok(()));

    fn judged(part: &Part, code: impl Into<Option<i32>>, late: bool, output: &str, strict: bool) -> String {
        let mut watched = Watched::default();
        output.lines().for_each(|line| watched.read(line));
        format!("{:?}", judge(part, &Ended { code: code.into(), late }, watched, strict))
    }

    #[test]
    fn the_exit_code_decides() {
        let judged =
            |part: &_, code: Option<_>, late, strict| judged(part, code, late, "$ cargo\nno compiler\n\n", strict);
        assert_eq!(judged(&PART, Some(0), false, true), "Passed");
        assert_eq!(judged(&PART, Some(1), false, false), r#"Failed("no compiler")"#);
        assert_eq!(judged(&PART, None, false, false), r#"Failed("no compiler")"#);
        assert_eq!(judged(&PART, Some(69), false, false), r#"Skipped("no compiler")"#);
        assert_eq!(judged(&PART.may_be_skipped(), Some(69), false, true), r#"Skipped("no compiler")"#);
        let strict = r#"Failed("something is missing, and this run is strict: no compiler")"#;
        assert_eq!(judged(&PART, Some(69), false, true), strict);
        for code in [None, Some(0)] {
            assert_eq!(judged(&PART, code, true, false), r#"Failed("killed, because it took too long")"#);
        }
    }

    #[test]
    fn an_ignored_test_that_the_same_program_does_not_run_later_is_a_skip() {
        let first = "     Running tests/main.rs (target/debug/deps/a-b-12)\ntest x::one ... ignored, needs bash\n\
                     test x::two ... ignored\ntest three ... ok\n";
        let another = "     Running unittests src/lib.rs (C:\\target\\deps\\other-34)\ntest x::one ... ok\n";
        let again = "     Running tests/main.rs (target/release/deps/a-b-56)\ntest x::one ... ok\n";
        let skipped = |tests| format!(r#"Skipped("ignored tests have not run: {tests}")"#);
        let judged = |output: &[&str], code, strict| judged(&PART, code, false, &output.concat(), strict);
        assert_eq!(judged(&[first], 0, false), skipped("a-b x::one, a-b x::two"));
        assert_eq!(judged(&[first, another], 0, false), skipped("a-b x::one, a-b x::two"));
        assert_eq!(judged(&[first, again, "test x::two ... FAILED\n"], 0, false), skipped("a-b x::two"));
        assert_eq!(judged(&[first, again, "test x::two ... ok\n"], 0, true), "Passed");
        assert!(judged(&[first], 0, true).starts_with(r#"Failed("something is missing, and this run is strict: "#));
        assert_eq!(judged(&[first], 1, false), r#"Failed("test three ... ok")"#);
    }

    #[test]
    fn the_summary_has_a_line_for_each_part() {
        let mut summary = Summary { total: Duration::from_secs(23), ..Summary::default() };
        summary.add(&PART, Duration::from_secs(3), Verdict::Passed);
        let sample = Part { sample: Some("one of two"), ..PART };
        summary.add(&sample, Duration::from_secs(21), Verdict::Skipped("no compiler".to_owned()));
        assert!(!summary.has_failed());
        summary.add(&PART, Duration::from_secs(0), Verdict::Failed("no".to_owned()));
        assert!(summary.has_failed());
        let expected = "
== the parts: seconds taken, budget, result
    3 s of   20  a-part           passed
   21 s of   20  a-part           SKIPPED, all of it or some: no compiler, over its budget, a sample: one of two
    0 s of   20  a-part           FAILED: no
   23 s in all

parts: 1 passed, 1 failed, 1 skipped";
        assert_eq!(summary.to_string(), expected);
    }
}
