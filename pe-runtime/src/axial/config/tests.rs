//! What the configs of models say.

use alloc::format;
use std::string::ToString;

use super::*;

fn read(json: &str) -> AxialConfig {
    serde_json::from_str(json).unwrap()
}

#[test]
fn towers_are_known_by_their_types() {
    let call = |json: &str, shape: [usize; 2]| read(json).rope(shape).map(|rope| rope.to_string());
    let is = |json: &str, expected: &str| assert_eq!(call(json, [4, 6]).unwrap(), expected, "{json}");
    is(
        r#"{"vision_config": {"model_type": "qwen3_vl_vision", "hidden_size": 1152, "num_heads": 16, "spatial_merge_size": 2}}"#,
        "rotary_table!((4, 6), 72, merge = 2)",
    );
    is(
        r#"{"model_type": "paddleocr_vl_vision", "hidden_size": 1152, "num_attention_heads": 16, "spatial_merge_size": 2}"#,
        "rotary_table!((4, 6), 72)",
    );
    is(
        r#"{"vision_config": {"model_type": "gemma4_vision", "head_dim": 64, "rope_parameters": {"rope_type": "axial", "rope_theta": 50.0}}}"#,
        "rotary_table!((4, 6), 64, first = (w, h), base = 50.0)",
    );
    is(
        r#"{"model_type": "qwen2_5_omni", "thinker_config": {"vision_config": {"model_type": "qwen2_5_omni_vision_encoder",
            "hidden_size": 1280, "num_heads": 16, "spatial_merge_size": 2}}}"#,
        "rotary_table!((4, 6), 80, merge = 2)",
    );
    is(
        r#"{"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 10000.0}"#,
        "rotary_table!((4, 6), 64, freq_offset = (0, 1/2))",
    );
    is(
        r#"{"vision_config": {"hidden_size": 1408, "num_attention_heads": 16}, "model_type": "llama4"}"#,
        "rotary_table!((4, 6), 88, first = (w, h), identity_rows_after = 1, start = 1)",
    );
}

#[test]
fn models_of_diffusers_are_known_by_their_classes() {
    let is = |json: &str, expected: &str| {
        assert_eq!(read(json).rope([2, 4, 6]).unwrap().to_string(), expected, "{json}");
    };
    is(
        r#"{"_class_name": "HunyuanVideoTransformer3DModel", "rope_axes_dim": [16, 56, 56], "rope_theta": 256.0}"#,
        "rotary_table!((2, 4, 6), 128, widths = (16, 56, 56), base = 256.0)",
    );
    is(
        r#"{"_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64, "patch_size_t": 2,
            "use_rotary_positional_embeddings": true}"#,
        "rotary_table!((2, 4, 6), 64, widths = (16, 24, 24))",
    );
    is(
        r#"{"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "rope_scale": [1.0, 3.0, 3.0]}"#,
        "rotary_table!((2, 4, 6), 128, widths = (44, 42, 42), scaling = (none, ntk(alpha = 3.0), ntk(alpha = 3.0)))",
    );
    is(
        r#"{"_class_name": "WanTransformer3DModel", "attention_head_dim": 128}"#,
        "rotary_table!((2, 4, 6), 128, widths = (44, 42, 42))",
    );
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let refused = |json: &str| read(json).rope([2, 4, 6]).unwrap_err().to_string();
    let is = |json: &str, expected: &str| assert_eq!(refused(json), expected);
    is("{}", "the config has neither a `model_type` nor a `_class_name`");
    // The text model has no axes.
    is(
        r#"{"model_type": "llama4"}"#,
        "the config is for `llama4`, whose table of several axes is not known; set a preset, or the parameters",
    );
    is(
        r#"{"_class_name": "LTXVideoTransformer3DModel"}"#,
        "the config is for `LTXVideoTransformer3DModel`, which has no such table: its frequencies grow with their index",
    );
    is(
        r#"{"vision_config": {"model_type": "mlcd_vision_model"}}"#,
        "the config is for `mlcd_vision_model`, which has no such table: one of its rows has learned angles",
    );
    is(
        r#"{"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": false}"#,
        "the config is for a `CogVideoXTransformer3DModel` without a rotary embedding; its table is a `Grid`",
    );
    is(
        r#"{"vision_config": {"model_type": "qwen2_vl"}}"#,
        "the config has no `head_dim`; set it with `with_head_dim` or --head-dim",
    );
    is(
        r#"{"vision_config": {"model_type": "qwen2_vl", "embed_dim": 10, "num_heads": 0}}"#,
        "the config has 0 heads; set `num_attention_heads` to at least 1, or `head_dim`",
    );
    is(
        r#"{"_class_name": "PRXTransformer2DModel", "axes_dim": [32, 32]}"#,
        "`axes_dim` of the config has 2 axes, but the length of the shape is 3",
    );
    is(
        r#"{"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "rope_scale": [2.0, 1.0]}"#,
        "`rope_scale` of the config has 2 axes, but the length of the shape is 3",
    );
    is(
        r#"{"_class_name": "Flux2Transformer2DModel", "axes_dims_rope": 32}"#,
        "the config has `axes_dims_rope` 32, which is not a list",
    );
}

