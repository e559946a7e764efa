//! Computes a table piece by piece and writes it to a file.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use indicatif::{BinaryBytes, ProgressBar};
use posenc::{Grid, GridError, Spec, SpecError, TableError};
use posenc_text::calls::{grid_call, macro_call};
use posenc_text::words::counted;

use crate::answers::progress;
use crate::answers::{self, Written};
use crate::cli::OutputArgs;
use crate::element::Stored;
use crate::files::format::{Facts, Format, Parts};
use crate::files::output::{Target, is_stdout};
use crate::text::failure::{Failure, Outcome};
use crate::text::printable;

/// The size of a piece in bytes: large enough to make its setup negligible, small enough for any machine.
const PIECE: usize = 8 << 20;

/// The size of the buffer for short rows.
const BUFFER: usize = 1 << 20;

/// The rows of a table that has been checked.
pub(crate) struct Rows<'r, T> {
    /// The numbers of rows and columns.
    shape: [usize; 2],
    is_vector: bool,
    /// The size of the entries.
    bytes: usize,
    /// The macro call that makes the same table.
    call: String,
    /// Writes the rows from a number on.
    fill: Box<Fill<'r, T>>,
}

type Fill<'r, T> = dyn Fn(usize, &mut [T]) -> Result<(), TableError> + 'r;

impl<'r, T: Stored> Rows<'r, T> {
    /// Returns the first rows of a spec.
    pub(crate) fn first(spec: Spec<'r>, seq_len: usize) -> Result<Self, SpecError> {
        Self::of(spec, seq_len, macro_call::<T>(&spec, seq_len).to_string())
    }

    /// Returns the first rows of a spec, which this macro call makes too.
    pub(crate) fn of(spec: Spec<'r>, seq_len: usize, call: String) -> Result<Self, SpecError> {
        let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
        let fill = move |first, rows: &mut [T]| Ok(spec.fill(first.., rows)?);
        Ok(Self { shape: [seq_len, spec.d_model()], is_vector: false, bytes, call, fill: Box::new(fill) })
    }

    /// Returns a vector, described as `call`.
    pub(crate) fn vector(entries: Vec<T>, call: String) -> Self {
        let (shape, bytes) = ([1, entries.len()], size_of_val(entries.as_slice()));
        let fill = move |_, row: &mut [T]| {
            row.copy_from_slice(&entries);
            Ok(())
        };
        Self { shape, is_vector: true, bytes, call, fill: Box::new(fill) }
    }

    /// Returns the rows of a grid.
    pub(crate) fn of_grid<const A: usize>(grid: Grid<'r, A>) -> Result<Self, GridError> {
        Self::of_called_grid(grid, grid_call::<T, A>(&grid).to_string())
    }

    /// Returns the rows of a grid, which this macro call makes too.
    pub(crate) fn of_called_grid<const A: usize>(grid: Grid<'r, A>, call: String) -> Result<Self, GridError> {
        let (shape, bytes) = ([grid.rows(), grid.d_model()], grid.check_table::<T>(isize::MAX as usize)?);
        let fill = move |first, rows: &mut [T]| Ok(grid.fill(first.., rows)?);
        Ok(Self { shape, is_vector: false, bytes, call, fill: Box::new(fill) })
    }

    /// Returns the rows of a spec at these positions, which are finite.
    pub(crate) fn at(spec: Spec<'r>, positions: &'r [f64]) -> Result<Self, SpecError> {
        // Positions that are given have neither a start nor a step.
        let (seq_len, d_model, spec) = (positions.len(), spec.d_model(), spec.start(0).step(1));
        let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
        let encoder = spec.prepare::<T>(0)?;
        let call = format!("{} at {}", macro_call::<T>(&spec, seq_len), counted(seq_len, "given position"));
        let fill = move |first: usize, rows: &mut [T]| {
            Ok(encoder.fill_positions(&positions[first..][..rows.len() / d_model], rows)?)
        };
        Ok(Self { shape: [seq_len, d_model], is_vector: false, bytes, call, fill: Box::new(fill) })
    }

    /// Returns the numbers of rows and columns.
    pub(crate) fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// Returns the macro call that makes the same table.
    pub(crate) fn call(&self) -> &str {
        &self.call
    }

