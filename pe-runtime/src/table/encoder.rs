//! A spec prepared for single rows.

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

/// A [`Spec`] prepared for single rows in any order, made by [`Spec::prepare`].
///
/// Such are the rows of the tokens that an autoregressive model decodes one by one. It holds not the table but about `2 sqrt(max_len)` rows
/// of angles, whose sums are the angles of all rows: for 4096 rows of 512 columns in `f32`, 1 MiB. A row takes a fraction of a
/// microsecond, and no memory.
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
    /// `None` if the fast tier does not serve.
    fast: Option<(FastRows<'a, T>, Vec<T::Block>)>,
}

impl<'a> Spec<'a> {
    /// Returns an encoder of the first `max_len` rows, which writes them one by one in any order.
    ///
    /// The memory grows with the square root of `max_len`: give the number of rows that will be asked for, not the largest there could be.
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for a `start` that is missing or a row's
    /// position out of range, and if the allocator refuses.
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
    /// Writes row `i` of the table, that of position `start + i * step`, to `row`, of `d_model` entries.
    ///
    /// A row from `max_len` on is right too, but takes as long as [`Spec::encode`], which is told a position and not the number of a row.
    ///
    /// # Errors
    ///
    /// If `row` does not hold `d_model` entries, or the row's position is out of range. `row` is then as it was.
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
            _ => dispatch::const_fill(&self.plan, &Positions::of_rows(&self.spec, i, 1)?, row),
        }
        Ok(())
    }

    /// Returns the spec that it was made from.
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

    /// Returns the number of rows that it was made for.
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
