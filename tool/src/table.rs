//! `posenc table`: computes a table piece by piece and writes it to a file.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use posenc::__private::{FirstRows, Source};
use posenc::{Preset, Spec};

use crate::args::{OutputArgs, TableArgs};
use crate::config::{self, Given, Told};
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::format::{Facts, Format, Parts};
use crate::output::Target;
use crate::stored::{Stored, with_stored};
use crate::text::macro_call;

/// The size of a piece in bytes: large enough to make its setup negligible, small enough for any machine.
const PIECE: usize = 8 << 20;

/// The size of the buffer for short rows.
const BUFFER: usize = 1 << 20;

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = Format::of(&args.file)?;
    let parameters = &args.parameters;
    let (start, zero_row) = (parameters.start(), parameters.zero_row());
    let given = Given { seq_len: args.seq_len, d_model: args.d_model, start, zero_row };
    let model = match &args.config {
        Some(path) => config::read(path, given)?,
        None => Told { preset: Preset::Paper, seq_len: None, d_model: None, zero_row: None },
    };
    let seq_len = size("seq-len", given.seq_len.or(model.seq_len))?;
    let d_model = size("d-model", given.d_model.or(model.d_model))?;
    let mut spec = parameters.spec(model.preset, d_model)?;
    // The padding row belongs to the model's preset, not to another preset given with --preset.
    if let (Some(row), None, None) = (model.zero_row, zero_row, parameters.preset) {
        spec = spec.zero_row(row);
    }
    spec = args.file.dtype.quantiser().into_iter().fold(spec, Spec::quantiser);
    with_stored!(args.file.dtype, T => make::<T>(&spec, seq_len, format, &args.file))
}

fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}

/// Writes the table of a spec to a file.
pub(crate) fn make<T: Stored>(spec: &Spec, seq_len: usize, format: Format, args: &OutputArgs) -> Outcome {
    let call = macro_call::<T>(spec, seq_len).to_string();
    write_file::<T>(&FirstRows { spec: *spec, seq_len }, &call, format, args)
}

/// Writes a table, which this macro call makes too, to a file.
pub(crate) fn write_file<T: Stored>(source: &impl Source, call: &str, format: Format, args: &OutputArgs) -> Outcome {
    let bytes = source.check::<T>(isize::MAX as usize)?;
    let [rows, columns] = [source.rows(), source.d_model()];
    let facts = Facts { shape: [rows, columns], call, name: args.name.as_deref(), output: &args.output };
    let parts = format.parts::<T>(&facts)?;
    let mut target = Target::open(&args.output)?;
    let written = write(&parts, source, &progress_bar(bytes), &mut target);
    let name = if target.is_stdout() { "stdout".to_owned() } else { args.output.display().to_string() };
    let bytes = written.map_err(|error| target.failure(&name, &error))?;
    target.finish()?;
    // The table is complete by now, so a closed stderr is not a failure.
    let _ = writeln!(io::stderr(), "{name}: {rows} x {columns} {}, {bytes} bytes: {call}", T::DTYPE);
    Ok(ExitCode::SUCCESS)
}

/// Writes the parts of a file, and the rows as they are computed. Returns the number of bytes.
fn write<T: Stored>(
    parts: &Parts<T>,
    source: &impl Source,
    bar: &ProgressBar,
    target: &mut Target,
) -> io::Result<usize> {
    let (seq_len, d_model) = (source.rows(), source.d_model());
    let rows = (PIECE / (d_model * size_of::<T>())).max(1);
    let mut entries = vec![T::default(); rows.min(seq_len) * d_model];
    let mut file = BufWriter::with_capacity(BUFFER, target);
    file.write_all(&parts.before)?;
    let mut written = parts.before.len() + parts.after.len();
    let mut line = Vec::new();
    for first in (0..seq_len).step_by(rows) {
        let entries = &mut entries[..rows.min(seq_len - first) * d_model];
        source.fill(first, entries).expect("the table has been checked");
        for row in entries.chunks_exact(d_model) {
            line.clear();
            (parts.append_row)(row, &mut line)?;
            file.write_all(&line)?;
            written += line.len();
        }
        bar.inc(size_of_val(entries) as u64);
    }
    file.write_all(parts.after.as_bytes())?;
    file.flush()?;
    bar.finish_and_clear();
    Ok(written)
}

/// Returns a progress bar for the bytes of the entries, visible only on a terminal and for large tables.
fn progress_bar(bytes: usize) -> ProgressBar {
    if bytes < 64 << 20 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(bytes as u64), ProgressDrawTarget::stderr_with_hz(10));
    let style = "{wide_bar} {bytes} of {total_bytes}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is valid"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