    /// Computes whole rows in pieces, from the first to the last, until one of them fails to be used.
    pub(crate) fn for_each_piece<E>(&self, mut take: impl FnMut(&[T]) -> Result<(), E>) -> Result<(), E> {
        let [seq_len, d_model] = self.shape;
        let rows = (PIECE / (d_model * size_of::<T>())).max(1);
        let mut entries = vec![T::default(); rows.min(seq_len) * d_model];
        for first in (0..seq_len).step_by(rows) {
            let entries = &mut entries[..rows.min(seq_len - first) * d_model];
            self.fill(first, entries);
            take(entries)?;
        }
        Ok(())
    }

    /// Computes the rows from a number on. They must be in the table.
    pub(crate) fn fill(&self, first: usize, rows: &mut [T]) {
        (self.fill)(first, rows).expect("the table has been checked");
    }
}

/// Writes a table to a file, and says what it wrote. A model may have another element type.
pub(crate) fn write<T: Stored>(rows: &Rows<T>, format: Format, args: &OutputArgs, of_model: Option<&str>) -> Outcome {
    let Rows { shape, is_vector, bytes, call, .. } = rows;
    if args.answer.json && is_stdout(&args.output) {
        return Err(Failure::new("--json prints to stdout, where the table is to be; use another --output"));
    }
    check_size(rows, format, args.max_bytes)?;
    let facts = Facts { shape: *shape, is_vector: *is_vector, call, name: args.name.as_deref(), output: &args.output };
    let parts = format.parts::<T>(&facts)?;
    let mut target = Target::open(&args.output)?;
    let bar = progress::bytes(*bytes, args.answer.quiet);
    let written = write_parts(&parts, rows, &bar, &mut target);
    let file = if target.is_stdout() { "stdout".to_owned() } else { args.output.display().to_string() };
    let bytes = written.map_err(|error| target.failure(&file, &error))?;
    target.finish()?;
    let [rows, columns] = *shape;
    let dtype = T::DTYPE;
    let model_dtype = of_model.map(str::to_owned);
    if args.answer.json {
        answers::print(&Written { file, format, rows, columns, dtype, model_dtype, bytes, call: call.clone() })?;
    } else if !args.answer.quiet {
        // The table is complete by now, so a closed stderr is not a failure.
        let shape = if *is_vector { columns.to_string() } else { format!("{rows} x {columns}") };
        let _ = writeln!(io::stderr(), "{file}: {shape} {dtype}, {bytes} bytes: {call}");
        if let Some(of_model) = of_model.filter(|of_model| *of_model != dtype) {
            note(&format!("the weights of the model are {of_model}; --dtype {of_model} makes the table so"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says something about a table that is complete by now, so a closed stderr is not a failure.
pub(crate) fn note(sentence: &str) {
    let _ = writeln!(io::stderr(), "note: {}", printable(sentence));
}

/// Refuses a table above the limit, which is more likely a slip than a wish.
fn check_size<T: Stored>(table: &Rows<T>, format: Format, limit: usize) -> Result<(), Failure> {
    let Rows { shape: [rows, columns], bytes, .. } = *table;
    if bytes <= limit {
        return Ok(());
    }
    let more = if format.is_text() { ", and more as text" } else { "" };
    let size = |bytes: usize| format!("{} ({bytes} bytes)", BinaryBytes(bytes as u64));
    Err(Failure::new(format_args!(
        "a table of {rows} x {columns} {} entries takes {}{more}, but the limit is {}; use fewer rows or columns, or set \
         --max-bytes {bytes}",
        T::DTYPE,
        size(bytes),
        size(limit)
    )))
}

/// Writes the parts of a file, and the rows as they are computed. Returns the number of bytes.
fn write_parts<T: Stored>(
    parts: &Parts<T>,
    table: &Rows<T>,
    bar: &ProgressBar,
    target: &mut Target,
) -> io::Result<usize> {
    let mut file = BufWriter::with_capacity(BUFFER, target);
    file.write_all(&parts.before)?;
    let mut written = parts.before.len() + parts.after.len();
    let mut line = Vec::new();
    table.for_each_piece(|entries| {
        for row in entries.chunks_exact(table.shape[1]) {
            line.clear();
            (parts.append_row)(row, &mut line)?;
            file.write_all(&line)?;
            written += line.len();
        }
        bar.inc(size_of_val(entries) as u64);
        io::Result::Ok(())
    })?;
    file.write_all(parts.after.as_bytes())?;
    file.flush()?;
    bar.finish_and_clear();
    Ok(written)
}
