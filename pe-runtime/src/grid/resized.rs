//! The same area with more points, or with fewer.

use crate::grid::Grid;
use crate::grid::values::{Extent, integer};

impl<const A: usize> Grid<'_, A> {
    /// Returns a grid of another shape that covers the same area, for images of another resolution.
    ///
    /// The points are the centres of the new patches, at the positions that frameworks give to the pixels of a resized
    /// image (`align_corners=False`). With `m` points before and `n` now, point `i` is at the old index `(i + 1/2) m/n - 1/2`.
    /// The new table replaces a bicubic interpolation of the old one. Only [`start`](Self::start),
    /// [`step`](Self::step) and [`unit`](Self::unit) change, so each position is exact. Rows of zeros stay as they are.
    ///
    /// Call this method last: `start`, `step`, `unit` and [`extent`](Self::extent) replace what it sets. An extent that
    /// is already set applies to the old shape; if an axis had no points to share it, making the table is an error.
    /// Otherwise an axis without points, before or now, keeps its positions.
    ///
    /// # Examples
    ///
    /// MAE for images of 256 x 256, with the weights for 224 x 224:
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let trained = Grid::preset(GridPreset::Mae, [14, 14], 768);
    /// let larger = trained.resized([16, 16]);
    /// let call = "grid_table!((16, 16), 768, first = (w, h), start = -1, step = 14, unit = 1/16)";
    /// assert_eq!(larger.to_string(), call);
    /// assert_eq!(trained.resized([14, 14]).to_string(), trained.to_string());
    /// # assert!(larger.check::<f32>().is_ok());
    /// ```
    #[doc(alias("interpolate", "bicubic", "interpolate_pos_embed", "resample_abs_pos_embed", "resize", "resolution"))]
    pub const fn resized(mut self, shape: [usize; A]) -> Self {
        let by_extent = matches!(self.extent, Extent::Set(..));
        if let Extent::Set(numerator, denominator) = self.extent {
            self = self.unit(self.units_of_extent(numerator, denominator));
        }
        let mut i = 0;
        while i < A {
            let (m, n) = (integer(self.shape[i]) as i128, integer(shape[i]) as i128);
            if by_extent && m == 0 && n > 0 {
                self.extent = Extent::Unshared(i);
            }
            if m > 0 && n > 0 {
                let spec = self.axes[i];
                let start = match spec.parameters.start {
                    Some(start) => start as i128,
                    None => 0,
                };
                let step = spec.parameters.step as i128;
                let (numerator, denominator) = spec.parameters.unit;
                // start + step ((i + 1/2) m/n - 1/2), in units of 1/(2n).
                let start = (2 * n).saturating_mul(start).saturating_add(step.saturating_mul(m - n));
                let (step, parts) = (step.saturating_mul(2 * m), 2 * n);
                let common = common_divisor(common_divisor(start, step), parts);
                let denominator = (denominator as i128).saturating_mul(parts / common);
                let spec = spec.start(saturated(start / common)).step(saturated(step / common));
                self.axes[i] = spec.unit(numerator, saturated(denominator));
            }
            i += 1;
        }
        self.shape = shape;
        self
    }
}

/// Returns the greatest common divisor, or 0 for two zeros.
const fn common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    // At most 2^127, of which only the largest start and step are multiples.
    if a > i128::MAX as u128 { i128::MAX } else { a as i128 }
}

/// Returns a number, or the nearest `i64`, which no grid may have.
const fn saturated(value: i128) -> i64 {
    if value > i64::MAX as i128 {
        i64::MAX
    } else if value < i64::MIN as i128 {
        i64::MIN
    } else {
        value as i64
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    /// The position of point `i` of an axis, as a numerator and a denominator.
    fn position(grid: &Grid<1>, i: i128) -> (i128, i128) {
        let parameters = grid.axes[0].parameters;
        let (numerator, denominator) = parameters.unit;
        let index = i128::from(parameters.start.unwrap()) + i * i128::from(parameters.step);
        (index * i128::from(numerator), i128::from(denominator))
    }

    #[test]
    fn the_points_are_those_of_a_resized_image() {
        for (m, n) in [(14, 16), (14, 28), (16, 14), (7, 1), (1, 7), (24, 24)] {
            let (m_, n_) = (m as i128, n as i128);
            let grid = Grid::new([m], 8).start([3]).step([-5]).unit([(8, 15)]);
            let resized = grid.resized([n]);
            for i in 0..n_ {
                // (3 - 5 ((i + 1/2) m/n - 1/2)) 8/15
                let expected = ((2 * n_ * 3 - 5 * ((2 * i + 1) * m_ - n_)) * 8, 2 * n_ * 15);
                let (numerator, denominator) = position(&resized, i);
                assert_eq!(numerator * expected.1, expected.0 * denominator, "{m} -> {n}, point {i}");
            }
            assert!(resized.check::<f32>().is_ok());
        }
    }

    #[test]
    fn a_grid_of_the_same_shape_is_unchanged() {
        let grid = Grid::new([14, 9], 8).start([3, -1]).step([2, 7]).unit([(8, 15), (1, 3)]);
        assert!(grid.resized([14, 9]).axes == grid.axes);
        assert!(Grid::new([0, 4], 8).resized([3, 0]).axes == Grid::new([3, 0], 8).axes);
    }

    #[test]
    fn an_extent_is_that_of_the_shape_before() {
        let by_extent = Grid::new([14, 0], 8).extent(64, 3).resized([16, 0]);
        let by_units = Grid::new([14, 0], 8).unit([(64, 42), (64, 3)]).resized([16, 0]);
        assert!(by_extent.axes == by_units.axes);
        assert_eq!(by_extent.axis(0).unwrap(), by_units.axis(0).unwrap());
    }

    /// The unit of its points is not determined.
    #[test]
    fn an_extent_is_not_shared_by_no_points() {
        let empty = Grid::new([4, 0], 8).extent(64, 3);
        assert!(empty.check::<f32>().is_ok() && empty.resized([6, 0]).check::<f32>().is_ok());
        let resized = empty.resized([4, 5]);
        let sentence = "`extent` is not shared by axis `w`, which had no points before the grid was resized; begin with a shape that \
                        has points, or set `extent` after `resized`";
        assert_eq!(resized.check::<f32>().unwrap_err().to_string(), sentence);
        assert_eq!(resized.resized([3, 3]).check::<f32>().unwrap_err().to_string(), sentence);
        assert!(resized.extent(64, 3).check::<f32>().is_ok() && resized.unit([(1, 2); 2]).check::<f32>().is_ok());
    }

    /// With 32 bits no number of points is extreme.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn extreme_numbers_are_rejected() {
        let large = usize::MAX;
        for grid in [
            Grid::new([large], 8).resized([3]),
            Grid::new([3], 8).resized([large]),
            Grid::new([large - 1], 8).start([i64::MIN]).step([i64::MIN]).resized([large]),
            Grid::new([3], 8).start([i64::MAX]).step([i64::MIN]).unit([(1, i64::MAX)]).resized([7]),
        ] {
            assert!(grid.check::<f32>().is_err(), "{grid}");
        }
    }
}
