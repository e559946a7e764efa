//! The positions of rows.

use crate::float_bits::is_zero;
use crate::limits::in_range;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// The checked positions of rows, each an exact `f64`, and the row that is zeros instead, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Positions<'a> {
    rule: Rule<'a>,
    zero_row: Option<usize>,
}

#[derive(Clone, Copy)]
enum Rule<'a> {
    EquallySpaced(EquallySpaced),
    /// Finite numbers.
    List(&'a [f64]),
}

/// Row `i` is at the integer `start + i step`, which is within `±2^53`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquallySpaced {
    pub(crate) start: i64,
    pub(crate) step: i64,
}

impl EquallySpaced {
    /// Returns the position of row `i`.
    pub(crate) const fn at(self, i: usize) -> f64 {
        self.integer_at(i) as f64
    }

    /// Returns the same position as an integer.
    pub(crate) const fn integer_at(self, i: usize) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(i as i64))
    }
}

impl<'a> Positions<'a> {
    /// Returns the positions of `count` rows of `spec`, starting at row `first`.
    pub(crate) const fn of_rows(spec: &Spec, first: usize, count: usize) -> Result<Self, SpecError> {
        let (start, step) = try_const!(spec.check_rows(first, count));
        Ok(Self {
            rule: Rule::EquallySpaced(EquallySpaced { start, step }),
            zero_row: match spec.parameters.zero_row {
                Some(row) if row >= first && row - first < count => Some(row - first),
                _ => None,
            },
        })
    }

    /// Returns the positions of a list, one per row.
    pub(crate) const fn of_list(positions: &'a [f64]) -> Result<Self, SpecError> {
        let mut i = 0;
        while i < positions.len() {
            if !positions[i].is_finite() {
                return Err(SpecError::PositionNotFinite { index: Some(i), value: positions[i] });
            }
            i += 1;
        }
        Ok(Self { rule: Rule::List(positions), zero_row: None })
    }

    /// Returns the index, among these rows, of the row that is zeros.
    pub(crate) const fn zero_row(&self) -> Option<usize> {
        self.zero_row
    }

    /// Returns the position of row `i`.
    pub(crate) const fn at(&self, i: usize) -> f64 {
        match self.rule {
            Rule::EquallySpaced(rows) => rows.at(i),
            Rule::List(positions) => positions[i],
        }
    }

    /// Returns the start and the step, or `None` if the positions are a list.
    pub(crate) const fn equally_spaced(&self) -> Option<EquallySpaced> {
        match self.rule {
            Rule::EquallySpaced(rows) => Some(rows),
            Rule::List(_) => None,
        }
    }

    /// Returns the same positions as a start and a step if they are at least two equally spaced integers.
    pub(crate) fn recognised(&self) -> Self {
        let list = match self.rule {
            Rule::EquallySpaced(_) => return *self,
            Rule::List(list) => list,
        };
        let spaced = as_equally_spaced(list);
        spaced.map_or(*self, |rows| Self { rule: Rule::EquallySpaced(rows), zero_row: self.zero_row })
    }
}

fn as_equally_spaced(list: &[f64]) -> Option<EquallySpaced> {
    let is = |position: f64, integer: i64| position.to_bits() == (integer as f64).to_bits() || is_zero(position);
    let integer = |position: f64| in_range(position as i128).filter(|&integer| is(position, integer));
    let start = integer(*list.first()?)?;
    let step = integer(*list.get(1)?)? - start;
    // This also ensures that the sums below do not wrap.
    in_range(i128::from(start) + i128::from(step) * (list.len() as i128 - 1))?;
    let is_next = |(i, &position): (usize, &f64)| integer(position) == Some(start + step * i as i64);
    list.iter().enumerate().all(is_next).then_some(EquallySpaced { start, step })
}
