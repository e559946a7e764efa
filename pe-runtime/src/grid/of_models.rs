//! The grids of known models.

use core::f64::consts::TAU;

use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::preset::GridPreset;
use crate::grid::values::{Widths, integer};
use crate::spec::grid_choices::{Nest, Rest};

/// The points of Stable Diffusion 3 along each axis, of which a smaller grid has the middle.
const SD3_POINTS: usize = 192;

impl<const A: usize> Grid<'static, A> {
    /// Creates the grid of a known model.
    ///
    /// The shape has the axes of the preset. If their number differs, making the table is an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let detr = Grid::preset(GridPreset::Detr, [28, 40], 256);
    /// assert_eq!(detr.to_string(), "grid_table!((28, 40), 256, nest = pairs, start = 1)");
    /// ```
    pub const fn preset(preset: GridPreset, shape: [usize; A], d_model: usize) -> Self {
        let mut grid = Self::new(shape, d_model);
        grid.preset = Some(preset);
        grid.names = preset.names(A);
        if grid.names.is_none() {
            return grid;
        }
        match preset {
            GridPreset::SimpleVit => {
                let grid = grid.last_axis_first().freq_shift([1.0; A]);
                if A == 3 { grid.rest(Rest::Zero) } else { grid }
            }
            GridPreset::Hf2d => grid,
            GridPreset::MocoV3 => grid.zero_rows(1),
            GridPreset::Timm => grid.nest(Nest::Phases),
            GridPreset::Detr => grid.nest(Nest::Pairs).start([1; A]),
            GridPreset::DetrNormalized => grid.nest(Nest::Pairs).start([1; A]).normalized(1),
            GridPreset::DeformableDetr => grid.nest(Nest::Pairs).start([1; A]).step([2; A]).normalized(2),
            GridPreset::PixArt => grid.without_extent().last_axis_first(),
            GridPreset::Sd3 => grid.last_axis_first().middle_of(SD3_POINTS).unit([(64, integer(SD3_POINTS)); A]),
            GridPreset::CogVideoX => grid.permuted([0, 2, 1]).shares([2, 3, 3]).cogvideox_units().zero_rows(226),
            GridPreset::VJepa => grid.shares([2, 1, 1]),
            GridPreset::VJepaUniform => grid.rest(Rest::Cut),
            GridPreset::Tatp22 => grid.nest(Nest::Pairs).rest(Rest::Cut),
            GridPreset::Monai if A == 3 => grid.permuted([1, 0, 2]),
            GridPreset::Mae | GridPreset::Monai => grid.last_axis_first(),
        }
    }

    pub(crate) const fn last_axis_first(mut self) -> Self {
        let mut i = 0;
        while i < A {
            self.first[i] = A - 1 - i;
            i += 1;
        }
        self
    }

    /// Sets the order of three axes.
    const fn permuted(mut self, first: [usize; 3]) -> Self {
        self.first = of_three(first);
        self
    }

    /// Sets the shares of three axes.
    const fn shares(mut self, shares: [usize; 3]) -> Self {
        self.widths = Widths::Shares(of_three(shares));
        self
    }

    /// Divides the positions of each axis by `parts (n + 1e-6)`, and multiplies them by 2π.
    ///
    /// The millionth is that of the decimal: `1 / (n + 10^-6)` is `10^6 / (10^6 n + 1)`.
    const fn normalized(self, parts: i64) -> Self {
        const MILLION: i64 = 1_000_000;
        let (mut unit, mut i) = ([(MILLION, 1); A], 0);
        while i < A {
            unit[i].1 = integer(self.shape[i]).saturating_mul(MILLION).saturating_add(1).saturating_mul(parts);
            i += 1;
        }
        self.unit(unit).scale(TAU)
    }

    /// Starts each axis so that it is in the middle of `size` points.
    const fn middle_of(self, size: usize) -> Self {
        let (mut start, mut i) = ([0; A], 0);
        while i < A {
            start[i] = middle_of(size, self.shape[i]);
            i += 1;
        }
        self.start(start)
    }

    /// Measures heights and widths in units of 8/15.
    const fn cogvideox_units(self) -> Self {
        let mut unit = [(8, 15); A];
        unit[0] = (1, 1);
        self.unit(unit)
    }
}

impl<const A: usize> Grid<'_, A> {
    /// Checks that no axis has more points than the one of whose middle the preset is.
    ///
    /// A grid whose start was set after the preset is no middle.
    pub(super) const fn check_middle(&self) -> Result<(), GridError> {
        let (Some(GridPreset::Sd3), Some(names)) = (self.preset, self.names) else { return Ok(()) };
        let mut i = 0;
        while i < A {
            let (points, start) = (self.shape[i], self.axes[i].parameters.start);
            if points > SD3_POINTS && matches!(start, Some(start) if start == middle_of(SD3_POINTS, points)) {
                return Err(GridError::Points { preset: "sd3", axis: names[i], points, most: SD3_POINTS });
            }
            i += 1;
        }
        Ok(())
    }
}

/// Returns the values of axes, of which there are three.
const fn of_three<const A: usize>(values: [usize; 3]) -> [usize; A] {
    let (mut of_axes, mut i) = ([0; A], 0);
    while i < A {
        of_axes[i] = values[i];
        i += 1;
    }
    of_axes
}

/// Returns the first of some points in the middle of `size`.
const fn middle_of(size: usize, points: usize) -> i64 {
    integer(size).saturating_sub(integer(points)).div_euclid(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_middle_is_the_whole() {
        let check = |shape| Grid::preset(GridPreset::Sd3, shape, 8).check::<f32>();
        assert!(check([192, 192]).is_ok());
        for (shape, axis) in [([193, 192], "h"), ([192, 193], "w")] {
            let error = GridError::Points { preset: "sd3", axis, points: 193, most: 192 };
            assert_eq!(check(shape), Err(error));
        }
        assert!(Grid::preset(GridPreset::Sd3, [193, 192], 8).start([0, 0]).check::<f32>().is_ok());
    }
}
