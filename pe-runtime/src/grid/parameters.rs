//! The parameters of a grid as data, setting them by their rows in the list, and whether two grids have the same.

use crate::grid::Grid;
use crate::grid::preset::GridPreset;
use crate::grid::values::{Extent, Widths};
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, FrequencyDtype, Order, Repeat};
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::parameters::{Access, OfGrid, Parameter, Value};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

/// Every parameter of the table of a grid.
///
/// [`Grid::parameters`] returns it. Arrays have a value for each axis, in the order of the shape.
///
/// # Examples
///
/// ```
/// use posenc::{Extent, Grid, GridPreset};
///
/// let mae = Grid::preset(GridPreset::Mae, [14, 14], 768).parameters();
/// assert_eq!((mae.first, mae.start, mae.extent), ([1, 0], [0, 0], Extent::Unset));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GridParameters<'a, const A: usize> {
    /// The number of points along each axis.
    pub shape: [usize; A],
    /// The number of columns.
    pub d_model: usize,
    /// The order of the axes in the columns, as indices into the shape.
    pub first: [usize; A],
    /// How the columns of the axes are nested.
    pub nest: Nest,
    /// The number of columns of each axis.
    pub widths: Widths<A>,
    /// What happens to columns that the axes cannot share equally.
    pub rest: Rest,
    /// The number of rows of zeros before the grid.
    pub zero_rows: usize,
    /// The numbers of identity rows before and after the points.
    pub identity_rows: [usize; 2],
    /// The side length of the blocks in which the points are ordered.
    pub merge: usize,
    /// The positions on each axis, if they are lists. An empty list stands for equally spaced points.
    pub positions: [&'a [f64]; A],
    /// The extent that determines the unit of each axis, if the unit is not set itself.
    pub extent: Extent,
    /// The frequencies of each axis, before [`scale`](Self::scale).
    pub frequencies: [Frequencies<'a>; A],
    /// The number added to the index of each frequency of each axis, as a numerator and a denominator.
    pub freq_offset: [(i64, i64); A],
    /// The rule that changes the frequencies of each axis.
    pub scaling: [Scaling<'a>; A],
    /// The rounding of the frequencies of all axes after the rules.
    pub frequency_dtype: FrequencyDtype,
    /// The position of point 0 of each axis.
    pub start: [i64; A],
    /// The distance between the points of each axis.
    pub step: [i64; A],
    /// The unit of the positions of each axis, as a numerator and a denominator. An extent replaces it.
    pub unit: [(i64, i64); A],
    /// Which column of a pair comes first.
    pub order: Order,
    /// Which functions of the angles the table has.
    pub columns: Columns,
    /// How columns are repeated.
    pub repeat: Repeat,
    /// The factor applied to all angles.
    pub scale: f64,
    /// The factor applied to all entries.
    pub amplitude: Amplitude,
    /// The scale and the zero point of integer entries, if they are set.
    pub quantiser: Option<Quantiser>,
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the parameters as they are set, unchecked, for programs that read them.
    ///
    /// A preset appears as its parameters. If it has another number of axes, it sets none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Nest};
    /// let grid = Grid::new([2, 3], 8).nest(Nest::Pairs).start([0, 1]);
    /// assert_eq!((grid.parameters().nest, grid.parameters().start), (Nest::Pairs, [0, 1]));
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> GridParameters<'a, A> {
        // Without `..`, so that each field is read here, or is one that no method of a grid sets. The preset and the names of
        // its axes are for errors.
        let Self {
            shape,
            d_model,
            names: _,
            preset: _,
            first,
            nest,
            widths,
            rest,
            zero_rows,
            identity_rows,
            merge,
            extent,
            positions,
            axes,
        } = *self;
        let Parameters { frequency_dtype, order, columns, repeat, scale, amplitude, quantiser, .. } =
            axes[0].parameters;
        let (mut all, mut offsets, mut rules) = ([Frequencies::PAPER; A], [(0, 1); A], [Scaling::None; A]);
        let (mut start, mut steps, mut units) = ([0; A], [1; A], [(1, 1); A]);
        let mut i = 0;
        while i < A {
            let Parameters {
                d_model: _,
                frequencies,
                freq_offset,
                scaling,
                frequency_dtype: _,
                layout: _,
                order: _,
                columns: _,
                pairing: _,
                repeat: _,
                odd: _,
                start: position,
                step,
                scale: _,
                unit,
                amplitude: _,
                quantiser: _,
                zero_row: _,
            } = axes[i].parameters;
            if let Some(position) = position {
                start[i] = position;
            }
            (all[i], offsets[i], rules[i]) = (frequencies, freq_offset, scaling);
            (steps[i], units[i]) = (step, unit);
            i += 1;
        }
        GridParameters {
            shape,
            d_model,
            first,
            nest,
            widths,
            rest,
            zero_rows,
            identity_rows,
            merge,
            positions,
            extent,
            frequencies: all,
            freq_offset: offsets,
            scaling: rules,
            frequency_dtype,
            start,
            step: steps,
            unit: units,
            order,
            columns,
            repeat,
            scale,
            amplitude,
            quantiser,
        }
    }

    /// Returns the grid with other values of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// There is one value for all axes, or one for each in the order of the shape.
    ///
    /// # Panics
    ///
    /// Panics if a grid has no such parameter, if the number of values is wrong, or if they are of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let start = PARAMETERS.iter().find(|parameter| parameter.key == "start").unwrap();
    /// let grid = Grid::new([4, 6], 8).with_values(start, &[Value::Integer(1), Value::Integer(2)]);
    /// assert_eq!(grid, Grid::new([4, 6], 8).start([1, 2]));
    /// ```
    pub fn with_values(mut self, parameter: &Parameter, values: &[Value<'a>]) -> Self {
        let one = of_axis(values, 0);
        match parameter.access {
            Access::Spec { set, .. } => {
                for (axis, spec) in self.axes.iter_mut().enumerate() {
                    *spec = set(*spec, of_axis(values, axis));
                }
                // The units replace an extent, as in `Grid::unit`.
                if parameter.key == "unit" {
                    self.extent = Extent::Unset;
                }
                self
            }
            Access::Grid(OfGrid::First) => self.first(sizes(values)),
            Access::Grid(OfGrid::Nest) => self.nest(one.choice()),
            Access::Grid(OfGrid::Widths) => self.widths(sizes(values)),
            Access::Grid(OfGrid::Rest) => self.rest(one.choice()),
            Access::Grid(OfGrid::ZeroRows) => self.zero_rows(one.size()),
            Access::Grid(OfGrid::IdentityRows) => self.identity_rows(one.size()),
            Access::Grid(OfGrid::IdentityRowsAfter) => self.identity_rows_after(one.size()),
            Access::Grid(OfGrid::Merge) => self.merge(one.size()),
            Access::Grid(OfGrid::Positions) => {
                for (axis, list) in self.positions.iter_mut().enumerate() {
                    *list = of_axis(values, axis).numbers();
                }
                self
            }
            Access::Grid(OfGrid::Extent) => {
                let (numerator, denominator) = one.quotient();
                self.extent(numerator, denominator)
            }
            Access::Rope(_) | Access::Output => panic!("a grid has no parameter `{}`", parameter.key),
        }
    }
}

/// Returns the value of an axis, from one for all axes or one for each.
fn of_axis<'a>(values: &[Value<'a>], axis: usize) -> Value<'a> {
    values[if values.len() == 1 { 0 } else { axis }]
}

