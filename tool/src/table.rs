//! `posenc table`: writes a table to a file.

use posenc::Spec;

use crate::args::TableArgs;
use crate::config::{self, Given, Told};
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::format::Format;
use crate::stored::with_stored;
use crate::values::Numbers;
use crate::write::{Rows, write};

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = Format::of(&args.file)?;
    let parameters = &args.parameters;
    let (start, zero_row) = (parameters.start(), parameters.zero_row());
    let positions = args.positions.as_ref().map(|Numbers(positions)| positions);
    let seq_len = args.seq_len.or(positions.map(Vec::len));
    let given = Given { seq_len, d_model: args.d_model, start, zero_row };
    if let (Some(_), Some(_), Some(_), Some(_)) = (&args.config, parameters.preset, seq_len, args.d_model) {
        return Err(Failure::new("--config changes nothing beside --preset, the rows and --d-model; leave it out"));
    }
    let model = match &args.config {
        Some(path) => config::read(path, given)?,
        None => Told::nothing(),
    };
    let seq_len = size("seq-len", given.seq_len.or(model.seq_len))?;
    let d_model = size("d-model", given.d_model.or(model.d_model))?;
    let mut spec = parameters.spec(model.preset, d_model)?;
    // The padding row belongs to the model's preset, not to another preset given with --preset.
    // Positions that are given have no rows.
    if let (Some(row), None, None, None) = (model.zero_row, zero_row, parameters.preset, positions) {
        spec = spec.zero_row(row);
    }
    if let (Some(start), None) = (model.start, parameters.preset) {
        spec = spec.start(start);
    }
    spec = args.file.dtype.quantiser().into_iter().fold(spec, Spec::quantiser);
    with_stored!(args.file.dtype, T => {
        let rows = match positions {
            Some(positions) => Rows::<T>::at(spec, positions),
            None => Rows::<T>::first(spec, seq_len),
        };
        write(&rows?, format, &args.file, model.dtype.as_deref())
    })
}

fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}
