//! The keys of the macros as values: what a parameter is, where it is kept, and its value.

use core::fmt::{self, Display, Formatter};

use crate::spec::Spec;
use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude, amplitude_of_word};
use crate::spec::error::SpecError;
use crate::spec::names::{Named, Names, Of, named};
use crate::spec::scaling::Scaling;
use crate::spec::values::Parameters;

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

/// A key of the macros: a parameter of a table, or the form in which the table is returned.
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
    /// Its names in other libraries, each with the equivalent in this crate.
    pub elsewhere: &'static [(&'static str, &'static str)],
    /// The kinds of tables that have it.
    pub tables: &'static [TableKind],
    /// Whether it may differ from axis to axis, if the [table has axes](TableKind::has_axes).
    pub by_axis: bool,
    /// The kind of its value.
    pub kind: Kind,
    /// Where its value is stored.
    pub access: Access,
}

impl Parameter {
    /// Returns whether a kind of table has this parameter.
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
    /// `rotary_table!` with a tuple and [`AxialRope`](crate::AxialRope).
    Axial,
}

impl TableKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[Self::Sinusoidal, Self::Rotary, Self::Grid, Self::Axial];

    /// Returns whether its positions have axes, so that some parameters may differ from axis to axis.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::reflection::TableKind;
    ///
    /// assert!(TableKind::Grid.has_axes() && !TableKind::Rotary.has_axes());
    /// ```
    #[must_use]
    pub const fn has_axes(self) -> bool {
        match self {
            Self::Sinusoidal | Self::Rotary => false,
            Self::Grid | Self::Axial => true,
        }
    }
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
    /// A factor of all entries: a number.
    Factor,
    /// A factor of all entries: a number or one of a few words.
    Amplitude,
    /// A scaling rule with its arguments.
    Scaling,
    /// The order of the axes, by their names. The value for each place is a [size](Self::Size), the index of the axis
    /// there.
    Axes,
}

/// Where the value of a parameter is stored, and how it is read and set.
pub enum Access {
    /// In the spec of a table, of a rotary cache, or of each axis of a grid.
    Spec {
        /// Checks a value independently of the other parameters.
        check: fn(Value) -> Result<(), SpecError>,
        /// Returns the value, or `None` if there is none.
        get: for<'a> fn(&Parameters<'a>) -> Option<Value<'a>>,
        /// Returns the spec with another value.
        set: for<'a> fn(Spec<'a>, Value<'a>) -> Spec<'a>,
    },
    /// In the rotary table itself.
    Rope(OfRope),
    /// In the grid or the axial table itself.
    Grid(OfGrid),
    /// Nowhere: it selects what is made from the other parameters.
    Output,
}

/// The parameters that only rotary tables have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfRope {
    /// `rotary_dim`
    RotaryDim,
    /// `partial_rotary_factor`, which sets `rotary_dim`
    PartialRotaryFactor,
}

/// The parameters that only tables with several axes have.
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
    /// The number of rows of zeros.
    ZeroRows,
    /// The number of identity rows before the points.
    IdentityRows,
    /// The number of identity rows after the points.
    IdentityRowsAfter,
    /// The side length of the blocks in which the points are ordered.
    Merge,
    /// The positions of an axis as a list.
    Positions,
    /// `extent`
    Extent,
}

/// The quotients that the macro accepts, as its error message describes them.
pub const QUOTIENT_EXPECTED: &str = "an integer or a quotient of two, such as `8/15`";

/// The names of the scaling rules. The paths are the paths of the rules' parameters.
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
            Self::Number(number) | Self::Amplitude(Amplitude::Value(number)) => write!(f, "{number:?}"),
            Self::Numbers(numbers) => write!(f, "{numbers:?}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Quotient(numerator, 1) => write!(f, "{numerator}"),
            Self::Quotient(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Self::Size(size) => write!(f, "{size}"),
            Self::Word(word) => f.write_str(word),
            Self::Amplitude(amplitude) => {
                let word = AMPLITUDE_WORDS.iter().find(|(_, known)| known == amplitude);
                f.write_str(word.map_or("_", |(word, _)| word))
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
            _ => panic!("a spec has no parameter `{}`", parameter.key),
        }
    }
}

/// The values as the rows of the list say they are. Each panics if the value is of another kind.
impl<'a> Value<'a> {
    pub(crate) fn number(self) -> f64 {
        if let Self::Number(number) = self { number } else { panic!("{self} is not a number") }
    }

    pub(crate) fn numbers(self) -> &'a [f64] {
        if let Self::Numbers(numbers) = self { numbers } else { panic!("{self} is not a list") }
    }

    pub(crate) fn integer(self) -> i64 {
        if let Self::Integer(integer) = self { integer } else { panic!("{self} is not an integer") }
    }

    pub(crate) fn quotient(self) -> (i64, i64) {
        if let Self::Quotient(over, under) = self { (over, under) } else { panic!("{self} is not a quotient") }
    }

    pub(crate) fn size(self) -> usize {
        if let Self::Size(size) = self { size } else { panic!("{self} is not a size") }
    }

    pub(crate) fn choice<C: Named>(self) -> C {
        let choice = if let Self::Word(word) = self { named(word).ok() } else { None };
        choice.unwrap_or_else(|| panic!("{self} is not one of the names"))
    }

    pub(crate) fn scaling(self) -> Scaling<'a> {
        if let Self::Scaling(scaling) = self { scaling } else { panic!("{self} is not a rule") }
    }

    pub(crate) fn amplitude(self) -> Amplitude {
        match self {
            Self::Amplitude(amplitude) => amplitude,
            Self::Word(word) => amplitude_of_word(word).unwrap_or_else(|| panic!("{self} is not an amplitude")),
            number => Amplitude::Value(number.number()),
        }
    }
}