/// Returns the sizes of all axes likewise.
pub(crate) fn sizes<const A: usize>(values: &[Value]) -> [usize; A] {
    let mut sizes = [0; A];
    for (axis, size) in sizes.iter_mut().enumerate() {
        *size = of_axis(values, axis).size();
    }
    sizes
}

/// Compares the [parameters](Grid::parameters) as they are set.
///
/// A preset equals its parameters, unless it refuses the shape.
impl<const A: usize> PartialEq for Grid<'_, A> {
    fn eq(&self, other: &Self) -> bool {
        self.parameters() == other.parameters() && self.refusing() == other.refusing()
    }
}

impl<const A: usize> Grid<'_, A> {
    /// Returns the preset that the grid began with, if that refuses the shape.
    pub(super) fn refusing(&self) -> Option<GridPreset> {
        self.preset.filter(|_| self.names.is_none() || self.check_middle().is_err())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read() {
        let grid = Grid::new([2, 3], 16).first([1, 0]).nest(Nest::Pairs).widths([4, 8]).rest(Rest::Zero).zero_rows(1);
        let grid = grid.identity_rows(2).identity_rows_after(3).merge(4).positions([&[0.5, 1.5], &[]]);
        let grid = grid.freq_offset([(0, 1), (1, 2)]).scaling([Scaling::linear(8.0), Scaling::None]);
        let grid = grid.columns(Columns::Cos).repeat(Repeat::AxisHalves).frequency_dtype(FrequencyDtype::Bf16Period);
        let grid = grid.start([3, 4]).step([5, 6]).unit([(1, 2), (3, 4)]).base([7.0, 8.0]).freq_shift([0.5, 0.25]);
        let grid = grid.order(Order::CosSin).scale(9.0).amplitude(10.0).quantiser(Quantiser::new(0.5));
        let progression = |base, freq_shift| Frequencies::Geometric { base, freq_shift };
        let expected = GridParameters {
            shape: [2, 3],
            d_model: 16,
            first: [1, 0],
            nest: Nest::Pairs,
            widths: Widths::Given([4, 8]),
            rest: Rest::Zero,
            zero_rows: 1,
            identity_rows: [2, 3],
            merge: 4,
            positions: [&[0.5, 1.5], &[]],
            extent: Extent::Unset,
            freq_offset: [(0, 1), (1, 2)],
            scaling: [Scaling::linear(8.0), Scaling::None],
            frequency_dtype: FrequencyDtype::Bf16Period,
            columns: Columns::Cos,
            repeat: Repeat::AxisHalves,
            frequencies: [progression(7.0, 0.5), progression(8.0, 0.25)],
            start: [3, 4],
            step: [5, 6],
            unit: [(1, 2), (3, 4)],
            order: Order::CosSin,
            scale: 9.0,
            amplitude: Amplitude::Value(10.0),
            quantiser: Some(Quantiser::new(0.5)),
        };
        assert_eq!(grid.parameters(), expected);
        let lists = [[1.0, 0.5], [1.0, 0.25]];
        let frequencies = [Frequencies::Given(&lists[0]), Frequencies::Given(&lists[1])];
        let given = GridParameters { frequencies, extent: Extent::Set(64, 2), ..expected };
        assert_eq!(grid.frequencies([&lists[0], &lists[1]]).extent(64, 2).parameters(), given);
        assert!(grid == grid.frequencies([&lists[0]; 2]).base([7.0, 8.0]).freq_shift([0.5, 0.25]));
    }

    #[test]
    fn a_preset_equals_its_parameters() {
        let preset = |preset, shape| Grid::preset(preset, shape, 16);
        let plain = Grid::new([2, 3], 16);
        assert!(preset(GridPreset::Hf2d, [2, 3]) == plain && preset(GridPreset::Mae, [2, 3]) == plain.first([1, 0]));
        // It has other axes.
        assert!(preset(GridPreset::CogVideoX, [2, 3]) != plain);
        let sd3 = |w| Grid::new([2, w], 16).first([1, 0]).unit([(64, 192); 2]);
        assert!(preset(GridPreset::Sd3, [2, 192]) == sd3(192).start([95, 0]));
        // It has at most 192 points along each axis.
        assert!(preset(GridPreset::Sd3, [2, 193]) != sd3(193).start([95, -1]));
    }

    /// As `Spec` does.
    #[test]
    fn numbers_are_compared_as_numbers() {
        let grid = Grid::new([2, 3], 16);
        assert!(grid.scale(0.0) == grid.scale(-0.0));
        assert!(grid.scale(f64::NAN) != grid.scale(f64::NAN));
    }
}
