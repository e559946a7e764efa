//! Computes a table piece by piece and writes it to a file.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use indicatif::BinaryBytes;
use posenc_files::element::Stored;
use posenc_files::format::{self, Facts, Format, is_stdout};
use posenc_text::rows::Rows;

use crate::answers::progress;
use crate::answers::{self, Written};
use crate::cli::OutputArgs;
use crate::files::output::Target;
use crate::text::failure::{Failure, Outcome};
use posenc_text::words::printable;

/// The size of the buffer for short rows.
const BUFFER: usize = 1 << 20;

/// Returns the format of a file.
pub(crate) fn format(args: &OutputArgs) -> Result<Format, Failure> {
    Format::of(&args.output, args.format).map_err(Failure::new)
}

/// Writes a table to a file, and says what it wrote. A model may have another element type.
pub(crate) fn write<T: Stored>(rows: &Rows<T>, format: Format, args: &OutputArgs, of_model: Option<&str>) -> Outcome {
    let (shape, is_vector, bytes, call) = (&rows.shape(), rows.is_vector(), rows.bytes(), &rows.call());
    if args.answer.json && is_stdout(&args.output) {
        return Err(Failure::new("--json prints to stdout, where the table is to be; use another --output"));
    }
    check_size(rows, format, args.max_bytes)?;
    let facts = Facts { shape: *shape, is_vector, call, name: args.name.as_deref(), output: &args.output };
    let parts = format.parts::<T>(&facts).map_err(Failure::new)?;
    let mut target = Target::open(&args.output)?;
    let bar = progress::bytes(bytes, args.answer.quiet);
    let mut buffer = BufWriter::with_capacity(BUFFER, &mut target);
    let written = format::write(&parts, rows, &mut buffer, |bytes| bar.inc(bytes as u64));
    let written = written.and_then(|written| buffer.flush().map(|()| written));
    drop(buffer);
    bar.finish_and_clear();
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
        let shape = if is_vector { columns.to_string() } else { format!("{rows} x {columns}") };
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
    let ([rows, columns], bytes) = (table.shape(), table.bytes());
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
