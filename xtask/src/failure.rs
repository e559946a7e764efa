//! How a task can fail.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// What a task returns.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The exit code of a task for which something is missing: `EX_UNAVAILABLE` of BSD's `sysexits.h`.
pub(crate) const UNAVAILABLE: u8 = 69;

/// Why a task stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was checked does not hold, or a command failed.
    Failed(String),
    /// A tool or the network is missing, so all or some of the task could not be done.
    Unavailable(String),
}

impl Failure {
    pub(crate) fn failed(sentence: impl Display) -> Self {
        Self::Failed(sentence.to_string())
    }

    pub(crate) fn unavailable(sentence: impl Display) -> Self {
        Self::Unavailable(sentence.to_string())
    }

    /// The reason.
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

/// Fails with the sentence unless the condition holds.
pub(crate) fn ensure(condition: bool, sentence: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(Failure::Failed(sentence())) }
}

/// Collects what was left out because something is missing, so that the rest can be done first.
#[derive(Default)]
pub(crate) struct Skipped(Vec<String>);

impl Skipped {
    /// Reports one thing that is left out.
    pub(crate) fn add(&mut self, task: &str, what: impl Display) {
        println!("{task}: skipped: {what}");
        self.0.push(what.to_string());
    }

    /// Fails as unavailable if anything was left out.
    pub(crate) fn finish(self) -> Outcome {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::Unavailable(self.0.join("; "))) }
    }
}
