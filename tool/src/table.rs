//! `posenc table`: computes a table piece by piece and writes it to a file.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use posenc::{Preset, Spec};

use crate::args::{Format, OutputArgs, TableArgs};
use crate::config::{self, Given, Told};
use crate::entry::{Entry, with_entry};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::text::macro_call;

/// The size of a piece in bytes: large enough to make its setup negligible, small enough for any machine.
const PIECE: usize = 8 << 20;

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = format(args.file.format, &args.file.output)?;
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
    with_entry!(args.file.dtype, T => make::<T>(&spec, seq_len, format, &args.file))
}

fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}

/// Returns the format given, or else the one of the file extension.
pub(crate) fn format(given: Option<Format>, output: &Path) -> Result<Format, Failure> {
    if let Some(format) = given {
        return Ok(format);
    }
    let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        "npy" => Ok(Format::Npy),
        "safetensors" => Ok(Format::Safetensors),
        "bin" => Ok(Format::Bin),
        _ => Err(Failure::new(format_args!(
            "the file name `{}` does not determine the format; use the extension .npy, .safetensors or .bin, or --format",
            output.display()
        ))),
    }
}

/// Writes the table of a spec to a file.
pub(crate) fn make<T: Entry>(spec: &Spec, seq_len: usize, format: Format, args: &OutputArgs) -> Outcome {
    let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
    let call = macro_call::<T>(spec, seq_len).to_string();
    let header = output::header::<T>(format, [seq_len, spec.d_model()], &args.name, &call)?;
    let mut target = Target::open(&args.output)?;
    let written = target.write(&header).and_then(|()| fill::<T>(spec, seq_len, bytes, &mut target));
    let name = if target.is_stdout() { "stdout".to_owned() } else { args.output.display().to_string() };
    match written {
        Ok(()) => target.finish()?,
        Err(error) => return Err(target.failure(&name, &error)),
    }
    let d_model = spec.d_model();
    let bytes = header.len() + bytes;
    // The table is complete by now, so a closed stderr is not a failure.
    let _ = writeln!(io::stderr(), "{name}: {seq_len} x {d_model} {}, {bytes} bytes: {call}", T::DTYPE);
    Ok(ExitCode::SUCCESS)
}

/// Computes the rows and writes them.
fn fill<T: Entry>(spec: &Spec, seq_len: usize, bytes: usize, target: &mut Target) -> io::Result<()> {
    let d_model = spec.d_model();
    let rows = (PIECE / (d_model * size_of::<T>())).max(1);
    let bar = progress_bar(bytes);
    let mut entries = vec![T::default(); rows.min(seq_len) * d_model];
    let mut piece = Vec::with_capacity(size_of_val(entries.as_slice()));
    for first in (0..seq_len).step_by(rows) {
        let entries = &mut entries[..rows.min(seq_len - first) * d_model];
        spec.fill(first.., entries).expect("the table has been checked");
        piece.clear();
        for entry in &*entries {
            entry.append(&mut piece);
        }
        target.write(&piece)?;
        bar.inc(piece.len() as u64);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns a progress bar, visible only on a terminal and for large tables.
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
