//! `posenc compare`, `plot` and `explain` with rotary caches and grids.

use std::fs;

use posenc::{Grid, GridPreset, Packing, Rope, RopePreset};

use crate::common::Folder;

const LLAMA: &str = r#"{"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4, "rope_theta": 500000.0,
    "max_position_embeddings": 64}"#;

/// A folder with a cache, a grid of more entries than are computed at a time, and configs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.posenc("rope -p llama3_1 -n 9 --packing cos --repeat halves -o cos.npy").done();
    folder.posenc("rope -p phi2 -n 9 -o partial.npy").done();
    folder.posenc("grid -p mae -s 14x14 -d 768 --zero-rows 1 -o mae.npy").done();
    folder.posenc("table -p whisper -n 9 -d 64 -o whisper.npy").done();
    fs::write(folder.path("llama.json"), LLAMA).unwrap();
    fs::write(folder.path("bert.json"), r#"{"model_type": "bert", "hidden_size": 64}"#).unwrap();
    let other = r#"{"model_type": "other", "rope_theta": 10000.0, "head_dim": 8, "max_position_embeddings": 4}"#;
    fs::write(folder.path("other.json"), other).unwrap();
    let whisper = r#"{"model_type": "whisper", "d_model": 64, "max_source_positions": 9}"#;
    fs::write(folder.path("whisper.json"), whisper).unwrap();
    let mae = r#"{"model_type": "vit_mae", "hidden_size": 768, "image_size": 224, "patch_size": 16}"#;
    fs::write(folder.path("mae.json"), mae).unwrap();
    folder
}

#[test]
fn caches_and_grids_are_compared() {
    let folder = folder();
    folder.posenc("rope --config llama.json -n 9 -o llama.npy").done();
    folder.posenc("grid -s 2x3 -d 8 -t 'i8(1/127)' -o steps.npy").done();
    for (options, status) in [
        ("cos.npy -p llama3_1 --packing cos --repeat halves", 0),
        ("cos.npy -p llama3_1 --packing sin --repeat halves", 1),
        ("cos.npy -p llama3_1 --packing cos --repeat halves --scaling 'linear(2)'", 1),
        ("cos.npy --base 500000 --packing cos --repeat halves", 1),
        ("cos.npy -p llama3_1 --packing cos --repeat halves --computed-in f32", 0),
        ("partial.npy -p phi2", 0),
        ("partial.npy -p phi2 --rotary-dim 32", 0),
        ("partial.npy --partial-rotary-factor 0.5", 0),
        ("llama.npy --config llama.json", 0),
        ("llama.npy --config llama.json --base 10000", 1),
        ("mae.npy -p mae -s 14x14 --zero-rows 1", 0),
        ("mae.npy --config mae.json", 0),
        ("mae.npy -p mae -s 14x14 --zero-rows 1 --base 10000,9999", 1),
        ("mae.npy -p hf_2d -s 14x14 --zero-rows 1", 1),
        ("steps.npy -s 2x3 --dtype 'i8(1/127)'", 0),
        ("steps.npy -s 2x3 --dtype 'i8(1/126)'", 1),
        ("whisper.npy --config whisper.json", 0),
    ] {
        folder.posenc(&format!("compare {options}")).status(status);
    }
    folder.posenc("compare mae.npy -p mae -s 14x14 --zero-rows 1 --amplitude 2 --plot").status(1).says("|difference|");
}

