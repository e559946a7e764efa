//! The command line: its options, their help, and the spec that they make.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use posenc::__private::names::{Named, Unknown, named};
use posenc::{Amplitude, Columns, Layout, Odd, Order, Pairing, Preset, Spec};

use crate::entry::Dtype;

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

/// The parameters of a table, by the names they have in the macro.
#[derive(Args, Default)]
#[command(next_help_heading = "Parameters (those not given are the preset's)")]
pub struct Parameters {
    /// A known model's parameters; `posenc presets` lists them [default: paper]
    #[arg(long, value_name = "NAME", value_parser = choice::<Preset>)]
    pub preset: Option<Preset>,
    /// Base of the frequencies' progression (theta, `max_timescale`, `max_period`); greater than 0
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = number)]
    base: Option<f64>,
    /// s in base^(-k / (d/2 - s)); 0 is the paper's formula, 1 tensor2tensor's
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = number)]
    freq_shift: Option<f64>,
    /// The frequencies themselves, in the place of a base: a,b,c in radians per position
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_delimiter = ',', value_parser = number)]
    frequencies: Option<Vec<f64>>,
    /// Where the columns of a pair stand: interleaved or halves
    #[arg(long, value_parser = choice::<Layout>)]
    layout: Option<Layout>,
    /// Which column of a pair comes first: `sin_cos` or `cos_sin`
    #[arg(long, value_parser = choice::<Order>)]
    order: Option<Order>,
    /// Functions of the angles: both, sin or cos
    #[arg(long, value_parser = choice::<Columns>)]
    columns: Option<Columns>,
    /// Whether sine and cosine share a frequency: paired or unpaired
    #[arg(long, value_parser = choice::<Pairing>)]
    pairing: Option<Pairing>,
    /// What ends an odd width: `last_sin`, zero or reject
    #[arg(long, value_parser = choice::<Odd>)]
    odd: Option<Odd>,
    /// Position of row 0
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub start: Option<i64>,
    /// Distance of the rows' positions; may be negative
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    step: Option<i64>,
    /// Factor of the angles
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = number)]
    scale: Option<f64>,
    /// Factor of the entries: a number, `rsqrt_d` or `sqrt_2_over_d`
    #[arg(long, value_name = "A", allow_hyphen_values = true, value_parser = amplitude)]
    amplitude: Option<Amplitude>,
    /// Index of a row of zeros (`padding_idx`)
    #[arg(long, value_name = "ROW")]
    pub zero_row: Option<usize>,
}

impl Parameters {
    /// The spec of a width: what is given here, and for the rest the preset, `other` unless one is given.
    pub(crate) fn spec(&self, other: Preset, d_model: usize) -> Spec<'_> {
        let mut spec = Spec::preset(self.preset.unwrap_or(other), d_model);
        // A list drops base and shift of the preset, so those given beside it come after it and are a conflict.
        if let Some(frequencies) = &self.frequencies {
            spec = spec.frequencies(frequencies);
        }
        macro_rules! set {
            ($($parameter:ident)*) => { $(
                if let Some(value) = self.$parameter {
                    spec = spec.$parameter(value);
                }
            )* };
        }
        set!(base freq_shift layout order columns pairing odd start step scale amplitude zero_row);
        spec
    }
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
fn number(text: &str) -> Result<f64, String> {
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

fn amplitude(text: &str) -> Result<Amplitude, String> {
    match text.replace('-', "_").as_str() {
        "rsqrt_d" => Ok(Amplitude::RsqrtD),
        "sqrt_2_over_d" => Ok(Amplitude::Sqrt2OverD),
        _ => number(text)
            .map(Amplitude::Value)
            .map_err(|_| format!("`{text}` is no amplitude; give a number, `rsqrt_d` or `sqrt_2_over_d`")),
    }
}

/// A preset or another choice by its name, in capitals and with dashes too.
fn choice<C: Named + Send + Sync>(text: &str) -> Result<C, String> {
    named(&plain(text)).map_err(|unknown| Unknown { written: text, ..unknown }.to_string())
}

/// A name as the macro would have it written.
pub(crate) fn plain(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}
