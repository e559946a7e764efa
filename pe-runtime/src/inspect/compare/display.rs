//! A report as text.

use core::fmt::{Debug, Display, Formatter, Result as FmtResult};

use crate::element::Element;
use crate::inspect::compare::histogram::Bucket;
use crate::inspect::compare::mismatch::Mismatch;
use crate::inspect::compare::report::Report;
use crate::inspect::entry::{integer, to_bits, value};
use crate::inspect::share::Share;

/// Shows one line if the tables are identical.
///
/// Otherwise shows how many entries differ, by how much, and where the differences are largest. With `{:#}` the histogram
/// follows. The label of a long range in it is its end: `to 2^20` begins at 2^19 + 1.
impl<T: Element> Display for Report<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (seq_len, d_model) = (self.seq_len(), self.d_model());
        let (differing, not_finite) = (self.differing(), self.not_finite());
        let dtype = T::DTYPE;
        if self.is_identical() {
            write!(f, "identical: all {seq_len} x {d_model} {dtype} entries")?;
            return if not_finite > 0 { write!(f, ", {not_finite} of them not finite") } else { Ok(()) };
        }
        let share = Share { count: differing, of: self.entries() };
        write!(f, "differing: {differing} of {seq_len} x {d_model} {dtype} entries ({share})")?;
        if not_finite > 0 {
            write!(f, "\nnot finite in at least one of the two: {not_finite}")?;
        }
        if let Some(mismatch) = self.first_not_finite() {
            mismatch.show("first of them", f)?;
        }
        self.show_errors(f)?;
        if f.alternate() { self.show_histogram(f) } else { Ok(()) }
    }
}

impl<T: Element> Report<T> {
    fn show_errors(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (Some(at), Some(error_at)) = (self.max_ulps_at(), self.max_error_at()) else { return Ok(()) };
        let (max, mean) = (self.max_abs_error(), self.mean_abs_error());
        write!(f, "\nabsolute error: at most {max:.3e}, on average {mean:.3e}")?;
        if (at.row, at.column) == (error_at.row, error_at.column) {
            return at.show("largest distance and error", f);
        }
        at.show("largest distance", f)?;
        error_at.show("largest error", f)
    }

    fn show_histogram(&self, f: &mut Formatter<'_>) -> FmtResult {
        /// The length of a bar for all entries.
        const LENGTH: u128 = 40;
        let labels = || self.histogram().map(|bucket| bucket.label_len());
        let Some(longest) = labels().max() else { return Ok(()) };
        let (label, column) = (longest.max("ulps".len()), digits(self.entries()).max("entries".len()));
        write!(f, "\n {:>label$}  {:>column$}", "ulps", "entries")?;
        for bucket in self.histogram() {
            let (indent, count) = (label - bucket.label_len(), bucket.count);
            let share = Share { count, of: self.entries() };
            let bar = (u128::from(count) * LENGTH).div_ceil(u128::from(self.entries().max(1))) as usize;
            write!(f, "\n {:indent$}{}  {count:>column$}  {share:>7}  {:#<bar$}", "", Label(bucket), "")?;
        }
        Ok(())
    }
}

impl<T: Element> Mismatch<T> {
    /// Shows the distance, the place and the numbers, on lines of their own.
    fn show(&self, what: &str, f: &mut Formatter<'_>) -> FmtResult {
        let Self { row, column, expected, found, correct, ulps, abs_error } = self;
        write!(f, "\n{what}: ")?;
        if *ulps < u64::MAX {
            let plural = if *ulps == 1 { "" } else { "s" };
            write!(f, "{ulps} ulp{plural}, {abs_error:.3e}, in ")?;
        }
        write!(f, "row {row}, column {column}")?;
        let is_correct = |entry: T| correct.is_some_and(|correct| to_bits(correct) == to_bits(entry));
        let verdict = |entry| if is_correct(entry) { ", correct" } else { "" };
        write!(f, "\n  expected  {}{}", Shown(*expected), verdict(*expected))?;
        write!(f, "\n  found     {}{}", Shown(*found), verdict(*found))?;
        match correct {
            Some(correct) if !is_correct(*expected) && !is_correct(*found) => {
                write!(f, "\n  correct   {}", Shown(*correct))
            }
            _ => Ok(()),
        }
    }
}

/// An entry as a number, with as many digits as distinguish it from its neighbours, and as bits.
struct Shown<T>(T);

impl<T: Element> Display for Shown<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let value = value(self.0);
        if let Some(integer) = integer(self.0) {
            return Display::fmt(&integer, f);
        }
        if T::FORMAT.width == 64 {
            Debug::fmt(&value, f)?;
        } else {
            // Exact, because `f32` contains all numbers of the narrower formats.
            Debug::fmt(&(value as f32), f)?;
        }
        let hex = 2 + T::FORMAT.width as usize / 4;
        write!(f, "  ({:#0hex$x})", to_bits(self.0))
    }
}

impl Bucket {
    /// Returns the exponent of the bucket's end, if the end is large.
    fn exponent(&self) -> Option<u32> {
        // Also correct for the last bucket, whose end does not fit a `u64`.
        (self.min_ulps > 1 << 16).then(|| (self.min_ulps - 1).ilog2() + 1)
    }

    fn label_len(&self) -> usize {
        match self.exponent() {
            Some(exponent) => "to 2^".len() + digits(exponent.into()),
            None if self.min_ulps == self.max_ulps => digits(self.min_ulps),
            None => digits(self.min_ulps) + 1 + digits(self.max_ulps),
        }
    }
}

/// The label of a bucket in the histogram: its ends, or a power of two if they are large.
struct Label(Bucket);

impl Display for Label {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let Bucket { min_ulps, max_ulps, .. } = self.0;
        match self.0.exponent() {
            Some(exponent) => write!(f, "to 2^{exponent}"),
            None if min_ulps == max_ulps => write!(f, "{min_ulps}"),
            None => write!(f, "{min_ulps}-{max_ulps}"),
        }
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
