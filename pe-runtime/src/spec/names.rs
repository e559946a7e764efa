//! Parsing choices and presets from their names, and the sentence for an unknown name.
//!
//! The macro and the command-line tool share this code.

use core::fmt::{self, Display, Formatter};

use crate::spec::models::LEARNED;

/// A set of names to choose from.
///
/// # Examples
///
/// ```
/// use posenc::Layout;
/// use posenc::reflection::Named;
///
/// assert_eq!(Layout::NAMES.all, ["interleaved", "halves"]);
/// assert_eq!(Layout::NAMES.find("halves").ok(), Some(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// What the names denote.
    pub of: Of,
    /// The names, none longer than 32 bytes.
    pub all: &'static [&'static str],
    /// The paths of the values in Rust, without the crate.
    pub paths: &'static [&'static str],
    /// Names in other libraries, each with the equivalent in this crate.
    pub elsewhere: &'static [(&'static str, &'static str)],
}

/// What a set of names denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Things of one kind, given by a noun such as `preset`.
    Things(&'static str),
    /// The values of a key.
    Values(&'static str),
}

impl Names {
    /// Returns the index of the name `written`.
    ///
    /// # Errors
    ///
    /// Returns an error if it is none of the names.
    ///
    /// # Panics
    ///
    /// Panics if a name of the set is longer than 32 bytes. The sets of this crate have no such name.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::reflection::Named;
    /// use posenc::{Preset, Suggestion};
    ///
    /// let unknown = Preset::NAMES.find("wisper").unwrap_err();
    /// assert_eq!(unknown.suggestion, Some(Suggestion::Nearest("whisper")));
    /// assert_eq!(unknown.to_string(), "unknown preset `wisper`; did you mean `whisper`?");
    /// ```
    pub fn find<'w>(&'static self, written: &'w str) -> Result<usize, Unknown<'w>> {
        let found = self.all.iter().position(|name| *name == written);
        found.ok_or_else(|| Unknown { names: self, written, suggestion: self.suggestion(written) })
    }

    /// Returns what may have been meant: the equivalent of a name from elsewhere, or the nearest name.
    fn suggestion(&self, written: &str) -> Option<Suggestion> {
        if self.of == Of::Things("preset") && LEARNED.contains(&written) {
            return Some(Suggestion::Learned);
        }
        if let Some((_, here)) = self.elsewhere.iter().find(|(name, _)| *name == written) {
            return Some(Suggestion::Here(here));
        }
        if self.longer(written).next().is_some() {
            return Some(Suggestion::Longer);
        }
        let is_of_models = self.of == Of::Things("preset");
        let is_of_version = |name: &&&str| !is_of_models || versions(name).eq(versions(written));
        let of_version = self.all.iter().filter(is_of_version);
        let distances = of_version.map(|&name| (distance(name, written), name));
        let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
        // A name that differs in half of its letters is the name of another model.
        let len = if is_of_models { name.len().saturating_sub(1) } else { name.len() };
        (distance <= (1 + name.len() / 3).min(len / 2)).then_some(Suggestion::Nearest(name))
    }

    /// Returns the names that begin with the words of the name `written`.
    fn longer(self, written: &str) -> impl Iterator<Item = &'static str> {
        let rest = move |name: &&'static str| name.strip_prefix(written).is_some_and(|rest| rest.starts_with('_'));
        self.all.iter().copied().filter(rest)
    }
}

/// Returns what tells versions apart in a name: its digits, and words of one letter.
fn versions(name: &str) -> impl Iterator<Item = u8> {
    let is_version = |word: &str, byte: u8| byte.is_ascii_digit() || word.len() == 1;
    name.split(['_', '-', '.']).flat_map(move |word| word.bytes().filter(move |byte| is_version(word, *byte)))
}

