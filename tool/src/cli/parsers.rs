//! Parsers of names, and of values that need the name of their option.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use posenc::reflection::{Named, Names};
use posenc_files::format::Format;
use posenc_text::names::{AnyPreset, PRESETS, ROTARY, any_preset, choice, rotary_preset};
use posenc_text::values::size;

/// Parses a size or an index. Errors name it as the option.
#[derive(Clone)]
pub(super) struct Size;

impl TypedValueParser for Size {
    type Value = usize;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, text: &OsStr) -> Result<usize, clap::Error> {
        let name = option.map_or("size", |option| option.get_id().as_str()).to_owned();
        (move |text: &str| size(&name, text)).parse_ref(command, option, text)
    }
}

/// Parses a choice by its name. Case, dashes and underscores do not matter.
pub(super) fn one_of<C: Named + Send + Sync>() -> impl TypedValueParser<Value = C> {
    OneOf(C::NAMES).map(|i| C::CHOICES[i])
}

/// Parses a name as its index, and tells the names to shell completions. The help texts contain them already.
#[derive(Clone)]
pub(super) struct OneOf(pub(super) &'static Names);

impl TypedValueParser for OneOf {
    type Value = usize;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, text: &OsStr) -> Result<usize, clap::Error> {
        let Self(names) = *self;
        (move |text: &str| choice(names, text)).parse_ref(command, option, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.all.iter().map(|name| PossibleValue::new(*name))))
    }
}

/// Parses a preset of one of several kinds by its name.
#[derive(Clone)]
pub(super) struct PresetParser {
    kinds: &'static [&'static Names],
    parse: fn(&str) -> Result<AnyPreset, String>,
}

impl PresetParser {
    /// Parses a preset of any kind.
    pub(super) const ANY: Self = Self { kinds: &PRESETS, parse: any_preset };
    /// Parses a preset of a rotary table.
    pub(super) const ROTARY: Self = Self { kinds: &ROTARY, parse: rotary_preset };
}

impl TypedValueParser for PresetParser {
    type Value = AnyPreset;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, text: &OsStr) -> Result<AnyPreset, clap::Error> {
        self.parse.parse_ref(command, option, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.kinds.iter().flat_map(|names| names.all).map(|name| PossibleValue::new(*name))))
    }
}

/// Returns the parser of file formats.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(Format::described).map(|(name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(names).map(|given| {
        let found = Format::ALL.into_iter().find(|format| format.described().0 == given);
        found.expect("the parser accepts only these names")
    })
}
