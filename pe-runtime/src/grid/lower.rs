//! The table of each axis of a grid, and the places of its columns.

use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::values::{Extent, Widths, integer};
use crate::plan::placement::Placement;
use crate::spec::Spec;
use crate::spec::check::{check_d_model, check_unit};
use crate::spec::choices::Layout;
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};

/// The most axes that a grid has.
pub(crate) const MAX_AXES: usize = 4;

/// The numbers of rows and columns of a grid, and which of them are whose.
///
/// It is the same type for any number of axes, so that code for the rows of grids is compiled once. Axes that the grid does
/// not have are of one point and no columns.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// The number of axes.
    pub(crate) axes: usize,
    /// The number of columns of each axis.
    pub(crate) widths: [usize; MAX_AXES],
    pub(crate) shape: [usize; MAX_AXES],
    pub(crate) first: [usize; MAX_AXES],
    pub(crate) d_model: usize,
    pub(crate) zero_rows: usize,
    /// The number of rows, with those of zeros.
    pub(crate) rows: usize,
    /// The number of runs of columns into which each axis is divided. In each run, all axes follow each other.
    pub(crate) runs: usize,
}

impl Places {
    /// Returns the number of rows from one point of an axis to the next. It stops at the largest `usize`, which is more than
    /// any buffer has.
    pub(crate) const fn stride(&self, axis: usize) -> usize {
        let (mut stride, mut i) = (1usize, axis + 1);
        while i < self.axes {
            stride = stride.saturating_mul(self.shape[i]);
            i += 1;
        }
        stride
    }

    /// Returns how many of the `count` rows from `first` on are rows of zeros, and the point of the row after them.
    pub(crate) const fn zeros(&self, first: usize, count: usize) -> (usize, usize) {
        let zeros = self.zero_rows.saturating_sub(first);
        let zeros = if zeros < count { zeros } else { count };
        (zeros, (first + zeros).saturating_sub(self.zero_rows))
    }

    /// Returns the number of columns of a run of an axis.
    pub(crate) const fn run(&self, axis: usize) -> usize {
        self.widths[axis] / self.runs
    }

    /// Returns where the columns of an axis are, if its rows are `pitch` entries apart.
    pub(crate) const fn placement(&self, axis: usize, pitch: usize) -> Placement {
        let (mut first, mut stride, mut i, mut before) = (0, 0, 0, true);
        while i < self.axes {
            let run = self.run(self.first[i]);
            before = before && self.first[i] != axis;
            if before {
                first += run;
            }
            stride += run;
            i += 1;
        }
        Placement { pitch, width: self.d_model, first, run: self.run(axis), stride }
    }

    /// Returns the number of columns that the axes fill. The others are zeros.
    pub(crate) const fn filled(&self) -> usize {
        let (mut sum, mut i) = (0, 0);
        while i < self.axes {
            sum += self.widths[i];
            i += 1;
        }
        if sum < self.d_model { sum } else { self.d_model }
    }
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the number of rows: all points of the shape, after the rows of zeros. It stops at the largest `usize`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// assert_eq!(Grid::new([2, 3], 8).zero_rows(1).rows(), 7);
    /// ```
    #[must_use]
    pub const fn rows(&self) -> usize {
        let (mut points, mut i) = (1usize, 0);
        let mut empty = false;
        while i < A {
            empty = empty || self.shape[i] == 0;
            points = points.saturating_mul(self.shape[i]);
            i += 1;
        }
        self.zero_rows.saturating_add(if empty { 0 } else { points })
    }

