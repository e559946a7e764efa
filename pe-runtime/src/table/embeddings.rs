//! Encodings put to embeddings: added, or beside them.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::{AddAssign, Range};

#[cfg(feature = "alloc")]
use crate::element::Element;
#[cfg(feature = "alloc")]
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::table::rows::Rows;

/// Adds rows `rows` of `table` to `embeddings`, of shape `(batch, rows.len(), d_model)`, in place: the same rows to each sequence of the
/// batch.
///
/// ```text
/// embeddings[b][i][j] += table[rows.start + i][j]
/// ```
///
/// A whole sequence has the rows `0..seq_len`; one step of a decoder that holds `past` positions in its cache the rows `past..past + 1`.
/// The table may be baked, a [`Table`](crate::Table) or whatever else is [`Rows`]. The batch is as large as the embeddings say. The
/// type is any that adds: `f32`, `f64`, and of 16 bits those of the crate `half`, but not [`F16Bits`](crate::F16Bits), which do not compute.
///
/// Source: Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5: "The positional encodings
/// have the same dimension dmodel as the embeddings, so that the two can be summed." (There the embeddings were multiplied by the root of
/// `d_model` first, section 3.4, which is not done here.)
///
/// # Errors
///
/// If the table has not all of the rows ([`Spec::add`] computes those that lie beyond it), if the rows used are not of one length, and if
/// `embeddings` is not a multiple of them. The embeddings are then as they were.
///
/// ```
/// use posenc::{add, sinusoidal_table};
///
/// static PE: [[f32; 6]; 10] = sinusoidal_table!(10, 6);
///
/// let mut x = [0.5f32; 2 * 3 * 6]; // two sequences of three tokens
/// add(&mut x, &PE, 0..3)?;
/// assert_eq!(x[6..8], [0.5 + 0.841_470_96, 0.5 + 0.540_302_3]);
/// assert_eq!(x[..18], x[18..]);
///
/// let mut next = [0.5f32; 2 * 6]; // their next token
/// add(&mut next, &PE, 3..4)?;
///
/// assert_eq!(
///     add(&mut x, &PE, 8..11).unwrap_err().to_string(),
///     "rows 8..11 are asked for, but the table has 10; make it longer, or let `Spec::add` or `Spec::concat` compute those beyond it",
/// );
/// # Ok::<(), posenc::EmbeddingError>(())
/// ```
pub fn add<T: Copy + AddAssign>(
    embeddings: &mut [T],
    table: &(impl Rows<T> + ?Sized),
    rows: Range<usize>,
) -> Result<(), EmbeddingError> {
    let d_model = check_table(table, &rows)?;
    check_embeddings(embeddings.len(), &rows, d_model)?;
    add_rows(embeddings, rows.len(), d_model, |i| table.row(rows.start + i));
    Ok(())
}

/// Writes to `out` the embeddings with rows `rows` of `table` behind them: the other way to give a model positions, where its width is
/// that of both.
///
/// ```text
/// out[b][i] = embeddings[b][i][0], ..., embeddings[b][i][width - 1], table[rows.start + i][0], ...
/// ```
///
/// `embeddings` are of shape `(batch, rows.len(), width)`, `out` of shape `(batch, rows.len(), width + d_model)`.
///
/// # Errors
///
/// If the table has not all of the rows ([`Spec::concat`] computes those that lie beyond it), if the rows used are not of one length, and
/// if the lengths of `embeddings` and `out` are not those of these shapes. `out` is then as it was.
///
/// ```
/// use posenc::{concat, sinusoidal_table};
///
/// let table = sinusoidal_table(10, 4)?;
/// let x = [0.5f32; 2 * 3 * 6]; // two sequences of three tokens, 6 wide
/// let mut out = [0.0; 2 * 3 * (6 + 4)];
/// concat(&x, 6, &table, 0..3, &mut out)?;
/// assert_eq!(out[..6], [0.5; 6]);
/// assert_eq!(out[6..10], table[0]);
/// assert_eq!(out[16..20], table[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("concatenate", "cat"))]
pub fn concat<T: Copy>(
    embeddings: &[T],
    width: usize,
    table: &(impl Rows<T> + ?Sized),
    rows: Range<usize>,
    out: &mut [T],
) -> Result<(), EmbeddingError> {
    let d_model = check_table(table, &rows)?;
    check_embeddings(embeddings.len(), &rows, width)?;
    check_out(embeddings.len(), width, d_model, out.len())?;
    concat_rows(embeddings, width, out, rows.len(), d_model, |i| table.row(rows.start + i));
    Ok(())
}

