//! A table from one of the library's entry points, and the comparison of its entries with the formula.

use posenc::{Amplitude, Bf16Bits, Element, F16Bits, Grid, MAX_POSITION, SpecError};

use crate::bits;
use crate::params::{Params, Wave};
use crate::rounding::FORMATS;
use crate::tally::{Mismatch, Tally};
use crate::value::{Bits, Frequency, Source};

/// An entry point for rows.
#[derive(Clone, Copy, Debug)]
pub enum EntryPoint {
    Fill,
    ConstFill,
    Prepared,
    Encode,
    FillPositions,
    EncoderEncode,
    EncoderFillPositions,
    /// `fill` of a grid with these rows on one axis, if a grid has the parameters, or else of the spec.
    Grid,
    GridConstFill,
    GridFillPoints,
}

/// The entry points for rows of a table, and those for rows at positions.
pub const TABLE_ENTRY_POINTS: [EntryPoint; 5] =
    [EntryPoint::Fill, EntryPoint::ConstFill, EntryPoint::Prepared, EntryPoint::Grid, EntryPoint::GridConstFill];
pub const POSITION_ENTRY_POINTS: [EntryPoint; 5] = [
    EntryPoint::Encode,
    EntryPoint::FillPositions,
    EntryPoint::EncoderEncode,
    EntryPoint::EncoderFillPositions,
    EntryPoint::GridFillPoints,
];

/// About how many numbers an encoder may store.
///
/// An encoder stores `d_model` times the root of the number of rows it is prepared for. Rows beyond these are still
/// correct.
const PREPARED_SIZE: usize = 1 << 16;

#[derive(Clone, Debug)]
pub enum Rows {
    /// Consecutive rows of the table.
    Table {
        first: usize,
        count: usize,
    },
    Positions(Vec<f64>),
}

/// The rows to check.
#[derive(Clone, Debug)]
pub struct Case {
    pub params: Params,
    pub rows: Rows,
}

impl Case {
    pub fn count(&self) -> usize {
        match &self.rows {
            Rows::Table { count, .. } => *count,
            Rows::Positions(positions) => positions.len(),
        }
    }

    /// Returns the position of a row, or `None` for the row of zeros.
    fn position(&self, row: usize) -> Option<f64> {
        match &self.rows {
            Rows::Table { first, .. } if self.params.zero_row == Some(first + row) => None,
            // An integer up to 2^53.
            Rows::Table { first, .. } => Some(self.params.position(first + row) as f64),
            Rows::Positions(positions) => Some(positions[row]),
        }
    }

    /// Checks the entries in `rows` and in the columns of `waves`, in every element type that can represent the
    /// amplitude, each through its entry point.
    pub fn check(&self, entry_points: [EntryPoint; 4], rows: &[usize], waves: &[usize], tally: &mut Tally) {
        let tables = [
            self.bits::<f32>(0, entry_points),
            self.bits::<f64>(1, entry_points),
            self.bits::<F16Bits>(2, entry_points),
            self.bits::<Bf16Bits>(3, entry_points),
        ];
        let amplitude = self.params.factor();
        for &number in waves {
            let Wave { source, sin, cos } = self.params.wave(number);
            let mut frequency = Frequency::new(&source, self.params.factors());
            for &row in rows {
                let wanted = match self.position(row) {
                    Some(position) => frequency.at(position, &amplitude, &mut tally.repeated),
                    None => [[0; 4]; 2],
                };
                for (column, wanted) in [sin, cos].into_iter().zip(wanted) {
                    if let Some(column) = column {
                        self.compare(&tables, entry_points, (row, column), wanted, Some(&source), tally);
                    }
                }
            }
        }
        if let Some(column) = self.params.zero_column() {
            for &row in rows {
                self.compare(&tables, entry_points, (row, column), [0; 4], None, tally);
            }
        }
    }

