//! The formats of the files that are written.

mod binary;
mod c;
mod csv;
mod name;
mod parts;
mod rust;

use std::path::Path;

use serde::Serialize;

use crate::element::Stored;

pub(crate) use parts::UNNAMED;
pub use parts::{Facts, Parts, is_stdout, write};

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The array of a .npy file.
    Npy,
    /// The tensor of a .safetensors file.
    Safetensors,
    /// Entries only.
    Bin,
    /// A header or a source file in C.
    C,
    /// A static array in Rust.
    Rust,
    /// Decimals between commas.
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

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Npy, Self::Safetensors, Self::Bin, Self::C, Self::Rust, Self::Csv];

    /// Returns the name of the format and what it is.
    #[must_use]
    pub fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Npy => ("npy", "For numpy.load"),
            Self::Safetensors => ("safetensors", "For the safetensors library; the metadata contains the parameters"),
            Self::Bin => ("bin", "Entries only, row by row, little-endian"),
            Self::C => ("c", "An array in a header for C99 and C++17, or in a source file if the extension is .c"),
            Self::Rust => ("rust", "A static array in Rust"),
            Self::Csv => ("csv", "A row per line, in decimals that are read back as the same entries"),
        }
    }

    /// Returns the format given, or else the one of the file extension.
    ///
    /// # Errors
    ///
    /// Returns an error if there is neither, or if they contradict each other.
    pub fn of(output: &Path, given: Option<Self>) -> Result<Self, String> {
        let name = output.display();
        let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let told = EXTENSIONS.iter().find(|(extension, _)| *extension == ending).map(|(_, format)| *format);
        match (given, told) {
            (Some(given), Some(told)) if given != told => Err(format!(
                "the extension of `{name}` contradicts --format; use the extension {} or leave out --format",
                given.extensions().join(" or ")
            )),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) => {
                let [others @ .., last] = EXTENSIONS.map(|(extension, _)| format!(".{extension}"));
                Err(format!(
                    "the file name `{name}` does not determine the format; use the extension {} or {last}, or --format",
                    others.join(", ")
                ))
            }
        }
    }

    fn extensions(self) -> Vec<String> {
        let own = EXTENSIONS.iter().filter(|(_, format)| *format == self);
        own.map(|(extension, _)| format!(".{extension}")).collect()
    }

    /// Returns whether the entries are written as text, which takes more space than they do.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::C | Self::Rust | Self::Csv)
    }

    /// Returns the parts of a file with a table of `T`.
    ///
    /// # Errors
    ///
    /// Returns an error if the format cannot hold the table, or not with this name.
    pub fn parts<T: Stored>(self, facts: &Facts) -> Result<Parts<T>, String> {
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
