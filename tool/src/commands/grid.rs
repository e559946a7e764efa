//! `posenc grid`: writes the table of a grid to a file.

use posenc::reflection::axis_names;
use posenc::{Grid, GridPreset};
use posenc_text::given::check_count;
use posenc_text::rows::Rows;
use posenc_text::with_stored;

use crate::cli::GridArgs;
use crate::commands::write::{format, write};
use crate::files::config::{GridFromConfig, read_grid};
use crate::keys::values::List;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &GridArgs) -> Outcome {
    let given = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let config = args.config.as_deref().map(|path| read_grid(path, given, args.d_model)).transpose()?;
    let axes = config.as_ref().map_or(given, |config| Some(&config.shape)).map_or(0, <[usize]>::len);
    match axes {
        1 => make::<1>(args, config.as_ref()),
        2 => make::<2>(args, config.as_ref()),
        3 => make::<3>(args, config.as_ref()),
        _ => make::<4>(args, config.as_ref()),
    }
}

fn make<const A: usize>(args: &GridArgs, config: Option<&GridFromConfig>) -> Outcome {
    let grid = grid::<A>(args, config)?;
    let format = format(&args.file)?;
    let of_model = config.and_then(|config| config.dtype.as_deref());
    with_stored!(args.file.dtype, T => {
        write(&Rows::<T>::of_grid(grid)?, format, &args.file, of_model)
    })
}

fn grid<'a, const A: usize>(args: &'a GridArgs, config: Option<&GridFromConfig>) -> Result<Grid<'a, A>, Failure> {
    let grid = if let Some(config) = config {
        of_config(config)?
    } else {
        let List(shape) = args.shape.as_ref().expect("clap requires it without a config");
        begun(args.preset, shape, args.d_model.expect("clap requires it without a config"))?
    };
    let preset = config.map(|config| config.preset).or(args.preset);
    let grid = args.parameters.grid(grid, axis_names(preset, A)).map_err(Failure::new)?;
    Ok(args.file.dtype.quantiser().into_iter().fold(grid, Grid::quantiser))
}

/// Returns the grid of a preset, or with the defaults.
pub(super) fn begun<const A: usize>(
    preset: Option<GridPreset>,
    shape: &[usize],
    d_model: usize,
) -> Result<Grid<'static, A>, Failure> {
    let shape = of_axes("shape", shape)?;
    Ok(preset.map_or_else(|| Grid::new(shape, d_model), |preset| Grid::preset(preset, shape, d_model)))
}

/// Returns the grid of a config.
pub(super) fn of_config<const A: usize>(config: &GridFromConfig) -> Result<Grid<'static, A>, Failure> {
    let grid = config.grid(of_axes("shape", &config.shape)?);
    Ok(match &config.part {
        Some((start, unit)) => grid.start(of_axes("start", start)?).unit([*unit; A]),
        None => grid,
    })
}

/// Returns a value for each axis.
pub(super) fn of_axes<T: Copy, const A: usize>(key: &str, values: &[T]) -> Result<[T; A], Failure> {
    check_count(key, values.len(), A).map_err(Failure::new)?;
    Ok(std::array::from_fn(|axis| values[axis]))
}