#[cfg(feature = "alloc")]
impl Spec<'_> {
    /// Adds rows `rows` of the table of this spec to `embeddings`, of shape `(batch, rows.len(), d_model)`, in place: those that
    /// `table` has from there, those beyond it computed, to the same bits.
    ///
    /// So a table of the usual length serves, and a longer input is no error. That the table is one of this spec is not checked. An
    /// empty one, such as `&[[0.0f32; 512]; 0]`, lets all rows be computed. See [`add`](crate::add) for the rest.
    ///
    /// Rows that are computed take memory, and the time that [`fill`](Self::fill) takes, which is long for a single one: a decoder that goes
    /// far beyond its table step by step is better served by [`prepare`](Self::prepare).
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for rows to be computed whose position is out of range or, as
    /// `start` is missing, not known, if the rows used are not of `d_model` entries, if `embeddings` is not a multiple of all of them, and if the
    /// allocator refuses. The embeddings are then as they were.
    ///
    /// ```
    /// use posenc::{Spec, sinusoidal_table};
    ///
    /// static PE: [[f32; 6]; 10] = sinusoidal_table!(10, 6);
    ///
    /// let mut x = [0.0f32; 12 * 6]; // longer than the table
    /// Spec::new(6).add(&mut x, &PE, 0..12)?;
    /// assert_eq!(x, *sinusoidal_table(12, 6)?.as_slice());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add<T: Element + AddAssign>(
        &self,
        embeddings: &mut [T],
        table: &(impl Rows<T> + ?Sized),
        rows: Range<usize>,
    ) -> Result<(), EmbeddingError> {
        let source = Extended::new(self, table, &rows, embeddings.len(), self.d_model())?;
        add_rows(embeddings, rows.len(), self.d_model(), |i| source.row(i));
        Ok(())
    }

    /// Writes to `out` the embeddings with rows `rows` of the table of this spec behind them: those that `table` has from there, those
    /// beyond it computed, to the same bits. See [`add`](Self::add) and [`concat`](crate::concat).
    ///
    /// # Errors
    ///
    /// Those of [`add`](Self::add), and if the length of `out` is not that of its shape. `out` is then as it was.
    ///
    /// ```
    /// # use posenc::{Spec, sinusoidal_table};
    /// let (table, x) = (sinusoidal_table(2, 4)?, [0.5f32; 3 * 2]);
    /// let mut out = [0.0; 3 * (2 + 4)];
    /// Spec::new(4).concat(&x, 2, &table, 0..3, &mut out)?;
    /// assert_eq!(out[12..14], [0.5; 2]);
    /// assert_eq!(out[14..], *sinusoidal_table(3, 4)?.row(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn concat<T: Element>(
        &self,
        embeddings: &[T],
        width: usize,
        table: &(impl Rows<T> + ?Sized),
        rows: Range<usize>,
        out: &mut [T],
    ) -> Result<(), EmbeddingError> {
        let source = Extended::new(self, table, &rows, embeddings.len(), width)?;
        check_out(embeddings.len(), width, self.d_model(), out.len())?;
        concat_rows(embeddings, width, out, rows.len(), self.d_model(), |i| source.row(i));
        Ok(())
    }
}

/// Some rows of a table, and those that follow beyond its end.
#[cfg(feature = "alloc")]
struct Extended<'a, T, R: ?Sized> {
    table: &'a R,
    start: usize,
    /// How many are the table's.
    own: usize,
    tail: Vec<T>,
    d_model: usize,
}

