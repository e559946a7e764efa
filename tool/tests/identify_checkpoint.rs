//! `posenc identify` about all tensors of files, indexes and folders.

use std::fs;
use std::path::Path;

use posenc::half::bf16;
use posenc::{Packing, Preset, Q7, Repeat, Rope, Spec};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::common::{Folder, write_npy};

/// A tensor with its bytes.
struct Tensor {
    name: &'static str,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Tensor {
    fn of(name: &'static str, shape: &[usize], entries: &[f32]) -> Self {
        let bytes = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        Self { name, dtype: Dtype::F32, shape: shape.to_vec(), bytes }
    }

    fn table(name: &'static str, spec: &Spec, seq_len: usize) -> Self {
        Self::of(name, &[seq_len, spec.d_model()], spec.table::<f32>(seq_len).unwrap().as_slice())
    }

    /// Weights are random numbers.
    fn weights(name: &'static str, shape: &[usize]) -> Self {
        let entry = |i: u32| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0 - 0.5;
        Self::of(name, shape, &(0..).take(shape.iter().product()).map(entry).collect::<Vec<_>>())
    }
}

fn save(path: &Path, tensors: &[Tensor]) {
    let views = tensors
        .iter()
        .map(|tensor| (tensor.name, TensorView::new(tensor.dtype, tensor.shape.clone(), &tensor.bytes).unwrap()));
    fs::write(path, safetensors::serialize(views, None).unwrap()).unwrap();
}

fn whisper() -> Tensor {
    Tensor::table("encoder.positions", &Spec::preset(Preset::Whisper, 32), 60)
}

fn cosines() -> Tensor {
    let spec = Rope::new(32).repeat(Repeat::Halves).packed(Packing::Cos).unwrap();
    Tensor::table("rotary.cos", &spec, 80)
}

/// The lines of a checkpoint in one file: its tables in the order of the file, and one that nearly is a table.
#[test]
fn all_tensors_of_a_file() {
    let folder = Folder::new();
    let integers = Spec::new(16).table::<Q7>(40).unwrap();
    let bytes = integers.as_slice().iter().map(|entry| entry.to_bits().cast_unsigned()).collect();
    let mut wrong = whisper();
    wrong.name = "wrong";
    wrong.bytes[4 * (32 * 7 + 3) + 3] ^= 0x40;
    let mut learned = Tensor::weights("learned", &[60, 32]);
    learned.bytes[4..8].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let tensors = [
        whisper(),
        cosines(),
        Tensor { name: "quantised", dtype: Dtype::I8, shape: vec![1, 40, 16], bytes },
        wrong,
        learned,
        Tensor::weights("weight", &[64, 32]),
        Tensor::weights("bias", &[64]),
        Tensor::weights("convolution", &[8, 4, 3, 3]),
        Tensor { name: "ids", dtype: Dtype::I64, shape: vec![1, 4], bytes: vec![0; 32] },
        Tensor::weights("empty", &[0, 4]),
        Tensor::weights("short", &[2, 32]),
    ];
    save(&folder.path("model.safetensors"), &tensors);
    let told = folder.posenc("identify model.safetensors").done();
    assert_eq!(told.err(), "");
    let mut lines: Vec<_> = told.out().lines().map(str::to_owned).collect();
    assert_eq!(lines.pop().unwrap(), "tables: 3 of 11 tensors in 1 file, 1 nearly; --name describes one in detail");
    lines.sort();
    let expected = [
        "encoder.positions: 60 x 32 f32, tensor2tensor, fairseq, whisper, marian_nmt, ddpm, bitwise identical to the exact table",
        "quantised: 40 x 16 i8, sinusoidal_table!(40, 16, dtype = q7), equal to the exact table",
        "rotary.cos: 80 x 32 f32, rotary_table!(80, 32, repeat = halves, packing = cos), bitwise identical to the exact table",
    ];
    assert_eq!(lines[..3], expected);
    assert!(
        lines[3].starts_with("wrong: 60 x 32 f32, nothing fits; nearest sinusoidal_table!(60, 32, "),
        "{}",
        lines[3]
    );
    assert!(lines[3].ends_with("1 of 60 rows differ, the first is row 7") && lines.len() == 4, "{}", lines[3]);

    // A single table is described in detail, also if it is chosen.
    folder.posenc("identify model.safetensors --name rotary.cos").done().says("\n  rotary   base 10000");
    save(&folder.path("one.safetensors"), &[whisper(), Tensor::weights("bias", &[64])]);
    folder.posenc("identify one.safetensors").done().says("\n  presets  tensor2tensor, ");
}

