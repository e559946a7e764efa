//! The exact table that options describe: a 1-D table, a rotary cache, a rotary table with axes or a grid.

use std::path::Path;

use posenc::explain::Explanation;
use posenc::reflection::{Value, axial_axis_names, axis_names};
use posenc::{
    AxialPreset, AxialRope, Comparison, Grid, GridPreset, Packing, Preset, Quantiser, Repeat, Rope, RopeConfig,
    RopePreset, Spec,
};
use posenc_files::element::Stored;
use posenc_text::calls::{axial_call, macro_call, rotary_call};
use posenc_text::names::AnyPreset;
use posenc_text::rows::Rows;
use posenc_text::words::counted;

use super::axial::Origin;
use super::{axial, grid, rope, table};
use crate::cli::AnyTableArgs;
use crate::commands::table::Sizes;
use crate::files::config::{self, GridFromConfig, TableOfModel, read_grid, read_json};
use crate::keys::parameters::{Axial, OfGrid, OfTable, Options, Rotary, Sinusoidal};
use crate::keys::values::List;
use crate::text::failure::{Failure, Outcome};

/// A table of any kind, whose parameters have been read.
pub(super) trait Exact<T: Stored> {
    /// Returns the rows, whose number and sizes are checked.
    fn rows(&self) -> Result<Rows<'_, T>, Failure>;

    /// Returns the comparison with the rows.
    fn comparison(&self) -> Result<Comparison<'_, T>, Failure>;

    /// Explains an entry.
    fn explain(&self, position: &[f64], column: usize) -> Result<Explanation<T>, Failure>;

    /// Returns the spec of a 1-D table or of a rotary cache.
    fn spec(&self) -> Option<Spec<'_>>;
}

/// Rows of a spec: the first, or those at some positions.
struct RowsOfSpec<'a> {
    spec: Spec<'a>,
    seq_len: usize,
    positions: Option<&'a [f64]>,
    /// The macro call that makes the first ones.
    call: String,
}

impl<T: Stored> Exact<T> for RowsOfSpec<'_> {
    fn rows(&self) -> Result<Rows<'_, T>, Failure> {
        Ok(match self.positions {
            Some(positions) => Rows::at(self.spec, positions)?,
            None => Rows::of(self.spec, self.seq_len, self.call.clone())?,
        })
    }

    fn comparison(&self) -> Result<Comparison<'_, T>, Failure> {
        Ok(Comparison::new(&self.spec, self.seq_len)?)
    }

    fn explain(&self, position: &[f64], column: usize) -> Result<Explanation<T>, Failure> {
        let [position] = position else { return Err(positions(position.len(), 1)) };
        Ok(self.spec.explain(*position, column)?)
    }

    fn spec(&self) -> Option<Spec<'_>> {
        Some(self.spec)
    }
}

impl<T: Stored, const A: usize> Exact<T> for Grid<'_, A> {
    fn rows(&self) -> Result<Rows<'_, T>, Failure> {
        Ok(Rows::of_grid(*self)?)
    }

    fn comparison(&self) -> Result<Comparison<'_, T>, Failure> {
        Ok(Comparison::of_grid(self)?)
    }

    fn explain(&self, position: &[f64], column: usize) -> Result<Explanation<T>, Failure> {
        let point = position.try_into().map_err(|_| positions(position.len(), A))?;
        Ok(Grid::explain::<T>(self, point, column)?)
    }

    fn spec(&self) -> Option<Spec<'_>> {
        None
    }
}

/// A table of a rotary embedding of several axes.
struct RowsOfAxes<'a, const A: usize> {
    rope: AxialRope<'a, A>,
    packing: Packing,
    /// The same table.
    grid: Grid<'a, A>,
}

impl<T: Stored, const A: usize> Exact<T> for RowsOfAxes<'_, A> {
    fn rows(&self) -> Result<Rows<'_, T>, Failure> {
        Ok(Rows::of_called_grid(self.grid, axial_call::<T, A>(&self.rope, self.packing).to_string())?)
    }

    fn comparison(&self) -> Result<Comparison<'_, T>, Failure> {
        self.grid.comparison()
    }

    fn explain(&self, position: &[f64], column: usize) -> Result<Explanation<T>, Failure> {
        Exact::explain(&self.grid, position, column)
    }

    fn spec(&self) -> Option<Spec<'_>> {
        None
    }
}

fn positions(given: usize, axes: usize) -> Failure {
    let each = if axes == 1 { "" } else { ", one for each axis" };
    Failure::new(format_args!("--position has {}, but must have {axes}{each}", counted(given, "number")))
}

