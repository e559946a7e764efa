//! How many columns each axis of a grid has.

use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::values::{Extent, Widths};
use crate::spec::check::{check_d_model, check_unit};
use crate::spec::choices::Repeat;
use crate::spec::error::SpecError;
use crate::spec::grid_choices::{Nest, Rest};

impl<const A: usize> Grid<'_, A> {
    /// Returns the number of columns of each frequency of an axis, with those that repeat others.
    pub(super) const fn columns_of_frequency(&self) -> usize {
        let once = self.axes[0].arrangement().columns_of_frequency();
        if matches!(self.repetition(), Repeat::None) { once } else { 2 * once }
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
                (Rest::Reject, _) => return Err(GridError::Shares { d_model, axes: A, columns }),
                (Rest::Zero | Rest::Identity | Rest::IdentityFirst, _) => [d_model / (columns * A) * columns; A],
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
        let (mut sum, mut width_of_all, mut equal, mut i) = (0u128, 0, true, 0);
        let columns = self.columns_of_frequency();
        let may_be_0 = matches!(self.widths, Widths::Given(_));
        while i < A {
            let width = widths[i];
            let in_range = if width == 0 { may_be_0 } else { check_d_model(width as i128).is_ok() };
            if width % columns != 0 || !in_range {
                return Err(GridError::Width { axis: names[i], value: width, columns });
            }
            sum += width as u128;
            if width > 0 {
                equal = equal && (width_of_all == 0 || width_of_all == width);
                width_of_all = width;
            }
            i += 1;
        }
        if sum == 0 {
            return Err(GridError::NoWidth);
        }
        let d_model = self.d_model;
        let (fits, relation) = match self.rest {
            Rest::Reject => (sum == d_model as u128, ""),
            Rest::Zero | Rest::Identity | Rest::IdentityFirst => (sum <= d_model as u128, "at most "),
            Rest::Cut => (sum >= d_model as u128, "at least "),
        };
        if !fits {
            return Err(GridError::Widths { sum, d_model, relation });
        }
        self.check_nest(widths, equal)
    }

    /// Checks that the columns can be nested like this.
    const fn check_nest(&self, widths: &[usize; A], equal: bool) -> Result<(), GridError> {
        let by_frequency = matches!(self.nest, Nest::Frequencies | Nest::PhaseFrequencies | Nest::PairFrequencies);
        let identity = self.identity_columns(widths);
        let (parameter, value, reason) = match self.repetition() {
            _ if by_frequency && !equal => {
                ("widths", "...", "each frequency has columns of all axes, so the widths must be equal")
            }
            _ if by_frequency && identity > 0 => {
                ("rest", self.rest.name(), "each frequency has columns of all axes, and identity columns have none")
            }
            Repeat::AxisHalves if by_frequency => {
                ("repeat", "axis_halves", "the columns of an axis are not side by side")
            }
            Repeat::Halves if matches!(self.nest, Nest::Blocks) && self.functions() == 2 => {
                ("repeat", "halves", "a half would have the sines and cosines of an axis apart")
            }
            _ if identity % self.columns_of_frequency() != 0 => {
                let (d_model, of) = (self.d_model, self.columns_of_frequency());
                let parameters = ["d_model", "rest"];
                let error = SpecError::NotAMultiple { d_model, of, parameters, value: self.rest.name() };
                return Err(GridError::Spec(error));
            }
            _ => return Ok(()),
        };
        Err(GridError::Spec(SpecError::Conflict {
            parameters: ["nest", parameter],
            values: [self.nest.name(), value],
            reason,
        }))
    }

    /// Returns the number of identity columns of a grid with these widths.
    pub(super) const fn identity_columns(&self, widths: &[usize; A]) -> usize {
        let (mut left, mut i) = (self.d_model, 0);
        while i < A {
            left = left.saturating_sub(widths[i]);
            i += 1;
        }
        if matches!(self.rest, Rest::Identity | Rest::IdentityFirst) { left } else { 0 }
    }
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
