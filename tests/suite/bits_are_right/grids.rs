//! Compares the tables of grids with an evaluation of what the docs of `Grid` say, entry by entry.
//!
//! The places of rows and columns are lists made by plain loops, and the entries come from the arbitrary-precision oracle.
//! Nothing is taken from the library. All axes have different sizes, because a square grid hides an exchange of its axes.

use std::f64::consts::TAU;

use posenc::{Bf16Bits, F16Bits, Grid, GridPreset, Nest, Order, Rest};

use super::oracle::{Case, Oracle, Random};
use testkit::cases;
use testkit::real::Ieee;

/// What the docs say of one axis.
#[derive(Clone, Debug)]
struct Axis {
    points: usize,
    width: usize,
    start: i64,
    step: i64,
    unit: (i64, i64),
    base: f64,
    freq_shift: f64,
    frequencies: Option<Vec<f64>>,
}

/// An axis of positions 0, 1, 2 and so on, with the usual frequencies.
fn plain(points: usize, width: usize) -> Axis {
    Axis { points, width, start: 0, step: 1, unit: (1, 1), base: 10_000.0, freq_shift: 0.0, frequencies: None }
}

/// What the docs say of a grid.
#[derive(Clone, Debug)]
struct Formula {
    axes: Vec<Axis>,
    d_model: usize,
    first: Vec<usize>,
    nest: Nest,
    zero_rows: usize,
    scale: f64,
    order: Order,
    amplitude: f64,
}

impl Formula {
    /// The axes in blocks, in this order.
    fn new(axes: Vec<Axis>, d_model: usize) -> Self {
        let first = (0..axes.len()).collect();
        Self {
            axes,
            d_model,
            first,
            nest: Nest::Blocks,
            zero_rows: 0,
            scale: 1.0,
            order: Order::SinCos,
            amplitude: 1.0,
        }
    }

    /// Returns the axis, the frequency and the function (0 for the sine) of each column that the axes have.
    fn columns(&self) -> Vec<(usize, usize, usize)> {
        let phases = if self.order == Order::SinCos { [0, 1] } else { [1, 0] };
        let pairs = |axis: usize| self.axes[axis].width / 2;
        let all = || self.first.iter().copied();
        let block = |axis, phase| (0..pairs(axis)).map(move |k| (axis, k, phase));
        match self.nest {
            Nest::Blocks => {
                all().flat_map(|axis| phases.into_iter().flat_map(move |phase| block(axis, phase))).collect()
            }
            Nest::Phases => {
                phases.into_iter().flat_map(|phase| all().flat_map(move |axis| block(axis, phase))).collect()
            }
            Nest::Pairs => {
                let pair = |axis, k| phases.map(|phase| (axis, k, phase));
                all().flat_map(|axis| (0..pairs(axis)).flat_map(move |k| pair(axis, k))).collect()
            }
            Nest::Frequencies => {
                let of_frequency =
                    |k| phases.into_iter().flat_map(move |phase| all().map(move |axis| (axis, k, phase)));
                (0..pairs(0)).flat_map(of_frequency).collect()
            }
        }
    }

    /// Returns the points of all rows after those of zeros: the last axis changes fastest.
    fn points(&self) -> Vec<Vec<usize>> {
        self.axes.iter().fold(vec![Vec::new()], |points, axis| {
            points.iter().flat_map(|point| (0..axis.points).map(|i| [point.as_slice(), &[i]].concat())).collect()
        })
    }

    fn cases(&self) -> Vec<Case> {
        let case = |axis: &Axis| {
            let mut case = Case::pairs(axis.width);
            (case.unit, case.base, case.freq_shift) = (axis.unit, axis.base, axis.freq_shift);
            (case.scale, case.amplitude) = (self.scale, posenc::Amplitude::Value(self.amplitude));
            case.frequencies.clone_from(&axis.frequencies);
            case
        };
        self.axes.iter().map(case).collect()
    }

