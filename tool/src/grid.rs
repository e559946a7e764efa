//! `posenc grid`: writes the table of a grid to a file.

use std::path::PathBuf;

use clap::Args;
use posenc::reflection::{axis_names, check_together};
use posenc::{Grid, GridPreset, Nest, Order, Rest};

use crate::args::OutputArgs;
use crate::config::{GridTold, read_grid};
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::format::Format;
use crate::names::one_of;
use crate::stored::with_stored;
use crate::values::{d_model, number, position, quotient, size};
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
    /// Order of the axes in the columns, by name: w,h
    #[arg(long, value_name = "AXES", value_parser = |text: &str| list(text, |name| Ok(name.to_owned())))]
    first: Option<List<String>>,
    /// How the columns of the axes are nested: blocks, pairs, phases or frequencies
    #[arg(long, value_name = "NEST", value_parser = one_of::<Nest>(), hide_possible_values = true)]
    nest: Option<Nest>,
    /// Number of columns of each axis [default: equal shares]
    #[arg(long, value_name = "D,..", allow_negative_numbers = true, value_parser = |text: &str| list(text, |part| size("widths", part)))]
    widths: Option<List<usize>>,
    /// Columns that the axes cannot share equally: reject, zero or cut
    #[arg(long, value_name = "REST", value_parser = one_of::<Rest>(), hide_possible_values = true)]
    rest: Option<Rest>,
    /// Number of rows of zeros before the grid
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| size("zero_rows", text))]
    zero_rows: Option<usize>,
    /// Length of each axis in positions, an exact quotient: `base_size / interpolation_scale` of `PixArt`, 64/2
    #[arg(long, value_name = "A/B", allow_hyphen_values = true, value_parser = |text: &str| quotient("extent", text))]
    extent: Option<(i64, i64)>,
    /// Position of point 0
    #[arg(long, value_name = "P,..", allow_hyphen_values = true, value_parser = |text: &str| list(text, |part| position("start", part)))]
    start: Option<List<i64>>,
    /// Distance between the positions of consecutive points
    #[arg(long, value_name = "P,..", allow_hyphen_values = true, value_parser = |text: &str| list(text, |part| position("step", part)))]
    step: Option<List<i64>>,
    /// Factor applied to the angles, an exact quotient of integers: 8/15
    #[arg(long, value_name = "A/B,..", allow_hyphen_values = true, value_parser = |text: &str| list(text, |part| quotient("unit", part)))]
    unit: Option<List<(i64, i64)>>,
    /// Base of the frequencies [default: 10000]
    #[arg(long, value_name = "X,..", allow_hyphen_values = true, value_parser = |text: &str| list(text, number))]
    base: Option<List<f64>>,
    /// Shift of the exponents
    #[arg(long, value_name = "X,..", allow_hyphen_values = true, value_parser = |text: &str| list(text, number))]
    freq_shift: Option<List<f64>>,
    /// Factor applied to all angles
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = number)]
    scale: Option<f64>,
    /// Which column of a pair comes first: `sin_cos` or `cos_sin`
    #[arg(long, value_name = "ORDER", value_parser = one_of::<Order>(), hide_possible_values = true)]
    order: Option<Order>,
    /// Factor of all entries
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = number)]
    amplitude: Option<f64>,
    #[command(flatten)]
    file: OutputArgs,
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

fn make<const A: usize>(args: &GridArgs, config: Option<&GridTold>) -> Outcome {
    let grid = grid::<A>(args, config)?;
    let format = Format::of(&args.file)?;
    let of_model = config.and_then(|config| config.dtype.as_deref());
    with_stored!(args.file.dtype, T => {
        write(&Rows::<T>::of_grid(grid)?, format, &args.file, of_model)
    })
}

/// Returns the grid of a config, of a preset, or with the defaults.
fn begun<const A: usize>(args: &GridArgs, config: Option<&GridTold>) -> Result<Grid<'static, A>, Failure> {
    let Some(config) = config else {
        let shape = of_axes("shape", args.shape.as_ref().expect("clap requires it without a config"))?;
        let d_model = args.d_model.expect("clap requires it without a config");
        return Ok(args
            .preset
            .map_or_else(|| Grid::new(shape, d_model), |preset| Grid::preset(preset, shape, d_model)));
    };
    let mut grid = Grid::preset(config.preset, of_axes("shape", &List(config.shape.clone()))?, config.d_model);
    grid = config.zero_rows.into_iter().fold(grid, Grid::zero_rows);
    grid = config.extent.into_iter().fold(grid, |grid, (length, scale)| grid.extent(length, scale));
    if let Some((start, unit)) = &config.part {
        grid = grid.start(of_axes("start", &List(start.clone()))?).unit([*unit; A]);
    }
    Ok(grid)
}

fn grid<const A: usize>(args: &GridArgs, config: Option<&GridTold>) -> Result<Grid<'static, A>, Failure> {
    // With the methods of `Grid` the later call wins, but options have no order.
    check_together(|key| (key == "extent" && args.extent.is_some()) || (key == "unit" && args.unit.is_some()))?;
    let mut grid = begun::<A>(args, config)?;
    let preset = config.map(|config| config.preset).or(args.preset);
    if let Some(List(names)) = &args.first {
        grid = grid.first(first(names, preset)?);
    }
    if let Some(widths) = &args.widths {
        grid = grid.widths(of_axes("widths", widths)?);
    }
    if let Some(start) = &args.start {
        grid = grid.start(of_axes("start", start)?);
    }
    if let Some(step) = &args.step {
        grid = grid.step(of_axes("step", step)?);
    }
    if let Some(unit) = &args.unit {
        grid = grid.unit(of_axes("unit", unit)?);
    }
    if let Some(base) = &args.base {
        grid = grid.base(of_axes("base", base)?);
    }
    if let Some(freq_shift) = &args.freq_shift {
        grid = grid.freq_shift(of_axes("freq_shift", freq_shift)?);
    }
    grid = args.extent.into_iter().fold(grid, |grid, (numerator, denominator)| grid.extent(numerator, denominator));
    grid = args.nest.into_iter().fold(grid, Grid::nest);
    grid = args.rest.into_iter().fold(grid, Grid::rest);
    grid = args.zero_rows.into_iter().fold(grid, Grid::zero_rows);
    grid = args.scale.into_iter().fold(grid, Grid::scale);
    grid = args.order.into_iter().fold(grid, Grid::order);
    grid = args.file.dtype.quantiser().into_iter().fold(grid, Grid::quantiser);
    Ok(args.amplitude.into_iter().fold(grid, Grid::amplitude))
}

/// Returns a value for each axis.
fn of_axes<T: Copy, const A: usize>(key: &str, List(values): &List<T>) -> Result<[T; A], Failure> {
    match values[..] {
        [value] => Ok([value; A]),
        _ => values[..].try_into().map_err(|_| {
            let count = values.len();
            Failure::new(format_args!(
                "`{key}` has {count} values, but must have {A}, one for each axis, or one for all axes"
            ))
        }),
    }
}

/// Returns the order of the axes with these names.
fn first<const A: usize>(written: &[String], preset: Option<GridPreset>) -> Result<[usize; A], Failure> {
    let names = axis_names(preset, A);
    let place = |name: &str| written.iter().position(|written| written == name);
    if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
        return Err(Failure::new(format_args!(
            "`first` is `{}`, but must name each axis once: `{}` is the order of the shape",
            written.join(","),
            names.join(",")
        )));
    }
    Ok(std::array::from_fn(|i| names.iter().position(|name| *name == written[i]).expect("each is there once")))
}
