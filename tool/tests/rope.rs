//! `posenc rope`: its files are read back, and mistakes are told.

use std::fs;

use posenc::{Packing, Repeat, Rope, RopePreset, Scaling};

use crate::common::Folder;

#[test]
fn rotary_caches_are_read_back() {
    let folder = Folder::new();
    let read =
        |file: &str| npyz::NpyFile::new(fs::File::open(folder.path(file)).unwrap()).unwrap().into_vec::<f32>().unwrap();
    let rope = Rope::preset(RopePreset::Llama3_1);
    folder.posenc("rope --preset llama3-1 --seq-len 9 -o rope.npy").done();
    assert_eq!(read("rope.npy"), rope.packed(Packing::CosSin).unwrap().table::<f32>(9).unwrap().into_vec());
    folder.posenc("rope --preset llama3_1 --seq-len 9 --packing sin --repeat halves --head-dim 64 -o sin.npy").done();
    let sin = rope.with_head_dim(64).repeat(Repeat::Halves).packed(Packing::Sin).unwrap();
    assert_eq!(read("sin.npy"), sin.table::<f32>(9).unwrap().into_vec());

    let config = r#"{"hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 7, "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192}}"#;
    fs::write(folder.path("config.json"), config).unwrap();
    folder.posenc("rope --config config.json --packing cos -o cos.npy").done();
    assert_eq!(read("cos.npy"), rope.packed(Packing::Cos).unwrap().table::<f32>(7).unwrap().into_vec());
    folder.posenc("rope --config config.json --scaling linear(2) --base 10 --packing cos -o cos.npy").done();
    let other = rope.base(10.0).scaling(Scaling::linear(2.0)).packed(Packing::Cos).unwrap();
    assert_eq!(read("cos.npy"), other.table::<f32>(7).unwrap().into_vec());

    folder.posenc("rope --head-dim 8 --unit 8/15 --seq-len 9 --packing cos -o unit.npy").done();
    let in_units = Rope::new(8).unit(8, 15).packed(Packing::Cos).unwrap();
    assert_eq!(read("unit.npy"), in_units.table::<f32>(9).unwrap().into_vec());

    folder.posenc("table --unit 8/15/2 --seq-len 9 --d-model 4 -o x.npy").refused("`unit` is `8/15/2`, but must be");
    folder
        .posenc("table --unit -8/15 --seq-len 9 --d-model 4 -o x.npy")
        .refused("both numbers must be integers from 1");
    folder.posenc("rope --seq-len 9 -o x.npy").refused("--head-dim is missing");
    folder.posenc("rope --head-dim 8 --seq-len 9 --layers full_attention -o x.npy").refused("--config <FILE>");
    folder.posenc("rope --head-dim 64 -o x.npy").refused("--seq-len is missing");
    folder.posenc("rope --head-dim 7 --seq-len 9 -o x.npy").refused("`head_dim` is 7, but must be even");
    folder.posenc("rope --preset lama2 --seq-len 9 -o x.npy").refused("did you mean `llama2`?");
    folder
        .posenc("rope --head-dim 8 --scaling yarn(2) --seq-len 9 -o x.npy")
        .refused("lacks `original_max_position_embeddings`");
    fs::write(folder.path("config.json"), r#"{"head_dim": 8, "rope_scaling": {"type": "fope"}}"#).unwrap();
    folder.posenc("rope --config config.json --seq-len 9 -o x.npy").refused("has the rope type `fope`");
    assert!(!folder.names().contains(&"x.npy".to_owned()));
}

/// The config of a model of images or videos says which table it has, for every command.
#[test]
fn configs_have_rotary_tables_of_several_axes() {
    let folder = Folder::new();
    let written = |file: &str, json: &str| fs::write(folder.path(file), json).unwrap();
    written(
        "qwen.json",
        r#"{"model_type": "qwen2_5_vl", "hidden_size": 2048, "num_attention_heads": 16, "torch_dtype": "bfloat16",
        "vision_config": {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16, "spatial_merge_size": 2}}"#,
    );
    folder.posenc("rope --config qwen.json --shape 24x36 --packing cos -o config.npy").done();
    let options = "--preset qwen2_vl_vision --shape 24x36 --head-dim 80 --merge 2 --packing cos";
    folder.posenc(&format!("rope {options} -o preset.npy")).done();
    assert_eq!(fs::read(folder.path("config.npy")).unwrap(), fs::read(folder.path("preset.npy")).unwrap());
    folder.posenc("compare preset.npy --config qwen.json --shape 24x36 --packing cos").done();
    folder.posenc("compare preset.npy --config qwen.json --shape 36x24 --packing cos").status(1);
    folder.posenc("explain --position 3,5 --column 7 --config qwen.json --shape 24x36 --packing cos").done();

    // The config says which axis is which, and options override it.
    written(
        "flux.json",
        r#"{"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "attention_head_dim": 128}"#,
    );
    let call = "rotary_table!((1, 4, 6), 128, widths = (16, 56, 56), base = 50.0, repeat = pairs, packing = cos_sin)";
    let answer = folder.posenc("rope -c flux.json -s 1x4x6 --base 50 --repeat pairs -o flux.npy").status(0).err();
    assert!(answer.contains(call), "{answer}");

    // CogVideoX has a grid or a rotary table.
    written(
        "video.json",
        r#"{"_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64,
        "use_rotary_positional_embeddings": true}"#,
    );
    folder.posenc("rope -c video.json -s 2x30x45 --repeat pairs -o video.npy").done();
    folder.posenc("compare video.npy -c video.json -s 2x30x45 --repeat pairs").done();

    // Only a part of each head is rotated.
    written(
        "minimax.json",
        r#"{"vision_config": {"model_type": "minimax_m3_vl_vision", "hidden_size": 1280, "num_attention_heads": 16}}"#,
    );
    folder.posenc("rope -c minimax.json -s 2x4x6 -o minimax.npy").status(0);
    folder.posenc("compare minimax.npy -c minimax.json -s 2x4x6").done();
    folder
        .posenc("plot -c minimax.json -s 2x4x6 -d 80 -o x.png")
        .refused("the options ask for 80 columns, but this table has 78; set --packing and --repeat");

    folder.posenc("rope -c flux.json -o x.npy").refused("rotary table of several axes; use `AxialConfig` or --shape");
    folder.posenc("rope -c flux.json -s 4x6 -o x.npy").refused("but the length of the shape is 2");
    folder
        .posenc("rope -c flux.json -s 1x4x6 -d 64 -o x.npy")
        .refused("--head-dim is 64, but the heads of the config have 128 columns");
    folder.posenc("rope -c flux.json -s 1x4x6 --layers full_attention -o x.npy").refused("--layers does not apply");
    written("other.json", r#"{"_class_name": "MochiTransformer3DModel"}"#);
    folder.posenc("rope -c other.json -s 1x4x6 -o x.npy").refused("its frequencies are learned");
    written("other.json", "[]");
    folder.posenc("rope -c other.json -s 1x4x6 -o x.npy").refused("`other.json`: invalid type: sequence");
    assert!(!folder.names().contains(&"x.npy".to_owned()));
}

