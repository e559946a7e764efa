//! The command line: its options and their help.

mod grid;
mod groups;
mod parameters;
mod parsers;
mod plot;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use posenc::Preset;
use posenc_identify::{Dtype, FloatType};

use parsers::{PresetParser, Size, one_of};
use posenc_text::dtype::{read_dtype, read_float};
use posenc_text::names::AnyPreset;
use posenc_text::read_call::Call;
use posenc_text::values::d_model;

use crate::keys::parameters::{EitherRotary, Options, Sinusoidal};
use crate::keys::values::{List, NumberList, positions, shape, tolerance};

pub(crate) use grid::GridArgs;
pub(crate) use groups::{AnswerArgs, AnyTableArgs, ConfigArgs, FileArgs, OutputArgs, ShapeArgs};
pub(crate) use plot::PlotArgs;

/// Sinusoidal, rotary and grid positional-encoding tables, correctly rounded.
#[derive(Parser)]
#[command(name = "posenc", version, propagate_version = true, max_term_width = 110)]
#[command(after_help = "\
Exit status: 0 on success; 1 if the tables differ or nothing fits; 2 on wrong usage or failure, with a message on stderr;
3 if the answer of `posenc identify` or `posenc presets` is only a guess.

Examples:
  posenc identify model.safetensors --name model.encoder.embed_positions.weight
  posenc table --preset whisper --seq-len 1500 --d-model 384 -o pe.npy
  posenc rope --preset llama3_1 --seq-len 4096 -o rope.npy
  posenc grid --preset mae --shape 14x14 --d-model 768 -o grid.npy
  posenc compare pe.npy --preset whisper
  posenc plot pe.npy -o pe.png
  posenc explain --position 4095 --column 17 --d-model 512
  posenc presets whisper")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Table(TableArgs),
    Rope(RopeArgs),
    Grid(GridArgs),
    Compare(CompareArgs),
    Identify(IdentifyArgs),
    Plot(PlotArgs),
    Explain(ExplainArgs),
    Presets(PresetsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Write a table to a .npy, .safetensors, raw .bin or .csv file, or as source code in C or Rust.
///
/// The table is written to a temporary file, which replaces an existing file once it is complete. A failed or
/// interrupted run leaves the existing file unchanged.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc table --seq-len 4096 --d-model 512 -o pe.npy
  posenc table 'rotary_table!(4096, 128, base = 500000.0, packing = cos)' -o cos.npy
  posenc table --preset whisper --seq-len 1500 --d-model 384 --dtype f16 -o pe.safetensors
  posenc table --config whisper-tiny/config.json -o pe.npy
  posenc table --preset fairseq --zero-row 1 --seq-len 1026 --d-model 1024 -o pe.safetensors --name weights
  posenc table --seq-len 128 --d-model 64 -o pe.h --name PE_SMALL
  posenc table --preset adm --d-model 320 --positions @timesteps.txt -o timesteps.npy
  posenc table --seq-len 8 --d-model 4 --format bin -o - | od -t f4 -w16")]
pub(crate) struct TableArgs {
    /// The macro call of a table of any kind, as `posenc identify` prints it, instead of options
    #[arg(value_parser = str::parse::<Call>, conflicts_with_all = of_a_table())]
    pub(crate) call: Option<Call>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Parameters of a known model; `posenc presets` lists the names [default: paper]
    #[arg(long, short, value_name = "NAME", value_parser = one_of::<Preset>(), hide_possible_values = true)]
    pub(crate) preset: Option<Preset>,
    #[command(flatten)]
    pub(crate) file: OutputArgs,
    // Last, because the heading applies to all options that follow.
    #[command(flatten, next_help_heading = "Parameters (the preset sets the defaults)")]
    pub(crate) parameters: Options<Sinusoidal>,
}

/// Returns the options that describe a 1-D table, and its element type.
fn of_a_table() -> impl Iterator<Item = &'static str> {
    let own = ["preset", "seq_len", "positions", "d_model", "config", "ignore_key", "dtype"];
    Options::<Sinusoidal>::ids().chain(own)
}

