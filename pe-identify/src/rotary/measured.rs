//! The frequencies of the columns, as exactly as the entries determine them.
//!
//! An entry is near the sine or cosine of a multiple of the frequency, so the frequency is in one of some intervals.
//! The first rows leave one of them, which rows further away narrow. For slow frequencies, few digits remain, or only
//! an upper bound.

use std::f64::consts::{FRAC_PI_2, PI};

use posenc::PairColumns;

use crate::angles::rate;
use crate::interval::Interval;
use crate::known::least_squares;
use crate::rounding::{Precision, half_gap, units};
use crate::sample::{Numbers, WINDOW};

/// The frequencies and the amplitude of a table whose row 0 has position 0.
pub(super) struct Measured {
    pub(super) amplitude: Interval,
    pub(super) frequencies: Vec<Interval>,
}

impl Measured {
    /// Returns what the columns determine if they were computed with this precision, or `None` if they are no sinusoids.
    pub(super) fn new(numbers: &Numbers, columns: &[PairColumns], precision: Precision) -> Option<Self> {
        let mut amplitude = amplitude(numbers, columns, precision)?;
        // Frequencies show the amplitude more exactly, which then shows the slow frequencies.
        loop {
            let measured = Self::with_amplitude(numbers, columns, precision, amplitude)?;
            if measured.amplitude.width() >= amplitude.width() / 4.0 {
                return Some(measured);
            }
            amplitude = measured.amplitude;
        }
    }

    /// Returns the same for some amplitudes, of which those that fit remain.
    pub(super) fn with_amplitude(
        numbers: &Numbers,
        columns: &[PairColumns],
        precision: Precision,
        amplitude: Interval,
    ) -> Option<Self> {
        let search = FrequencySearch { numbers, amplitude, precision };
        let frequencies: Vec<_> = columns.iter().map(|pair| search.frequency(pair)).collect::<Option<_>>()?;
        let amplitude = search.refined(columns, &frequencies)?;
        Some(Self { amplitude, frequencies })
    }
}

/// Returns the amplitudes that fit: the cosine of position 0 shows it, or else the fastest sines do.
fn amplitude(numbers: &Numbers, columns: &[PairColumns], precision: Precision) -> Option<Interval> {
    /// The relative error of a sine whose angle was computed in `f32`.
    const SINGLE: f64 = 4e-6;
    let (measured, error) = if let Some(column) = columns.first()?.cos {
        let peak = numbers.at(0, column);
        (peak, half_gap(peak, numbers.rounding) + units(precision) * peak)
    } else {
        let of = |column| rate(numbers, column).filter(|(step, _)| step * WINDOW as f64 > FRAC_PI_2);
        let (column, step) = columns.iter().find_map(|pair| Some((pair.sin?, of(pair.sin?)?.0)))?;
        let rows = (0..WINDOW).filter(|&row| numbers.has(row));
        let sines = rows.map(|row| ((step * row as f64).sin(), numbers.at(row, column)));
        let amplitude = least_squares(sines);
        (amplitude, amplitude * (numbers.relative_error() + SINGLE))
    };
    let error = error + numbers.tolerance;
    // One is far more likely than all others.
    let is_one = (measured - 1.0).abs() <= error;
    let range = if is_one { Interval::of(1.0) } else { Interval::new(measured - error, measured + error) };
    (range.low > 0.0).then_some(range)
}

struct FrequencySearch<'a> {
    numbers: &'a Numbers,
    amplitude: Interval,
    precision: Precision,
}

impl FrequencySearch<'_> {
    /// Returns the frequencies that fit all rows of a pair of columns, or of the one that there is.
    fn frequency(&self, pair: &PairColumns) -> Option<Interval> {
        let mut possible = vec![Interval::new(0.0, PI)];
        for row in self.numbers.positions().filter(|&row| row > 0) {
            for (column, is_sin) in [(pair.cos, false), (pair.sin, true)] {
                if let Some(column) = column {
                    possible = self.narrowed(&possible, row as f64, self.numbers.at(row, column), is_sin);
                }
            }
            if possible.is_empty() {
                return None;
            }
        }
        // Sines that hardly turn are also nearly those of half a turn less that.
        possible.first().copied()
    }

    /// Returns the frequencies with which the wave of a row is near an entry.
    fn narrowed(&self, possible: &[Interval], row: f64, entry: f64, is_sin: bool) -> Vec<Interval> {
        let Self { amplitude, precision, .. } = *self;
        let Interval { low, high } = self.near(entry);
        let low = (low / amplitude.low).min(low / amplitude.high).max(-1.0);
        let high = (high / amplitude.low).max(high / amplitude.high).min(1.0);
        if low > high {
            return Vec::new();
        }
        // In each half turn a wave has every value once.
        let (begin, near, far) = if is_sin { (-0.5, low.asin(), high.asin()) } else { (0.0, high.acos(), low.acos()) };
        let mut narrowed: Vec<Interval> = Vec::new();
        for piece in possible {
            let half_turn = |frequency: f64| (row * frequency / PI - begin).floor();
            let (mut half, last) = (half_turn(piece.low), half_turn(piece.high));
            // It determines nothing yet.
            if last - half > 4.0 {
                narrowed.push(*piece);
                continue;
            }
            while half <= last {
                let rises = half % 2.0 == 0.0;
                let middle = if is_sin || rises { half } else { half + 1.0 };
                let (first, last) = if rises { (near, far) } else { (-far, -near) };
                let arc = [first, last].map(|angle| (PI * middle + angle) / row);
                match (piece.meet(Interval::new(arc[0], arc[1]).widened(units(precision))), narrowed.last_mut()) {
                    (Some(part), Some(last)) if part.low <= last.high => last.high = part.high.max(last.high),
                    (Some(part), _) => narrowed.push(part),
                    (None, _) => {}
                }
                half += 1.0;
            }
        }
        narrowed
    }

    /// Returns the numbers that may have been rounded to an entry.
    fn near(&self, entry: f64) -> Interval {
        let Self { numbers, precision, .. } = *self;
        let error = half_gap(entry, numbers.rounding) + units(precision) * entry.abs() + numbers.tolerance;
        Interval::new(entry - error, entry + error)
    }

    /// Returns the amplitudes that fit all entries with these frequencies.
    fn refined(&self, columns: &[PairColumns], frequencies: &[Interval]) -> Option<Interval> {
        let mut refined = self.amplitude;
        for row in self.numbers.positions() {
            for (pair, frequency) in columns.iter().zip(frequencies) {
                let angle = frequency.times(row as f64).widened(units(self.precision));
                for (column, is_sin) in [(pair.cos, false), (pair.sin, true)] {
                    if let Some((column, wave)) = column.zip(wave(angle, is_sin)) {
                        let entry = self.near(self.numbers.at(row, column).abs());
                        refined = refined.meet(Interval::new(entry.low / wave.high, entry.high / wave.low))?;
                    }
                }
            }
        }
        Some(refined)
    }
}

/// Returns the magnitudes of the waves of some angles, if they are far from 0 and from a peak.
fn wave(angle: Interval, is_sin: bool) -> Option<Interval> {
    let Interval { low, high } = angle.map(|angle| if is_sin { angle.sin().abs() } else { angle.cos().abs() });
    let is_far = low.min(high) > 0.25 && low.max(high) < 0.99;
    (angle.width() < 0.5 && is_far).then(|| Interval::new(low.min(high), low.max(high)))
}
