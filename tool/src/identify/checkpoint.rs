//! All tensors of some files: which of them are tables?

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::answer::Answer;
use super::chosen::Files;
use super::{recurrence, status};
use crate::args::IdentifyArgs;
use crate::failure::{Failure, Outcome, TROUBLE, print, tell};
use crate::input::{Table, Tensors};
use crate::json::{self, Checkpoint, InCheckpoint};
use crate::text::{counted, printable};

/// Returns the names of the tensors in a file that may be tables.
///
/// # Errors
///
/// If the file cannot be read.
pub fn candidates(path: &Path) -> Result<Vec<Option<String>>, Failure> {
    let tensors = Tensors::open(path)?;
    let mut found = Vec::new();
    for name in tensors.names() {
        if candidate(&tensors, name.as_deref(), 0.0)?.is_some() {
            found.push(name);
        }
    }
    Ok(found)
}

/// Returns a tensor if it may be a table.
fn candidate(tensors: &Tensors, name: Option<&str>, tolerance: f64) -> Result<Option<Table>, Failure> {
    let Some(table) = tensors.get(name)? else { return Ok(None) };
    Ok(recurrence::may_be_table(&table, tolerance)?.then_some(table))
}

/// Prints a line for each table.
pub(super) fn run(files: Files, args: &IdentifyArgs) -> Outcome {
    let mut scan = Scan { args, bar: bar(args, files.len()), count: files.len(), answer: Checkpoint::default() };
    for (i, file) in files.into_iter().enumerate() {
        let seen = file.and_then(|file| scan.file(&file, i));
        seen.or_else(|failure| scan.fail(failure))?;
    }
    scan.finish()
}

/// The length of a file in the bar. The number of its tensors is known only once it is opened.
const FILE: usize = 1000;

/// Returns a line of progress, visible only on a terminal.
fn bar(args: &IdentifyArgs, files: usize) -> ProgressBar {
    if args.answer.quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some((FILE * files) as u64), ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(ProgressStyle::with_template("{wide_bar} {msg}").expect("the template is valid"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

struct Scan<'a> {
    args: &'a IdentifyArgs,
    bar: ProgressBar,
    /// The number of all files.
    count: usize,
    answer: Checkpoint,
}

impl Scan<'_> {
    fn file(&mut self, path: &Path, number: usize) -> Result<(), Failure> {
        let tensors = Tensors::open(path)?;
        let names = tensors.names();
        self.answer.files += 1;
        self.answer.tensors += names.len();
        let count = names.len();
        for (i, name) in names.into_iter().enumerate() {
            self.bar.set_position((FILE * number + FILE * i / count) as u64);
            self.bar.set_message(format!("tensor {} of {count}, file {} of {}", i + 1, number + 1, self.count));
            // A tensor that cannot be read does not hide the others.
            let seen = self.tensor(path, &tensors, name.as_deref());
            seen.or_else(|failure| self.fail(within(name.as_deref(), failure)))?;
        }
        Ok(())
    }

    fn tensor(&mut self, path: &Path, tensors: &Tensors, name: Option<&str>) -> Result<(), Failure> {
        let tolerance = self.args.tolerance.unwrap_or(0.0);
        let Some(table) = candidate(tensors, name, tolerance)? else { return Ok(()) };
        let answer = super::answer(&table, self.args)?;
        match answer.short.clone() {
            Some(short) => self.tell(path, name, &table, answer, &short),
            None => Ok(()),
        }
    }

    fn tell(
        &mut self,
        path: &Path,
        name: Option<&str>,
        table: &Table,
        answer: Answer,
        short: &str,
    ) -> Result<(), Failure> {
        let (shape @ [rows, columns], dtype) = (table.shape(), table.dtype().name());
        let file = path.display().to_string();
        if self.is_text() {
            let of_file = if self.count == 1 && name.is_some() { "" } else { &format!("{file}: ") };
            let of_tensor = name.map_or_else(String::new, |name| format!("{name}: "));
            let line = printable(&format!("{of_file}{of_tensor}{rows} x {columns} {dtype}, {short}"));
            self.bar.suspend(|| print(&line))?;
        }
        let name = name.map(str::to_owned);
        self.answer.tables.push(InCheckpoint { file, name, answer: answer.json(shape, dtype) });
        Ok(())
    }

    fn is_text(&self) -> bool {
        !self.args.answer.json && !self.args.answer.quiet
    }

    /// Reports a failure, after which the scan goes on. That nobody reads any more ends it.
    fn fail(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Because(sentence) => {
                self.bar.suspend(|| tell(&sentence));
                self.answer.failures.push(sentence);
                Ok(())
            }
            Failure::NobodyReads => Err(failure),
        }
    }

    /// Returns the exit status: of a failure, of several tables that fit a tensor, of a table, or of none.
    fn finish(self) -> Outcome {
        self.bar.finish_and_clear();
        let count = |outcome| self.answer.tables.iter().filter(|table| table.answer.outcome() == outcome).count();
        let [identified, several, near] =
            [json::Outcome::Identified, json::Outcome::Several, json::Outcome::Nothing].map(count);
        if self.args.answer.json {
            json::print(&self.answer)?;
        } else if self.is_text() {
            let Checkpoint { files, tensors, .. } = self.answer;
            let seen = format!("{} in {}", counted(tensors, "tensor"), counted(files, "file"));
            let nearly = if near > 0 { format!(", {near} nearly") } else { String::new() };
            print(&format!("tables: {} of {seen}{nearly}; --name describes one in detail", identified + several))?;
        }
        if !self.answer.failures.is_empty() {
            return Ok(ExitCode::from(TROUBLE));
        }
        let outcome = match (identified, several) {
            (0, 0) => json::Outcome::Nothing,
            (_, 0) => json::Outcome::Identified,
            _ => json::Outcome::Several,
        };
        Ok(ExitCode::from(status(outcome)))
    }
}

/// Says in which tensor a failure was.
fn within(name: Option<&str>, failure: Failure) -> Failure {
    match (name, failure) {
        (Some(name), Failure::Because(sentence)) => Failure::new(format_args!("{sentence} (tensor `{name}`)")),
        (_, failure) => failure,
    }
}
