//! Grids: `Grid`, `const_grid` and `grid_table!`.

use posenc::reflection::TableKind;
use posenc::{Columns, FrequencyDtype, Grid, GridPreset, Nest, Order, Quantiser, Repeat, Rest, Scaling, const_grid};

use crate::document::Document;
use crate::the_macro::calls_of;

pub(crate) fn write(document: &mut Document) {
    document.part(
        "Grids",
        "Each axis has the parameters of a `Spec`, whose errors are listed above. Here are the errors of the grid's own \
         parameters, and of its buffers.",
    );
    shapes(document);
    arrangement(document);
    axes(document);
    comparisons(document);
    resized(document);
    rows(document);
    tables(document);
    embeddings(document);
    the_macro(document);
}

fn shapes(document: &mut Document) {
    document.functions(&["Grid::new", "Grid::preset", "Grid::extent", "Grid::check"], "");
    document.calls(calls![
        Grid::new([2, 2], 0).check::<f32>(),
        Grid::new([2, 2], 6).check::<f32>(),
        Grid::new([2], 3).check::<f32>(),
        Grid::new([2, 2, 2, 2], 12).check::<f32>(),
        Grid::new([2, 2], 1 << 26).check::<f32>(),
        Grid::new([0, 2], 4).check::<f32>(),
        Grid::new([usize::MAX, 2], 4).check::<f32>(),
        Grid::preset(GridPreset::CogVideoX, [2, 2], 16).check::<f32>(),
        Grid::preset(GridPreset::Mae, [2, 2, 2], 12).check::<f32>(),
        Grid::preset(GridPreset::Tatp22, [2], 4).check::<f32>(),
        Grid::preset(GridPreset::VJepa, [2, 2, 2], 12).check::<f32>(),
        Grid::preset(GridPreset::SimpleVit, [2, 2], 4).check::<f32>(),
        Grid::preset(GridPreset::DetrNormalized, [usize::MAX, 2], 4).check::<f32>(),
        Grid::preset(GridPreset::Sd3, [192, 193], 8).check::<f32>(),
        Grid::preset(GridPreset::Sd3, [usize::MAX, 2], 8).check::<f32>(),
        Grid::preset(GridPreset::Sd3, [192, 193], 8).start([0; 2]).check::<f32>(),
        Grid::preset(GridPreset::PixArt, [2, 2], 4).check::<f32>(),
        Grid::preset(GridPreset::PixArt, [2, 2], 4).extent(64, 0).check::<f32>(),
        Grid::new([2, 2], 4).extent(-1, 1).check::<f32>(),
        Grid::new([0, 2], 4).extent(1, 1).check::<f32>(),
        Grid::new([2, 2], 4).extent(1, i64::MAX).check::<f32>(),
    ]);
}

fn arrangement(document: &mut Document) {
    document.functions(
        &[
            "Grid::first",
            "Grid::nest",
            "Grid::widths",
            "Grid::rest",
            "Grid::zero_rows",
            "Grid::identity_rows",
            "Grid::identity_rows_after",
            "Grid::merge",
            "Grid::columns",
            "Grid::repeat",
        ],
        "",
    );
    document.calls(calls![
        Grid::new([2, 2], 4).first([0, 0]).check::<f32>(),
        Grid::new([2, 2], 4).first([1, 2]).check::<f32>(),
        Grid::new([2, 2], 4).first([0, usize::MAX]).check::<f32>(),
        Grid::new([2, 2], 4).widths([4, 0]).check::<f32>(),
        Grid::new([2, 2], 4).widths([3, 1]).check::<f32>(),
        Grid::new([2, 2], 4).widths([2, 4]).check::<f32>(),
        Grid::new([2, 2], 4).widths([2, usize::MAX]).check::<f32>(),
        Grid::new([2, 2], 4).widths([2, usize::MAX - 1]).check::<f32>(),
        Grid::new([2, 2], 8).nest(Nest::Frequencies).widths([2, 6]).check::<f32>(),
        Grid::new([2, 2], 4).rest(Rest::Zero).widths([2, 4]).check::<f32>(),
        Grid::new([2, 2], 9).rest(Rest::Cut).widths([2, 4]).check::<f32>(),
        Grid::new([2, 2], 3).rest(Rest::Zero).check::<f32>(),
        Grid::new([1, 1], 3).rest(Rest::Cut).table::<f32>(),
        Grid::new([0, 2], 4).zero_rows(1).table::<f32>(),
        Grid::new([2, 2], 4).zero_rows(usize::MAX).check::<f32>(),
        Grid::new([2, 2], 4).identity_rows(usize::MAX).check::<f32>(),
        Grid::new([0, 2], 4).identity_rows_after(1).table::<f32>(),
        Grid::new([2, 3], 4).merge(2).check::<f32>(),
        Grid::new([2, 2], 4).merge(0).check::<f32>(),
        Grid::new([2], 4).merge(2).check::<f32>(),
        Grid::new([2, 2], 3).columns(Columns::Sin).check::<f32>(),
        Grid::new([2, 2], 4).columns(Columns::Cos).order(Order::CosSin).check::<f32>(),
        Grid::new([2, 2], 8).repeat(Repeat::Halves).check::<f32>(),
        Grid::new([2, 2], 12).repeat(Repeat::Pairs).check::<f32>(),
        Grid::new([2, 2], 8).nest(Nest::PairFrequencies).repeat(Repeat::AxisHalves).check::<f32>(),
        Grid::new([2, 2], 8).widths([2, 6]).nest(Nest::PhaseFrequencies).check::<f32>(),
        Grid::new([2, 2], 6).rest(Rest::Identity).nest(Nest::Frequencies).check::<f32>(),
        Grid::new([2, 2], 7).rest(Rest::IdentityFirst).check::<f32>(),
    ]);
}

