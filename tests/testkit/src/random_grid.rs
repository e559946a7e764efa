//! Random grids.

use posenc::{Nest, Order, Rest};

use crate::Lcg;
use crate::case::{Case, PAPER};
use crate::grid::{Axis, GridCase};
use crate::real::Ieee;

impl GridCase {
    /// Returns a grid of `count` axes with all parameters, half of which are their defaults.
    ///
    /// All axes have different sizes, because a square grid hides an exchange of its axes. A size may be 0.
    pub fn random<T: Ieee>(count: usize, random: &mut Lcg) -> Self {
        let nest = random.of(Nest::ALL);
        let equal = nest == Nest::Frequencies || random.one_in(2);
        let width = 2 + 2 * random.index(4);
        let mut sizes = vec![1, 2, 3, 4, 5, 6];
        if random.one_in(4) {
            sizes[0] = 0;
        }
        let lists = random.one_in(4);
        let mut draw = || {
            let points = sizes.remove(random.index(sizes.len()));
            let width = if equal { width } else { 2 + 2 * random.index(4) };
            Axis { points, case: random_axis(width, lists, random) }
        };
        let axes: Vec<_> = (0..count).map(|_| draw()).collect();
        let sum: usize = axes.iter().map(|axis| axis.case.d_model).sum();
        let (rest, d_model, widths) = match random.below(4) {
            // Without widths, a rest of fewer columns than two for each axis is shared.
            0 if equal => (Rest::Zero, sum + random.index(2 * count), random.one_in(2)),
            1 if equal => (Rest::Cut, sum - random.index(2 * count), random.one_in(2)),
            0 => (Rest::Zero, sum + random.index(20), true),
            1 => (Rest::Cut, 1 + random.index(sum), true),
            _ => (random.of([Rest::Reject, Rest::Zero, Rest::Cut]), sum, !equal),
        };
        let mut grid = Self { nest, widths, rest, ..Self::new(axes, d_model) };
        for i in (1..count).rev() {
            grid.first.swap(i, random.index(i + 1));
        }
        if random.one_in(2) {
            grid.scale = random.scale(false);
        }
        grid.order = random.of([Order::SinCos, Order::CosSin]);
        if random.one_in(2) {
            grid.amplitude = random.of([0.5, -1.0, T::MAX, 1e-6, 0.0, -0.0, 3.0]);
        }
        grid.zero_rows = random.of([0, 0, 1, 3, 5]);
        grid
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
    if random.one_in(2) {
        axis.base = random.of([20.0, 2.0, 1e6, 0.5, 100.0]);
    }
    // The last exponent is at most 2.
    if random.one_in(2) {
        axis.freq_shift = if width > 2 { random.of([1.0, 0.5, -3.0, 0.1]) } else { random.of([0.5, -3.0]) };
    }
    axis
}