/// Write the cache of a rotary embedding to a file.
///
/// A cache is one table with cosines and sines, or with only one of them: --packing. With --shape, its positions have
/// several axes: the rows are all points, the last axis fastest, and an option that differs between axes takes one
/// value per axis, separated by commas, in the order of the shape. The file is written as by `posenc table`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc rope --preset llama3_1 --seq-len 4096 -o rope.npy
  posenc rope --config Llama-3.2-1B/config.json --packing cos --repeat halves -o cos.safetensors
  posenc rope --head-dim 64 --base 150000 --scaling 'yarn(32, 4096, truncate = false)' --seq-len 4096 -o rope.npy
  posenc rope --preset qwen2_vl_vision --shape 24x36 --head-dim 80 --merge 2 --packing cos -o cos.npy
  posenc rope --preset wan --shape 13x30x52 --head-dim 128 --repeat pairs -o rope.npy
  posenc rope --preset llama3_1 --inv-freq -o model.safetensors --name rotary_emb.inv_freq")]
pub(crate) struct RopeArgs {
    /// Number of rows [default: the most positions of the model]
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true, value_parser = Size)]
    pub(crate) seq_len: Option<usize>,
    /// Number of points along each axis: 24x36 (height and width), 13x30x52 (time first)
    #[arg(long, short, value_name = "SHAPE", value_parser = shape, conflicts_with_all = ["seq_len", "vector"])]
    pub(crate) shape: Option<List<usize>>,
    /// Number of columns of a head [default: from the model]
    #[arg(long, short = 'd', value_name = "D", allow_negative_numbers = true, value_parser = Size)]
    pub(crate) head_dim: Option<usize>,
    /// Cache of a known model
    #[arg(long, short, value_name = "NAME", value_parser = PresetParser::ROTARY, hide_possible_values = true, conflicts_with = "config")]
    pub(crate) preset: Option<AnyPreset>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Which layers of the config, if they differ, such as `full_attention`
    #[arg(long, value_name = "LAYERS", requires = "config")]
    pub(crate) layers: Option<String>,
    /// Write the frequencies after the scaling rule, one per pair, instead of a cache
    #[arg(long, group = "vector")]
    pub(crate) inv_freq: bool,
    /// Write the reciprocals of the frequencies, as MLX takes them
    #[arg(long, group = "vector")]
    pub(crate) periods: bool,
    /// Write the factors by which the scaling rule divides the frequencies, the `rope_freqs` of GGUF files
    #[arg(long, group = "vector")]
    pub(crate) factors: bool,
    #[command(flatten)]
    pub(crate) file: OutputArgs,
    // Last, because the heading applies to all options that follow.
    #[command(flatten, next_help_heading = "Parameters (the preset sets the defaults)")]
    pub(crate) parameters: Options<EitherRotary>,
}

/// Compare a table in a file with the exact one.
///
/// The sizes and the element type come from the file, the parameters from the options. The preset or the config
/// determines whether the table is a 1-D table, a rotary cache or a grid. If there is neither, the table is a grid if
/// --shape is set, and a rotary cache if an option that only `posenc rope` has is set. The exit status is 0 if the
/// tables are bitwise identical, within the given tolerance, or as a given arithmetic makes them, and 1 if they differ.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc compare pe.npy --preset whisper
  posenc compare pe.npy --preset whisper --computed-in f32
  posenc compare model.safetensors --name encoder.embed_positions.weight --preset whisper --max-error 2e-4
  posenc compare cos.npy --config Llama-3.2-1B/config.json --packing cos --repeat halves
  posenc compare grid.npy --preset mae --shape 14x14 --zero-rows 1")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Exit with 0 if every entry is within N units in the last place; with --max-error, one of the two suffices
    #[arg(long, value_name = "N")]
    pub(crate) max_ulps: Option<u64>,
    /// Exit with 0 if the absolute error of every entry is at most X; with --max-ulps, one of the two suffices
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = tolerance)]
    pub(crate) max_error: Option<f64>,
    /// Type of the integers in the file: q7, q15, q31, or i8, i16 or u8 with a scale: 'i8(1/127, -1)'
    #[arg(long, value_name = "TYPE", value_parser = read_dtype)]
    pub(crate) dtype: Option<Dtype>,
    /// Exit with 0 if the arithmetic of a framework in this type explains the errors of all entries
    #[arg(long, value_name = "TYPE", value_enum)]
    pub(crate) computed_in: Option<Arithmetic>,
    /// Print a histogram of the distances in units in the last place
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) histogram: bool,
    /// Draw where the tables differ: each pixel is the largest absolute difference in a block, on a logarithmic scale
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) plot: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    // Last, because its heading applies to all options that follow.
    #[command(flatten)]
    pub(crate) table: AnyTableArgs,
}

