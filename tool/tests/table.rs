//! `posenc table`: its files are read back, and a failed run leaves nothing behind.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use posenc::half::{bf16, f16};
use posenc::{Amplitude, Element, Layout, Odd, Order, Packing, Preset, Repeat, Rope, RopePreset, Scaling, Spec};
use safetensors::{Dtype, SafeTensors};

use crate::common::Folder;

fn little_endian<T: Element, const N: usize>(spec: &Spec, seq_len: usize, bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    spec.table::<T>(seq_len).unwrap().into_vec().into_iter().flat_map(bytes).collect()
}

#[test]
fn npy_files_are_read_back() {
    let folder = Folder::new();
    let spec = Spec::preset(Preset::Whisper, 12);
    folder.posenc("table --preset whisper --seq-len 9 --d-model 12 -o pe.npy").done();
    let npy = npyz::NpyFile::new(fs::File::open(folder.path("pe.npy")).unwrap()).unwrap();
    assert_eq!((npy.shape(), npy.order()), (&[9, 12][..], npyz::Order::C));
    assert_eq!(npy.into_vec::<f32>().unwrap(), spec.table::<f32>(9).unwrap().into_vec());

    folder.posenc("table --preset whisper --seq-len 9 --d-model 12 --dtype f64 -o pe.npy").done();
    let npy = npyz::NpyFile::new(fs::File::open(folder.path("pe.npy")).unwrap()).unwrap();
    assert_eq!(npy.into_vec::<f64>().unwrap(), spec.table::<f64>(9).unwrap().into_vec());

    folder.posenc("table --preset whisper --seq-len 9 --d-model 12 --dtype f16 -o pe.npy").done();
    let npy = npyz::NpyFile::new(fs::File::open(folder.path("pe.npy")).unwrap()).unwrap();
    assert_eq!(npy.into_vec::<f16>().unwrap(), spec.table::<f16>(9).unwrap().into_vec());

    folder.posenc("table --seq-len 9 --d-model 12 --dtype bf16 -o bf16.npy").refused("NumPy has no bf16");
    assert_eq!(folder.names(), ["pe.npy"]);
}

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
    folder.posenc("rope --head-dim 64 -o x.npy").refused("--seq-len is missing");
    folder.posenc("rope --head-dim 7 --seq-len 9 -o x.npy").refused("the rotary width is 7, but must be even");
    folder.posenc("rope --preset lama2 --seq-len 9 -o x.npy").refused("did you mean `llama2`?");
    folder
        .posenc("rope --head-dim 8 --scaling yarn(2) --seq-len 9 -o x.npy")
        .refused("lacks `original_max_position_embeddings`");
    fs::write(folder.path("config.json"), r#"{"head_dim": 8, "rope_scaling": {"type": "fope"}}"#).unwrap();
    folder.posenc("rope --config config.json --seq-len 9 -o x.npy").refused("has the rope type `fope`");
    assert!(!folder.names().contains(&"x.npy".to_owned()));
}

#[test]
fn numpy_reads_them() {
    let python = Command::new("python3").args(["-c", "import numpy"]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        println!("skipped: there is no python3 with numpy");
        return;
    }
    let folder = Folder::new();
    folder.posenc("table --seq-len 5 --d-model 6 -o pe.npy").done();
    let script = "import numpy, sys; pe = numpy.load(sys.argv[1]); sys.stdout.buffer.write(pe.tobytes()); assert pe.shape == (5, 6)";
    let read = Command::new("python3").args(["-c", script]).arg(folder.path("pe.npy")).output().unwrap();
    assert_eq!(read.stdout, little_endian(&Spec::new(6), 5, f32::to_le_bytes));
}