/// Returns how many letters must be inserted, deleted, replaced or swapped with their neighbours to turn one into the
/// other.
fn distance(name: &str, written: &str) -> usize {
    const LONGEST: usize = 32;
    let name = name.as_bytes();
    // The distance from each prefix of the name to what has been read of `written` so far, and the same without its
    // last letter or its last two.
    let mut now: [usize; LONGEST + 1] = core::array::from_fn(|j| j);
    let (mut before, mut last) = (now, None);
    for (i, letter) in written.chars().enumerate() {
        let long_before = before;
        before = now;
        now[0] = i + 1;
        for j in 1..=name.len() {
            let here = char::from(name[j - 1]);
            let replaced = before[j - 1] + usize::from(here != letter);
            now[j] = replaced.min(before[j] + 1).min(now[j - 1] + 1);
            if j > 1 && last == Some(here) && char::from(name[j - 2]) == letter {
                now[j] = now[j].min(long_before[j - 2] + 1);
            }
        }
        last = Some(letter);
    }
    now[name.len()]
}

/// An unknown name. Its text is the error sentence.
#[derive(Clone, Copy, Debug)]
pub struct Unknown<'w> {
    /// The known names.
    pub names: &'static Names,
    /// The name as the sentence shows it.
    pub written: &'w str,
    /// What may have been meant.
    pub suggestion: Option<Suggestion>,
}

impl Display for Unknown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { names: Names { of, all, .. }, written, suggestion } = self;
        match of {
            Of::Things(noun) => write!(f, "unknown {noun} `{written}`")?,
            Of::Values(key) => write!(f, "`{key}` is `{written}`")?,
        }
        // Nobody reads a long list for an answer that follows it.
        if suggestion.is_none() || all.len() <= SHORT_LIST {
            match of {
                Of::Things(noun) => write!(f, "; the {noun}s are {}", Listed(all))?,
                Of::Values(_) => write!(f, ", but must be one of {}", Listed(all))?,
            }
        }
        match suggestion {
            None => Ok(()),
            Some(Suggestion::Here(here)) => write!(f, "; use {here}"),
            Some(Suggestion::Nearest(name)) => write!(f, "; did you mean `{name}`?"),
            Some(Suggestion::Longer) => {
                f.write_str("; did you mean ")?;
                for (i, name) in self.names.longer(written).enumerate() {
                    write!(f, "{}`{name}`", if i == 0 { "" } else { " or " })?;
                }
                f.write_str("?")
            }
            Some(Suggestion::Begins(name)) => write!(f, "; it begins like `{name}`; another version may differ"),
            Some(Suggestion::Learned) => f.write_str("; this model uses learned positions and has no sinusoidal table"),
        }
    }
}

/// The longest list of names that is shown beside a suggestion.
const SHORT_LIST: usize = 8;

/// Names between backquotes.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'n>(pub &'n [&'n str]);

impl Display for Listed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}`{name}`")?;
        }
        Ok(())
    }
}

/// What an unknown name may have meant.
///
/// # Examples
///
/// ```
/// use posenc::{Preset, RopePreset, Suggestion};
///
/// let suggestion = |name: &str| name.parse::<Preset>().unwrap_err().suggestion();
/// assert_eq!(suggestion("wisper"), Some(Suggestion::Nearest("whisper")));
/// assert_eq!(suggestion("flux"), Some(Suggestion::Here("`adm` with `scale = 1000`")));
/// assert_eq!(suggestion("bert"), Some(Suggestion::Learned));
/// assert_eq!(suggestion("resnet"), None);
/// assert_eq!("llama4".parse::<RopePreset>().unwrap_err().suggestion(), Some(Suggestion::Longer));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suggestion {
    /// The nearest of the known names, with the same digits.
    Nearest(&'static str),
    /// The known names that begin with the words of this name, such as `llama4_scout` for `llama4`.
    Longer,
    /// The known name with which the name of a model begins. Another version of the model may have another table.
    Begins(&'static str),
    /// The equivalent of a name from elsewhere, in terms of the macro's keys.
    Here(&'static str),
    /// There is no equivalent: this model uses learned positions and has no sinusoidal table.
    Learned,
}

/// The error of parsing a preset, such as [`Preset`](crate::Preset), or a choice, such as [`Layout`](crate::Layout).
///
/// These types are parsed from the names that the macro accepts, and display as the same names. The error
/// shows the same sentence as the macro, with at most the first 64 bytes of the input.
///
/// # Examples
///
/// ```
/// use posenc::{Layout, Preset};
///
/// assert_eq!("halves".parse(), Ok(Layout::Halves));
/// assert_eq!(Preset::Whisper.to_string(), "whisper");
/// assert_eq!(
///     "half".parse::<Layout>().unwrap_err().to_string(),
///     "`layout` is `half`, but must be one of `interleaved`, `halves`; did you mean `halves`?",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NameError {
    names: &'static Names,
    written: [u8; SHOWN],
    len: u8,
    suggestion: Option<Suggestion>,
}

/// The number of bytes of the input that the error shows.
const SHOWN: usize = 64;

impl NameError {
    /// Returns what may have been meant, or `None` if no known name is near.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Order, Suggestion};
    ///
    /// let error = "cos_first".parse::<Order>().unwrap_err();
    /// assert_eq!(error.suggestion(), Some(Suggestion::Here("`cos_sin`")));
    /// ```
    #[must_use]
    pub const fn suggestion(&self) -> Option<Suggestion> {
        self.suggestion
    }
}

impl From<Unknown<'_>> for NameError {
    fn from(Unknown { names, written, suggestion }: Unknown) -> Self {
        let mut len = written.len().min(SHOWN);
        while !written.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; SHOWN];
        bytes[..len].copy_from_slice(&written.as_bytes()[..len]);
        Self { names, written: bytes, len: len as u8, suggestion }
    }
}