fn comparisons(document: &mut Document) {
    document.functions(&["Grid::is_same_table", "Grid::macro_call"], "");
    document.calls(calls![
        Grid::new([2, 2], 0).is_same_table(&Grid::new([2, 2], 0)),
        Grid::new([2, 2], 6).is_same_table(&Grid::new([2, 2], 6).rest(Rest::Reject).zero_rows(1)),
        Grid::new([2, 2], 4).scale(f64::NAN).is_same_table(&Grid::new([2, 2], 4).scale(f64::NAN)),
        Grid::new([usize::MAX; 2], 4).is_same_table(&Grid::new([usize::MAX; 2], 4).nest(Nest::Pairs)),
        Grid::preset(GridPreset::CogVideoX, [2, 2], 16).is_same_table(&Grid::new([2, 2], 16)),
        Grid::new([usize::MAX, 0], 0).first([0, 2]).macro_call().dtype::<f64>(),
        Grid::new([2, 2], 4).quantiser(Quantiser::quotient(1, 0)).macro_call(),
        Grid::preset(GridPreset::CogVideoX, [2, 2], 16).macro_call(),
        Grid::preset(GridPreset::PixArt, [2, 2], 8).macro_call(),
    ]);
}

fn resized(document: &mut Document) {
    document.functions(&["Grid::resized"], "");
    document.calls(calls![
        Grid::new([2, 2], 4).resized([0, usize::MAX]).check::<f32>(),
        Grid::new([usize::MAX, 2], 4).resized([3, 3]).check::<f32>(),
        Grid::new([2, 2], 4).start([i64::MIN; 2]).resized([3, 3]).check::<f32>(),
        Grid::new([2, 2], 4).unit([(1, i64::MAX); 2]).resized([3, 3]).check::<f32>(),
        Grid::preset(GridPreset::PixArt, [2, 2], 4).resized([3, 3]).check::<f32>(),
        Grid::new([4, 0], 4).extent(1, 1).resized([4, 4]).check::<f32>(),
    ]);
}

