//! The result of a comparison: counts, the largest differences and their places, and a histogram of distances.

use core::fmt::{Debug, Formatter, Result as FmtResult};

use crate::element::Element;
use crate::inspect::compare::histogram::{Bucket, Buckets};
use crate::inspect::compare::mismatch::Mismatch;
use crate::inspect::entry::{is_finite, to_bits};

/// The differences between two tables of the same shape.
///
/// [`compare`](crate::compare()) and [`Spec::compare`](crate::Spec::compare) return it.
///
/// Entries differ if their bits do: 0 and -0 differ, but two NaNs with the same bits do not. Distances and errors are
/// taken over the entries that are finite in both tables. A distance in ulps counts steps from one number of the
/// element type to the next: 0 from 0 to -0, and 1 from either to the smallest subnormal number of either sign. For
/// integers, distances and errors are the differences of the integers, in steps of the scale.
///
/// The [`Display`](core::fmt::Display) output is for humans and may change between releases.
///
/// # Examples
///
/// ```
/// use posenc::{Spec, compare};
///
/// let table = Spec::new(4).table::<f32>(3)?;
/// let mut other = table.clone().into_vec();
/// other[7] += f32::EPSILON;
/// let report = compare(&table, &posenc::Flat::new(&other, 4)?)?.annotate(&Spec::new(4))?;
/// assert_eq!(
///     format!("{report:#}"),
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
    max_ulps_at: Option<Mismatch<T>>,
    max_error_at: Option<Mismatch<T>>,
    first_not_finite: Option<Mismatch<T>>,
    buckets: Buckets,
}

impl<T> Report<T> {
    /// Creates the report of no rows.
    pub(super) fn new(d_model: usize) -> Self {
        Self {
            seq_len: 0,
            d_model,
            differing: 0,
            not_finite: 0,
            sum_of_errors: Sum::default(),
            max_ulps_at: None,
            max_error_at: None,
            first_not_finite: None,
            buckets: Buckets::default(),
        }
    }

    /// Returns the number of rows of either table.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.seq_len(), 5);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn seq_len(&self) -> usize {
        self.seq_len
    }

    /// Returns the number of columns of either table, or 0 if the tables have no rows.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.d_model(), 8);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// Returns the number of entries of either table, `seq_len * d_model`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::compare(&[[0.0f32; 8]; 5], &[[0.0; 8]; 5])?.entries(), 40);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn entries(&self) -> u64 {
        // Does not overflow: the entries were counted one by one, so there are far fewer than 2^64.
        self.seq_len as u64 * self.d_model as u64
    }

    /// Returns the number of entries that differ in any bit.
    ///
    /// # Examples
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

    /// Returns the number of entries that are infinite or NaN in at least one of the tables.
    ///
    /// # Examples
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

    /// Returns whether no entry differs in any bit.
    ///
    /// # Examples
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

    /// Returns the largest absolute difference, rounded to `f64`, or 0 if no entry is finite in both tables.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, 2.0]], &[[0.0, 1.5, f32::NAN]])?;
    /// assert_eq!(report.max_abs_error(), 0.5);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_abs_error(&self) -> f64 {
        self.max_error_at.as_ref().map_or(0.0, |mismatch| mismatch.abs_error)
    }

    /// Returns the mean of the absolute differences, or 0 if no entry is finite in both tables.
    ///
    /// The sum is compensated, so it is as accurate for a billion entries as for ten. The mean is infinite if the sum
    /// overflows `f64`.
    ///
    /// # Examples
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
            finite => self.sum_of_errors.over(finite),
        }
    }

    /// Returns the largest distance in ulps, or 0 if no entry is finite in both tables.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[1.0f32, 5.0]], &[[1.0 - f32::EPSILON, 5.0]])?;
    /// assert_eq!(report.max_ulps(), 2); // numbers below 1 are half as far apart as above
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_ulps(&self) -> u64 {
        self.max_ulps_at.as_ref().map_or(0, |mismatch| mismatch.ulps)
    }

    /// Returns the mismatch with the largest distance in ulps.
    ///
    /// Only entries that are finite in both tables count. Of several with the same distance, this is the first.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[1e-30f32, 1.0]], &[[2e-30, 1.5]])?;
    /// assert_eq!(report.max_ulps_at().map(|mismatch| mismatch.column), Some(0));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_ulps_at(&self) -> Option<&Mismatch<T>> {
        self.max_ulps_at.as_ref()
    }

    /// Returns the mismatch with the largest absolute error.
    ///
    /// Only entries that are finite in both tables count. Of several with the same error, this is the first.
    ///
    /// It is rarely the same as [`max_ulps_at`](Self::max_ulps_at): near zero an ulp is tiny, and an error of a few
    /// ulps does not matter to a model.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[1e-30f32, 1.0]], &[[2e-30, 1.5]])?;
    /// assert_eq!(report.max_error_at().map(|mismatch| mismatch.column), Some(1));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn max_error_at(&self) -> Option<&Mismatch<T>> {
        self.max_error_at.as_ref()
    }

    /// Returns the first mismatch that is not finite in at least one of the tables.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[0.0f32, 1.0, f32::NAN]], &[[0.0, f32::NAN, f32::NAN]])?;
    /// assert_eq!(report.first_not_finite().map(|mismatch| mismatch.column), Some(1));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub fn first_not_finite(&self) -> Option<&Mismatch<T>> {
        self.first_not_finite.as_ref()
    }

    /// Returns the number of entries per distance: 0 ulps, 1, 2, 3 to 4, 5 to 8, and so on.
    ///
    /// Only entries that are finite in both tables count. Empty ranges are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = posenc::compare(&[[1.0f32, 2.0, 3.0]], &[[1.0 + 6.0 * f32::EPSILON, 2.0, 3.0]])?;
    /// let buckets: Vec<_> = report.histogram().map(|bucket| (bucket.min_ulps, bucket.max_ulps, bucket.count)).collect();
    /// assert_eq!(buckets, [(0, 0, 2), (5, 8, 1)]);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn histogram(&self) -> impl Iterator<Item = Bucket> + '_ {
        self.buckets.filled()
    }

    /// Returns the mismatches that the report lists.
    #[cfg(feature = "alloc")]
    pub(super) fn mismatches(&mut self) -> impl Iterator<Item = &mut Mismatch<T>> {
        [&mut self.max_ulps_at, &mut self.max_error_at, &mut self.first_not_finite].into_iter().flatten()
    }
}

