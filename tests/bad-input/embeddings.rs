//! Adding positions to embeddings, or appending them.

use core::ops::Range;

use posenc::{Spec, embeddings};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Embeddings", "`x` and `out` are `[7.0f32; 8]` before each call.");
    adding(document);
    adding_integers(document);
    adding_more(document);
    beside(document);
}

fn adding(document: &mut Document) {
    document.functions(&["embeddings::add"], "");
    document.calls(fills!([7.0f32; 8], |x| [
        embeddings::add(x, &[[1.0; 4]; 2], 0..3),
        embeddings::add(x, &[[1.0; 4]; 2], 1..usize::MAX),
        embeddings::add(x, &[[1.0; 4]; 2], Range { start: 2, end: 1 }),
        embeddings::add(x, &[[1.0; 4]; 2], 0..0),
        embeddings::add(&mut x[..0], &[[1.0; 4]; 2], 0..0),
        embeddings::add(&mut x[..0], &[[1.0; 4]; 2], 0..2),
        embeddings::add(&mut x[..7], &[[1.0; 4]; 2], 0..2),
        embeddings::add(x, &[[1.0; 0]; 2], 0..2),
        embeddings::add(x, &[&[1.0; 4][..], &[1.0; 3]], 0..2),
        embeddings::add(x, &[[f32::NAN; 4]; 2], 0..1),
    ]));
}

fn adding_integers(document: &mut Document) {
    document.functions(&["embeddings::add_saturating"], "`x` is `[30_000i16; 8]` before each call.");
    document.calls(fills!([30_000i16; 8], |x| [
        embeddings::add_saturating(x, &[[9_000i16; 4]; 2], 0..2),
        embeddings::add_saturating(x, &[[9_000i16; 4]; 2], 0..3),
        embeddings::add_saturating(x, &[[9_000i16; 4]; 2], Range { start: 2, end: 1 }),
        embeddings::add_saturating(x, &[[9_000i16; 4]; 2], 0..0),
        embeddings::add_saturating(&mut x[..7], &[[9_000i16; 4]; 2], 0..2),
        embeddings::add_saturating(x, &[&[9_000i16; 4][..], &[9_000; 3]], 0..2),
    ]));
}

fn adding_more(document: &mut Document) {
    document.functions(&["Spec::add_rows"], "Rows beyond the table are computed.");
    document.calls(fills!([7.0f32; 8], |x| [
        Spec::new(4).add_rows(x, &[[1.0; 4]; 0], 0..2),
        Spec::new(4).add_rows(x, &[[1.0; 4]; 1], 1..3),
        Spec::new(4).add_rows(x, &[[1.0; 3]; 2], 0..2),
        Spec::new(4).add_rows(x, &[[1.0; 3]; 0], 0..2),
        Spec::new(4).add_rows(&mut x[..7], &[[1.0; 4]; 2], 0..2),
        Spec::new(4).add_rows(x, &[[1.0; 4]; 2], 0..usize::MAX),
        Spec::new(4).add_rows(&mut x[..0], &[[1.0; 4]; 2], 0..usize::MAX),
        Spec::new(4).add_rows(x, &[[1.0; 4]; 2], usize::MAX - 2..usize::MAX),
        Spec::new(4).start(i64::MAX).add_rows(x, &[[1.0; 4]; 2], 0..2),
        Spec::new(4).start(i64::MAX).add_rows(x, &[[1.0; 4]; 2], 1..3),
        Spec::new(4).zero_row(1).add_rows(x, &[[1.0; 4]; 1], 0..2),
    ]));
}

fn beside(document: &mut Document) {
    document.functions(&["embeddings::concat", "Spec::concat_rows"], "");
    document.calls(fills!([7.0f32; 8], |out| [
        embeddings::concat(&[1.0; 4], 2, &[[0.0; 2]; 2], 0..2, &mut out[..7]),
        embeddings::concat(&[1.0; 4], 3, &[[0.0; 2]; 2], 0..2, out),
        embeddings::concat(&[1.0; 4], 0, &[[0.0; 2]; 2], 0..2, out),
        embeddings::concat(&[1.0; 4], usize::MAX, &[[0.0; 2]; 2], 0..2, out),
        embeddings::concat(&[], 2, &[[0.0; 2]; 2], 0..2, out),
        embeddings::concat(&[], 0, &[[0.0; 2]; 2], 0..2, &mut out[..0]),
        embeddings::concat(&[], usize::MAX, &[[0.0; 2]; 2], 0..2, &mut out[..0]),
        embeddings::concat(&[1.0; 4], 2, &[[0.0; 2]; 2], 0..3, out),
        embeddings::concat(&[1.0; 4], 2, &[[0.0; 2]; 2], Range { start: 2, end: 1 }, out),
        Spec::new(2).concat_rows(&[1.0; 4], 2, &[[0.0; 2]; 0], 0..2, out),
        Spec::new(2).concat_rows(&[1.0; 4], 2, &[[0.0; 2]; 0], 0..2, &mut out[..7]),
        Spec::new(2).concat_rows(&[1.0; 4], 2, &[[0.0; 3]; 2], 0..2, out),
        Spec::new(2).concat_rows(&[], 2, &[[0.0; 2]; 0], 0..usize::MAX, &mut out[..0]),
    ]));
}
