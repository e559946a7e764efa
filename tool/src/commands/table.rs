//! `posenc table`: writes a table to a file.

use std::path::Path;

use posenc::{Preset, Spec};
use posenc_text::rows::Rows;
use posenc_text::with_stored;

use crate::cli::{ShapeArgs, TableArgs};
use crate::commands::write::{format, write};
use crate::files::config::{self, Given, TableFromConfig};
use crate::keys::parameters::{Options, Sinusoidal};
use crate::keys::values::NumberList;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = format(&args.file)?;
    let ShapeArgs { seq_len, d_model, positions, config } = &args.shape;
    let positions = positions.as_ref().map(|NumberList(positions)| positions.as_slice());
    let sizes = Sizes { seq_len: *seq_len, d_model: *d_model, positions };
    let (spec, seq_len, of_model) = of_parameters(args.preset, &args.parameters, config.as_deref(), sizes)?;
    let spec = args.file.dtype.quantiser().into_iter().fold(spec, Spec::quantiser);
    with_stored!(args.file.dtype, T => {
        let rows = match positions {
            Some(positions) => Rows::<T>::at(spec, positions)?,
            None => Rows::first(spec, seq_len)?,
        };
        write(&rows, format, &args.file, of_model.as_deref())
    })
}

/// The rows and columns that are given.
#[derive(Clone, Copy, Default)]
pub(super) struct Sizes<'a> {
    pub(super) seq_len: Option<usize>,
    pub(super) d_model: Option<usize>,
    /// The positions of the rows, in place of their number.
    pub(super) positions: Option<&'a [f64]>,
}

impl Sizes<'_> {
    /// Returns the number of rows that is given.
    pub(super) fn rows(&self) -> Option<usize> {
        self.seq_len.or(self.positions.map(<[f64]>::len))
    }
}

/// Returns the spec with these parameters, the number of rows, and the element type of the model's weights.
pub(super) fn of_parameters<'a>(
    preset: Option<Preset>,
    parameters: &'a Options<Sinusoidal>,
    config: Option<&Path>,
    sizes: Sizes,
) -> Result<(Spec<'a>, usize, Option<String>), Failure> {
    let (seq_len, d_model) = (sizes.rows(), sizes.d_model);
    let (start, zero_row) = (parameters.start(), parameters.zero_row());
    if let (Some(_), Some(_), Some(_), Some(_)) = (config, preset, seq_len, d_model) {
        return Err(Failure::new("--config changes nothing beside --preset, the rows and --d-model; leave it out"));
    }
    let model = match config {
        Some(path) => config::read(path, Given { seq_len, d_model, start, zero_row })?,
        None => TableFromConfig::nothing(),
    };
    let seq_len = size("seq-len", seq_len.or(model.seq_len))?;
    let d_model = size("d-model", d_model.or(model.d_model))?;
    let spec = Spec::preset(preset.unwrap_or(model.preset), d_model);
    let mut spec = parameters.spec(spec).map_err(Failure::new)?;
    // The padding row belongs to the model's preset, not to another preset given with --preset.
    // Positions that are given have no rows.
    if let (Some(row), None, None, None) = (model.zero_row, zero_row, preset, sizes.positions) {
        spec = spec.zero_row(row);
    }
    if let (Some(start), None) = (model.start, preset) {
        spec = spec.start(start);
    }
    Ok((spec, seq_len, model.dtype))
}

/// Returns a size that is necessary.
pub(super) fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}
