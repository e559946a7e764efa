//! Reflection: the keys of the macros as data, for programs that print or read parameters.
//!
//! The macros, the command `posenc` and the texts of specs follow from the same lists, so a program that uses them accepts
//! the same words and refuses others with the same sentences. [`Spec::keys`] says what is set, [`PARAMETERS`] how to set it.
//! Other programs do not need this module: the methods of [`Spec`] and [`Spec::parameters`] are typed.
//!
//! # Examples
//!
//! A program that reads parameters as text:
//!
//! ```
//! use posenc::reflection::{Kind, PARAMETERS, TableKind, Value};
//! use posenc::{Layout, Spec};
//!
//! fn with_key<'a>(spec: Spec<'a>, key: &str, text: &str) -> Result<Spec<'a>, String> {
//!     let mut of_specs = PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal));
//!     let parameter = of_specs.find(|parameter| parameter.key == key).ok_or("unknown key")?;
//!     let value = match parameter.kind {
//!         Kind::Number => {
//!             let number = text.parse().map_err(|_| format!("`{key}` is `{text}`, but must be a number"))?;
//!             Value::Number(number)
//!         }
//!         Kind::Choice(names) => Value::Word(names.all[names.find(text).map_err(|unknown| unknown.to_string())?]),
//!         _ => return Err("this program has no other keys".to_owned()),
//!     };
//!     Ok(spec.with_value(parameter, value))
//! }
//!
//! let spec = with_key(Spec::new(64), "layout", "halves")?;
//! assert_eq!(spec, Spec::new(64).layout(Layout::Halves));
//! assert_eq!(
//!     with_key(spec, "layout", "half").unwrap_err(),
//!     "`layout` is `half`, but must be one of `interleaved`, `halves`; did you mean `halves`?",
//! );
//! # Ok::<(), String>(())
//! ```

#![allow(clippy::result_large_err, reason = "the message takes no allocator, and is made once before a program stops")]

use core::error::Error;
use core::fmt::{self, Debug, Display, Formatter};

use crate::bake::convert;
use crate::grid::preset::{self, GridPreset};
use crate::grid::values::conflict_of_extent;
use crate::spec::Spec;
use crate::spec::amplitude::{AMPLITUDE_WORDS, Amplitude};
use crate::spec::check::{EXCLUDED_BY_FREQUENCIES, check_d_model, conflict_with_frequencies};
use crate::spec::error::SpecError;
use crate::spec::keys;
use crate::spec::preset::Preset;
use crate::spec::scaling::argument_order::in_order;
use crate::spec::scaling::{MAX_ARGUMENTS, Scaling, from_arguments, parameters_of};
use crate::text::message::Message;

pub use crate::spec::amplitude::AMPLITUDE_EXPECTED;
pub use crate::spec::known_tables::{Elsewhere, Facts, KnownTables};
pub use crate::spec::models::{MODELS, Positions};
pub use crate::spec::names::{Named, Names, Of, Unknown};
pub use crate::spec::parameter_list::PARAMETERS;
pub use crate::spec::parameters::{
    Access, Kind, OfGrid, OfRope, Parameter, QUOTIENT_EXPECTED, SCALING_RULES, TableKind, Value,
};
pub use crate::spec::scaling::argument_order::ArgumentError;
pub use crate::spec::scaling::{Argument, ArgumentKind, RuleParameter};

impl<'a> Spec<'a> {
    /// Returns the keys whose values are not the default, with these values, in the order of the macro call.
    ///
    /// A preset appears as its parameters. The [`quantiser`](Self::quantiser) has no key: it is written with the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let keys = Spec::preset(Preset::Whisper, 384).keys();
    /// let keys: Vec<_> = keys.map(|(key, value)| format!("{key}={value}")).collect();
    /// assert_eq!(keys, ["freq_shift=1.0", "layout=halves", "odd=reject"]);
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> + use<'a> {
        keys::keys(self)
    }
}

/// Checks that no two of the keys that are given exclude each other.
///
/// The methods of [`Spec`] and [`Grid`](crate::Grid) have an order, in which the later call wins. The keys of the macros and
/// the options of a program have none.
///
/// # Errors
///
/// Returns an error for a list of frequencies together with `base` or `freq_shift`, and for `extent` together with `unit`.
///
/// # Examples
///
/// ```
/// use posenc::reflection::check_together;
///
/// let given = ["frequencies", "base"];
/// let error = check_together(|key| given.contains(&key)).unwrap_err();
/// assert_eq!(error.parameters(), ["frequencies", "base"]);
/// ```
pub fn check_together(is_given: impl Fn(&str) -> bool) -> Result<(), SpecError> {
    let excluded = EXCLUDED_BY_FREQUENCIES.into_iter().find(|key| is_given(key));
    match excluded {
        Some(key) if is_given("frequencies") => Err(conflict_with_frequencies(key)),
        _ if is_given("extent") && is_given("unit") => Err(conflict_of_extent()),
        _ => Ok(()),
    }
}