/// What is known of a table beside the options for its parameters.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a> {
    pub(super) sizes: Sizes<'a>,
    pub(super) quantiser: Option<Quantiser>,
    pub(super) wanted: Wanted,
}

/// What is wanted of a table.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Wanted {
    /// Its rows.
    #[default]
    Rows,
    /// The comparison with a file, whose sizes it must have.
    Comparison,
    /// One entry, for which the number of rows does not matter.
    Entry,
}

/// The kind of table that the options describe, with the preset.
enum Described {
    Table(Option<Preset>),
    Rotary(Option<RopePreset>),
    Grid(Option<GridPreset>),
    Axial(Option<AxialPreset>),
}

/// Makes the table of the options, and does something with it.
pub(super) fn with_exact<T: Stored>(
    args: &AnyTableArgs,
    known: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    match described(args)? {
        Described::Table(preset) => of_table(args, preset, known, run),
        Described::Rotary(preset) => of_rotary(args, preset, known, run),
        Described::Grid(preset) => of_grid(args, preset, known, run),
        Described::Axial(preset) => of_axial(args, preset, known, run),
    }
}

/// Returns the kind of the preset or of the model. Otherwise a shape belongs to a grid, unless some options are of
/// rotary tables alone.
fn described(args: &AnyTableArgs) -> Result<Described, Failure> {
    let is_rotary = args.parameters.are_rotary();
    Ok(match (args.preset, &args.config) {
        (Some(AnyPreset::Table(preset)), _) => Described::Table(Some(preset)),
        (Some(AnyPreset::Rotary(preset)), _) => Described::Rotary(Some(preset)),
        (Some(AnyPreset::Grid(preset)), _) => Described::Grid(Some(preset)),
        (Some(AnyPreset::Axial(preset)), _) => Described::Axial(Some(preset)),
        (None, Some(path)) => {
            of_model(read_json(path)?, path, is_rotary || args.layers.is_some(), args.shape.is_some())
        }
        (None, None) if args.shape.is_some() && is_rotary => Described::Axial(None),
        (None, None) if args.shape.is_some() => Described::Grid(None),
        (None, None) if is_rotary => Described::Rotary(None),
        (None, None) => Described::Table(None),
    })
}

/// Returns the kind of the table of a model. Some models have both a 1-D table and a cache, or a grid and a rotary table.
fn of_model(config: serde_json::Value, path: &Path, is_rotary: bool, has_shape: bool) -> Described {
    let is_rotary = is_rotary || config.get("use_rotary_positional_embeddings") == Some(&true.into());
    match config::table_of_model(&config) {
        Some(TableOfModel::Grid) if !is_rotary => Described::Grid(None),
        _ if has_shape => Described::Axial(None),
        Some(TableOfModel::Table) if !is_rotary => Described::Table(None),
        Some(_) => Described::Rotary(None),
        None => match rope::rope_config(config, path) {
            Ok(config) if is_rotary || config.rope(1).is_ok() => Described::Rotary(None),
            _ => Described::Table(None),
        },
    }
}

/// Refuses the options that a kind of table does not have.
fn refuse(args: &AnyTableArgs, kind: &str, has_shape: bool, has_both: bool) -> Result<(), Failure> {
    if args.shape.is_some() && !has_shape {
        return Err(Failure::new(format_args!("--shape does not apply to {kind}; leave it out")));
    }
    if args.preset.is_some() && args.config.is_some() && !has_both {
        return Err(Failure::new(format_args!(
            "--config and --preset exclude each other for {kind}; leave one of them out"
        )));
    }
    Ok(())
}

fn of_table<T: Stored>(
    args: &AnyTableArgs,
    preset: Option<Preset>,
    known: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    refuse(args, "a 1-D table", false, true)?;
    let options = args.parameters.of::<Sinusoidal>("a 1-D table")?;
    let (spec, seq_len, _) = table::of_parameters(preset, &options, args.config.as_deref(), known.sizes)?;
    let spec = known.quantiser.into_iter().fold(spec, Spec::quantiser);
    let (positions, call) = (known.sizes.positions, macro_call::<T>(&spec, seq_len).to_string());
    run(&RowsOfSpec { spec, seq_len, positions, call })
}

