//! What the docs of `Grid` say, entry by entry.

use std::collections::HashMap;

use posenc::{Amplitude, Grid, Nest, Order, Rest};

use crate::case::{Case, Function};
use crate::formula::Formula;
use crate::real::Ieee;

/// An axis of a grid.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The number of points.
    pub points: usize,
    /// Its sine/cosine pairs, start, step, unit and frequencies.
    pub case: Case,
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
    /// The number of rows of zeros before the others.
    pub zero_rows: usize,
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
            zero_rows: 0,
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
        let grid = grid.order(self.order).amplitude(self.amplitude).unit(each(axes, |axis| axis.unit));
        let grid = grid.start(each(axes, |axis| axis.start)).step(each(axes, |axis| axis.step));
        let grid = if self.widths { grid.widths(each(axes, |axis| axis.d_model)) } else { grid };
        let lists: [&[f64]; A] = std::array::from_fn(|i| axes[i].case.frequencies.as_deref().unwrap_or_default());
        match axes[0].case.frequencies {
            Some(_) => grid.frequencies(lists),
            None => grid.base(each(axes, |axis| axis.base)).freq_shift(each(axes, |axis| axis.freq_shift)),
        }
    }

    /// Returns the axis, the frequency and the function of each column that the axes have.
    fn columns(&self) -> Vec<(usize, usize, Function)> {
        let (sine, cosine) = (Function::Sine, Function::Cosine);
        let functions = if self.order == Order::SinCos { [sine, cosine] } else { [cosine, sine] };
        let pairs = |axis: usize| self.axes[axis].case.d_model / 2;
        let all = || self.first.iter().copied();
        let block = |axis, function| (0..pairs(axis)).map(move |k| (axis, k, function));
        match self.nest {
            Nest::Blocks => all().flat_map(|axis| functions.into_iter().flat_map(move |f| block(axis, f))).collect(),
            Nest::Phases => functions.into_iter().flat_map(|f| all().flat_map(move |axis| block(axis, f))).collect(),
            Nest::Pairs => {
                let pair = |axis, k| functions.map(|function| (axis, k, function));
                all().flat_map(|axis| (0..pairs(axis)).flat_map(move |k| pair(axis, k))).collect()
            }
            Nest::Frequencies => {
                let of_frequency = |k| functions.into_iter().flat_map(move |f| all().map(move |axis| (axis, k, f)));
                (0..pairs(0)).flat_map(of_frequency).collect()
            }
        }
    }

    /// Returns the position of each row after those of zeros: the last axis changes fastest.
    pub fn positions(&self) -> Vec<Vec<f64>> {
        self.axes.iter().fold(vec![Vec::new()], |points, Axis { points: count, case: axis }| {
            let at = |i: usize| (axis.start + i64::try_from(i).expect("a few points") * axis.step) as f64;
            points.iter().flat_map(|point| (0..*count).map(move |i| [point.as_slice(), &[at(i)]].concat())).collect()
        })
    }

    /// Returns the bits of the rows at some positions.
    pub fn rows<T: Ieee>(&self, positions: &[Vec<f64>]) -> Vec<u64> {
        let columns = self.columns();
        let mut bits = vec![0; positions.len() * self.d_model];
        for (axis, Axis { case, .. }) in self.axes.iter().enumerate() {
            let case = Case { scale: self.scale, amplitude: Amplitude::Value(self.amplitude), ..case.clone() };
            let (mut formula, mut known) = (Formula::new(&case), HashMap::new());
            for (row, position) in bits.chunks_exact_mut(self.d_model).zip(positions) {
                // Entries beyond those of the axes stay zero, and columns beyond the row are left out.
                for (entry, &(_, k, function)) in row.iter_mut().zip(&columns).filter(|(_, column)| column.0 == axis) {
                    let (position, second) = (position[axis], function == Function::Cosine);
                    let value = || formula.entry_bits::<T>(position, 2 * k + usize::from(second));
                    *entry = *known.entry((position.to_bits(), k, second)).or_insert_with(value);
                }
            }
        }
        bits
    }

    /// Returns the bits of the table.
    pub fn table<T: Ieee>(&self) -> Vec<u64> {
        [vec![0; self.zero_rows * self.d_model], self.rows::<T>(&self.positions())].concat()
    }
}