/// Folders, indexes and several files, with the exit status of the best answer.
#[test]
fn files_of_a_checkpoint() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("model/text")).unwrap();
    save(&folder.path("model/1-of-2.safetensors"), &[whisper(), Tensor::weights("a", &[40, 40])]);
    save(&folder.path("model/2-of-2.safetensors"), &[Tensor::weights("b", &[40, 40]), cosines()]);
    let index =
        r#"{"weight_map": {"rotary.cos": "2-of-2.safetensors", "a": "1-of-2.safetensors", "b": "2-of-2.safetensors"}}"#;
    folder.write("model/model.safetensors.index.json", index);
    write_npy(&folder.path("model/text/pe.npy"), &[9, 16], Spec::new(16).table::<f32>(9).unwrap().as_slice());
    write_npy(&folder.path("noise.npy"), &[20, 16], &vec![0.25_f32; 320]);
    folder.write("model/config.json", "{}");

    let told = folder.posenc("identify model/model.safetensors.index.json").done();
    let (first, second) =
        ("model/1-of-2.safetensors: encoder.positions: 60 x 32", "model/2-of-2.safetensors: rotary.cos: 80 x 32");
    let told = told.says(first).says(second).says("tables: 2 of 4 tensors in 2 files;");
    assert_eq!(told.out().lines().count(), 3);
    let of_folder = folder.posenc("identify model").done().says(first).says(second);
    of_folder.says("model/text/pe.npy: 9 x 16 f32, paper, ").says("tables: 3 of 5 tensors in 3 files;");
    let several = folder.posenc("identify noise.npy model/text/pe.npy").done();
    several.says("model/text/pe.npy: 9 x 16 f32, paper, ").says("tables: 1 of 2 tensors in 2 files;");
    folder.posenc("identify noise.npy noise.npy").status(1).says("tables: 0 of 2 tensors in 2 files;");
    let quiet = folder.posenc("identify model --quiet").done();
    assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()));

    folder.posenc("identify model --name rotary.cos").done().says("\n  rotary   base 10000");
    folder
        .posenc("identify model/model.safetensors.index.json --name x")
        .refused("no file has a tensor `x`; leave --name out");

    // What cannot be read does not hide the rest.
    folder.write("model/bad.safetensors", "PK");
    let told = folder.posenc("identify model").status(2).says(first).says("tables: 3 of 5 tensors in 3 files;");
    assert!(told.err().starts_with("error: `model/bad.safetensors` is damaged"), "{}", told.err());
    assert_eq!(told.err().lines().count(), 1);
    folder.posenc("identify model --name rotary.cos").done();
    folder.posenc("identify model --name x").refused("`model/bad.safetensors` is damaged");
    fs::remove_file(folder.path("model/2-of-2.safetensors")).unwrap();
    let told = folder.posenc("identify model/model.safetensors.index.json nope.npy").status(2).says(first);
    assert!(told.err().contains("`model/2-of-2.safetensors` cannot be opened: "), "{}", told.err());
    assert!(told.err().contains("`nope.npy` cannot be opened: "), "{}", told.err());
}

/// A guess among the tables is the exit status of all.
#[test]
fn guesses_in_a_checkpoint() {
    let folder = Folder::new();
    let entries = Spec::new(16).base(7117.0).freq_shift(1.0).table::<bf16>(60).unwrap().into_vec();
    let bytes = entries.into_iter().flat_map(bf16::to_le_bytes).collect();
    save(
        &folder.path("pe.safetensors"),
        &[whisper(), Tensor { name: "guess", dtype: Dtype::BF16, shape: vec![60, 16], bytes }],
    );
    let told =
        folder.posenc("identify pe.safetensors").status(3).says("encoder.positions: 60 x 32 f32, tensor2tensor, ");
    told.says("guess: 60 x 16 bf16, sinusoidal_table!(60, 16, base = 7117.0, freq_shift = 1.0, dtype = bf16) or another table, ");
}

#[test]
fn indexes_and_folders_are_untrusted() {
    let folder = Folder::new();
    write_npy(&folder.path("pe.npy"), &[9, 16], Spec::new(16).table::<f32>(9).unwrap().as_slice());
    fs::create_dir(folder.path("within")).unwrap();
    for (index, words) in [
        (r#"{"weight_map": {"a": "../pe.npy"}}"#, "lists the file `../pe.npy`, but must list files in its own folder"),
        (r#"{"weight_map": {"a": "/etc/passwd"}}"#, "lists the file `/etc/passwd`"),
        (r#"{"weight_map": {}}"#, "is an index without tensors"),
        ("{}", "is no index of a checkpoint: missing field `weight_map`"),
        ("[", "is no index of a checkpoint: EOF"),
    ] {
        folder.write("within/a.index.json", index);
        folder.posenc("identify within/a.index.json").refused(words);
        folder.posenc("compare within/a.index.json").refused("is neither a .npy, a .npz nor a .safetensors file");
    }
    folder.posenc("identify within").refused("`within` is a folder without .npy, .npz and .safetensors files; save");
    folder.posenc("identify nope.index.json").refused("`nope.index.json` cannot be opened");

    // A name cannot control the terminal.
    let mut table = whisper();
    table.name = "a\u{1b}[31mb\n";
    save(&folder.path("names.safetensors"), &[table, Tensor::weights("b", &[40, 40])]);
    folder.posenc("identify names.safetensors").done().says("a [31mb : 60 x 32 f32");

    // An entry that is not finite, below the rows that are looked at first, is a failure of this tensor.
    let mut table = whisper();
    table.bytes[4 * 32 * 40..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    save(&folder.path("nan.safetensors"), &[table, cosines()]);
    let told = folder.posenc("identify nan.safetensors").status(2).says("rotary.cos: 80 x 32");
    let words = "error: `nan.safetensors` has an entry that is not finite, in row 40, column 0, so this is no table (tensor `encoder.positions`)\n";
    assert_eq!(told.err(), words);
}
