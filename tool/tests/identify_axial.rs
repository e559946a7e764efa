//! `posenc identify` names rotary tables of several axes.

use std::path::Path;

use posenc::{AxialPreset, AxialRope, Packing, Repeat, Table};
use posenc_identify::{Answer, AnyAxial, Found, Lists, Number, Options, Outcome, Slice, identify, with_axial};
use serde_json::Value;

use crate::common::Folder;
use testkit::one_in;

/// The arrangements of the columns, with blocks of merged patches: some of those of models.
const ARRANGEMENTS: [(Packing, Repeat, usize); 6] = [
    (Packing::CosSin, Repeat::None, 1),
    (Packing::CosSin, Repeat::Halves, 2),
    (Packing::Cos, Repeat::Pairs, 1),
    (Packing::Sin, Repeat::None, 2),
    (Packing::Complex, Repeat::None, 1),
    (Packing::SinCos, Repeat::Pairs, 1),
];

fn identified<'a, T: Number>(table: &Table<T>, options: &Options, lists: &'a Lists) -> Answer<'a> {
    identify(&Slice::new(table.as_slice(), table.d_model()), options, lists).unwrap()
}

/// Returns the table and the presets of an answer that is a rotary table of several axes.
fn axial(answer: &Answer) -> (AnyAxial, Packing, Vec<AxialPreset>, Vec<AxialPreset>) {
    assert_ne!(answer.outcome, Outcome::Nothing, "{answer:?}");
    let Found::Axial { rope, packing, presets, swapped } = &answer.candidates[0].found else {
        panic!("another kind: {answer:?}")
    };
    (*rope, *packing, presets.iter().map(|named| named.preset).collect(), swapped.clone())
}

/// The answer has the entries of the table, and the preset among its names.
fn is_named<const A: usize>(preset: AxialPreset, shape: [usize; A], turn: usize) {
    let (packing, repeat, merge) = ARRANGEMENTS[turn % ARRANGEMENTS.len()];
    let rope = AxialRope::preset(preset, shape, preset.head_dim()).repeat(repeat).merge(merge);
    let rope = if preset == AxialPreset::Eva02 { rope.extent(16, 1) } else { rope };
    let Ok(table) = rope.packed(packing) else { return };
    // Halves of all columns need one axis if the axes alternate.
    let Ok(table) = table.table::<f32>() else { return };
    // Without a shape, only images and single frames are guessed.
    let is_guessed = A == 2 || shape[0] == 1;
    let options = if is_guessed { Options::default() } else { Options::default().shape(&shape) };
    let lists = Lists::default();
    let (found, packing, presets, _) = axial(&identified(&table, &options, &lists));
    assert!(presets.contains(&preset), "{preset}: {presets:?}");
    let again = with_axial!(found, rope => rope.packed(packing).unwrap().table::<f32>().unwrap());
    assert!(again == table, "{preset}: {found:?}");
}

#[test]
fn the_presets_are_named_in_every_arrangement() {
    for (i, &preset) in AxialPreset::ALL.iter().enumerate().step_by(one_in(2)) {
        for turn in (0..ARRANGEMENTS.len()).step_by(one_in(6)) {
            if AxialRope::preset(preset, [8, 12], 96).axis(0).is_ok() {
                is_named(preset, [8, 12], i + turn);
            } else if AxialRope::preset(preset, [3, 4, 6], 96).axis(0).is_ok() {
                // In a single frame, the rule of Cosmos changes nothing.
                let is_frame = turn == 0 && preset != AxialPreset::Cosmos;
                is_named(preset, if is_frame { [1, 8, 12] } else { [3, 4, 6] }, i + turn);
            } else {
                is_named(preset, if turn == 0 { [1, 8, 12, 1] } else { [2, 4, 6, 3] }, i + turn);
            }
        }
    }
}

/// A table of the wrong order has the right shape on a square image.
#[test]
fn swapped_axes_are_told() {
    let lists = Lists::default();
    let rope = AxialRope::preset(AxialPreset::Lfm3VlVision, [12, 12], 64).first([1, 0]);
    let answer =
        identified(&rope.packed(Packing::CosSin).unwrap().table::<f32>().unwrap(), &Options::default(), &lists);
    let (_, _, presets, swapped) = axial(&answer);
    assert_eq!((presets, swapped), (vec![], vec![AxialPreset::Lfm3VlVision]));
    let folder = Folder::new();
    folder.posenc("rope --preset lfm3_vl_vision --shape 12x12 --head-dim 64 --first w,h -o pe.npy").done();
    folder.posenc("identify pe.npy").done().says("with the axes h and w swapped in the columns it is lfm3_vl_vision");
}

