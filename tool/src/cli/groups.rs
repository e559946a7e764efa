//! Groups of options that several commands have.

use std::path::PathBuf;

use clap::Args;
use posenc_files::format::Format;
use posenc_identify::Dtype;
use posenc_text::dtype::read_dtype;
use posenc_text::names::AnyPreset;
use posenc_text::values::d_model;

use super::parsers::{PresetParser, Size, format};
use crate::files::config::ConfigFile;
use crate::keys::parameters::{OfAny, Options};
use crate::keys::values::{List, NumberList, bytes, positions, shape};

/// The rows and columns of a table.
#[derive(Args)]
pub(crate) struct ShapeArgs {
    /// Number of rows, 0 or more
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true, value_parser = Size)]
    pub(crate) seq_len: Option<usize>,
    /// Positions of the rows, such as the timesteps of a sampler: 998.39,500,0.5, or @FILE with such a list
    #[arg(long, value_name = "P,..", allow_hyphen_values = true, value_parser = positions,
        conflicts_with_all = ["seq_len", "start", "step", "zero_row"])]
    pub(crate) positions: Option<NumberList>,
    /// Number of columns, 1 to 2^24
    #[arg(long, short, value_name = "D", allow_negative_numbers = true, value_parser = d_model)]
    pub(crate) d_model: Option<usize>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The config of a model.
#[derive(Args)]
pub(crate) struct ConfigArgs {
    /// The config.json of a model of Hugging Face or diffusers; other options override it
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Ignore this key of the config, which is not understood and may change the table; can be repeated
    #[arg(long, value_name = "KEY", requires = "config")]
    ignore_key: Vec<String>,
}

impl ConfigArgs {
    /// Returns the file, if there is one.
    pub(crate) fn file(&self) -> Option<ConfigFile<'_>> {
        self.config.as_deref().map(|path| ConfigFile { path, ignored: &self.ignore_key })
    }
}

/// The file of a table.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Element type: f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale: 'i8(1/127, -1)'
    #[arg(long, short = 't', value_name = "TYPE", default_value = "f32", value_parser = read_dtype)]
    pub(crate) dtype: Dtype,
    /// File to write the table to; `-` is stdout and requires --format
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// File format [default: from the file extension]
    #[arg(long, short, value_parser = format())]
    pub(crate) format: Option<Format>,
    /// Name of the tensor in a .safetensors file [default: pe], or of the array in source code [default: from the
    /// file name, in upper case]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Largest size of the entries in bytes, optionally with a unit: 4GiB. Text takes more
    #[arg(long, value_name = "N", default_value = "1GiB", allow_hyphen_values = true, value_parser = bytes)]
    pub(crate) max_bytes: usize,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// How a command answers.
#[derive(Args)]
pub(crate) struct AnswerArgs {
    /// Print the answer as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

/// A file that contains a table.
#[derive(Args)]
pub(crate) struct FileArgs {
    /// A .npy, .npz or .safetensors file with a table of f32, f64, f16, bf16 or integers, or `-` for stdin; axes of
    /// length 1 beside the rows and columns are ignored
    pub(crate) file: PathBuf,
    /// Name of the tensor in a .safetensors file [default: the only one that can be a table], or of the array in a
    /// .npz file [default: the only one]
    #[arg(long, value_name = "TENSOR")]
    pub(crate) name: Option<String>,
}

/// A 1-D table, a rotary cache or table, or a grid, apart from the numbers of rows and columns.
#[derive(Args)]
pub(crate) struct AnyTableArgs {
    /// Preset of a 1-D table, a rotary cache or a grid; `posenc presets` lists the names [default: paper]
    #[arg(long, short, value_name = "NAME", value_parser = PresetParser::ANY, hide_possible_values = true)]
    pub(crate) preset: Option<AnyPreset>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Which layers of the config, if their caches differ, such as `full_attention`
    #[arg(long, value_name = "LAYERS", requires = "config")]
    pub(crate) layers: Option<String>,
    /// Number of points along each axis, of a grid or a rotary table: 14x14
    #[arg(long, short, value_name = "SHAPE", value_parser = shape)]
    pub(crate) shape: Option<List<usize>>,
    // Last, because the heading applies to all options that follow.
    #[command(flatten, next_help_heading = "Parameters (the preset sets the defaults)")]
    pub(crate) parameters: Options<OfAny>,
}

impl AnyTableArgs {
    /// Returns the names of the options, for conflicts with others.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        Options::<OfAny>::ids().chain(["preset", "config", "ignore_key", "layers", "shape"])
    }
}
