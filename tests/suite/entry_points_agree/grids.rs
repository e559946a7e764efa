//! Grids: every entry point writes the rows that the tables of the axes have, and refuses the same input.

use posenc::{Bf16Bits, F16Bits, Grid, GridError, GridPreset, Nest, Order, Rest, Spec, const_grid};

use testkit::{Bits, Lcg, cases};

/// A grid, and the parameters that it does not tell.
struct Drawn<const A: usize> {
    grid: Grid<'static, A>,
    first: [usize; A],
    nest: Nest,
    zero_rows: usize,
    start: [i64; A],
    step: [i64; A],
}

fn below(random: &mut Lcg, bound: usize) -> usize {
    usize::try_from(random.next_bits() >> 33).unwrap() % bound
}

fn of<V: Copy, const N: usize>(random: &mut Lcg, values: [V; N]) -> V {
    values[below(random, N)]
}

/// Draws a grid. All numbers are in the range of all types, and a size of 0 is as likely as others.
fn draw<const A: usize>(random: &mut Lcg) -> Drawn<A> {
    let shape = [(); A].map(|()| below(random, 5));
    let nest = of(random, [Nest::Blocks, Nest::Pairs, Nest::Phases, Nest::Frequencies]);
    let equal = nest == Nest::Frequencies || of(random, [true, false]);
    let width = 2 + 2 * below(random, 3);
    let widths = [(); A].map(|()| if equal { width } else { 2 + 2 * below(random, 3) });
    let sum: usize = widths.iter().sum();
    let (rest, d_model) = match below(random, 3) {
        0 => (Rest::Reject, sum),
        1 => (Rest::Zero, sum + below(random, 9)),
        _ => (Rest::Cut, 1 + below(random, sum)),
    };
    let mut first = std::array::from_fn(|i| i);
    (1..A).for_each(|i| first.swap(i, below(random, i + 1)));
    let zero_rows = of(random, [0, 0, 1, 5]);
    let start = [(); A].map(|()| of(random, [0, 0, 1, -40, 1 << 40]));
    let step = [(); A].map(|()| of(random, [1, 1, 2, -3, 0]));
    let grid = Grid::new(shape, d_model).first(first).nest(nest).widths(widths).rest(rest).zero_rows(zero_rows);
    let grid = grid.start(start).step(step).unit([(); A].map(|()| of(random, [(1, 1), (8, 15), (1, 7)])));
    let grid = grid.base([(); A].map(|()| of(random, [10_000.0, 20.0]))).scale(of(random, [1.0, 6.5, -0.5, 0.0]));
    let grid = grid.order(of(random, [Order::SinCos, Order::CosSin]));
    let grid = grid.amplitude(of(random, [1.0, 1.0, 0.25, -3.0, 0.0, -0.0]));
    Drawn { grid, first, nest, zero_rows, start, step }
}

impl<const A: usize> Drawn<A> {
    /// Returns the index of each row on each axis, after the rows of zeros.
    fn points(&self) -> Vec<[usize; A]> {
        let shape = self.grid.shape();
        let mut points = vec![[0; A]];
        for (axis, count) in shape.into_iter().enumerate() {
            let with = |point: [usize; A], i| std::array::from_fn(|a| if a == axis { i } else { point[a] });
            points = points.iter().flat_map(|&point| (0..count).map(move |i| with(point, i))).collect();
        }
        points
    }

