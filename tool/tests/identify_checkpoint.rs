//! `posenc identify` about all tensors of files, indexes and folders.

use std::fs;
use std::path::Path;

use posenc::half::bf16;
use posenc::{Packing, Preset, Q7, Repeat, Rope, Spec};
use posenc_cli::candidates;
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::archives::write_npz;
use crate::common::{Folder, write_npy};

/// A tensor with its bytes.
pub(crate) struct Tensor {
    pub(crate) name: &'static str,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Tensor {
    pub(crate) fn of(name: &'static str, shape: &[usize], entries: &[f32]) -> Self {
        let bytes = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        Self { name, dtype: Dtype::F32, shape: shape.to_vec(), bytes }
    }

    fn table(name: &'static str, spec: &Spec, seq_len: usize) -> Self {
        Self::of(name, &[seq_len, spec.d_model()], spec.table::<f32>(seq_len).unwrap().as_slice())
    }

    /// Weights are random numbers.
    pub(crate) fn weights(name: &'static str, shape: &[usize]) -> Self {
        let entry = |i: u32| (hash(i) >> 8) as f32 / 16_777_216.0 - 0.5;
        Self::of(name, shape, &(0..).take(shape.iter().product()).map(entry).collect::<Vec<_>>())
    }
}

fn hash(i: u32) -> u32 {
    let mixed = (i ^ i >> 16).wrapping_mul(0x7feb_352d);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x846c_a68b);
    mixed ^ mixed >> 16
}

pub(crate) fn save(path: &Path, tensors: &[Tensor]) {
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
    assert_eq!(
        lines.pop().unwrap(),
        "tables: 3 of 8 matrices in 1 file, 1 nearly, beside 3 other tensors; --name describes one in detail"
    );
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
    let told = told.says(first).says(second).says("tables: 2 of 4 matrices in 2 files;");
    assert_eq!(told.out().lines().count(), 3);
    let of_folder = folder.posenc("identify model").done().says(first).says(second);
    of_folder.says("model/text/pe.npy: 9 x 16 f32, paper, ").says("tables: 3 of 5 matrices in 3 files;");
    let several = folder.posenc("identify noise.npy model/text/pe.npy").done();
    several.says("model/text/pe.npy: 9 x 16 f32, paper, ").says("tables: 1 of 2 matrices in 2 files\n");
    folder.posenc("identify noise.npy noise.npy").status(1).says("tables: 0 of 2 matrices in 2 files\n");
    let quiet = folder.posenc("identify model --quiet").done();
    assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()));

    folder
        .posenc("identify model --name rotary.cos")
        .done()
        .says("\n  rotary   base 10000")
        .says("-o exact.safetensors");
    fs::copy(folder.path("model/text/pe.npy"), folder.path("model/exact.safetensors")).unwrap();
    folder.posenc("identify model --json").done().says("-o exact-table.safetensors");
    fs::remove_file(folder.path("model/exact.safetensors")).unwrap();
    folder
        .posenc("identify model/model.safetensors.index.json --name x")
        .refused("no file has a tensor `x`; leave --name out");

    // What cannot be read does not hide the rest.
    folder.write("model/bad.safetensors", "PK");
    let told = folder.posenc("identify model").status(2).says(first).says("tables: 3 of 5 matrices in 3 files;");
    assert!(told.err().starts_with("error: `model/bad.safetensors` is damaged"), "{}", told.err());
    assert_eq!(told.err().lines().count(), 1);
    folder.posenc("identify model --name rotary.cos").done();
    folder.posenc("identify model --name x").refused("`model/bad.safetensors` is damaged");
    fs::create_dir(folder.path("none")).unwrap();
    let told = folder.posenc("identify none model/text").status(2).says("tables: 1 of 1 matrix in 1 file\n");
    assert!(told.err().starts_with("error: `none` is a folder without"), "{}", told.err());
    fs::copy(folder.path("model/2-of-2.safetensors"), folder.path("copy.safetensors")).unwrap();
    let both = "several files have a tensor `rotary.cos`; choose one of `model/2-of-2.safetensors`, `copy.safetensors`";
    folder.posenc("identify model copy.safetensors --name rotary.cos").refused(both);
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

    // An entry that is not finite, below the rows that are looked at first.
    let mut table = whisper();
    table.bytes[4 * 32 * 40..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    save(&folder.path("nan.safetensors"), &[table, cosines()]);
    let told = folder.posenc("identify nan.safetensors").done().says("rotary.cos: 80 x 32");
    told.says("encoder.positions: 60 x 32 f32, nothing fits: the entry in row 40, column 0 is not finite\n");
}

/// Stdin and archives have no places that could be opened twice.
#[test]
fn tensors_of_stdin_and_archives() {
    let folder = Folder::new();
    save(&folder.path("two.safetensors"), &[whisper(), Tensor::weights("b", &[40, 40])]);
    let bytes = fs::read(folder.path("two.safetensors")).unwrap();
    let ran = folder.posenc_reading("identify -", &bytes).done();
    ran.says("encoder.positions: 60 x 32 f32, tensor2tensor, ").says("tables: 1 of 2 matrices in 1 file;");
    folder.posenc_reading("identify - -", &bytes).refused("`-` is given twice, but stdin can be read only once");

    write_npy(&folder.path("pe.npy"), &[9, 16], Spec::new(16).table::<f32>(9).unwrap().as_slice());
    write_npy(&folder.path("long.npy"), &[3], &[1_i64, 2, 3]);
    let [pe, other] = ["pe.npy", "long.npy"].map(|name| fs::read(folder.path(name)).unwrap());
    write_npz(&folder.path("a.npz"), &[("pe.npy", pe), ("other.npy", other)], true);
    let told = folder.posenc("identify a.npz").done().says("pe: 9 x 16 f32, paper, ");
    told.says("tables: 1 of 1 matrix in 1 file, beside 1 other tensor; --name describes one in detail\n");
}

