//! `posenc grid`: writes the table of a grid to a file.

use std::path::PathBuf;

use clap::Args;
use posenc::reflection::axis_names;
use posenc::{Grid, GridPreset};

use crate::args::OutputArgs;
use crate::config::{GridFromConfig, read_grid};
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::format::Format;
use crate::names::one_of;
use crate::parameters::{OfGrid, Options, check_count};
use crate::stored::with_stored;
use crate::values::{d_model, size};
use crate::write::{Rows, write};

/// Write the table of a grid, such as the patches of an image or a video, to a file.
///
/// The rows are all points, the last axis fastest. An option with a value for each axis has them in the order of the
/// shape, between commas; one value is for all axes. The file is written as by `posenc table`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc grid --preset mae --shape 14x14 --d-model 768 --zero-rows 1 -o pe.npy
  posenc grid --preset pixart --shape 76x52 --d-model 1152 --extent 64/2 -o pe.safetensors
  posenc grid --config PixArt-XL-2-1024-MS/transformer/config.json -o pe.npy
  posenc grid --shape 13x30x45 --d-model 1920 --widths 480,720,720 --unit 1,8/15,8/15 -o pe.npy")]
pub(crate) struct GridArgs {
    /// Number of points along each axis: 14x14 (height and width), 13x30x45 (time first)
    #[arg(long, short, value_name = "SHAPE", value_parser = shape, required_unless_present = "config")]
    shape: Option<List<usize>>,
    /// Number of columns
    #[arg(long, short, value_name = "D", allow_negative_numbers = true, value_parser = d_model, required_unless_present = "config")]
    d_model: Option<usize>,
    /// Grid of a known model
    #[arg(long, short, value_name = "NAME", value_parser = one_of::<GridPreset>(), hide_possible_values = true, conflicts_with = "config")]
    preset: Option<GridPreset>,
    /// The config.json of a model of diffusers or Hugging Face; other options override it
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    file: OutputArgs,
    // Last, because the heading applies to all options that follow.
    #[command(flatten, next_help_heading = "Parameters (the preset sets the defaults)")]
    parameters: Options<OfGrid>,
}

/// The values between the commas of an option. (To clap, a `Vec` is an option that is given several times.)
#[derive(Clone, Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

fn list<T>(text: &str, parse: impl FnMut(&str) -> Result<T, String>) -> Result<List<T>, String> {
    text.split(',').map(str::trim).map(parse).collect::<Result<_, _>>().map(List)
}

pub(crate) fn shape(text: &str) -> Result<List<usize>, String> {
    /// The most axes of a grid.
    const MOST: usize = 4;
    let shape = list(&text.replace(['x', 'X'], ","), |part| size("shape", part))?;
    if shape.0.len() > MOST {
        return Err(format!("`shape` is `{text}`, but must be at most {MOST} sizes, such as `14x14`"));
    }
    Ok(shape)
}

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
    let format = Format::of(&args.file)?;
    let of_model = config.and_then(|config| config.dtype.as_deref());
    with_stored!(args.file.dtype, T => {
        write(&Rows::<T>::of_grid(grid)?, format, &args.file, of_model)
    })
}

/// Returns the grid of a config, of a preset, or with the defaults.
fn begun<const A: usize>(args: &GridArgs, config: Option<&GridFromConfig>) -> Result<Grid<'static, A>, Failure> {
    let Some(config) = config else {
        let shape = of_axes("shape", args.shape.as_ref().expect("clap requires it without a config"))?;
        let d_model = args.d_model.expect("clap requires it without a config");
        return Ok(args
            .preset
            .map_or_else(|| Grid::new(shape, d_model), |preset| Grid::preset(preset, shape, d_model)));
    };
    let mut grid = config.grid(of_axes("shape", &List(config.shape.clone()))?);
    if let Some((start, unit)) = &config.part {
        grid = grid.start(of_axes("start", &List(start.clone()))?).unit([*unit; A]);
    }
    Ok(grid)
}

fn grid<'a, const A: usize>(args: &'a GridArgs, config: Option<&GridFromConfig>) -> Result<Grid<'a, A>, Failure> {
    let preset = config.map(|config| config.preset).or(args.preset);
    let grid = args.parameters.grid(begun::<A>(args, config)?, axis_names(preset, A))?;
    Ok(args.file.dtype.quantiser().into_iter().fold(grid, Grid::quantiser))
}

/// Returns a value for each axis.
fn of_axes<T: Copy, const A: usize>(key: &str, List(values): &List<T>) -> Result<[T; A], Failure> {
    check_count(key, values.len(), A)?;
    Ok(std::array::from_fn(|axis| values[axis]))
}