    /// Returns the bits of the rows at some positions.
    fn rows<T: Ieee>(&self, positions: &[Vec<f64>]) -> Vec<u64> {
        let (cases, columns) = (self.cases(), self.columns());
        let mut bits = vec![0; positions.len() * self.d_model];
        // Oracles keep the frequencies of their case.
        for (axis, case) in cases.iter().enumerate() {
            let mut oracle = Oracle::default();
            let mut known = std::collections::HashMap::new();
            for (row, position) in bits.chunks_exact_mut(self.d_model).zip(positions) {
                // Entries beyond those of the axes stay zero, and columns beyond the row are left out.
                for (entry, &(_, k, phase)) in row.iter_mut().zip(&columns).filter(|(_, column)| column.0 == axis) {
                    let key = (position[axis].to_bits(), k, phase);
                    let value = || oracle.bits::<T>(case, position[axis], 2 * k + phase);
                    *entry = *known.entry(key).or_insert_with(value);
                }
            }
        }
        bits
    }

    fn table<T: Ieee>(&self) -> Vec<u64> {
        let position = |(axis, &i): (&Axis, &usize)| (axis.start + i64::try_from(i).unwrap() * axis.step) as f64;
        let positions: Vec<Vec<f64>> =
            self.points().iter().map(|point| self.axes.iter().zip(point).map(position).collect()).collect();
        [vec![0; self.zero_rows * self.d_model], self.rows::<T>(&positions)].concat()
    }
}

fn bits<T: Ieee>(entries: &[T]) -> Vec<u64> {
    entries.iter().map(|entry| entry.bits()).collect()
}

/// Says where two tables differ first.
fn assert_same(got: &[u64], wanted: &[u64], d_model: usize, of: &str) {
    assert_eq!(got.len(), wanted.len(), "{of}: lengths");
    if let Some(at) = (0..got.len()).find(|&at| got[at] != wanted[at]) {
        let (row, column) = (at / d_model, at % d_model);
        panic!("{of}: row {row}, column {column}: got {:x}, wanted {:x}", got[at], wanted[at]);
    }
}

/// A formula and what else a grid needs to be this formula.
struct Drawn {
    formula: Formula,
    /// Whether the widths are given although they are equal shares.
    widths: bool,
    rest: Rest,
}

impl Drawn {
    /// Draws a grid of `axes` axes with all parameters, half of which are the usual ones.
    fn new<T: Ieee>(axes: usize, random: &mut Random) -> Self {
        let nest = random.of([Nest::Blocks, Nest::Pairs, Nest::Phases, Nest::Frequencies]);
        let equal = nest == Nest::Frequencies || random.below(2) == 0;
        let width = 2 + 2 * random.index(4);
        let mut sizes = vec![1, 2, 3, 4, 5, 6];
        let mut drawn = |random: &mut Random| {
            let points = sizes.remove(random.index(sizes.len()));
            let width = if equal { width } else { 2 + 2 * random.index(4) };
            random_axis(plain(points, width), random)
        };
        let axes: Vec<_> = (0..axes).map(|_| drawn(random)).collect();
        let sum: usize = axes.iter().map(|axis| axis.width).sum();
        let (rest, d_model, widths) = match random.below(4) {
            // Without widths, a rest of fewer columns than two for each axis is shared.
            0 if equal => (Rest::Zero, sum + random.index(2 * axes.len()), random.below(2) == 0),
            1 if equal => (Rest::Cut, sum - random.index(2 * axes.len()), random.below(2) == 0),
            0 => (Rest::Zero, sum + random.index(20), true),
            1 => (Rest::Cut, 1 + random.index(sum), true),
            _ => (random.of([Rest::Reject, Rest::Zero, Rest::Cut]), sum, !equal),
        };
        let mut formula = Formula::new(axes, d_model);
        for i in (1..formula.first.len()).rev() {
            formula.first.swap(i, random.index(i + 1));
        }
        formula.nest = nest;
        let often = |random: &mut Random| random.below(2) == 0;
        if often(random) {
            formula.scale = random.scale(false);
        }
        if often(random) {
            formula.order = Order::CosSin;
        }
        if often(random) {
            formula.amplitude = random.of([0.5, -1.0, T::MAX, 1e-6, 0.0, -0.0, 3.0]);
        }
        formula.zero_rows = random.of([0, 0, 1, 3]);
        Self { formula, widths, rest }
    }