fn of_rotary<T: Stored>(
    args: &AnyTableArgs,
    preset: Option<RopePreset>,
    known: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    refuse(args, "a rotary cache", false, false)?;
    let options = args.parameters.of::<Rotary>("a rotary cache")?;
    let packing = options.packing().unwrap_or_default();
    let path = args.config.as_deref();
    let config = path.map(|path| rope::rope_config(read_json(path)?, path)).transpose()?;
    let of_model = config.as_ref().and_then(RopeConfig::max_position_embeddings);
    let of_model = of_model.or(preset.map(RopePreset::max_position_embeddings));
    // Rules may depend on the number of rows.
    let seq_len = match known.wanted {
        Wanted::Entry => of_model.or(known.sizes.rows()),
        Wanted::Rows | Wanted::Comparison => known.sizes.rows().or(of_model),
    };
    let begun = match (preset, config.as_ref().zip(path)) {
        (Some(preset), _) => Some(Rope::preset(preset)),
        (None, Some((config, path))) => {
            Some(rope::of_config(config, path, args.layers.as_deref(), seq_len.unwrap_or(1))?)
        }
        (None, None) => None,
    };
    let seq_len = table::size("seq-len", seq_len)?;
    let cache = match (begun, known.sizes.d_model) {
        (Some(begun), None) => options.rope(begun).map_err(Failure::new)?,
        (begun, d_model) => {
            let pairs = pairs(&options, table::size("d-model", d_model)?)?;
            let cache = options.rope(begun.unwrap_or(Rope::new(2 * pairs))).map_err(Failure::new)?;
            // A config says how wide the heads are, and `rotary_dim` how many columns of them are rotated.
            let is_fixed = config.is_some() || options.value("rotary_dim").is_some();
            if is_fixed { cache } else { of_width(cache, pairs) }
        }
    };
    let cache = known.quantiser.into_iter().fold(cache, Rope::quantiser);
    // An error is told in the terms of the cache, and not of its table.
    cache.check::<T>()?;
    let spec = cache.packed(packing)?;
    if let Some(d_model) = known.sizes.d_model.filter(|d_model| spec.d_model() != *d_model) {
        return Err(Failure::new(format_args!(
            "{} {d_model} columns, but this cache has {}; set --packing and --repeat as in the file, or --rotary-dim",
            if known.wanted == Wanted::Comparison { "the file has" } else { "the options ask for" },
            spec.d_model()
        )));
    }
    let call = rotary_call::<T>(&cache.macro_call(seq_len), packing).to_string();
    run(&RowsOfSpec { spec, seq_len, positions: known.sizes.positions, call })
}

/// Returns the cache for heads of such a width that it has this number of pairs, if there is one.
fn of_width(cache: Rope, pairs: usize) -> Rope {
    let (width, own) = (cache.head_dim().saturating_mul(pairs), cache.pairs());
    if own > 0 && width.is_multiple_of(own) { cache.with_head_dim(width / own) } else { cache }
}

/// Returns the number of pairs in a cache of this number of columns.
fn pairs<S: OfTable>(options: &Options<S>, d_model: usize) -> Result<usize, Failure> {
    let packing = options.packing().unwrap_or_default();
    let is_repeated = matches!(options.value("repeat"), Some(Value::Word(word)) if word != Repeat::None.name());
    let columns = if matches!(packing, Packing::Cos | Packing::Sin) { 1 } else { 2 };
    let columns = if is_repeated { 2 * columns } else { columns };
    if !d_model.is_multiple_of(columns) {
        return Err(Failure::new(format_args!(
            "a cache with `packing = {packing}` has {columns} columns for each pair, and {d_model} is not a multiple of it; set \
             --packing and --repeat as in the file"
        )));
    }
    Ok(d_model / columns)
}

fn of_axial<T: Stored>(
    args: &AnyTableArgs,
    preset: Option<AxialPreset>,
    known: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    refuse(args, axial::KIND, true, false)?;
    let options = args.parameters.of::<Axial>(axial::KIND)?;
    let List(shape) = args.shape.as_ref().ok_or_else(axial::no_shape)?;
    let origin = Origin::of(preset, args.config.as_deref())?;
    match shape.len() {
        1 => of_axes::<T, 1>(&options, &origin, shape, known, run),
        2 => of_axes::<T, 2>(&options, &origin, shape, known, run),
        3 => of_axes::<T, 3>(&options, &origin, shape, known, run),
        _ => of_axes::<T, 4>(&options, &origin, shape, known, run),
    }
}

