//! The one list of the parameters of all kinds of tables.
//!
//! What shows them, the keys of the macros, hints and the options of the command all follow from [`PARAMETERS`].

use crate::spec::Spec;
use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude};
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::check::{check_base, check_freq_offset, check_scale, check_start, check_unit};
use crate::spec::choices::{Columns, FrequencyDtype, Layout, Odd, Order, Packing, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::names::Named;
use crate::spec::parameters::{Access, Kind, OfGrid, OfRope, Parameter, TableKind, Value};
use crate::spec::values::{Frequencies, Parameters};

const ALL: &[TableKind] = TableKind::ALL;
const SINUSOIDAL: &[TableKind] = &[TableKind::Sinusoidal];
const ROTARY: &[TableKind] = &[TableKind::Rotary];
const GRID: &[TableKind] = &[TableKind::Grid];
const AXIAL: &[TableKind] = &[TableKind::Axial];
const EITHER_ROTARY: &[TableKind] = &[TableKind::Rotary, TableKind::Axial];
const WITH_AXES: &[TableKind] = &[TableKind::Grid, TableKind::Axial];

#[allow(clippy::unnecessary_wraps, reason = "the range depends on other parameters, or there is none")]
const fn any(_: Value) -> Result<(), SpecError> {
    Ok(())
}

/// Begins a row. Without a place where it is kept, the parameter says what is made of the others.
const fn parameter(
    key: &'static str,
    placeholder: &'static str,
    tables: &'static [TableKind],
    kind: Kind,
) -> Parameter {
    Parameter { key, about: "", placeholder, elsewhere: &[], tables, by_axis: false, kind, access: Access::Output }
}

impl Parameter {
    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    const fn elsewhere(self, elsewhere: &'static [(&'static str, &'static str)]) -> Self {
        Self { elsewhere, ..self }
    }

    const fn by_axis(self) -> Self {
        Self { by_axis: true, ..self }
    }

    const fn kept_by(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// Says that the spec keeps it.
    const fn kept(
        self,
        check: fn(Value) -> Result<(), SpecError>,
        get: for<'a> fn(&Parameters<'a>) -> Option<Value<'a>>,
        set: for<'a> fn(Spec<'a>, Value<'a>) -> Spec<'a>,
    ) -> Self {
        self.kept_by(Access::Spec { check, get, set })
    }
}

/// Begins the row of an amplitude that has no words.
const fn factor(key: &'static str, placeholder: &'static str, tables: &'static [TableKind]) -> Parameter {
    parameter(key, placeholder, tables, Kind::Factor).kept(
        any,
        |parameters| match parameters.amplitude {
            Amplitude::Value(value) => Some(Value::Number(value)),
            Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => None,
        },
        |spec, value| spec.amplitude(Amplitude::Value(value.number())),
    )
}

/// Begins the row of a choice among names, kept in the field of the same name.
macro_rules! choice {
    ($field:ident: $choice:ident, $placeholder:literal, $tables:expr) => {
        parameter(stringify!($field), $placeholder, $tables, Kind::Choice($choice::NAMES)).kept(
            any,
            |parameters| Some(Value::Word(parameters.$field.name())),
            |spec, value| spec.$field(value.choice()),
        )
    };
}

/// The keys of the macros, in the order in which they are listed and shown.
///
/// The list does not contain `dtype` and `preset`, which are read before all others, or `max_bytes` and `file`, which
/// concern only the call. Nor does it contain the sizes, which have no key.
///
/// # Examples
///
/// ```
/// assert!(posenc::reflection::PARAMETERS.iter().any(|parameter| parameter.key == "freq_shift"));
/// ```
pub static PARAMETERS: [Parameter; 35] = [
    parameter("first", "AXES", WITH_AXES, Kind::Axes)
        .about("Order of the axes in the columns, by name: w,h")
        .elsewhere(&[
            ("indexing", "`first`, and the order of the axes in the shape"),
            ("reverse_coord", "`first`, and the order of the axes in the shape"),
        ])
        .by_axis()
        .kept_by(Access::Grid(OfGrid::First)),
    parameter("nest", "NEST", GRID, Kind::Choice(Nest::NAMES))
        .about(
            "How the columns are nested: blocks, pairs, phases, frequencies, `phase_frequencies` or `pair_frequencies`",
        )
        .elsewhere(&[("layout", "`nest`"), ("interleaved", "`nest = pairs` if true, or `nest = blocks` if false")])
        .kept_by(Access::Grid(OfGrid::Nest)),
    parameter("nest", "NEST", AXIAL, Kind::Choice(AxialNest::NAMES))
        .about("How the frequencies of the axes are nested: blocks or frequencies")
        .kept_by(Access::Grid(OfGrid::Nest)),
    parameter("widths", "D,..", WITH_AXES, Kind::Size)
        .about("Number of columns of each axis [default: equal shares]")
        .elsewhere(&[
            ("axes_dim", "`widths`"),
            ("axes_dims", "`widths`"),
            ("axes_dims_rope", "`widths`"),
            ("rope_axes_dim", "`widths`"),
        ])
        .by_axis()
        .kept_by(Access::Grid(OfGrid::Widths)),
    parameter("rest", "REST", GRID, Kind::Choice(Rest::NAMES))
        .about("Columns that the axes cannot share equally: reject, zero, identity, `identity_first` or cut")
        .elsewhere(&[("odd", "`rest`")])
        .kept_by(Access::Grid(OfGrid::Rest)),
    parameter("rest", "REST", AXIAL, Kind::Choice(AxialRest::NAMES))
        .about("Columns of a head that belong to no axis: reject, identity or `identity_first`")
        .kept_by(Access::Grid(OfGrid::Rest)),
    parameter("zero_rows", "N", GRID, Kind::Size)
        .about("Number of rows of zeros before the grid")
        .elsewhere(&[("cls_token", "`zero_rows = 1`"), ("extra_tokens", "`zero_rows`"), ("zero_row", "`zero_rows`")])
        .kept_by(Access::Grid(OfGrid::ZeroRows)),
    parameter("identity_rows", "N", WITH_AXES, Kind::Size)
        .about("Number of rows of angle 0 before the points")
        .elsewhere(&[("num_prefix_tokens", "`identity_rows`"), ("zero_rows", "`identity_rows`")])
        .kept_by(Access::Grid(OfGrid::IdentityRows)),
    parameter("identity_rows_after", "N", WITH_AXES, Kind::Size)
        .about("Number of rows of angle 0 after the points")
        .kept_by(Access::Grid(OfGrid::IdentityRowsAfter)),
    parameter("merge", "M", WITH_AXES, Kind::Size)
        .about("Order of the rows: in blocks of M x M points of the last two axes")
        .elsewhere(&[("spatial_merge_size", "`merge`"), ("merge_size", "`merge`"), ("merge_kernel_size", "`merge`")])
        .kept_by(Access::Grid(OfGrid::Merge)),
    parameter("positions", "LIST", WITH_AXES, Kind::Numbers)
        .about("Positions along each axis, instead of a start and a step, which an empty list leaves")
        .by_axis()
        .kept_by(Access::Grid(OfGrid::Positions)),
    parameter("extent", "A/B", WITH_AXES, Kind::Quotient)
        .about(
            "Length of each axis in positions, an exact quotient: `base_size / interpolation_scale` of `PixArt`, 64/2",
        )
        .elsewhere(&[
            ("interpolation_scale", "`extent = base_size / interpolation_scale`"),
            ("base_size", "`extent = base_size / interpolation_scale`"),
            ("ref_feat_shape", "`extent`"),
        ])
        .kept_by(Access::Grid(OfGrid::Extent)),
    parameter("rotary_dim", "D", EITHER_ROTARY, Kind::Size)
        .about("Columns of a head that are rotated [default: all]")
        .kept_by(Access::Rope(OfRope::RotaryDim)),
    parameter("partial_rotary_factor", "X", EITHER_ROTARY, Kind::Number)
        .about("`rotary_dim` as a share of the head")
        .elsewhere(&[("rotary_pct", "`partial_rotary_factor`")])
        .kept_by(Access::Rope(OfRope::PartialRotaryFactor)),
    parameter("base", "X", ALL, Kind::Number)
        .about(
            "Base of the geometric progression of frequencies (theta, `max_timescale`, `max_period`); greater than 0",
        )
        .elsewhere(&[
            ("theta", "`base`"),
            ("max_timescale", "`base`"),
            ("max_period", "`base`"),
            ("max_wavelength", "`base`"),
            ("temperature", "`base`"),
            ("min_freq", "`base` with the value of max_freq / min_freq"),
        ])
        .by_axis()
        .kept(
            |value| check_base(value.number()),
            |parameters| match parameters.frequencies {
                Frequencies::Geometric { base, .. } => Some(Value::Number(base)),
                Frequencies::Given(_) => None,
            },
            |spec, value| spec.base(value.number()),
        ),
    parameter("freq_shift", "S", &[TableKind::Sinusoidal, TableKind::Grid], Kind::Number)
        .about("s in base^(-k / (d/2 - s)): 0 in the paper, 1 in tensor2tensor")
        .elsewhere(&[("downscale_freq_shift", "`freq_shift`")])
        .by_axis()
        // Its range depends on the width.
        .kept(
            any,
            |parameters| match parameters.frequencies {
                Frequencies::Geometric { freq_shift, .. } => Some(Value::Number(freq_shift)),
                Frequencies::Given(_) => None,
            },
            |spec, value| spec.freq_shift(value.number()),
        ),
    parameter("freq_offset", "A/B", ALL, Kind::Quotient)
        .about("o in base^(-(k + o) / (d/2)), an exact quotient below 1: 1/2 for the second axis of Pixtral")
        .by_axis()
        .kept(
            |value| {
                let (numerator, denominator) = value.quotient();
                check_freq_offset(numerator, denominator)
            },
            |parameters| Some(Value::Quotient(parameters.freq_offset.0, parameters.freq_offset.1)),
            |spec, value| {
                let (numerator, denominator) = value.quotient();
                spec.freq_offset(numerator, denominator)
            },
        ),
    parameter("frequencies", "LIST", ALL, Kind::Numbers)
        .about("Frequencies in radians per position, instead of a base: a,b,c")
        .elsewhere(&[("inv_freq", "`frequencies`")])
        .by_axis()
        .kept(
            any,
            |parameters| match parameters.frequencies {
                Frequencies::Geometric { .. } => None,
                Frequencies::Given(frequencies) => Some(Value::Numbers(frequencies)),
            },
            |spec, value| spec.frequencies(value.numbers()),
        ),
    parameter("scaling", "RULE", ALL, Kind::Scaling)
        .about("Rule for long contexts with its arguments, such as `linear(8)` or `llama3(8, 8192)`")
        .elsewhere(&[
            ("rope_scaling", "`scaling` with a rule such as `linear(8)`"),
            ("rope_type", "`scaling` with a rule such as `linear(8)`"),
            ("rope_parameters", "`scaling` with a rule such as `linear(8)`"),
            ("factor", "`scaling`, as in `scaling = linear(8)`"),
        ])
        .by_axis()
        .kept(any, |parameters| Some(Value::Scaling(parameters.scaling)), |spec, value| spec.scaling(value.scaling())),
    choice!(frequency_dtype: FrequencyDtype, "TYPE", ALL)
        .about("What the frequencies are rounded to, as models store them: exact, bf16, f16 or `bf16_period`")
        .elsewhere(&[("inv_freq_dtype", "`frequency_dtype`")]),
    choice!(layout: Layout, "LAYOUT", SINUSOIDAL)
        .about("Placement of sines and cosines: interleaved or halves")
        .elsewhere(&[("interleaved", "`layout = interleaved` if true, or `layout = halves` if false")]),
    choice!(order: Order, "ORDER", &[TableKind::Sinusoidal, TableKind::Grid])
        .about("Which column of a pair comes first: `sin_cos` or `cos_sin`")
        .elsewhere(&[("flip_sin_to_cos", "`order = cos_sin` if true"), ("cos_first", "`order = cos_sin` if true")]),
    choice!(columns: Columns, "COLUMNS", &[TableKind::Sinusoidal, TableKind::Grid])
        .about("Functions in the columns: both, sin or cos"),
    choice!(pairing: Pairing, "PAIRING", SINUSOIDAL)
        .about("Whether a sine and a cosine share each frequency: paired or unpaired"),
    choice!(repeat: Repeat, "REPEAT", ALL)
        .about("Whether each frequency fills its columns twice: none, halves, pairs or `axis_halves`")
        .elsewhere(&[("repeat_interleave", "`repeat = pairs`")]),
    choice!(odd: Odd, "ODD", SINUSOIDAL).about("Last column of an odd width: `last_sin`, zero or reject"),
    parameter("packing", "PACKING", EITHER_ROTARY, Kind::Choice(Packing::NAMES))
        .about("Columns of the table: `cos_sin`, `sin_cos`, complex, cos or sin")
        .elsewhere(&[
            ("columns", "`packing`"),
            ("layout", "`packing`"),
            ("order", "`packing`"),
            ("part", "`packing = cos` or `packing = sin`"),
            ("interleaved", "`rotate_pairs` if true, or `rotate_halves` if false, with the same cache"),
        ]),
    parameter("start", "P", ALL, Kind::Integer)
        .about("Position of row 0, or of point 0 of an axis")
        .elsewhere(&[("offset", "`start`"), ("start_index", "`start`")])
        .by_axis()
        .kept(
            |value| check_start(value.integer()),
            |parameters| Some(parameters.start.map_or(Value::Open, Value::Integer)),
            |spec, value| spec.start(value.integer()),
        ),
    parameter("step", "P", ALL, Kind::Integer)
        .about("Distance between the positions of consecutive rows; may be negative")
        .by_axis()
        .kept(any, |parameters| Some(Value::Integer(parameters.step)), |spec, value| spec.step(value.integer())),
    parameter("scale", "X", ALL, Kind::Number)
        .about("Factor applied to all angles")
        .elsewhere(&[
            ("min_timescale", "`scale` for it, and `base` with the value of max_timescale / min_timescale"),
            ("max_freq", "`scale`"),
            ("full_turns", "`scale = 6.283185307179586` if true"),
            ("interpolation_scale", "`scale` with the value of 1 / interpolation_scale"),
            ("scaling_factor", "`scale` with the value of 1 / scaling_factor"),
        ])
        .kept(
            |value| check_scale(value.number()),
            |parameters| Some(Value::Number(parameters.scale)),
            |spec, value| spec.scale(value.number()),
        ),
    parameter("unit", "A/B", ALL, Kind::Quotient)
        .about("Another factor applied to all angles, an exact quotient of integers: 8/15")
        .by_axis()
        .kept(
            |value| {
                let (numerator, denominator) = value.quotient();
                check_unit(numerator, denominator)
            },
            |parameters| Some(Value::Quotient(parameters.unit.0, parameters.unit.1)),
            |spec, value| {
                let (numerator, denominator) = value.quotient();
                spec.unit(numerator, denominator)
            },
        ),
    parameter("amplitude", "A", SINUSOIDAL, Kind::Amplitude)
        .about("Factor applied to all entries: a number, `rsqrt_d`, `sqrt_2_over_d` or `attention_factor`")
        .elsewhere(&[("attention_factor", "`amplitude`"), ("mscale", "`mscale` of `scaling = yarn(...)`")])
        .kept(
            any,
            |parameters| {
                let word = AMPLITUDE_WORDS.iter().find(|(_, amplitude)| *amplitude == parameters.amplitude);
                Some(match parameters.amplitude {
                    Amplitude::Value(value) => Value::Number(value),
                    Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => Value::Word(word?.0),
                })
            },
            |spec, value| spec.amplitude(value.amplitude()),
        ),
    factor("amplitude", "A", GRID)
        .about("Factor applied to all entries")
        .elsewhere(&[("attention_factor", "`amplitude`"), ("mscale", "`mscale` of `scaling = yarn(...)`")]),
    factor("attention_factor", "X", ROTARY)
        .about("Factor applied to all entries [default: the factor of the rule]")
        .elsewhere(&[("amplitude", "`attention_factor`"), ("mscale", "`mscale` of `scaling = yarn(...)`")]),
    parameter("zero_row", "ROW", SINUSOIDAL, Kind::Size)
        .about("Index of a row of zeros (`padding_idx`)")
        .elsewhere(&[("padding_idx", "`zero_row`")])
        .kept(any, |parameters| parameters.zero_row.map(Value::Size), |spec, value| spec.zero_row(value.size())),
];
