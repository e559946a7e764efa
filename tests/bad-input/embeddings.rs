//! Embeddings that get their positions.

use core::ops::Range;

use posenc::{Spec, add, concat};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Embeddings", "`x` and `out` are `[7.0f32; 8]` before each call.");
    adding(document);
    adding_more(document);
    beside(document);
}

fn adding(document: &mut Document) {
    document.functions(&["add"], "");
    document.calls(fills!([7.0f32; 8], |x| [
        add(x, &[[1.0; 4]; 2], 0..3),
        add(x, &[[1.0; 4]; 2], 1..usize::MAX),
        add(x, &[[1.0; 4]; 2], Range { start: 2, end: 1 }),
        add(x, &[[1.0; 4]; 2], 0..0),
        add(&mut x[..0], &[[1.0; 4]; 2], 0..0),
        add(&mut x[..0], &[[1.0; 4]; 2], 0..2),
        add(&mut x[..7], &[[1.0; 4]; 2], 0..2),
        add(x, &[[1.0; 0]; 2], 0..2),
        add(x, &[&[1.0; 4][..], &[1.0; 3]], 0..2),
        add(x, &[[f32::NAN; 4]; 2], 0..1),
    ]));
}

fn adding_more(document: &mut Document) {
    document.functions(&["Spec::add"], "Rows beyond the table are computed.");
    document.calls(fills!([7.0f32; 8], |x| [
        Spec::new(4).add(x, &[[1.0; 4]; 0], 0..2),
        Spec::new(4).add(x, &[[1.0; 4]; 1], 1..3),
        Spec::new(4).add(x, &[[1.0; 3]; 2], 0..2),
        Spec::new(4).add(x, &[[1.0; 3]; 0], 0..2),
        Spec::new(4).add(&mut x[..7], &[[1.0; 4]; 2], 0..2),
        Spec::new(4).add(x, &[[1.0; 4]; 2], 0..usize::MAX),
        Spec::new(4).add(&mut x[..0], &[[1.0; 4]; 2], 0..usize::MAX),
        Spec::new(4).add(x, &[[1.0; 4]; 2], usize::MAX - 2..usize::MAX),
        Spec::new(4).start(i64::MAX).add(x, &[[1.0; 4]; 2], 0..2),
        Spec::new(4).start(i64::MAX).add(x, &[[1.0; 4]; 2], 1..3),
        Spec::new(4).zero_row(1).add(x, &[[1.0; 4]; 1], 0..2),
    ]));
}

fn beside(document: &mut Document) {
    document.functions(&["concat", "Spec::concat"], "");
    document.calls(fills!([7.0f32; 8], |out| [
        concat(&[1.0; 4], 2, &[[0.0; 2]; 2], 0..2, &mut out[..7]),
        concat(&[1.0; 4], 3, &[[0.0; 2]; 2], 0..2, out),
        concat(&[1.0; 4], 0, &[[0.0; 2]; 2], 0..2, out),
        concat(&[1.0; 4], usize::MAX, &[[0.0; 2]; 2], 0..2, out),
        concat(&[], 2, &[[0.0; 2]; 2], 0..2, out),
        concat(&[], 0, &[[0.0; 2]; 2], 0..2, &mut out[..0]),
        concat(&[], usize::MAX, &[[0.0; 2]; 2], 0..2, &mut out[..0]),
        concat(&[1.0; 4], 2, &[[0.0; 2]; 2], 0..3, out),
        concat(&[1.0; 4], 2, &[[0.0; 2]; 2], Range { start: 2, end: 1 }, out),
        Spec::new(2).concat(&[1.0; 4], 2, &[[0.0; 2]; 0], 0..2, out),
        Spec::new(2).concat(&[1.0; 4], 2, &[[0.0; 2]; 0], 0..2, &mut out[..7]),
        Spec::new(2).concat(&[1.0; 4], 2, &[[0.0; 3]; 2], 0..2, out),
        Spec::new(2).concat(&[], 2, &[[0.0; 2]; 0], 0..usize::MAX, &mut out[..0]),
    ]));
}
