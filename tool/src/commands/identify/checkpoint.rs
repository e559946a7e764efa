//! All tensors of some files: which of them are tables?

use std::path::Path;
use std::process::ExitCode;

use indicatif::ProgressBar;
use posenc_files::input::{Tensor, Tensors};
use posenc_identify::Outcome::{Identified, Nothing, Several};
use posenc_identify::may_be_table;
use posenc_text::identified::{Summary, Told};

use super::answer::{of_table, of_vector, output};
use super::chosen::{File, Files};
use crate::answers::progress;
use crate::answers::{self, Checkpoint, InCheckpoint};
use crate::cli::IdentifyArgs;
use crate::files::input::open_tensors;
use crate::text::failure::{Failure, Outcome, TROUBLE, print, tell};
use posenc_text::words::printable;

/// Returns the names of the tensors in a file that may be tables.
///
/// # Errors
///
/// If the file cannot be read.
pub fn candidates(path: &Path) -> Result<Vec<Option<String>>, Failure> {
    let tensors = open_tensors(path)?;
    let mut found = Vec::new();
    for i in 0..tensors.len() {
        if let Some(Tensor::Table(table)) = tensors.get(i).map_err(Failure::new)?
            && may_be_table(&table, 0.0).map_err(Failure::new)?
        {
            found.push(tensors.name(i).map(str::to_owned));
        }
    }
    Ok(found)
}

/// Prints a line for each table.
pub(super) fn run(files: Files, args: &IdentifyArgs) -> Outcome {
    let (count, output) = (files.len(), output(files.iter().flatten().map(File::path)));
    let mut scan = Scan {
        args,
        bar: progress::steps(FILE * count, args.answer.quiet),
        count,
        output,
        answer: Checkpoint::default(),
    };
    for (i, file) in files.into_iter().enumerate() {
        match file.and_then(File::open) {
            Ok(tensors) => scan.file(&tensors, i)?,
            Err(failure) => scan.fail(failure),
        }
    }
    scan.finish()
}

/// The length of a file in the bar. The number of its tensors is known only once it is opened.
const FILE: usize = 1000;

struct Scan<'a> {
    args: &'a IdentifyArgs,
    bar: ProgressBar,
    /// The number of all files.
    count: usize,
    /// The file that the commands of answers write.
    output: &'static str,
    answer: Checkpoint,
}

impl Scan<'_> {
    fn file(&mut self, tensors: &Tensors, number: usize) -> Result<(), Failure> {
        let count = tensors.len();
        self.answer.files += 1;
        self.answer.tensors += count;
        for i in 0..count {
            self.bar.set_position((FILE * number + FILE * i / count) as u64);
            self.bar.set_message(format!("tensor {} of {count}, file {} of {}", i + 1, number + 1, self.count));
            match self.tensor(tensors, i) {
                Ok(Some(answer)) => self.tell(tensors, i, answer)?,
                Ok(None) => {}
                // A tensor that cannot be read does not hide the others.
                Err(failure) => self.fail(within(tensors.name(i), failure)),
            }
        }
        Ok(())
    }

    /// Returns what is known of a tensor, if it may be a table, or if it is a vector.
    fn tensor(&mut self, tensors: &Tensors, i: usize) -> Result<Option<Told>, Failure> {
        let table = match tensors.get(i).map_err(Failure::new)? {
            None => return Ok(None),
            Some(Tensor::Vector(vector)) => return of_vector(&vector, self.args, self.output).map(Some),
            Some(Tensor::Table(table)) => table,
        };
        self.answer.matrices += 1;
        if !may_be_table(&table, self.args.tolerance.unwrap_or(0.0)).map_err(Failure::new)? {
            return Ok(None);
        }
        of_table(&table, self.args, self.output).map(Some)
    }

    /// Prints what is known of a tensor, if it is a table or nearly one, or a vector of frequencies.
    fn tell(&mut self, tensors: &Tensors, i: usize, told: Told) -> Result<(), Failure> {
        let Some(line) = told.line() else { return Ok(()) };
        let (file, name) = (tensors.file().to_owned(), tensors.name(i).map(str::to_owned));
        if self.is_text() {
            let of_file = if self.count == 1 && name.is_some() { "" } else { &format!("{file}: ") };
            let of_tensor = name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
            let line = printable(&format!("{of_file}{of_tensor}{line}"));
            self.bar.suspend(|| print(&line))?;
        }
        let list = if told.is_vector { &mut self.answer.vectors } else { &mut self.answer.tables };
        list.push(InCheckpoint { file, name, answer: told.into() });
        Ok(())
    }

    fn is_text(&self) -> bool {
        !self.args.answer.json && !self.args.answer.quiet
    }

    /// Reports a failure, after which the scan goes on.
    fn fail(&mut self, failure: Failure) {
        if let Failure::Because(sentence) = failure {
            self.bar.suspend(|| tell(&sentence));
            self.answer.failures.push(sentence);
        }
    }

    /// Returns the exit status: of a failure, of several tables that fit a tensor, of a table, or of none.
    fn finish(self) -> Outcome {
        self.bar.finish_and_clear();
        let count = |outcome| self.answer.tables.iter().filter(|table| table.answer.outcome == outcome).count();
        let [identified, several, near] = [Identified, Several, Nothing].map(count);
        if self.args.answer.json {
            answers::print(&self.answer)?;
        } else if self.is_text() {
            let Checkpoint { files, tensors, matrices, tables, vectors, .. } = &self.answer;
            let (files, tensors, matrices) = (*files, *tensors, *matrices);
            let (found, vectors) = (identified + several, vectors.len());
            let summary = Summary { files, tensors, matrices, tables: found, near, vectors };
            let hint =
                if tables.iter().any(|table| table.name.is_some()) { "; --name describes one in detail" } else { "" };
            print(&format!("{summary}{hint}"))?;
        }
        if !self.answer.failures.is_empty() {
            return Ok(ExitCode::from(TROUBLE));
        }
        let is_several = |vector: &InCheckpoint| vector.answer.outcome == Several;
        let outcome = match (identified + self.answer.vectors.len(), several) {
            _ if self.answer.vectors.iter().any(is_several) => Several,
            (0, 0) => Nothing,
            (_, 0) => Identified,
            _ => Several,
        };
        Ok(ExitCode::from(answers::status(outcome)))
    }
}

/// Says in which tensor a failure was.
fn within(name: Option<&str>, failure: Failure) -> Failure {
    match (name, failure) {
        (Some(name), Failure::Because(sentence)) => Failure::new(format_args!("{sentence} (tensor `{name}`)")),
        (_, failure) => failure,
    }
}
