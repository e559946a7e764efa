//! The failures of commands, and printing to stdout.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::process::ExitCode;

use posenc::TableError;

use posenc_text::words::printable;

/// How a command ends: with its own status, or with a failure.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// The exit status of a failure. clap uses it for wrong usage too.
///
/// Status 1 is an answer: the tables differ, or nothing fits.
pub(crate) const TROUBLE: u8 = 2;

/// The reason why a command stops.
#[derive(Debug)]
pub enum Failure {
    /// An error message.
    Because(String),
    /// The reader of the output has closed it, as in `posenc ... | head`.
    OutputClosed,
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Because(sentence) => f.write_str(sentence),
            Self::OutputClosed => f.write_str("the reader of the output has closed it"),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub(crate) fn new(sentence: impl Display) -> Self {
        Self::Because(sentence.to_string())
    }

    /// Prints the message and returns the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Because(sentence) => {
                tell(&sentence);
                ExitCode::from(TROUBLE)
            }
            Self::OutputClosed => end_by_closed_pipe(),
        }
    }
}

/// Prints an error message.
pub(crate) fn tell(sentence: &str) {
    // If stderr is closed, the exit status has to suffice.
    let _ = writeln!(io::stderr(), "error: {}", printable(sentence));
}

/// Ends the process as the system ends programs whose output pipe is closed, so that the status is not mistaken for an answer.
///
/// Rust programs ignore this signal, because it would end them at a closed socket too.
#[cfg(unix)]
fn end_by_closed_pipe() -> ExitCode {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
    ExitCode::from(TROUBLE)
}

/// Other systems have no such signal.
#[cfg(not(unix))]
fn end_by_closed_pipe() -> ExitCode {
    ExitCode::from(TROUBLE)
}

/// The library's messages are meant for users.
impl<E: Into<TableError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.into())
    }
}

/// Prints a command's output. `println!` would panic if the reader has closed it.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{}", text.trim_end()).and_then(|()| stdout.flush());
    written.map_err(|error| cannot_print(&error))
}

/// Returns the failure of a write to stdout.
pub(crate) fn cannot_print(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::new(format_args!("cannot write to stdout: {error}")),
    }
}
