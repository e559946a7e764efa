//! The methods that examine a spec, and translations.

use posenc::{Columns, Grid, MAX_POSITION, Odd, Pairing, Q15, Rest, Spec, const_translation};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Frequencies, dot products, translations, explanations", "");
    wavelengths(document);
    dot_product(document);
    translation(document);
    explain(document);
}

fn wavelengths(document: &mut Document) {
    document.functions(&["Spec::angular_frequencies", "Spec::wavelengths"], "");
    document.calls(calls![
        Spec::new(1).odd(Odd::Zero).angular_frequencies().map(Vec::from_iter),
        Spec::new(4).base(f64::from_bits(1)).angular_frequencies().map(Vec::from_iter),
        Spec::new(4).base(f64::from_bits(1)).freq_shift(1.0).angular_frequencies().map(Vec::from_iter),
        Spec::new(4).base(f64::MAX).scale(f64::from_bits(1)).angular_frequencies().map(Vec::from_iter),
        Spec::new(4).frequencies(&[f64::MAX, -0.0]).scale(-2.0).angular_frequencies().map(Vec::from_iter),
        Spec::new(4).scale(0.0).wavelengths().map(Vec::from_iter),
        Spec::new(4).scale(f64::from_bits(1)).wavelengths().map(Vec::from_iter),
    ]);
}

fn dot_product(document: &mut Document) {
    document.functions(&["Spec::dot_product"], "");
    document.calls(calls![
        Spec::new(4).dot_product(f64::NAN),
        Spec::new(4).dot_product(MAX_POSITION + 1),
        Spec::new(4).dot_product(f64::MAX),
        Spec::new(4).dot_product(f64::from_bits(1)),
        Spec::new(3).dot_product(0),
        Spec::new(4).columns(Columns::Cos).dot_product(0),
        Spec::new(4).pairing(Pairing::Unpaired).dot_product(0),
    ]);
}

fn translation(document: &mut Document) {
    document.functions(
        &["Spec::translation", "const_translation", "Spec::translate"],
        "`pairs` is `[[7.0f32; 2]; 2]` before each call, and `rows` is `[7.0f32; 4]`.",
    );
    document.calls(fills!([[7.0f32; 2]; 2], |pairs| [
        Spec::new(4).translation(f64::NAN, pairs),
        Spec::new(4).translation(MAX_POSITION + 1, pairs),
        Spec::new(4).translation(f64::MAX, pairs),
        Spec::new(4).translation(1, &mut pairs[..1]),
        Spec::new(2).translation(1, pairs),
        Spec::new(5).translation(1, pairs),
        Spec::new(5).odd(Odd::Zero).translation(1, pairs),
        Spec::new(1).odd(Odd::Zero).translation(1, &mut pairs[..0]),
        Spec::new(4).columns(Columns::Sin).translation(1, pairs),
    ]));
    document.calls(fills!([7.0f32; 4], |rows| [
        Spec::new(4).translate(&[[1.0, 0.0]; 2], &mut rows[..3]),
        Spec::new(4).translate(&[[1.0, 0.0]; 2], &mut rows[..0]),
        Spec::new(4).translate(&[[1.0, 0.0]; 1], rows),
        Spec::new(4).translate(&[[f32::NAN, 0.0]; 2], rows),
        Spec::new(4).columns(Columns::Cos).translate(&[[1.0, 0.0]; 2], rows),
        Spec::new(4).pairing(Pairing::Unpaired).translate(&[[1.0, 0.0]; 2], rows),
    ]));
    document.calls(calls![
        const_translation::<f32, 2>(Spec::new(4), f64::NAN),
        const_translation::<f32, 2>(Spec::new(4), f64::MAX),
        const_translation::<f32, 3>(Spec::new(4), 1.0),
        const_translation::<f32, 2>(Spec::new(4).columns(Columns::Sin), 1.0),
    ]);
}

fn explain(document: &mut Document) {
    document.functions(&["Spec::explain", "Grid::explain"], "");
    document.calls(calls![
        Spec::new(4).explain::<f32>(0, 4),
        Spec::new(5).odd(Odd::Zero).explain::<f32>(1, 4),
        Spec::new(4).explain::<f32>(f64::NAN, 0),
        Spec::new(4).explain::<f32>(MAX_POSITION + 1, 0),
        Spec::new(4).explain::<f32>(f64::MAX, 0),
        Grid::new([2, 2], 4).explain::<f32>([0, 1], 4),
        Grid::new([2, 2], 4).explain::<Q15>([0, 1], 0),
        Grid::new([2, 2], 6).explain::<f32>([0, 1], 0),
        Grid::new([2, 2], 6).rest(Rest::Zero).explain::<f32>([0, 1], 5),
        Grid::new([2, 2], 4).explain::<f32>([0.0, f64::NAN], 0),
    ]);
}
