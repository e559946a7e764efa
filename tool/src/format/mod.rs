//! The formats of the files that are written.

mod binary;
mod c;
mod csv;
mod literal;
mod name;
mod rust;

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use crate::args::OutputArgs;
use crate::failure::Failure;
use crate::stored::Stored;

pub use literal::Literal;

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// For numpy.load
    Npy,
    /// For the safetensors library; the metadata contains the parameters
    Safetensors,
    /// Entries only, row by row, little-endian
    Bin,
    /// An array in a header for C99 and C++17, or in a source file if the extension is .c
    C,
    /// A static array in Rust
    Rust,
    /// A row per line, in decimals that are read back as the same entries
    Csv,
}

/// The formats by the extensions of files.
const EXTENSIONS: [(&str, Format); 7] = [
    ("npy", Format::Npy),
    ("safetensors", Format::Safetensors),
    ("bin", Format::Bin),
    ("h", Format::C),
    ("c", Format::C),
    ("rs", Format::Rust),
    ("csv", Format::Csv),
];

/// What a failure says of a name for the table of a file without names.
pub(crate) const UNNAMED: &str = "which contains a single unnamed table; leave out --name";

impl Format {
    /// Returns the format given, or else the one of the file extension.
    pub(crate) fn of(args: &OutputArgs) -> Result<Self, Failure> {
        let name = args.output.display();
        let ending = args.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let told = EXTENSIONS.iter().find(|(extension, _)| *extension == ending).map(|(_, format)| *format);
        match (args.format, told) {
            (Some(given), Some(told)) if given != told => Err(Failure::new(format_args!(
                "the extension of `{name}` contradicts --format; use the extension {} or leave out --format",
                given.extensions().join(" or ")
            ))),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) => {
                let [others @ .., last] = EXTENSIONS.map(|(extension, _)| format!(".{extension}"));
                Err(Failure::new(format_args!(
                    "the file name `{name}` does not determine the format; use the extension {} or {last}, or --format",
                    others.join(", ")
                )))
            }
        }
    }

    fn extensions(self) -> Vec<String> {
        let own = EXTENSIONS.iter().filter(|(_, format)| *format == self);
        own.map(|(extension, _)| format!(".{extension}")).collect()
    }

    /// Returns whether the entries are written as text, which takes more space than they do.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::C | Self::Rust | Self::Csv)
    }

    /// Returns the parts of a file with a table of `T`.
    pub(crate) fn parts<T: Stored>(self, facts: &Facts) -> Result<Parts<T>, Failure> {
        match self {
            Self::Npy => binary::npy(facts),
            Self::Safetensors => binary::safetensors(facts),
            Self::Bin => binary::raw(facts),
            Self::C => c::parts(facts),
            Self::Rust => rust::parts(facts),
            Self::Csv => csv::parts(facts),
        }
    }
}

/// What is known of a file before its entries are computed.
pub(crate) struct Facts<'a> {
    /// The numbers of rows and columns.
    pub(crate) shape: [usize; 2],
    /// The macro call that makes the same table.
    pub(crate) call: &'a str,
    /// The name of the table, if it is given.
    pub(crate) name: Option<&'a str>,
    pub(crate) output: &'a Path,
}

impl Facts<'_> {
    /// Fails if a name is given, which a file of this kind would not contain.
    fn refuse_name(&self, kind: &str) -> Result<(), Failure> {
        match self.name {
            Some(_) => Err(Failure::new(format_args!("`{}` is a .{kind} file, {UNNAMED}", self.output.display()))),
            None => Ok(()),
        }
    }
}

/// The parts of a file: what is around the rows, and how a row is written.
pub(crate) struct Parts<T> {
    pub(crate) before: Vec<u8>,
    pub(crate) append_row: fn(&[T], &mut Vec<u8>) -> io::Result<()>,
    pub(crate) after: &'static str,
}

/// Appends a row of an array in source code, in several lines if it is long.
fn append_array<T: Copy>(
    row: &[T],
    [open, close]: [char; 2],
    literal: fn(T, &mut Vec<u8>) -> io::Result<()>,
    code: &mut Vec<u8>,
) -> io::Result<()> {
    const WIDTH: usize = 100;
    let mut line = code.len();
    write!(code, "    {open}")?;
    for (i, entry) in row.iter().enumerate() {
        let start = code.len();
        literal(*entry, code)?;
        let is_full = code.len() + ", ,".len() - line > WIDTH;
        if i > 0 {
            let separator = if is_full { ",\n     " } else { ", " };
            code.splice(start..start, separator.bytes());
            line = if is_full { start + ",\n".len() } else { line };
        }
    }
    writeln!(code, "{close},")
}