    /// Returns the 1-D table behind an axis, counted in the order of the shape.
    ///
    /// Its rows are the points along this axis. In [`Nest::Phases`] and [`Nest::Blocks`] its sines are before its cosines, and
    /// in the other two its columns are pairs.
    ///
    /// # Errors
    ///
    /// Returns an error if the widths do not fit the grid, or if the preset has other axes. The other parameters are checked
    /// when the table is made.
    ///
    /// # Panics
    ///
    /// Panics if the grid has no such axis.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let grid = Grid::preset(GridPreset::CogVideoX, [13, 30, 45], 1920);
    /// assert_eq!(grid.axis(2)?.macro_call(45).to_string(), "sinusoidal_table!(45, 720, layout = halves, unit = 8/15)");
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn axis(&self, i: usize) -> Result<Spec<'a>, GridError> {
        assert!(i < A, "the grid has no such axis");
        let widths = try_const!(self.resolved_widths());
        Ok(self.axis_of_width(i, widths[i]))
    }

    /// Returns the same table, of a width that has been checked.
    pub(crate) const fn axis_of_width(&self, i: usize, width: usize) -> Spec<'a> {
        let mut spec = self.axes[i].layout(match self.nest {
            Nest::Blocks | Nest::Phases => Layout::Halves,
            Nest::Pairs | Nest::Frequencies => Layout::Interleaved,
        });
        spec.parameters.d_model = width;
        if let Extent::Set(numerator, denominator) = self.extent {
            let (numerator, denominator) = self.units_of_extent(numerator, denominator)[i];
            spec = spec.unit(numerator, denominator);
        }
        spec
    }

    /// Returns the units by which the points of each axis share an extent.
    pub(super) const fn units_of_extent(&self, numerator: i64, denominator: i64) -> [(i64, i64); A] {
        let (mut units, mut i) = ([(numerator, denominator); A], 0);
        while i < A {
            // An axis without points has no unit.
            let points = if self.shape[i] == 0 { 1 } else { integer(self.shape[i]) };
            units[i].1 = denominator.saturating_mul(points);
            i += 1;
        }
        units
    }

    /// Returns the places of the columns of axes of these widths.
    pub(crate) const fn places(&self, widths: [usize; A]) -> Places {
        let runs = match self.nest {
            Nest::Blocks | Nest::Pairs => 1,
            Nest::Phases => self.columns_of_frequency(),
            Nest::Frequencies => widths[0],
        };
        let (widths, shape, first) = (padded(widths, 0), padded(self.shape, 1), padded(self.first, 0));
        let Self { d_model, zero_rows, .. } = *self;
        Places { axes: A, widths, shape, first, d_model, zero_rows, rows: self.rows(), runs }
    }

    /// Returns the number of columns of each frequency of an axis.
    const fn columns_of_frequency(&self) -> usize {
        self.axes[0].arrangement().columns_of_frequency()
    }

    /// Returns the number of columns of each axis, which the checks of the grid's own parameters are about.
    pub(crate) const fn resolved_widths(&self) -> Result<[usize; A], GridError> {
        let Some(names) = self.names else {
            let (preset, axes) = match self.preset {
                Some(preset) => (preset.name(), preset.axes().text),
                None => ("", ""),
            };
            return Err(GridError::Axes { preset, axes, given: A });
        };
        match self.extent {
            Extent::Missing => return Err(GridError::NoExtent),
            Extent::Unshared(axis) => return Err(GridError::Unshared { axis: names[axis] }),
            Extent::Set(numerator, denominator) if check_unit(numerator, denominator).is_err() => {
                return Err(GridError::Extent { numerator, denominator });
            }
            Extent::Set(..) | Extent::Unset => {}
        }
        let d_model = self.d_model;
        try_const!(check_d_model(d_model as i128), GridError::Spec);
        let columns = self.columns_of_frequency();
        let widths = match self.widths {
            Widths::Equal => match (self.rest, d_model % (columns * A)) {
                (Rest::Reject, 0) => [d_model / A; A],
                (Rest::Reject, _) => return Err(GridError::Shares { d_model, axes: A }),
                (Rest::Zero, _) => [d_model / (columns * A) * columns; A],
                (Rest::Cut, _) => [d_model.div_ceil(columns * A) * columns; A],
            },
            Widths::Given(widths) => widths,
            Widths::Shares(shares) => match shared(d_model, shares, columns) {
                Ok(widths) => widths,
                Err(of) => {
                    let preset = match self.preset {
                        Some(preset) => preset.name(),
                        None => "",
                    };
                    let parameters = ["d_model", "preset"];
                    return Err(GridError::Spec(SpecError::NotAMultiple { d_model, of, parameters, value: preset }));
                }
            },
        };
        try_const!(self.check_widths(&widths, names));
        Ok(widths)
    }

    const fn check_widths(&self, widths: &[usize; A], names: &[&'static str]) -> Result<(), GridError> {
        let (mut sum, mut equal, mut i) = (0u128, true, 0);
        while i < A {
            let width = widths[i];
            if width == 0 || width % self.columns_of_frequency() != 0 || check_d_model(width as i128).is_err() {
                return Err(GridError::Width { axis: names[i], value: width });
            }
            sum += width as u128;
            equal = equal && width == widths[0];
            i += 1;
        }
        let d_model = self.d_model;
        let (fits, relation) = match self.rest {
            Rest::Reject => (sum == d_model as u128, ""),
            Rest::Zero => (sum <= d_model as u128, "at most "),
            Rest::Cut => (sum >= d_model as u128, "at least "),
        };
        if !fits {
            return Err(GridError::Widths { sum, d_model, relation });
        }
        if !equal && matches!(self.nest, Nest::Frequencies) {
            return Err(GridError::Spec(SpecError::Conflict {
                parameters: ["nest", "widths"],
                values: ["frequencies", "..."],
                reason: "each frequency has columns of all axes, so the widths must be equal",
            }));
        }
        Ok(())
    }
}

/// Returns the numbers of all axes, and `rest` for those that the grid does not have.
const fn padded<const A: usize>(numbers: [usize; A], rest: usize) -> [usize; MAX_AXES] {
    let (mut padded, mut i) = ([rest; MAX_AXES], 0);
    while i < A {
        padded[i] = numbers[i];
        i += 1;
    }
    padded
}

/// Returns shares of `d_model`, or what it must be a multiple of for all of them to have whole frequencies.
const fn shared<const A: usize>(d_model: usize, shares: [usize; A], columns: usize) -> Result<[usize; A], usize> {
    let (mut sum, mut i) = (0, 0);
    while i < A {
        sum += shares[i];
        i += 1;
    }
    if d_model % (columns * sum) != 0 {
        return Err(columns * sum);
    }
    let (mut widths, mut i) = (shares, 0);
    while i < A {
        widths[i] *= d_model / sum;
        i += 1;
    }
    Ok(widths)
}
