//! Grids: every entry point writes the formula rounded once, and refuses the same input.
//!
//! `testkit` has the formula: plain loops over rows and columns, which take nothing from the library.

use posenc::{
    Amplitude, Bf16Bits, Columns, F16Bits, Grid, GridError, GridPreset, Layout, Nest, Order, Repeat, Rest, Spec,
    const_grid,
};

use testkit::case::Case;
use testkit::formula::Formula;
use testkit::grid::GridCase;
use testkit::real::Ieee;
use testkit::{Bits, Lcg, assert_same_bits, cases, written};

/// Returns a row of a table.
fn row<T: Bits>(spec: &Spec, i: usize) -> Vec<T> {
    written(spec.d_model(), |row| spec.fill(i.., row))
}

#[track_caller]
fn assert_bits<T: Bits>(got: &[T], wanted: &[u64], what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}: lengths");
    let different = got.iter().zip(wanted).position(|(a, &b)| a.bits() != b);
    assert_eq!(different, None, "{} {what}: the first entry that differs", T::DTYPE);
}

/// Returns entries that no function leaves as they are.
fn garbage<T: Bits>(len: usize) -> Vec<T> {
    row(&Spec::new(len.max(1)).base(1.0), 77)[..len].to_vec()
}

/// Compares the rows that the grid has for an axis with those of its formula.
fn check_axis<T: Ieee, const A: usize>(case: &GridCase, grid: &Grid<A>, number: usize) {
    if case.columns != Columns::Both || case.repeat != Repeat::None || case.width(number) == 0 {
        return;
    }
    let halves = matches!(case.nest, Nest::Blocks | Nest::Phases | Nest::PhaseFrequencies);
    let layout = if halves { Layout::Halves } else { Layout::Interleaved };
    let (axis, amplitude) = (&case.axes[number], Amplitude::Value(case.amplitude));
    let formula = Case { layout, order: case.order, scale: case.scale, amplitude, ..axis.case.clone() };
    let mut formula = Formula::new(&formula);
    for i in 0..axis.points {
        let position = axis.case.start + i64::try_from(i).unwrap() * axis.case.step;
        let wanted = (0..axis.case.d_model).map(|column| formula.entry_bits::<T>(position as f64, column));
        assert_bits(
            &row::<T>(&grid.axis(number).unwrap(), i),
            &wanted.collect::<Vec<_>>(),
            &format!("axis {number}: {grid}"),
        );
    }
}

/// Compares the rows at two points with the formula.
fn check_points<T: Ieee, const A: usize>(case: &GridCase, random: &mut Lcg) {
    let grid = case.grid::<A>();
    let of = format!("{} {grid}", T::NAME);
    let points: [[f64; A]; 2] = [[(); A]; 2].map(|point| point.map(|()| random.float_position(false)));
    let mut rows = garbage::<T>(2 * case.d_model);
    grid.fill_points(&points, &mut rows).unwrap_or_else(|error| panic!("{of}: {error}"));
    assert_bits(&rows, &case.rows::<T>(&points.map(|point| point.to_vec())), &format!("{of} at {points:?}"));
}

/// Compares what all entry points write with the formula.
fn check_entry_points<T: Ieee, const A: usize>(case: &GridCase, wanted: &[u64], random: &mut Lcg) {
    let (grid, d_model) = (case.grid::<A>(), case.d_model);
    let rows = wanted.len() / d_model;
    assert_eq!(grid.rows(), rows, "{grid}");
    assert_eq!(grid.check_table::<T>(usize::MAX), Ok(rows * d_model * size_of::<T>()));
    (0..A).for_each(|axis| check_axis::<T, A>(case, &grid, axis));
    let check = |what: &str, wanted: &[u64], write: &dyn Fn(&mut [T]) -> Result<(), GridError>| {
        let mut buffer = garbage::<T>(wanted.len());
        write(&mut buffer).unwrap();
        assert_bits(&buffer, wanted, &format!("{what}: {grid}"));
    };
    // All rows if they are few, and otherwise some.
    let offsets: Vec<_> = if rows < 30 { (0..=rows).collect() } else { (0..5).map(|_| random.index(rows)).collect() };
    for first in offsets {
        let mut at = first;
        while at < rows {
            let count = 1 + random.index(rows - at);
            let part = &wanted[at * d_model..][..count * d_model];
            check(&format!("fill {at}, {count}"), part, &|buffer| grid.fill(at..at + count, buffer));
            check(&format!("const_fill {at}, {count}"), part, &|buffer| grid.const_fill(at.., buffer));
            #[cfg(feature = "rayon")]
            check(&format!("par_fill {at}, {count}"), part, &|buffer| grid.par_fill(at.., buffer));
            at += count;
        }
        assert_eq!(grid.fill(first..first, &mut [] as &mut [T]), Ok(()));
    }
    let positions: Vec<[f64; A]> = case.positions().iter().map(|point| std::array::from_fn(|i| point[i])).collect();
    let points = &wanted[case.rows_before() * d_model..][..positions.len() * d_model];
    check("fill_points", points, &|buffer| grid.fill_points(&positions, buffer));
    check("encode", points, &|buffer| {
        buffer.chunks_exact_mut(d_model).zip(&positions).try_for_each(|(row, point)| grid.encode(*point, row))
    });
    #[cfg(feature = "alloc")]
    assert_bits(grid.table::<T>().unwrap().as_slice(), wanted, &format!("table: {grid}"));
    #[cfg(feature = "rayon")]
    assert_bits(grid.par_table::<T>().unwrap().as_slice(), wanted, &format!("par_table: {grid}"));
}

