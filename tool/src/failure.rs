//! What ends a command early, and the text that a command prints.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use posenc::SpecError;

/// How a command ends: with its own status, or with a failure.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// The status of what could not be done, which clap also gives to misuse. 1 is left for an answer: the tables differ, or
/// nothing fits.
const TROUBLE: u8 = 2;

/// Why a command stops.
#[derive(Debug)]
pub enum Failure {
    /// For this reason, a sentence.
    Because(String),
    /// Who reads the output has read enough: `posenc ... | head`.
    NobodyReads,
}

impl Failure {
    pub(crate) fn new(sentence: impl Display) -> Self {
        Self::Because(sentence.to_string())
    }

    /// Says it, and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Because(sentence) => {
                // If stderr is gone too, the status has to do. What stands in files is not for the terminal to obey.
                let printable: String = sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                let _ = writeln!(io::stderr(), "error: {printable}");
                ExitCode::from(TROUBLE)
            }
            Self::NobodyReads => ExitCode::SUCCESS,
        }
    }
}

/// The library's sentences are meant for users.
impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Self::new(error)
    }
}

/// Prints a command's text. `println!` would panic where the reader has gone.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{}", text.trim_end()).and_then(|()| stdout.flush());
    written.map_err(|error| cannot_print(&error))
}

/// The failure of a write to stdout.
pub(crate) fn cannot_print(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::new(format_args!("cannot write to stdout: {error}")),
    }
}
