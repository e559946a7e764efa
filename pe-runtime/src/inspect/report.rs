//! What a comparison found: counts, the largest differences and their places, and how far apart the entries are.

#![allow(clippy::float_arithmetic, reason = "differences are measured here, and no entry is made of them")]

#[cfg(feature = "alloc")]
use alloc::vec;
use core::fmt::{self, Debug, Display, Formatter};

use crate::element::Element;
use crate::element::bits::{is_finite, to_bits, ulps_between, value};
#[cfg(feature = "alloc")]
use crate::spec::Spec;
#[cfg(feature = "alloc")]
use crate::table::compare_error::CompareError;

/// How two tables of one shape differ: [`compare`](crate::compare()) and [`Spec::compare`] make one.
///
/// It counts entries whose bits differ, so 0 and -0 do, and a NaN does not differ from one of the same bits. Distances and errors are
/// of entries that are finite in both tables. A distance in ulps counts steps from one number of the element type to the next: 0
/// from 0 to -0, 1 from there to the least subnormal number of either sign.
///
/// It shows itself as a few lines for people, which may change from one release to the next.
///
/// ```
/// use posenc::{Spec, compare};
///
/// let table = Spec::new(4).table::<f32>(3)?;
/// let mut other = table.clone().into_vec();
/// other[7] += f32::EPSILON;
/// let report = compare(&table, &posenc::Flat::new(&other, 4)?)?.with_correct(&Spec::new(4))?;
/// assert_eq!(
///     report.to_string(),
///     "\
/// differing: 1 of 3 x 4 f32 entries (8.3 %)
/// absolute error: at most 1.192e-7, on average 9.934e-9
/// largest distance and error: 2 ulps, 1.192e-7, in row 1, column 3
///   expected  0.99995  (0x3f7ffcb9), correct
///   found     0.9999501  (0x3f7ffcbb)
///  ulps  entries
///     0       11   91.7 %  #####################################
///     2        1    8.3 %  ####"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Report<T> {
    seq_len: usize,
    d_model: usize,
    differing: u64,
    not_finite: u64,
    sum_of_errors: Sum,
    worst: Option<Worst<T>>,
    largest: Option<Worst<T>>,
    first_not_finite: Option<Worst<T>>,
    buckets: Buckets,
}

/// An entry where two tables differ: [`Report::worst`] and [`Report::largest`] are such.
///
/// ```
/// let report = posenc::compare(&[[1.0f32, 2.0]], &[[1.0, 2.5]])?;
/// let worst = report.worst().expect("an entry differs");
/// assert_eq!((worst.row, worst.column, worst.expected, worst.found), (0, 1, 2.0, 2.5));
/// assert_eq!((worst.ulps, worst.abs_error, worst.correct), (1 << 21, 0.5, None));
/// # Ok::<(), posenc::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Worst<T> {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
    /// The entry of the one table.
    pub expected: T,
    /// The entry of the other.
    pub found: T,
    /// The correctly rounded entry, if the report comes from [`Spec::compare`] or [`Report::with_correct`].
    pub correct: Option<T>,
    /// How many numbers of the element type `found` is away from `expected`. If one of the two is not finite, `u64::MAX`.
    pub ulps: u64,
    /// How far they are apart, rounded to `f64`. If one of the two is not finite, infinite.
    pub abs_error: f64,
}

impl<T> Report<T> {
    pub(crate) fn new(seq_len: usize, d_model: usize) -> Self {
        Self {
            seq_len,
            d_model,
            differing: 0,
            not_finite: 0,
            sum_of_errors: Sum::default(),
            worst: None,
            largest: None,
            first_not_finite: None,
            buckets: Buckets([0; 66]),
        }
    }

