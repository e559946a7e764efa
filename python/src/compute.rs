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

/// How long a piece should take, so that signals are handled soon.
const PIECE: Duration = Duration::from_millis(40);

/// How much longer than the piece before it a piece may be.
const GROWTH: f64 = 16.0;

/// How often the callback is called at most.
const BETWEEN_CALLS: Duration = Duration::from_millis(50);

/// Whether it is known how long an entry takes at most.
#[derive(Clone, Copy)]
pub(crate) enum Pace {
    /// A few microseconds, on average over the rows of a piece.
    Known,
    /// Angles far beyond 2^53 take up to a millisecond. If each row has its own, the first piece is one row.
    Unknown,
}

impl Pace {
    /// Returns the pace of the rows at these positions, or of a table if there are none.
    pub(crate) fn of(request: &Request, positions: &[f64]) -> Self {
        /// The largest position of a row of a table.
        const FARTHEST: f64 = 9_007_199_254_740_992.0;
        let is_scaled = request.given.has("scale") || request.given.has("frequencies");
        let is_far = positions.iter().any(|position| position.abs() > FARTHEST);
        if is_far || (is_scaled && !positions.is_empty()) { Self::Unknown } else { Self::Known }
    }
}

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
    pace: Pace,
) -> PyResult<()> {
    let [seq_len, d_model] = rows.shape();
    progress.total = rows.bytes().saturating_mul(progress.tables);
    let entries_of_piece = match pace {
        Pace::Unknown => 1,
        Pace::Known if seq_len.saturating_mul(d_model) <= AT_ONCE => AT_ONCE,
        Pace::Known => FIRST_PIECE,
    };
    let (mut first, mut at_once) = (0, entries_of_piece.div_ceil(d_model));
    while first < seq_len {
        let count = at_once.min(seq_len - first);
        let piece = &mut entries[first * d_model..][..count * d_model];
        let begin = Instant::now();
        py.detach(|| rows.fill(first, piece));
        first += count;
        progress.advance(count * d_model * size_of::<T>())?;
        if first < seq_len {
            py.check_signals()?;
            let times = PIECE.as_secs_f64() / begin.elapsed().as_secs_f64().max(1e-9);
            // Less would not take less time, if the first row of a piece takes most of it.
            let least = if matches!(pace, Pace::Known) { 1.0 } else { 0.0 };
            at_once = longer(at_once, times.clamp(least, GROWTH));
        }
    }
    Ok(())
}

/// Returns a number of rows times a factor, and at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
fn longer(rows: usize, times: f64) -> usize {
    ((rows as f64 * times) as usize).max(1)
}
