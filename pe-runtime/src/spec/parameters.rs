//! The one list of the parameters of all kinds of tables, and their values.
//!
//! The `Display` of specs, caches and grids, the keys of the macros and their dispatch, the sentences that list them, the
//! hints and the options of the command-line tool all follow from [`PARAMETERS`].

use core::fmt::{self, Display, Formatter};

use crate::spec::Spec;
use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude};
use crate::spec::check::{check_base, check_scale, check_start, check_unit};
use crate::spec::choices::{Columns, Layout, Odd, Order, Packing, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::names::{Named, Names, Of, named};
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

impl<'a> Spec<'a> {
    /// Returns the parameters as they are set, unchecked, for programs that read them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let relative = Spec::preset(Preset::ConformerRel, 256).parameters();
    /// assert_eq!((relative.start, relative.step), (None, -1)); // the user must set the start
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> Parameters<'a> {
        self.parameters
    }
}

/// A key of the macros: a parameter of a kind of table, or how its table is returned.
///
/// It is also a method of the builder, and an option of the command-line tool.
///
/// # Examples
///
/// ```
/// use posenc::reflection::{PARAMETERS, Parameter};
///
/// let step = PARAMETERS.iter().find(|parameter| parameter.key == "step").unwrap();
/// let Parameter { key, about, placeholder, .. } = step;
/// assert_eq!(
///     format!("--{key} <{placeholder}>  {about}"),
///     "--step <P>  Distance between the positions of consecutive rows; may be negative",
/// );
/// ```
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// A one-line description for the tool's help.
    pub about: &'static str,
    /// The placeholder for its value in the help.
    pub placeholder: &'static str,
    /// Its names elsewhere, each with the equivalent here.
    pub elsewhere: &'static [(&'static str, &'static str)],
    /// The kinds of tables that have it.
    pub tables: &'static [TableKind],
    /// Whether it may differ from axis to axis of a grid.
    pub by_axis: bool,
    /// The kind of its value.
    pub kind: Kind,
    /// Where it is kept.
    pub access: Access,
}

impl Parameter {
    /// Returns whether a kind of table has it.
    #[must_use]
    pub const fn is_of(&self, table: TableKind) -> bool {
        let mut i = 0;
        while i < self.tables.len() {
            if self.tables[i] as u8 == table as u8 {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// The kinds of tables, each with a macro and a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// `sinusoidal_table!` and [`Spec`].
    Sinusoidal,
    /// `rotary_table!` and [`Rope`](crate::Rope).
    Rotary,
    /// `grid_table!` and [`Grid`](crate::Grid).
    Grid,
}

/// The kind of a parameter's value.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A number.
    Number,
    /// A list of numbers.
    Numbers,
    /// A position or a distance of positions.
    Integer,
    /// A quotient of two integers.
    Quotient,
    /// A number of rows or columns, or the index of a row.
    Size,
    /// One of several names.
    Choice(&'static Names),
    /// A number or one of a few words.
    Amplitude,
    /// A scaling rule with its arguments.
    Scaling,
    /// The order of the axes, by their names. Its value for each place is the [size](Self::Size) that is the axis there.
    Axes,
}

/// Where a parameter is kept, and how it is read and set.
pub enum Access {
    /// In the spec: that of a table, of a rotary cache, or of each axis of a grid.
    Spec {
        /// The check that needs no other parameter.
        check: fn(Value) -> Result<(), SpecError>,
        /// Returns the value, or `None` if there is none.
        get: for<'a> fn(&Parameters<'a>) -> Option<Value<'a>>,
        /// Returns the spec with another value.
        set: for<'a> fn(Spec<'a>, Value<'a>) -> Spec<'a>,
    },
    /// In the rotary cache itself.
    Rope(OfRope),
    /// In the grid itself.
    Grid(OfGrid),
    /// Nowhere: it says what is made of the parameters.
    Output,
}

/// The parameters that only a rotary cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfRope {
    /// `rotary_dim`
    RotaryDim,
    /// `partial_rotary_factor`, which sets `rotary_dim`
    PartialRotaryFactor,
}

/// The parameters that only a grid has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfGrid {
    /// `first`
    First,
    /// `nest`
    Nest,
    /// `widths`
    Widths,
    /// `rest`
    Rest,
    /// `zero_rows`
    ZeroRows,
    /// `extent`
    Extent,
}