fn axes(document: &mut Document) {
    document.functions(
        &[
            "Grid::start",
            "Grid::step",
            "Grid::base",
            "Grid::freq_shift",
            "Grid::unit",
            "Grid::frequencies",
            "Grid::freq_offset",
            "Grid::frequency_dtype",
            "Grid::scaling",
            "Grid::positions",
            "Grid::scale",
            "Grid::order",
            "Grid::amplitude",
            "Grid::axis",
            "Grid::resized",
        ],
        "One wrong value among the values of the axes is enough.",
    );
    document.calls(calls![
        Grid::new([2, 2], 4).start([0, i64::MIN]).check::<f32>(),
        Grid::new([1, 3], 4).step([0, i64::MAX]).check::<f32>(),
        Grid::new([2, 2], 4).base([1.0, 0.0]).check::<f32>(),
        Grid::new([2, 2], 8).freq_shift([0.0, 2.0]).check::<f32>(),
        Grid::new([2, 2], 4).unit([(1, 1), (1, 0)]).check::<f32>(),
        Grid::new([2, 2], 4).frequencies([&[1.0], &[1.0, 2.0]]).check::<f32>(),
        Grid::new([2, 2], 4).freq_offset([(0, 1), (-1, 2)]).check::<f32>(),
        Grid::new([2, 2], 4).freq_offset([(1, 2); 2]).frequencies([&[1.0]; 2]).check::<f32>(),
        Grid::new([2, 2], 4).base([1.0, 1e-300]).frequency_dtype(FrequencyDtype::Bf16).check::<f32>(),
        Grid::new([2, 2], 8).base([1.0, 1e-300]).frequency_dtype(FrequencyDtype::Bf16).check::<f32>(),
        Grid::new([2, 2], 4).scaling([Scaling::None, Scaling::yarn(4.0, 4096)]).check::<f32>(),
        Grid::new([2, 2], 4).positions([&[], &[1.0]]).check::<f32>(),
        Grid::new([2, 2], 4).resized([2, usize::MAX]).check::<f32>(),
        Grid::new([2, 2], 4).scale(f64::NAN).check::<f32>(),
        Grid::new([1, 1], 4).order(Order::CosSin).table::<f32>(),
        Grid::new([2, 2], 4).amplitude(f64::INFINITY).check::<f32>(),
        Grid::new([2, 2], 6).axis(0).map(|axis| axis.d_model()),
        Grid::new([2, 2], 4).axis(2).map(|axis| axis.d_model()),
    ]);
}

fn rows(document: &mut Document) {
    document.functions(
        &["Grid::fill", "Grid::par_fill", "Grid::const_fill", "Grid::encode", "Grid::fill_points"],
        "`x` is `[7.0f32; 8]` before each call.",
    );
    document.calls(fills!([7.0f32; 8], |x| [
        Grid::new([1, 2], 4).fill(0..1, x),
        Grid::new([1, 2], 4).fill(core::ops::Range { start: 2, end: 1 }, x),
        Grid::new([1, 2], 4).fill(1.., x),
        Grid::new([1, 2], 4).fill(usize::MAX.., x),
        Grid::new([1, 2], 4).fill(2.., &mut x[..0]),
        Grid::new([1, 2], 4).fill(3.., &mut x[..0]),
        Grid::new([1, 2], 4).fill(0.., &mut x[..7]),
        Grid::new([1, 2], 6).fill(0.., x),
        Grid::new([usize::MAX >> 12, 1 << 40], 4).fill(0.., x),
        Grid::new([1, 2], 4).zero_rows(usize::MAX).identity_rows(usize::MAX).fill(usize::MAX - 2.., x),
        Grid::new([1, 2], 4).par_fill(1.., x),
        Grid::new([1, 2], 4).par_fill(0.., &mut x[..7]),
        Grid::new([1, 2], 4).const_fill(1.., x),
        Grid::new([1, 2], 4).const_fill(0.., &mut x[..7]),
        Grid::new([1, 2], 8).encode([0, i64::MAX], x),
        Grid::new([1, 2], 8).encode([0.0, f64::NAN], x),
        Grid::new([1, 2], 4).encode([0, 0], x),
        Grid::new([1, 2], 4).fill_points(&[[0.0, 0.0], [0.0, f64::INFINITY]], x),
        Grid::new([1, 2], 4).fill_points(&[[0.0, 0.0]], x),
        Grid::new([1, 2], 4).fill_points(&[], &mut x[..0]),
    ]));
}

fn tables(document: &mut Document) {
    document.functions(&["Grid::table", "Grid::par_table", "Grid::check_table", "Grid::quantiser", "const_grid"], "");
    document.calls(calls![
        Grid::new([1, 1], 6).table::<f32>(),
        Grid::new([0, 1], 4).table::<f32>(),
        Grid::new([1 << 31, 1 << 31], 4).table::<f32>(),
        Grid::new([1 << 31, 1 << 31], 4).par_table::<f32>(),
        Grid::new([1, 1], 4).check_table::<f32>(15),
        Grid::new([1, 1], 4).check_table::<f32>(16),
        Grid::new([1, 1], 4).zero_rows(usize::MAX).check_table::<f32>(usize::MAX),
        Grid::new([1, 1], 4).quantiser(Quantiser::quotient(1, 127)).table::<f32>(),
        Grid::new([1, 1], 4).table::<i8>(),
        Grid::new([1, 1], 4).quantiser(Quantiser::quotient(1, 127)).table::<i8>(),
        const_grid::<f32, 2, 4, 2>(Grid::new([1, 1], 4)),
        const_grid::<f32, 1, 3, 2>(Grid::new([1, 1], 4)),
        const_grid::<f32, 1, 6, 2>(Grid::new([1, 1], 6)),
        const_grid::<f32, 0, 4, 2>(Grid::new([0, 1], 4)),
    ]);
}

