//! The exact table that options describe: a 1-D table, a rotary cache, a rotary table with axes or a grid.

use posenc::explain::Explanation;
use posenc::reflection::Value;
use posenc::{
    AxialPreset, Comparison, Element, GridPreset, Packing, Preset, Quantiser, Repeat, Rope, RopeConfig, RopePreset,
    Spec,
};
use posenc_text::names::AnyPreset;
use posenc_text::request::{self, Request, RotaryOrigin};
use posenc_text::rows::Rows;
use posenc_text::words::counted;

use super::axial::begun;
use super::{axial, grid, rope, table};
use crate::cli::AnyTableArgs;
use crate::commands::table::Sizes;
use crate::files::config::{self, ConfigFile, GridFromConfig, TableOfModel, read_grid};
use crate::keys::parameters::{Axial, OfGrid, OfTable, Options, Rotary, Sinusoidal};
use crate::keys::values::List;
use crate::text::failure::Failure;

/// A table of any kind, whose parameters have been read.
pub(super) struct Exact<'a> {
    request: Request,
    /// The positions of the rows, if they are given.
    positions: Option<&'a [f64]>,
}

impl<'a> Exact<'a> {
    /// Returns the table of the options.
    pub(super) fn of<T: Element>(args: &AnyTableArgs, known: Known<'a>) -> Result<Self, Failure> {
        let request = match described(args)? {
            Described::Table(preset) => of_table::<T>(args, preset, known),
            Described::Rotary(preset) => of_rotary::<T>(args, preset, known),
            Described::Grid(preset) => of_grid::<T>(args, preset, known),
            Described::Axial(preset) => of_axial::<T>(args, preset, known),
        }?;
        Ok(Self { request, positions: known.sizes.positions })
    }

    /// Returns the rows, whose number and sizes are checked.
    pub(super) fn rows<T: Element>(&self) -> Result<Rows<'_, T>, Failure> {
        match self.positions.zip(self.spec()?) {
            Some((positions, spec)) => Ok(Rows::at(spec, positions)?),
            None => self.request.rows().map_err(Failure::new),
        }
    }

    /// Returns the comparison with the rows.
    pub(super) fn comparison<T: Element>(&self) -> Result<Comparison<'_, T>, Failure> {
        self.request.comparison().map_err(Failure::new)
    }

    /// Explains an entry.
    pub(super) fn explain<T: Element>(&self, position: &[f64], column: usize) -> Result<Explanation<T>, Failure> {
        let (axes, given) = (self.request.axes(), position.len());
        if given != axes {
            let each = if axes == 1 { "" } else { ", one for each axis" };
            let given = counted(given, "number");
            return Err(Failure::new(format_args!("--position has {given}, but must have {axes}{each}")));
        }
        self.request.explain(position, column).map_err(Failure::new)
    }

    /// Returns the spec of a 1-D table or of a rotary cache.
    pub(super) fn spec(&self) -> Result<Option<Spec<'_>>, Failure> {
        self.request.packed().map_err(Failure::new)
    }
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

/// Returns the kind of the preset or of the model. Otherwise a shape belongs to a grid, unless some options are of
/// rotary tables alone.
fn described(args: &AnyTableArgs) -> Result<Described, Failure> {
    let is_rotary = args.parameters.are_rotary();
    Ok(match (args.preset, args.config.file()) {
        (Some(AnyPreset::Table(preset)), _) => Described::Table(Some(preset)),
        (Some(AnyPreset::Rotary(preset)), _) => Described::Rotary(Some(preset)),
        (Some(AnyPreset::Grid(preset)), _) => Described::Grid(Some(preset)),
        (Some(AnyPreset::Axial(preset)), _) => Described::Axial(Some(preset)),
        (None, Some(file)) => of_model(file.read()?, file, is_rotary || args.layers.is_some(), args.shape.is_some()),
        (None, None) if args.shape.is_some() && is_rotary => Described::Axial(None),
        (None, None) if args.shape.is_some() => Described::Grid(None),
        (None, None) if is_rotary => Described::Rotary(None),
        (None, None) => Described::Table(None),
    })
}

