//! `posenc table`: its files are read back, and misuse is told in a sentence.

use std::fs;
use std::process::Command;

use posenc::half::{bf16, f16};
use posenc::{Amplitude, Element, Layout, Odd, Order, Preset, Spec};
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
#[ignore = "needs python3 with NumPy"]
fn numpy_reads_them() {
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
    let (rows, width) = (2300, 512);
    folder.posenc(&format!("table --seq-len {rows} --d-model {width} --zero-row 2200 --dtype f64 -o pe.bin")).done();
    let expected = little_endian(&Spec::new(width).zero_row(2200), rows, f64::to_le_bytes);
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
        ("--scale 1/8", Spec::new(8).scale(0.125)),
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

/// The names of element types in frameworks are those here.
#[test]
fn types_have_their_names_elsewhere() {
    let folder = Folder::new();
    for (written, dtype) in [
        ("float32", "f32"),
        ("torch.float16", "f16"),
        ("BFloat16", "bf16"),
        ("fp64", "f64"),
        ("int8(1/127)", "i8(1/127)"),
    ] {
        let ran = folder.posenc(&format!("table --seq-len 1_0 --d-model 8 --dtype {written} -o pe.bin")).done();
        assert!(ran.err().contains("10 x 8"), "{}", ran.err());
        let written = fs::read(folder.path("pe.bin")).unwrap();
        folder.posenc(&format!("table --seq-len 10 --d-model 8 --dtype {dtype} -o pe.bin")).done();
        assert_eq!(fs::read(folder.path("pe.bin")).unwrap(), written, "{dtype}");
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
            "`1000000000000000000000000000000000000000000` is out of range: integers must be from -170141183460469231731687303715884105727 to",
        ),
        ("-n -1 -d 8 -o pe.npy", "`seq_len` is -1, but must be from 0 to"),
        ("-n 8 -d -1 -o pe.npy", "`d_model` is -1, but must be from 1 to 16777216; set it to the width"),
        ("-n 8 -d 8 --zero-row -1 -o pe.npy", "`zero_row` is -1, but must be from 0 to"),
        ("-n 8 -d 8 --scaling 'yarn(4, -4)' -o pe.npy", "for `scaling = yarn` is -4, but must be from 1 to 2^40"),
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
        ("--seq-len 8 --d-model 8 --scale 1/3 -o pe.npy", "`1/3` is not exactly an `f64`; write the intended value"),
        ("--seq-len 8 --d-model 8 --format safetensors -o pe.npy", "the extension of `pe.npy` contradicts --format"),
        ("--seq-len 8 --d-model 8 --name pe -o pe.npy", "is a .npy file, which contains a single unnamed table"),
        ("--seq-len 8 --d-model 8 --dtype float8 -o pe.npy", "must be one of f32, f64, f16, bf16, q7"),
    ] {
        folder.posenc(&format!("table {options}")).refused(words);
    }
    assert_eq!(folder.names(), Vec::<String>::new());
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
    folder.posenc(&format!("{sizes} --dtype int8 -o pe.bin")).refused("needs a scale, such as 'i8(1/127)'");
    folder.posenc(&format!("{sizes} --dtype i8(1/200) -o pe.bin")).refused("use a larger scale");
}

/// What `identify` prints can be pasted.
#[test]
fn a_macro_call_takes_the_place_of_options() {
    let folder = Folder::new();
    for (call, line) in [
        ("sinusoidal_table!(9, 8, preset = whisper, dtype = bf16)", "table -p whisper -n 9 -d 8 -t bf16"),
        ("posenc::sinusoidal_table!(9, 8, base = 500, dtype = i8(1/127));", "table --base 500 -n 9 -d 8 -t i8(1/127)"),
        ("rotary_table!(9, 128, preset = llama3_1, packing = cos)", "rope -p llama3_1 -n 9 --packing cos"),
        ("grid_table!((4, 6), 16, preset = mae, zero_rows = 1)", "grid -p mae -s 4x6 -d 16 --zero-rows 1"),
        ("rotary_table!((2, 3, 4), 128, preset = wan, packing = sin)", "rope -p wan -s 2x3x4 -d 128 --packing sin"),
    ] {
        let of_call = folder.posenc(&format!("table '{call}' -o call.safetensors")).done();
        let of_options = folder.posenc(&format!("{line} -o options.safetensors")).done();
        assert_eq!(of_call.err().split_once(' ').unwrap().1, of_options.err().split_once(' ').unwrap().1);
        assert_eq!(folder.entries("call.safetensors"), folder.entries("options.safetensors"), "{call}");
        // The printed call makes the same table again.
        let printed = of_call.err().trim_end().rsplit_once(": ").unwrap().1.to_owned();
        folder.posenc(&format!("table '{printed}' -o printed.safetensors")).done();
        assert_eq!(folder.entries("printed.safetensors"), folder.entries("options.safetensors"), "{printed}");
    }
    folder
        .posenc("table 'rotary_table!(9, 8)' -o x.npy")
        .refused("the call makes a table of cosines and one of sines; set `packing = cos`, `packing = sin`, or");
    folder.posenc("table 'rotary_table!(9, 8)' --seq-len 9 -o x.npy").refused("cannot be used with '--seq-len <N>'");
    folder.posenc("table 'rotary_table!(9, 8)' --dtype f16 -o x.npy").refused("cannot be used with '--dtype <TYPE>'");
    folder.posenc("table 'sinusoidal_table!(9, 8, theta = 5)' -o x.npy").refused("unknown key `theta`; use `base`");
}