    fn compare(
        &self,
        tables: &[Option<Vec<u64>>; 4],
        entry_points: [EntryPoint; 4],
        (row, column): (usize, usize),
        wanted: Bits,
        source: Option<&Source>,
        tally: &mut Tally,
    ) {
        for (dtype, table) in tables.iter().enumerate() {
            let Some(table) = table else { continue };
            let found = table[row * self.params.d_model + column];
            tally.entries[dtype] += 1;
            if found != wanted[dtype] {
                let (entry_point, position, wanted) = (entry_points[dtype], self.position(row), wanted[dtype]);
                tally.differs(&Mismatch {
                    case: self,
                    dtype,
                    entry_point,
                    row,
                    position,
                    column,
                    source,
                    found,
                    wanted,
                });
            }
        }
    }

    /// Returns the bits of all rows, or `None` if the amplitude is out of range for the type and is rejected, as it
    /// must be.
    fn bits<T: bits::Bits>(&self, dtype: usize, entry_points: [EntryPoint; 4]) -> Option<Vec<u64>> {
        let (format, entry_point) = (&FORMATS[dtype], entry_points[dtype]);
        let beyond = matches!(self.params.amplitude, Amplitude::Value(amplitude) if format.is_exceeded_by(amplitude));
        match self.params.spec().check_parameters::<T>() {
            Err(SpecError::Amplitude { .. }) if beyond => {}
            Ok(()) if !beyond => {}
            other => panic!("{}: found {other:?}, the amplitude is beyond the type: {beyond}, {self:?}", format.name),
        }
        match self.table::<T>(entry_point) {
            Ok(table) if !beyond => Some(table.into_iter().map(T::bits).collect()),
            Err(SpecError::Amplitude { .. }) if beyond => None,
            Ok(_) => {
                panic!("{}, {entry_point:?}: not refused, the amplitude being beyond the type: {self:?}", format.name)
            }
            Err(error) => panic!("{}, {entry_point:?}: refused, {error}: {self:?}", format.name),
        }
    }

    fn table<T: Element>(&self, entry_point: EntryPoint) -> Result<Vec<T>, SpecError> {
        let (spec, d_model) = (self.params.spec(), self.params.d_model);
        let mut table = vec![T::default(); self.count() * d_model];
        let end = match &self.rows {
            Rows::Table { first, count } => first.saturating_add(*count),
            Rows::Positions(_) => 0,
        };
        if let Some(rows) = self.params.grid(end).and_then(|grid| self.grid_rows(&grid, entry_point)) {
            return rows;
        }
        let rows = table.chunks_exact_mut(d_model).enumerate();
        match (&self.rows, entry_point) {
            (Rows::Table { first, .. }, EntryPoint::ConstFill) => spec.const_fill(*first.., &mut table)?,
            (Rows::Table { first, count }, EntryPoint::Prepared) => {
                let most = (PREPARED_SIZE / d_model).pow(2);
                let encoder = spec.prepare::<T>(first.saturating_add(*count).min(most))?;
                rows.into_iter().try_for_each(|(i, row)| encoder.encode_row(first + i, row))?;
            }
            (Rows::Table { first, .. }, _) => spec.fill(*first.., &mut table)?,
            (Rows::Positions(positions), EntryPoint::FillPositions) => spec.fill_positions(positions, &mut table)?,
            (Rows::Positions(positions), EntryPoint::EncoderFillPositions) => {
                spec.prepare(prepared_rows(positions))?.fill_positions(positions, &mut table)?;
            }
            (Rows::Positions(positions), EntryPoint::EncoderEncode) => {
                let encoder = spec.prepare::<T>(prepared_rows(positions))?;
                for (i, row) in rows {
                    match as_integer(positions[i]).filter(|_| i % 2 == 0) {
                        Some(integer) => encoder.encode(integer, row)?,
                        None => encoder.encode(positions[i], row)?,
                    }
                }
            }
            (Rows::Positions(positions), _) => {
                for (i, row) in rows {
                    match as_integer(positions[i]).filter(|_| i % 2 == 0) {
                        Some(integer) => spec.encode(integer, row)?,
                        None => spec.encode(positions[i], row)?,
                    }
                }
            }
        }
        Ok(table)
    }
}

