//! The one list of the parameters of a table, and their values.
//!
//! The `Display` of a spec, the macro's keys and their dispatch, the sentence that lists the keys, the hints and the
//! options of the command-line tool all follow from [`PARAMETERS`].

use core::fmt::{self, Display, Formatter};

use crate::spec::Spec;
use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude};
use crate::spec::check::{check_base, check_scale, check_start, check_unit};
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::names::{Named, Names, Of};
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

/// A parameter of a table: a key of the macro, a method of [`Spec`] and an option of the command-line tool.
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
    /// The kind of its value, and how to set it.
    pub kind: Kind,
    pub(crate) get: for<'a> fn(&Parameters<'a>) -> Option<Value<'a>>,
}

/// The kind of a parameter's value, and the method of [`Spec`] that sets it, if its argument is plain.
///
/// The [module](crate::reflection) has an example.
pub enum Kind {
    /// A number, with the check that needs no other parameter.
    Number(fn(f64) -> Result<(), SpecError>, for<'a> fn(Spec<'a>, f64) -> Spec<'a>),
    /// A list of numbers.
    Numbers,
    /// A position or a distance of positions, with the check that needs no other parameter.
    Integer(fn(i64) -> Result<(), SpecError>, for<'a> fn(Spec<'a>, i64) -> Spec<'a>),
    /// A quotient of two integers, with its check.
    Quotient(fn(i64, i64) -> Result<(), SpecError>, for<'a> fn(Spec<'a>, i64, i64) -> Spec<'a>),
    /// The index of a row.
    Row(for<'a> fn(Spec<'a>, usize) -> Spec<'a>),
    /// One of several names, by its index.
    Choice(&'static Names, for<'a> fn(Spec<'a>, usize) -> Spec<'a>),
    /// A number or one of a few words.
    Amplitude,
    /// A scaling rule with its arguments.
    Scaling,
}

/// The parameters in the order in which they are listed and shown.
///
/// `d_model` and the number of rows are not among them, because they have no key.
///
/// # Examples
///
/// ```
/// use posenc::reflection::PARAMETERS;
///
/// let keys: Vec<_> = PARAMETERS.iter().map(|parameter| parameter.key).collect();
/// assert!(keys.contains(&"freq_shift"));
/// ```
#[expect(clippy::redundant_closure_for_method_calls, reason = "a method has one lifetime, a closure accepts any")]
pub static PARAMETERS: [Parameter; 16] = [
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
        kind: Kind::Number(check_base, |spec, base| spec.base(base)),
        get: |parameters| match parameters.frequencies {
            Frequencies::Geometric { base, .. } => Some(Value::Number(base)),
            Frequencies::Given(_) => None,
        },
    },
    Parameter {
        key: "freq_shift",
        about: "s in base^(-k / (d/2 - s)): 0 in the paper, 1 in tensor2tensor",
        placeholder: "S",
        elsewhere: &[("downscale_freq_shift", "`freq_shift`")],
        // Its range depends on the width.
        kind: Kind::Number(|_| Ok(()), |spec, freq_shift| spec.freq_shift(freq_shift)),
        get: |parameters| match parameters.frequencies {
            Frequencies::Geometric { freq_shift, .. } => Some(Value::Number(freq_shift)),
            Frequencies::Given(_) => None,
        },
    },
    Parameter {
        key: "frequencies",
        about: "Frequencies in radians per position, instead of a base: a,b,c",
        placeholder: "LIST",
        elsewhere: &[("inv_freq", "`frequencies`")],
        kind: Kind::Numbers,
        get: |parameters| match parameters.frequencies {
            Frequencies::Geometric { .. } => None,
            Frequencies::Given(frequencies) => Some(Value::Numbers(frequencies)),
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
        kind: Kind::Scaling,
        get: |parameters| Some(Value::Scaling(parameters.scaling)),
    },
    Parameter {
        key: "layout",
        about: "Placement of sines and cosines: interleaved or halves",
        placeholder: "LAYOUT",
        elsewhere: &[("interleaved", "`layout = interleaved` if true, or `layout = halves` if false")],
        kind: Kind::Choice(Layout::NAMES, |spec, i| spec.layout(Layout::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.layout.name())),
    },
    Parameter {
        key: "order",
        about: "Which column of a pair comes first: `sin_cos` or `cos_sin`",
        placeholder: "ORDER",
        elsewhere: &[("flip_sin_to_cos", "`order = cos_sin` if true"), ("cos_first", "`order = cos_sin` if true")],
        kind: Kind::Choice(Order::NAMES, |spec, i| spec.order(Order::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.order.name())),
    },
    Parameter {
        key: "columns",
        about: "Functions in the columns: both, sin or cos",
        placeholder: "COLUMNS",
        elsewhere: &[],
        kind: Kind::Choice(Columns::NAMES, |spec, i| spec.columns(Columns::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.columns.name())),
    },
    Parameter {
        key: "pairing",
        about: "Whether a sine and a cosine share each frequency: paired or unpaired",
        placeholder: "PAIRING",
        elsewhere: &[],
        kind: Kind::Choice(Pairing::NAMES, |spec, i| spec.pairing(Pairing::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.pairing.name())),
    },
    Parameter {
        key: "repeat",
        about: "Whether each frequency fills its columns twice: none, halves or pairs",
        placeholder: "REPEAT",
        elsewhere: &[("repeat_interleave", "`repeat = pairs`")],
        kind: Kind::Choice(Repeat::NAMES, |spec, i| spec.repeat(Repeat::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.repeat.name())),
    },
    Parameter {
        key: "odd",
        about: "Last column of an odd width: `last_sin`, zero or reject",
        placeholder: "ODD",
        elsewhere: &[],
        kind: Kind::Choice(Odd::NAMES, |spec, i| spec.odd(Odd::ALL[i])),
        get: |parameters| Some(Value::Word(parameters.odd.name())),
    },
    Parameter {
        key: "start",
        about: "Position of row 0",
        placeholder: "P",
        elsewhere: &[("offset", "`start`"), ("start_index", "`start`")],
        kind: Kind::Integer(check_start, |spec, start| spec.start(start)),
        get: |parameters| Some(parameters.start.map_or(Value::Open, Value::Integer)),
    },
    Parameter {
        key: "step",
        about: "Distance between the positions of consecutive rows; may be negative",
        placeholder: "P",
        elsewhere: &[],
        kind: Kind::Integer(|_| Ok(()), |spec, step| spec.step(step)),
        get: |parameters| Some(Value::Integer(parameters.step)),
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
        kind: Kind::Number(check_scale, |spec, scale| spec.scale(scale)),
        get: |parameters| Some(Value::Number(parameters.scale)),
    },
    Parameter {
        key: "unit",
        about: "Another factor applied to all angles, an exact quotient of integers: 8/15",
        placeholder: "A/B",
        elsewhere: &[],
        kind: Kind::Quotient(check_unit, |spec, numerator, denominator| spec.unit(numerator, denominator)),
        get: |parameters| Some(Value::Quotient(parameters.unit.0, parameters.unit.1)),
    },
    Parameter {
        key: "amplitude",
        about: "Factor applied to all entries: a number, `rsqrt_d`, `sqrt_2_over_d` or `attention_factor`",
        placeholder: "A",
        elsewhere: &[("attention_factor", "`amplitude`"), ("mscale", "`mscale` of `scaling = yarn(...)`")],
        kind: Kind::Amplitude,
        get: |parameters| {
            let word = AMPLITUDE_WORDS.iter().find(|(_, amplitude, _)| *amplitude == parameters.amplitude);
            Some(match parameters.amplitude {
                Amplitude::Value(value) => Value::Number(value),
                Amplitude::RsqrtD | Amplitude::Sqrt2OverD | Amplitude::AttentionFactor => Value::Word(word?.0),
            })
        },
    },
    Parameter {
        key: "zero_row",
        about: "Index of a row of zeros (`padding_idx`)",
        placeholder: "ROW",
        elsewhere: &[("padding_idx", "`zero_row`")],
        kind: Kind::Row(|spec, row| spec.zero_row(row)),
        get: |parameters| parameters.zero_row.map(Value::Row),
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
    /// The index of a row.
    Row(usize),
    /// A name.
    Word(&'static str),
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
            Self::Row(row) => write!(f, "{row}"),
            Self::Word(word) => f.write_str(word),
            Self::Scaling(scaling) => write!(f, "{scaling}"),
            Self::Open => f.write_str("_"),
        }
    }
}

/// Returns the keys whose values are not the default, with these values. A preset appears as its parameters.
pub fn keys<'a>(spec: &Spec<'a>) -> impl Iterator<Item = (&'static str, Value<'a>)> + use<'a> {
    let (parameters, default) = (spec.parameters(), Spec::new(spec.d_model()).parameters());
    PARAMETERS.iter().filter_map(move |parameter| {
        let value = (parameter.get)(&parameters)?;
        // NaN is not equal to the default either.
        ((parameter.get)(&default) != Some(value)).then_some((parameter.key, value))
    })
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
        let keys = PARAMETERS.iter().map(|parameter| parameter.key).collect::<std::vec::Vec<_>>().join(" ");
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
        let Kind::Integer(check, _) = start.kind else { unreachable!("an integer") };
        assert_eq!((check(1 << 53), check(-1 << 53)), (Ok(()), Ok(())));
        let value = (1 << 53) + 1;
        assert_eq!(check(value), Err(SpecError::RowPosition { value: value.into() }));
        assert_eq!(check(-value), Err(SpecError::RowPosition { value: (-value).into() }));
    }

    #[test]
    fn what_is_set_is_read_and_shown() {
        let plain = Spec::new(2);
        for parameter in &PARAMETERS {
            let set = match parameter.kind {
                Kind::Number(_, set) => set(plain, 0.5),
                Kind::Numbers => plain.frequencies(&[0.5]),
                Kind::Integer(_, set) => set(plain, 5),
                Kind::Quotient(_, set) => set(plain, 8, 15),
                Kind::Row(set) => set(plain, 5),
                Kind::Choice(_, set) => set(plain, 1),
                Kind::Amplitude => plain.amplitude(Amplitude::RsqrtD),
                Kind::Scaling => plain.scaling(Scaling::linear(8.0)),
            };
            let (key, value) = keys(&set).next().unwrap();
            assert_eq!((keys(&set).count(), key), (1, parameter.key));
            assert_eq!(set.to_string(), std::format!("sinusoidal_table!(seq_len, 2, {key} = {value})"));
        }
        assert_eq!(keys(&plain).count(), 0);
    }
}