/// Compares a random grid with its formula, and of every fourth one, all entry points.
fn check<T: Ieee, const A: usize>(number: u32, random: &mut Lcg) {
    let case = GridCase::random::<T>(A, random);
    let case = if cfg!(feature = "alloc") { case } else { case.without_rules() };
    let wanted = case.table::<T>();
    let mut table = garbage::<T>(wanted.len());
    case.grid::<A>().fill(0.., &mut table).unwrap();
    assert_bits(&table, &wanted, &case.grid::<A>().to_string());
    check_points::<T, A>(&case, random);
    if number.is_multiple_of(4) {
        check_entry_points::<T, A>(&case, &wanted, random);
    }
}

fn check_type<T: Ieee>(seed: u64) {
    let mut random = Lcg::stream(seed, 0);
    for number in 0..cases(16) {
        check::<T, 1>(number, &mut random);
        check::<T, 2>(number, &mut random);
        check::<T, 3>(number, &mut random);
        check::<T, 4>(number, &mut random);
    }
}

#[test]
fn every_entry_point_writes_the_formula_rounded_once() {
    std::thread::scope(|scope| {
        scope.spawn(|| check_type::<f32>(14));
        scope.spawn(|| check_type::<f64>(15));
        scope.spawn(|| check_type::<F16Bits>(16));
        scope.spawn(|| check_type::<Bf16Bits>(17));
    });
}

/// Sums and concatenations of one batch, two and none.
#[cfg(feature = "alloc")]
#[test]
fn embeddings_get_the_rows_of_the_table() {
    use posenc::embeddings;

    fn check<const A: usize>(random: &mut Lcg) {
        let case = GridCase::random::<f32>(A, random);
        let grid = case.grid::<A>();
        let (table, d_model, rows) = (grid.table::<f32>().unwrap(), grid.d_model(), grid.rows());
        let x = |len: usize| (0..len).map(|i| if i % 5 == 0 { -0.0 } else { i as f32 - 7.25 }).collect::<Vec<f32>>();
        for batch in 0..3 {
            let mut zeros = vec![0.0; batch * rows * d_model];
            grid.add(&mut zeros).unwrap();
            // The sum with an entry of -0 is 0.
            let wanted: Vec<f32> = table.as_slice().repeat(batch).iter().map(|entry| entry + 0.0).collect();
            assert_same_bits(&zeros, &wanted, format!("add: {grid}"));
            let (mut sum, mut wanted) = (x(zeros.len()), x(zeros.len()));
            grid.add(&mut sum).unwrap();
            if rows > 0 {
                embeddings::add(&mut wanted, &table, 0..rows).unwrap();
            }
            assert_same_bits(&sum, &wanted, format!("add: {grid}"));

            let width = 1 + random.index(4);
            let tokens = x(batch * rows * width);
            let mut out = garbage(batch * rows * (width + d_model));
            grid.concat(&tokens, width, &mut out).unwrap();
            let each = tokens.chunks_exact(width).enumerate();
            let wanted: Vec<f32> = each.flat_map(|(i, token)| [token, &table[i % rows]].concat()).collect();
            assert_same_bits(&out, &wanted, format!("concat: {grid}"));
        }
    }
    let mut random = Lcg::new(6);
    for _ in 0..cases(40) {
        check::<1>(&mut random);
        check::<2>(&mut random);
        check::<3>(&mut random);
        check::<4>(&mut random);
    }
}

