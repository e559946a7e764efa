//! `posenc compare`: its exit statuses, the shapes and orders of files, and damaged files.

use std::fs;

use npyz::WriterBuilder;
use posenc::half::{bf16, f16};
use posenc::{Flat, Preset, Spec};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::common::{Folder, write_npy};

fn table(seq_len: usize, d_model: usize) -> Vec<f32> {
    Spec::new(d_model).table::<f32>(seq_len).unwrap().into_vec()
}

#[test]
fn the_exit_status_tells() {
    let folder = Folder::new();
    folder.posenc("table --preset whisper --seq-len 40 --d-model 16 -o pe.npy").done();
    folder.posenc("compare pe.npy --preset whisper").status(0).says("identical");
    folder.posenc("compare pe.npy").status(1).says("differ");
    let mut off = table(8, 4);
    off[9] = f32::from_bits(off[9].to_bits() + 3);
    write_npy(&folder.path("off.npy"), &[8, 4], &off);
    folder.posenc("compare off.npy").status(1).says("3 ulps");
    folder.posenc("compare off.npy --histogram").status(1).says("ulps  entries");
    assert!(!folder.posenc("compare off.npy").status(1).out().contains("entries  "));
    folder.posenc("compare off.npy --max-ulps 2").status(1);
    folder.posenc("compare off.npy --max-ulps 3").status(0);
    folder.posenc("compare off.npy --max-error 1e-9").status(1);
    folder.posenc("compare off.npy --max-error 1e-6").status(0);
    folder.posenc("compare off.npy --max-error -1").refused("the tolerance is `-1`, but must be 0 or more");
    folder.posenc("compare off.npy --base 0").refused("`base` is 0.0");
    folder.posenc("compare off.npy --preset transformer_xl").refused("`start` is missing");
    off[9] = f32::NAN;
    write_npy(&folder.path("nan.npy"), &[8, 4], &off);
    folder.posenc("compare nan.npy --max-error 1 --max-ulps 9").status(1);
}

#[test]
fn every_element_type_and_format() {
    let folder = Folder::new();
    for (dtype, ending) in [
        ("f32", "npy"),
        ("f64", "npy"),
        ("f16", "npy"),
        ("f32", "safetensors"),
        ("f64", "safetensors"),
        ("f16", "safetensors"),
        ("bf16", "safetensors"),
    ] {
        folder.posenc(&format!("table --seq-len 20 --d-model 6 --dtype {dtype} -o pe.{ending}")).done();
        folder.posenc(&format!("compare pe.{ending}")).done().says(dtype);
        folder.posenc(&format!("compare pe.{ending} --start 1")).status(1);
    }
}

#[test]
fn axes_of_length_one_do_not_matter() {
    let folder = Folder::new();
    for shape in [&[1, 5, 4][..], &[5, 1, 4], &[1, 1, 5, 4], &[5, 4, 1], &[1, 5, 1, 4, 1]] {
        write_npy(&folder.path("pe.npy"), shape, &table(5, 4));
        folder.posenc("compare pe.npy").done().says("5 x 4");
    }
    write_npy(&folder.path("pe.npy"), &[1, 4], &table(1, 4));
    folder.posenc("compare pe.npy").done().says("1 x 4");
    for (shape, words) in [
        (&[20][..], "has shape [20], but must have rows and columns, [n, d]\n"),
        (&[2, 5, 2][..], "has shape [2, 5, 2], but must have rows and columns, [n, d]; other axes must have length 1"),
        (&[0, 0][..], "[0, 0]"),
    ] {
        let len = usize::try_from(shape.iter().product::<u64>()).unwrap();
        write_npy(&folder.path("pe.npy"), shape, &vec![0.0_f32; len]);
        folder.posenc("compare pe.npy").refused(words);
    }
}

