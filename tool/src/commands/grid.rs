//! `posenc grid`: writes the table of a grid to a file.

use posenc::Quantiser;
use posenc_text::request::{Request, Wanted};
use posenc_text::with_stored;

use crate::cli::GridArgs;
use crate::commands::write::{format, write};
use crate::files::config::{GridFromConfig, read_grid};
use crate::keys::parameters::{OfGrid, Options};
use crate::keys::values::List;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &GridArgs) -> Outcome {
    let shape = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let grid = match (args.config.file(), shape.zip(args.d_model)) {
        (Some(file), _) => read_grid(file, shape, args.d_model)?,
        (None, Some((shape, d_model))) => GridFromConfig::new(args.preset, shape.to_vec(), d_model),
        (None, None) => unreachable!("clap requires the sizes if there is no config"),
    };
    let of_model = grid.dtype.clone();
    let request = request(grid, &args.parameters, args.file.dtype.quantiser());
    with_stored!(args.file.dtype, T => {
        write(&request.rows::<T>().map_err(Failure::new)?, format(&args.file)?, &args.file, of_model.as_deref())
    })
}

/// Returns the request for a grid with further parameters.
pub(super) fn request(grid: GridFromConfig, parameters: &Options<OfGrid>, quantiser: Option<Quantiser>) -> Request {
    let GridFromConfig { preset, shape, d_model, parameters: of_model, .. } = grid;
    Request { wanted: Wanted::Grid { preset, shape, d_model }, given: parameters.beside(of_model), quantiser }
}