#[test]
fn safetensors_and_raw_files_are_read_back() {
    let folder = Folder::new();
    let spec = Spec::new(6).base(500.0).start(-3);
    for (dtype, name, bytes) in [
        ("f32", Dtype::F32, little_endian(&spec, 7, f32::to_le_bytes)),
        ("f64", Dtype::F64, little_endian(&spec, 7, f64::to_le_bytes)),
        ("f16", Dtype::F16, little_endian(&spec, 7, f16::to_le_bytes)),
        ("bf16", Dtype::BF16, little_endian(&spec, 7, bf16::to_le_bytes)),
    ] {
        let line = format!("table --seq-len 7 --d-model 6 --base 500 --start -3 --dtype {dtype}");
        folder.posenc(&format!("{line} --name a.b -o pe.safetensors")).done();
        let file = fs::read(folder.path("pe.safetensors")).unwrap();
        let tensors = SafeTensors::deserialize(&file).unwrap();
        let tensor = tensors.tensor("a.b").unwrap();
        assert_eq!((tensor.dtype(), tensor.shape(), tensor.data()), (name, &[7, 6][..], bytes.as_slice()));
        let (_, metadata) = SafeTensors::read_metadata(&file).unwrap();
        let call = &metadata.metadata().as_ref().unwrap()["posenc"];
        let further = if dtype == "f32" { String::new() } else { format!(", dtype = {dtype}") };
        assert_eq!(*call, format!("sinusoidal_table!(7, 6, base = 500.0, start = -3{further})"));

        folder.posenc(&format!("{line} -o pe.bin")).done();
        assert_eq!(fs::read(folder.path("pe.bin")).unwrap(), bytes);
        assert_eq!(folder.posenc(&format!("{line} --format bin -o -")).done().bytes(), bytes);
    }
}

/// The table is written in several pieces, with the zero row in a later one.
#[test]
fn a_table_in_pieces_is_the_table() {
    let folder = Folder::new();
    let (rows, width) = (9000, 512);
    folder.posenc(&format!("table --seq-len {rows} --d-model {width} --zero-row 8000 -o pe.bin")).done();
    let expected = little_endian(&Spec::new(width).zero_row(8000), rows, f32::to_le_bytes);
    assert!(fs::read(folder.path("pe.bin")).unwrap() == expected);
}

#[test]
fn every_parameter_has_an_option() {
    let folder = Folder::new();
    let cases = [
        ("--freq-shift 1 --layout halves --order cos-sin --odd zero", {
            Spec::new(8).freq_shift(1.0).layout(Layout::Halves).order(Order::CosSin).odd(Odd::Zero)
        }),
        ("--frequencies -1,0.5,2e-3,0", Spec::new(8).frequencies(&[-1.0, 0.5, 2e-3, 0.0])),
        ("--columns cos --scale 0.125", Spec::new(8).columns(posenc::Columns::Cos).scale(0.125)),
        ("--pairing unpaired --step -2 --start 7", Spec::new(8).pairing(posenc::Pairing::Unpaired).step(-2).start(7)),
        ("--amplitude rsqrt_d", Spec::new(8).amplitude(Amplitude::RsqrtD)),
        ("--amplitude -0.25", Spec::new(8).amplitude(Amplitude::Value(-0.25))),
        ("--preset mlx --amplitude sqrt-2-over-d --base 1e2", Spec::preset(Preset::Mlx, 8).base(100.0)),
    ];
    for (options, spec) in cases {
        folder.posenc(&format!("table --seq-len 4 --d-model 8 {options} -o pe.bin")).done();
        let expected = little_endian(&spec, 4, f32::to_le_bytes);
        assert_eq!(fs::read(folder.path("pe.bin")).unwrap(), expected, "{options}");
    }
}

#[test]
fn it_tells_what_it_wrote() {
    let folder = Folder::new();
    let ran = folder.posenc("table --seq-len 3 --d-model 4 --layout halves -o pe.bin").done();
    assert!(
        ran.err().ends_with("pe.bin: 3 x 4 f32, 48 bytes: sinusoidal_table!(3, 4, layout = halves)\n"),
        "{}",
        ran.err()
    );
    folder.posenc("table --seq-len 0 --d-model 4 -o pe.bin").done();
    assert!(fs::read(folder.path("pe.bin")).unwrap().is_empty());
}