    /// Puts the rows of the tables of the axes together.
    fn rows<T: Bits>(&self) -> Vec<T> {
        let (grid, d_model) = (self.grid, self.grid.d_model());
        let tables: Vec<Vec<Vec<T>>> =
            (0..A).map(|axis| (0..grid.shape()[axis]).map(|i| row(&grid.axis(axis).unwrap(), i)).collect()).collect();
        let mut rows = vec![T::default(); self.zero_rows * d_model];
        for point in self.points() {
            let parts = |axis: usize| {
                let row = &tables[axis][point[axis]];
                match self.nest {
                    Nest::Blocks | Nest::Pairs => row.chunks(row.len()),
                    Nest::Phases => row.chunks(row.len() / 2),
                    Nest::Frequencies => row.chunks(1),
                }
            };
            let mut axes = self.first.map(parts);
            let mut entries = Vec::new();
            while axes[0].len() > 0 {
                for parts in &mut axes {
                    entries.extend_from_slice(parts.next().unwrap());
                }
            }
            entries.resize(d_model, T::default());
            rows.extend(entries);
        }
        rows
    }

    fn positions(&self) -> Vec<[f64; A]> {
        let position = |axis: usize, i: usize| (self.start[axis] + i64::try_from(i).unwrap() * self.step[axis]) as f64;
        self.points().into_iter().map(|point| std::array::from_fn(|axis| position(axis, point[axis]))).collect()
    }
}

/// Returns a row of a table.
fn row<T: Bits>(spec: &Spec, i: usize) -> Vec<T> {
    let mut row = vec![T::default(); spec.d_model()];
    spec.fill(i.., &mut row).unwrap();
    row
}

#[track_caller]
fn assert_same<T: Bits>(got: &[T], wanted: &[T], what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}: lengths");
    let different = got.iter().zip(wanted).position(|(a, b)| a.bits() != b.bits());
    assert_eq!(different, None, "{} {what}: the first entry that differs", T::DTYPE);
}

/// Returns entries that no function leaves as they are.
fn garbage<T: Bits>(len: usize) -> Vec<T> {
    row(&Spec::new(len.max(1)).base(1.0), 77)[..len].to_vec()
}

fn check<T: Bits, const A: usize>(drawn: &Drawn<A>, random: &mut Lcg) {
    let (grid, d_model) = (&drawn.grid, drawn.grid.d_model());
    let wanted = drawn.rows::<T>();
    let rows = wanted.len() / d_model;
    assert_eq!(grid.rows(), rows, "{grid}");
    assert_eq!(grid.check_table::<T>(usize::MAX), Ok(size_of_val(&wanted[..])));
    // All rows if they are few, and otherwise some.
    let offsets: Vec<_> = if rows < 30 { (0..=rows).collect() } else { (0..15).map(|_| below(random, rows)).collect() };
    for first in offsets {
        let mut at = first;
        while at < rows {
            let count = 1 + below(random, rows - at);
            let part = &wanted[at * d_model..][..count * d_model];
            let mut buffer = garbage::<T>(part.len());
            grid.fill(at..at + count, &mut buffer).unwrap();
            assert_same(&buffer, part, &format!("fill {at}, {count}: {grid}"));
            let mut buffer = garbage::<T>(part.len());
            grid.const_fill(at.., &mut buffer).unwrap();
            assert_same(&buffer, part, &format!("const_fill {at}, {count}: {grid}"));
            #[cfg(feature = "rayon")]
            {
                let mut buffer = garbage::<T>(part.len());
                grid.par_fill(at.., &mut buffer).unwrap();
                assert_same(&buffer, part, &format!("par_fill {at}, {count}: {grid}"));
            }
            at += count;
        }
        assert_eq!(grid.fill(first..first, &mut [] as &mut [T]), Ok(()));
    }
    let (positions, points) = (drawn.positions(), &wanted[drawn.zero_rows * d_model..]);
    let mut buffer = garbage::<T>(points.len());
    grid.fill_points(&positions, &mut buffer).unwrap();
    assert_same(&buffer, points, &format!("fill_points: {grid}"));
    let mut buffer = garbage::<T>(points.len());
    buffer.chunks_exact_mut(d_model).zip(positions).for_each(|(row, point)| grid.encode(point, row).unwrap());
    assert_same(&buffer, points, &format!("encode: {grid}"));
    #[cfg(feature = "alloc")]
    assert_same(grid.table().unwrap().as_slice(), &wanted, &format!("table: {grid}"));
    #[cfg(feature = "rayon")]
    assert_same(grid.par_table().unwrap().as_slice(), &wanted, &format!("par_table: {grid}"));
}

