//! The results of the parts.

use std::fmt;
use std::time::Duration;

use crate::ci::parts::Part;
use crate::ci::supervise::Ended;
use crate::failure::UNAVAILABLE;
use crate::test_output::IgnoredTests;

/// What the output of a part says.
#[derive(Default)]
pub(super) struct Watched {
    ignored: IgnoredTests,
    last_line: String,
}

impl Watched {
    pub(super) fn read(&mut self, line: &str) {
        self.ignored.read(line);
        if !line.is_empty() {
            line.clone_into(&mut self.last_line);
        }
    }
}

/// The result of a part.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    Passed,
    Skipped(String),
    Failed(String),
}

/// Determines the result of a part that has ended.
pub(super) fn judge(part: &Part, ended: &Ended, watched: &Watched, strict: bool) -> Verdict {
    let missing = match ended.code {
        _ if ended.late => return Verdict::Failed("killed, because it took too long".to_owned()),
        Some(0) if watched.ignored.tests.is_empty() => return Verdict::Passed,
        Some(0) => {
            let tests: Vec<_> = watched.ignored.tests.iter().map(String::as_str).collect();
            format!("ignored tests have not run: {}", tests.join(", "))
        }
        Some(code) if code == i32::from(UNAVAILABLE) => watched.last_line.clone(),
        _ => return Verdict::Failed(watched.last_line.clone()),
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
    use crate::ci::supervise::Ended;

    const PART: Part = part(0, "a-part", 20, || Ok(()));

    fn judged(code: i32, output: &str, strict: bool) -> Verdict {
        let mut watched = Watched::default();
        output.lines().for_each(|line| watched.read(line));
        judge(&PART, &Ended { code: Some(code), late: false }, &watched, strict)
    }

    #[test]
    fn the_exit_code_decides() {
        let output = "$ cargo\nno compiler\n\n";
        let no_compiler = |prefix: &str| format!("{prefix}no compiler");
        assert_eq!(judged(0, output, true), Verdict::Passed);
        assert_eq!(judged(1, output, false), Verdict::Failed(no_compiler("")));
        assert_eq!(judged(69, output, false), Verdict::Skipped(no_compiler("")));
        let strict = "something is missing, and this run is strict: ";
        assert_eq!(judged(69, output, true), Verdict::Failed(no_compiler(strict)));
        let ended = |code, late| Ended { code, late };
        let skipped = judge(&PART.may_be_skipped(), &ended(Some(69), false), &Watched::default(), true);
        assert_eq!(skipped, Verdict::Skipped(String::new()));
        for code in [None, Some(0)] {
            assert!(matches!(judge(&PART, &ended(code, true), &Watched::default(), false), Verdict::Failed(_)));
        }
    }

    #[test]
    fn ignored_tests_are_a_skip() {
        let output =
            "test a ... ok\ntest b ... ignored\ntest src/c.rs - c (line 1) ... ignored\ntest d ... ignored, no";
        assert_eq!(judged(0, output, false), Verdict::Skipped("ignored tests have not run: b, d".to_owned()));
        assert!(matches!(judged(0, output, true), Verdict::Failed(_)));
        assert!(matches!(judged(1, output, false), Verdict::Failed(_)));
        let later = "test b ... ignored, needs a program\n$ cargo test -- --ignored\ntest b ... ok\n";
        assert_eq!(judged(0, later, true), Verdict::Passed);
    }

    #[test]
    fn the_summary_has_a_line_for_each_part() {
        let mut summary = Summary { total: Duration::from_secs(23), ..Summary::default() };
        summary.add(&PART, Duration::from_secs(3), Verdict::Passed);
        summary.add(
            &Part { sample: Some("one of two"), ..PART },
            Duration::from_secs(21),
            Verdict::Skipped("no compiler".to_owned()),
        );
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
