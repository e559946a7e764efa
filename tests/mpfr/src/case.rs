//! A table from one of the library's entry points, and the comparison of its entries with the formula.

use posenc::{Bf16Bits, Element, F16Bits, Grid, GridError, MAX_POSITION, Q7, Q15, Q31, Quantiser, Spec};

use crate::bits;
use crate::entries::{Bits, Entries, Refusal, TYPES};
use crate::params::{Params, Wave};
use crate::rows::{EntryPoint, Rows};
use crate::tally::{Mismatch, Tally};
use crate::value::{Frequency, Source};

/// About how many numbers an encoder may store.
///
/// An encoder stores `d_model` times the root of the number of rows it is prepared for. Rows beyond these are still
/// correct.
const PREPARED_SIZE: usize = 1 << 16;

/// The bits of a table in each element type, unless it has to be refused.
type Tables = [Option<Vec<u64>>; TYPES];

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
    pub fn check(&self, entry_points: [EntryPoint; TYPES], rows: &[usize], waves: &[usize], tally: &mut Tally) {
        let entries = self.params.entries();
        let tables = self.tables(&entries, entry_points);
        for &number in waves {
            let Wave { source, sin, cos } = self.params.wave(number);
            let mut frequency = Frequency::new(&source, self.params.factors());
            for &row in rows {
                let wanted = match self.position(row) {
                    Some(position) => frequency.at(position, &entries, &mut tally.repeated),
                    None => [entries.zero; 2],
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
                self.compare(&tables, entry_points, (row, column), entries.zero, None, tally);
            }
        }
    }

    /// Returns the bits of all rows in every element type.
    fn tables(&self, entries: &Entries, entry_points: [EntryPoint; TYPES]) -> Tables {
        let mut dtype = 0;
        macro_rules! tables {
            ($($element:ident)*) => { [$({
                let table = self.bits::<$element>(dtype, entry_points[dtype], entries.refusal(dtype));
                dtype += 1;
                table
            }),*] };
        }
        let tables = tables!(f32 f64 F16Bits Bf16Bits Q7 Q15 Q31 i8 i16 u8);
        assert_eq!(dtype, TYPES);
        tables
    }

    fn compare(
        &self,
        tables: &Tables,
        entry_points: [EntryPoint; TYPES],
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
                    params: &self.params,
                    rows: &self.rows,
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
    fn bits<T: bits::Bits>(&self, dtype: usize, entry_point: EntryPoint, refusal: Option<Refusal>) -> Option<Vec<u64>> {
        let quantiser = self.params.quantiser(dtype);
        let spec = quantiser.map_or(self.params.spec(), |quantiser| self.params.spec().quantiser(quantiser));
        let checked = spec.check_parameters::<T>();
        let table = self.table::<T>(spec, quantiser, entry_point);
        match (refusal, checked, table) {
            (None, Ok(()), Ok(table)) => Some(table.into_iter().map(T::bits).collect()),
            (Some(refusal), Err(error), Err(again)) if refusal.is(&error) && again == error.into() => None,
            (_, checked, table) => {
                let table = table.map(|_| "a table");
                panic!("{}, {entry_point:?}: {checked:?}, {table:?}; wanted: {refusal:?}; {self:?}", T::DTYPE)
            }
        }
    }

    fn table<T: Element>(
        &self,
        spec: Spec,
        quantiser: Option<Quantiser>,
        entry_point: EntryPoint,
    ) -> Result<Vec<T>, GridError> {
        let d_model = self.params.d_model;
        let mut table = vec![T::default(); self.count() * d_model];
        let end = match &self.rows {
            Rows::Table { first, count } => first.saturating_add(*count),
            Rows::Positions(_) => 0,
        };
        let grid = self.params.grid(end).map(|grid| quantiser.map_or(grid, |quantiser| grid.quantiser(quantiser)));
        if let Some(rows) = grid.and_then(|grid| self.grid_rows(&grid, entry_point)) {
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
    fn grid_rows<T: Element>(&self, grid: &Grid<2>, entry_point: EntryPoint) -> Option<Result<Vec<T>, GridError>> {
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
    use crate::integers::{INTEGERS, Scale, Steps};
    use crate::rounding::FORMATS;
    use crate::rows::{POSITION_ENTRY_POINTS, TABLE_ENTRY_POINTS};
    use posenc::Amplitude;

    #[test]
    fn one_wrong_bit_is_seen() {
        let case = Case { params: Params::paper(2), rows: Rows::Positions(vec![1.0]) };
        let entry_points = [EntryPoint::Encode; TYPES];
        let mut tables: Tables = [const { None }; TYPES];
        tables[0] = Some(vec![0, 0x3f0a_5140]);
        tables[3] = Some(vec![0x3f57, 0]);
        tables[9] = Some(vec![0, 197]);
        let mut wanted = [0; TYPES];
        (wanted[0], wanted[9]) = (0x3f0a_5141, 196);
        let mut tally = Tally::default();
        case.compare(&tables, entry_points, (0, 1), wanted, None, &mut tally);
        assert_eq!((tally.entries, tally.differ), ([1, 0, 0, 1, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        case.check(entry_points, &[0], &[0], &mut tally);
        assert_eq!((tally.entries, tally.total_differ()), ([3, 2, 2, 3, 2, 2, 2, 2, 2, 3], 2));
    }

    /// Checks an amplitude through all entry points, in eight entries each, and whether the type is refused.
    fn check_amplitude(params: &Params, dtype: usize, refused: bool) {
        let mut tally = Tally::default();
        for entry_point in TABLE_ENTRY_POINTS {
            let rows = Rows::Table { first: 0, count: 6 };
            Case { params: params.clone(), rows }.check([entry_point; TYPES], &[0, 5], &[0, 1], &mut tally);
        }
        for entry_point in POSITION_ENTRY_POINTS {
            let rows = Rows::Positions(vec![0.0, 1.5]);
            Case { params: params.clone(), rows }.check([entry_point; TYPES], &[0, 1], &[0, 1], &mut tally);
        }
        let entries = if refused { 0 } else { 10 * 8 };
        assert_eq!((tally.entries[dtype], tally.total_differ()), (entries, 0), "{dtype}: {params:?}");
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
                    check_amplitude(&params, dtype, size > largest);
                }
            }
        }
    }

    #[test]
    fn integers_are_refused_if_more_than_one_step_is_clamped() {
        for (i, of) in INTEGERS.iter().enumerate().skip(3) {
            let [least, greatest] = of.zero_points();
            for zero_point in [least, least.midpoint(greatest), 0, greatest] {
                let most = of.most(zero_point);
                for steps in [most, most + 1, most + 2] {
                    let tie = steps as f64 - 0.5;
                    for (amplitude, rounded) in [
                        (tie.next_down(), steps - 1),
                        (tie, steps - steps % 2),
                        (tie.next_up(), steps),
                        (steps as f64, steps),
                    ] {
                        let mut params = Params { amplitude: Amplitude::Value(-amplitude), ..Params::paper(4) };
                        params.quantisers[i - 3] = Steps { of, scale: Scale::Number(1.0), zero_point };
                        check_amplitude(&params, FORMATS.len() + i, rounded == 0 || rounded > most);
                    }
                }
            }
        }
    }
}
