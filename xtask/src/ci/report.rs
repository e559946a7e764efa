//! The results of the parts.

use std::fmt;
use std::time::Duration;

use crate::ci::parts::Part;
use crate::ci::supervise::Ended;
use crate::failure::UNAVAILABLE;
use crate::test_output::IgnoredTests;

/// Reads the output of a part while it runs, and shows it line by line.
pub(crate) struct Watched<S> {
    ignored: IgnoredTests,
    last_line: String,
    unfinished: Vec<u8>,
    show: S,
}

impl<S: FnMut(&str)> Watched<S> {
    pub(crate) fn new(show: S) -> Self {
        Self { ignored: IgnoredTests::default(), last_line: String::new(), unfinished: Vec::new(), show }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte == b'\n' {
                self.end_line();
            } else {
                self.unfinished.push(*byte);
            }
        }
    }

    /// Shows a last line that has no end.
    pub(crate) fn end(&mut self) {
        if !self.unfinished.is_empty() {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.unfinished).trim_end().to_owned();
        (self.show)(&line);
        self.unfinished.clear();
        self.ignored.read(&line);
        if !line.is_empty() {
            self.last_line = line;
        }
    }
}

/// The result of a part.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    Passed,
    Skipped(String),
    Failed(String),
}

impl Verdict {
    pub(crate) fn failed(reason: impl Into<String>) -> Self {
        Self::Failed(reason.into())
    }

    /// Adds another reason for failure.
    pub(crate) fn and_failed(self, reason: &str) -> Self {
        match self {
            Self::Failed(first) if !first.is_empty() => Self::Failed(format!("{first}; {reason}")),
            _ => Self::failed(reason),
        }
    }
}

/// Determines the result of a part that has ended.
pub(crate) fn judge<S>(part: &Part, ended: &Ended, watched: &Watched<S>, strict: bool) -> Verdict {
    let ignored = &watched.ignored.tests;
    let missing = match ended.code {
        _ if ended.late => return Verdict::Failed(format!("ended after {} s", ended.took.as_secs())),
        Some(0) if ignored.is_empty() => return Verdict::Passed,
        Some(0) => {
            format!("ignored tests have not run: {}", ignored.iter().cloned().collect::<Vec<_>>().join(", "))
        }
        Some(code) if code == i32::from(UNAVAILABLE) => watched.last_line.clone(),
        _ => return Verdict::Failed(String::new()),
    };
    if strict && !part.may_be_skipped {
        Verdict::Failed(format!("something is missing, and this run is strict: {missing}"))
    } else {
        Verdict::Skipped(missing)
    }
}

/// One line of the summary.
pub(crate) struct Line {
    name: &'static str,
    budget: u64,
    took: u64,
    verdict: Verdict,
}

/// The lines of the summary.
#[derive(Default)]
pub(crate) struct Summary {
    lines: Vec<Line>,
    pub(crate) total: Duration,
    pub(crate) interrupted: bool,
}

impl Summary {
    pub(crate) fn add(&mut self, part: &Part, took: Duration, verdict: Verdict) {
        self.lines.push(Line { name: part.name, budget: part.budget, took: took.as_secs(), verdict });
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.interrupted || self.lines.iter().any(|line| matches!(line.verdict, Verdict::Failed(_)))
    }

