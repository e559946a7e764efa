//! Reflection: the keys of the macros as data, for programs that print or read parameters.
//!
//! The macros, the command `posenc` and the texts of specs are made from the same lists, so a program that uses them
//! accepts the same words and rejects other words with the same sentences. [`Spec::keys`](crate::Spec::keys) says what
//! is set, and [`PARAMETERS`] says how to set it. Other programs do not need this module: the methods of
//! [`Spec`](crate::Spec) and [`Spec::parameters`](crate::Spec::parameters) are typed.
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
use core::fmt::{self, Display, Formatter};

use crate::bake::convert;
use crate::spec::check::check_d_model;
use crate::spec::error::SpecError;
use crate::spec::keys::conflicts;
use crate::spec::names::Suggestion;
use crate::spec::preset::Preset;
use crate::text::message::Message;

pub use crate::axial::preset::axial_axis_names;
pub use crate::grid::preset::axis_names;
#[cfg(feature = "serde")]
pub use crate::rope::config::unread::check_unread_keys;
pub use crate::spec::amplitude::{AMPLITUDE_EXPECTED, amplitude_of_word};
pub use crate::spec::known_tables::{Elsewhere, Facts, KnownTables};
pub use crate::spec::models::{MODELS, ModelPositions};
pub use crate::spec::names::{Named, Names, Of, Unknown};
pub use crate::spec::parameter_list::PARAMETERS;
pub use crate::spec::parameters::{
    Access, Kind, OfGrid, OfRope, Parameter, QUOTIENT_EXPECTED, SCALING_RULES, TableKind, Value,
};
pub use crate::spec::scaling::argument_order::{ArgumentError, arguments_in_order};
pub use crate::spec::scaling::{Argument, ArgumentKind, RuleParameter, rule, rule_arguments, rule_parameters};

/// Checks that no two of the keys that are given exclude each other.
///
/// The methods of [`Spec`](crate::Spec) and [`Grid`](crate::Grid) are called in an order, so the later call wins. The
/// keys of the macros and the options of a program have no order.
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
    conflicts(is_given).next().map_or(Ok(()), Err)
}

/// Finds a key of a kind of table by its name, and returns its index.
///
/// # Errors
///
/// Returns an error if it is none of them, with the key that has this name in another library, or the nearest one.
///
/// # Examples
///
/// ```
/// use posenc::Suggestion;
/// use posenc::reflection::{Names, Of, TableKind, find_key};
///
/// static KEYS: Names = Names { of: Of::Things("key"), all: &["base", "scale"], paths: &[], elsewhere: &[] };
/// let find = |key| find_key(&KEYS, TableKind::Sinusoidal, key).map_err(|unknown| unknown.suggestion);
/// assert_eq!(find("base"), Ok(0));
/// assert_eq!(find("max_period"), Err(Some(Suggestion::Here("`base`"))));
/// assert_eq!(find("bse"), Err(Some(Suggestion::Nearest("base"))));
/// ```
pub fn find_key<'w>(keys: &'static Names, table: TableKind, written: &'w str) -> Result<usize, Unknown<'w>> {
    keys.find(written).map_err(|unknown| {
        let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_of(table));
        let mut elsewhere = keys.elsewhere.iter().chain(parameters.flat_map(|parameter| parameter.elsewhere));
        let here = elsewhere.find(|(name, _)| *name == written).map(|&(_, here)| Suggestion::Here(here));
        Unknown { suggestion: here.or(unknown.suggestion), ..unknown }
    })
}

/// Returns the number of columns, if a table may have that many.
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
/// Returns an error, which gives the limits of the key, if the value does not fit 64 bits. The other checks need the
/// table.
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

/// Returns a length of a scaling rule. The check of the spec decides whether it is too large for the rule.
///
/// # Errors
///
/// Returns an error if it is negative, or too large for a `usize`.
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

/// The error of a value that no parameter, or no parameter of this kind, can have.
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
    /// Creates the error of a key that takes an integer, for a value that is not one.
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

debug_as_display!(ValueError);

impl Error for ValueError {}

/// The known names that are more than another name of one [`Preset`].
pub const OTHER_NAMES: &[Elsewhere<Preset>] = Preset::OTHER_NAMES;

/// Returns facts about a preset other than its table.
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
        let refused = |given: &[&str]| {
            let verdict = check_together(|key| given.contains(&key));
            verdict.err().map(|error| [error.parameters()[0], error.parameters()[1]])
        };
        assert_eq!(refused(&["base", "freq_shift", "unit"]), None);
        assert_eq!(refused(&["frequencies", "extent"]), None);
        assert_eq!(refused(&["base", "frequencies"]), Some(["frequencies", "base"]));
        assert_eq!(refused(&["freq_shift", "frequencies"]), Some(["frequencies", "freq_shift"]));
        assert_eq!(refused(&["extent", "unit"]), Some(["extent", "unit"]));
        assert_eq!(refused(&["extent", "unit", "base"]), Some(["extent", "unit"]));
    }
}