/// The answer is the macro call that bakes the same table.
#[test]
fn the_answer_is_a_macro_call() {
    let folder = Folder::new();
    for (options, call) in [
        (
            "--preset llama3_1",
            "128, base = 500000.0, scaling = llama3(factor = 8.0, original_max_position_embeddings = 8192), \
                               packing = cos_sin",
        ),
        (
            "--head-dim 8 --rotary-dim 4 --packing sin --repeat halves",
            "8, rotary_dim = 4, repeat = halves, packing = sin",
        ),
        ("--head-dim 8 --attention-factor 0.5 -t bf16", "8, attention_factor = 0.5, packing = cos_sin, dtype = bf16"),
        ("--head-dim 8 -t i8(1/127,-1)", "8, packing = cos_sin, dtype = i8(1/127, -1)"),
    ] {
        let ran = folder.posenc(&format!("rope {options} --seq-len 9 -o rope.bin")).done();
        assert!(ran.err().ends_with(&format!(" bytes: rotary_table!(9, {call})\n")), "{}", ran.err());
    }
}

#[test]
fn a_model_without_a_rotary_embedding_has_no_cache() {
    let folder = Folder::new();
    for (model, words) in [
        ("gpt2", "`gpt2`, which uses learned positions and has no rotary embedding\n"),
        ("bloom", "attention biases (ALiBi) and has no rotary embedding\n"),
        ("mpt", "attention biases (ALiBi) and has no rotary embedding\n"),
        ("t5", "learned relative positions and has no rotary embedding\n"),
        (
            "whisper",
            "sinusoidal positions and has no rotary embedding; use `sinusoidal_table!`, `Spec` or `posenc table --config`\n",
        ),
    ] {
        folder.write(
            "config.json",
            format!(r#"{{"model_type": "{model}", "hidden_size": 64, "num_attention_heads": 2}}"#),
        );
        for options in ["", "-n 9", "--base 10000 --head-dim 32 -n 9"] {
            folder.posenc(&format!("rope -c config.json {options} -o rope.npy")).refused(words);
        }
    }
    folder.write("config.json", r#"{"model_type": "new", "hidden_size": 64, "num_attention_heads": 2}"#);
    folder
        .posenc("rope -c config.json -n 9 --base 10000 -o rope.npy")
        .refused("the model type `new` is not known to have one; if it has one, give the parameters themselves in place of the config\n");
    folder.write("config.json", r#"{"model_type": "mistral", "hidden_size": 64, "num_attention_heads": 2}"#);
    folder
        .posenc("rope -c config.json -n 9 -o rope.npy")
        .refused("has no `rope_theta`; set it with `with_base` or --base\n");
    folder.posenc("rope -c config.json -n 9 --base 10000 -o rope.npy").done();
    let refused = folder.posenc("rope -c config.json --base 10000 -o rope.npy");
    refused.refused("the config has no `max_position_embeddings`; set --seq-len\n");
}

#[test]
fn several_axes_are_noted() {
    let folder = Folder::new();
    let note = "note: the model has several axes (`mrope_section` [16,24,24]), which share this cache; ";
    let rule = r#"{"type": "mrope", "mrope_section": [16, 24, 24]}"#;
    for config in [
        format!(r#"{{"head_dim": 128, "rope_theta": 1e6, "rope_scaling": {rule}}}"#),
        format!(r#"{{"text_config": {{"head_dim": 128, "rope_theta": 1e6, "rope_parameters": {rule}}}}}"#),
    ] {
        folder.write("config.json", config);
        let ran = folder.posenc("rope -c config.json -n 9 -o rope.npy").done();
        assert!(
            ran.err().contains(note) && ran.err().contains("`axis_of_pair` with a `SectionOrder`"),
            "{}",
            ran.err()
        );
        assert_eq!(folder.posenc("rope -c config.json -n 9 -o rope.npy -q").done().err(), "");
        assert_eq!(folder.posenc("rope -c config.json -n 9 -o rope.npy --json").done().err(), "");
    }
    folder.write("config.json", r#"{"head_dim": 128, "rope_theta": 1e6}"#);
    assert!(!folder.posenc("rope -c config.json -n 9 -o rope.npy").done().err().contains("note"));
}

#[test]
fn errors_are_about_the_cache() {
    let folder = Folder::new();
    let rope = |options: &str| folder.posenc(&format!("rope -o rope.npy {options}"));
    rope("-n 4 -d 8 --attention-factor inf").refused("`attention_factor` is inf, but must be from");
    rope("-n 4 -d 7").refused("`head_dim` is 7, but must be even and from 2 to 16777216; set an even `rotary_dim`");
    rope("-n -4 -d 8").refused("`seq_len` is -4, but must be from 0 to");
}

/// Files that store their shape have one dimension.
#[test]
fn vectors_of_frequencies_are_read_back() {
    let folder = Folder::new();
    let read = |file: &str| {
        let file = npyz::NpyFile::new(fs::File::open(folder.path(file)).unwrap()).unwrap();
        assert_eq!(file.shape().len(), 1);
        file.into_vec::<f32>().unwrap()
    };
    let rope = Rope::preset(RopePreset::Llama3_1);
    folder.posenc("rope --preset llama3_1 --inv-freq -o inv_freq.npy").done();
    assert_eq!(read("inv_freq.npy"), rope.inv_freq::<f32>().unwrap());
    folder.posenc("rope --preset llama3_1 --head-dim 64 --periods -o periods.npy").done();
    assert_eq!(read("periods.npy"), rope.with_head_dim(64).periods::<f32>().unwrap());
    folder.posenc("rope --head-dim 8 --scaling linear(3) --factors -o factors.npy").done();
    assert_eq!(read("factors.npy"), [3.0; 4]);
    folder.posenc("rope --preset llama3_1 --factors --dtype bf16 --name rope_freqs.weight -o a.safetensors").done();
    let bytes = fs::read(folder.path("a.safetensors")).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("rope_freqs.weight").unwrap().shape(), [64]);

    folder.posenc("rope --preset llama3_1 --inv-freq --periods -o x.npy").refused("cannot be used with");
    folder
        .posenc("rope --preset llama3_1 --inv-freq --repeat halves -o x.npy")
        .refused("--repeat does not apply to frequencies; leave it out");
    folder.posenc("rope --head-dim 8 --inv-freq --dtype q15 -o x.bin").refused("need a floating-point type");
    folder
        .posenc("rope --head-dim 8 --inv-freq -o x.h")
        .refused("`x.h` is source code, but frequencies are written to");
    for option in ["packing cos", "start 1", "step 2", "scale 2", "unit 1/2", "attention-factor 2"] {
        let name = option.split(' ').next().unwrap();
        folder
            .posenc(&format!("rope --head-dim 8 --inv-freq --{option} -o x.npy"))
            .refused(&format!("--{name} does not apply to frequencies; leave it out"));
    }
}

/// Nothing of a config is ignored, unless the user says so.
#[test]
fn keys_that_are_not_understood_are_refused() {
    let folder = Folder::new();
    let llama = r#"{"model_type": "llama", "head_dim": 64, "max_position_embeddings": 9, "use_scaled_rope": true}"#;
    folder.write("params.json", llama);
    let sentence = "`params.json`: the config has `use_scaled_rope` true, which may change the table and is not understood; \
                    ignore it with `ignore_key` or --ignore-key if the table does not depend on it\n";
    folder.posenc("rope -c params.json -o rope.npy").refused(sentence);
    folder.posenc("rope -c params.json --ignore-key use_scaled_rope -o rope.npy").done();
    folder.posenc("compare rope.npy -c params.json").refused(sentence);
    folder.posenc("compare rope.npy -c params.json --ignore-key use_scaled_rope").done();
    let refused = folder.posenc("rope -c params.json --ignore-key use_scaled_rope --ignore-key head_dim -o rope.npy");
    refused.refused("the config has no key `head_dim` that is not understood; do not ignore it\n");

    folder.write(
        "flux.json",
        r#"{"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "rope_new": 1}"#,
    );
    folder.posenc("rope -c flux.json -s 1x2x3 -o rope.npy").refused("the config has `rope_new` 1, which may change");
    folder.posenc("rope -c flux.json -s 1x2x3 --ignore-key rope_new -o rope.npy").done();

    folder.write(
        "whisper.json",
        r#"{"model_type": "whisper", "d_model": 8, "max_source_positions": 9, "rope_theta": 1e4}"#,
    );
    folder
        .posenc("table -c whisper.json -o pe.npy")
        .refused("`whisper.json`: the config has `rope_theta` 10000.0, which");
    folder.posenc("table -c whisper.json --ignore-key rope_theta -o pe.npy").done();
    let mae = r#"{"model_type": "vit_mae", "image_size": 4, "patch_size": 2, "hidden_size": 8, "use_rope": false}"#;
    folder.write("mae.json", mae);
    folder.posenc("grid -c mae.json -o pe.npy").refused("`mae.json`: the config has `use_rope` false, which");
    folder.posenc("grid -c mae.json --ignore-key use_rope -o pe.npy").done();
}

/// Python writes numbers that JSON lacks.
#[test]
fn configs_of_python_are_read() {
    let folder = Folder::new();
    let bamba = r#"{"model_type": "bamba", "head_dim": 128, "attn_rotary_emb": 64, "rope_theta": 10000.0,
        "time_step_limit": [0.0, Infinity], "a": -Infinity, "b": NaN}"#;
    folder.write("config.json", bamba);
    let ran = folder.posenc("rope -c config.json -n 9 -o rope.npy").done();
    assert!(ran.err().contains("rotary_table!(9, 128, rotary_dim = 64, packing = cos_sin)"), "{}", ran.err());
    folder.write("config.json", r#"{"head_dim": 128, "rope_theta": Infinity}"#);
    let refused = folder.posenc("rope -c config.json -n 9 -o rope.npy");
    refused.refused("the config has `rope_theta` \"Infinity\", which is not a number\n");
}

/// Rules that depend on the length follow the largest position, as in transformers.
#[test]
fn the_largest_position_decides_the_rule() {
    let folder = Folder::new();
    let of = |rule: &str| {
        format!(
            r#"{{"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 64, "original_max_position_embeddings": 16, "rope_scaling": {rule}}}"#
        )
    };
    folder.write("long.json", of(r#"{"type": "longrope", "short_factor": [1, 2], "long_factor": [3, 4]}"#));
    folder.write("dynamic.json", of(r#"{"type": "dynamic", "factor": 4}"#));
    for (options, call) in [
        ("-c long.json -n 16", "factors = [1.0, 2.0]"),
        ("-c long.json -n 17", "factors = [3.0, 4.0]"),
        ("-c long.json -n 4 --start 12", "factors = [1.0, 2.0]"),
        ("-c long.json -n 4 --start 13", "factors = [3.0, 4.0]"),
        ("-c long.json -n 4 --start 16 --step -1", "factors = [3.0, 4.0]"),
        ("-c long.json -n 4 --step 6", "factors = [3.0, 4.0]"),
        ("-c long.json -n 4 --start -9", "factors = [1.0, 2.0]"),
        ("-c dynamic.json -n 10 --start 90", "seq_len = 100"),
    ] {
        let ran = folder.posenc(&format!("rope {options} -o rope.npy")).done();
        assert!(ran.err().contains(call), "{options}: {}", ran.err());
    }
}
