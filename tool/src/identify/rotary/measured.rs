//! The frequencies of the columns, as exactly as the entries determine them.
//!
//! An entry is near the sine or cosine of a multiple of the frequency, so the frequency is in one of some intervals. The first
//! rows leave one of them, which rows further away narrow. Of slow frequencies few digits remain, or only an upper bound.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use posenc::__private::PairColumns;

use super::interval::Interval;
use crate::identify::angles::rate;
use crate::identify::noise::{Precision, half_gap, units};
use crate::identify::sample::{Numbers, WINDOW};

/// The frequencies and the amplitude of a table whose row 0 has position 0.
pub(super) struct Measured {
    pub(super) amplitude: Interval,
    pub(super) frequencies: Vec<Interval>,
}

impl Measured {
    /// Returns what the columns determine if they were computed with this precision, or `None` if they are no sinusoids.
    pub(super) fn new(numbers: &Numbers, columns: &[PairColumns], precision: Precision) -> Option<Self> {
        let amplitude = amplitude(numbers, columns, precision)?;
        let search = Search { numbers, amplitude, precision };
        let frequencies = columns.iter().map(|pair| search.frequency(pair)).collect::<Option<_>>()?;
        Some(Self { amplitude, frequencies })
    }
}

/// Returns the amplitudes that fit: the cosine of position 0 shows it, or else the fastest sines do.
fn amplitude(numbers: &Numbers, columns: &[PairColumns], precision: Precision) -> Option<Interval> {
    let (measured, error) = match columns.first()?.cos {
        Some(column) => {
            let crest = numbers.at(0, column);
            (crest, half_gap(crest, numbers.rounding) + units(precision) * crest)
        }
        None => columns.iter().find_map(|pair| amplitude_of_sines(numbers, pair.sin?))?,
    };
    let error = error + numbers.tolerance;
    let is_one = (measured - 1.0).abs() <= error;
    let measured = if is_one { Interval::of(1.0) } else { Interval::new(measured - error, measured + error) };
    (measured.low > 0.0).then_some(measured)
}

/// Returns the amplitude of a column of sines and its error, if the first rows show its frequency.
fn amplitude_of_sines(numbers: &Numbers, column: usize) -> Option<(f64, f64)> {
    /// The relative error of a sine whose angle was computed in `f32`.
    const SINGLE: f64 = 4e-6;
    let (step, _) = rate(numbers, column).filter(|(step, _)| step * WINDOW as f64 > FRAC_PI_2)?;
    let mut sums = (0.0, 0.0);
    for row in (0..WINDOW).filter(|&row| numbers.has(row)) {
        let sine = (step * row as f64).sin();
        sums = (sums.0 + sine * numbers.at(row, column), sums.1 + sine * sine);
    }
    let amplitude = sums.0 / sums.1;
    Some((amplitude, amplitude * (numbers.relative_error() + SINGLE)))
}

struct Search<'a> {
    numbers: &'a Numbers,
    amplitude: Interval,
    precision: Precision,
}

impl Search<'_> {
    /// Returns the frequencies that fit all rows of a pair of columns, or of the one that there is.
    fn frequency(&self, pair: &PairColumns) -> Option<Interval> {
        let mut possible = vec![Interval::new(0.0, PI)];
        for row in self.numbers.positions().filter(|&row| row > 0) {
            for (column, quarter) in [(pair.cos, 0.0), (pair.sin, FRAC_PI_2)] {
                if let Some(column) = column {
                    possible = self.narrowed(&possible, row as f64, self.numbers.at(row, column), quarter);
                }
            }
            if possible.is_empty() {
                return None;
            }
        }
        let [first, .., last] = *possible.as_slice() else { return possible.first().copied() };
        Some(Interval::new(first.low, last.high))
    }

    /// Returns the frequencies with which the wave of a row is near an entry. A sine is a cosine a quarter of a turn later.
    fn narrowed(&self, possible: &[Interval], row: f64, entry: f64, quarter: f64) -> Vec<Interval> {
        let Self { numbers, amplitude, precision } = *self;
        let error = half_gap(entry, numbers.rounding) + units(precision) * entry.abs() + numbers.tolerance;
        let (low, high) = (entry - error, entry + error);
        let low = (low / amplitude.low).min(low / amplitude.high).max(-1.0);
        let high = (high / amplitude.low).max(high / amplitude.high).min(1.0);
        if low > high {
            return Vec::new();
        }
        let (near, far) = (high.acos(), low.acos());
        let mut narrowed: Vec<Interval> = Vec::new();
        for piece in possible {
            let turn = |frequency: f64| ((row * frequency - quarter) / TAU).round();
            let (first, last) = (turn(piece.low), turn(piece.high));
            // It determines nothing yet.
            if last - first > 2.0 {
                narrowed.push(*piece);
                continue;
            }
            let mut turn = first;
            while turn <= last {
                let crest = quarter + TAU * turn;
                for arc in [(crest - far, crest - near), (crest + near, crest + far)] {
                    let arc = Interval::new(arc.0 / row, arc.1 / row).widened(units(precision));
                    match (piece.meet(arc), narrowed.last_mut()) {
                        (Some(part), Some(last)) if part.low <= last.high => last.high = part.high.max(last.high),
                        (Some(part), _) => narrowed.push(part),
                        (None, _) => {}
                    }
                }
                turn += 1.0;
            }
        }
        narrowed
    }
}
