//! What to encode: the parameters of a table, their limits, and the doors that take them.

use core::ops::RangeFrom;

use crate::element::Element;
use crate::encode;
use crate::error::SpecError;
use crate::position::Position;
#[cfg(feature = "alloc")]
use crate::table::Table;

/// The largest `d_model`: `2^24`, far above any model's, so that the error bounds hold for every pair.
///
/// ```
/// use posenc::{MAX_D_MODEL, Spec};
///
/// assert!(Spec::new(MAX_D_MODEL).check_table::<f32>(0, 0).is_ok());
/// assert!(Spec::new(MAX_D_MODEL + 1).check_table::<f32>(0, 0).is_err());
/// ```
pub const MAX_D_MODEL: usize = 1 << 24;

/// The largest distance of a position from zero: `2^53`, up to where every integer is an `f64`.
///
/// ```
/// use posenc::{MAX_POSITION, Spec};
///
/// let mut row = [0.0f32; 2];
/// assert!(Spec::new(2).encode(-MAX_POSITION, &mut row).is_ok());
/// assert!(Spec::new(2).encode(MAX_POSITION + 1, &mut row).is_err());
/// ```
pub const MAX_POSITION: i64 = 1 << 53;

/// The parameters of a sinusoidal positional encoding.
///
/// With `k = j / 2` the pair of column `j` and `p` the position of a row,
///
/// ```text
/// w_k = base^(-2k / d_model)
/// PE[p][2k] = sin(p w_k)        PE[p][2k + 1] = cos(p w_k)
/// ```
///
/// the formula of Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5.
/// An odd `d_model` ends in the sine of its last pair. Every entry is the correctly rounded value of the formula (to
/// nearest, ties to even), the parameters being exactly the numbers given. A sine so small that it rounds to zero keeps its
/// sign.
///
/// The builder's methods and [`fill`](Self::fill) are `const fn`. Parameters are checked where a table is made, not where
/// they are set.
///
/// ```
/// use posenc::Spec;
///
/// const SPEC: Spec = Spec::new(4).base(500_000.0).start(1);
/// let mut rows = [0.0f32; 8];
/// SPEC.fill(0.., &mut rows)?;
/// assert_eq!(rows[0], 0.841_470_96); // sin(1): row 0 is position 1
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Spec {
    pub(crate) d_model: usize,
    pub(crate) base: f64,
    pub(crate) start: i64,
}

