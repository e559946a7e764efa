//! Tables: accessing their rows, and comparing them.

use posenc::{
    Bf16Bits, Comparison, F16Bits, Flat, Grid, Preset, Q7, Q15, Q31, Rows, Spec, build_script, compare,
    sinusoidal_table,
};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Tables", "");
    rows(document);
    bits(document);
    fixed_point(document);
    comparing(document);
    files(document);
}

fn rows(document: &mut Document) {
    document.functions(
        &["Table::row", "Table::get", "Flat::new", "Rows::row", "Rows::seq_len"],
        "As with slices, indexing a row or entry beyond the table is a bug and panics.",
    );
    document.calls(calls![
        sinusoidal_table(2, 4).unwrap().row(2),
        sinusoidal_table(2, 4).unwrap()[2],
        sinusoidal_table(2, 4).unwrap().get(1, 3).copied(),
        sinusoidal_table(2, 4).unwrap().get(0, 4),
        sinusoidal_table(2, 4).unwrap().get(2, 0).copied(),
        sinusoidal_table(2, 4).unwrap().get(usize::MAX, usize::MAX),
        sinusoidal_table(0, 4).unwrap().get(0, 0),
        sinusoidal_table(2, 4).unwrap()[(0, 4)],
        Flat::new(&[0.0f32; 8], 0),
        Flat::new(&[0.0f32; 8], 3),
        Flat::new(&[0.0f32; 0], 4),
        Flat::new(&[0.0f32; 8], 4).unwrap().row(2),
        // The index times the width, 4, is 2^64.
        Flat::new(&[0.0f32; 8], 4).unwrap().row(1 << 62),
        Flat::new(&[0.0f32; 0], usize::MAX).unwrap().seq_len(),
        Rows::<f32>::row(&[[0.0; 4]; 2], 2),
    ]);
}

fn bits(document: &mut Document) {
    document.functions(
        &[
            "F16Bits::from_bits",
            "F16Bits::to_f32",
            "F16Bits::to_f64",
            "Bf16Bits::from_bits",
            "Bf16Bits::to_f32",
            "Bf16Bits::to_f64",
        ],
        "Every bit pattern is a number, an infinity or a NaN.",
    );
    document.calls(calls![
        F16Bits::from_bits(0x0001).to_f32(),
        F16Bits::from_bits(0x83ff).to_f64(),
        F16Bits::from_bits(0x8000).to_f32(),
        F16Bits::from_bits(0xfc00).to_f64(),
        F16Bits::from_bits(u16::MAX).to_f32(),
        Bf16Bits::from_bits(0x0001).to_f32(),
        Bf16Bits::from_bits(0x807f).to_f64(),
        Bf16Bits::from_bits(0xff80).to_f32(),
        Bf16Bits::from_bits(u16::MAX).to_f64(),
    ]);
}

fn fixed_point(document: &mut Document) {
    document.functions(
        &[
            "Q7::from_bits",
            "Q7::to_f32",
            "Q7::to_f64",
            "Q15::from_bits",
            "Q15::to_f32",
            "Q15::to_f64",
            "Q31::from_bits",
            "Q31::to_f64",
        ],
        "Every bit pattern is a number.",
    );
    document.calls(calls![
        Q7::from_bits(i8::MIN).to_f32(),
        Q7::from_bits(i8::MAX).to_f32(),
        Q7::from_bits(-1).to_f64(),
        Q15::from_bits(i16::MIN).to_f32(),
        Q15::from_bits(i16::MAX).to_f64(),
        Q31::from_bits(i32::MIN).to_f64(),
        Q31::from_bits(i32::MAX).to_f64(),
    ]);
}

