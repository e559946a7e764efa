//! The columns of each axis, and the grid that is a table.

use crate::axial::AxialRope;
use crate::axial::error::AxialError;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::values::{self, Widths};
use crate::limits::MAX_D_MODEL;
use crate::rope::check_columns;
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::choices::{Columns, Order, Packing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};

impl<'a, const A: usize> AxialRope<'a, A> {
    /// Returns the grid of a table with cosines, sines or both.
    ///
    /// # Errors
    ///
    /// Returns an error if the widths of the axes do not fit the rotated columns, if the preset has other axes, or if
    /// the table has more than 2^24 columns. The other parameters are checked when the table is made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRope, Packing};
    /// let both = AxialRope::new([2, 2], 4).packed(Packing::CosSin)?;
    /// assert_eq!(both.table::<f32>()?[1], [1.0, 0.540_302_3, 0.0, 0.841_470_96]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn packed(&self, packing: Packing) -> Result<Grid<'a, A>, AxialError> {
        let widths = try_const!(self.resolved_widths());
        let grid = self.grid_of_widths(widths, packing);
        let value = grid.d_model();
        if value > MAX_D_MODEL { Err(AxialError::columns(value)) } else { Ok(grid) }
    }

    /// Returns the grid of a table, for axes of these widths.
    const fn grid_of_widths(&self, widths: [usize; A], packing: Packing) -> Grid<'a, A> {
        let (columns, phases, order) = match packing {
            Packing::Cos => (Columns::Cos, false, Order::SinCos),
            Packing::Sin => (Columns::Sin, false, Order::SinCos),
            Packing::CosSin => (Columns::Both, true, Order::CosSin),
            Packing::SinCos => (Columns::Both, true, Order::SinCos),
            Packing::Complex => (Columns::Both, false, Order::CosSin),
        };
        let is_both = matches!(columns, Columns::Both);
        let nest = match self.nest {
            AxialNest::Blocks if phases => Nest::Phases,
            AxialNest::Blocks if is_both => Nest::Pairs,
            AxialNest::Blocks => Nest::Blocks,
            AxialNest::Frequencies if phases => Nest::PhaseFrequencies,
            AxialNest::Frequencies if is_both => Nest::PairFrequencies,
            AxialNest::Frequencies => Nest::Frequencies,
        };
        let rest = match self.rest {
            AxialRest::Reject => Rest::Reject,
            AxialRest::Identity => Rest::Identity,
            AxialRest::IdentityFirst => Rest::IdentityFirst,
        };
        let (mut of_axes, mut i) = (widths, 0);
        while i < A {
            of_axes[i] = self.columns_of(widths[i], is_both);
            i += 1;
        }
        let grid = self.grid.of_width(self.columns_of(self.rotary_dim, is_both));
        grid.widths(of_axes).nest(nest).rest(rest).columns(columns).order(order)
    }

    /// Returns the number of columns of a table.
    pub(super) const fn columns(&self, packing: Packing) -> usize {
        self.columns_of(self.rotary_dim, !matches!(packing, Packing::Cos | Packing::Sin))
    }

    /// Returns the number of columns of a table for so many columns of a head.
    const fn columns_of(&self, columns: usize, both: bool) -> usize {
        let of_pair = if both { 2 } else { 1 } * if self.is_repeated() { 2 } else { 1 };
        (columns / 2).saturating_mul(of_pair)
    }

    /// Returns whether entries are repeated.
    pub(crate) const fn is_repeated(&self) -> bool {
        !matches!(self.grid.repetition(), Repeat::None)
    }

    /// Returns the names of the axes, or the preset's error.
    const fn names(&self) -> Result<&'static [&'static str], AxialError> {
        let Some(preset) = self.preset else { return Ok(values::names(A)) };
        if let Some(names) = preset.names(A) {
            return Ok(names);
        }
        let (preset, axes) = (preset.name(), preset.axes().text);
        Err(AxialError::Grid(GridError::Axes { preset, axes, given: A }))
    }

    /// Returns the number of columns of each axis in a head, which the checks of the widths are about.
    pub(super) const fn resolved_widths(&self) -> Result<[usize; A], AxialError> {
        let names = try_const!(self.names());
        try_const!(check_columns(self.head_dim, self.rotary_dim), AxialError::Rope);
        let rotary_dim = self.rotary_dim;
        let reject = matches!(self.rest, AxialRest::Reject);
        let widths = match self.widths {
            Widths::Given(widths) => widths,
            Widths::Equal if reject && rotary_dim % (2 * A) != 0 => {
                return Err(AxialError::Shares { rotary_dim, axes: A });
            }
            Widths::Equal => [rotary_dim / (2 * A) * 2; A],
            Widths::Shares(shares) => try_const!(self.shared(shares)),
        };
        let (mut sum, mut i, mut equal, mut width_of_all) = (0u128, 0, true, 0);
        while i < A {
            let width = widths[i];
            if width % 2 != 0 {
                return Err(AxialError::Width { axis: names[i], value: width });
            }
            sum += width as u128;
            if width > 0 {
                equal = equal && (width_of_all == 0 || width_of_all == width);
                width_of_all = width;
            }
            i += 1;
        }
        if sum == 0 || sum > rotary_dim as u128 || (reject && sum < rotary_dim as u128) {
            return Err(AxialError::Widths { sum, rotary_dim, exactly: reject });
        }
        try_const!(self.check_nest(equal, sum < rotary_dim as u128));
        Ok(widths)
    }

    /// Returns shares of the rotated columns.
    const fn shared(&self, shares: [usize; A]) -> Result<[usize; A], AxialError> {
        let (mut sum, mut i) = (0, 0);
        while i < A {
            sum += shares[i];
            i += 1;
        }
        let (mut widths, d_model, of) = (shares, self.rotary_dim, 2 * sum);
        if d_model % of != 0 {
            let preset = match self.preset {
                Some(preset) => preset.name(),
                None => "",
            };
            return Err(AxialError::NotShared { rotary_dim: d_model, of, preset });
        }
        i = 0;
        while i < A {
            widths[i] *= d_model / sum;
            i += 1;
        }
        Ok(widths)
    }

    /// Checks that each frequency can have columns of all axes, if it has.
    const fn check_nest(&self, equal: bool, has_rest: bool) -> Result<(), AxialError> {
        let (parameter, value, reason) = match self.grid.repetition() {
            _ if matches!(self.nest, AxialNest::Blocks) => return Ok(()),
            _ if !equal => ("widths", "...", "each frequency has columns of all axes, so the widths must be equal"),
            _ if has_rest => {
                ("rest", self.rest.name(), "each frequency has columns of all axes, and identity columns have none")
            }
            Repeat::AxisHalves => ("repeat", "axis_halves", "the columns of an axis are not side by side"),
            _ => return Ok(()),
        };
        let (parameters, values) = (["nest", parameter], ["frequencies", value]);
        Err(AxialError::Grid(GridError::Spec(SpecError::Conflict { parameters, values, reason })))
    }
}