impl Spec {
    /// The encoding of the paper, `d_model` columns wide: base 10000, rows from position 0.
    ///
    /// `d_model` (the width of the embeddings) may be even or odd, from 1 to [`MAX_D_MODEL`].
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f64; 3];
    /// Spec::new(3).encode(0, &mut row)?;
    /// assert_eq!(row, [0.0, 1.0, 0.0]); // sine, cosine, and the extra sine of an odd width
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn new(d_model: usize) -> Self {
        Self { d_model, base: 10_000.0, start: 0 }
    }

    /// Sets the base of the frequencies' geometric progression, 10000 unless set: a finite number greater than 0, used
    /// exactly as given. Below 1e-60 or so the angles of later columns have so many digits before the point that an entry
    /// takes microseconds, some 50 of them at the end of the range.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut paper, mut long) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).encode(100, &mut paper)?;
    /// Spec::new(64).base(500_000.0).encode(100, &mut long)?;
    /// assert_eq!(paper[0], long[0]); // the first pair turns at one radian a position whatever the base
    /// assert!(long[62] < paper[62]); // the last one more slowly with a larger base
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("theta", "max_timescale", "max_period", "temperature"))]
    pub const fn base(mut self, base: f64) -> Self {
        self.base = base;
        self
    }

    /// Sets the position of row 0, 0 unless set; row `i` is position `start + i`. Every position used must lie within
    /// `±2^53` ([`MAX_POSITION`]).
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 2];
    /// Spec::new(2).start(-1).fill(0.., &mut row)?;
    /// assert_eq!(row, [-0.841_470_96, 0.540_302_3]); // sin(-1), cos(-1)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn start(mut self, start: i64) -> Self {
        self.start = start;
        self
    }

    /// The number of columns.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).d_model(), 512);
    /// ```
    #[must_use]
    pub const fn d_model(&self) -> usize {
        self.d_model
    }

    /// Makes the table of the first `seq_len` rows, of shape `(seq_len, d_model)`: some 60 ns an entry.
    ///
    /// # Errors
    ///
    /// For a parameter or a position out of its range, for a table larger than the address space, and if the allocator
    /// refuses. No rows at all are a valid table.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let table = Spec::new(512).table::<f64>(128)?;
    /// assert_eq!(table[(0, 1)], 1.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn table<T: Element>(&self, seq_len: usize) -> Result<Table<T>, SpecError> {
        let bytes = self.check_table::<T>(seq_len, isize::MAX as usize)?;
        let mut table = Table::zeroed(seq_len, self.d_model).ok_or(SpecError::OutOfMemory { bytes })?;
        encode::fill(self, self.start, table.entries_mut());
        Ok(table)
    }

    /// Writes rows `rows.start, rows.start + 1, ...` of the table to `buffer`, as many as it holds, without allocating.
    ///
    /// The rows are counted as in the table: row `i` is position `start + i`.
    ///
    /// # Errors
    ///
    /// For a parameter or a position out of its range, and if the length of `buffer` is not a multiple of `d_model`. The
    /// buffer is then as it was.
    ///
    /// ```
    /// # use posenc::Spec;
    /// const NEXT_ROWS: [f32; 2 * 8] = {
    ///     let mut rows = [0.0; 2 * 8];
    ///     assert!(Spec::new(8).fill(100.., &mut rows).is_ok());
    ///     rows
    /// };
    /// let table = Spec::new(8).table::<f32>(102)?;
    /// assert_eq!(NEXT_ROWS[8..], *table.row(101));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn fill<T: Element>(&self, rows: RangeFrom<usize>, buffer: &mut [T]) -> Result<(), SpecError> {
        if let Err(error) = self.check_parameters() {
            return Err(error);
        }
        let len = buffer.len();
        if len % self.d_model != 0 {
            return Err(SpecError::BufferLength { len, d_model: self.d_model });
        }
        match self.positions(rows.start, len / self.d_model) {
            Ok(first) => encode::fill(self, first, buffer),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Writes the encoding of one `position`, any integer within `±2^53` ([`MAX_POSITION`]), to `row`. The position is
    /// taken as it is: [`start`](Self::start) is for rows. (A literal beyond the range of `i32` needs its type, as below.)
    ///
    /// # Errors
    ///
    /// For a parameter or a position out of its range, and if `row` does not hold `d_model` entries. The row is then as
    /// it was.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 2];
    /// Spec::new(2).encode(9_007_199_254_740_992_i64, &mut row)?;
    /// assert_eq!(row, [-0.848_925_95, -0.528_511_76]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn encode<T: Element>(&self, position: impl Position, row: &mut [T]) -> Result<(), SpecError> {
        self.check_parameters()?;
        if row.len() != self.d_model {
            return Err(SpecError::RowLength { len: row.len(), d_model: self.d_model });
        }
        let value = position.integer();
        let position = in_range(value).ok_or(SpecError::Position { value })?;
        encode::fill(self, position, row);
        Ok(())
    }

    /// Checks everything that can be wrong with a table of `seq_len` rows, `max_bytes` being the most it may take. Gives its
    /// size in bytes.
    ///
    /// # Errors
    ///
    /// The one that making the table would give.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).check_table::<f32>(4096, 16 << 20), Ok(8 << 20));
    /// let error = Spec::new(512).check_table::<f32>(4096, 1 << 20).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a table of 4096 x 512 f32 entries takes 8388608 bytes, but may take at most 1048576; \
    ///      lower `seq_len` or `d_model`, or raise `max_bytes`",
    /// );
    /// ```
    pub const fn check_table<T: Element>(&self, seq_len: usize, max_bytes: usize) -> Result<usize, SpecError> {
        if let Err(error) = self.check_parameters() {
            return Err(error);
        }
        // Below 2^64 2^24 2^3.
        let bytes = seq_len as u128 * self.d_model as u128 * size_of::<T>() as u128;
        let address_space = isize::MAX as usize;
        let max_bytes = if max_bytes < address_space { max_bytes } else { address_space };
        if bytes > max_bytes as u128 {
            let (d_model, dtype) = (self.d_model, T::DTYPE);
            return Err(SpecError::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes });
        }
        match self.positions(0, seq_len) {
            Ok(_) => Ok(bytes as usize),
            Err(error) => Err(error),
        }
    }

    const fn check_parameters(&self) -> Result<(), SpecError> {
        if self.d_model == 0 || self.d_model > MAX_D_MODEL {
            return Err(SpecError::DModel { value: self.d_model as i128 });
        }
        if !(self.base.is_finite() && self.base > 0.0) {
            return Err(SpecError::Base { value: self.base });
        }
        Ok(())
    }

    /// The position of row `first`, if `start` and the positions of all `count` rows from there on are in range. Without any
    /// rows it does not matter.
    const fn positions(&self, first: usize, count: usize) -> Result<i64, SpecError> {
        let start = self.start as i128;
        let last = if count > 0 { start + first as i128 + (count - 1) as i128 } else { start };
        match (in_range(start), in_range(last)) {
            (Some(_), Some(_)) => Ok(self.start.wrapping_add(first as i64)),
            (None, _) => Err(SpecError::RowPosition { value: start }),
            (_, None) => Err(SpecError::RowPosition { value: last }),
        }
    }
}

const fn in_range(position: i128) -> Option<i64> {
    if position.unsigned_abs() <= MAX_POSITION as u128 { Some(position as i64) } else { None }
}

/// Makes the table of the paper: positions 0 to `seq_len - 1`, `d_model` columns, base 10000.
///
/// The run-time twin of the macro `sinusoidal_table!`, to the bit; [`Spec`] takes further parameters.
///
/// # Errors
///
/// If `d_model` is out of its range, the table larger than the address space, or if the allocator refuses.
///
/// ```
/// let table = posenc::sinusoidal_table(10, 6)?;
/// assert_eq!(*table.row(1), [0.841_470_96, 0.540_302_3, 0.046_399_225, 0.998_923, 0.002_154_433, 0.999_997_7]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn sinusoidal_table(seq_len: usize, d_model: usize) -> Result<Table<f32>, SpecError> {
    Spec::new(d_model).table(seq_len)
}