/// Returns the amplitude that has this word in the macros, if there is one.
///
/// Other amplitudes are numbers. [`AMPLITUDE_EXPECTED`] lists the words for an error.
///
/// # Examples
///
/// ```
/// use posenc::Amplitude;
/// use posenc::reflection::amplitude_of_word;
///
/// assert_eq!(amplitude_of_word("rsqrt_d"), Some(Amplitude::RsqrtD));
/// assert_eq!(amplitude_of_word("rsqrt"), None);
/// ```
#[must_use]
pub fn amplitude_of_word(word: &str) -> Option<Amplitude> {
    AMPLITUDE_WORDS.iter().find(|(name, ..)| *name == word).map(|&(_, amplitude, _)| amplitude)
}

/// Returns the number of columns, if a table may have so many.
///
/// # Errors
///
/// Returns an error if it is not from 1 to [`MAX_D_MODEL`](crate::MAX_D_MODEL).
///
/// # Examples
///
/// ```
/// use posenc::reflection::d_model;
///
/// assert_eq!(d_model(512), Ok(512));
/// assert!(d_model(-1).is_err());
/// ```
pub const fn d_model(value: i128) -> Result<usize, SpecError> {
    check_d_model(value)
}

/// Returns the value of a key that is a position or a distance between positions.
///
/// # Errors
///
/// Returns an error if it is beyond 64 bits, with the limits of the key. The other checks need the table.
///
/// # Examples
///
/// ```
/// use posenc::reflection::position;
///
/// assert_eq!(position("start", -7)?, -7);
/// assert_eq!(
///     position("step", 1 << 63).unwrap_err().to_string(),
///     "`step` is 9223372036854775808, but must be from -9223372036854775808 to 9223372036854775807",
/// );
/// # Ok::<(), posenc::reflection::ValueError>(())
/// ```
pub const fn position(key: &str, value: i128) -> Result<i64, ValueError> {
    match convert::position(key, value) {
        Ok(value) => Ok(value),
        Err(message) => Err(ValueError(message)),
    }
}

/// Returns the value of a key that is a number of rows or the index of one.
///
/// # Errors
///
/// Returns an error if it is negative or too large.
///
/// # Examples
///
/// ```
/// use posenc::reflection::size;
///
/// assert_eq!(size("zero_row", 7)?, 7);
/// assert!(size("zero_row", -7).is_err());
/// # Ok::<(), posenc::reflection::ValueError>(())
/// ```
pub const fn size(key: &str, value: i128) -> Result<usize, ValueError> {
    match convert::size(key, value) {
        Ok(value) => Ok(value),
        Err(message) => Err(ValueError(message)),
    }
}

/// Returns a length of a scaling rule. Whether it is too large is checked with the spec.
///
/// # Errors
///
/// Returns an error if it is negative, or beyond any size.
///
/// # Examples
///
/// ```
/// use posenc::reflection::length;
///
/// assert_eq!(length("yarn", "original_max_position_embeddings", 4096)?, 4096);
/// # Ok::<(), posenc::reflection::ValueError>(())
/// ```
pub const fn length(rule: &'static str, parameter: &'static str, value: i128) -> Result<usize, ValueError> {
    match convert::length(rule, parameter, value) {
        Ok(value) => Ok(value),
        Err(message) => Err(ValueError(message)),
    }
}

/// A value that no parameter can have, or none of this kind.
///
/// # Examples
///
/// ```
/// use posenc::reflection::ValueError;
///
/// let error = ValueError::not_an_integer("start", 0.5);
/// assert_eq!(error.to_string(), "`start` is 0.5, but must be an integer");
/// ```
pub struct ValueError(Message);

impl ValueError {
    /// Creates the error of a key that is an integer, for a value that is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::reflection::ValueError;
    /// let read = |text: &str| text.parse().map_err(|_| ValueError::not_an_integer("step", text.parse().unwrap_or(0.0)));
    /// assert_eq!(read("7").ok(), Some(7));
    /// assert_eq!(read("1.5").unwrap_err().to_string(), "`step` is 1.5, but must be an integer");
    /// ```
    #[must_use]
    pub const fn not_an_integer(key: &str, value: f64) -> Self {
        Self(convert::not_an_integer(key, value))
    }
}

