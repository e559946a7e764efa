//! The command line: its options and their help.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::entry::Dtype;
use crate::parameters::Parameters;

/// Sinusoidal positional-encoding tables, every entry correctly rounded.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 110)]
#[command(after_help = "\
Exit status: 0 done (or: identical, identified); 1 the tables differ, or nothing fits; 2 misuse or trouble, told on stderr.

Examples:
  posenc identify model.safetensors --name model.encoder.embed_positions.weight
  posenc table --preset whisper --seq-len 1500 --d-model 384 -o pe.npy
  posenc compare pe.npy --preset whisper
  posenc explain --position 4095 --column 17 --d-model 512
  posenc presets whisper")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Table(TableArgs),
    Compare(CompareArgs),
    Identify(IdentifyArgs),
    Explain(ExplainArgs),
    Presets(PresetsArgs),
}

/// Write a table to a .npy, .safetensors or raw .bin file.
///
/// An existing file is replaced, but only by a complete one: the table is written beside it and then takes its name, so a
/// failure or an interruption leaves what was there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc table --seq-len 4096 --d-model 512 -o pe.npy
  posenc table --preset whisper --seq-len 1500 --d-model 384 --dtype f16 -o pe.safetensors
  posenc table --config whisper-tiny/config.json -o pe.npy
  posenc table --preset fairseq --zero-row 1 --seq-len 1026 --d-model 1024 -o pe.safetensors --name weights
  posenc table --seq-len 8 --d-model 4 --format bin -o - | od -t f4 -w16")]
pub(crate) struct TableArgs {
    /// Rows; 0 or more
    #[arg(long, value_name = "N")]
    pub(crate) seq_len: Option<usize>,
    /// Columns, 1 to 2^24
    #[arg(long, value_name = "D")]
    pub(crate) d_model: Option<usize>,
    /// A Hugging Face model's config.json, which gives preset, sizes and padding; options on the command line override it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Element type
    #[arg(long, value_enum, default_value = "f32")]
    pub(crate) dtype: Dtype,
    /// Where to write the table; `-` is stdout and needs --format
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The file's format, where its ending does not tell
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// The tensor's name in a .safetensors file
    #[arg(long, value_name = "TENSOR", default_value = "pe")]
    pub(crate) name: String,
    // Last, as its heading holds for all that follows.
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// Formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For numpy.load
    Npy,
    /// For the library of that name; the metadata tell the parameters
    Safetensors,
    /// The entries alone, row by row, little-endian
    Bin,
}

/// Compare a table in a file with the exact one.
///
/// The sizes and the element type are the file's; the parameters are given here. Exit status 0 if the tables are identical
/// in bits or within the tolerance asked for, 1 if they differ.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc compare pe.npy --preset whisper
  posenc compare model.safetensors --name encoder.embed_positions.weight --preset whisper --max-error 2e-4")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Exit with 0 if no entry is further off than so many units in the last place (with --max-error, either is enough)
    #[arg(long, value_name = "N")]
    pub(crate) max_ulps: Option<u64>,
    /// Exit with 0 if no entry is further off than this (with --max-ulps, either is enough)
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = tolerance)]
    pub(crate) max_error: Option<f64>,
    // Last, as its heading holds for all that follows.
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// Find out which preset and parameters made a table.
///
/// Works on tables that a framework computed in f32 or stored in 16 bits, too. Exit status 1 if nothing fits.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc identify pe.npy
  posenc identify model.safetensors --name encoder.embed_positions.weight")]
pub(crate) struct IdentifyArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
}

/// A file that holds a table.
#[derive(Args)]
pub struct FileArgs {
    /// A .npy or .safetensors file with a table of f32, f64, f16 or bf16; axes of length 1 before the rows or the columns are
    /// ignored
    pub file: PathBuf,
    /// Which tensor of a .safetensors file; unless given, the only one that can be a table
    #[arg(long, value_name = "TENSOR")]
    pub name: Option<String>,
}

/// Show how one entry comes about, stage by stage.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc explain --position 4095 --column 17 --d-model 512
  posenc explain --position 998.39 --column 0 --d-model 320 --preset adm --dtype bf16")]
pub(crate) struct ExplainArgs {
    /// The position: an integer, or a decimal fraction such as a sampler's timestep (rows and `--start` do not matter here)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: PositionArg,
    /// The column, counted from 0
    #[arg(long, value_name = "J")]
    pub(crate) column: usize,
    /// Columns, 1 to 2^24
    #[arg(long, value_name = "D")]
    pub(crate) d_model: usize,
    /// Element type
    #[arg(long, value_enum, default_value = "f32")]
    pub(crate) dtype: Dtype,
    // Last, as its heading holds for all that follows.
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// List the presets, or tell about one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc presets
  posenc presets whisper
  posenc presets flux")]
pub(crate) struct PresetsArgs {
    /// A preset, or the name of a model or library
    pub(crate) name: Option<String>,
}

/// A position as it is written, an integer exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PositionArg {
    Integer(i64),
    Fraction(f64),
}

impl FromStr for PositionArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self::Integer).or_else(|_| number(text).map(Self::Fraction))
    }
}

/// A decimal number, the nearest `f64`. What is not finite is the library's to refuse, in its words.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.replace('_', "")
        .parse()
        .map_err(|_| format!("`{text}` is not a number; write one such as 10000, 1e4 or 0.125"))
}

fn tolerance(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err(format!("`{text}` is no tolerance; give a number of 0 or more")),
    }
}

/// A name as the macro would have it written.
pub(crate) fn plain(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}
