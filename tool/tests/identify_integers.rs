//! `posenc compare` and `posenc identify` read tables of integers.

use testkit::one_in;

use crate::common::{Folder, Ran, write_npy};

/// The element types with common scales, and one whose extremes tell it.
const TYPES: [&str; 8] =
    ["q7", "q15", "q31", "i8(1/127)", "i8(1/100, 5)", "u8(2/255, 127)", "u8(1/128, 128)", "i16(1/20000)"];

#[test]
fn scales_and_parameters_are_found() {
    let folder = Folder::new();
    let options = ["", "--base 500000", "--layout halves --freq-shift 1"].iter().cycle();
    let files = ["pe.npy", "pe.safetensors"].iter().cycle();
    for ((dtype, options), file) in TYPES.iter().zip(options).step_by(one_in(2)).zip(files) {
        let spec = format!("table --seq-len 100 --d-model 64 {options}");
        folder.posenc(&format!("{spec} --dtype '{dtype}' -o {file}")).done();
        let told = folder.posenc(&format!("identify {file}")).done().says("equal to the exact table");
        folder.check_command(&told.says(&format!("dtype = {dtype})")), file);
    }
    let ramp: Vec<i8> = (0..64 * 32).map(|i| i8::try_from(i % 100).unwrap()).collect();
    write_npy(&folder.path("pe.npy"), &[64, 32], &ramp);
    folder.posenc("identify pe.npy").status(1).says("nothing fits").says("common scales");
}

/// Returns a table of sines, then cosines, or of both in turn, in `f32` arithmetic, multiplied by a number and rounded.
fn quantised(is_halves: bool, [rows, columns]: [u16; 2], number: f32) -> Vec<f32> {
    let half = f32::from(columns / 2);
    let last = if is_halves { half - 1.0 } else { half };
    let frequency = |k: u16| (f32::from(k) * (-(10_000_f32.ln()) / last)).exp();
    let entry = |i: u16, j: u16| {
        let (k, is_sin) = if is_halves { (j % (columns / 2), j < columns / 2) } else { (j / 2, j.is_multiple_of(2)) };
        let angle = f32::from(i) * frequency(k);
        ((if is_sin { angle.sin() } else { angle.cos() }) * number).round_ties_even()
    };
    (0..rows).flat_map(|i| (0..columns).map(move |j| entry(i, j))).collect()
}

/// Asserts that the command of an answer makes integers of which as many differ as the answer says.
#[track_caller]
fn check_share<T: npyz::Deserialize + PartialEq>(folder: &Folder, answer: &Ran) {
    let command = answer.command().replace("exact.safetensors", "exact.npy");
    folder.posenc(&command).done();
    let [found, told] = ["pe.npy", "exact.npy"]
        .map(|name| npyz::NpyFile::new(&folder.entries(name)[..]).unwrap().into_vec::<T>().unwrap());
    let differing = found.iter().zip(&told).filter(|(found, told)| found != told).count();
    let share = posenc::Share { count: differing as u64, of: found.len() as u64 };
    let words =
        if differing == 0 { "equal to the exact table".to_owned() } else { format!("{share} of the entries differ") };
    assert!(answer.out().contains(&words), "{}\nhas no: {words}", answer.out());
}

/// A scale that explains the integers comes before an amplitude that has digits which they do not determine.
#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they are integers of the type")]
fn tables_quantised_from_f32_have_their_scale() {
    let folder = Folder::new();
    let identify =
        |words: &str| folder.posenc("identify pe.npy").done().says(words).says("<0.1 % of the entries differ");
    for (is_halves, shape, number) in [(true, [1500, 64], 127_i16), (false, [512, 128], 120)] {
        let integers: Vec<_> = quantised(is_halves, shape, f32::from(number)).into_iter().map(|x| x as i8).collect();
        write_npy(&folder.path("pe.npy"), &shape.map(u64::from), &integers);
        check_share::<i8>(&folder, &identify(&format!("dtype = i8(1/{number}))")));
        let integers: Vec<_> = integers.into_iter().map(|x| (i16::from(x) + 128) as u8).collect();
        write_npy(&folder.path("pe.npy"), &shape.map(u64::from), &integers);
        check_share::<u8>(&folder, &identify(&format!("dtype = u8(1/{number}, 128))")));
    }
    let integers: Vec<_> = quantised(false, [512, 128], 1000.0).into_iter().map(|x| x as i16).collect();
    write_npy(&folder.path("pe.npy"), &[512, 128], &integers);
    check_share::<i16>(&folder, &identify("sinusoidal_table!(512, 128, dtype = i16(1/1000))"));
}

