//! The rotary tables of images and videos that the libraries of models make, which `scripts/model_tables_axial.py` has
//! recorded.

use std::collections::BTreeSet;
use std::path::Path;

use posenc::AxialPreset;
use serde_json::Value;

use crate::common::Folder;

/// What the arithmetic of models in `f32` may be off by. The most of the recorded tables is 8.5e-7, by the rounding of the
/// positions of `CogVideoX`.
const OF_F32: f64 = 1e-6;

/// Models that compute in `f64` have the bits of the exact table.
#[test]
fn the_tables_of_models_are_those_of_the_presets() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/axial_models");
    let index: Value = serde_json::from_slice(&std::fs::read(recorded.join("index.json")).unwrap()).unwrap();
    let folder = Folder::new();
    let tables = folder.write("tables.npz", std::fs::read(recorded.join("tables.npz")).unwrap());
    let mut presets = BTreeSet::new();
    for table in index["tables"].as_array().unwrap() {
        let text = |key: &str| table[key].as_str().unwrap();
        let mut words: Vec<_> = text("command").split(' ').skip(1).collect();
        let head_dim = words.iter().position(|word| *word == "--head-dim").unwrap();
        words.drain(head_dim..head_dim + 2);
        let preset = words.iter().position(|word| *word == "--preset").unwrap() + 1;
        presets.insert(words[preset].to_owned());
        let close = if table["is_exact"] == true { String::new() } else { format!(" --max-error {OF_F32}") };
        folder.posenc(&format!("compare {tables} --name {} {}{close}", text("name"), words.join(" "))).status(0);
    }
    let all = AxialPreset::ALL.iter().map(|preset| preset.name().to_owned()).collect();
    assert_eq!(presets, all, "presets of which no model is recorded");
}