    /// The number of rows of either table.
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.seq_len(), 5);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn seq_len(&self) -> usize {
        self.seq_len
    }

    /// The number of columns of either table. Of two tables without rows it is not known, and 0.
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.d_model(), 8);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// The number of entries of either table, `seq_len * d_model`.
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.entries(), 40);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn entries(&self) -> u64 {
        // As many have been counted one by one, so they are far fewer than 2^64.
        self.seq_len as u64 * self.d_model as u64
    }

    /// The number of entries that differ in a bit.
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, f32::NAN]], &[[-0.0, 1.0, f32::NAN]])?;
    /// assert_eq!(report.differing(), 1);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn differing(&self) -> u64 {
        self.differing
    }

    /// The number of entries that are infinite or not a number in one of the tables, or in both.
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, f32::NAN]], &[[f32::INFINITY, 1.0, f32::NAN]])?;
    /// assert_eq!(report.not_finite(), 2);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn not_finite(&self) -> u64 {
        self.not_finite
    }

    /// Whether no entry differs in any bit.
    ///
    /// ```
    /// let table = posenc::sinusoidal_table(128, 64)?;
    /// let report = posenc::Spec::new(64).compare(&table)?;
    /// assert!(report.is_identical(), "{report}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_identical(&self) -> bool {
        self.differing == 0
    }

    /// The largest absolute difference of two entries, both finite, rounded to `f64`; 0 without any.
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, 2.0]], &[[0.0, 1.5, f32::NAN]])?;
    /// assert_eq!(report.max_abs_error(), 0.5);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_abs_error(&self) -> f64 {
        self.largest.as_ref().map_or(0.0, |largest| largest.abs_error)
    }

    /// The mean of the absolute differences of entries, both finite; 0 without any. (The sum is compensated, so it is as good for a
    /// billion entries as for ten. Infinite if the sum is beyond `f64`.)
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, 2.0]], &[[0.0, 1.5, f32::NAN]])?;
    /// assert_eq!(report.mean_abs_error(), 0.25);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn mean_abs_error(&self) -> f64 {
        match self.entries() - self.not_finite {
            0 => 0.0,
            finite => self.sum_of_errors.total() / finite as f64,
        }
    }

    /// The largest distance of two entries, both finite, in numbers of the element type; 0 without any.
    ///
    /// ```
    /// let report = posenc::compare(&[[1.0f32, 5.0]], &[[1.0 - f32::EPSILON, 5.0]])?;
    /// assert_eq!(report.max_ulps(), 2); // below 1 they are half as far apart as above
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_ulps(&self) -> u64 {
        self.worst.as_ref().map_or(0, |worst| worst.ulps)
    }

    /// Of the differing entries that are finite in both tables, the one with the largest distance in ulps, and the first of those.
    ///
    /// ```
    /// let report = posenc::compare(&[[1e-30f32, 1.0]], &[[2e-30, 1.5]])?;
    /// assert_eq!(report.worst().map(|worst| worst.column), Some(0));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn worst(&self) -> Option<&Worst<T>> {
        self.worst.as_ref()
    }

    /// Of the differing entries that are finite in both tables, the one with the largest absolute error, and the first of those.
    ///
    /// This is rarely [`worst`](Self::worst): near zero an ulp is tiny, and few of them are no loss to a model.
    ///
    /// ```
    /// let report = posenc::compare(&[[1e-30f32, 1.0]], &[[2e-30, 1.5]])?;
    /// assert_eq!(report.largest().map(|largest| largest.column), Some(1));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn largest(&self) -> Option<&Worst<T>> {
        self.largest.as_ref()
    }

    /// Of the differing entries the first that is not finite in one of the tables, or in both.
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, f32::NAN]], &[[0.0, f32::NAN, f32::NAN]])?;
    /// assert_eq!(report.first_not_finite().map(|entry| entry.column), Some(1));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn first_not_finite(&self) -> Option<&Worst<T>> {
        self.first_not_finite.as_ref()
    }

    /// How many entries, finite in both tables, have a distance of 0 ulps, 1, 2, 3 to 4, 5 to 8, and so on to 2^64 (told as
    /// `u64::MAX`): `(least, greatest, entries)`, but for those that none has.
    ///
    /// ```
    /// let report = posenc::compare(&[[1.0f32, 2.0, 3.0]], &[[1.0 + 6.0 * f32::EPSILON, 2.0, 3.0]])?;
    /// assert!(report.histogram().eq([(0, 0, 2), (5, 8, 1)]));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn histogram(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.buckets.filled()
    }
}

impl<T: Element> Report<T> {
    pub(crate) fn add_row(&mut self, row: usize, expected: &[T], found: &[T]) {
        for (column, (&expected, &found)) in expected.iter().zip(found).enumerate() {
            self.add(row, column, expected, found);
        }
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, expected: T, found: T) {
        let finite = is_finite(expected) && is_finite(found);
        self.not_finite += u64::from(!finite);
        if to_bits(expected) == to_bits(found) {
            self.buckets.0[0] += u64::from(finite);
            return;
        }
        self.differing += 1;
        let unlike = Worst { row, column, expected, found, correct: None, ulps: u64::MAX, abs_error: f64::INFINITY };
        if finite {
            let (ulps, abs_error) = (ulps_between(expected, found), (value(found) - value(expected)).abs());
            self.add_error(Worst { ulps, abs_error, ..unlike });
        } else {
            keep_greatest(&mut self.first_not_finite, unlike, |_| 0);
        }
    }