fn comparing(document: &mut Document) {
    document.functions(
        &["compare", "Spec::compare", "Comparison::new", "Comparison::of_grid", "Comparison::add", "Report::annotate"],
        "",
    );
    document.calls(calls![
        compare(&[[0.0f32; 4]; 2], &[[0.0; 4]; 3]),
        compare(&[[0.0f32; 4]; 2], &[[0.0; 4]; 0]),
        compare(&[[0.0f32; 4]; 0], &[[0.0; 8]; 0]),
        compare(&[[0.0f32; 0]; 2], &[[0.0; 0]; 2]),
        compare(&[&[0.0f32, 0.0][..], &[0.0]], &[[0.0; 2]; 2]),
        compare(&[[0.0f32; 2]; 2], &[&[0.0, 0.0][..], &[0.0]]),
        compare(&[[f32::NAN]], &[[f32::NAN]]),
        compare(&[[f32::NAN]], &[[0.0]]),
        compare(&[[f32::INFINITY]], &[[f32::NEG_INFINITY]]),
        compare(&[[0.0f32]], &[[-0.0]]),
        Spec::new(4).compare(&[[0.0f32; 3]; 2]),
        Spec::new(4).compare(&[[0.0f32; 3]; 0]),
        Comparison::<f32>::new(&Spec::new(0), 2).map(Comparison::report),
        Comparison::<f32>::new(&Spec::new(4), 0).map(Comparison::report),
        Comparison::<f32>::new(&Spec::new(4), usize::MAX).map(Comparison::report),
        Comparison::new(&Spec::new(4), 2).unwrap().add(&[0.0f32; 3]),
        Comparison::new(&Spec::new(4), 0).unwrap().add(&[0.0f32; 4]),
        Comparison::<f32>::of_grid(&Grid::new([2, 2], 6)).map(Comparison::report),
        Comparison::of_grid(&Grid::new([0, 2], 4)).unwrap().add(&[0.0f32; 4]),
        Spec::new(0).compare(&[[0.0f32; 0]; 2]),
        Spec::new(4).start(i64::MAX).compare(&[[0.0f32; 4]; 2]),
        Spec::new(4).zero_row(2).compare(&[[0.0f32; 4]; 2]),
        Spec::new(2).compare(&[&[0.0f32, 0.0][..], &[0.0]]),
        Spec::preset(Preset::ConformerRel, 4).compare(&[[0.0f32; 4]]),
        Spec::new(4).compare(&[[f32::NAN; 4]]),
        compare(&[[0.0f32; 4]], &[[1.0; 4]]).unwrap().annotate(&Spec::new(3)),
        compare(&[[0.0f32; 4]], &[[1.0; 4]]).unwrap().annotate(&Spec::new(4).base(f64::NAN)),
        compare(&[[0.0f32; 4]; 0], &[[1.0; 4]; 0]).unwrap().annotate(&Spec::new(0)),
        compare(&[[0.0f32; 4]], &[[1.0; 4]]).unwrap().annotate(&Spec::preset(Preset::ConformerRel, 4)),
    ]);
}

fn files(document: &mut Document) {
    document.functions(
        &[
            "build_script::write_table",
            "build_script::write_grid",
            "build_script::max_bytes",
            "build_script::Writer::write_table",
            "build_script::Writer::write_grid",
        ],
        "These calls are made outside a build script. The key `file` of the macro rejects the same names with the same message.",
    );
    let calls = calls![
        build_script::write_table::<f32>("", &Spec::new(4), 2),
        build_script::write_table::<f32>("../pe", &Spec::new(4), 2),
        build_script::write_table::<f32>("pe", &Spec::new(0), 2),
        build_script::write_table::<f32>("pe", &Spec::new(4), 2),
        // A slip: 2^22 rows for 2^12.
        build_script::write_table::<f32>("pe", &Spec::new(1024), 1 << 22),
        build_script::write_table::<f32>("pe", &Spec::new(1024), usize::MAX),
        build_script::max_bytes(31).write_table::<f32>("pe", &Spec::new(4), 2),
        build_script::max_bytes(usize::MAX).write_table::<f32>("pe", &Spec::new(1024), usize::MAX),
        build_script::write_grid::<f32, 2>("", &Grid::new([1, 1], 4)),
        build_script::write_grid::<f32, 2>("pe", &Grid::new([1, 1], 6)),
        build_script::write_grid::<f32, 2>("pe", &Grid::new([1 << 11, 1 << 11], 1024)),
        build_script::max_bytes(15).write_grid::<f32, 2>("pe", &Grid::new([1, 1], 4)),
    ];
    document.calls(calls);
}