/// Integers beside a single matrix of floats are looked at too, and a file without matrices has no tables.
#[test]
fn files_with_one_matrix_or_none() {
    let folder = Folder::new();
    let integers = Spec::new(16).table::<Q7>(40).unwrap();
    let bytes = integers.as_slice().iter().map(|entry| entry.to_bits().cast_unsigned()).collect();
    let quantised = Tensor { name: "quantised", dtype: Dtype::I8, shape: vec![40, 16], bytes };
    save(&folder.path("pe.safetensors"), &[quantised, Tensor::weights("w", &[64, 64])]);
    folder
        .posenc("identify pe.safetensors")
        .done()
        .says("quantised: 40 x 16 i8, sinusoidal_table!(40, 16, dtype = q7)");
    save(&folder.path("none.safetensors"), &[Tensor::weights("bias", &[64]), Tensor::weights("c", &[4, 4, 4])]);
    folder
        .posenc("identify none.safetensors")
        .status(1)
        .says("tables: 0 of 0 matrices in 1 file, beside 2 other tensors; a matrix has floats of 16 to 64 bits, or");
}

/// Weights, masks, constants, coarse integers and the like take no search. The transpose of a table does.
#[test]
fn what_is_obviously_no_table() {
    let folder = Folder::new();
    let integers = |name, values: fn(u32) -> u32| {
        let value = |i: u32| u8::try_from(values(hash(i))).unwrap();
        Tensor { name, dtype: Dtype::U8, shape: vec![64, 512], bytes: (0..64 * 512).map(value).collect() }
    };
    let matrix = |name, entry: fn(usize, usize) -> f32| {
        let entries: Vec<f32> = (0..64 * 64).map(|i| entry(i / 64, i % 64)).collect();
        Tensor::of(name, &[64, 64], &entries)
    };
    let cosines = Spec::new(48).table::<f32>(100).unwrap();
    let turned: Vec<f32> = (0..48).flat_map(|j| cosines.rows().map(move |row| row[j])).collect();
    save(
        &folder.path("pe.safetensors"),
        &[
            Tensor::weights("weights", &[512, 64]),
            Tensor::weights("wide", &[5, 5000]),
            Tensor::weights("short", &[4, 64]),
            Tensor::weights("narrow", &[512, 3]),
            integers("int4", |i| i % 16),
            integers("int8", |i| 100 + i % 20),
            matrix("zeros", |_, _| 0.0),
            matrix("ones", |_, _| 1.0),
            matrix("identity", |i, j| f32::from(u8::from(i == j))),
            matrix("causal", |i, j| f32::from(u8::from(i >= j))),
            matrix("mask", |i, j| if i >= j { 0.0 } else { f32::MIN }),
            matrix("bands", |i, j| (1.0 - 0.25 * (i as f32 * 1.5 - j as f32).abs()).max(0.0)),
            whisper(),
            Tensor::of("turned", &[48, 100], &turned),
        ],
    );
    let mut found = candidates(&folder.path("pe.safetensors")).unwrap();
    found.sort();
    assert_eq!(found, ["encoder.positions", "turned"].map(|name| Some(name.to_owned())));
    folder
        .posenc("identify pe.safetensors")
        .done()
        .says("turned: 48 x 100 f32, nothing fits as it is; turned: the transpose");
    // All is within so large a tolerance.
    folder.posenc("identify pe.safetensors --tolerance 0.5").status(1).says("tables: 0 of 14 matrices");
}

#[cfg(unix)]
#[test]
fn links_in_a_folder() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    fs::create_dir_all(folder.path("model/blobs")).unwrap();
    save(&folder.path("blob"), &[whisper(), Tensor::weights("b", &[40, 40])]);
    symlink("../blob", folder.path("model/model.safetensors")).unwrap();
    symlink("nowhere", folder.path("model/README.md")).unwrap();
    symlink("..", folder.path("model/blobs/loop")).unwrap();
    folder.posenc("identify model").done().says("tables: 1 of 2 matrices in 1 file;");
    symlink("nowhere", folder.path("model/other.npy")).unwrap();
    let told = folder.posenc("identify model").status(2).says("tables: 1 of 2 matrices in 1 file;");
    assert!(told.err().starts_with("error: `model/other.npy` cannot be read: "), "{}", told.err());
    // An index can only list regular files, so that the command neither waits for a pipe nor reads stdin.
    fs::create_dir(folder.path("model/a.npy")).unwrap();
    for name in ["a.npy", "-", ""] {
        folder.write("model/a.index.json", format!(r#"{{"weight_map": {{"a": "{name}"}}}}"#));
        let ran = folder.posenc("identify model/a.index.json");
        assert!(ran.code() == 2 && !ran.err().is_empty(), "{name}: {}", ran.out());
    }
}
