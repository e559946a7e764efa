//! The options of `posenc plot`.

use std::path::PathBuf;

use clap::Args;

use super::groups::{AnswerArgs, ShapeArgs};
use crate::keys::parameters::Parameters;
use crate::keys::values::picture_size;

/// Draw a table as a heat map, in the terminal or in a .png or .svg file.
///
/// The table is that of a file, or that of the parameters. If it has more rows or columns than there is room for, each
/// pixel is the mean of a block of entries, and waves that are much shorter than a block average out to about zero. A
/// file has room for 8192 rows and 8192 columns.
///
/// Of parameters with more than 2^30 entries, only up to 64 rows per pixel are computed, at random places of its block. Short
/// waves are then noise of about a tenth around zero. A picture that needs more than 2^30 of them all the same is refused.
///
/// Rows go down, and columns to the right. In place of a colour there is a character if stdout is no terminal, if
/// `NO_COLOR` is set, or if neither `TERM` nor `COLORTERM` promises 256 colours or more. `COLUMNS` and `LINES` override
/// the size of the terminal.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc plot pe.npy
  posenc plot --preset whisper --seq-len 1500 --d-model 384
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
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// File for the picture, with the extension .png or .svg [default: draw in the terminal]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Largest width and height of the heat map, in pixels of a file or characters of the terminal [default: 8192x8192, or
    /// what the terminal has room for]
    #[arg(long, value_name = "WxH", value_parser = picture_size)]
    pub(crate) size: Option<[usize; 2]>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    // Last, because its heading applies to all options that follow.
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// Returns the options for the table of a spec, which a file excludes.
fn of_a_spec() -> impl Iterator<Item = &'static str> {
    Parameters::ids().chain(["seq_len", "positions", "d_model", "config"])
}