    fn add_error(&mut self, place: Worst<T>) {
        self.buckets.0[bucket_of(place.ulps)] += 1;
        self.sum_of_errors.add(place.abs_error);
        keep_greatest(&mut self.worst, place, |place| place.ulps);
        keep_greatest(&mut self.largest, place, |place| place.abs_error);
    }

    /// Sets [`Worst::correct`] of the entries it tells of to those of the table of `spec`, so that the report says which of the two
    /// tables is right there.
    ///
    /// # Errors
    ///
    /// If `spec` cannot make a table of this shape.
    ///
    /// ```
    /// use posenc::{Spec, compare};
    ///
    /// let (ours, theirs) = ([[0.841_470_96_f32, 0.540_302_3]], [[0.841_471_f32, 0.540_302_3]]);
    /// let report = compare(&theirs, &ours)?.with_correct(&Spec::new(2).start(1))?;
    /// assert_eq!(report.worst().and_then(|worst| worst.correct), Some(0.841_470_96));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn with_correct(mut self, spec: &Spec) -> Result<Self, CompareError> {
        if self.seq_len > 0 && self.d_model != spec.d_model() {
            let (expected, found) = ((self.seq_len, spec.d_model()), (self.seq_len, self.d_model));
            return Err(CompareError::Shape { expected, found });
        }
        spec.check_parameters::<T>()?;
        spec.check_rows(0, self.seq_len)?;
        let mut row = vec![T::default(); spec.d_model()];
        for place in self.places() {
            spec.const_fill(place.row.., &mut row)?;
            place.correct = Some(row[place.column]);
        }
        Ok(self)
    }

    /// What was expected is correct.
    #[cfg(feature = "alloc")]
    pub(crate) fn with_expected_correct(mut self) -> Self {
        for place in self.places() {
            place.correct = Some(place.expected);
        }
        self
    }

    #[cfg(feature = "alloc")]
    fn places(&mut self) -> impl Iterator<Item = &mut Worst<T>> {
        [&mut self.worst, &mut self.largest, &mut self.first_not_finite].into_iter().flatten()
    }
}

/// Keeps `place` if it is the first with the greatest key so far. No key is NaN.
fn keep_greatest<T: Copy, K: PartialOrd>(kept: &mut Option<Worst<T>>, place: Worst<T>, key: impl Fn(&Worst<T>) -> K) {
    if kept.as_ref().is_none_or(|kept| key(&place) > key(kept)) {
        *kept = Some(place);
    }
}

/// A sum of numbers that are not negative, and what its roundings have lost (Neumaier).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let (large, small) = if self.sum < value { (value, self.sum) } else { (self.sum, value) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    fn total(self) -> f64 {
        // Beyond the largest number what is lost is no number.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// Entries by distance: 0, 1, 2, up to 4, up to 8, ... up to 2^64 ulps.
#[derive(Clone, PartialEq)]
struct Buckets([u64; 66]);

impl Buckets {
    /// Least and greatest distance, and the count, of those that are not empty.
    fn filled(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let bounded = |(bucket, &count): (usize, &u64)| {
            let (low, high) = bounds(bucket);
            (low, high, count)
        };
        self.0.iter().enumerate().map(bounded).filter(|&(_, _, count)| count > 0)
    }
}

fn bucket_of(ulps: u64) -> usize {
    match ulps.checked_sub(1) {
        None => 0,
        Some(before) => 1 + (u64::BITS - before.leading_zeros()) as usize,
    }
}

fn bounds(bucket: usize) -> (u64, u64) {
    let power = |exponent| 1u64.checked_shl(exponent).unwrap_or(u64::MAX);
    match bucket as u32 {
        0 => (0, 0),
        1 => (1, 1),
        bucket => (power(bucket - 2) + 1, power(bucket - 1)),
    }
}

impl Debug for Buckets {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.filled()).finish()
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "the sum is told as the mean")]
impl<T: Debug> Debug for Report<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("seq_len", &self.seq_len)
            .field("d_model", &self.d_model)
            .field("differing", &self.differing)
            .field("not_finite", &self.not_finite)
            .field("mean_abs_error", &self.mean_abs_error())
            .field("worst", &self.worst)
            .field("largest", &self.largest)
            .field("first_not_finite", &self.first_not_finite)
            .field("histogram", &self.buckets)
            .finish()
    }
}