fn check_axes<const A: usize>(random: &mut Lcg) {
    for _ in 0..cases(12) {
        check::<f32, A>(&draw(random), random);
        check::<f64, A>(&draw(random), random);
        check::<F16Bits, A>(&draw(random), random);
        check::<Bf16Bits, A>(&draw(random), random);
    }
}

#[test]
fn every_entry_point_writes_the_rows_of_the_axes() {
    let mut random = Lcg::new(5);
    check_axes::<1>(&mut random);
    check_axes::<2>(&mut random);
    check_axes::<3>(&mut random);
    check_axes::<4>(&mut random);
}

/// Sums and concatenations of one batch, two and none.
#[cfg(feature = "alloc")]
#[test]
fn embeddings_get_the_rows_of_the_table() {
    use posenc::embeddings;

    fn check<const A: usize>(random: &mut Lcg) {
        let Drawn { grid, .. } = draw::<A>(random);
        let (table, d_model, rows) = (grid.table::<f32>().unwrap(), grid.d_model(), grid.rows());
        let x = |len: usize| (0..len).map(|i| if i % 5 == 0 { -0.0 } else { i as f32 - 7.25 }).collect::<Vec<f32>>();
        for batch in 0..3 {
            let mut zeros = vec![0.0; batch * rows * d_model];
            grid.add(&mut zeros).unwrap();
            assert_same(&zeros, &table.as_slice().repeat(batch), &format!("add: {grid}"));
            let (mut sum, mut wanted) = (x(zeros.len()), x(zeros.len()));
            grid.add(&mut sum).unwrap();
            if rows > 0 {
                embeddings::add(&mut wanted, &table, 0..rows).unwrap();
            }
            assert_same(&sum, &wanted, &format!("add: {grid}"));

            let width = 1 + below(random, 4);
            let tokens = x(batch * rows * width);
            let mut out = garbage(batch * rows * (width + d_model));
            grid.concat(&tokens, width, &mut out).unwrap();
            let each = tokens.chunks_exact(width).enumerate();
            let wanted: Vec<f32> = each.flat_map(|(i, token)| [token, &table[i % rows]].concat()).collect();
            assert_same(&out, &wanted, &format!("concat: {grid}"));
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
    assert_same(grid.par_table().unwrap().as_slice(), table.as_slice(), "par_table");
    let mut rows = garbage::<f64>(20_000 * 100);
    grid.par_fill(1000.., &mut rows).unwrap();
    assert_same(&rows, &table.as_slice()[1000 * 100..][..20_000 * 100], "par_fill");
}

#[test]
fn constants_are_the_rows_of_fill() {
    macro_rules! constants {
        ($($type:ty, $rows:literal, $d_model:literal, $grid:expr;)*) => { $({
            static BAKED: [[$type; $d_model]; $rows] = const_grid($grid);
            let mut filled = garbage::<$type>($rows * $d_model);
            $grid.fill(0.., &mut filled).unwrap();
            assert_same(BAKED.as_flattened(), &filled, stringify!($grid));
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
            assert_same(&row, &evaluated, "const_fill");
            grid.encode(point, &mut evaluated).unwrap();
            assert_same(&row, &evaluated, "encode");
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
        assert_same(&rows, &evaluated, "const_fill");
        for (row, i) in rows.chunks_exact(6).zip(first..) {
            let mut point = [0.0; 6];
            grid.encode([i / side / side, i / side % side, i % side].map(|i| i as f64), &mut point).unwrap();
            assert_same(row, &point, "encode");
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
        good.widths([8, 0]),
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
    assert_same(BAKED.as_flattened(), &filled, "names");
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
