//! `--config`: the tables of models by their config.json.

use crate::common::Folder;

/// The configs of Hugging Face models, and their tables.
#[test]
fn configs_of_models() {
    let folder = Folder::new();
    let cases = [
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
        (
            r#"{"model_type": "xlm", "emb_dim": 64, "max_position_embeddings": 51, "sinusoidal_embeddings": true}"#,
            "51, 64",
        ),
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
        (
            r#"{"model_type": "gptj", "rotary_dim": 64, "n_positions": 2048, "n_embd": 4096}"#,
            "2048, 64, layout = halves",
        ),
        (
            r#"{"model_type": "videomae", "hidden_size": 8, "num_frames": 16, "tubelet_size": 2, "image_size": 224, "patch_size": 16}"#,
            "1568, 8",
        ),
    ];
    for (config, call) in cases {
        folder.write("config.json", config);
        let ran = folder.posenc("table --config config.json -o pe.bin").done();
        assert!(ran.err().contains(&format!("sinusoidal_table!({call})\n")), "{config}\n{}", ran.err());
    }
    // The command line overrides the config.
    folder.write("config.json", cases[5].0);
    let ran =
        folder.posenc("table --config config.json --seq-len 9 --zero-row 2 --d-model 4 --layout interleaved -o pe.bin");
    let ran = ran.done();
    assert!(ran.err().contains("(9, 4, freq_shift = 1.0, odd = zero, zero_row = 2)"), "{}", ran.err());
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
        (r#"{"model_type": "llama"}"#, "uses rotary positions and has no sinusoidal table"),
        (r#"{"model_type": "gpt2"}"#, "uses learned positions and has no sinusoidal table"),
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