#[cfg(feature = "alloc")]
impl<'a, T: Element, R: Rows<T> + ?Sized> Extended<'a, T, R> {
    /// For embeddings of `len` entries, `width` a token.
    fn new(spec: &Spec, table: &'a R, rows: &Range<usize>, len: usize, width: usize) -> Result<Self, EmbeddingError> {
        spec.check_parameters::<T>()?;
        check_range(rows)?;
        check_embeddings(len, rows, width)?;
        // None of the rows where there is nothing to put them to.
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

    /// Row `i` of those asked for.
    fn row(&self, i: usize) -> &[T] {
        match i.checked_sub(self.own) {
            None => self.table.row(self.start + i),
            Some(beyond) => &self.tail[beyond * self.d_model..][..self.d_model],
        }
    }
}

fn add_rows<'a, T: Copy + AddAssign + 'a>(
    embeddings: &mut [T],
    rows: usize,
    d_model: usize,
    row: impl Fn(usize) -> &'a [T],
) {
    if embeddings.is_empty() {
        return;
    }
    for sequence in embeddings.chunks_exact_mut(rows * d_model) {
        for (i, token) in sequence.chunks_exact_mut(d_model).enumerate() {
            for (x, &entry) in token.iter_mut().zip(row(i)) {
                *x += entry;
            }
        }
    }
}

fn concat_rows<'a, T: Copy + 'a>(
    embeddings: &[T],
    width: usize,
    out: &mut [T],
    rows: usize,
    d_model: usize,
    row: impl Fn(usize) -> &'a [T],
) {
    if embeddings.is_empty() {
        return;
    }
    for (i, (token, out)) in embeddings.chunks_exact(width).zip(out.chunks_exact_mut(width + d_model)).enumerate() {
        let (embedding, encoding) = out.split_at_mut(width);
        embedding.copy_from_slice(token);
        encoding.copy_from_slice(row(i % rows));
    }
}

/// The length of the rows, all of which the table has to have.
fn check_table<T>(table: &(impl Rows<T> + ?Sized), rows: &Range<usize>) -> Result<usize, EmbeddingError> {
    check_range(rows)?;
    let (Range { start, end }, seq_len) = (rows.clone(), table.seq_len());
    if end > seq_len {
        return Err(EmbeddingError::Rows { start, end, seq_len });
    }
    let d_model = if seq_len == 0 { 0 } else { table.row(start.min(seq_len - 1)).len() };
    for row in rows.clone() {
        check_row(row, table.row(row).len(), d_model)?;
    }
    Ok(d_model)
}

fn check_range(&Range { start, end }: &Range<usize>) -> Result<(), EmbeddingError> {
    if start > end { Err(EmbeddingError::Backwards { start, end }) } else { Ok(()) }
}

fn check_row(row: usize, len: usize, d_model: usize) -> Result<(), EmbeddingError> {
    if len == d_model { Ok(()) } else { Err(EmbeddingError::RowLength { row, len, d_model }) }
}

/// The embeddings have to be a whole number of sequences.
fn check_embeddings(len: usize, rows: &Range<usize>, width: usize) -> Result<(), EmbeddingError> {
    match rows.len().checked_mul(width).and_then(|sequence| len.checked_rem(sequence)) {
        Some(0) => Ok(()),
        None if len == 0 => Ok(()),
        _ => Err(EmbeddingError::Embeddings { len, rows: rows.len(), width }),
    }
}

/// `len` entries of embeddings, which are whole tokens, become `out` of tokens that are wider by `d_model`.
fn check_out(len: usize, width: usize, d_model: usize, out: usize) -> Result<(), EmbeddingError> {
    let tokens = len.checked_div(width).unwrap_or(0);
    let needed = match tokens {
        0 => Some(0),
        _ => width.checked_add(d_model).and_then(|wide| wide.checked_mul(tokens)),
    };
    if needed == Some(out) { Ok(()) } else { Err(EmbeddingError::Out { len: out, tokens, width, d_model }) }
}

/// Why an encoding cannot be put to embeddings. Its [`Display`] sentence names the value, the allowed range and the remedy.
///
/// ```
/// use posenc::{EmbeddingError, add};
///
/// let error = add(&mut [0.0f32; 10], &[[0.0; 4]; 3], 0..2).unwrap_err();
/// assert_eq!(error, EmbeddingError::Embeddings { len: 10, rows: 2, width: 4 });
/// assert_eq!(
///     error.to_string(),
///     "the embeddings hold 10 entries, but must hold a multiple of 2 x 4; give whole sequences, of one token for each row",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// The range of rows ends before it begins.
    Backwards {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// The table has not all of the rows.
    Rows {
        /// The first of the rows.
        start: usize,
        /// The one after the last.
        end: usize,
        /// Rows that the table has.
        seq_len: usize,
    },
    /// A row of the table is not as long as the others, or as the spec says.
    RowLength {
        /// The row, from 0.
        row: usize,
        /// Entries it holds.
        len: usize,
        /// Entries it should hold.
        d_model: usize,
    },
    /// The embeddings are no whole sequences.
    Embeddings {
        /// Entries they hold.
        len: usize,
        /// Tokens of a sequence, a row for each.
        rows: usize,
        /// Entries of a token.
        width: usize,
    },
    /// What `concat` is to write to is too long or too short.
    Out {
        /// Entries it holds.
        len: usize,
        /// Tokens of the embeddings.
        tokens: usize,
        /// Entries of a token.
        width: usize,
        /// Entries of a row of the table.
        d_model: usize,
    },
    /// The parameters of a spec are wrong.
    Parameters(SpecError),
}

impl Display for EmbeddingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Backwards { start, end } => {
                write!(f, "rows {start}..{end} run backwards; give the first row and the one after the last")
            }
            Self::Rows { start, end, seq_len } => {
                write!(
                    f,
                    "rows {start}..{end} are asked for, but the table has {seq_len}; make it longer, or let `Spec::add` or \
                     `Spec::concat` compute those beyond it"
                )
            }
            Self::RowLength { row, len, d_model } => {
                write!(
                    f,
                    "row {row} of the table holds {len} entries, but must hold {d_model}; give rows of that length"
                )
            }
            Self::Embeddings { len, rows: 0, .. } => {
                write!(f, "the embeddings hold {len} entries, but no rows are asked for; ask for one for each token")
            }
            Self::Embeddings { len, width: 0, .. } => {
                write!(
                    f,
                    "the embeddings hold {len} entries, but a token of them would hold 0; give tokens, and rows to add to them, of at \
                     least 1"
                )
            }
            Self::Embeddings { len, rows, width } => {
                write!(
                    f,
                    "the embeddings hold {len} entries, but must hold a multiple of {rows} x {width}; give whole sequences, of one \
                     token for each row"
                )
            }
            Self::Out { len, tokens, width, d_model } => {
                write!(
                    f,
                    "`out` holds {len} entries, but must hold {tokens} x ({width} + {d_model}); give it one token for each of the \
                     embeddings"
                )
            }
            Self::Parameters(ref error) => Display::fmt(error, f),
        }
    }
}

/// Its sentence is that of the [`SpecError`], which is therefore no source beside it.
impl core::error::Error for EmbeddingError {}

impl From<SpecError> for EmbeddingError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