fn of_axes<T: Stored, const A: usize>(
    options: &Options<Axial>,
    origin: &Origin,
    shape: &[usize],
    Known { sizes: Sizes { seq_len, d_model, positions }, quantiser, wanted }: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    // A config says how wide the heads are.
    let width = match d_model {
        None if matches!(origin, Origin::Config { .. }) => None,
        d_model => Some(2 * pairs(options, table::size("d-model", d_model)?)?),
    };
    let rope =
        options.axial(origin.begun::<A>(shape, width)?, axial_axis_names(origin.preset(), A)).map_err(Failure::new)?;
    let rope = quantiser.into_iter().fold(rope, AxialRope::quantiser);
    rope.check::<T>()?;
    let packing = options.packing().unwrap_or_default();
    let table = RowsOfAxes { rope, packing, grid: rope.packed(packing)? };
    let (rows, columns) = (table.grid.rows(), table.grid.d_model());
    match (seq_len, d_model) {
        (Some(seq_len), Some(d_model)) if wanted == Wanted::Comparison && (seq_len, d_model) != (rows, columns) => {
            Err(Failure::new(format_args!(
                "the file has {seq_len} x {d_model} entries, but this table has {rows} x {columns}; set --shape, --packing and \
                 --repeat as in the file, or --identity-rows for rows of angle 0"
            )))
        }
        (_, Some(d_model)) if d_model != columns => Err(Failure::new(format_args!(
            "the options ask for {d_model} columns, but this table has {columns}; set --packing and --repeat, or leave out --d-model"
        ))),
        _ if positions.is_some() => {
            Err(Failure::new(format_args!("--positions does not apply to {}; leave it out", axial::KIND)))
        }
        (Some(_), _) if wanted == Wanted::Rows => {
            Err(Failure::new(format_args!("--seq-len does not apply to {}; set --shape", axial::KIND)))
        }
        _ => run(&table),
    }
}

fn of_grid<T: Stored>(
    args: &AnyTableArgs,
    preset: Option<GridPreset>,
    known: Known<'_>,
    run: impl FnOnce(&dyn Exact<T>) -> Outcome,
) -> Outcome {
    refuse(args, "a grid", true, false)?;
    let given = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let config = args.config.as_deref().map(|path| read_grid(path, given, known.sizes.d_model)).transpose()?;
    let axes = config.as_ref().map(|config| config.shape.as_slice()).or(given).ok_or_else(|| {
        Failure::new("--shape is missing; set it to the number of points along each axis of the grid, such as 14x14")
    })?;
    let options = args.parameters.of::<OfGrid>("a grid")?;
    let begun = Begun { preset, axes, config: config.as_ref(), options: &options, known };
    match axes.len() {
        1 => begun.run::<T, 1>(run),
        2 => begun.run::<T, 2>(run),
        3 => begun.run::<T, 3>(run),
        _ => begun.run::<T, 4>(run),
    }
}

/// What is known of a grid.
struct Begun<'a> {
    preset: Option<GridPreset>,
    axes: &'a [usize],
    config: Option<&'a GridFromConfig>,
    options: &'a Options<OfGrid>,
    known: Known<'a>,
}

impl Begun<'_> {
    fn run<T: Stored, const A: usize>(&self, run: impl FnOnce(&dyn Exact<T>) -> Outcome) -> Outcome {
        let Known { sizes: Sizes { seq_len, d_model, positions }, quantiser, wanted } = self.known;
        let begun = match self.config {
            Some(config) => grid::of_config::<A>(config)?,
            None => grid::begun::<A>(self.preset, self.axes, table::size("d-model", d_model)?)?,
        };
        let preset = self.config.map(|config| config.preset).or(self.preset);
        let grid = self.options.grid(begun, axis_names(preset, A)).map_err(Failure::new)?;
        let grid = quantiser.into_iter().fold(grid, Grid::quantiser);
        let (rows, columns) = (grid.rows(), grid.d_model());
        match (seq_len, d_model) {
            (Some(seq_len), Some(d_model)) if wanted == Wanted::Comparison && (seq_len, d_model) != (rows, columns) => {
                Err(Failure::new(format_args!(
                    "the file has {seq_len} x {d_model} entries, but this grid has {rows} x {columns}; set --shape, or --zero-rows \
                     for rows of zeros before the points"
                )))
            }
            _ if positions.is_some() => Err(Failure::new("--positions does not apply to a grid; leave it out")),
            (Some(_), _) if wanted == Wanted::Rows => {
                Err(Failure::new("--seq-len does not apply to a grid; set --shape"))
            }
            _ => run(&grid),
        }
    }
}