/// The arithmetic of a framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arithmetic {
    /// Angles, sines and cosines in f32, then rounded to the type of the entries
    F32,
    /// The same in f64
    F64,
}

/// Find out which preset and parameters made a table, or which tensors of a checkpoint are tables.
///
/// The table may be a rotary cache or a grid. A framework may have computed it in f32, and it may be stored in 16 bits.
/// If there are several tensors, the command prints a line for each table. The exit status is 1 if nothing fits, and 3
/// if several tables fit and none is clearly the most common, if digits of a parameter are not determined, or if the table
/// is so small that other parameters fit too. A list of frequencies that makes the table has the status 0.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc identify pe.npy
  posenc identify noisy.npy --tolerance 1e-3
  posenc identify model.safetensors
  posenc identify model.safetensors.index.json
  posenc identify models/
  posenc identify model.safetensors --name encoder.embed_positions.weight")]
pub(crate) struct IdentifyArgs {
    /// A .npy, .npz or .safetensors file, or `-` for stdin; the index of a sharded checkpoint; or a folder to search
    /// for such files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Name of the tensor or array to describe in detail [default: the only one, or all in a line each]
    #[arg(long, value_name = "TENSOR")]
    pub(crate) name: Option<String>,
    /// Accept additional errors of up to X in the entries, for noisy tables
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
    /// Shape of the grid, if the table may be one [default: guessed from the number of rows, for images]
    #[arg(long, value_name = "SHAPE", value_parser = shape)]
    pub(crate) shape: Option<List<usize>>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// Show how one entry is computed, stage by stage.
///
/// The table is a 1-D table, a rotary cache or a grid, as for `posenc compare`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc explain --position 4095 --column 17 --d-model 512
  posenc explain --position 998.39 --column 0 --d-model 320 --preset adm --dtype bf16
  posenc explain --position 4095 --column 40 --preset llama3_1
  posenc explain --position 3,5 --column 500 --preset mae --shape 14x14 --d-model 768")]
pub(crate) struct ExplainArgs {
    /// Position: an integer, or a decimal fraction such as a sampler's timestep; for a grid, one for each axis: 3,5
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = positions)]
    pub(crate) position: NumberList,
    /// Column, counted from 0
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = Size)]
    pub(crate) column: usize,
    /// Number of columns, 1 to 2^24
    #[arg(long, short, value_name = "D", allow_negative_numbers = true, value_parser = d_model)]
    pub(crate) d_model: Option<usize>,
    /// Element type: f32, f64, f16 or bf16
    #[arg(long, short = 't', value_name = "TYPE", default_value = "f32", value_parser = read_float)]
    pub(crate) dtype: FloatType,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    // Last, because its heading applies to all options that follow.
    #[command(flatten)]
    pub(crate) table: AnyTableArgs,
}

/// List the presets, or describe one.
///
/// The exit status is 3 if a preset is named that does not cover every word of the name of a checkpoint: another version
/// may have another table.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc presets
  posenc presets whisper
  posenc presets openai/whisper-tiny
  posenc presets flux")]
pub(crate) struct PresetsArgs {
    /// Name of a preset, model or library
    pub(crate) name: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print the completions of a shell.
///
/// Write them to the file from which the shell reads completions, or let the shell evaluate them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc completions bash > ~/.local/share/bash-completion/completions/posenc
  posenc completions zsh > ~/.zfunc/_posenc
  posenc completions fish > ~/.config/fish/completions/posenc.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Write the man pages, one for each command, to a folder.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc man /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// An existing folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