#[test]
fn by_columns_and_big_endian() {
    let folder = Folder::new();
    let rows = table(5, 4);
    let by_columns: Vec<_> = (0..4).flat_map(|j| rows.iter().skip(j).step_by(4).copied()).collect();
    let write = |name: &str, dtype: &str, order, bytes: Vec<u8>| {
        let options =
            npyz::WriteOptions::new_header_only().dtype(npyz::DType::Plain(dtype.parse().unwrap())).shape(&[5, 4]);
        let header = options.order(order).writer(Vec::new()).write_header_only().unwrap();
        folder.write(name, [header, bytes].concat());
    };
    let little = |entries: &[f32]| entries.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<_>>();
    let big = |entries: &[f32]| entries.iter().flat_map(|entry| entry.to_be_bytes()).collect::<Vec<_>>();
    write("fortran.npy", "<f4", npyz::Order::Fortran, little(&by_columns));
    write("big.npy", ">f4", npyz::Order::C, big(&rows));
    write("both.npy", ">f4", npyz::Order::Fortran, big(&by_columns));
    for name in ["fortran.npy", "big.npy", "both.npy"] {
        folder.posenc(&format!("compare {name}")).done();
    }
    let wide = Spec::new(4).table::<f64>(5).unwrap().into_vec();
    write("wide.npy", ">f8", npyz::Order::C, wide.iter().flat_map(|entry| entry.to_be_bytes()).collect());
    folder.posenc("compare wide.npy").done().says("f64");
    let half = Spec::new(4).table::<f16>(5).unwrap().into_vec();
    write("half.npy", ">f2", npyz::Order::C, half.iter().flat_map(|entry| entry.to_be_bytes()).collect());
    folder.posenc("compare half.npy").done().says("f16");
    write("bf16.npy", "|V2", npyz::Order::C, vec![0; 40]);
    folder.posenc("compare bf16.npy").refused("bfloat16");
    write("integers.npy", "<i4", npyz::Order::C, vec![0; 80]);
    folder.posenc("compare integers.npy").refused("contains i32 entries, which have a scale");
    write("longs.npy", "<i8", npyz::Order::C, vec![0; 160]);
    folder.posenc("compare longs.npy").refused(
        "contains integers of 64 bits (int64), but the entries of a table are floats, or integers of 8 to 32 bits; convert it",
    );
    write("flags.npy", "|b1", npyz::Order::C, vec![0; 20]);
    folder.posenc("compare flags.npy").refused("contains entries of type '|b1', but must contain f16, bf16, f32, ");

    // A file without data may claim any shape.
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 137438953472), }");
    folder.write("wide.npy", [b"\x93NUMPY\x01\x00v\x00".as_slice(), header.as_bytes()].concat());
    for command in ["compare", "identify", "plot"] {
        let words = "`wide.npy` has 137438953472 columns, but a table has at most 16777216";
        folder.posenc(&format!("{command} wide.npy")).refused(words);
    }
}

#[test]
fn one_of_the_tensors_of_a_checkpoint() {
    let folder = Folder::new();
    let bytes: Vec<u8> = Spec::preset(Preset::Whisper, 8)
        .table::<bf16>(6)
        .unwrap()
        .into_vec()
        .into_iter()
        .flat_map(bf16::to_le_bytes)
        .collect();
    let zeros = vec![0; 4 * 48];
    let tensor = |dtype, shape: &[usize], bytes| TensorView::new(dtype, shape.to_vec(), bytes).unwrap();
    let positions = ("encoder.embed_positions.weight", tensor(Dtype::BF16, &[6, 8], bytes.as_slice()));
    let bias = ("bias", tensor(Dtype::F32, &[48], zeros.as_slice()));
    let ids = ("ids", tensor(Dtype::I32, &[6, 8], zeros.as_slice()));
    let weight = ("a.weight", tensor(Dtype::F32, &[6, 8], zeros.as_slice()));
    let save = |tensors: Vec<_>| {
        fs::write(folder.path("model.safetensors"), safetensors::serialize(tensors, None).unwrap()).unwrap();
    };

    save(vec![positions.clone(), bias.clone(), ids.clone()]);
    folder.posenc("compare model.safetensors --preset whisper").done().says("bf16");
    save(vec![positions.clone(), bias.clone(), ids.clone(), weight]);
    let several = "choose one with --name: `encoder.embed_positions.weight` BF16 [6, 8], `a.weight` F32 [6, 8]";
    folder.posenc("compare model.safetensors --preset whisper").refused(several);
    folder.posenc("compare model.safetensors --preset whisper --name encoder.embed_positions.weight").done();
    folder
        .posenc("compare model.safetensors --name pe")
        .refused("has no tensor `pe`; its tensors are `encoder.embed_positions.weight`");
    folder.posenc("compare model.safetensors --name embed_positions.weight").refused(
        "has no tensor `embed_positions.weight` (did you mean `encoder.embed_positions.weight`?); its tensors are",
    );
    folder
        .posenc("compare model.safetensors --name bias")
        .refused("has the tensor `bias`, which has shape [48], but must have rows and columns, [n, d]\n");
    folder.posenc("compare model.safetensors --name ids").refused("contains i32 entries, which have a scale");
    save(vec![bias]);
    folder
        .posenc("compare model.safetensors")
        .refused("has the tensor `bias`, which has shape [48], but must have rows and columns, [n, d]\n");
    save(vec![]);
    folder.posenc("compare model.safetensors").refused("has no tensors");
}