const ALL: &[TableKind] = &[TableKind::Sinusoidal, TableKind::Rotary, TableKind::Grid];
const SINUSOIDAL: &[TableKind] = &[TableKind::Sinusoidal];
const ROTARY: &[TableKind] = &[TableKind::Rotary];
const GRID: &[TableKind] = &[TableKind::Grid];

/// Every key that is not read before all others (`dtype`, `preset`) or concerns only the call (`max_bytes`, `file`), in the
/// order in which they are listed and shown.
///
/// The sizes are not among them, because they have no key.
///
/// # Examples
///
/// ```
/// use posenc::reflection::PARAMETERS;
///
/// let keys: Vec<_> = PARAMETERS.iter().map(|parameter| parameter.key).collect();
/// assert!(keys.contains(&"freq_shift"));
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
            check: |_| Ok(()),
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
            check: |_| Ok(()),
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
            check: |_| Ok(()),
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
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.layout.name())),
            set: |spec, value| spec.layout(value.choice()),
        },
    },
    Parameter {
        key: "order",
        about: "Which column of a pair comes first: `sin_cos` or `cos_sin`",
        placeholder: "ORDER",
        elsewhere: &[("flip_sin_to_cos", "`order = cos_sin` if true"), ("cos_first", "`order = cos_sin` if true")],
        tables: &[TableKind::Sinusoidal, TableKind::Grid],
        by_axis: false,
        kind: Kind::Choice(Order::NAMES),
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.order.name())),
            set: |spec, value| spec.order(value.choice()),
        },
    },
    Parameter {
        key: "columns",
        about: "Functions in the columns: both, sin or cos",
        placeholder: "COLUMNS",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Columns::NAMES),
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.columns.name())),
            set: |spec, value| spec.columns(value.choice()),
        },
    },
    Parameter {
        key: "pairing",
        about: "Whether a sine and a cosine share each frequency: paired or unpaired",
        placeholder: "PAIRING",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Pairing::NAMES),
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.pairing.name())),
            set: |spec, value| spec.pairing(value.choice()),
        },
    },
    Parameter {
        key: "repeat",
        about: "Whether each frequency fills its columns twice: none, halves or pairs",
        placeholder: "REPEAT",
        elsewhere: &[("repeat_interleave", "`repeat = pairs`")],
        tables: &[TableKind::Sinusoidal, TableKind::Rotary],
        by_axis: false,
        kind: Kind::Choice(Repeat::NAMES),
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.repeat.name())),
            set: |spec, value| spec.repeat(value.choice()),
        },
    },
    Parameter {
        key: "odd",
        about: "Last column of an odd width: `last_sin`, zero or reject",
        placeholder: "ODD",
        elsewhere: &[],
        tables: SINUSOIDAL,
        by_axis: false,
        kind: Kind::Choice(Odd::NAMES),
        access: Access::Spec {
            check: |_| Ok(()),
            get: |parameters| Some(Value::Word(parameters.odd.name())),
            set: |spec, value| spec.odd(value.choice()),
        },
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
            check: |_| Ok(()),
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
            check: |_| Ok(()),
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
            check: |_| Ok(()),
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
            check: |_| Ok(()),
            get: |parameters| parameters.zero_row.map(Value::Size),
            set: |spec, value| spec.zero_row(value.size()),
        },
    },
];

/// The expected values of a quotient, for the sentence that rejects any other.
pub const QUOTIENT_EXPECTED: &str = "an integer or a quotient of two, such as `8/15`";

/// The names of the scaling rules. The paths are those of the rules' parameters.
///
/// # Examples
///
/// ```
/// use posenc::reflection::SCALING_RULES;
///
/// assert_eq!(SCALING_RULES.find("yarm").unwrap_err().to_string().split("; ").last(), Some("did you mean `yarn`?"));
/// ```
pub static SCALING_RULES: Names = Names {
    of: Of::Values("scaling"),
    all: Scaling::RULES,
    paths: Scaling::VARIANTS,
    elsewhere: &[("default", "`none`"), ("su", "`longrope`"), ("llama", "`llama3`"), ("pi", "`linear`")],
};