impl Case {
    /// Returns the columns of the second axis of a grid, after the four of the first, or `None` for other entry points.
    fn grid_rows<T: Element>(&self, grid: &Grid<2>, entry_point: EntryPoint) -> Option<Result<Vec<T>, SpecError>> {
        let mut table = vec![T::default(); self.count() * grid.d_model()];
        let filled = match (&self.rows, entry_point) {
            (Rows::Table { first, .. }, EntryPoint::Grid) => grid.fill(*first.., &mut table),
            (Rows::Table { first, .. }, EntryPoint::GridConstFill) => grid.const_fill(*first.., &mut table),
            (Rows::Positions(positions), EntryPoint::GridFillPoints) => {
                let points: Vec<_> = positions.iter().map(|&position| [0.5, position]).collect();
                grid.fill_points(&points, &mut table)
            }
            _ => return None,
        };
        Some(filled.map(|()| table.chunks_exact(grid.d_model()).flat_map(|row| row[4..].to_vec()).collect()))
    }
}

/// Returns the number of rows that an encoder for positions is prepared for: none, or some.
///
/// It does not matter for the positions, but changes what the encoder stores.
fn prepared_rows(positions: &[f64]) -> usize {
    positions.len() % 2 * 9
}

/// Returns the position as an integer, if it may be passed as one. Half of them are, and the others as floats.
fn as_integer(position: f64) -> Option<i64> {
    let fits = position.fract() == 0.0 && position.abs() <= MAX_POSITION as f64;
    #[expect(clippy::cast_possible_truncation, reason = "an integer up to 2^53")]
    fits.then_some(position as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_bit_is_seen() {
        let case = Case { params: Params::paper(2), rows: Rows::Positions(vec![1.0]) };
        let entry_points = [EntryPoint::Encode; 4];
        let tables = [Some(vec![0, 0x3f0a_5140]), None, None, Some(vec![0x3f57, 0])];
        let mut tally = Tally::default();
        case.compare(&tables, entry_points, (0, 1), [0x3f0a_5141, 0, 0, 0], None, &mut tally);
        assert_eq!((tally.entries, tally.differ), ([1, 0, 0, 1], [1, 0, 0, 0]));
        case.check(entry_points, &[0], &[0], &mut tally);
        assert_eq!((tally.entries, tally.differ), ([3, 2, 2, 3], [1, 0, 0, 0]));
    }

    #[test]
    fn amplitudes_are_refused_where_they_have_to_be() {
        for (dtype, format) in FORMATS.iter().enumerate() {
            let largest = format.value(format.infinity() - 1).to_f64();
            let half_way_to_next = largest + largest * 2f64.powi(-format.precision.cast_signed());
            let sizes = [largest.next_down(), largest, largest.next_up(), half_way_to_next, largest * 1.5];
            for size in sizes.into_iter().filter(|size| size.is_finite()) {
                for amplitude in [size, -size] {
                    let params = Params { amplitude: Amplitude::Value(amplitude), ..Params::paper(4) };
                    let mut tally = Tally::default();
                    for entry_point in TABLE_ENTRY_POINTS {
                        let rows = Rows::Table { first: 0, count: 6 };
                        Case { params: params.clone(), rows }.check([entry_point; 4], &[0, 5], &[0, 1], &mut tally);
                    }
                    for entry_point in POSITION_ENTRY_POINTS {
                        let rows = Rows::Positions(vec![0.0, 1.5]);
                        Case { params: params.clone(), rows }.check([entry_point; 4], &[0, 1], &[0, 1], &mut tally);
                    }
                    // Eight of each.
                    let entries = if size > largest { 0 } else { 10 * 8 };
                    assert_eq!(
                        (tally.entries[dtype], tally.total_differ()),
                        (entries, 0),
                        "{}: {amplitude}",
                        format.name
                    );
                }
            }
        }
    }
}
