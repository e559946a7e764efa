//! Methods of `Spec` that compute rows: whole tables, rows in a buffer, single positions.

use core::ops::RangeFrom;

use crate::element::Element;
use crate::engine::dispatch::{self, Threads};
use crate::plan::Plan;
#[cfg(feature = "alloc")]
use crate::plan::TablePlan;
use crate::plan::positions::Positions;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::spec::position::Position;
#[cfg(feature = "alloc")]
use crate::table::Table;
use crate::table::row_range::{RowRange, check_positions_length, check_row_length, rows_of_buffer};

impl Spec<'_> {
    /// Returns the table of the first `seq_len` rows, of shape `(seq_len, d_model)`.
    ///
    /// For a very large table, such as 32768 x 1024, the operating system takes longer to provide the memory than this
    /// method takes to compute the entries. If you already have a buffer, use [`fill`](Self::fill). A table may have no
    /// rows.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if `start` is missing,
    /// if the position of a row is out of range, if `zero_row` is not one of the rows, if the table is larger than the
    /// address space, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let table = Spec::new(512).table::<f64>(128)?;
    /// assert_eq!(table[(0, 1)], 1.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn table<T: Element>(&self, seq_len: usize) -> Result<Table<T>, SpecError> {
        self.table_by(seq_len, Threads::One)
    }

    #[cfg(feature = "alloc")]
    fn table_by<T: Element>(&self, seq_len: usize, threads: Threads) -> Result<Table<T>, SpecError> {
        let table = TablePlan::new(self, seq_len, isize::MAX as usize)?;
        let rows = dispatch::rows(&table.plan, &table.positions, seq_len, threads);
        let rows = rows.ok_or(SpecError::OutOfMemory { bytes: table.bytes() })?;
        Ok(Table::new(rows, self.d_model()))
    }

    /// Returns the same table as [`table`](Self::table), bit for bit, computed on all threads of rayon's pool.
    ///
    /// This is worthwhile for large tables.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`table`](Self::table).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).par_table::<f64>(1000)?, Spec::new(512).table(1000)?);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_table<T: Element>(&self, seq_len: usize) -> Result<Table<T>, SpecError> {
        self.table_by(seq_len, Threads::All)
    }

    /// Writes the given rows of the table to `buffer`, of shape `(rows, d_model)`.
    ///
    /// `rows` counts rows, not entries: row `i` is the encoding of position `start + i * step`. `first..` writes as
    /// many rows as the buffer holds. `first..end` must be exactly as many rows as the buffer holds.
    ///
    /// Rows are computed in floats, with the best instructions that the machine has, and in exact arithmetic if this
    /// leaves an entry undecided. Many rows are computed by adding angles, which for `f32` and `f64` takes little
    /// longer than copying the rows. This allocates temporary memory: about `log2(rows) + 7` rows of 16 bytes per entry
    /// (32 for `f64`) and up to 1 MiB more, but never more than twice the size of `buffer`, or 16 MiB if that is
    /// larger. If this allocation fails, or if the feature `alloc` is not enabled, rows are computed as by
    /// [`const_fill`](Self::const_fill). So are most tables at `opt-level` 0. The bits are always the same.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if `start` is missing,
    /// if the position of a row is out of range, if the length of `buffer` is not a multiple of `d_model`, or if `rows`
    /// has an end and is not exactly as many rows as the buffer holds. On error the buffer is left unchanged. A
    /// `zero_row` outside these rows is not an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut next_rows = [0.0f32; 2 * 8];
    /// Spec::new(8).fill(100.., &mut next_rows)?;
    /// let table = Spec::new(8).table::<f32>(102)?;
    /// assert_eq!(next_rows[8..], *table.row(101));
    ///
    /// let error = Spec::new(8).fill(100..108, &mut next_rows).unwrap_err();
    /// assert_eq!(error.to_string(), "the number of rows in the buffer is 2, but must be 8 for rows 100..108");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn fill<T: Element>(&self, rows: impl RowRange, buffer: &mut [T]) -> Result<(), SpecError> {
        let (plan, positions) = self.plan_rows(rows.bounds(), buffer.len())?;
        dispatch::fill(&plan, &positions, buffer, Threads::One);
        Ok(())
    }

    /// Writes rows of the table to `buffer` on all threads of rayon's pool, to the same bits as [`fill`](Self::fill).
    ///
    /// This is worthwhile for large tables.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`fill`](Self::fill).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut rows = vec![0.0f32; 1000 * 512];
    /// Spec::new(512).par_fill(0.., &mut rows)?;
    /// assert_eq!(rows, Spec::new(512).table::<f32>(1000)?.into_vec());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_fill<T: Element>(&self, rows: impl RowRange, buffer: &mut [T]) -> Result<(), SpecError> {
        let (plan, positions) = self.plan_rows(rows.bounds(), buffer.len())?;
        dispatch::fill(&plan, &positions, buffer, Threads::All);
        Ok(())
    }

    /// Writes rows of the table to `buffer` in a `const fn`, to the same bits as [`fill`](Self::fill).
    ///
    /// It uses neither an allocator nor vector instructions. The compiler takes 2 to 4 µs per `f32` entry and 0.5 ms
    /// per pair of columns to evaluate it, and about twice as long for other types. For fewer than 4 rows and for
    /// amplitudes beyond `2^±64`, it takes 0.4 ms per entry.
    ///
    /// `rows` counts rows, not entries, and always means as many rows as the buffer holds: a `const fn` cannot call the
    /// methods of a trait such as [`RowRange`]. [`const_table`](crate::const_table) returns an array directly.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`fill`](Self::fill).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// const NEXT_ROWS: [f32; 2 * 8] = {
    ///     let mut rows = [0.0; 2 * 8];
    ///     assert!(Spec::new(8).const_fill(100.., &mut rows).is_ok());
    ///     rows
    /// };
    /// let mut rows = [0.0; 2 * 8];
    /// Spec::new(8).fill(100.., &mut rows)?;
    /// assert_eq!(NEXT_ROWS, rows);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn const_fill<T: Element>(&self, rows: RangeFrom<usize>, buffer: &mut [T]) -> Result<(), SpecError> {
        let (plan, positions) = try_const!(self.plan_rows::<T>((rows.start, None), buffer.len()));
        dispatch::const_fill(&plan, &positions, buffer);
        Ok(())
    }

    /// Returns the plan and positions for a buffer of `len` entries. Its rows have these bounds.
    const fn plan_rows<T: Element>(
        &self,
        bounds: (usize, Option<usize>),
        len: usize,
    ) -> Result<(Plan<'_, T>, Positions<'static>), SpecError> {
        let plan = try_const!(Plan::new(self));
        let rows = try_const!(rows_of_buffer(bounds, len, self.d_model()));
        Ok((plan, try_const!(Positions::of_rows(self, bounds.0, rows))))
    }

    /// Writes the encoding of one `position` to `row`, of `d_model` entries.
    ///
    /// The position is any integer within `±2^53` ([`MAX_POSITION`](crate::MAX_POSITION)) or any finite `f64` or `f32`,
    /// such as the timestep of a diffusion sampler. The method uses it exactly. It ignores [`start`](Self::start),
    /// [`step`](Self::step) and [`zero_row`](Self::zero_row), which apply to rows. An integer literal beyond the range
    /// of `i32` needs a type suffix, as below.
    ///
    /// Most of the time is spent on the frequencies: for many positions, use [`fill_positions`](Self::fill_positions), or
    /// an encoder from [`prepare`](Self::prepare).
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if the position is out
    /// of range, or if `row` does not have `d_model` entries. On error `row` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let mut row = [0.0f32; 2];
    /// Spec::new(2).encode(9_007_199_254_740_992_i64, &mut row)?;
    /// assert_eq!(row, [-0.848_925_95, -0.528_511_76]);
    ///
    /// let mut timestep = [0.0f32; 320];
    /// Spec::preset(Preset::Adm, 320).encode(998.39, &mut timestep)?;
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("timestep", "position_embedding"))]
    pub fn encode<T: Element>(&self, position: impl Position, row: &mut [T]) -> Result<(), SpecError> {
        let plan = Plan::<T>::new(self)?;
        check_row_length(row.len(), self.d_model())?;
        let position = position.exact()?;
        dispatch::fill(&plan, &Positions::of_list(&[position])?, row, Threads::One);
        Ok(())
    }

    /// Writes the encodings of `positions` to `buffer`, of shape `(positions.len(), d_model)`.
    ///
    /// The positions are any finite numbers. The method uses them exactly, and ignores `start`, `step` and `zero_row`.
    /// Equally spaced integers are as fast as rows in [`fill`](Self::fill). Other positions take several times as long.
    /// Positions beyond about `10^12` take 0.1 to 0.2 µs per entry, and those with hundreds of digits far longer.
    ///
    /// Convert positions that are `f32` or integers with `f64::from`, which is exact, or pass them one by one to
    /// [`encode`](Self::encode). As an `f32`, 998.39 is a different number than as an `f64`: use the one that the model
    /// uses.
    ///
    /// With the presets [`Ddpm`](crate::Preset::Ddpm) and [`Adm`](crate::Preset::Adm), this is what diffusion models
    /// call a timestep embedding.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) rejects the parameters, if a position is not
    /// finite, or if `buffer` does not have `positions.len() * d_model` entries. On error the buffer is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let timesteps = [998.39, 500.0, 0.5];
    /// let mut embedding = [0.0f32; 3 * 64];
    /// Spec::preset(Preset::Ddpm, 64).fill_positions(&timesteps, &mut embedding)?;
    /// assert_eq!(embedding[2 * 64], 0.479_425_55); // sin(0.5)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("get_timestep_embedding", "timestep_embedding", "position_ids"))]
    pub fn fill_positions<T: Element>(&self, positions: &[f64], buffer: &mut [T]) -> Result<(), SpecError> {
        let plan = Plan::new(self)?;
        check_positions_length(buffer.len(), positions.len(), self.d_model())?;
        dispatch::fill(&plan, &Positions::of_list(positions)?, buffer, Threads::One);
        Ok(())
    }
}

/// Returns the paper's table of shape `(seq_len, d_model)`: positions 0 to `seq_len - 1`, base 10,000.
///
/// The macro `sinusoidal_table!` makes the same table at compile time, bit for bit. [`Spec`] has further parameters.
///
/// # Errors
///
/// Returns an error if `d_model` is out of range, if the table is larger than the address space, or if allocation
/// fails.
///
/// # Examples
///
/// ```
/// let table = posenc::sinusoidal_table(10, 6)?;
/// assert_eq!(*table.row(1), [0.841_470_96, 0.540_302_3, 0.046_399_225, 0.998_923, 0.002_154_433, 0.999_997_7]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[doc(alias("positional_encoding", "positional_embedding", "sinusoids"))]
#[cfg(feature = "alloc")]
// Compiled where it is called, like all generic functions. Otherwise each build of this crate would compile the tiers of
// `f32`, which neither the macros nor programs whose tables are all baked use.
#[inline]
pub fn sinusoidal_table(seq_len: usize, d_model: usize) -> Result<Table<f32>, SpecError> {
    Spec::new(d_model).table(seq_len)
}