/// The answer counts the integers that differ from those of the digits that it has.
#[test]
#[expect(clippy::cast_possible_truncation, reason = "they are integers of the type")]
fn integers_are_counted_with_the_digits_that_are_told() {
    let folder = Folder::new();
    for number in [93.534_6, 73.21] {
        let integers: Vec<_> = quantised(false, [200, 64], number).into_iter().map(|x| x as i8).collect();
        write_npy(&folder.path("pe.npy"), &[200, 64], &integers);
        check_share::<i8>(&folder, &folder.posenc("identify pe.npy").status(3).says("digits of amplitude"));
    }
}

/// Integers are compared in steps, and a wrong one fits nothing.
#[test]
fn steps_are_counted() {
    let folder = Folder::new();
    let spec = posenc::Spec::new(64).quantiser(posenc::Quantiser::quotient(1, 127));
    let mut table = spec.table::<i8>(100).unwrap().into_vec();
    // It is in none of the rows that all candidates are compared with.
    table[64 * 30 + 3] -= 1;
    write_npy(&folder.path("pe.npy"), &[100, 64], &table);
    folder.posenc("compare pe.npy --dtype 'i8(1/127)'").status(1).says("differing: 1 of 100 x 64 i8 entries");
    folder.posenc("compare pe.npy --dtype 'i8(1/127)' --max-ulps 1").done();
    folder.posenc("identify pe.npy").status(1);
}

/// Integers tell less than floats, so several specs may make them, and few integers tell nothing.
#[test]
fn what_integers_do_not_tell() {
    let folder = Folder::new();
    folder.posenc("table -n 20 -d 8 --base 7117 --freq-shift 1 --dtype 'i8(1/127)' -o pe.npy").done();
    folder.posenc("identify pe.npy").status(3).says("or       sinusoidal_table!(20, 8, ").says("several tables fit");
    write_npy::<i8>(&folder.path("few.npy"), &[1, 3], &[5, 90, 100]);
    folder.posenc("identify few.npy").status(1);
}

#[test]
fn the_way_to_read_integers_must_be_given() {
    let folder = Folder::new();
    folder.posenc("table --seq-len 10 --d-model 8 --dtype q7 -o pe.npy").done();
    folder.posenc("compare pe.npy").refused("have a scale that is not in the file; set it, as in --dtype q15");
    folder.posenc("compare pe.npy --dtype q7").done().says("identical");
    folder.posenc("compare pe.npy --dtype q15").refused("contains i8 entries, which --dtype contradicts");
    folder.posenc("compare pe.npy --dtype f32").refused("contradicts");
    folder.posenc("compare pe.npy --dtype q7 --computed-in f32").refused("--computed-in does not apply");
    folder.posenc("table --seq-len 10 --d-model 8 -o pe.npy").done();
    folder.posenc("compare pe.npy --dtype f32").done();
    folder.posenc("compare pe.npy --dtype f64").refused("contains f32 entries, which --dtype contradicts");
}

#[test]
fn grids_are_found() {
    let folder = Folder::new();
    for (grid, given, dtypes) in [
        ("--preset mae --shape 8x9 --d-model 32 --zero-rows 1", "", ["q7", "u8(2/255, 127)"]),
        ("--preset moco_v3 --shape 7x9 --d-model 32", "", ["q15", "i8(1/127)"]),
        ("--preset detr --shape 9x12 --d-model 24", "", ["q31", "i16(1/20000)"]),
        ("--preset pixart --shape 9x9 --d-model 24 --extent 32", "", ["u8(1/128, 128)", "i16(1/32767)"]),
        ("--preset simple_vit --shape 4x5x6 --d-model 48", "--shape 4x5x6", ["q7", "i8(1/100)"]),
    ] {
        for dtype in dtypes.into_iter().step_by(one_in(2)) {
            folder.posenc(&format!("grid {grid} --dtype '{dtype}' -o pe.npy")).done();
            let told = folder.posenc(&format!("identify pe.npy {given}")).done().says("equal to the exact table");
            assert!(told.out().starts_with("grid_table!("), "{dtype}: {}", told.out());
            folder.check_command(&told.says(&format!("dtype = {dtype})")), "pe.npy");
        }
    }
    // Few entries may be on the other side of a middle, but none is further off.
    let grid = posenc::Grid::preset(posenc::GridPreset::Mae, [8, 9], 32).quantiser(posenc::Quantiser::quotient(1, 127));
    let mut table = grid.table::<i8>().unwrap().into_vec();
    let write = |table: &[i8]| write_npy(&folder.path("pe.npy"), &[72, 32], table);
    table[1007] -= 1;
    write(&table);
    folder.posenc("identify pe.npy").done().says("<0.1 % of the entries differ, by 1 step").says("presets  mae, monai");
    table[1007] -= 1;
    write(&table);
    folder.posenc("identify pe.npy").status(1).says("nothing fits");
    table[1007] += 2;
    table.iter_mut().step_by(90).for_each(|entry| *entry -= 1);
    write(&table);
    folder.posenc("identify pe.npy").status(1).says("nothing fits");
}
