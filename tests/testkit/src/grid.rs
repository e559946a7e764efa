//! What the docs of `Grid` say, entry by entry.

use std::collections::HashMap;

use posenc::{Amplitude, Columns, Grid, Nest, Order, Repeat, Rest};

use crate::case::{Case, Function, PAPER};
use crate::formula::Formula;
use crate::real::Ieee;

/// An axis of a grid.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The number of points.
    pub points: usize,
    /// Its start, step, unit and frequencies. It has sine/cosine pairs, whatever the grid has, and may have none.
    pub case: Case,
    /// The positions, if they are not equally spaced.
    pub positions: Option<Vec<f64>>,
}

/// The parameters of a grid. Scale, order and amplitude of the axes are those of the grid.
#[derive(Clone, Debug)]
pub struct GridCase {
    /// The axes, in the order of the shape.
    pub axes: Vec<Axis>,
    /// The number of columns.
    pub d_model: usize,
    /// The order of the axes in the columns.
    pub first: Vec<usize>,
    /// How the columns are nested.
    pub nest: Nest,
    /// Whether the widths are set although they are equal shares.
    pub widths: bool,
    /// What becomes of the remaining columns.
    pub rest: Rest,
    /// Which functions the columns are.
    pub columns: Columns,
    /// How the columns are repeated.
    pub repeat: Repeat,
    /// The number of rows of zeros before the others.
    pub zero_rows: usize,
    /// The numbers of identity rows before and after the points.
    pub identity_rows: [usize; 2],
    /// The size of the blocks in which the rows go.
    pub merge: usize,
    /// The factor of all angles.
    pub scale: f64,
    /// Which column of a pair is first.
    pub order: Order,
    /// The factor of all entries.
    pub amplitude: f64,
}

impl GridCase {
    /// Creates the case of axes in blocks, in this order.
    pub fn new(axes: Vec<Axis>, d_model: usize) -> Self {
        Self {
            first: (0..axes.len()).collect(),
            axes,
            d_model,
            nest: Nest::Blocks,
            widths: true,
            rest: Rest::Reject,
            columns: Columns::Both,
            repeat: Repeat::None,
            zero_rows: 0,
            identity_rows: [0, 0],
            merge: 1,
            scale: 1.0,
            order: Order::SinCos,
            amplitude: 1.0,
        }
    }

