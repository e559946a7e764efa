//! The options of `posenc grid`.

use clap::Args;
use posenc::GridPreset;
use posenc_text::values::d_model;

use super::groups::{ConfigArgs, OutputArgs};
use super::parsers::one_of;
use crate::keys::parameters::{OfGrid, Options};
use crate::keys::values::{List, shape};

/// Write the table of a grid, such as the patches of an image or a video, to a file.
///
/// The rows are all points, the last axis fastest. An option that differs between axes takes one value per axis,
/// separated by commas, in the order of the shape; a single value applies to all axes. The file is written as by
/// `posenc table`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  posenc grid --preset mae --shape 14x14 --d-model 768 --zero-rows 1 -o pe.npy
  posenc grid --preset pixart --shape 76x52 --d-model 1152 --extent 64/2 -o pe.safetensors
  posenc grid --config PixArt-XL-2-1024-MS/transformer/config.json -o pe.npy
  posenc grid --shape 13x30x45 --d-model 1920 --widths 480,720,720 --unit 1,8/15,8/15 -o pe.npy")]
pub(crate) struct GridArgs {
    /// Number of points along each axis: 14x14 (height and width), 13x30x45 (time first)
    #[arg(long, short, value_name = "SHAPE", value_parser = shape, required_unless_present = "config")]
    pub(crate) shape: Option<List<usize>>,
    /// Number of columns
    #[arg(long, short, value_name = "D", allow_negative_numbers = true, value_parser = d_model, required_unless_present = "config")]
    pub(crate) d_model: Option<usize>,
    /// Grid of a known model
    #[arg(long, short, value_name = "NAME", value_parser = one_of::<GridPreset>(), hide_possible_values = true, conflicts_with = "config")]
    pub(crate) preset: Option<GridPreset>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) file: OutputArgs,
    // Last, because the heading applies to all options that follow.
    #[command(flatten, next_help_heading = "Parameters (the preset sets the defaults)")]
    pub(crate) parameters: Options<OfGrid>,
}
