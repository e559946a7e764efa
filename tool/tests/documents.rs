//! What the README and the documents of the command show in a console is what it prints.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use posenc::half::bf16;
use posenc::{Packing, Repeat, Rope, RopePreset};
use safetensors::Dtype;

use crate::common::{Folder, write_npy};
use crate::identify_checkpoint::{Tensor, save};

const ROWS: u16 = 1500;
const COLUMNS: u16 = 384;

#[test]
fn consoles_show_what_is_printed() {
    let folder = Folder::new();
    write_npy(&folder.path("model.npy"), &[ROWS.into(), COLUMNS.into()], &model());
    write_checkpoint(&folder);
    for (document, least) in [("README.md", 11), ("docs/json.md", 1), ("../README.md", 2)] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).unwrap();
        let consoles: Vec<_> = text.split("\n```console\n$ ").skip(1).collect();
        assert!(consoles.len() >= least, "{document}: {} consoles", consoles.len());
        for console in consoles {
            let (console, _) = console.split_once("```").unwrap();
            for shown in console.split("\n$ ") {
                let (line, output) = shown.split_once('\n').unwrap_or((shown, ""));
                if let Some(file) = line.strip_prefix("cat ") {
                    folder.write(file, output);
                } else if !line.starts_with("cargo ") {
                    assert_eq!(printed(&folder, line).trim_end(), output.trim_end(), "{document}: {line}");
                }
            }
        }
    }
}

/// Whisper's table as its code computes it in `f32`, except that each function is rounded correctly on every system.
#[expect(clippy::cast_possible_truncation, reason = "it is rounded to `f32`")]
fn model() -> Vec<f32> {
    let half = COLUMNS / 2;
    let rounded = |function: fn(f64) -> f64, x: f32| function(x.into()) as f32;
    let step = rounded(f64::ln, 10_000.0) / f32::from(half - 1);
    let frequencies: Vec<f32> = (0..half).map(|k| rounded(f64::exp, -step * f32::from(k))).collect();
    let row = |row: u16| {
        let angles = frequencies.iter().map(move |frequency| f32::from(row) * frequency);
        angles.clone().map(move |x| rounded(f64::sin, x)).chain(angles.map(move |x| rounded(f64::cos, x)))
    };
    (0..ROWS).flat_map(row).collect()
}

/// Writes two files with two tables, two matrices of weights and three vectors, of which one has frequencies.
fn write_checkpoint(folder: &Folder) {
    let positions = Tensor::of("encoder.embed_positions.weight", &[ROWS.into(), COLUMNS.into()], &model());
    let cosines = Rope::new(64).repeat(Repeat::Halves).packed(Packing::Cos).unwrap().table::<bf16>(2048).unwrap();
    let bytes = cosines.as_slice().iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let cosines = Tensor { name: "decoder.rotary.cos", dtype: Dtype::BF16, shape: vec![2048, 64], bytes };
    let files = [
        [positions, Tensor::weights("encoder.fc", &[64, 64]), Tensor::weights("encoder.bias", &[64])].into_iter(),
        [cosines, Tensor::weights("decoder.fc", &[64, 64]), Tensor::weights("decoder.bias", &[64])].into_iter(),
    ];
    let frequencies = Rope::preset(RopePreset::Llama3_1).inv_freq::<f32>().unwrap();
    let frequencies = [None, Some(Tensor::of("decoder.rotary.inv_freq", &[64], &frequencies))];
    let mut index = serde_json::Map::new();
    for (number, (tensors, frequencies)) in (1..).zip(files.into_iter().zip(frequencies)) {
        let (file, tensors) =
            (format!("model-{number:05}-of-00002.safetensors"), tensors.chain(frequencies).collect::<Vec<_>>());
        index.extend(tensors.iter().map(|tensor| (tensor.name.to_owned(), file.clone().into())));
        save(&folder.path(&file), &tensors);
    }
    folder.write("model.safetensors.index.json", serde_json::json!({ "weight_map": index }).to_string());
}

/// Returns what a shell prints that finds the command.
fn printed(folder: &Folder, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_posenc")).parent().unwrap();
    let others = env::var_os("PATH").unwrap();
    let path = env::join_paths([program.to_owned()].into_iter().chain(env::split_paths(&others))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {line}")]).current_dir(folder.path("")).env_clear().env("PATH", path);
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}