/// One line if the tables are identical; else how many entries differ, by how much, where the most, and the histogram. Its long
/// ranges are named by their end: `to 2^20` is from 2^19 + 1.
impl<T: Element> Display for Report<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { seq_len, d_model, differing, not_finite, .. } = self;
        let dtype = T::DTYPE;
        if self.is_identical() {
            write!(f, "identical: all {seq_len} x {d_model} {dtype} entries")?;
            return if *not_finite > 0 { write!(f, ", {not_finite} of them not finite") } else { Ok(()) };
        }
        let share = Share { count: *differing, of: self.entries() };
        write!(f, "differing: {differing} of {seq_len} x {d_model} {dtype} entries ({share})")?;
        if *not_finite > 0 {
            write!(f, "\nnot finite in at least one of the two: {not_finite}")?;
        }
        if let Some(place) = &self.first_not_finite {
            place.show("first of them", f)?;
        }
        self.show_errors(f)?;
        self.show_histogram(f)
    }
}

impl<T: Element> Report<T> {
    fn show_errors(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (Some(worst), Some(largest)) = (&self.worst, &self.largest) else { return Ok(()) };
        let (max, mean) = (self.max_abs_error(), self.mean_abs_error());
        write!(f, "\nabsolute error: at most {max:.3e}, on average {mean:.3e}")?;
        if (worst.row, worst.column) == (largest.row, largest.column) {
            return worst.show("largest distance and error", f);
        }
        worst.show("largest distance", f)?;
        largest.show("largest error", f)
    }

    fn show_histogram(&self, f: &mut Formatter<'_>) -> fmt::Result {
        /// Of a bar for all entries.
        const LENGTH: u128 = 40;
        let labels = || self.histogram().map(|(low, high, _)| Distances { low, high }.len());
        let Some(longest) = labels().max() else { return Ok(()) };
        let (label, column) = (longest.max("ulps".len()), digits(self.entries()).max("entries".len()));
        write!(f, "\n {:>label$}  {:>column$}", "ulps", "entries")?;
        for (low, high, count) in self.histogram() {
            let distances = Distances { low, high };
            let indent = label - distances.len();
            let share = Share { count, of: self.entries() };
            let bar = (u128::from(count) * LENGTH).div_ceil(u128::from(self.entries().max(1))) as usize;
            write!(f, "\n {:indent$}{distances}  {count:>column$}  {share:>7}  {:#<bar$}", "", "")?;
        }
        Ok(())
    }
}

impl<T: Element> Worst<T> {
    /// On lines of their own, how far, where, and the numbers.
    fn show(&self, what: &str, f: &mut Formatter<'_>) -> fmt::Result {
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

/// An entry as a number, with the digits that tell it from its neighbours, and as bits.
struct Shown<T>(T);

impl<T: Element> Display for Shown<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let value = value(self.0);
        if T::FORMAT.width == 64 {
            Debug::fmt(&value, f)?;
        } else {
            // Exact: all numbers of the narrower formats are numbers of this one.
            Debug::fmt(&(value as f32), f)?;
        }
        let hex = 2 + T::FORMAT.width as usize / 4;
        write!(f, "  ({:#0hex$x})", to_bits(self.0))
    }
}

/// Per cent, to a tenth; neither nothing nor all unless it is so.
struct Share {
    count: u64,
    of: u64,
}

impl Display for Share {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = f.width().map_or(0, |width| width.saturating_sub(2));
        match 100.0 * self.count as f64 / self.of as f64 {
            share if self.count > 0 && share < 0.1 => write!(f, "{:>width$} %", "<0.1"),
            share if self.count < self.of && share > 99.9 => write!(f, "{:>width$} %", ">99.9"),
            share => write!(f, "{share:>width$.1} %"),
        }
    }
}

/// A bucket as the histogram names it: by its ends, or where they are long by its power of two.
struct Distances {
    low: u64,
    high: u64,
}

impl Distances {
    fn exponent(&self) -> Option<u32> {
        // Even of the last bucket, whose end is not a `u64`.
        (self.low > 1 << 16).then(|| (self.low - 1).ilog2() + 1)
    }

    fn len(&self) -> usize {
        match self.exponent() {
            Some(exponent) => "to 2^".len() + digits(exponent.into()),
            None if self.low == self.high => digits(self.low),
            None => digits(self.low) + 1 + digits(self.high),
        }
    }
}

impl Display for Distances {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { low, high } = self;
        match self.exponent() {
            Some(exponent) => write!(f, "to 2^{exponent}"),
            None if low == high => write!(f, "{low}"),
            None => write!(f, "{low}-{high}"),
        }
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