#[test]
fn misuse_is_told_in_a_sentence() {
    let folder = Folder::new();
    for (options, words) in [
        ("--d-model 8 -o pe.npy", "--seq-len is missing"),
        ("--seq-len 8 -o pe.npy", "--d-model is missing"),
        (
            "--seq-len 8 --d-model 8 -o pe.txt",
            "use the extension .npy, .safetensors, .bin, .h, .c, .rs or .csv, or --format",
        ),
        ("--seq-len 8 --d-model 8 -o -", "or --format"),
        ("--seq-len 8 --d-model 0 -o pe.npy", "`d_model` is 0"),
        ("--seq-len 8 --d-model 8 --base -1 -o pe.npy", "`base` is -1.0, but must be finite and greater than 0"),
        ("--seq-len 8 --d-model 8 --base nan -o pe.npy", "`base` is NaN"),
        ("--seq-len 8 --d-model 8 --base x -o pe.npy", "`x` is not a number"),
        ("--seq-len x --d-model 8 -o pe.npy", "`x` is not a number"),
        ("--seq-len 8.5 --d-model 8 -o pe.npy", "`seq_len` is 8.5, but must be an integer"),
        ("--seq-len 1_0.5 --d-model 8 -o pe.npy", "`seq_len` is 10.5, but must be an integer"),
        (
            "--seq-len 1000000000000000000000000000000000000000000 --d-model 8 -o pe.npy",
            "`seq_len` is 1000000000000000000000000000000000000000000, but must have at most 38 digits",
        ),
        ("--seq-len 1_000 --d-model 0 -o pe.npy", "`d_model` is 0"),
        ("--seq-len 8 --d-model 8 --start 1.5 -o pe.npy", "`start` is 1.5, but must be an integer"),
        ("--seq-len 8 --d-model 8 --step 9223372036854775808 -o pe.npy", "`step` is 9223372036854775808, but must be"),
        ("--seq-len 8 --d-model 8 --preset wisper -o pe.npy", "did you mean `whisper`?"),
        ("--seq-len 8 --d-model 8 --preset flux -o pe.npy", "use `adm` with `scale = 1000`"),
        ("--seq-len 8 --d-model 8 --layout split -o pe.npy", "use `halves`"),
        ("--seq-len 8 --d-model 8 --preset whisper --columns sin -o pe.npy", "conflicts with"),
        ("--seq-len 8 --d-model 7 --preset whisper -o pe.npy", "odd"),
        ("--seq-len 8 --d-model 8 --preset transformer_xl -o pe.npy", "`start` is missing"),
        ("--seq-len 8 --d-model 8 --zero-row 8 -o pe.npy", "`zero_row` is 8"),
        ("--seq-len 99999999999999 --d-model 16777216 -o pe.npy", "bytes"),
        ("--seq-len 8 --d-model 8 --frequencies 1,2 -o pe.npy", "frequencies"),
        (
            "--seq-len 8 --d-model 4 --frequencies 1,2 --base 3 -o pe.npy",
            "`frequencies = [...]` conflicts with `base = ...`: the frequencies are given, so they are not computed",
        ),
        (
            "--seq-len 8 --d-model 4 --freq-shift 1 --frequencies 1,2 -o pe.npy",
            "`frequencies = [...]` conflicts with `freq_shift = ...`",
        ),
        ("--seq-len 8 --d-model 8 --name __metadata__ -o pe.safetensors", "reserved"),
        ("--seq-len 8 --d-model 8 --nonsense", "--nonsense"),
    ] {
        folder.posenc(&format!("table {options}")).refused(words);
    }
    assert_eq!(folder.names(), Vec::<String>::new());
}

/// An existing file stays until the new table is complete, and no partial file is left.
#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = Folder::new();
    folder.write("file", "not a folder");
    folder.posenc("table --seq-len 8 --d-model 8 -o file/pe.npy").refused("cannot write");
    folder.posenc("table --seq-len 8 --d-model 8 -o nowhere/pe.npy").refused("cannot write");
    fs::create_dir(folder.path("folder.npy")).unwrap();
    folder.posenc("table --seq-len 8 --d-model 8 -o folder.npy").refused("it is a directory");
    assert_eq!(folder.names().len(), 2);
    if fs::metadata("/dev/full").is_ok() {
        folder.posenc("table --seq-len 8 --d-model 8 --format bin -o /dev/full").refused("cannot write `/dev/full`");
    }
}

