//! Computes single rows of a table in any order.

use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::engine::dispatch;
use crate::engine::fast::FastRows;
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// A [`Spec`] prepared for computing single rows in any order.
///
/// It is created by [`Spec::prepare`].
///
/// An autoregressive model decodes one token at a time and needs one row for each. The encoder does not store the
/// table. It stores about `2 sqrt(max_len)` rows of angles, and every row is computed from the sum of two of them: for
/// 4096 rows of 512 columns in `f32`, they take 1 MiB. Computing a row takes a fraction of a microsecond and does not
/// allocate.
///
/// # Examples
///
/// ```
/// use posenc::{Encoder, Spec};
///
/// let encoder: Encoder<f32> = Spec::new(512).prepare(4096)?;
/// let mut row = [0.0; 512];
/// for position in 0..10 {
///     encoder.encode_row(position, &mut row)?;
///     // add it to the embedding of the token at `position`
/// }
/// assert_eq!(row, *posenc::sinusoidal_table(10, 512)?.row(9));
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone)]
pub struct Encoder<'a, T: Element> {
    spec: Spec<'a>,
    plan: Plan<'a, T>,
    max_len: usize,
    /// `None` if the fast tier does not apply.
    fast: Option<(FastRows<'a, T>, Vec<T::Block>)>,
}

impl<'a> Spec<'a> {
    /// Returns an encoder for the first `max_len` rows.
    ///
    /// Its memory grows with the square root of `max_len`: pass the number of rows that you need, not the largest
    /// number possible.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if `start` is missing,
    /// if the position of a row is out of range, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let encoder = Spec::new(64).start(2).prepare::<f64>(1000)?;
    /// let (mut row, mut same) = ([0.0; 64], [0.0; 64]);
    /// encoder.encode_row(7, &mut row)?;
    /// Spec::new(64).encode(2 + 7, &mut same)?;
    /// assert_eq!(row, same);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn prepare<T: Element>(&self, max_len: usize) -> Result<Encoder<'a, T>, SpecError> {
        let plan = Plan::new(self)?;
        let positions = Positions::of_rows(self, 0, max_len)?;
        let fast = match positions.equally_spaced() {
            Some(positions) if FastRows::suits(&plan, max_len) => {
                Some(FastRows::with_all_coarse_rows(plan, positions, max_len)?)
            }
            _ => None,
        };
        Ok(Encoder { spec: *self, plan, max_len, fast })
    }
}

impl<'a, T: Element> Encoder<'a, T> {
    /// Writes row `i` of the table, the encoding of position `start + i * step`, to `row`.
    ///
    /// Rows at or beyond `max_len` are also correct, but as slow as [`Spec::encode`]. (`encode` takes a position, this
    /// method a row number.)
    ///
    /// # Errors
    ///
    /// Returns an error if `row` does not have `d_model` entries, or if the position of the row is out of range. On
    /// error `row` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let encoder = Spec::new(2).prepare::<f32>(64)?;
    /// let mut row = [0.0; 2];
    /// encoder.encode_row(1, &mut row)?;
    /// assert_eq!(row, [0.841_470_96, 0.540_302_3]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn encode_row(&self, i: usize, row: &mut [T]) -> Result<(), SpecError> {
        let (len, d_model) = (row.len(), self.spec.d_model());
        if len != d_model {
            return Err(SpecError::RowLength { len, d_model });
        }
        match &self.fast {
            Some(_) if i < self.max_len && self.spec.parameters.zero_row == Some(i) => row.fill(from_bits(0)),
            Some((fast, coarse)) if i < self.max_len => fast.fill_row(coarse, i, row),
            _ => dispatch::fill(&self.plan, &Positions::of_rows(&self.spec, i, 1)?, row),
        }
        Ok(())
    }

    /// Returns the spec that this encoder was created from.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).prepare::<f32>(10)?.spec().d_model(), 512);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn spec(&self) -> Spec<'a> {
        self.spec
    }

    /// Returns the number of rows that this encoder was prepared for.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).prepare::<f32>(10)?.max_len(), 10);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn max_len(&self) -> usize {
        self.max_len
    }
}

impl<T: Element> Debug for Encoder<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("spec", &self.spec).field("max_len", &self.max_len).finish_non_exhaustive()
    }
}
