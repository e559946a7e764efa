//! The ways in which a task can fail.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The result of a task.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The exit code of a task that lacks something: `EX_UNAVAILABLE` of BSD's `sysexits.h`.
pub(crate) const UNAVAILABLE: u8 = 69;

/// The reason why a task stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check failed, or a command did.
    Failed(String),
    /// A tool or the network is missing, so the task, or a part of it, could not be done.
    Unavailable(String),
}

impl Failure {
    pub(crate) fn failed(sentence: impl Display) -> Self {
        Self::Failed(sentence.to_string())
    }

    pub(crate) fn unavailable(sentence: impl Display) -> Self {
        Self::Unavailable(sentence.to_string())
    }

    /// Returns the reason.
    pub(crate) fn sentence(&self) -> &str {
        match self {
            Self::Failed(sentence) | Self::Unavailable(sentence) => sentence,
        }
    }

    /// Prints the reason and returns the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Failed(sentence) => {
                eprintln!("xtask: {sentence}");
                ExitCode::FAILURE
            }
            Self::Unavailable(sentence) => {
                eprintln!("xtask: unavailable: {sentence}");
                ExitCode::from(UNAVAILABLE)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::failed(error)
    }
}

/// Fails with the message unless the condition holds.
pub(crate) fn ensure(condition: bool, sentence: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(Failure::Failed(sentence())) }
}

/// Fails as unavailable unless the condition holds.
pub(crate) fn ensure_available(condition: bool, sentence: &str) -> Outcome {
    if condition { Ok(()) } else { Err(Failure::unavailable(sentence)) }
}

/// Collects what is skipped because something is missing, so that everything else runs first.
#[derive(Default)]
pub(crate) struct Skipped(Vec<String>);

impl Skipped {
    /// Reports something that is skipped.
    pub(crate) fn add(&mut self, task: &str, what: impl Display) {
        println!("{task}: skipped: {what}");
        self.0.push(what.to_string());
    }

    /// Reports what is unavailable, and returns any other failure.
    pub(crate) fn check(&mut self, task: &str, outcome: Outcome) -> Outcome {
        match outcome {
            Err(Failure::Unavailable(reason)) => self.add(task, reason),
            other => other?,
        }
        Ok(())
    }

    /// Fails as unavailable if anything was skipped.
    pub(crate) fn finish(self) -> Outcome {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::Unavailable(self.0.join("; "))) }
    }
}