impl Display for ValueError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// Shows the same text as [`Display`].
impl Debug for ValueError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Error for ValueError {}

/// Returns the parameters of a scaling rule, in order, or none if there is no such rule.
///
/// The names of the rules are those of [`SCALING_RULES`].
///
/// # Examples
///
/// ```
/// use posenc::reflection::rule_parameters;
///
/// let keys: Vec<_> = rule_parameters("llama3").iter().map(|parameter| parameter.key).collect();
/// assert_eq!(keys, ["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"]);
/// ```
#[must_use]
pub fn rule_parameters(rule: &str) -> &'static [RuleParameter] {
    parameters_of(rule)
}

/// Returns what is written for each parameter of a rule, or `None` for a default.
///
/// An argument is a value with or without the name of its parameter. Those without a name come first.
///
/// # Errors
///
/// Returns an error if an argument has no parameter, if a parameter has two, or if one without a default has none.
///
/// # Examples
///
/// ```
/// use posenc::reflection::arguments_in_order;
///
/// let written = [(None, "40"), (None, "4096"), (Some("mscale"), "1")]; // yarn(40, 4096, mscale = 1)
/// let given = arguments_in_order("yarn", written).unwrap();
/// assert_eq!(given, [Some("40"), Some("4096"), None, None, None, Some("1"), None]);
/// assert_eq!(
///     arguments_in_order("linear", [(Some("alpha"), 8)]).unwrap_err().to_string(),
///     "`linear` has no parameter `alpha`; its parameters are `factor`",
/// );
/// ```
pub fn arguments_in_order<'r, V: Copy>(
    rule: &'r str,
    written: impl IntoIterator<Item = (Option<&'r str>, V)>,
) -> Result<[Option<V>; MAX_ARGUMENTS], ArgumentError<'r>> {
    in_order(rule, written)
}

/// Creates a scaling rule from its arguments in order, or returns `None` if their number or a kind is wrong.
///
/// # Examples
///
/// ```
/// use posenc::Scaling;
/// use posenc::reflection::{Argument, rule};
///
/// assert_eq!(rule("linear", &[Argument::Number(8.0)]), Some(Scaling::linear(8.0)));
/// assert_eq!(rule("linear", &[]), None);
/// ```
#[must_use]
pub fn rule<'a>(name: &str, arguments: &[Argument<'a>]) -> Option<Scaling<'a>> {
    from_arguments(name, arguments)
}

/// Returns the names of the axes of a grid, in the order of the shape: those of the preset, or else the usual ones.
///
/// # Examples
///
/// ```
/// use posenc::GridPreset;
/// use posenc::reflection::axis_names;
///
/// assert_eq!(axis_names(None, 3), ["t", "h", "w"]);
/// assert_eq!(axis_names(Some(GridPreset::MocoV3), 2), ["w", "h"]);
/// ```
#[must_use]
pub const fn axis_names(preset: Option<GridPreset>, axes: usize) -> &'static [&'static str] {
    preset::axis_names(preset, axes)
}

/// The names that are not simply another name of one [`Preset`].
pub const OTHER_NAMES: &[Elsewhere<Preset>] = Preset::OTHER_NAMES;

/// Returns what there is to say about a preset besides its table.
///
/// # Examples
///
/// ```
/// use posenc::Preset;
/// use posenc::reflection::preset_facts;
///
/// assert_eq!(preset_facts(Preset::Whisper).rows, 1500);
/// ```
#[must_use]
pub const fn preset_facts(preset: Preset) -> Facts {
    preset.facts()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_exclude_each_other_are_refused() {
        let check = |given: &[&str]| check_together(|key| given.contains(&key));
        assert_eq!(check(&["base", "freq_shift", "unit"]), Ok(()));
        assert_eq!(check(&["frequencies", "extent"]), Ok(()));
        assert_eq!(check(&["base", "frequencies"]), Err(conflict_with_frequencies("base")));
        assert_eq!(check(&["freq_shift", "frequencies"]), Err(conflict_with_frequencies("freq_shift")));
        assert_eq!(check(&["extent", "unit"]), Err(conflict_of_extent()));
        assert_eq!(check(&["extent", "unit", "base"]), Err(conflict_of_extent()));
    }
}