/// The command of a table in the wrong order has the preset and the order.
#[test]
fn presets_in_the_wrong_order_are_found() {
    let folder = Folder::new();
    for preset in AxialPreset::ALL.iter().step_by(one_in(4)) {
        let head_dim = preset.head_dim();
        let (shape, axes) = if AxialRope::preset(*preset, [5, 7], head_dim).axis(0).is_ok() {
            ("5x7", posenc::reflection::axial_axis_names(Some(*preset), 2))
        } else if AxialRope::preset(*preset, [2, 5, 7], head_dim).axis(0).is_ok() {
            ("2x5x7", posenc::reflection::axial_axis_names(Some(*preset), 3))
        } else {
            ("2x5x7x2", posenc::reflection::axial_axis_names(Some(*preset), 4))
        };
        // The order that the preset does not have.
        let is_width_first = folder.posenc(&format!("presets {preset}")).done().out().contains("first = (w, h)");
        let mut order = axes.to_vec();
        let last = order.len() - 1;
        if !is_width_first {
            order.swap(last - 1, last);
        }
        let order = order.join(",");
        let extent = if *preset == AxialPreset::Eva02 { "--extent 16" } else { "" };
        let options = format!("--preset {preset} --shape {shape} --head-dim {head_dim} --first {order} {extent}");
        folder.posenc(&format!("rope {options} -o pe.npy")).done();
        folder.check_command(&folder.posenc(&format!("identify pe.npy --shape {shape}")).done(), "pe.npy");
    }
}

#[test]
fn constant_tables_are_of_no_preset() {
    let lists = Lists::default();
    for entry in [0.0_f32, 1.0] {
        let answer = identify(&Slice::new(&[entry; 64], 4), &Options::default(), &lists).unwrap();
        assert!(
            !answer.candidates.iter().any(|candidate| matches!(candidate.found, Found::Axial { .. })),
            "{answer:?}"
        );
    }
}

/// The command in the answer makes the same file.
#[test]
fn tables_with_common_parameters_are_found() {
    let folder = Folder::new();
    for (options, given) in [
        ("--shape 9x14 --head-dim 32 --base 100 --start 1 --first w,h --repeat pairs", ""),
        ("--shape 8x10 --head-dim 64 --base 500000 --nest frequencies --packing complex --merge 2", ""),
        ("--shape 3x8x10 --head-dim 48 --packing sin --dtype f16", "--shape 3x8x10"),
        ("--preset wan --shape 3x8x10 --head-dim 96 --packing cos --dtype q15", "--shape 3x8x10"),
        ("--preset gemma4_vision --shape 7x11 --head-dim 64 --repeat axis_halves --dtype 'i8(1/127)'", ""),
    ] {
        folder.posenc(&format!("rope {options} -o pe.npy")).done();
        let told = folder.posenc(&format!("identify pe.npy {given}")).done().says("equal to the exact table");
        assert!(told.out().starts_with("rotary_table!(("), "{options}: {}", told.out());
        folder.check_command(&told, "pe.npy");
    }
}

/// The tables that the models' own classes compute, most of them in `f32`.
#[test]
fn the_tables_of_models_are_named() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/axial_models");
    let index: Value = serde_json::from_slice(&std::fs::read(recorded.join("index.json")).unwrap()).unwrap();
    let folder = Folder::new();
    let tables = folder.write("tables.npz", std::fs::read(recorded.join("tables.npz")).unwrap());
    for table in index["tables"].as_array().unwrap().iter().step_by(one_in(2)) {
        let text = |key: &str| table[key].as_str().unwrap();
        let words: Vec<_> = text("command").split(' ').collect();
        let after = |key: &str| words[words.iter().position(|word| *word == key).unwrap() + 1];
        let told =
            folder.posenc(&format!("identify {tables} --name {} --shape {}", text("name"), after("--shape"))).out();
        let presets = told.lines().find_map(|line| line.trim().strip_prefix("presets  ")).unwrap_or_default();
        // The number of frames per second is not guessed.
        let is_named = presets.contains(after("--preset")) || text("name") == "cosmos_16_fps";
        assert!(is_named, "{}: {told}", text("name"));
    }
}
