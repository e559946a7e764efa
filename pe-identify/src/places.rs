//! The positions of the rows and the scales that known models have.

use std::f64::consts::{PI, TAU};

use crate::angles::rate;
use crate::numbers::between;
use crate::sample::Numbers;

/// The extent of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The starts of known models, with all scales.
    Common,
    /// All plausible starts, and the steps of samplers.
    Far,
}

/// The positions of the rows, and the scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) start: i64,
    pub(crate) step: i64,
    pub(crate) scale: f64,
}

impl Place {
    /// Returns the largest angle in these rows. Its error affects the fitted amplitude, and so the entries of all rows.
    pub(crate) fn turned(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| (self.scale * self.position(row)).abs()).fold(0.0, f64::max)
    }

    /// Returns the position of a row.
    pub(crate) fn position(&self, row: usize) -> f64 {
        self.start as f64 + self.step as f64 * row as f64
    }

    /// Returns the angle per row in column 0, without its sign.
    pub(crate) fn turn(&self) -> f64 {
        self.scale * self.step.unsigned_abs() as f64
    }
}

/// Returns starts and steps with scales, the most common first.
pub(crate) fn places(numbers: &Numbers, scope: Scope) -> Vec<Place> {
    let n = i64::try_from(numbers.seq_len).unwrap_or(i64::MAX);
    let scales = scales(numbers);
    let mut places = Vec::new();
    let mut add = |start, step, scale| places.push(Place { start, step, scale });
    if scope == Scope::Common {
        // Positions from 0, from 1, after the padding row, or with a padding row before them; and descending ones, as
        // in Transformer-XL, XLNet and Conformer.
        let (up, down) = ([0, 1, 2, -1], [n - 1, (n - 1) / 2, n / 2, n, 0]);
        for &scale in &scales {
            for start in up {
                add(start, 1, scale);
            }
            // A single row cannot descend.
            for start in down.into_iter().filter(|_| n > 1) {
                add(start, -1, scale);
            }
        }
        return places;
    }
    if numbers.seq_len > 1 && numbers.is_constant() {
        for start in 0..=2000 {
            add(start, 0, 1.0);
        }
        return places;
    }
    for &scale in &scales {
        for start in 3..=64 {
            add(start, 1, scale);
        }
    }
    // A cache of a long context may be cut anywhere.
    for start in (0..=20_000).chain(-2048..0) {
        add(start, 1, 1.0);
        if n > 1 {
            add(start, -1, 1.0);
        }
    }
    if n == 1 {
        return places;
    }
    // Samplers of diffusion models use a part of 1000 timesteps.
    for step in (2..=50).chain([100, 111, 125, 200, 250]) {
        for start in 0..=1000 {
            add(start, step, 1.0);
            add(start, -step, 1.0);
        }
    }
    places
}

/// Returns a sample of rows: the last ones, where the angles are largest, some in the middle, and the first ones.
pub(crate) fn sampled_rows(numbers: &Numbers) -> Vec<usize> {
    let n = numbers.seq_len;
    let mut rows = Vec::new();
    for row in [n - 1, n.saturating_sub(2), n.saturating_sub(3), n / 2, n / 2 + 1, n / 3, 0, 1, 2] {
        if row < n && Some(row) != numbers.zero_row && !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}

/// Returns the scales of known models, and those estimated from column 0.
fn scales(numbers: &Numbers) -> Vec<f64> {
    let mut scales = vec![1.0, 1000.0, TAU, PI, 100.0, 10.0, 0.1, 0.01, 0.001, 2.0, 4.0];
    scales.extend((1..=12).map(|power| 0.5_f64.powi(power)));
    if let Some((measured, _)) = rate(numbers, 0) {
        // The estimate has three digits even for slow waves. The angles give the remaining ones.
        let error = 1e-3_f64.max(4.0 * numbers.rounding);
        scales.extend(between(measured * (1.0 - error), measured * (1.0 + error)).into_iter().take(4));
    }
    scales
}