    /// Returns how many parts passed, failed and were skipped.
    pub(crate) fn counts(&self) -> String {
        let count = |is: fn(&Verdict) -> bool| self.lines.iter().filter(|line| is(&line.verdict)).count();
        format!(
            "parts: {} passed, {} failed, {} skipped",
            count(|verdict| *verdict == Verdict::Passed),
            count(|verdict| matches!(verdict, Verdict::Failed(_))),
            count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n== the parts: seconds taken, budget, result")?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "{:5} s in all", self.total.as_secs())?;
        if self.interrupted {
            writeln!(f, "the run was ended")?;
        }
        write!(f, "\n{}", self.counts())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5} s of {:4}  {:16} ", self.took, self.budget, self.name)?;
        match &self.verdict {
            Verdict::Passed => write!(f, "passed")?,
            Verdict::Skipped(reason) => write!(f, "SKIPPED, all of it or some: {reason}")?,
            Verdict::Failed(reason) if reason.is_empty() => write!(f, "FAILED")?,
            Verdict::Failed(reason) => write!(f, "FAILED: {reason}")?,
        }
        if self.took > self.budget { write!(f, ", over its budget") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Summary, Verdict, Watched, judge};
    use crate::ci::parts::Part;
    use crate::ci::supervise::Ended;

    const PART: Part = Part { name: "a-part", lane: 0, budget: 20, run: || Ok(()), may_be_skipped: false };

    fn ended(code: i32) -> Ended {
        Ended { code: Some(code), late: false, took: Duration::from_secs(3) }
    }

    fn watched(output: &str) -> Watched<impl FnMut(&str)> {
        let mut watched = Watched::new(|_: &str| ());
        // The pieces end within lines.
        output.as_bytes().chunks(7).for_each(|chunk| watched.feed(chunk));
        watched
    }

    #[test]
    fn the_output_is_shown_in_whole_lines() {
        let mut lines = Vec::new();
        let mut watched = Watched::new(|line: &str| lines.push(line.to_owned()));
        for piece in ["on", "e\ntwo\n", "\nthr", "ee"] {
            watched.feed(piece.as_bytes());
        }
        watched.end();
        watched.end();
        assert_eq!(lines, ["one", "two", "", "three"]);
    }

    #[test]
    fn the_exit_code_decides() {
        let output = watched("$ cargo\nno compiler\n\n");
        assert_eq!(judge(&PART, &ended(0), &output, true), Verdict::Passed);
        assert_eq!(judge(&PART, &ended(1), &output, false), Verdict::Failed(String::new()));
        assert_eq!(judge(&PART, &ended(69), &output, false), Verdict::Skipped("no compiler".to_owned()));
        let strict = judge(&PART, &ended(69), &output, true);
        assert!(matches!(strict, Verdict::Failed(reason) if reason.ends_with("strict: no compiler")));
        let may_be_skipped = Part { may_be_skipped: true, ..PART };
        assert_eq!(judge(&may_be_skipped, &ended(69), &output, true), Verdict::Skipped("no compiler".to_owned()));
        let late = Ended { code: None, late: true, took: Duration::from_secs(120) };
        assert_eq!(judge(&PART, &late, &output, false), Verdict::failed("ended after 120 s"));
        let late = Ended { code: Some(0), ..late };
        assert_eq!(judge(&PART, &late, &output, false), Verdict::failed("ended after 120 s"));
    }

    #[test]
    fn a_second_failure_does_not_hide_the_first() {
        assert_eq!(Verdict::Passed.and_failed("two"), Verdict::failed("two"));
        assert_eq!(Verdict::failed("").and_failed("two"), Verdict::failed("two"));
        assert_eq!(Verdict::failed("one").and_failed("two"), Verdict::failed("one; two"));
    }

    #[test]
    fn ignored_tests_are_a_skip() {
        let output = watched(
            "test a ... ok\ntest b ... ignored\ntest src/c.rs - c (line 1) ... ignored\ntest d ... ignored, no\n",
        );
        let skipped = Verdict::Skipped("ignored tests have not run: b, d".to_owned());
        assert_eq!(judge(&PART, &ended(0), &output, false), skipped);
        assert!(matches!(judge(&PART, &ended(0), &output, true), Verdict::Failed(_)));
        assert_eq!(judge(&PART, &ended(1), &output, false), Verdict::Failed(String::new()));
        let output = watched("test b ... ignored, needs a program\n$ cargo test -- --ignored\ntest b ... ok\n");
        assert_eq!(judge(&PART, &ended(0), &output, true), Verdict::Passed);
    }

    #[test]
    fn the_summary_has_a_line_for_each_part() {
        let mut summary = Summary { total: Duration::from_secs(23), ..Summary::default() };
        summary.add(&PART, Duration::from_secs(3), Verdict::Passed);
        summary.add(&PART, Duration::from_secs(21), Verdict::Skipped("no compiler".to_owned()));
        assert!(!summary.has_failed());
        summary.add(&PART, Duration::from_secs(0), Verdict::Failed(String::new()));
        assert!(summary.has_failed());
        let expected = "
== the parts: seconds taken, budget, result
    3 s of   20  a-part           passed
   21 s of   20  a-part           SKIPPED, all of it or some: no compiler, over its budget
    0 s of   20  a-part           FAILED
   23 s in all

parts: 1 passed, 1 failed, 1 skipped";
        assert_eq!(summary.to_string(), expected);
    }
}