/// The threads copy pieces of 1 MiB, which begin anywhere in the grid.
#[cfg(feature = "rayon")]
#[test]
fn pieces_of_threads_are_those_of_one() {
    let grid = Grid::preset(GridPreset::VJepaUniform, [7, 50, 61], 100).zero_rows(3);
    let table = grid.table::<f64>().unwrap();
    assert!(size_of_val(table.as_slice()) > 16 << 20);
    assert_same_bits(grid.par_table().unwrap().as_slice(), table.as_slice(), "par_table");
    let mut rows = garbage::<f64>(20_000 * 100);
    grid.par_fill(1000.., &mut rows).unwrap();
    assert_same_bits(&rows, &table.as_slice()[1000 * 100..][..20_000 * 100], "par_fill");
}

#[test]
fn constants_are_the_rows_of_fill() {
    macro_rules! constants {
        ($($type:ty, $rows:literal, $d_model:literal, $grid:expr;)*) => { $({
            static BAKED: [[$type; $d_model]; $rows] = const_grid($grid);
            let mut filled = garbage::<$type>($rows * $d_model);
            $grid.fill(0.., &mut filled).unwrap();
            assert_same_bits(BAKED.as_flattened(), &filled, stringify!($grid));
        })* };
    }
    constants! {
        f32, 16, 8, Grid::preset(GridPreset::MocoV3, [3, 5], 8);
        f64, 6, 8, Grid::preset(GridPreset::Timm, [3, 2], 8).amplitude(-2.0);
        F16Bits, 6, 10, Grid::preset(GridPreset::Tatp22, [1, 3, 2], 10);
        Bf16Bits, 24, 13, Grid::preset(GridPreset::SimpleVit, [4, 3, 2], 13);
        f32, 24, 16, Grid::new([1, 2, 3, 4], 16).nest(Nest::Frequencies).first([3, 1, 0, 2]);
        f32, 5, 4, Grid::new([5], 4).order(Order::CosSin);
        f32, 2, 4, Grid::new([3, 0], 4).zero_rows(2);
        f32, 0, 4, Grid::new([3, 0], 4);
        f32, 6, 4, Grid::new([3, 2], 4).amplitude(0.0);
    }
}

/// Grids with more rows than an address space, of which the first and the last can be computed.
#[cfg(target_pointer_width = "64")]
#[test]
fn grids_of_any_size_have_rows() {
    let (side, d_model) = (1 << 40, 8);
    for grid in [Grid::new([3, side, side], d_model).widths([2, 4, 2]), Grid::new([side; 3], 6).rest(Rest::Zero)] {
        let d_model = grid.d_model();
        assert_eq!(grid.rows(), usize::MAX);
        let (mut row, mut evaluated) = (garbage::<f32>(d_model), garbage::<f32>(d_model));
        for (i, point) in [(0, [0, 0, 0]), (5, [0, 0, 5]), (3 * side + 1, [0, 3, 1])] {
            grid.fill(i.., &mut row).unwrap();
            grid.const_fill(i.., &mut evaluated).unwrap();
            assert_same_bits(&row, &evaluated, "const_fill");
            grid.encode(point, &mut evaluated).unwrap();
            assert_same_bits(&row, &evaluated, "encode");
        }
        assert!(matches!(grid.check_table::<f32>(usize::MAX), Err(GridError::TooLarge { .. })));
    }
}

/// Otherwise this test would take minutes, or all memory.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_few_rows_need_a_few_rows_of_the_axes() {
    let side = 1 << 28;
    let grid = Grid::new([3, side, side], 6);
    let (mut rows, mut evaluated) = (garbage::<f64>(4 * 6), garbage::<f64>(4 * 6));
    for first in [side - 2, side * side - 3, 2 * side * side - 1, 5] {
        grid.fill(first.., &mut rows).unwrap();
        grid.const_fill(first.., &mut evaluated).unwrap();
        assert_same_bits(&rows, &evaluated, "const_fill");
        for (row, i) in rows.chunks_exact(6).zip(first..) {
            let mut point = [0.0; 6];
            grid.encode([i / side / side, i / side % side, i % side].map(|i| i as f64), &mut point).unwrap();
            assert_same_bits(row, &point, "encode");
        }
    }
}

