//! The ways in which a task can fail.

use std::fmt::{self, Display};
use std::process::ExitCode;

pub(crate) use anyhow::{Context, bail, ensure};
use anyhow::{Error, anyhow};

/// The result of a task.
pub(crate) type Outcome<T = ()> = anyhow::Result<T>;

/// The exit code of a task that lacks something: `EX_UNAVAILABLE` of BSD's `sysexits.h`.
pub(crate) const UNAVAILABLE: u8 = 69;

/// Marks a failure because a tool or the network is missing, so the task, or a part of it, could not be done.
#[derive(Debug)]
struct Unavailable;

impl Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unavailable")
    }
}

pub(crate) fn unavailable(reason: impl Display) -> Error {
    anyhow!("{reason}").context(Unavailable)
}

/// Fails as unavailable unless the condition holds.
pub(crate) fn ensure_available(condition: bool, reason: impl Display) -> Outcome {
    if condition { Ok(()) } else { Err(unavailable(reason)) }
}

/// Prints the reason and returns the exit status.
pub(crate) fn report(failure: &Error) -> ExitCode {
    eprintln!("xtask: {failure:#}");
    if failure.is::<Unavailable>() { ExitCode::from(UNAVAILABLE) } else { ExitCode::FAILURE }
}

/// Collects what is skipped because something is missing, so that everything else runs first.
#[derive(Default)]
pub(crate) struct Skipped(Vec<String>);

impl Skipped {
    /// Reports what is unavailable, and returns any other failure.
    pub(crate) fn check(&mut self, task: &str, outcome: Outcome) -> Outcome {
        match outcome {
            Err(failure) if failure.is::<Unavailable>() => {
                println!("{task}: skipped: {}", failure.root_cause());
                self.0.push(failure.root_cause().to_string());
                Ok(())
            }
            other => other,
        }
    }

    /// Fails as unavailable if anything was skipped.
    pub(crate) fn finish(self) -> Outcome {
        ensure_available(self.0.is_empty(), self.0.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Skipped, bail, unavailable};

    #[test]
    fn what_is_unavailable_is_skipped_and_other_failures_are_not() {
        let mut skipped = Skipped::default();
        skipped.check("task", Err(unavailable("no compiler"))).unwrap();
        skipped.check("task", Ok(())).unwrap();
        let fails = || -> Outcome { bail!("a test failed") };
        assert_eq!(skipped.check("task", fails()).unwrap_err().to_string(), "a test failed");
        assert_eq!(format!("{:#}", skipped.finish().unwrap_err()), "unavailable: no compiler");
        assert!(Skipped::default().finish().is_ok());
    }
}