fn embeddings(document: &mut Document) {
    document.functions(&["Grid::add", "Grid::concat"], "`x` is `[7.0f32; 8]` before each call.");
    document.calls(fills!([7.0f32; 8], |x| [
        Grid::new([1, 3], 4).add(x),
        Grid::new([1, 2], 4).add(&mut x[..7]),
        Grid::new([0, 2], 4).add(x),
        Grid::new([0, 2], 4).add(&mut x[..0]),
        Grid::new([1, 2], 6).add(x),
        Grid::new([1, 1], 4).concat(&[1.0; 3], 2, x),
        Grid::new([1, 1], 4).concat(&[1.0; 2], 2, x),
        Grid::new([1, 1], 4).concat(&[1.0; 2], 0, x),
        Grid::new([1, 1], 4).concat(&[], 2, &mut x[..0]),
        Grid::new([1, 1], 4).concat(&[], usize::MAX, x),
    ]));
}

fn the_macro(document: &mut Document) {
    document.section("`grid_table!`", "Keys that it shares with `sinusoidal_table!` have the same errors.");
    calls_of(document, "grid_table!", [TableKind::Grid; 2], INPUTS);
}

const INPUTS: &[&str] = &[
    "(2, 3)",
    "6, 8",
    "(), 8",
    "(2, 3, 4, 5, 6), 8",
    "(2, -3), 8",
    "(2, 3.5), 8",
    "(2, 3), 0",
    "(2, 3), 10",
    "(2, 3), 8, preset = dit",
    "(2, 3), 16, preset = cogvideox",
    "(2, 3), 8, preset = pixart",
    "(2, 3), 8, first = w",
    "(2, 3), 8, first = (w, t)",
    "(2, 3), 8, first = (w, w)",
    "(2, 3), 8, nest = interleaved",
    "(2, 3), 8, widths = (2, 4)",
    "(2, 3), 8, widths = (3, 5)",
    "(2, 3), 8, widths = (2, 6), nest = frequencies",
    "(2, 3), 8, rest = pad",
    "(2, 3), 8, zero_rows = -1",
    "(2, 3), 8, identity_rows = -1",
    "(2, 3), 8, identity_rows_after = 0.5",
    "(2, 3), 8, merge = 2",
    "(2, 3), 8, columns = tan",
    "(2, 3), 8, repeat = halves",
    "(2, 3), 8, positions = ([1, 2], [3])",
    "(2, 3), 8, freq_offset = (0, 3/2)",
    "(2, 3), 8, frequency_dtype = (bf16, f16)",
    "(2, 3), 8, scaling = (linear(8), yarn(4, 4096))",
    "(2, 3), 8, extent = 0.5",
    "(2, 3), 8, extent = 0/2",
    "(2, 3), 8, extent = 64/2, unit = 1/2",
    "(2, 3), 8, base = (1e4, 0)",
    "(2, 3), 8, base = [1e4, 20]",
    "(2, 3), 8, freq_shift = (1, 2, 3)",
    "(2, 3), 8, frequencies = [1, 0.5, 0.25]",
    "(2, 3), 8, frequencies = ([1, 0.5], [1])",
    "(2, 3), 8, frequencies = ([1, 0.5], [1, 0.5], [1, 0.5])",
    "(2, 3), 8, frequencies = [1, 0.5], base = 20",
    "(2, 3), 8, order = cos",
    "(2, 3), 8, start = (0.5, 1)",
    "(2, 3), 8, start = (9007199254740992, 0)",
    "(2, 3), 8, step = 1 << 60",
    "(2, 3), 8, scale = 1 / 8",
    "(2, 3), 8, unit = (1, 8/0)",
    "(2, 3), 8, amplitude = rsqrt_d",
    "(2, 3), 8, dtype = i8",
    "(2, 3), 8, dtype = i8(1/127, 200)",
    "(2, 3), 8, max_bytes = 100",
    "(2, 3), 8, file = patches",
    "(2, 3), 8, layout = halves",
    "(2, 3), 8, base = 2, base = 3",
];