/// The shape alone is ignored; every other mistake is one for all entry points.
#[test]
fn refusals_are_the_same_and_write_nothing() {
    let good = Grid::new([2, 3], 8);
    for grid in [
        good.first([0, 0]),
        good.first([1, 2]),
        good.widths([4, 2]),
        good.widths([0, 0]),
        good.widths([3, 5]),
        good.widths([6, 2]).nest(Nest::Frequencies),
        Grid::new([2, 3], 7),
        Grid::new([2, 3], 0),
        good.base([0.0; 2]),
        good.unit([(1, 1), (1, 0)]),
        good.start([0, i64::MAX]),
        good.frequencies([&[1.0, 2.0], &[1.0]]),
        good.amplitude(f64::INFINITY),
        Grid::preset(GridPreset::PixArt, [2, 3], 8),
        Grid::preset(GridPreset::VJepa, [2, 3], 8),
    ] {
        let error = grid.check::<f32>().unwrap_err();
        let mut buffer = [7.0f32; 6 * 8];
        assert_eq!(grid.check_table::<f32>(usize::MAX), Err(error));
        assert_eq!(grid.fill(0.., &mut buffer), Err(error));
        assert_eq!(grid.const_fill(0.., &mut buffer), Err(error));
        assert_eq!(grid.fill_points(&[[0.0; 2]], &mut buffer), Err(error));
        assert_eq!(grid.encode([0, 0], &mut buffer), Err(error));
        #[cfg(feature = "rayon")]
        assert_eq!(grid.par_fill(0.., &mut buffer), Err(error));
        #[cfg(feature = "alloc")]
        {
            assert_eq!(grid.table::<f32>().unwrap_err(), error);
            assert_eq!(grid.add(&mut buffer).unwrap_err().to_string(), error.to_string());
            assert_eq!(grid.concat(&[1.0; 6], 1, &mut buffer).unwrap_err().to_string(), error.to_string());
        }
        assert_eq!(buffer, [7.0; 48], "{grid}");
        assert!(std::panic::catch_unwind(|| const_grid::<f32, 6, 8, 2>(grid)).is_err(), "{grid}");
    }
}

/// The number of rows depends on all names.
#[cfg(feature = "macros")]
#[test]
fn calls_with_names_bake_the_rows_of_fill() {
    const SIDE: usize = 3;
    const TOKENS: usize = 2;
    static BAKED: [[f32; 8]; 8] = posenc::grid_table!((SIDE, 2), 8, zero_rows = TOKENS, start = (1, 0));
    let mut filled = garbage::<f32>(8 * 8);
    Grid::new([SIDE, 2], 8).zero_rows(TOKENS).start([1, 0]).fill(0.., &mut filled).unwrap();
    assert_same_bits(BAKED.as_flattened(), &filled, "names");
}

#[test]
fn buffers_of_a_wrong_length_are_left_as_they_were() {
    fn refused(answer: Result<(), GridError>, buffer: &[f32]) {
        assert!(answer.is_err(), "{answer:?}");
        assert!(buffer.iter().all(|entry| *entry == 7.0), "{answer:?}");
    }
    let grid = Grid::new([2, 3], 8).zero_rows(1);
    let mut all = [7.0f32; 64];
    for (first, len) in [(0, 7), (0, 64), (6, 16), (7, 8), (usize::MAX, 8), (8, 0)] {
        let buffer = &mut all[..len];
        refused(grid.fill(first.., buffer), buffer);
        refused(grid.const_fill(first.., buffer), buffer);
    }
    refused(grid.fill(0..3, &mut all[..16]), &all);
    #[expect(clippy::reversed_empty_ranges, reason = "it must be refused")]
    refused(grid.fill(3..1, &mut all[..16]), &all);
    refused(grid.encode([0, 0], &mut all[..16]), &all);
    refused(grid.encode([0.5, f64::INFINITY], &mut all[..8]), &all);
    refused(grid.encode([0, i64::MAX], &mut all[..8]), &all);
    refused(grid.fill_points(&[[0.0; 2]; 3], &mut all[..16]), &all);
    refused(grid.fill_points(&[[0.0; 2], [f64::NAN, 0.0]], &mut all[..16]), &all);
    #[cfg(feature = "alloc")]
    {
        assert!(grid.add(&mut all[..55]).is_err());
        assert!(grid.concat(&[1.0; 14], 2, &mut all[..63]).is_err());
        assert!(grid.concat(&[1.0; 14], 0, &mut all).is_err());
        assert_eq!(all, [7.0; 64]);
    }
    // Seven rows: the last is (1, 2).
    grid.fill(6.., &mut all[..8]).unwrap();
    assert_eq!(all[0], 1f32.sin());
}
