//! Filling memory with the rows of a table: in pieces, without the lock of the interpreter.

use std::time::{Duration, Instant};

use posenc::Element;
use posenc_text::request::Request;
use posenc_text::rows::Rows;
use pyo3::prelude::*;

use crate::errors::wrong_type;

/// The number of entries of a table that is computed at once. The slowest take about half a second.
const AT_ONCE: usize = 1 << 17;

/// The number of entries in the first piece of a larger table.
const FIRST_PIECE: usize = 1 << 14;

/// How many seconds a piece should take, so that signals are handled soon.
const PIECE: f64 = 0.04;

/// How many times as many rows as the piece before it a piece may have.
const GROWTH: f64 = 16.0;

/// How often the callback is called at most.
const BETWEEN_CALLS: Duration = Duration::from_millis(50);

/// What is done of all bytes, and the function that is told.
pub(crate) struct Progress<'a, 'py> {
    callback: Option<&'a Bound<'py, PyAny>>,
    /// The number of tables of the same size.
    tables: usize,
    done: usize,
    total: usize,
    called: Instant,
}

impl<'a, 'py> Progress<'a, 'py> {
    /// Begins with nothing done of so many tables of the same size.
    pub(crate) fn new(callback: Option<&'a Bound<'py, PyAny>>, tables: usize) -> PyResult<Self> {
        match callback {
            Some(callback) if !callback.is_callable() => Err(wrong_type("progress", callback, "a function")),
            _ => Ok(Self { callback, tables, done: 0, total: 0, called: Instant::now() }),
        }
    }

    fn advance(&mut self, bytes: usize) -> PyResult<()> {
        self.done += bytes;
        match self.callback {
            Some(callback) if self.done == self.total || self.called.elapsed() >= BETWEEN_CALLS => {
                self.called = Instant::now();
                callback.call1((self.done, self.total)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// Computes all rows. Between the pieces, signals are handled and the callback is called, and either may stop the work.
pub(crate) fn fill<T: Element>(
    py: Python<'_>,
    rows: &Rows<'_, T>,
    entries: &mut [T],
    progress: &mut Progress<'_, '_>,
    first_piece: usize,
) -> PyResult<()> {
    let [seq_len, d_model] = rows.shape();
    progress.total = rows.bytes().saturating_mul(progress.tables);
    let (mut first, mut at_once, mut before) = (0, first_piece.div_ceil(d_model), f64::INFINITY);
    while first < seq_len {
        let count = at_once.min(seq_len - first);
        let piece = &mut entries[first * d_model..][..count * d_model];
        let begin = Instant::now();
        py.detach(|| rows.fill(first, piece));
        first += count;
        progress.advance(count * d_model * size_of::<T>())?;
        if first < seq_len {
            py.check_signals()?;
            let seconds = begin.elapsed().as_secs_f64().max(1e-9);
            at_once = at_once.saturating_mul(growth(seconds, seconds / count as f64 / before));
            before = seconds / count as f64;
        }
    }
    Ok(())
}

/// Returns how many times as many rows the next piece has as one that took so long.
///
/// `share` is the time of a row in this piece, divided by the time of a row in the piece before. If it is small, what
/// takes long is the beginning of a piece, and larger pieces are worth it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
fn growth(seconds: f64, share: f64) -> usize {
    let least = if share < 0.75 { 2.0 } else { 1.0 };
    (PIECE / seconds).clamp(least, GROWTH) as usize
}

/// Returns the number of entries in the first piece of so many entries, or of rows at these positions.
pub(crate) fn first_piece(request: &Request, entries: usize, positions: &[f64]) -> usize {
    /// The largest position of a row of a table.
    const FARTHEST: f64 = 9_007_199_254_740_992.0;
    let is_scaled = !positions.is_empty() && (request.given.has("scale") || request.given.has("frequencies"));
    match entries {
        // Angles far beyond 2^53 take up to a millisecond, and each of these rows has its own.
        _ if is_scaled || positions.iter().any(|position| position.abs() > FARTHEST) => 1,
        0..=AT_ONCE => AT_ONCE,
        _ => FIRST_PIECE,
    }
}
