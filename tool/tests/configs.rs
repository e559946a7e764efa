//! `--config`: the tables of models by their config.json.

use crate::common::Folder;

/// Configs of models, and the ends of the macro calls for their tables.
const MODELS: &[(&str, &str)] = &[
    (
        r#"{"model_type": "whisper", "d_model": 384, "max_source_positions": 1500, "max_target_positions": 448}"#,
        "1500, 384, freq_shift = 1.0, layout = halves, odd = reject",
    ),
    (r#"{"model_type": "marian", "d_model": 512, "max_position_embeddings": 512}"#, "512, 512, layout = halves"),
    (r#"{"model_type": "pegasus", "d_model": 64, "max_position_embeddings": 32}"#, "32, 64, layout = halves"),
    (
        r#"{"model_type": "distilbert", "dim": 768, "max_position_embeddings": 512, "sinusoidal_pos_embds": true}"#,
        "512, 768",
    ),
    (r#"{"model_type": "xlm", "emb_dim": 64, "max_position_embeddings": 51, "sinusoidal_embeddings": true}"#, "51, 64"),
    (
        r#"{"model_type": "m2m_100", "d_model": 64, "max_position_embeddings": 1024, "pad_token_id": 1}"#,
        "1026, 64, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 1",
    ),
    (
        r#"{"model_type": "fsmt", "d_model": 64, "max_position_embeddings": 1024, "pad_token_id": 3}"#,
        "1028, 64, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 3",
    ),
    (
        r#"{"model_type": "seamless_m4t", "hidden_size": 64, "max_position_embeddings": 10, "pad_token_id": 0}"#,
        "12, 64, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 0",
    ),
    (
        r#"{"model_type": "speech_to_text", "d_model": 32, "max_source_positions": 60, "pad_token_id": 1}"#,
        "62, 32, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 1",
    ),
    (
        r#"{"model_type": "musicgen", "decoder": {"hidden_size": 64, "max_position_embeddings": 20}}"#,
        "20, 64, freq_shift = 1.0, layout = halves, order = cos_sin, odd = zero",
    ),
    (
        r#"{"model_type": "roformer", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 15}"#,
        "15, 64, layout = halves",
    ),
    (
        r#"{"model_type": "informer", "d_model": 32, "prediction_length": 24, "context_length": null}"#,
        "48, 32, layout = halves",
    ),
    (r#"{"model_type": "gptj", "rotary_dim": 64, "n_positions": 2048, "n_embd": 4096}"#, "2048, 64, layout = halves"),
    (
        r#"{"model_type": "videomae", "hidden_size": 8, "num_frames": 16, "tubelet_size": 2, "image_size": 224, "patch_size": 16}"#,
        "1568, 8",
    ),
    (
        r#"{"model_type": "pegasus_x", "d_model": 64, "max_position_embeddings": 16384}"#,
        "16384, 64, freq_shift = 1.0, layout = halves, odd = zero",
    ),
    (
        r#"{"model_type": "qwen2_audio", "audio_config": {"d_model": 128, "max_source_positions": 15}}"#,
        "15, 128, freq_shift = 1.0, layout = halves, odd = reject",
    ),
    (
        r#"{"model_type": "timesfm", "hidden_size": 128, "context_length": 2048, "patch_length": 32, "max_timescale": 10000, "use_positional_embedding": true}"#,
        "64, 128, freq_shift = 1.0, layout = halves, odd = zero",
    ),
    (
        r#"{"model_type": "seamless_m4t_v2", "hidden_size": 64, "max_position_embeddings": 10, "pad_token_id": 0}"#,
        "12, 64, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 0",
    ),
    (
        r#"{"model_type": "speecht5", "hidden_size": 64, "max_speech_positions": 40, "pad_token_id": 1}"#,
        "44, 64, freq_shift = 1.0, layout = halves, odd = zero, zero_row = 1",
    ),
    (
        r#"{"model_type": "wav2vec2-conformer", "hidden_size": 8, "max_source_positions": 50, "position_embeddings_type": "relative"}"#,
        "99, 8, odd = reject, start = 49, step = -1",
    ),
];

/// The configs of Hugging Face models, and their tables.
#[test]
fn configs_of_models() {
    let folder = Folder::new();
    for (config, call) in MODELS {
        folder.write("config.json", config);
        let ran = folder.posenc("table --config config.json -o pe.bin").done();
        assert!(ran.err().contains(&format!("sinusoidal_table!({call})\n")), "{config}\n{}", ran.err());
    }
    // The rows of the relative positions are those from n - 1 to 1 - n.
    folder.write("config.json", MODELS.last().unwrap().0);
    let ran = folder.posenc("table --config config.json -n 9 -o pe.bin").done();
    assert!(ran.err().contains("(9, 8, odd = reject, start = 4, step = -1)"), "{}", ran.err());
    folder.posenc("table --config config.json -n 8 --start 4 -o pe.bin").done();
    folder.posenc("table --config config.json -n 8 -o pe.bin").refused("set an odd --seq-len, or --start");
    // The command line overrides the config.
    folder.write("config.json", MODELS[5].0);
    let ran =
        folder.posenc("table --config config.json --seq-len 9 --zero-row 2 --d-model 4 --layout interleaved -o pe.bin");
    let ran = ran.done();
    assert!(ran.err().contains("(9, 4, freq_shift = 1.0, odd = zero, zero_row = 2)"), "{}", ran.err());
    folder
        .posenc("table -c config.json -n 9 -d 4 -p paper -o pe.bin")
        .refused("--config changes nothing beside --preset");
    folder.write("config.json", r#"{"model_type": "xlnet", "d_model": 8}"#);
    folder.posenc("table --config config.json --seq-len 9 --start 8 -o pe.bin").done();
    folder.write("config.json", r#"{"model_type": "transfo-xl", "d_model": 8, "clamp_len": 8}"#);
    folder.posenc("table --config config.json --seq-len 9 --start 8 -o pe.bin").done();
    folder.posenc("table --config config.json --seq-len 9 --start 9 -o pe.bin").refused("has 8 for `clamp_len`");
    folder.posenc("table --config config.json --seq-len 18 --start 8 -o pe.bin").refused("has 8 for `clamp_len`");
}

#[test]
fn configs_that_do_not_do() {
    let folder = Folder::new();
    folder.posenc("table --config none.json -o pe.bin").refused("`none.json` cannot be read");
    for (config, words) in [
        ("", "is not JSON"),
        ("{\"model_type\": ", "is not JSON"),
        ("[1]", "has no `model_type`"),
        ("{}", "has no `model_type`"),
        (r#"{"model_type": "llama"}"#, "uses rotary positions and has no sinusoidal table; use posenc rope --config"),
        (r#"{"model_type": "vit_mae"}"#, "is for `vit_mae`, which has a grid; use posenc grid --config"),
        (r#"{"_class_name": "SD3Transformer2DModel"}"#, "which has a grid; use posenc grid --config"),
        (r#"{"model_type": "wav2vec2-conformer", "position_embeddings_type": "rotary"}"#, "use posenc rope --config"),
        (r#"{"model_type": "wav2vec2-conformer", "position_embeddings_type": null}"#, "is not `relative`"),
        (
            r#"{"model_type": "timesfm", "max_timescale": 500, "use_positional_embedding": true}"#,
            "a `max_timescale` that is not 10000",
        ),
        (
            r#"{"model_type": "timesfm", "hidden_size": 8, "context_length": 512, "patch_length": 32}"#,
            "does not set `use_positional_embedding` to true, so the model has no table of positions",
        ),
        (
            r#"{"model_type": "timesfm", "hidden_size": 8, "context_length": 512, "patch_length": 0, "use_positional_embedding": true}"#,
            "0 for `patch_length`",
        ),
        (
            r#"{"_class_name": "UNet2DModel", "flip_sin_to_cos": true, "freq_shift": 0}"#,
            "does not say which timesteps; set --seq-len, or --positions",
        ),
        (r#"{"_class_name": "UNet2DModel", "flip_sin_to_cos": true, "freq_shift": 1}"#, "and `freq_shift` 0"),
        (r#"{"_class_name": "UNet2DModel", "time_embedding_type": "fourier"}"#, "no sinusoidal table"),
        (r#"{"model_type": "gpt2"}"#, "uses learned positions and has no sinusoidal table"),
        (r#"{"model_type": "xlm-roberta"}"#, "uses learned positions and has no sinusoidal table"),
        (r#"{"model_type": "wisper"}"#, "has the unknown `model_type` `wisper`"),
        (
            r#"{"model_type": "informer", "d_model": 32, "prediction_length": 24, "context_length": "x"}"#,
            "context_length",
        ),
        (r#"{"model_type": "whisper", "max_source_positions": 9}"#, "has no `d_model`; set --d-model"),
        (r#"{"model_type": "whisper", "d_model": -8, "max_source_positions": 9}"#, "has -8 for `d_model`"),
        (
            r#"{"model_type": "distilbert", "dim": 8, "max_position_embeddings": 9, "sinusoidal_pos_embds": false}"#,
            "positions are learned",
        ),
        (
            r#"{"model_type": "m2m_100", "d_model": 8, "max_position_embeddings": 9}"#,
            "has no `pad_token_id`; set --zero-row",
        ),
        (r#"{"model_type": "transfo-xl", "d_model": 8}"#, "set --seq-len, and --start"),
        (
            r#"{"model_type": "roformer", "hidden_size": 8, "num_attention_heads": 0, "max_position_embeddings": 9}"#,
            "0 for `num_attention_heads`",
        ),
    ] {
        folder.write("config.json", config);
        folder.posenc("table --config config.json -o pe.bin").refused(words);
    }
    folder.write("config.json", "[".repeat(100_000));
    folder.posenc("table --config config.json -o pe.bin").refused("is not JSON");
}

#[test]
fn timesteps_of_diffusers() {
    let folder = Folder::new();
    let unet = r#"{"_class_name": "UNet2DConditionModel", "block_out_channels": [32, 64], "#;
    folder.write("config.json", format!(r#"{unet} "flip_sin_to_cos": true, "freq_shift": 0}}"#));
    folder.check_same("table -c config.json --positions 998.39,1", "table -p adm -d 32 --positions 998.39,1");
    folder.write("config.json", format!(r#"{unet} "flip_sin_to_cos": false, "freq_shift": 1.0}}"#));
    folder.check_same("table -c config.json -n 1000", "table -p ddpm -d 32 -n 1000");
}

#[test]
fn the_type_of_the_weights_is_mentioned() {
    let folder = Folder::new();
    let config = r#"{"model_type": "marian", "d_model": 8, "max_position_embeddings": 2, "torch_dtype": "bfloat16"}"#;
    folder.write("config.json", config);
    let note = "note: the weights of the model are bf16; --dtype bf16 makes the table so\n";
    assert!(folder.posenc("table -c config.json -o pe.npy").done().err().ends_with(note));
    assert!(!folder.posenc("table -c config.json -t bf16 -o pe.bin").done().err().contains("note"));
    assert_eq!(folder.posenc("table -c config.json -q -o pe.npy").done().err(), "");
    folder.posenc("table -c config.json --json -o pe.npy").done().says("\"model_dtype\": \"bf16\"");
    let config = r#"{"hidden_size": 8, "num_attention_heads": 1, "max_position_embeddings": 2, "rope_theta": 10, "dtype": "float16"}"#;
    folder.write("config.json", config);
    let ran = folder.posenc("rope -c config.json -o pe.npy").done();
    assert!(ran.err().contains("the weights of the model are f16"), "{}", ran.err());
}

/// Rotary configs, with `rope_scaling` and with a name of its own for the base.
#[test]
fn rotary_configs() {
    let folder = Folder::new();
    let head = r#""hidden_size": 32, "num_attention_heads": 4, "#;
    for (config, options) in [
        (
            format!(
                r#"{{{head} "max_position_embeddings": 9, "rope_theta": 500, "rope_scaling": {{"type": "linear", "factor": 4.0}}}}"#
            ),
            "--head-dim 8 --base 500 --scaling linear(4)",
        ),
        (
            format!(
                r#"{{{head} "max_position_embeddings": 9, "rope_theta": 500,
                "rope_scaling": {{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}}}}"#
            ),
            "--head-dim 8 --base 500 --scaling yarn(4,2048)",
        ),
        (
            format!(
                r#"{{"model_type": "wav2vec2-conformer", {head} "rotary_embedding_base": 500, "position_embeddings_type": "rotary"}}"#
            ),
            "--head-dim 8 --base 500",
        ),
    ] {
        folder.write("config.json", config);
        folder.check_same("rope -c config.json -n 9", &format!("rope {options} -n 9"));
    }
}