#[test]
fn options_of_another_table_are_refused() {
    let folder = folder();
    for (options, words) in [
        ("mae.npy -p mae", "--shape is missing"),
        (
            "mae.npy -p mae -s 14x14",
            "the file has 197 x 768 entries, but this grid has 196 x 768; set --shape, or --zero-rows",
        ),
        ("mae.npy -p mea", "did you mean `mae`?"),
        ("mae.npy -p mae -s 14x14 --packing cos", "--packing does not apply to a grid"),
        ("mae.npy -p mae -s 14x14 --base 1,2,3", "`base` has 3 values, but must have 2"),
        ("mae.npy -p mae -s 14x14 --amplitude rsqrt_d", "`amplitude` is a word, but must be a number for a grid"),
        ("mae.npy -p mae -s 14x14 --zero-rows 1 --computed-in f32", "--computed-in does not apply to a grid"),
        ("mae.npy -p mae --config mae.json", "--config and --preset exclude each other for a grid"),
        ("whisper.npy -p whisper -s 3x3", "--shape does not apply to a 1-D table"),
        ("whisper.npy -p whisper --packing cos", "--packing does not apply to a 1-D table"),
        ("whisper.npy -p whisper --start 1,2", "`start` has 2 values, but must have 1 for a 1-D table"),
        ("cos.npy -p llama3_1 -s 3x3", "--shape does not apply to a rotary cache"),
        ("cos.npy -p llama3_1 --zero-row 1", "--zero-row does not apply to a rotary cache"),
        ("cos.npy --config llama.json", "the file has 128 columns, but this cache has 64; set --packing and --repeat"),
        ("cos.npy --config llama.json --layers sliding_attention", "has no cache of its own for layers"),
        ("partial.npy -p phi2 --rotary-dim 40", "the file has 32 columns, but this cache has 40"),
        ("whisper.npy --config bert.json", "uses learned positions and has no sinusoidal table"),
    ] {
        folder.posenc(&format!("compare {options}")).refused(words);
    }
}

#[test]
fn caches_and_grids_are_drawn() {
    let folder = folder();
    for (options, title) in [
        ("-p llama3_1 -n 64", "rotary_table!(64, 128, base = 500000.0"),
        ("-p llama3_1 -n 64 -d 30", "rotary_table!(64, 30, base = 500000.0"),
        ("--config other.json", "rotary_table!(4, 8, packing = cos_sin)"),
        ("-p mae -s 7x5 -d 64", "grid_table!((7, 5), 64, first = (w, h))"),
        ("--config mae.json", "grid_table!((14, 14), 768, first = (w, h), zero_rows = 1)"),
    ] {
        folder.posenc(&format!("plot {options} --size 70x8")).done().says(title);
    }
    folder.posenc("plot -p llama3_1 --positions 1,2.5 --size 70x8").done().says("sinusoidal_table!(2, 128");
    for (options, words) in [
        ("-p mae -d 64", "--shape is missing"),
        ("-p mae -s 7x7", "--d-model is missing"),
        ("-p mae -s 7x7 -d 64 -n 49", "--seq-len does not apply to a grid; set --shape"),
        ("-p mae -s 7x7 -d 64 --positions 1,2", "--positions does not apply to a grid"),
        ("-p llama3_1 -n 3 -d 3", "has 2 columns for each pair, and 3 is not a multiple of it"),
        ("--packing cos -d 4", "--seq-len is missing"),
    ] {
        folder.posenc(&format!("plot {options}")).refused(words);
    }
}

#[test]
fn entries_of_caches_and_grids_are_explained() {
    let folder = folder();
    let explained = |options: &str| folder.posenc(&format!("explain {options}")).done().out();
    let cache = Rope::preset(RopePreset::Llama3_1).packed(Packing::CosSin).unwrap().explain::<f32>(4095, 40).unwrap();
    assert_eq!(explained("--position 4095 --column 40 -p llama3_1").trim_end(), cache.to_string().trim_end());
    let grid = Grid::preset(GridPreset::Mae, [14, 14], 768).explain::<f64>([3.0, 5.0], 500).unwrap();
    let expected = grid.to_string();
    assert_eq!(explained("--position 3,5 --column 500 -p mae -s 14x14 -d 768 -t f64").trim_end(), expected.trim_end());
    assert_eq!(explained("--position 3,5 --column 500 --config mae.json -t f64").trim_end(), expected.trim_end());
    assert!(explained("--position 3,5 --column 500 --config mae.json --json").contains(r#""axis": 0"#));
    assert!(!explained("--position 3 --column 5 -d 8 --json").contains("axis"));
    for (options, words) in [
        ("--position 3 --column 1 -p mae -s 7x7 -d 8", "--position has 1 number, but must have 2, one for each axis"),
        ("--position 3,5 --column 1 -d 8", "--position has 2 numbers, but must have 1"),
        ("--position 3,5 --column 8 -p mae -s 7x7 -d 8", "`column` is 8, but must be from 0 to 7"),
        ("--position 3,5 --column 1 -p mae -s 7x7 -d 8 --zero-rows 1", "--zero-rows does not change the entry"),
    ] {
        folder.posenc(&format!("explain {options}")).refused(words);
    }
}
