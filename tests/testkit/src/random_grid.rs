//! Random grids.

use posenc::{Columns, Nest, Order, Repeat, Rest, Scaling};

use crate::Lcg;
use crate::case::{Case, PAPER};
use crate::grid::{Axis, GridCase};
use crate::real::Ieee;

impl GridCase {
    /// Returns a grid of `count` axes with all parameters, half of which are their defaults.
    ///
    /// All axes have different sizes, because a square grid hides an exchange of its axes. A size may be 0.
    pub fn random<T: Ieee>(count: usize, random: &mut Lcg) -> Self {
        let mut grid = Self::new(Vec::new(), 0);
        grid.nest = random.of(Nest::ALL);
        if random.one_in(2) {
            grid.columns = random.of(Columns::ALL);
            grid.repeat = random.of(Repeat::ALL);
        }
        if grid.columns == Columns::Both {
            grid.order = random.of([Order::SinCos, Order::CosSin]);
        }
        let by_frequency = matches!(grid.nest, Nest::Frequencies | Nest::PhaseFrequencies | Nest::PairFrequencies);
        let is_refused = match grid.repeat {
            Repeat::Halves => grid.nest == Nest::Blocks && grid.columns == Columns::Both,
            Repeat::AxisHalves => by_frequency,
            _ => false,
        };
        if is_refused {
            grid.repeat = Repeat::Pairs;
        }
        let equal = by_frequency || random.one_in(2);
        let width = 2 + 2 * random.index(4);
        if count > 1 && random.one_in(4) {
            grid.merge = 2 + random.index(2);
        }
        let mut sizes: Vec<usize> = vec![1, 2, 3, 4, 5, 6];
        if random.one_in(4) {
            sizes[0] = 0;
        }
        let lists = random.one_in(4);
        for i in 0..count {
            let points = sizes.remove(random.index(sizes.len()));
            // Blocks divide the last two axes.
            let points = if i + 2 < count { points } else { points.next_multiple_of(grid.merge) };
            let width = if equal { width } else { 2 + 2 * random.index(4) };
            let positions =
                (points > 0 && random.one_in(6)).then(|| (0..points).map(|_| random.float_position(false)).collect());
            grid.axes.push(Axis { points, case: random_axis(width, lists, random), positions });
        }
        // An axis without columns repeats the rows of the others.
        let blank = (count > 1 && random.one_in(6)).then(|| random.index(count));
        if let Some(axis) = blank {
            grid.axes[axis].case.d_model = 0;
        }
        grid.share(equal && blank.is_none(), by_frequency, random);
        for i in (1..count).rev() {
            grid.first.swap(i, random.index(i + 1));
        }
        if random.one_in(2) {
            grid.scale = random.scale(false);
        }
        if random.one_in(2) {
            grid.amplitude = random.of([0.5, -1.0, T::MAX, 1e-6, 0.0, -0.0, 3.0]);
        }
        if random.one_in(6) {
            grid.round_frequencies(random);
        }
        grid.zero_rows = random.of([0, 0, 1, 3, 5]);
        if random.one_in(3) {
            grid.identity_rows = [random.index(3), random.index(3)];
        }
        grid
    }

    /// Returns the grid without what needs the feature `scaling`.
    #[must_use]
    pub fn without_rules(mut self) -> Self {
        for axis in &mut self.axes {
            let Case { scaling, freq_offset, frequency_dtype, .. } = PAPER;
            axis.case = Case { freq_offset, scaling, frequency_dtype, ..axis.case.clone() };
        }
        self
    }

    /// Draws what the frequencies of all axes are rounded to, if they are in its range.
    fn round_frequencies(&mut self, random: &mut Lcg) {
        self.axes[0].case.round_frequencies(random);
        let frequency_dtype = self.axes[0].case.frequency_dtype;
        for axis in &mut self.axes {
            axis.case.frequency_dtype = frequency_dtype;
        }
        let is_valid = |axis: &Axis| axis.case.d_model == 0 || axis.case.spec().check_parameters::<f64>().is_ok();
        if !self.axes.iter().all(is_valid) {
            self.axes.iter_mut().for_each(|axis| axis.case.frequency_dtype = PAPER.frequency_dtype);
        }
    }

    /// Draws the number of columns, and what becomes of those that the axes do not share.
    fn share(&mut self, equal: bool, by_frequency: bool, random: &mut Lcg) {
        let count = self.axes.len();
        let (sum, pair) = ((0..count).map(|axis| self.width(axis)).sum::<usize>(), self.columns_of_pair());
        self.first = (0..count).collect();
        (self.rest, self.d_model, self.widths) = match random.below(5) {
            // Without widths, a rest of fewer columns than those of a frequency for each axis is shared.
            0 if equal => (Rest::Zero, sum + random.index(pair * count), random.one_in(2)),
            1 if equal => (Rest::Cut, sum - random.index(pair * count), random.one_in(2)),
            0 => (Rest::Zero, sum + random.index(20), true),
            1 => (Rest::Cut, 1 + random.index(sum), true),
            2 if !by_frequency => {
                (random.of([Rest::Identity, Rest::IdentityFirst]), sum + pair * random.index(4), true)
            }
            _ => (random.of(Rest::ALL), sum, !equal),
        };
    }
}

/// Returns an axis with about half of the parameters, or with a list.
fn random_axis(width: usize, list: bool, random: &mut Lcg) -> Case {
    let mut axis = Case { d_model: width, ..PAPER };
    if random.one_in(2) {
        axis.start = random.of([1, -3, 24, -1_000_000, 1 << 40, (1 << 52) + 1]);
        axis.step = random.of([1, 2, -1, 0, 1_000_003]);
    }
    if random.one_in(2) {
        let any = random.quotient();
        axis.unit = random.of([(8, 15), (1, 7), (64, 192), (1_000_000, 28_000_001), any]);
    }
    if list {
        axis.frequencies = Some((0..width / 2).map(|_| random.frequency(false)).collect());
        return axis;
    }
    if random.one_in(8) {
        axis.scaling = random.of([Scaling::linear(3.0), Scaling::ntk(2.0), Scaling::proportional(0.5)]);
        // Rules are for bases from which frequencies fall, and ntk for more than one.
        axis.scaling = if width > 2 { axis.scaling } else { Scaling::linear(3.0) };
        return axis;
    }
    if random.one_in(2) {
        axis.base = random.of([20.0, 2.0, 1e6, 0.5, 100.0]);
    }
    // The last exponent is at most 2.
    if random.one_in(2) {
        axis.freq_shift = if width > 2 { random.of([1.0, 0.5, -3.0, 0.1]) } else { random.of([0.5, -3.0]) };
    } else if random.one_in(4) {
        axis.freq_offset = random.of([(1, 2), (1, 3), (2, 3), (3, 4)]);
    }
    axis
}
