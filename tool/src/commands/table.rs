//! `posenc table`: writes a table to a file.

use posenc::reflection::Value;
use posenc::{Preset, Quantiser};
use posenc_text::read_call::Call;
use posenc_text::request::{Request, Wanted};
use posenc_text::with_stored;

use crate::cli::{OutputArgs, ShapeArgs, TableArgs};
use crate::commands::write::{format, write};
use crate::files::config::{self, ConfigFile, Given, TableFromConfig};
use crate::keys::parameters::{Options, Sinusoidal};
use crate::keys::values::NumberList;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &TableArgs) -> Outcome {
    if let Some(call) = &args.call {
        return of_call(call, &args.file);
    }
    let format = format(&args.file)?;
    let ShapeArgs { seq_len, d_model, positions, config } = &args.shape;
    let positions = positions.as_ref().map(|NumberList(positions)| positions.as_slice());
    let sizes = Sizes { seq_len: *seq_len, d_model: *d_model, positions };
    let quantiser = args.file.dtype.quantiser();
    let (request, of_model) = request(args.preset, &args.parameters, config.file(), sizes, quantiser)?;
    with_stored!(args.file.dtype, T => {
        let rows = match positions {
            Some(positions) => request.rows_at::<T>(positions),
            None => request.rows(),
        };
        write(&rows.map_err(Failure::new)?, format, &args.file, of_model.as_deref())
    })
}

/// Writes the table of a macro call.
fn of_call(call: &Call, file: &OutputArgs) -> Outcome {
    let requests = call.requests();
    let [request] = &requests[..] else {
        let packings = "set `packing = cos`, `packing = sin`, or both in one table with `packing = cos_sin`";
        return Err(Failure::new(format_args!("the call makes a table of cosines and one of sines; {packings}")));
    };
    let format = format(file)?;
    with_stored!(call.dtype(), T => write(&request.rows::<T>().map_err(Failure::new)?, format, file, None))
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

/// Returns the request for a table with these parameters, and the element type of the model's weights.
pub(super) fn request(
    preset: Option<Preset>,
    parameters: &Options<Sinusoidal>,
    config: Option<ConfigFile>,
    sizes: Sizes,
    quantiser: Option<Quantiser>,
) -> Result<(Request, Option<String>), Failure> {
    let (seq_len, d_model) = (sizes.rows(), sizes.d_model);
    let (start, zero_row) = (parameters.start(), parameters.zero_row());
    if let (Some(_), Some(_), Some(_), Some(_)) = (config, preset, seq_len, d_model) {
        return Err(Failure::new("--config changes nothing beside --preset, the rows and --d-model; leave it out"));
    }
    let model = match config {
        Some(file) => config::read(file, Given { seq_len, d_model, start, zero_row })?,
        None => TableFromConfig::nothing(),
    };
    let seq_len = size("seq-len", seq_len.or(model.seq_len))?;
    let d_model = size("d-model", d_model.or(model.d_model))?;
    // The padding row and the start belong to the model's preset, not to another preset given with --preset.
    // Positions that are given have no rows.
    let zero_row = model.zero_row.filter(|_| sizes.positions.is_none()).map(|row| ("zero_row", vec![Value::Size(row)]));
    let start = model.start.map(|start| ("start", vec![Value::Integer(start)]));
    let of_model = zero_row.into_iter().chain(start).filter(|_| preset.is_none());
    let wanted = Wanted::Sinusoidal { preset: preset.unwrap_or(model.preset), seq_len, d_model };
    Ok((Request { wanted, given: parameters.beside(of_model), quantiser }, model.dtype))
}

/// Returns a size that is necessary.
pub(super) fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}
