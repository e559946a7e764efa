//! The models without a rotary table of several axes, or whose table is not known.

use alloc::format;
use alloc::string::String;

/// Models without such a table, by type or class, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("mlcd_vision_model", "one of its rows has learned angles"),
    ("sam3_vision_model", "it has two, `sam2_memory` for windows and `sam3_global` for the other layers"),
    ("sam3_vit_model", "it has two, `sam2_memory` for windows and `sam3_global` for the other layers"),
    ("hunyuan_vl", "the axes of the two columns of a pair differ"),
    ("musicflamingo", "its positions are times"),
    ("MochiTransformer3DModel", "its frequencies are learned"),
    ("LTXVideoTransformer3DModel", "its frequencies grow with their index"),
    ("LTX2VideoTransformer3DModel", "its frequencies grow with their index"),
    ("LuminaNextDiT2DModel", "its frequencies depend on the time step"),
    ("CogView4Transformer2DModel", "its positions are rounded down, so they are a list; set `positions`"),
    ("ChronoEditTransformer3DModel", "its frames are not consecutive; set `positions` beside the preset `wan`"),
    ("HeliosTransformer3DModel", "its frames are not consecutive; set `positions` beside the preset `wan`"),
    (
        "HunyuanVideoFramepackTransformer3DModel",
        "its frames are not consecutive; set `positions` beside the preset `hunyuan_video`",
    ),
];

/// Returns the error sentence for a model without such a table.
pub(super) fn refused(name: &str) -> Option<String> {
    let (_, reason) = REFUSED.iter().find(|(refused, _)| *refused == name)?;
    Some(format!("the config is for `{name}`, which has no such table: {reason}"))
}

/// Returns the error sentence for a model that is not known.
pub(super) fn unknown(name: &str) -> String {
    refused(name).unwrap_or_else(|| {
        format!("the config is for `{name}`, whose table of several axes is not known; set a preset, or the parameters")
    })
}