#[test]
fn damaged_files_are_told() {
    let folder = Folder::new();
    folder.posenc("table --seq-len 20 --d-model 6 -o pe.npy").done();
    folder.posenc("table --seq-len 20 --d-model 6 -o pe.safetensors").done();
    for (name, step) in [("pe.npy", 7), ("pe.safetensors", 11)] {
        let whole = fs::read(folder.path(name)).unwrap();
        for length in (0..whole.len()).step_by(step) {
            let cut = format!("cut-{name}");
            folder.write(&cut, &whole[..length]);
            folder.posenc(&format!("compare {cut}")).refused("`cut-");
        }
        folder.write(name, [whole.as_slice(), b"more"].concat());
        folder.posenc(&format!("compare {name}")).refused("is damaged");
    }
    let header = |text: &str| {
        [b"\x93NUMPY\x01\x00".as_slice(), &u16::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes()].concat()
    };
    let shape = |shape: &str| header(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n"));
    for (name, bytes, words) in [
        ("empty.npy", Vec::new(), "is empty"),
        ("text.npy", b"position,value\n".to_vec(), "is neither a .npy, a .npz nor a .safetensors file"),
        ("archive.pt", b"PK\x03\x04 and so on".to_vec(), "is damaged"),
        ("pickle.pt", b"\x80\x02}q\x00 and so on".to_vec(), "is a Python pickle"),
        ("long.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(), "the length of its header is 4294967295"),
        ("deep.npy", header(&"(".repeat(9000)), "header that does not describe a table"),
        ("huge.npy", shape("(18446744073709551615, 18446744073709551615)"), "header that does not describe a table"),
        ("big.npy", shape("(9999999999, 9999999)"), "is damaged"),
        ("negative.npy", shape("(-5, 4)"), "is damaged"),
        ("words.npy", shape("('a', 4)"), "is damaged"),
        ("nothing.npy", header("{}"), "is damaged"),
        (
            "huge.safetensors",
            [u64::MAX.to_le_bytes().as_slice(), b"{}"].concat(),
            "the length of its header is 18446744073709551615",
        ),
        (
            "gigabyte.safetensors",
            [(1_u64 << 30).to_le_bytes().as_slice(), b"{}"].concat(),
            "the length of its header is 1073741824",
        ),
        ("json.safetensors", [4_u64.to_le_bytes().as_slice(), b"{ x}"].concat(), "is damaged"),
        ("short.safetensors", b"abc".to_vec(), "is damaged"),
    ] {
        folder.write(name, bytes);
        folder.posenc(&format!("compare {name}")).refused(words);
        folder.posenc(&format!("identify {name}")).refused(words);
    }
    folder.posenc("compare none.npy").refused("cannot be opened");
    folder.posenc("compare .").refused("`.`");
    folder.posenc("compare pe.npy --name pe").refused("is a .npy file");
}

/// A table computed in `f32` is explained by `f32`, and not by `f64`; a wrong row is not explained.
#[test]
fn errors_of_an_arithmetic() {
    let folder = Folder::new();
    let (n, d) = (1500_usize, 64_usize);
    let factor = -(10_000_f32.ln() / (d / 2 - 1) as f32);
    let entry = |at: usize| {
        let (i, j) = (at / d, at % d);
        let angle = i as f32 * ((j % (d / 2)) as f32 * factor).exp();
        if j < d / 2 { angle.sin() } else { angle.cos() }
    };
    let mut table: Vec<f32> = (0..n * d).map(entry).collect();
    write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &table);
    let compare = "compare pe.npy --preset whisper --computed-in";
    folder.posenc(&format!("{compare} f32")).done().says("as computed in f32: yes");
    folder
        .posenc(&format!("{compare} f64"))
        .status(1)
        .says("as computed in f64: no, the errors are as large as in f32");
    folder.posenc("compare pe.npy --preset tensor2tensor --computed-in f32").done();
    folder.posenc("compare pe.npy --preset adm --computed-in f32").status(1).says("as computed in f32: no");
    table[700 * d + 3] += 1e-3;
    write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &table);
    folder.posenc(&format!("{compare} f32")).status(1).says("not in 1 of 1500 rows, the first of which is row 700");
}

