//! The positions of rows.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::element::Element;
use crate::float_bits::is_zero;
use crate::limits::in_range;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// The checked positions of rows, each an exact `f64`, and the row that is zeros instead, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Positions<'a> {
    rule: PositionRule<'a>,
    zero_row: Option<usize>,
}

#[derive(Clone, Copy)]
enum PositionRule<'a> {
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

impl Positions<'static> {
    /// Any number of rows at position 0.
    pub(crate) const ZEROS: Self =
        Self { rule: PositionRule::EquallySpaced(EquallySpaced { start: 0, step: 0 }), zero_row: None };
}

impl<'a> Positions<'a> {
    /// Returns the positions of `count` rows of `spec`, starting at row `first`.
    pub(crate) const fn of_rows(spec: &Spec, first: usize, count: usize) -> Result<Self, SpecError> {
        let (start, step) = try_const!(spec.check_rows(first, count));
        Ok(Self {
            rule: PositionRule::EquallySpaced(EquallySpaced { start, step }),
            zero_row: index_in(spec.parameters.zero_row, first, count),
        })
    }

    /// Checks the size of a table of `spec`, and returns the positions of all its rows.
    pub(crate) const fn of_table<T: Element>(spec: &Spec, seq_len: usize, max_bytes: usize) -> Result<Self, SpecError> {
        let (start, step) = try_const!(spec.check_rows_of_table::<T>(seq_len, max_bytes));
        Ok(Self {
            rule: PositionRule::EquallySpaced(EquallySpaced { start, step }),
            zero_row: spec.parameters.zero_row,
        })
    }

    /// Returns the positions of `count` of these rows, starting at row `first`.
    pub(crate) const fn part(&self, first: usize, count: usize) -> Self {
        let rule = match self.rule {
            PositionRule::EquallySpaced(rows) => {
                PositionRule::EquallySpaced(EquallySpaced { start: rows.integer_at(first), step: rows.step })
            }
            PositionRule::List(list) => PositionRule::List(list.split_at(first).1.split_at(count).0),
        };
        Self { rule, zero_row: index_in(self.zero_row, first, count) }
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
        Ok(Self { rule: PositionRule::List(positions), zero_row: None })
    }

    /// Returns the index, among these rows, of the row that is zeros.
    pub(crate) const fn zero_row(&self) -> Option<usize> {
        self.zero_row
    }

    /// Returns the position of row `i`.
    pub(crate) const fn at(&self, i: usize) -> f64 {
        match self.rule {
            PositionRule::EquallySpaced(rows) => rows.at(i),
            PositionRule::List(positions) => positions[i],
        }
    }

    /// Returns the first and the last position, or for a list 1 and the largest magnitude, or 1 if that is less.
    pub(crate) const fn ends(&self, rows: usize) -> [f64; 2] {
        let list = match self.rule {
            PositionRule::EquallySpaced(spaced) => return [spaced.at(0), spaced.at(rows - 1)],
            PositionRule::List(list) => list,
        };
        let (mut largest, mut i) = (1.0, 0);
        while i < list.len() {
            let magnitude = list[i].abs();
            largest = if magnitude > largest { magnitude } else { largest };
            i += 1;
        }
        [1.0, largest]
    }

    /// Returns the start and the step, or `None` if the positions are a list.
    pub(crate) const fn equally_spaced(&self) -> Option<EquallySpaced> {
        match self.rule {
            PositionRule::EquallySpaced(rows) => Some(rows),
            PositionRule::List(_) => None,
        }
    }

    /// Returns the same positions as a start and a step if they are at least two equally spaced integers.
    pub(crate) fn recognised(&self) -> Self {
        let list = match self.rule {
            PositionRule::EquallySpaced(_) => return *self,
            PositionRule::List(list) => list,
        };
        let spaced = as_equally_spaced(list);
        spaced.map_or(*self, |rows| Self { rule: PositionRule::EquallySpaced(rows), zero_row: self.zero_row })
    }
}

/// Points whose coordinates are finite numbers.
#[derive(Clone, Copy)]
pub(crate) struct Points<'p> {
    /// Those of each point, one point after the other.
    coordinates: &'p [f64],
    /// The number of coordinates of a point.
    axes: usize,
}

impl Points<'static> {
    /// The point whose coordinates are all 0.
    #[cfg(feature = "alloc")]
    pub(crate) const ORIGIN: Self = Self { coordinates: &[0.0], axes: 1 };
}

impl<'p> Points<'p> {
    /// Checks the coordinates.
    pub(crate) fn new<const A: usize>(points: &'p [[f64; A]]) -> Result<Self, SpecError> {
        for (index, point) in points.iter().enumerate() {
            if let Some(&value) = point.iter().find(|coordinate| !coordinate.is_finite()) {
                return Err(SpecError::PositionNotFinite { index: Some(index), value });
            }
        }
        Ok(Self { coordinates: points.as_flattened(), axes: A })
    }

    /// Returns the position of one of the points on an axis. On axes that the points do not have it is 0.
    pub(crate) fn of_point(self, i: usize, axis: usize) -> Positions<'p> {
        let point = &self.coordinates[i * self.axes..][..self.axes];
        let position = point.get(axis).map_or(&[0.0][..], core::slice::from_ref);
        Positions { rule: PositionRule::List(position), zero_row: None }
    }

    /// Returns the positions of all points on an axis, which `list` holds then. On axes that the points do not have they are
    /// 0. Returns `None` if allocation fails.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_axis(self, axis: usize, list: &mut Vec<f64>) -> Option<Positions<'_>> {
        list.clear();
        list.try_reserve_exact(self.len()).ok()?;
        list.extend(self.coordinates.chunks_exact(self.axes).map(|point| point.get(axis).copied().unwrap_or(0.0)));
        Some(Positions { rule: PositionRule::List(list), zero_row: None })
    }

    /// Returns the number of points.
    #[cfg(feature = "alloc")]
    pub(crate) const fn len(self) -> usize {
        self.coordinates.len() / self.axes
    }
}

/// Returns the index of a row among `count` rows from `first` on, if it is one of them.
const fn index_in(row: Option<usize>, first: usize, count: usize) -> Option<usize> {
    match row {
        Some(row) if row >= first && row - first < count => Some(row - first),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_positions_of_its_rows() {
        let spec = Spec::new(2).start(-7).step(3).zero_row(4);
        let list = [0.5, -0.25, 1e300, 2.0, 3.0, 5.0];
        let whole = [Positions::of_rows(&spec, 0, 6).unwrap(), Positions::of_list(&list).unwrap()];
        for (first, count) in [(0, 6), (0, 4), (2, 3), (4, 1), (5, 1), (6, 0)] {
            for positions in whole {
                let part = positions.part(first, count);
                assert!((0..count).all(|i| part.at(i) == positions.at(first + i)), "{first}, {count}");
            }
            let again = Positions::of_rows(&spec, first, count).unwrap();
            assert_eq!(whole[0].part(first, count).zero_row(), again.zero_row(), "{first}, {count}");
        }
    }
}
