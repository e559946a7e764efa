//! Parsers of values that need the name of their option.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::{Arg, Command};

use crate::keys::values::size;

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