impl<T: Element> Report<T> {
    /// Adds the next row of both tables.
    pub(super) fn add_row(&mut self, expected: &[T], found: &[T]) {
        for (column, (&expected, &found)) in expected.iter().zip(found).enumerate() {
            self.add(self.seq_len, column, expected, found);
        }
        self.seq_len += 1;
    }

    fn add(&mut self, row: usize, column: usize, expected: T, found: T) {
        let finite = is_finite(expected) && is_finite(found);
        self.not_finite += u64::from(!finite);
        if to_bits(expected) == to_bits(found) {
            if finite {
                self.buckets.add(0);
            }
            return;
        }
        self.differing += 1;
        if finite {
            self.add_error(Mismatch::finite(row, column, expected, found));
        } else {
            self.first_not_finite.get_or_insert_with(|| Mismatch::not_finite(row, column, expected, found));
        }
    }

    fn add_error(&mut self, mismatch: Mismatch<T>) {
        self.buckets.add(mismatch.ulps);
        self.sum_of_errors.add(mismatch.abs_error);
        keep_greatest(&mut self.max_ulps_at, mismatch, |mismatch| mismatch.ulps);
        keep_greatest(&mut self.max_error_at, mismatch, |mismatch| mismatch.abs_error);
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "the sum is shown as the mean")]
impl<T: Debug> Debug for Report<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.debug_struct("Report")
            .field("seq_len", &self.seq_len)
            .field("d_model", &self.d_model)
            .field("differing", &self.differing)
            .field("not_finite", &self.not_finite)
            .field("mean_abs_error", &self.mean_abs_error())
            .field("max_ulps_at", &self.max_ulps_at)
            .field("max_error_at", &self.max_error_at)
            .field("first_not_finite", &self.first_not_finite)
            .field("histogram", &self.buckets)
            .finish()
    }
}

/// Keeps `mismatch` if its key is greater than any before. No key is NaN.
fn keep_greatest<T: Copy, K: PartialOrd>(
    kept: &mut Option<Mismatch<T>>,
    mismatch: Mismatch<T>,
    key: impl Fn(&Mismatch<T>) -> K,
) {
    if kept.as_ref().is_none_or(|kept| key(&mismatch) > key(kept)) {
        *kept = Some(mismatch);
    }
}

/// A sum of nonnegative numbers, and what its roundings have lost (Neumaier).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    sum: f64,
    lost: f64,
}

#[allow(clippy::float_arithmetic, reason = "a mean of differences, which no entry is computed from")]
impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let (large, small) = if self.sum < value { (value, self.sum) } else { (self.sum, value) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    /// Returns the sum divided by `count`.
    fn over(self, count: u64) -> f64 {
        // After an overflow `lost` is not finite either, and would turn the infinite sum into NaN.
        let total = if self.sum.is_finite() { self.sum + self.lost } else { self.sum };
        total / count as f64
    }
}