/// A limit on file sizes simulates a full disk. (The unit of the shell is 512 or 1024 bytes.)
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = Folder::new();
    folder.write("pe.npy", "the old one");
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" table --seq-len 4096 --d-model 64 -o pe.npy";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_posenc")]).current_dir(folder.path(""));
    let ran = command.output().unwrap();
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot write") && error.contains("an existing file is unchanged"), "{error}");
    assert_eq!(folder.names(), ["pe.npy"]);
    assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    fs::create_dir(folder.path("closed")).unwrap();
    fs::set_permissions(folder.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path("closed/probe"), "").is_ok() {
        println!("skipped: this user may write to a read-only folder");
        return;
    }
    folder.posenc("table --seq-len 8 --d-model 8 -o closed/pe.npy").refused("cannot write");
}

/// A run that is stopped by a signal soon after the start leaves the target unchanged and removes its own file.
#[cfg(unix)]
#[test]
fn a_stopped_run_leaves_the_old_table_and_nothing_else() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        folder.write("pe.npy", "the old one");
        let mut child = begun(&folder);
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(folder.names(), ["pe.npy"], "{signal}");
        assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
    }
}

/// Starts a run that replaces an old file, and waits until it has begun to write.
fn begun(folder: &Folder) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posenc"));
    let line = "table --seq-len 4000000 --d-model 512 -o pe.npy";
    let child = command.args(line.split(' ')).current_dir(folder.path("")).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    let part = || folder.names().into_iter().find(|name| name != "pe.npy");
    let length = |name: &String| fs::metadata(folder.path(name)).map_or(0, |facts| facts.len());
    while part().as_ref().map_or(0, length) == 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "nothing is written");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// The signal of `kill` cannot be handled.
#[test]
fn an_interrupted_run_leaves_the_old_table() {
    let folder = Folder::new();
    folder.write("pe.npy", "the old one");
    let mut child = begun(&folder);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it was too quick to be interrupted");
    assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
}

/// A file that stdout is redirected to is written to, and not replaced.
#[cfg(unix)]
#[test]
fn a_redirected_stdout_keeps_what_it_has() {
    let folder = Folder::new();
    let script = "echo head > f; \"$0\" table --seq-len 1 --d-model 2 --format bin -o /dev/stdout >> f; echo tail >> f";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_posenc")]).current_dir(folder.path("")).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
    assert_eq!(fs::read(folder.path("f")).unwrap(), b"head\n\0\0\0\0\0\0\x80\x3ftail\n");
}

#[cfg(unix)]
#[test]
fn links_stay_and_others_may_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("real.bin", "old");
    symlink("real.bin", folder.path("pe.bin")).unwrap();
    folder.posenc("table --seq-len 2 --d-model 2 -o pe.bin").done();
    assert!(fs::symlink_metadata(folder.path("pe.bin")).unwrap().is_symlink());
    let real = fs::metadata(folder.path("real.bin")).unwrap();
    assert_eq!(real.len(), 16);
    assert_ne!(real.permissions().mode() & 0o044, 0, "the umask of this test takes this off, or the command does");
}

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

#[test]
fn integers_are_written_with_their_scale() {
    let folder = Folder::new();
    let sizes = "table --seq-len 2 --d-model 2";
    folder.posenc(&format!("{sizes} --dtype q15 -o pe.bin")).done();
    assert_eq!(fs::read(folder.path("pe.bin")).unwrap(), [0, 32_767, 27_573, 17_705i16].map(i16::to_le_bytes).concat());
    folder.posenc(&format!("{sizes} --dtype i8(1/127,-1) -o pe.bin")).done();
    assert_eq!(fs::read(folder.path("pe.bin")).unwrap(), [-1, 126, 106, 68i8].map(i8::to_le_bytes).concat());
    folder.posenc(&format!("{sizes} --dtype u8(1/128,128) -o pe.npy")).done();
    folder.posenc(&format!("{sizes} --dtype i8 -o pe.bin")).refused("needs a scale, such as 'i8(1/127)'");
    folder.posenc(&format!("{sizes} --dtype i8(1/200) -o pe.bin")).refused("use a larger scale");
}
