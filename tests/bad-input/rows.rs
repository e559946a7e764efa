//! Rows written to the caller's buffers.

use core::ops::Range;

use posenc::{MAX_POSITION, Preset, Spec};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Rows", "`row` is a `[7.0f32; 4]` before each call. The answer is its content afterwards.");
    fill(document);
    encode(document);
    fill_positions(document);
    prepare(document);
}

fn fill(document: &mut Document) {
    document.functions(&["Spec::fill", "Spec::const_fill", "Spec::par_fill"], "");
    document.calls(fills!([7.0f32; 4], |row| [
        Spec::new(4).fill(0.., &mut row[..0]),
        Spec::new(4).fill(0.., &mut row[..3]),
        Spec::new(0).fill(0.., &mut row[..0]),
        Spec::new(4).fill(1 << 53.., row),
        Spec::new(4).fill((1 << 53) + 1.., row),
        Spec::new(4).fill(usize::MAX.., &mut row[..0]),
        Spec::new(4).step(0).fill(usize::MAX.., row),
        Spec::new(2).zero_row(1).fill(0.., row),
        Spec::new(4).zero_row(usize::MAX).fill(0.., row),
        Spec::new(4).fill(0..1, row),
        Spec::new(4).fill(0..0, &mut row[..0]),
        Spec::new(2).fill(0..0, row),
        Spec::new(2).fill(2..3, row),
        Spec::new(2).fill(0..8, row),
        Spec::new(2).fill(0..usize::MAX, row),
        Spec::new(2).fill(0..2, &mut row[..3]),
        Spec::new(2).fill(Range { start: 3, end: 1 }, row),
        Spec::new(2).fill(usize::MAX - 2..usize::MAX, row),
        Spec::new(2).par_fill(0..8, row),
        Spec::new(4).const_fill(0.., &mut row[..3]),
        Spec::new(4).par_fill(usize::MAX.., row),
    ]));
}

fn encode(document: &mut Document) {
    document.functions(&["Spec::encode"], "");
    document.calls(fills!([7.0f32; 4], |row| [
        Spec::new(4).encode(0, &mut row[..3]),
        Spec::new(4).encode(MAX_POSITION, row),
        Spec::new(4).encode(MAX_POSITION + 1, row),
        Spec::new(4).encode(u64::MAX, row),
        Spec::new(4).encode(-0.0, row),
        Spec::new(4).encode(f64::from_bits(1), row),
        Spec::new(4).encode(f64::MAX, row),
        Spec::new(4).encode(f64::NAN, row),
        Spec::new(4).encode(f32::NEG_INFINITY, row),
        Spec::preset(Preset::ConformerRel, 4).zero_row(1).encode(1, row),
    ]));
}

fn fill_positions(document: &mut Document) {
    document.functions(&["Spec::fill_positions"], "");
    document.calls(fills!([7.0f32; 4], |row| [
        Spec::new(4).fill_positions(&[], &mut row[..0]),
        Spec::new(4).fill_positions(&[], row),
        Spec::new(4).fill_positions(&[0.0, 1.0], row),
        Spec::new(2).fill_positions(&[0.5, f64::MAX], row),
        Spec::new(2).fill_positions(&[0.0, f64::NAN], row),
        Spec::new(2).fill_positions(&[f64::NEG_INFINITY, 0.0], row),
    ]));
}

fn prepare(document: &mut Document) {
    document.functions(
        &["Spec::prepare", "Encoder::encode_row", "Encoder::encode", "Encoder::fill_positions"],
        "A row beyond the prepared ones is computed, if its position is in range.",
    );
    document.calls(calls![Spec::new(4).prepare::<f32>(usize::MAX), Spec::new(4).zero_row(2).prepare::<f32>(2),]);
    document.calls(fills!([7.0f32; 4], |row| [
        Spec::new(4).prepare::<f32>(2).unwrap().encode_row(0, &mut row[..3]),
        Spec::new(4).prepare::<f32>(0).unwrap().encode_row(0, row),
        Spec::new(4).prepare::<f32>(2).unwrap().encode_row(2, row),
        Spec::new(4).prepare::<f32>(2).unwrap().encode_row(usize::MAX, row),
        Spec::new(4).prepare::<f32>(0).unwrap().encode(0, &mut row[..3]),
        Spec::new(4).prepare::<f32>(0).unwrap().encode(f64::NAN, row),
        Spec::new(4).prepare::<f32>(0).unwrap().encode(9_007_199_254_740_993_i64, row),
        Spec::new(4).prepare::<f32>(0).unwrap().fill_positions(&[], row),
        Spec::new(2).prepare::<f32>(0).unwrap().fill_positions(&[0.5, f64::INFINITY], row),
    ]));
}
