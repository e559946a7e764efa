//! Which table a file has.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use posenc_files::input::{Tensor, Tensors};
use posenc_identify::{Options, Outcome, Rows, may_be_table};
use posenc_text::identified::{Summary, Told};
use posenc_text::values;
use posenc_text::words::printable;
use serde::{Deserialize, Serialize};

use crate::source::Opened;

/// The file in question, and what has been found in it.
struct Scan {
    tensors: Tensors,
    /// The file that the commands of answers write, which is another one.
    output: &'static str,
    /// The shape of a grid, if it is given.
    shape: Option<Vec<usize>>,
    summary: Summary,
}

thread_local! {
    static SCAN: RefCell<Option<Scan>> = const { RefCell::new(None) };
}

/// A file that the page has opened.
#[derive(Deserialize)]
pub(crate) struct File {
    name: String,
    size: u64,
    /// The shape of a grid, or nothing.
    shape: String,
}

/// What a file has.
#[derive(Serialize)]
pub(crate) struct Content {
    /// The number of tensors.
    count: usize,
    /// Whether all of them are in question.
    several: bool,
}

/// What is said of a tensor.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// The name of the tensor, if it has one.
    name: Option<String>,
    /// What is said of it among others, or `None` if it is not even nearly a table.
    line: Option<String>,
    /// All that is said of it.
    text: String,
    /// The macro call that makes the table, if one does.
    call: Option<String>,
    /// The command that makes the table, if one does.
    command: Option<String>,
}

/// Opens a file.
pub(crate) fn open(File { name, size, shape }: &File) -> Result<Content, String> {
    SCAN.set(None);
    let shape = Some(shape.trim()).filter(|shape| !shape.is_empty()).map(values::shape).transpose()?;
    let tensors = Tensors::of(name, Rc::new(Opened::new(*size)))?;
    let (count, several) = (tensors.len(), tensors.are_several());
    let exact = "exact.safetensors";
    let output = if Path::new(name) == Path::new(exact) { "exact-table.safetensors" } else { exact };
    let summary = Summary { files: 1, tensors: count, ..Summary::default() };
    SCAN.set(Some(Scan { tensors, output, shape, summary }));
    Ok(Content { count, several })
}

/// Returns all that is known of the only table in the file.
pub(crate) fn one() -> Result<Answer, String> {
    with(|scan| {
        let told = match scan.tensors.one(None)? {
            Tensor::Table(table) => scan.of_table(&table)?,
            Tensor::Vector(vector) => scan.of_vector(&vector)?,
        };
        Ok(answer(None, told))
    })
}

/// Returns what is known of a tensor of several, or `None` if it is no table.
pub(crate) fn tensor(i: usize) -> Result<Option<Answer>, String> {
    with(|scan| {
        let name = scan.tensors.name(i).map(str::to_owned);
        let within = |error| match &name {
            Some(name) => format!("{error} (tensor `{name}`)"),
            None => error,
        };
        let Some(told) = scan.told(i).map_err(within)? else { return Ok(None) };
        if told.short.is_none() {
            return Ok(None);
        }
        let summary = &mut scan.summary;
        let count = match (told.is_vector, told.outcome) {
            (true, _) => &mut summary.vectors,
            (_, Outcome::Nothing) => &mut summary.near,
            _ => &mut summary.tables,
        };
        *count += 1;
        Ok(Some(answer(name, told)))
    })
}

/// Returns what is said of all tensors together.
pub(crate) fn summary() -> Result<String, String> {
    with(|scan| Ok(scan.summary.to_string()))
}

fn with<T>(what: impl FnOnce(&mut Scan) -> Result<T, String>) -> Result<T, String> {
    SCAN.with_borrow_mut(|scan| what(scan.as_mut().ok_or("no file is open")?))
}

impl Scan {
    /// Returns what is known of a tensor, if it may be a table, or if it is a vector.
    fn told(&mut self, i: usize) -> Result<Option<Told>, String> {
        let table = match self.tensors.get(i)? {
            None => return Ok(None),
            Some(Tensor::Vector(vector)) => return self.of_vector(&vector).map(Some),
            Some(Tensor::Table(table)) => table,
        };
        self.summary.matrices += 1;
        if !may_be_table(&table, 0.0).map_err(|error| error.to_string())? {
            return Ok(None);
        }
        self.of_table(&table).map(Some)
    }

    fn of_table(&self, table: &dyn Rows) -> Result<Told, String> {
        let options = self.shape.as_deref().into_iter().fold(Options::default(), Options::shape);
        Told::of(table, &options, self.output).map_err(|error| error.to_string())
    }

    fn of_vector(&self, vector: &dyn Rows) -> Result<Told, String> {
        Told::of_vector(vector, self.output).map_err(|error| error.to_string())
    }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

fn answer(name: Option<String>, told: Told) -> Answer {
    let (line, text) = (told.line(), told.text());
    let is_table = told.outcome != Outcome::Nothing && !told.is_vector;
    let command = told.lines.into_iter().find(|(name, _)| *name == "command").map(|(_, command)| command);
    let [name, line] = [name, line].map(|text| text.map(|text| printable(&text)));
    Answer {
        name,
        line,
        text: printable_lines(&text),
        call: is_table.then_some(told.title),
        command: command.filter(|_| is_table),
    }
}