/// The value of a parameter. Its text is what the macro accepts.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
/// use posenc::reflection::Value;
///
/// let (key, value) = Spec::new(64).unit(8, 15).keys().next().unwrap();
/// assert_eq!((key, value, value.to_string()), ("unit", Value::Quotient(8, 15), "8/15".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Any number.
    Number(f64),
    /// A list of numbers.
    Numbers(&'a [f64]),
    /// A position or a distance of positions.
    Integer(i64),
    /// A quotient of two integers.
    Quotient(i64, i64),
    /// A number of rows or columns, or the index of a row or an axis.
    Size(usize),
    /// A name.
    Word(&'static str),
    /// An amplitude that may have a word. What is read has a number or a word in its place.
    Amplitude(Amplitude),
    /// A scaling rule.
    Scaling(Scaling<'a>),
    /// A value that the user must set, shown as an underscore, which the macro rejects.
    Open,
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Numbers(numbers) => write!(f, "{numbers:?}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Quotient(numerator, 1) => write!(f, "{numerator}"),
            Self::Quotient(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Self::Size(size) => write!(f, "{size}"),
            Self::Word(word) => f.write_str(word),
            Self::Amplitude(Amplitude::Value(number)) => write!(f, "{number:?}"),
            Self::Amplitude(amplitude) => {
                let word = AMPLITUDE_WORDS.iter().find(|(_, known, _)| known == amplitude);
                f.write_str(word.map_or("_", |(word, ..)| word))
            }
            Self::Scaling(scaling) => write!(f, "{scaling}"),
            Self::Open => f.write_str("_"),
        }
    }
}

impl<'a> Spec<'a> {
    /// Returns the spec with another value of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// # Panics
    ///
    /// Panics if a spec has no such parameter, or if the value is of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let base = PARAMETERS.iter().find(|parameter| parameter.key == "base").unwrap();
    /// assert_eq!(Spec::new(64).with_value(base, Value::Number(500.0)), Spec::new(64).base(500.0));
    /// ```
    pub fn with_value(self, parameter: &Parameter, value: Value<'a>) -> Self {
        match parameter.access {
            Access::Spec { set, .. } => set(self, value),
            _ => unreachable!("a spec has no parameter `{}`", parameter.key),
        }
    }
}

/// The values as the rows of the list say they are. Each panics if the value is of another kind.
impl<'a> Value<'a> {
    pub(crate) fn number(self) -> f64 {
        if let Self::Number(number) = self { number } else { unreachable!("{self} is not a number") }
    }

    fn numbers(self) -> &'a [f64] {
        if let Self::Numbers(numbers) = self { numbers } else { unreachable!("{self} is not a list") }
    }

    fn integer(self) -> i64 {
        if let Self::Integer(integer) = self { integer } else { unreachable!("{self} is not an integer") }
    }

    pub(crate) fn quotient(self) -> (i64, i64) {
        if let Self::Quotient(over, under) = self { (over, under) } else { unreachable!("{self} is not a quotient") }
    }

    pub(crate) fn size(self) -> usize {
        if let Self::Size(size) = self { size } else { unreachable!("{self} is not a size") }
    }

    pub(crate) fn choice<C: Named>(self) -> C {
        let choice = if let Self::Word(word) = self { named(word).ok() } else { None };
        choice.unwrap_or_else(|| unreachable!("{self} is not one of the names"))
    }

    fn scaling(self) -> Scaling<'a> {
        if let Self::Scaling(scaling) = self { scaling } else { unreachable!("{self} is not a rule") }
    }

    fn amplitude(self) -> Amplitude {
        let word = |word| AMPLITUDE_WORDS.iter().find(|(known, ..)| *known == word).map(|&(_, amplitude, _)| amplitude);
        match self {
            Self::Amplitude(amplitude) => amplitude,
            Self::Word(name) => word(name).unwrap_or_else(|| unreachable!("{self} is not an amplitude")),
            number => Amplitude::Value(number.number()),
        }
    }
}

/// Returns the parameters of a kind of table that a spec keeps, and whose values are not those of `default`, with the values.
pub(crate) fn changed<'a>(
    table: TableKind,
    (parameters, default): (Parameters<'a>, Parameters<'static>),
) -> impl Iterator<Item = (&'static Parameter, Value<'a>)> {
    PARAMETERS.iter().filter(move |parameter| parameter.is_of(table)).filter_map(move |parameter| {
        let Access::Spec { get, .. } = parameter.access else { return None };
        let value = get(&parameters)?;
        // NaN is not equal to the default either.
        (get(&default) != Some(value)).then_some((parameter, value))
    })
}

