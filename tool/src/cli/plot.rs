//! The options of `posenc plot`.

use std::path::PathBuf;

use clap::Args;
use posenc_text::values::d_model;

use super::groups::{AnswerArgs, AnyTableArgs};
use super::parsers::Size;
use crate::keys::values::{NumberList, picture_size, positions};

/// Draw a table as a heat map, in the terminal or in a .png or .svg file.
///
/// The table is read from a file or given by parameters: a 1-D table, a rotary cache or a grid, as for
/// `posenc compare`. If it has more rows or columns than the picture, each pixel is the mean of a block of entries, and
/// waves that are much shorter than a block average out to about zero. A picture in a file has at most 8192 rows and
/// 8192 columns.
///
/// For parameters with more than 2^30 entries, only up to 64 rows per pixel are computed, at random places of its
/// block. Short waves then appear as noise of about a tenth around zero. A picture that needs more than 2^30 entries
/// even so is an error.
///
/// Rows go down, and columns to the right. Characters take the place of colours if stdout is not a terminal, if
/// `NO_COLOR` is set, or if neither `TERM` nor `COLORTERM` promises 256 colours or more. `COLUMNS` and `LINES` override
/// the size of the terminal.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc plot pe.npy
  posenc plot --preset whisper --seq-len 1500 --d-model 384
  posenc plot --preset llama3_1 --seq-len 512
  posenc plot --preset mae --shape 14x14 --d-model 768
  posenc plot model.safetensors --name encoder.embed_positions.weight -o pe.svg")]
pub(crate) struct PlotArgs {
    /// A .npy, .npz or .safetensors file with a table of f32, f64, f16 or bf16, or `-` for stdin [default: the table of
    /// the parameters]
    #[arg(conflicts_with_all = of_a_spec())]
    pub(crate) file: Option<PathBuf>,
    /// Name of the tensor in a .safetensors file [default: the only one that can be a table], or of the array in a
    /// .npz file [default: the only one]
    #[arg(long, value_name = "TENSOR", conflicts_with_all = of_a_spec())]
    pub(crate) name: Option<String>,
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
    /// File for the picture, with the extension .png or .svg [default: draw in the terminal]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Largest width and height of the heat map, in pixels of a file or characters of the terminal [default: 8192x8192,
    /// or the size of the terminal]
    #[arg(long, value_name = "WxH", value_parser = picture_size)]
    pub(crate) size: Option<[usize; 2]>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    // Last, because its heading applies to all options that follow.
    #[command(flatten)]
    pub(crate) table: AnyTableArgs,
}

/// Returns the options for the table of a spec, which a file excludes.
fn of_a_spec() -> impl Iterator<Item = &'static str> {
    AnyTableArgs::ids().chain(["seq_len", "positions", "d_model"])
}