    /// Returns the grid with these parameters.
    pub fn grid<const A: usize>(&self) -> Grid<'_, A> {
        fn each<V: Copy, const A: usize>(axes: &[Axis], value: impl Fn(&Case) -> V) -> [V; A] {
            std::array::from_fn(|i| value(&axes[i].case))
        }
        let axes = &self.axes;
        let grid =
            Grid::<A>::new(std::array::from_fn(|i| axes[i].points), self.d_model).nest(self.nest).rest(self.rest);
        let grid = grid.first(std::array::from_fn(|i| self.first[i])).zero_rows(self.zero_rows).scale(self.scale);
        let grid = grid.identity_rows(self.identity_rows[0]).identity_rows_after(self.identity_rows[1]);
        let grid = grid.columns(self.columns).repeat(self.repeat).merge(self.merge);
        let grid = grid.order(self.order).amplitude(self.amplitude).unit(each(axes, |axis| axis.unit));
        let grid = grid.start(each(axes, |axis| axis.start)).step(each(axes, |axis| axis.step));
        let grid = grid.freq_offset(each(axes, |axis| axis.freq_offset)).scaling(each(axes, |axis| axis.scaling));
        let grid = axes.first().map_or(grid, |axis| grid.frequency_dtype(axis.case.frequency_dtype));
        let grid = if self.widths { grid.widths(std::array::from_fn(|i| self.width(i))) } else { grid };
        let grid = grid.positions(std::array::from_fn(|i| axes[i].positions.as_deref().unwrap_or_default()));
        let lists: [&[f64]; A] = std::array::from_fn(|i| axes[i].case.frequencies.as_deref().unwrap_or_default());
        match axes[0].case.frequencies {
            Some(_) => grid.frequencies(lists),
            None => grid.base(each(axes, |axis| axis.base)).freq_shift(each(axes, |axis| axis.freq_shift)),
        }
    }

    /// Returns the number of columns of an axis.
    pub fn width(&self, axis: usize) -> usize {
        self.axes[axis].case.d_model / 2 * self.columns_of_pair()
    }

    /// Returns the number of columns for each frequency of an axis.
    pub fn columns_of_pair(&self) -> usize {
        self.functions().len() * if self.repeat == Repeat::None { 1 } else { 2 }
    }

    fn functions(&self) -> &'static [Function] {
        match (self.columns, self.order) {
            (Columns::Sin, _) => &[Function::Sine],
            (Columns::Cos, _) => &[Function::Cosine],
            (Columns::Both, Order::SinCos) => &[Function::Sine, Function::Cosine],
            (Columns::Both, Order::CosSin) => &[Function::Cosine, Function::Sine],
        }
    }

    /// Returns the order in which columns are nested, the outermost first: axes `a`, functions `f`, frequencies `k` and
    /// repetitions `r`.
    fn levels(&self) -> &'static str {
        let one_function = self.columns != Columns::Both;
        match (self.nest, self.repeat) {
            (Nest::Blocks, Repeat::None | Repeat::Pairs) => "afkr",
            (Nest::Blocks, Repeat::Halves) => "rafk", // of one function
            (Nest::Blocks, Repeat::AxisHalves) => "afrk",
            (Nest::Pairs, Repeat::None | Repeat::Pairs) => "akrf",
            (Nest::Pairs, Repeat::Halves) => "rakf",
            (Nest::Pairs, Repeat::AxisHalves) => "arkf",
            (Nest::Phases, Repeat::None | Repeat::Pairs) => "fakr",
            (Nest::Phases, Repeat::Halves) => "frak",
            (Nest::Phases, Repeat::AxisHalves) => "fark",
            (Nest::Frequencies, Repeat::Pairs) if one_function => "kfar",
            (Nest::Frequencies, Repeat::None | Repeat::Pairs) => "krfa",
            (Nest::PhaseFrequencies, Repeat::None | Repeat::Pairs) => "fkar",
            (Nest::PairFrequencies, Repeat::None | Repeat::Pairs) => "karf",
            (Nest::Frequencies, _) => "rkfa",
            (Nest::PhaseFrequencies, _) => "frka",
            (Nest::PairFrequencies, _) => "rkaf",
        }
    }

    /// Returns the axis, the frequency and the function of each column that the axes have. The columns of angle 0 are those of
    /// an axis after the last.
    fn columns(&self) -> Vec<(usize, usize, Function)> {
        let count = self.axes.len();
        let filled: usize = (0..count).map(|axis| self.width(axis)).sum();
        let rest = if matches!(self.rest, Rest::Identity | Rest::IdentityFirst) { self.d_model - filled } else { 0 };
        let pairs = |axis: usize| {
            if axis < count { self.axes[axis].case.d_model / 2 } else { rest / self.columns_of_pair() }
        };
        let mut order = self.first.clone();
        order.insert(if self.rest == Rest::IdentityFirst { 0 } else { count }, count);
        let mut columns = Vec::new();
        for (a, &axis) in order.iter().enumerate() {
            for (f, &function) in self.functions().iter().enumerate() {
                for k in 0..pairs(axis) {
                    for r in 0..if self.repeat == Repeat::None { 1 } else { 2 } {
                        let index = |level| match level {
                            'a' => a,
                            'f' => f,
                            'k' => k,
                            _ => r,
                        };
                        let place: Vec<_> = self.levels().chars().map(index).collect();
                        columns.push((place, (axis, k, function)));
                    }
                }
            }
        }
        columns.sort_by(|(one, _), (other, _)| one.cmp(other));
        columns.into_iter().map(|(_, column)| column).collect()
    }

    /// Returns the position of each row that is a point, in the order of the rows.
    pub fn positions(&self) -> Vec<Vec<f64>> {
        let count = self.axes.len();
        let axis = |i: usize| &self.axes[i];
        let mut points = vec![Vec::new()];
        for i in 0..count {
            points = points
                .iter()
                .flat_map(|point: &Vec<usize>| {
                    (0..axis(i).points).map(move |index| [point.as_slice(), &[index]].concat())
                })
                .collect();
        }
        // Blocks of the last two axes, and within them the order of the axes.
        let m = self.merge;
        if m > 1 {
            points.sort_by_key(|point| {
                let (slow, blocks) = point.split_at(count - 2);
                let [h, w] = [blocks[0], blocks[1]];
                [slow, &[h / m, w / m, h % m, w % m]].concat()
            });
        }
        let at = |(i, index): (usize, usize)| {
            let Axis { case, positions, .. } = axis(i);
            let spaced = || (case.start + i64::try_from(index).expect("a few points") * case.step) as f64;
            positions.as_ref().map_or_else(spaced, |list| list[index])
        };
        points.into_iter().map(|point| point.into_iter().enumerate().map(at).collect()).collect()
    }

    /// Returns the bits of the rows at some positions.
    pub fn rows<T: Ieee>(&self, positions: &[Vec<f64>]) -> Vec<u64> {
        let columns = self.columns();
        let mut bits = vec![0; positions.len() * self.d_model];
        let identity = Axis { points: 1, case: Case { d_model: 2, ..PAPER }, positions: None };
        for (axis, Axis { case, .. }) in self.axes.iter().chain([&identity]).enumerate() {
            let case = Case { scale: self.scale, amplitude: Amplitude::Value(self.amplitude), ..case.clone() };
            let (mut formula, mut known) = (Formula::new(&case), HashMap::new());
            for (row, position) in bits.chunks_exact_mut(self.d_model).zip(positions) {
                // Entries beyond those of the axes stay zero, and columns beyond the row are left out.
                for (entry, &(_, k, function)) in row.iter_mut().zip(&columns).filter(|(_, column)| column.0 == axis) {
                    let position = position.get(axis).copied().unwrap_or(0.0);
                    let (k, second) = (if axis < self.axes.len() { k } else { 0 }, function == Function::Cosine);
                    let value = || formula.entry_bits::<T>(position, 2 * k + usize::from(second));
                    *entry = *known.entry((position.to_bits(), k, second)).or_insert_with(value);
                }
            }
        }
        bits
    }

    /// Returns the number of rows before the points.
    pub fn rows_before(&self) -> usize {
        self.zero_rows + self.identity_rows[0]
    }

    /// Returns the bits of the table.
    pub fn table<T: Ieee>(&self) -> Vec<u64> {
        let identity = self.rows::<T>(&[vec![0.0; self.axes.len()]]);
        let [before, after] = self.identity_rows.map(|count| identity.repeat(count));
        [vec![0; self.zero_rows * self.d_model], before, self.rows::<T>(&self.positions()), after].concat()
    }
}
