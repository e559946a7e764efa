//! Adds or concatenates rows that a table has, and computes those beyond its end.

use alloc::vec::Vec;
use core::ops::{AddAssign, Range};

use crate::element::Element;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::table::embeddings::{add_each, check_embeddings, check_out, check_range, check_row, concat_each};
use crate::table::rows::Rows;

impl Spec<'_> {
    /// Adds rows of the table of this spec to `embeddings`, of shape `(batch, rows.len(), d_model)`, in place.
    ///
    /// The method reads rows that `table` has, and computes rows beyond its end, to the same bits. So a table of
    /// typical length is enough, and a longer input is not an error. The method does not check that `table` is a table
    /// of this spec. With an empty table, such as `&[[0.0f32; 512]; 0]`, all rows are computed. See
    /// [`embeddings::add`](crate::embeddings::add) for the rest.
    ///
    /// Computing rows allocates memory and takes as long as [`fill`](Self::fill), which is slow for a single row. For a
    /// decoder that goes far beyond its table step by step, [`prepare`](Self::prepare) is faster.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if `rows` ends before
    /// it starts, if a row has to be computed and `start` is missing or its position is out of range, if the rows used
    /// do not have `d_model` entries each, if the length of `embeddings` is not a multiple of `rows.len() * d_model`,
    /// or if allocation fails. On error the embeddings are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Spec, sinusoidal_table};
    ///
    /// static PE: [[f32; 6]; 10] = sinusoidal_table!(10, 6);
    ///
    /// let mut x = [0.0f32; 12 * 6]; // longer than the table
    /// Spec::new(6).add_rows(&mut x, &PE, 0..12)?;
    /// assert_eq!(x, *sinusoidal_table(12, 6)?.as_slice());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn add_rows<T: Element + AddAssign>(
        &self,
        embeddings: &mut [T],
        table: &(impl Rows<T> + ?Sized),
        rows: Range<usize>,
    ) -> Result<(), SpecError> {
        let source = Extended::new(self, table, &rows, embeddings.len(), self.d_model())?;
        add_each(embeddings, rows.len(), self.d_model(), |i| source.row(i));
        Ok(())
    }

    /// Concatenates each embedding with its row of the table of this spec, and writes the result to `out`.
    ///
    /// `embeddings` is of shape `(batch, rows.len(), width)`, and `out` is of shape
    /// `(batch, rows.len(), width + d_model)`. The method reads rows that `table` has, and computes rows beyond its
    /// end, to the same bits. See [`add_rows`](Self::add_rows) and [`embeddings::concat`](crate::embeddings::concat).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`add_rows`](Self::add_rows), with `width` in place of `d_model` in the length of
    /// `embeddings`, and an error if the length of `out` does not match its shape. On error `out` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Spec, sinusoidal_table};
    /// let (table, x) = (sinusoidal_table(2, 4)?, [0.5f32; 3 * 2]);
    /// let mut out = [0.0; 3 * (2 + 4)];
    /// Spec::new(4).concat_rows(&x, 2, &table, 0..3, &mut out)?;
    /// assert_eq!(out[12..14], [0.5; 2]);
    /// assert_eq!(out[14..], *sinusoidal_table(3, 4)?.row(2));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn concat_rows<T: Element>(
        &self,
        embeddings: &[T],
        width: usize,
        table: &(impl Rows<T> + ?Sized),
        rows: Range<usize>,
        out: &mut [T],
    ) -> Result<(), SpecError> {
        let source = Extended::new(self, table, &rows, embeddings.len(), width)?;
        check_out(embeddings.len(), width, self.d_model(), out.len())?;
        concat_each(embeddings, width, out, rows.len(), self.d_model(), |i| source.row(i));
        Ok(())
    }
}

/// A range of rows: those that a table has, and computed ones beyond its end.
struct Extended<'a, T, R: ?Sized> {
    table: &'a R,
    start: usize,
    /// The number of rows taken from the table.
    own: usize,
    tail: Vec<T>,
    d_model: usize,
}

impl<'a, T: Element, R: Rows<T> + ?Sized> Extended<'a, T, R> {
    /// Checks the arguments, for embeddings of `len` entries and `width` per token, and computes the rows beyond the
    /// table.
    fn new(spec: &Spec, table: &'a R, rows: &Range<usize>, len: usize, width: usize) -> Result<Self, SpecError> {
        spec.check_parameters::<T>()?;
        check_range(rows)?;
        check_embeddings(len, rows.len(), width)?;
        // Empty embeddings need no rows.
        let rows = if len == 0 { rows.start..rows.start } else { rows.clone() };
        let d_model = spec.d_model();
        let own_end = rows.end.min(table.seq_len());
        let own = own_end.saturating_sub(rows.start);
        for row in rows.start..rows.start + own {
            check_row(row, table.row(row).len(), d_model)?;
        }
        let len = (rows.len() - own).saturating_mul(d_model);
        let mut tail = Vec::new();
        let no_memory = |_| SpecError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) };
        tail.try_reserve_exact(len).map_err(no_memory)?;
        tail.resize(len, T::default());
        if !tail.is_empty() {
            spec.fill(rows.start + own.., &mut tail)?;
        }
        Ok(Self { table, start: rows.start, own, tail, d_model })
    }

    /// Returns row `i` of the range.
    fn row(&self, i: usize) -> &[T] {
        match i.checked_sub(self.own) {
            None => self.table.row(self.start + i),
            Some(beyond) => &self.tail[beyond * self.d_model..][..self.d_model],
        }
    }
}
