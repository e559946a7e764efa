//! `posenc grid --config`: the grids of models by their config.json.

use crate::common::Folder;

/// The configs of models with a grid, and their tables.
#[test]
fn grids_of_models() {
    let folder = Folder::new();
    let heads = r#""num_attention_heads": 2, "attention_head_dim": 16, "patch_size": 2"#;
    for (config, options) in [
        (
            r#"{"model_type": "vit_mae", "hidden_size": 16, "image_size": 224, "patch_size": 16}"#.to_owned(),
            "-p mae -s 14x14 -d 16 --zero-rows 1",
        ),
        (
            r#"{"model_type": "vit_mae", "hidden_size": 16, "image_size": [32, 64], "patch_size": [16, 16]}"#
                .to_owned(),
            "-p mae -s 2x4 -d 16 --zero-rows 1",
        ),
        (format!(r#"{{"_class_name": "DiTTransformer2DModel", "sample_size": 32, {heads}}}"#), "-p mae -s 16x16 -d 32"),
        (
            format!(
                r#"{{"_class_name": "PixArtTransformer2DModel", "sample_size": 128, "interpolation_scale": 2, {heads}}}"#
            ),
            "-p pixart --extent 64/2 -s 64x64 -d 32",
        ),
        // The scale of the class.
        (
            format!(
                r#"{{"_class_name": "PixArtTransformer2DModel", "sample_size": 128, "interpolation_scale": null, {heads}}}"#
            ),
            "-p pixart --extent 64/2 -s 64x64 -d 32",
        ),
        (
            format!(
                r#"{{"_class_name": "SanaTransformer2DModel", "sample_size": 32, "interpolation_scale": 0.75, {heads}}}"#
            ),
            "-p pixart --extent 64/3 -s 16x16 -d 32",
        ),
        (
            format!(r#"{{"_class_name": "LatteTransformer3DModel", "sample_size": 32, {heads}}}"#),
            "-p mae -s 16x16 -d 32",
        ),
        (
            format!(
                r#"{{"_class_name": "SD3Transformer2DModel", "sample_size": 128, "pos_embed_max_size": 192, {heads}}}"#
            ),
            "-p sd3 -s 64x64 -d 32",
        ),
        (
            format!(
                r#"{{"_class_name": "CogVideoXTransformer3DModel", "sample_frames": 9, "temporal_compression_ratio": 4,
                "sample_height": 60, "sample_width": 90, "max_text_seq_length": 226, "spatial_interpolation_scale": 1.875,
                "temporal_interpolation_scale": 1.0, "use_rotary_positional_embeddings": false, {heads}}}"#
            ),
            "-p cogvideox -s 3x30x45 -d 32",
        ),
    ] {
        folder.write("config.json", config);
        folder.check_same("grid -c config.json", &format!("grid {options}"));
    }
    // Other sizes, and other parameters, are those of the command line.
    let pixart = format!(
        r#"{{"_class_name": "PixArtTransformer2DModel", "sample_size": 128, "interpolation_scale": 2, {heads}}}"#
    );
    folder.write("config.json", pixart);
    folder.check_same("grid -c config.json -s 38x26 -d 8", "grid -p pixart --extent 64/2 -s 38x26 -d 8");
    folder.check_same("grid -c config.json --extent 16", "grid -p pixart --extent 16 -s 64x64 -d 32");
    let sd3 = format!(
        r#"{{"_class_name": "SD3Transformer2DModel", "sample_size": 128, "pos_embed_max_size": 192, {heads}}}"#
    );
    folder.write("config.json", sd3);
    folder.check_same("grid -c config.json -s 38x27", "grid -p sd3 -s 38x27 -d 32");
    folder
        .posenc("grid -c config.json -s 193x2 -o x.bin")
        .refused("has 192 for `pos_embed_max_size`, but an axis has 193 points");
}

#[test]
fn grid_configs_that_do_not_do() {
    let folder = Folder::new();
    let heads = r#""num_attention_heads": 2, "attention_head_dim": 16"#;
    for (config, words) in [
        ("{}".to_owned(), "has neither a `model_type` nor a `_class_name`"),
        (r#"{"model_type": "llama"}"#.to_owned(), "is for `llama`, which is not among the known models with a grid"),
        (r#"{"model_type": "vit_mae", "image_size": 224, "patch_size": 0}"#.to_owned(), "has 0 for `patch_size`"),
        (
            r#"{"model_type": "vit_mae", "image_size": 224, "patch_size": 16}"#.to_owned(),
            "no `hidden_size`; set --d-model",
        ),
        (
            format!(r#"{{"_class_name": "DiTTransformer2DModel", "patch_size": 2, {heads}}}"#),
            "has no `sample_size`; set --shape",
        ),
        (
            r#"{"_class_name": "DiTTransformer2DModel", "sample_size": 32, "patch_size": 2}"#.to_owned(),
            "has no `num_attention_heads`; set --d-model",
        ),
        (
            format!(r#"{{"_class_name": "SanaTransformer2DModel", "sample_size": 32, "patch_size": 2, {heads}}}"#),
            "has no `interpolation_scale`, so the model has no table",
        ),
        (
            format!(
                r#"{{"_class_name": "PixArtTransformer2DModel", "sample_size": 32, "patch_size": 2, "interpolation_scale": 0.1, {heads}}}"#
            ),
            "has 0.1 for `interpolation_scale`",
        ),
        (
            r#"{"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": true}"#.to_owned(),
            "sets `use_rotary_positional_embeddings`, so the model has no sinusoidal table; use posenc rope --config and --shape",
        ),
        (
            r#"{"_class_name": "CogVideoXTransformer3DModel"}"#.to_owned(),
            "must have 1.875 for `spatial_interpolation_scale`",
        ),
    ] {
        folder.write("config.json", config);
        folder.posenc("grid --config config.json -o pe.bin").refused(words);
    }
    folder.posenc("grid -c config.json -p mae -o pe.bin").refused("cannot be used with");
    folder.posenc("grid -s 2x2 -o pe.bin").refused("--d-model");
}