#[test]
fn keys_that_are_not_understood_are_refused() {
    let refused = |json: &str, shape| read(json).rope::<3>(shape).unwrap_err().to_string();
    let qwen = r#"{"_class_name": "QwenImageTransformer2DModel", "use_layer3d_rope": true}"#;
    let error = refused(qwen, [1, 2, 2]);
    assert!(error.starts_with("the config has `use_layer3d_rope` true, which may change the table"), "{error}");
    assert!(read(&qwen.replace("true", "false")).with_head_dim(128).rope([1, 2, 2]).is_ok());
    // Other classes read these keys.
    for key in [r#""rope_scale": [2, 1, 1]"#, r#""axes_dim_rope": [64, 32, 32]"#, r#""rope_theta": 2, "theta": 3"#] {
        let flux = format!(r#"{{"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], {key}}}"#);
        assert!(refused(&flux, [1, 2, 2]).contains("which may change the table and is not understood"), "{key}");
    }
    let tower = r#"{"vision_config": {"model_type": "qwen2_vl", "head_dim": 80, "rope_parameters": {"new": 1}}, "rope_pct": 1}"#;
    let error = read(tower).rope([2, 2]).unwrap_err().to_string();
    assert!(error.starts_with("the config has `rope_parameters.new` 1, which"), "{error}");
    assert!(read(tower).ignore_key("rope_parameters.new").rope([2, 2]).is_ok());
}

/// Source: `get_resize_crop_region_for_grid` of diffusers 0.42.1, evaluated for these shapes.
#[test]
fn cropped_shapes_are_refused() {
    let json = r#"{"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": true, "attention_head_dim": 64}"#;
    for (height, width, is_cropped) in [
        (30, 45, false),
        (60, 90, false),
        (4, 6, false),
        (90, 136, false),
        (91, 136, false),
        (4, 10, true),
        (24, 40, true),
        (45, 30, true),
        (48, 85, true),
        (60, 92, true),
    ] {
        let refused = read(json).rope([2, height, width]).err().map(|error| error.to_string());
        assert_eq!(refused.is_some(), is_cropped, "{height} x {width}: {refused:?}");
    }
    let sentence = "the model crops 4 x 10 patches, as their proportions are not 30:45; use the preset `cogvideox_5b` with \
                    `unit` 1 and with `positions` as `get_resize_crop_region_for_grid` of diffusers computes them";
    assert_eq!(read(json).rope([2, 4, 10]).unwrap_err().to_string(), sentence);
    // Version 1.5 counts the points.
    assert!(read(&json.replace('{', r#"{"patch_size_t": 2, "#)).rope([2, 4, 10]).is_ok());
    let trained = json.replace('{', r#"{"sample_width": 170, "sample_height": 96, "#);
    let error = read(&trained).rope([2, 30, 45]).unwrap_err().to_string();
    assert!(error.starts_with("the config has 48 x 85 patches (`sample_height` and `sample_width`"), "{error}");
}

/// The towers of the Qwen family merge two patches along each axis by default.
#[test]
fn defaults_of_towers_are_those_of_their_classes() {
    let json = r#"{"vision_config": {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16}}"#;
    assert_eq!(read(json).rope([4, 4]).unwrap().to_string(), "rotary_table!((4, 4), 80, merge = 2)");
    // The width of the language model is not that of the tower.
    let json = r#"{"vision_config": {"model_type": "qwen2_vl", "hidden_size": 1536, "num_heads": 16}}"#;
    assert!(read(json).rope([4, 4]).unwrap_err().to_string().starts_with("the config has no `head_dim`"));
}
