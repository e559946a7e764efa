//! The table of each axis of a grid, and the places of its columns.

use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::places::Places;
use crate::grid::row_order::{MAX_AXES, RowOrder};
use crate::grid::values::{Extent, integer};
use crate::spec::Spec;
use crate::spec::choices::{Columns, Layout, Repeat};
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the number of rows: all points, the rows of zeros and the identity rows, saturating at `usize::MAX`.
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
        while i < A {
            points = points.saturating_mul(self.shape[i]);
            i += 1;
        }
        let [before, after] = self.identity_rows;
        let beside = self.zero_rows.saturating_add(before).saturating_add(after);
        beside.saturating_add(points)
    }

    /// Returns the 1-D table of axis `i`, counted in the order of the shape.
    ///
    /// Its rows are the points along this axis. In [`Nest::Blocks`], [`Nest::Phases`] and [`Nest::PhaseFrequencies`]
    /// its sines are before its cosines; in other nestings its columns are pairs. It ignores a [list](Self::positions)
    /// of positions.
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
            Nest::Blocks | Nest::Phases | Nest::PhaseFrequencies if self.functions() == 2 => Layout::Halves,
            _ => Layout::Interleaved,
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

    /// Returns the table of the identity columns, of a width that has been checked.
    pub(super) const fn identity_of_width(&self, width: usize) -> Spec<'a> {
        let Spec { parameters } = self.axis_of_width(0, width);
        let (frequencies, freq_offset, scaling) = (Frequencies::PAPER, (0, 1), Scaling::None);
        Spec {
            parameters: Parameters { frequencies, freq_offset, scaling, start: Some(0), unit: (1, 1), ..parameters },
        }
    }

    /// Returns the places of the columns of axes of these widths.
    pub(crate) const fn places(&self, given: [usize; A]) -> Places {
        let identity = self.identity_columns(&given);
        let (mut widths, shape) = (padded(given, 0), padded(self.shape, 1));
        let (mut first, mut filled_axes, mut i) = ([0; MAX_AXES], 0, 0);
        if identity > 0 {
            widths[A] = identity;
            if matches!(self.rest, Rest::IdentityFirst) {
                (first[0], filled_axes) = (A, 1);
            }
        }
        while i < A {
            // Whether `first` has each axis once is checked later.
            let axis = self.first[i];
            if axis < A && widths[axis] > 0 {
                first[filled_axes] = axis;
                filled_axes += 1;
            }
            i += 1;
        }
        if identity > 0 && matches!(self.rest, Rest::Identity) {
            first[filled_axes] = A;
            filled_axes += 1;
        }
        let axes = if identity > 0 { A + 1 } else { A };
        let order = RowOrder::of(shape, A, if self.merges() { self.merge } else { 1 });
        let Self { d_model, zero_rows, identity_rows, .. } = *self;
        let (rows, runs) = (self.rows(), self.runs(widths[first[0]]));
        Places { axes, widths, shape, first, filled_axes, d_model, zero_rows, identity_rows, rows, runs, order }
    }

    /// Returns whether rows go block by block, and blocks divide the last two axes.
    pub(super) const fn merges(&self) -> bool {
        A >= 2 && self.merge > 1 && self.shape[A - 1] % self.merge == 0 && self.shape[A - 2] % self.merge == 0
    }

    /// Returns the number of runs of the columns of an axis: the numbers of all that is outside of the axes, multiplied.
    const fn runs(&self, width: usize) -> usize {
        let (repeat, functions) = (self.repetition(), self.functions());
        let halves = if matches!(repeat, Repeat::Halves) { 2 } else { 1 };
        let twice = if matches!(repeat, Repeat::Pairs) { 2 } else { 1 };
        // The numbers of what is inside of the axes.
        let inside = match self.nest {
            Nest::Blocks | Nest::Pairs => return halves,
            Nest::Phases => return functions * halves,
            Nest::PairFrequencies => functions * twice,
            Nest::PhaseFrequencies => twice,
            // With both functions, each is repeated apart.
            Nest::Frequencies => {
                if functions == 1 {
                    twice
                } else {
                    1
                }
            }
        };
        // No axis has columns if `first` is wrong.
        if width > inside { width / inside } else { 1 }
    }

    /// Returns the quantiser, which is the same for all axes.
    pub(crate) const fn quantiser_of_entries(&self) -> Option<Quantiser> {
        self.axes[0].parameters.quantiser
    }

    /// Returns how the columns are repeated.
    pub(crate) const fn repetition(&self) -> Repeat {
        self.axes[0].parameters.repeat
    }

    /// Returns the number of functions: sines, cosines or both.
    pub(super) const fn functions(&self) -> usize {
        if matches!(self.axes[0].parameters.columns, Columns::Both) { 2 } else { 1 }
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