/// Returns the keys whose values are not the default, with these values. A preset appears as its parameters.
pub fn keys<'a>(spec: &Spec<'a>) -> impl Iterator<Item = (&'static str, Value<'a>)> + use<'a> {
    let parameters = (spec.parameters(), Spec::new(spec.d_model()).parameters());
    changed(TableKind::Sinusoidal, parameters).map(|(parameter, value)| (parameter.key, value))
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::spec::quantiser::Quantiser;

    /// A parameter missing from the list would not be shown and would have no key.
    #[test]
    fn the_list_has_every_parameter() {
        // No `..`, so that a new parameter fails to compile here until it is listed.
        let Parameters {
            d_model: _,
            frequencies: _,
            scaling: _,
            layout: _,
            order: _,
            columns: _,
            pairing: _,
            repeat: _,
            odd: _,
            start: _,
            step: _,
            scale: _,
            unit: _,
            amplitude: _,
            // It is written with the type, not as a key.
            quantiser: _,
            zero_row: _,
        } = Spec::new(2).parameters();
        let of_spec = PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal));
        let keys = of_spec.map(|parameter| parameter.key).collect::<std::vec::Vec<_>>().join(" ");
        let expected = "base freq_shift frequencies scaling layout order columns pairing repeat odd start step scale unit amplitude zero_row";
        assert_eq!(keys, expected);
    }

    #[test]
    fn what_is_set_is_read() {
        let spec = Spec::new(6).base(2.0).freq_shift(0.5).start(3).step(4).scale(5.0).unit(8, 15).zero_row(7);
        let spec = spec.layout(Layout::Halves).order(Order::CosSin).columns(Columns::Cos).pairing(Pairing::Unpaired);
        let spec = spec.odd(Odd::Zero).amplitude(Amplitude::RsqrtD).scaling(Scaling::linear(8.0)).repeat(Repeat::Pairs);
        let spec = spec.quantiser(Quantiser::new(0.5));
        let expected = Parameters {
            d_model: 6,
            frequencies: Frequencies::Geometric { base: 2.0, freq_shift: 0.5 },
            scaling: Scaling::linear(8.0),
            layout: Layout::Halves,
            order: Order::CosSin,
            columns: Columns::Cos,
            pairing: Pairing::Unpaired,
            repeat: Repeat::Pairs,
            odd: Odd::Zero,
            start: Some(3),
            step: 4,
            scale: 5.0,
            unit: (8, 15),
            amplitude: Amplitude::RsqrtD,
            quantiser: Some(Quantiser::new(0.5)),
            zero_row: Some(7),
        };
        assert_eq!(spec.parameters(), expected);
        let list = [1.0, 0.5];
        let given = Parameters { frequencies: Frequencies::Given(&list), ..expected };
        assert_eq!(spec.frequencies(&list).parameters(), given);
    }

    /// The macro blames the value alone, before the table has any rows.
    #[test]
    fn a_start_is_checked_alone() {
        let start = PARAMETERS.iter().find(|parameter| parameter.key == "start").unwrap();
        let Access::Spec { check, .. } = start.access else { unreachable!("in the spec") };
        let check = |start| check(Value::Integer(start));
        assert_eq!((check(1 << 53), check(-1 << 53)), (Ok(()), Ok(())));
        let value = (1 << 53) + 1;
        assert_eq!(check(value), Err(SpecError::RowPosition { value: value.into() }));
        assert_eq!(check(-value), Err(SpecError::RowPosition { value: (-value).into() }));
    }

    #[test]
    fn what_is_set_is_read_and_shown() {
        let plain = Spec::new(2);
        for parameter in PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal)) {
            let Access::Spec { set, .. } = parameter.access else { unreachable!("in the spec") };
            let set = set(plain, another(parameter.kind));
            let (key, value) = keys(&set).next().unwrap();
            assert_eq!((keys(&set).count(), key), (1, parameter.key));
            assert_eq!(set.to_string(), std::format!("sinusoidal_table!(seq_len, 2, {key} = {value})"));
        }
        assert_eq!(keys(&plain).count(), 0);
    }

    /// Returns a value that is not the default of any parameter.
    fn another(kind: Kind) -> Value<'static> {
        match kind {
            Kind::Number => Value::Number(0.5),
            Kind::Numbers => Value::Numbers(&[0.5]),
            Kind::Integer => Value::Integer(5),
            Kind::Quotient => Value::Quotient(8, 15),
            Kind::Size | Kind::Axes => Value::Size(5),
            Kind::Choice(names) => Value::Word(names.all[1]),
            Kind::Amplitude => Value::Word("rsqrt_d"),
            Kind::Scaling => Value::Scaling(Scaling::linear(8.0)),
        }
    }
}