    /// Returns the table of the library, and its rows at two points.
    fn check<T: Ieee, const A: usize>(&self, random: &mut Random) {
        fn each<V: Copy, const A: usize>(axes: &[Axis], value: impl Fn(&Axis) -> V) -> [V; A] {
            std::array::from_fn(|i| value(&axes[i]))
        }
        let Formula { axes, d_model, first, nest, zero_rows, scale, order, amplitude } = &self.formula;
        let grid = Grid::<A>::new(each(axes, |axis| axis.points), *d_model).nest(*nest).rest(self.rest);
        let grid = grid.first(std::array::from_fn(|i| first[i])).zero_rows(*zero_rows).scale(*scale);
        let grid = grid.order(*order).amplitude(*amplitude).unit(each(axes, |axis| axis.unit));
        let grid = grid.start(each(axes, |axis| axis.start)).step(each(axes, |axis| axis.step));
        let grid = if self.widths { grid.widths(each(axes, |axis| axis.width)) } else { grid };
        let lists: [&[f64]; A] = std::array::from_fn(|i| axes[i].frequencies.as_deref().unwrap_or_default());
        let grid = match axes[0].frequencies {
            Some(_) => grid.frequencies(lists),
            None => grid.base(each(axes, |axis| axis.base)).freq_shift(each(axes, |axis| axis.freq_shift)),
        };
        let of = format!("{} {grid}", T::NAME);
        let table = grid.table::<T>().unwrap_or_else(|error| panic!("{of}: {error}"));
        assert_same(&bits(table.as_slice()), &self.formula.table::<T>(), *d_model, &of);

        let points: [[f64; A]; 2] = [[(); A]; 2].map(|point| point.map(|()| random.float_position(false)));
        let mut rows = vec![T::default(); 2 * d_model];
        grid.fill_points(&points, &mut rows).unwrap_or_else(|error| panic!("{of}: {error}"));
        let wanted = self.formula.rows::<T>(&points.map(|point| point.to_vec()));
        assert_same(&bits(&rows), &wanted, *d_model, &format!("{of} at {points:?}"));
    }
}

/// Changes about half of the parameters of an axis.
fn random_axis(mut axis: Axis, random: &mut Random) -> Axis {
    let mut often = || random.below(2) == 0;
    let [places, unit, base, shift] = [(); 4].map(|()| often());
    if places {
        axis.start = random.of([1, -3, 24, -1_000_000, (1 << 52) + 1]);
        axis.step = random.of([1, 2, -1, 0, 1_000_003]);
    }
    if unit {
        let any = random.unit();
        axis.unit = random.of([(8, 15), (1, 7), (64, 192), (1_000_000, 28_000_001), any]);
    }
    if base {
        axis.base = random.of([20.0, 2.0, 1e6, 0.5, 100.0]);
    }
    // The last exponent is at most 2.
    if shift {
        axis.freq_shift = if axis.width > 2 { random.of([1.0, 0.5, -3.0, 0.1]) } else { random.of([0.5, -3.0]) };
    }
    axis
}

fn check_random<T: Ieee>(seed: u64) {
    let mut random = Random(seed);
    for number in 0..cases(200) {
        let count = 1 + number as usize % 4;
        let mut drawn = Drawn::new::<T>(count, &mut random);
        if random.below(4) == 0 {
            for axis in &mut drawn.formula.axes {
                axis.frequencies = Some((0..axis.width / 2).map(|_| random.frequency(false)).collect());
            }
        }
        match count {
            1 => drawn.check::<T, 1>(&mut random),
            2 => drawn.check::<T, 2>(&mut random),
            3 => drawn.check::<T, 3>(&mut random),
            _ => drawn.check::<T, 4>(&mut random),
        }
    }
}

#[test]
fn random_grids_are_the_formula_rounded_once() {
    std::thread::scope(|scope| {
        scope.spawn(|| check_random::<f32>(14));
        scope.spawn(|| check_random::<f64>(15));
        scope.spawn(|| check_random::<F16Bits>(16));
        scope.spawn(|| check_random::<Bf16Bits>(17));
    });
}

/// Checks the table of a preset against its formula.
fn assert_preset<const A: usize>(preset: GridPreset, formula: &Formula) {
    let shape = std::array::from_fn::<_, A, _>(|i| formula.axes[i].points);
    let grid = Grid::preset(preset, shape, formula.d_model);
    // Positions from 0 to below 8.
    let grid = if preset == GridPreset::PixArt { grid.extent(16, 2) } else { grid };
    let table = grid.table::<f32>().unwrap_or_else(|error| panic!("{preset}: {error}"));
    assert_same(&bits(table.as_slice()), &formula.table::<f32>(), formula.d_model, preset.name());
    let table = grid.table::<f64>().unwrap_or_else(|error| panic!("{preset}: {error}"));
    assert_same(&bits(table.as_slice()), &formula.table::<f64>(), formula.d_model, preset.name());
}

