//! The corpus has every key, every preset and every element type.

use posenc::reflection::{Named, PARAMETERS, TableKind};
use posenc::{AxialPreset, GridPreset, Preset, RopePreset};
use posenc_text::request::Wanted;
use posenc_text::with_stored;

use crate::lines::{Line, lines};

const KINDS: [TableKind; 4] = [TableKind::Sinusoidal, TableKind::Rotary, TableKind::Grid, TableKind::Axial];

fn kind(line: &Line) -> TableKind {
    match line.request.wanted {
        Wanted::Sinusoidal { .. } => TableKind::Sinusoidal,
        Wanted::Rotary { .. } => TableKind::Rotary,
        Wanted::Grid { .. } => TableKind::Grid,
        Wanted::Axial { .. } => TableKind::Axial,
    }
}

#[test]
fn every_key_is_in_a_line_of_each_kind() {
    let lines = lines();
    let has = |line: &Line, key, table| kind(line) == table && line.request.given.has(key);
    let of_kinds = PARAMETERS.iter().flat_map(|parameter| KINDS.map(|table| (parameter, table)));
    let missing: Vec<_> = of_kinds
        .filter(|(parameter, table)| parameter.is_of(*table))
        .map(|(parameter, table)| (parameter.key, table))
        .filter(|(key, table)| !lines.iter().any(|line| has(line, key, *table)))
        .collect();
    assert!(missing.is_empty(), "keys that no line has: {missing:?}");
}

#[test]
fn every_preset_is_in_a_line() {
    let lines = lines();
    let names: [(TableKind, &[&str]); 4] = [
        (TableKind::Sinusoidal, Preset::NAMES.all),
        (TableKind::Rotary, RopePreset::NAMES.all),
        (TableKind::Grid, GridPreset::NAMES.all),
        (TableKind::Axial, AxialPreset::NAMES.all),
    ];
    for (table, names) in names {
        for name in names {
            let ends = [format!("preset = {name},"), format!("preset = {name})")];
            let has = |line: &Line| kind(line) == table && ends.iter().any(|end| line.text.contains(end.as_str()));
            assert!(lines.iter().any(has), "no line has `preset = {name}` for {table:?}");
        }
    }
}

#[test]
fn every_element_type_is_in_a_line_of_each_kind() {
    let lines = lines();
    for dtype in ["f32", "f64", "f16", "bf16", "q7", "q15", "q31", "i8", "i16", "u8"] {
        for table in KINDS {
            let name = |line: &Line| with_stored!(line.dtype, T => <T as posenc::Element>::DTYPE);
            let has = |line: &Line| kind(line) == table && name(line) == dtype;
            assert!(lines.iter().any(has), "no line has `dtype = {dtype}` for {table:?}");
        }
    }
}
