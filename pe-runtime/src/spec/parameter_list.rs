//! The one list of the parameters of all kinds of tables.
//!
//! What shows them, the keys of the macros, hints and the options of the command all follow from [`PARAMETERS`].

use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude};
use crate::spec::check::{check_base, check_scale, check_start, check_unit};
use crate::spec::choices::{Columns, Layout, Odd, Order, Packing, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::names::Named;
use crate::spec::parameters::{Access, Kind, OfGrid, OfRope, Parameter, TableKind, Value};
use crate::spec::values::Frequencies;

const ALL: &[TableKind] = &[TableKind::Sinusoidal, TableKind::Rotary, TableKind::Grid];
const SINUSOIDAL: &[TableKind] = &[TableKind::Sinusoidal];
const ROTARY: &[TableKind] = &[TableKind::Rotary];
const GRID: &[TableKind] = &[TableKind::Grid];

#[allow(clippy::unnecessary_wraps, reason = "the range depends on other parameters, or there is none")]
const fn any(_: Value) -> Result<(), SpecError> {
    Ok(())
}

/// A choice among names, kept in the field of the same name.
macro_rules! choice {
    ($field:ident) => {
        Access::Spec {
            check: any,
            get: |parameters| Some(Value::Word(parameters.$field.name())),
            set: |spec, value| spec.$field(value.choice()),
        }
    };
}

/// Every key that is not read before all others (`dtype`, `preset`) or concerns only the call (`max_bytes`, `file`), in the
/// order in which they are listed and shown.
///
/// The sizes are not among them, because they have no key.
///
/// # Examples
///
/// ```
/// assert!(posenc::reflection::PARAMETERS.iter().any(|parameter| parameter.key == "freq_shift"));
/// ```
pub static PARAMETERS: [Parameter; 26] = [
    Parameter {
        key: "first",
        about: "Order of the axes in the columns, by name: w,h",
        placeholder: "AXES",
        elsewhere: &[
            ("indexing", "`first`, and the order of the axes in the shape"),
            ("reverse_coord", "`first`, and the order of the axes in the shape"),
        ],
        tables: GRID,
        by_axis: true,
        kind: Kind::Axes,
        access: Access::Grid(OfGrid::First),
    },
    Parameter {
        key: "nest",
        about: "How the columns of the axes are nested: blocks, pairs, phases or frequencies",
        placeholder: "NEST",
        elsewhere: &[("layout", "`nest`"), ("interleaved", "`nest = pairs` if true, or `nest = blocks` if false")],
        tables: GRID,
        by_axis: false,
        kind: Kind::Choice(Nest::NAMES),
        access: Access::Grid(OfGrid::Nest),
    },
    Parameter {
        key: "widths",
        about: "Number of columns of each axis [default: equal shares]",
        placeholder: "D,..",
        elsewhere: &[],
        tables: GRID,
        by_axis: true,
        kind: Kind::Size,
        access: Access::Grid(OfGrid::Widths),
    },
    Parameter {
        key: "rest",
        about: "Columns that the axes cannot share equally: reject, zero or cut",
        placeholder: "REST",
        elsewhere: &[("odd", "`rest`")],
        tables: GRID,
        by_axis: false,
        kind: Kind::Choice(Rest::NAMES),
        access: Access::Grid(OfGrid::Rest),
    },
    Parameter {
        key: "zero_rows",
        about: "Number of rows of zeros before the grid",
        placeholder: "N",
        elsewhere: &[("cls_token", "`zero_rows = 1`"), ("extra_tokens", "`zero_rows`"), ("zero_row", "`zero_rows`")],
        tables: GRID,
        by_axis: false,
        kind: Kind::Size,
        access: Access::Grid(OfGrid::ZeroRows),
    },
    Parameter {
        key: "extent",
        about: "Length of each axis in positions, an exact quotient: `base_size / interpolation_scale` of `PixArt`, 64/2",
        placeholder: "A/B",
        elsewhere: &[
            ("interpolation_scale", "`extent = base_size / interpolation_scale`"),
            ("base_size", "`extent = base_size / interpolation_scale`"),
        ],
        tables: GRID,
        by_axis: false,
        kind: Kind::Quotient,
        access: Access::Grid(OfGrid::Extent),
    },
    Parameter {
        key: "rotary_dim",
        about: "Columns of a head that are rotated [default: all]",
        placeholder: "D",
        elsewhere: &[],
        tables: ROTARY,
        by_axis: false,
        kind: Kind::Size,
        access: Access::Rope(OfRope::RotaryDim),
    },
    Parameter {
        key: "partial_rotary_factor",
        about: "`rotary_dim` as a share of the head",
        placeholder: "X",
        elsewhere: &[("rotary_pct", "`partial_rotary_factor`")],
        tables: ROTARY,
        by_axis: false,
        kind: Kind::Number,
        access: Access::Rope(OfRope::PartialRotaryFactor),
    },
    Parameter {
        key: "base",
        about: "Base of the geometric progression of frequencies (theta, `max_timescale`, `max_period`); greater than 0",
        placeholder: "X",
        elsewhere: &[
            ("theta", "`base`"),
            ("max_timescale", "`base`"),
            ("max_period", "`base`"),
            ("max_wavelength", "`base`"),
            ("temperature", "`base`"),
            ("min_freq", "`base` with the value of max_freq / min_freq"),
        ],
        tables: ALL,
        by_axis: true,
        kind: Kind::Number,
        access: Access::Spec {
            check: |value| check_base(value.number()),
            get: |parameters| match parameters.frequencies {
                Frequencies::Geometric { base, .. } => Some(Value::Number(base)),
                Frequencies::Given(_) => None,
            },
            set: |spec, value| spec.base(value.number()),
        },
    },
    Parameter {
        key: "freq_shift",
        about: "s in base^(-k / (d/2 - s)): 0 in the paper, 1 in tensor2tensor",
        placeholder: "S",
        elsewhere: &[("downscale_freq_shift", "`freq_shift`")],
        tables: &[TableKind::Sinusoidal, TableKind::Grid],
        by_axis: true,
        kind: Kind::Number,
        // Its range depends on the width.
        access: Access::Spec {
            check: any,
            get: |parameters| match parameters.frequencies {
                Frequencies::Geometric { freq_shift, .. } => Some(Value::Number(freq_shift)),
                Frequencies::Given(_) => None,
            },
            set: |spec, value| spec.freq_shift(value.number()),
        },
    },
    Parameter {
        key: "frequencies",
        about: "Frequencies in radians per position, instead of a base: a,b,c",
        placeholder: "LIST",
        elsewhere: &[("inv_freq", "`frequencies`")],
        tables: ALL,
        by_axis: true,
        kind: Kind::Numbers,
        access: Access::Spec {
            check: any,
            get: |parameters| match parameters.frequencies {
                Frequencies::Geometric { .. } => None,
                Frequencies::Given(frequencies) => Some(Value::Numbers(frequencies)),
            },
            set: |spec, value| spec.frequencies(value.numbers()),
        },
    },
    Parameter {
        key: "scaling",
        about: "Rule for long contexts with its arguments, such as `linear(8)` or `llama3(8, 8192)`",
        placeholder: "RULE",
        elsewhere: &[
            ("rope_scaling", "`scaling` with a rule such as `linear(8)`"),
            ("rope_type", "`scaling` with a rule such as `linear(8)`"),
            ("rope_parameters", "`scaling` with a rule such as `linear(8)`"),
            ("factor", "`scaling`, as in `scaling = linear(8)`"),
        ],
        tables: &[TableKind::Sinusoidal, TableKind::Rotary],
        by_axis: false,
        kind: Kind::Scaling,
        access: Access::Spec {
            check: any,
            get: |parameters| Some(Value::Scaling(parameters.scaling)),
            set: |spec, value| spec.scaling(value.scaling()),
        },
    },
    Parameter {
        key: "layout",
        about: "Placement of sines and cosines: interleaved or halves",
        placeholder: "LAYOUT",
        elsewhere: &[("interleaved", "`layout = interleaved` if true, or `layout = halves` if false")],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Layout::NAMES),
        access: choice!(layout),
    },
    Parameter {
        key: "order",
        about: "Which column of a pair comes first: `sin_cos` or `cos_sin`",
        placeholder: "ORDER",
        elsewhere: &[("flip_sin_to_cos", "`order = cos_sin` if true"), ("cos_first", "`order = cos_sin` if true")],
        tables: &[TableKind::Sinusoidal, TableKind::Grid],
        by_axis: false,
        kind: Kind::Choice(Order::NAMES),
        access: choice!(order),
    },
    Parameter {
        key: "columns",
        about: "Functions in the columns: both, sin or cos",
        placeholder: "COLUMNS",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Columns::NAMES),
        access: choice!(columns),
    },
    Parameter {
        key: "pairing",
        about: "Whether a sine and a cosine share each frequency: paired or unpaired",
        placeholder: "PAIRING",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Pairing::NAMES),
        access: choice!(pairing),
    },
    Parameter {
        key: "repeat",
        about: "Whether each frequency fills its columns twice: none, halves or pairs",
        placeholder: "REPEAT",
        elsewhere: &[("repeat_interleave", "`repeat = pairs`")],
        tables: &[TableKind::Sinusoidal, TableKind::Rotary],
        by_axis: false,
        kind: Kind::Choice(Repeat::NAMES),
        access: choice!(repeat),
    },
    Parameter {
        key: "odd",
        about: "Last column of an odd width: `last_sin`, zero or reject",
        placeholder: "ODD",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Odd::NAMES),
        access: choice!(odd),
    },
    Parameter {
        key: "packing",
        about: "Columns of the table: `cos_sin`, `sin_cos`, complex, cos or sin",
        placeholder: "PACKING",
        elsewhere: &[
            ("columns", "`packing`"),
            ("layout", "`packing`"),
            ("order", "`packing`"),
            ("part", "`packing = cos` or `packing = sin`"),
            ("interleaved", "`rotate_pairs` if true, or `rotate_halves` if false, with the same cache"),
        ],
        tables: ROTARY,
        by_axis: false,
        kind: Kind::Choice(Packing::NAMES),
        access: Access::Output,
    },
    Parameter {
        key: "start",
        about: "Position of row 0, or of point 0 of an axis",
        placeholder: "P",
        elsewhere: &[("offset", "`start`"), ("start_index", "`start`")],
        tables: ALL,
        by_axis: true,
        kind: Kind::Integer,
        access: Access::Spec {
            check: |value| check_start(value.integer()),
            get: |parameters| Some(parameters.start.map_or(Value::Open, Value::Integer)),
            set: |spec, value| spec.start(value.integer()),
        },
    },
    Parameter {
        key: "step",
        about: "Distance between the positions of consecutive rows; may be negative",
        placeholder: "P",
        elsewhere: &[],
        tables: ALL,
        by_axis: true,
        kind: Kind::Integer,
        access: Access::Spec {
            check: any,
            get: |parameters| Some(Value::Integer(parameters.step)),
            set: |spec, value| spec.step(value.integer()),
        },
    },
    Parameter {
        key: "scale",
        about: "Factor applied to all angles",
        placeholder: "X",
        elsewhere: &[
            ("min_timescale", "`scale` for it, and `base` with the value of max_timescale / min_timescale"),
            ("max_freq", "`scale`"),
            ("full_turns", "`scale = 6.283185307179586` if true"),
            ("interpolation_scale", "`scale` with the value of 1 / interpolation_scale"),
            ("scaling_factor", "`scale` with the value of 1 / scaling_factor"),
        ],
        tables: ALL,
        by_axis: false,
        kind: Kind::Number,
        access: Access::Spec {
            check: |value| check_scale(value.number()),
            get: |parameters| Some(Value::Number(parameters.scale)),
            set: |spec, value| spec.scale(value.number()),
        },
    },
    Parameter {
        key: "unit",
        about: "Another factor applied to all angles, an exact quotient of integers: 8/15",
        placeholder: "A/B",
        elsewhere: &[],
        tables: ALL,
        by_axis: true,
        kind: Kind::Quotient,
        access: Access::Spec {
            check: |value| {
                let (numerator, denominator) = value.quotient();
                check_unit(numerator, denominator)
            },
            get: |parameters| Some(Value::Quotient(parameters.unit.0, parameters.unit.1)),
            set: |spec, value| {
                let (numerator, denominator) = value.quotient();
                spec.unit(numerator, denominator)
            },
        },
    },
    Parameter {
        key: "amplitude",
        about: "Factor applied to all entries: a number, `rsqrt_d`, `sqrt_2_over_d` or `attention_factor`",
        placeholder: "A",
        elsewhere: &[("attention_factor", "`amplitude`"), ("mscale", "`mscale` of `scaling = yarn(...)`")],
        tables: &[TableKind::Sinusoidal, TableKind::Grid],
        by_axis: false,
        kind: Kind::Amplitude,
        access: Access::Spec {
            check: any,
            get: |parameters| {
                let word = AMPLITUDE_WORDS.iter().find(|(_, amplitude, _)| *amplitude == parameters.amplitude);
                Some(match parameters.amplitude {
                    Amplitude::Value(value) => Value::Number(value),
                    Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => Value::Word(word?.0),
                })
            },
            set: |spec, value| spec.amplitude(value.amplitude()),
        },
    },
    Parameter {
        key: "attention_factor",
        about: "Factor of all entries [default: the one of the rule]",
        placeholder: "X",
        elsewhere: &[("amplitude", "`attention_factor`"), ("mscale", "`mscale` of `scaling = yarn(...)`")],
        tables: ROTARY,
        by_axis: false,
        kind: Kind::Number,
        access: Access::Spec {
            check: any,
            get: |parameters| match parameters.amplitude {
                Amplitude::Value(value) => Some(Value::Number(value)),
                Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => None,
            },
            set: |spec, value| spec.amplitude(Amplitude::Value(value.number())),
        },
    },
    Parameter {
        key: "zero_row",
        about: "Index of a row of zeros (`padding_idx`)",
        placeholder: "ROW",
        elsewhere: &[("padding_idx", "`zero_row`")],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Size,
        access: Access::Spec {
            check: any,
            get: |parameters| parameters.zero_row.map(Value::Size),
            set: |spec, value| spec.zero_row(value.size()),
        },
    },
];