/// Returns `w h` in the columns.
fn width_first(mut formula: Formula) -> Formula {
    formula.first.reverse();
    formula
}

/// The formulas of images, 3 points high and 5 wide, in 16 columns.
fn formula_of_image(preset: GridPreset) -> Formula {
    let axes = |change: fn(&mut Axis)| {
        let mut axes = vec![plain(3, 8), plain(5, 8)];
        axes.iter_mut().for_each(change);
        Formula::new(axes, 16)
    };
    let usual = || axes(|_| ());
    // The quotient is 1 / (n + 1e-6).
    let unit = |parts: i64, axis: &mut Axis| {
        axis.unit = (1_000_000, parts * (i64::try_from(axis.points).unwrap() * 1_000_000 + 1));
    };
    match preset {
        GridPreset::Mae | GridPreset::Monai => width_first(usual()),
        GridPreset::SimpleVit => width_first(axes(|axis| axis.freq_shift = 1.0)),
        GridPreset::Hf2d => usual(),
        // The first axis of the shape is the width, and the rows of an image change fastest.
        GridPreset::MocoV3 => Formula { zero_rows: 1, ..usual() },
        GridPreset::Timm => Formula { nest: Nest::Phases, ..usual() },
        GridPreset::Detr => Formula { nest: Nest::Pairs, ..axes(|axis| axis.start = 1) },
        GridPreset::DetrNormalized => {
            let mut formula = Formula { nest: Nest::Pairs, scale: TAU, ..axes(|axis| axis.start = 1) };
            formula.axes.iter_mut().for_each(|axis| unit(1, axis));
            formula
        }
        GridPreset::DeformableDetr => {
            let change = |axis: &mut Axis| (axis.start, axis.step) = (1, 2);
            let mut formula = Formula { nest: Nest::Pairs, scale: TAU, ..axes(change) };
            formula.axes.iter_mut().for_each(|axis| unit(2, axis));
            formula
        }
        GridPreset::PixArt => width_first(axes(|axis| axis.unit = (8, i64::try_from(axis.points).unwrap()))),
        GridPreset::Sd3 => width_first(axes(|axis| {
            axis.start = (192 - i64::try_from(axis.points).unwrap()) / 2;
            axis.unit = (1, 3);
        })),
        GridPreset::Tatp22 => Formula { nest: Nest::Pairs, ..usual() },
        other => panic!("{other} is not of images"),
    }
}

/// The formulas of videos, 4 frames of 3 x 5.
fn formula_of_video(preset: GridPreset) -> Formula {
    let axes = |widths: [usize; 3]| vec![plain(4, widths[0]), plain(3, widths[1]), plain(5, widths[2])];
    match preset {
        GridPreset::SimpleVit => {
            let mut formula = width_first(Formula::new(axes([4; 3]), 16)); // and 4 columns of zeros
            formula.axes.iter_mut().for_each(|axis| axis.freq_shift = 1.0);
            formula
        }
        GridPreset::CogVideoX => {
            let mut formula = Formula { first: vec![0, 2, 1], zero_rows: 226, ..Formula::new(axes([4, 6, 6]), 16) };
            formula.axes[1..].iter_mut().for_each(|axis| axis.unit = (8, 15));
            formula
        }
        GridPreset::VJepa => Formula::new(axes([8, 4, 4]), 16),
        GridPreset::VJepaUniform => Formula::new(axes([6; 3]), 16),
        GridPreset::Tatp22 => Formula { nest: Nest::Pairs, ..Formula::new(axes([4; 3]), 10) },
        GridPreset::Monai => Formula { first: vec![1, 0, 2], ..Formula::new(axes([4; 3]), 12) },
        other => panic!("{other} is not of videos"),
    }
}

#[test]
fn presets_are_the_formulas_of_their_models() {
    let videos = [GridPreset::CogVideoX, GridPreset::VJepa, GridPreset::VJepaUniform];
    let both = [GridPreset::SimpleVit, GridPreset::Tatp22, GridPreset::Monai];
    for &preset in GridPreset::ALL {
        if !videos.contains(&preset) {
            assert_preset::<2>(preset, &formula_of_image(preset));
        }
        if videos.contains(&preset) || both.contains(&preset) {
            assert_preset::<3>(preset, &formula_of_video(preset));
        }
    }
}