/// Returns the kind of the table of a model. Some models have both a 1-D table and a cache, or a grid and a rotary table.
fn of_model(config: serde_json::Value, file: ConfigFile, is_rotary: bool, has_shape: bool) -> Described {
    let is_rotary = is_rotary || config.get("use_rotary_positional_embeddings") == Some(&true.into());
    match config::table_of_model(&config) {
        Some(TableOfModel::Grid) if !is_rotary => Described::Grid(None),
        _ if has_shape => Described::Axial(None),
        Some(TableOfModel::Table) if !is_rotary => Described::Table(None),
        Some(_) => Described::Rotary(None),
        None => match rope::rope_config(config, file) {
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
    if args.preset.is_some() && args.config.file().is_some() && !has_both {
        return Err(Failure::new(format_args!(
            "--config and --preset exclude each other for {kind}; leave one of them out"
        )));
    }
    Ok(())
}

fn of_table<T: Element>(args: &AnyTableArgs, preset: Option<Preset>, known: Known) -> Result<Request, Failure> {
    refuse(args, "a 1-D table", false, true)?;
    let options = args.parameters.of::<Sinusoidal>("a 1-D table")?;
    let (request, _) = table::request(preset, &options, args.config.file(), known.sizes, known.quantiser)?;
    request.shape::<T>().map_err(Failure::new)?;
    Ok(request)
}

fn of_rotary<T: Element>(args: &AnyTableArgs, preset: Option<RopePreset>, known: Known) -> Result<Request, Failure> {
    refuse(args, "a rotary cache", false, false)?;
    let options = args.parameters.of::<Rotary>("a rotary cache")?;
    let packing = options.packing().unwrap_or_default();
    let file = args.config.file();
    let config = file.map(|file| rope::rope_config(file.read()?, file)).transpose()?;
    let of_model = config.as_ref().and_then(RopeConfig::max_position_embeddings);
    let of_model = of_model.or(preset.map(RopePreset::max_position_embeddings));
    // Rules may depend on the number of rows.
    let seq_len = match known.wanted {
        Wanted::Entry => of_model.or(known.sizes.rows()),
        Wanted::Rows | Wanted::Comparison => known.sizes.rows().or(of_model),
    };
    // A config says how wide the heads are, and `rotary_dim` how many columns of them are rotated.
    let is_fixed = config.is_some() || options.value("rotary_dim").is_some();
    let origin = match (preset, config.zip(file)) {
        (Some(preset), _) => Some(RotaryOrigin::Preset(preset, None)),
        (None, Some((config, file))) => {
            Some(rope::origin(config, file, args.layers.as_deref(), seq_len.unwrap_or(1), None)?)
        }
        (None, None) => None,
    };
    let seq_len = table::size("seq-len", seq_len)?;
    let request = |origin, given| {
        let wanted = request::Wanted::Rotary { origin, seq_len, packing };
        Request { wanted, given, quantiser: known.quantiser }
    };
    let request = match (origin, known.sizes.d_model) {
        (Some(origin), None) => request(origin, options.beside([])),
        (origin, d_model) => {
            let pairs = pairs(&options, table::size("d-model", d_model)?)?;
            let begun = request(origin.unwrap_or(RotaryOrigin::HeadDim(2 * pairs)), options.beside([]));
            let other = of_width(&begun.rope().map_err(Failure::new)?, pairs).filter(|_| !is_fixed);
            other.map_or(begun, |(head_dim, rotary_dim)| {
                let wide = RotaryOrigin::HeadDim(head_dim);
                let wide = preset.map_or(wide, |preset| RotaryOrigin::Preset(preset, Some(head_dim)));
                // A share of the columns would be rounded again.
                let rotary_dim = ("rotary_dim", vec![Value::Size(rotary_dim)]);
                request(wide, options.without("partial_rotary_factor").beside([rotary_dim]))
            })
        }
    };
    let [_, columns] = request.shape::<T>().map_err(Failure::new)?;
    match known.sizes.d_model {
        Some(d_model) if d_model != columns => Err(Failure::new(format_args!(
            "{} {d_model} columns, but this cache has {columns}; set --packing and --repeat as in the file, or --rotary-dim",
            if known.wanted == Wanted::Comparison { "the file has" } else { "the options ask for" },
        ))),
        _ => Ok(request),
    }
}

/// Returns the width of heads for which a cache has this number of pairs, and how much of it is rotated, if there is one.
fn of_width(cache: &Rope, pairs: usize) -> Option<(usize, usize)> {
    let (width, own) = (cache.head_dim().saturating_mul(pairs), cache.pairs());
    let head_dim = width.checked_div(own).filter(|_| width.is_multiple_of(own))?;
    Some((head_dim, cache.with_head_dim(head_dim).parameters().rotary_dim))
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

fn of_axial<T: Element>(args: &AnyTableArgs, preset: Option<AxialPreset>, known: Known) -> Result<Request, Failure> {
    refuse(args, axial::KIND, true, false)?;
    let options = args.parameters.of::<Axial>(axial::KIND)?;
    let List(shape) = args.shape.as_ref().ok_or_else(axial::no_shape)?;
    let Known { sizes: Sizes { seq_len, d_model, positions }, quantiser, wanted } = known;
    let width = match d_model {
        None if args.config.file().is_some() => None,
        d_model => Some(2 * pairs(&options, table::size("d-model", d_model)?)?),
    };
    let origin = begun(preset, args.config.file(), shape, width)?.origin;
    let packing = options.packing().unwrap_or_default();
    let of_axes = request::Wanted::Axial { origin, shape: shape.clone(), packing };
    let request = Request { wanted: of_axes, given: options.beside([]), quantiser };
    let [rows, columns] = request.shape::<T>().map_err(Failure::new)?;
    let sentence = match (seq_len, d_model) {
        (Some(seq_len), Some(d_model)) if wanted == Wanted::Comparison && (seq_len, d_model) != (rows, columns) => {
            format!(
                "the file has {seq_len} x {d_model} entries, but this table has {rows} x {columns}; set --shape, --packing and \
             --repeat as in the file, or --identity-rows for rows of angle 0"
            )
        }
        (_, Some(d_model)) if d_model != columns => format!(
            "the options ask for {d_model} columns, but this table has {columns}; set --packing and --repeat, or leave out --d-model"
        ),
        _ if positions.is_some() => format!("--positions does not apply to {}; leave it out", axial::KIND),
        (Some(_), _) if wanted == Wanted::Rows => format!("--seq-len does not apply to {}; set --shape", axial::KIND),
        _ => return Ok(request),
    };
    Err(Failure::new(sentence))
}

fn of_grid<T: Element>(args: &AnyTableArgs, preset: Option<GridPreset>, known: Known) -> Result<Request, Failure> {
    refuse(args, "a grid", true, false)?;
    let Known { sizes: Sizes { seq_len, d_model, positions }, quantiser, wanted } = known;
    let shape = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let config = args.config.file().map(|file| read_grid(file, shape, d_model)).transpose()?;
    if config.is_none() && shape.is_none() {
        return Err(Failure::new(
            "--shape is missing; set it to the number of points along each axis of the grid, such as 14x14",
        ));
    }
    let options = args.parameters.of::<OfGrid>("a grid")?;
    let of_sizes = || {
        Ok::<_, Failure>(GridFromConfig::new(
            preset,
            shape.unwrap_or_default().to_vec(),
            table::size("d-model", d_model)?,
        ))
    };
    let request = grid::request(config.map_or_else(of_sizes, Ok)?, &options, quantiser);
    let [rows, columns] = request.shape::<T>().map_err(Failure::new)?;
    let sentence = match (seq_len, d_model) {
        (Some(seq_len), Some(d_model)) if wanted == Wanted::Comparison && (seq_len, d_model) != (rows, columns) => {
            &*format!(
                "the file has {seq_len} x {d_model} entries, but this grid has {rows} x {columns}; set --shape, or --zero-rows \
             for rows of zeros before the points"
            )
        }
        _ if positions.is_some() => "--positions does not apply to a grid; leave it out",
        (Some(_), _) if wanted == Wanted::Rows => "--seq-len does not apply to a grid; set --shape",
        _ => return Ok(request),
    };
    Err(Failure::new(sentence))
}