impl Display for NameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let written = core::str::from_utf8(&self.written[..self.len.into()]).unwrap_or_default();
        Display::fmt(&Unknown { names: self.names, written, suggestion: self.suggestion }, f)
    }
}

debug_as_display!(NameError);

impl core::error::Error for NameError {}

/// A choice that has a name: a preset or the value of a key.
///
/// # Examples
///
/// ```
/// use posenc::reflection::Named;
/// use posenc::{Order, RopePreset};
///
/// fn named<C: Named>(text: &str) -> Result<C, String> {
///     C::NAMES.find(text).map(|i| C::CHOICES[i]).map_err(|unknown| unknown.to_string())
/// }
///
/// assert_eq!(named("cos_sin"), Ok(Order::CosSin));
/// assert_eq!(named("llama2"), Ok(RopePreset::Llama2));
/// ```
pub trait Named: Copy + 'static {
    /// The choices.
    const CHOICES: &'static [Self];
    /// Their names in the same order.
    const NAMES: &'static Names;
}

/// Returns the choice with this name.
pub(crate) fn named<C: Named>(written: &str) -> Result<C, Unknown<'_>> {
    C::NAMES.find(written).map(|i| C::CHOICES[i])
}

/// Defines an enum whose variants have the names that the macro accepts.
macro_rules! choice {
    (
        $(#[$doc:meta])*
        $choice:ident($of:expr, $elsewhere:expr) { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $choice { $($(#[$variant_doc])* $variant,)* }

        impl $choice {
            /// All variants, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name of the variant, as the macro accepts it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl $crate::spec::names::Named for $choice {
            const CHOICES: &'static [Self] = Self::ALL;
            const NAMES: &'static $crate::spec::names::Names = &$crate::spec::names::Names {
                of: $of,
                all: &[$($name,)*],
                paths: &[$(concat!(stringify!($choice), "::", stringify!($variant)),)*],
                elsewhere: $elsewhere,
            };
        }

        /// Parses the name that the macro accepts.
        impl core::str::FromStr for $choice {
            type Err = $crate::spec::names::NameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::spec::names::named(name).map_err(Self::Err::from)
            }
        }

        /// Shows the name that the macro accepts.
        impl core::fmt::Display for $choice {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use core::fmt::Debug;
    use core::str::FromStr;
    use std::format;
    use std::string::ToString;

    use super::*;
    use crate::axial::preset::AxialPreset;
    use crate::rope::preset::RopePreset;
    use crate::spec::choices::{Columns, Layout, Odd, Order, Packing, Pairing, Repeat};
    use crate::spec::preset::Preset;

    #[test]
    fn every_choice_is_parsed_from_the_name_that_it_shows() {
        fn check<C: Named + FromStr<Err = NameError> + Display + Debug + PartialEq>() {
            assert_eq!(C::CHOICES.len(), C::NAMES.all.len());
            for choice in C::CHOICES {
                assert_eq!(choice.to_string().parse(), Ok(*choice));
            }
            assert!(C::NAMES.all.iter().all(|name| name.is_ascii() && name.len() <= 32));
        }
        check::<Preset>();
        check::<Layout>();
        check::<Order>();
        check::<Columns>();
        check::<Pairing>();
        check::<Repeat>();
        check::<Packing>();
        check::<Odd>();
        assert_eq!(format!("{:>8}", Layout::Halves), "  halves");
    }

    #[test]
    fn distances_are_counted_in_letters() {
        let cases = [
            ("halves", "halves", 0),
            ("halves", "", 6),
            ("", "halves", 6),
            ("halves", "halfs", 2),
            ("start", "strat", 1),
            ("start", "tsart", 1),
            ("sin", "sine", 1),
            ("sin", "in", 1),
            ("both", "bath", 1),
            ("cos", "cös", 1),
            ("abcdef", "badcfe", 3),
            ("ca", "abc", 3),
        ];
        for (name, written, expected) in cases {
            assert_eq!(distance(name, written), expected, "{name} {written}");
        }
        assert_eq!(distance("halves", &"x".repeat(1000)), 1000);
    }

    #[test]
    fn a_third_of_a_long_name_may_be_wrong() {
        let suggestion = |name: &str| name.parse::<Preset>().unwrap_err().suggestion();
        // Four letters of `tensor2tensor`, and six.
        assert_eq!(suggestion("tenzor2tenxyz"), Some(Suggestion::Nearest("tensor2tensor")));
        assert_eq!(suggestion("tenxyz2tenxyz"), None);
    }

    /// Another version of a model has another table.
    #[test]
    fn no_suggestion_is_another_version() {
        let told = |name: &str| name.parse::<RopePreset>().unwrap_err().to_string();
        assert_eq!(told("llama4"), "unknown preset `llama4`; did you mean `llama4_scout` or `llama4_maverick`?");
        assert_eq!(told("glm4"), "unknown preset `glm4`; did you mean `glm4_9b`?");
        assert_eq!(told("lama3_1"), "unknown preset `lama3_1`; did you mean `llama3_1`?");
        for name in
            ["llama5", "qwen3_5", "gemma3n", "gemma5", "command_a", "olmo3", "phi3_mini_128k", "mistral_7b_v0_3"]
        {
            let suggestion = name.parse::<RopePreset>().unwrap_err().suggestion();
            assert_eq!(suggestion, None, "{name}");
        }
        for name in ["dino", "dinov2", "ltx"] {
            let suggestion = name.parse::<AxialPreset>().unwrap_err().suggestion();
            assert_eq!(suggestion, None, "{name}");
        }
    }

    #[test]
    fn what_is_far_from_all_names_is_told_without_a_suggestion() {
        let suggestion = |name: &str| name.parse::<Columns>().unwrap_err().suggestion();
        assert_eq!((suggestion("cox"), suggestion("cxx")), (Some(Suggestion::Nearest("cos")), None));
        let error = "middle".parse::<Columns>().unwrap_err();
        assert_eq!(error.suggestion(), None);
        assert_eq!(error.to_string(), "`columns` is `middle`, but must be one of `both`, `sin`, `cos`");
        let error = "resnet".parse::<Preset>().unwrap_err().to_string();
        assert!(error.starts_with("unknown preset `resnet`; the presets are `paper`, `tensor2tensor`, "));
    }

    #[test]
    fn a_long_list_is_not_shown_beside_a_suggestion() {
        let told = |name: &str| name.parse::<Preset>().unwrap_err().to_string();
        assert_eq!(told("Whisper"), "unknown preset `Whisper`; did you mean `whisper`?");
        assert_eq!(told("flux"), "unknown preset `flux`; use `adm` with `scale = 1000`");
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let error = "é".repeat(40).parse::<Odd>().unwrap_err();
        assert!(error.to_string().starts_with(&format!("`odd` is `{}`, but", "é".repeat(32))));
        let error = format!("x{}", "é".repeat(40)).parse::<Odd>().unwrap_err();
        assert!(error.to_string().starts_with(&format!("`odd` is `x{}`, but", "é".repeat(31))));
    }
}