/// A file is read in pieces of 1 MiB. The answers are those about the whole table.
#[test]
fn tables_of_several_pieces() {
    let folder = Folder::new();
    let (n, d) = (3000_usize, 128_usize);
    let exact = Spec::new(d).table::<f64>(n).unwrap().into_vec();
    let mut found = exact.clone();
    let at = [100, 1500, 2900].map(|row| row * d + 7);
    for (place, ulps) in at.into_iter().zip([5, 8, 8]) {
        found[place] = f64::from_bits(exact[place].to_bits() + ulps);
    }
    write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &found);
    let report = Spec::new(d).compare(&Flat::new(&found, d).unwrap()).unwrap().to_string();
    assert!(report.contains("in row 1500, column 7"), "{report}");
    assert_eq!(folder.posenc("compare pe.npy").status(1).out().trim_end(), report.trim_end());
    folder.posenc("compare pe.npy --start 1").status(1).says("differing: 384000 of 3000 x 128 f64 entries");
    folder.posenc("compare pe.npy --computed-in f32").done().says("as computed in f32: yes");

    found[at[2]] += 1e-2;
    write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &found);
    let told = "as computed in f32: no, not in 1 of 3000 rows, the first of which is row 2900";
    folder.posenc("compare pe.npy --computed-in f32").status(1).says(told);
    // The picture has a line for each 300 rows. All others are blank.
    let drawn = folder.posenc_with("compare pe.npy --plot", &[("COLUMNS", "60"), ("LINES", "16")]).status(1).out();
    let lines: Vec<_> = drawn.lines().skip_while(|line| !line.starts_with(" row")).skip(1).take(10).collect();
    let marked = (0..lines.len()).filter(|&i| lines[i].contains(|c: char| c.is_ascii_punctuation()));
    assert_eq!(marked.collect::<Vec<_>>(), [0, 5, 9], "{drawn}");
    assert!(lines[9].contains('@'), "{drawn}");
}

/// A file with a single tensor says why that is no table.
#[test]
fn a_single_tensor_of_another_type_is_refused_with_the_reason() {
    let folder = Folder::new();
    let write = |name: &str, tensors: &[&str], dtype: &str, bytes: usize| {
        let tensor = |(i, name): (usize, &&str)| {
            format!(
                "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":[4,2],\"data_offsets\":[{},{}]}}",
                i * bytes,
                (i + 1) * bytes
            )
        };
        let header = format!("{{{}}}", tensors.iter().enumerate().map(tensor).collect::<Vec<_>>().join(","));
        let length = (header.len() as u64).to_le_bytes();
        folder.write(name, [&length, header.as_bytes(), &vec![0; bytes * tensors.len()]].concat());
    };
    write("f8.safetensors", &["pe"], "F8_E4M3", 8);
    write("i64.safetensors", &["ids"], "I64", 64);
    for command in ["identify", "compare", "plot"] {
        folder.posenc(&format!("{command} f8.safetensors")).refused(
            "has the tensor `pe`, which contains floats of 8 bits (F8_E4M3), which are not supported; convert it to f32",
        );
        folder.posenc(&format!("{command} i64.safetensors")).refused(
            "has the tensor `ids`, which contains integers of 64 bits (I64), but the entries of a table are floats",
        );
    }
    write("both.safetensors", &["a", "b"], "F8_E5M2", 8);
    folder.posenc("identify both.safetensors").status(1).says(
        "beside 2 other tensors; a matrix has floats of 16 to 64 bits, or integers of 8 to 32 bits, in rows and columns",
    );
}
