//! Comparing a table with the exact one.

use alloc::vec;
use alloc::vec::Vec;

use crate::element::Element;
use crate::inspect::compare::report::Report;
use crate::inspect::compare::width;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::table::compare_error::CompareError;
use crate::table::encoder::Encoder;
use crate::table::row_range::check_row_length;
use crate::table::rows::Rows;

impl Spec<'_> {
    /// Compares `found`, as the first rows of the table of this spec, with the exact entries.
    ///
    /// The exact entries are computed row by row, so the memory used grows with the square root of the number of rows,
    /// as for [`prepare`](Self::prepare). The report sets [`Mismatch::correct`](crate::Mismatch::correct) to the
    /// expected entries. A `zero_row` may be beyond the rows given.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does, if `start` is missing, if the position of
    /// a row is out of range, if a row does not have `d_model` entries, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// // The recipe of most tutorials, in f32.
    /// let mut usual = vec![[0.0f32; 64]; 1000];
    /// for (position, row) in usual.iter_mut().enumerate() {
    ///     for (k, pair) in row.chunks_exact_mut(2).enumerate() {
    ///         let angle = position as f32 / 10_000f32.powf(2.0 * k as f32 / 64.0);
    ///         pair.copy_from_slice(&[angle.sin(), angle.cos()]);
    ///     }
    /// }
    /// let report = Spec::new(64).compare(&usual)?;
    /// assert!(report.differing() > report.entries() / 2);
    /// assert!(report.max_abs_error() < 1e-3, "{report}");
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn compare<T: Element>(&self, found: &(impl Rows<T> + ?Sized)) -> Result<Report<T>, CompareError> {
        let (rows, width) = (found.seq_len(), width("found", found)?);
        if rows > 0 && width != self.d_model() {
            return Err(CompareError::Shape { expected: (rows, self.d_model()), found: (rows, width) });
        }
        let mut comparison = Comparison::new(self, rows)?;
        for i in 0..rows {
            comparison.add(found.row(i))?;
        }
        Ok(comparison.report())
    }
}

/// A comparison of a table with the exact one, to which the rows are added, so that they need not be in memory.
///
/// [`Spec::compare`] does the same with a table that is.
///
/// # Examples
///
/// ```
/// use posenc::{Comparison, Spec};
///
/// let spec = Spec::new(2);
/// let mut comparison = Comparison::new(&spec, 1000)?;
/// for position in 0..1000 {
///     let angle = position as f32;
///     comparison.add(&[angle.sin(), angle.cos()])?; // a row of a file, for example
/// }
/// let report = comparison.report();
/// assert_eq!((report.seq_len(), report.d_model()), (1000, 2));
/// assert!(report.max_ulps() <= 1, "{report}");
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[must_use]
pub struct Comparison<'a, T: Element> {
    encoder: Encoder<'a, T>,
    exact: Vec<T>,
    report: Report<T>,
}

impl<'a, T: Element> Comparison<'a, T> {
    /// Creates the comparison of the first rows of the table of a spec, none of which has been added.
    ///
    /// `seq_len` is the number of rows that are expected. It determines the memory that makes them fast, as for
    /// [`Spec::prepare`], and there may be more rows or fewer.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Spec::prepare`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let comparison = Comparison::<f32>::new(&Spec::new(64), 1000)?;
    /// assert_eq!(comparison.report().entries(), 0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn new(spec: &Spec<'a>, seq_len: usize) -> Result<Self, SpecError> {
        let encoder = spec.prepare(seq_len)?;
        let d_model = spec.d_model();
        Ok(Self { encoder, exact: vec![T::default(); d_model], report: Report::new(d_model) })
    }

    /// Adds the next row of the table found.
    ///
    /// # Errors
    ///
    /// Returns an error if the row does not have `d_model` entries, or if its position is out of range. The row is then not
    /// added.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let mut comparison = Comparison::new(&Spec::new(2), 1)?;
    /// comparison.add(&[0.0, 1.0f32])?;
    /// assert!(comparison.add(&[0.0]).is_err());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn add(&mut self, found: &[T]) -> Result<(), SpecError> {
        check_row_length(found.len(), self.exact.len())?;
        self.encoder.encode_row(self.report.seq_len(), &mut self.exact)?;
        self.report.add_row(&self.exact, found);
        Ok(())
    }

    /// Returns the differences in the rows that have been added.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let mut comparison = Comparison::new(&Spec::new(2), 1)?;
    /// comparison.add(&[0.0f32, 1.0])?;
    /// assert!(comparison.report().is_identical());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn report(mut self) -> Report<T> {
        for mismatch in self.report.mismatches() {
            mismatch.correct = Some(mismatch.expected);
        }
        self.report
    }
}

impl<T: Element> Report<T> {
    /// Sets [`Mismatch::correct`](crate::Mismatch::correct) to the entries of the table of `spec`.
    ///
    /// The report then shows which of the two tables is right at each entry it lists.
    ///
    /// # Errors
    ///
    /// Returns an error if `spec` cannot make a table of this shape.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Spec, compare};
    ///
    /// let (ours, theirs) = ([[0.841_470_96_f32, 0.540_302_3]], [[0.841_471_f32, 0.540_302_3]]);
    /// let report = compare(&theirs, &ours)?.annotate(&Spec::new(2).start(1))?;
    /// assert_eq!(report.max_ulps_at().and_then(|mismatch| mismatch.correct), Some(0.841_470_96));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn annotate(mut self, spec: &Spec) -> Result<Self, CompareError> {
        let (rows, width) = (self.seq_len(), self.d_model());
        if rows > 0 && width != spec.d_model() {
            let (expected, found) = ((rows, spec.d_model()), (rows, width));
            return Err(CompareError::Shape { expected, found });
        }
        spec.check_parameters::<T>()?;
        spec.check_rows(0, rows)?;
        let mut row = vec![T::default(); spec.d_model()];
        for mismatch in self.mismatches() {
            spec.const_fill(mismatch.row.., &mut row)?;
            mismatch.correct = Some(row[mismatch.column]);
        }
        Ok(self)
    }
}
