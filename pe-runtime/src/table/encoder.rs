//! Computes single rows of a table in any order, and the encodings of single positions.

use core::fmt::{self, Debug, Formatter};

use crate::element::Element;
use crate::engine::columns::Columns;
use crate::engine::direct;
use crate::engine::dispatch::{self, Threads};
use crate::engine::fast::{FastRows, SingleRows};
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::spec::position::Position;
use crate::table::row_range::{check_positions_length, check_row_length};

/// A [`Spec`] prepared for computing single rows in any order, and the encodings of any positions.
///
/// [`Spec::prepare`] creates it.
///
/// An autoregressive model decodes one token at a time and needs one row for each. The encoder does not store the
/// table. It stores about `2 sqrt(max_len)` rows of angles, and computes every row from the sum of two of them. For
/// 4096 rows of 512 columns in `f32`, the stored rows take 1 MiB.
///
/// A diffusion model needs the encoding of a timestep, which may be any number. For this, the encoder stores the
/// frequencies, 24 bytes per column. [`encode`](Self::encode) evaluates each entry directly.
///
/// Neither [`encode_row`](Self::encode_row) nor [`encode`](Self::encode) allocates. A row of 512 `f32` entries takes a
/// fraction of a microsecond.
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
    prepared: PreparedEncoder<'a, T>,
}

#[derive(Clone)]
enum PreparedEncoder<'a, T: Element> {
    /// The rows of a run.
    Rows(SingleRows<'a, T>),
    /// Only the columns.
    Columns(Columns<'a, T>),
    /// No tier in floats applies.
    Nothing,
}

impl<'a, T: Element> PreparedEncoder<'a, T> {
    fn columns(&self) -> Option<&Columns<'a, T>> {
        match self {
            Self::Rows(rows) => Some(rows.columns()),
            Self::Columns(columns) => Some(columns),
            Self::Nothing => None,
        }
    }
}

impl<'a> Spec<'a> {
    /// Returns an encoder for the first `max_len` rows and for any positions.
    ///
    /// Its memory grows with the square root of `max_len`: pass the number of rows that you need, not the largest
    /// number possible. `prepare(0)` stores only the frequencies, which is all that positions need.
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
        let prepared = match positions.equally_spaced() {
            Some(positions) if FastRows::suits(&plan, max_len) => {
                PreparedEncoder::Rows(SingleRows::new(&plan, positions, max_len)?)
            }
            _ if direct::suits(&plan) => {
                let bytes = Columns::<T>::bytes_of(plan.d_model());
                PreparedEncoder::Columns(Columns::new(&plan).ok_or(SpecError::OutOfMemory { bytes })?)
            }
            _ => PreparedEncoder::Nothing,
        };
        Ok(Encoder { spec: *self, plan, max_len, prepared })
    }
}

impl<'a, T: Element> Encoder<'a, T> {
    /// Writes row `i` of the table, the encoding of position `start + i * step`, to `row`.
    ///
    /// Rows at or beyond `max_len` are also correct, but take several times as long. [`encode`](Self::encode) takes a
    /// position; this method takes a row number.
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
        check_row_length(row.len(), self.spec.d_model())?;
        match &self.prepared {
            PreparedEncoder::Rows(..) if i < self.max_len && self.spec.parameters.zero_row == Some(i) => {
                row.fill(self.plan.zero());
            }
            PreparedEncoder::Rows(rows) if i < self.max_len => rows.fill_row(i, row),
            _ => self.fill(&Positions::of_rows(&self.spec, i, 1)?, row),
        }
        Ok(())
    }

    /// Writes the encoding of one `position` to `row`, of `d_model` entries, to the same bits as [`Spec::encode`].
    ///
    /// The position is any integer within `±2^53` or any finite `f64` or `f32`. The method uses it exactly, and
    /// ignores [`start`](Spec::start), [`step`](Spec::step) and [`zero_row`](Spec::zero_row). Positions beyond about
    /// `10^12` take longer: 0.1 to 0.2 µs per entry, and far longer if they have hundreds of digits.
    ///
    /// # Errors
    ///
    /// Returns an error if the position is out of range, or if `row` does not have `d_model` entries. On error `row` is
    /// left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Preset, Spec};
    ///
    /// let encoder = Spec::preset(Preset::Adm, 320).prepare::<f32>(0)?;
    /// let (mut timestep, mut same) = ([0.0; 320], [0.0; 320]);
    /// encoder.encode(998.39, &mut timestep)?;
    /// encoder.spec().encode(998.39, &mut same)?;
    /// assert_eq!(timestep, same);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("timestep", "timestep_embedding"))]
    pub fn encode(&self, position: impl Position, row: &mut [T]) -> Result<(), SpecError> {
        check_row_length(row.len(), self.spec.d_model())?;
        self.fill(&Positions::of_list(&[position.exact()?])?, row);
        Ok(())
    }

    /// Writes the encodings of `positions` to `buffer`, to the same bits as [`Spec::fill_positions`].
    ///
    /// # Errors
    ///
    /// Returns an error if a position is not finite, or if `buffer` does not have `positions.len() * d_model` entries.
    /// On error the buffer is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let encoder = Spec::preset(Preset::Ddpm, 64).prepare(0)?;
    /// let mut embedding = [0.0f32; 3 * 64];
    /// encoder.fill_positions(&[998.39, 500.0, 0.5], &mut embedding)?;
    /// assert_eq!(embedding[2 * 64], 0.479_425_55); // sin(0.5)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn fill_positions(&self, positions: &[f64], buffer: &mut [T]) -> Result<(), SpecError> {
        check_positions_length(buffer.len(), positions.len(), self.spec.d_model())?;
        self.fill(&Positions::of_list(positions)?, buffer);
        Ok(())
    }

    fn fill(&self, positions: &Positions, rows: &mut [T]) {
        match self.prepared.columns() {
            Some(columns) => dispatch::fill_prepared(columns, positions, rows),
            None => dispatch::fill(&self.plan, positions, rows, Threads::One),
        }
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
