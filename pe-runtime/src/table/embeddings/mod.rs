//! Adds encodings to embeddings, or concatenates the two.
//!
//! [`add`], [`add_saturating`] and [`concat()`] take the rows from a table, and return an error if the table does not
//! have them. With the feature `alloc`, `Spec::add_rows` and `Spec::concat_rows` compute the missing rows instead.

#[cfg(feature = "alloc")]
mod beyond;
mod saturating;

use core::ops::{AddAssign, Range};

use crate::table::rows::Rows;

use saturating::Saturating;

pub use crate::spec::error::embeddings::EmbeddingError;

/// Adds rows of `table` to `embeddings`, of shape `(batch, rows.len(), d_model)`, in place.
///
/// Each sequence of the batch gets the same rows:
///
/// ```text
/// embeddings[b][i][j] += table[rows.start + i][j]
/// ```
///
/// For a whole sequence, `rows` is `0..seq_len`. For one step of a decoder with `past` positions in its cache, it is
/// `past..past + 1`. The table may be an array made by the macro, a [`Table`](crate::Table) or any other type that
/// implements [`Rows`]. The length of `embeddings` determines the batch size, so the range needs an end: embeddings
/// alone do not distinguish a batch of sequences from one long sequence. The element type may be any that supports
/// `+=`: `f32`, `f64` and the 16-bit types of the crate `half`, but not [`F16Bits`](crate::F16Bits), which has no
/// arithmetic. For integers there is [`add_saturating`].
///
/// Source: Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5: "The
/// positional encodings have the same dimension dmodel as the embeddings, so that the two can be summed." The paper
/// first multiplies the embeddings by the square root of `d_model` (section 3.4). This function does not.
///
/// # Errors
///
/// Returns an error if `rows` ends before it starts, if the table does not have all of the rows (`Spec::add_rows`
/// computes those beyond its end), if the rows used differ in length, or if the length of `embeddings` is not a
/// multiple of `rows.len() * d_model`. On error the embeddings are left unchanged.
///
/// # Examples
///
/// ```
/// use posenc::embeddings::add;
/// use posenc::sinusoidal_table;
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
///     "rows 8..11 are out of bounds: the number of rows in the table is 10; use a longer table, or compute the missing rows \
///      with `Spec::add_rows`, `Spec::concat_rows` or `Rope::fill`",
/// );
/// # Ok::<(), posenc::embeddings::EmbeddingError>(())
/// ```
pub fn add<T: Copy + AddAssign>(
    embeddings: &mut [T],
    table: &(impl Rows<T> + ?Sized),
    rows: Range<usize>,
) -> Result<(), EmbeddingError> {
    let d_model = check_table(table, &rows)?;
    check_embeddings(embeddings.len(), rows.len(), d_model)?;
    add_each(embeddings, rows.len(), d_model, |i| table.row(rows.start + i));
    Ok(())
}

/// Adds rows of `table` to `embeddings` of integers, of shape `(batch, rows.len(), d_model)`, in place.
///
/// A sum beyond a limit of the integer becomes that limit, as on signal processors. The entries of the table are
/// [`Q7`](crate::Q7) for embeddings of `i8`, [`Q15`](crate::Q15) for `i16` and [`Q31`](crate::Q31) for `i32`, in the
/// same units as the embeddings. They may also be integers of the same type, with the same scale and without a zero
/// point. See [`add`] for everything else.
///
/// # Errors
///
/// Returns the same errors as [`add`]. On error the embeddings are left unchanged.
///
/// # Examples
///
/// ```
/// use posenc::embeddings::add_saturating;
/// use posenc::{Q15, sinusoidal_table};
///
/// static PE: [[Q15; 2]; 2] = sinusoidal_table!(2, 2, dtype = q15);
///
/// let mut x = [-100, 10_000, 100, 100]; // two tokens
/// add_saturating(&mut x, &PE, 0..2)?;
/// assert_eq!(x, [-100, 32_767, 27_673, 17_805]);
/// # Ok::<(), posenc::embeddings::EmbeddingError>(())
/// ```
pub fn add_saturating<T: Saturating>(
    embeddings: &mut [T::Embedding],
    table: &(impl Rows<T> + ?Sized),
    rows: Range<usize>,
) -> Result<(), EmbeddingError> {
    let d_model = check_table(table, &rows)?;
    check_embeddings(embeddings.len(), rows.len(), d_model)?;
    each_token(embeddings, rows.len(), d_model, |i, token| {
        for (x, entry) in token.iter_mut().zip(table.row(rows.start + i)) {
            *x = entry.add_to(*x);
        }
    });
    Ok(())
}

/// Concatenates each embedding with its row of `table`, and writes the result to `out`.
///
/// Concatenation is an alternative to addition. The width of the model is then the sum of both widths. `embeddings` is
/// of shape `(batch, rows.len(), width)`, and `out` is of shape `(batch, rows.len(), width + d_model)`:
///
/// ```text
/// out[b][i] = embeddings[b][i][0], ..., embeddings[b][i][width - 1], table[rows.start + i][0], ...
/// ```
///
/// # Errors
///
/// Returns an error if `rows` ends before it starts, if the table does not have all of the rows (`Spec::concat_rows`
/// computes those beyond its end), if the rows used differ in length, or if the length of `embeddings` or `out` does
/// not match its shape. On error `out` is left unchanged.
///
/// # Examples
///
/// ```
/// use posenc::embeddings::concat;
/// use posenc::sinusoidal_table;
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
    check_embeddings(embeddings.len(), rows.len(), width)?;
    check_out(embeddings.len(), width, d_model, out.len())?;
    concat_each(embeddings, width, out, rows.len(), d_model, |i| table.row(rows.start + i));
    Ok(())
}

fn add_each<'a, T: Copy + AddAssign + 'a>(
    embeddings: &mut [T],
    rows: usize,
    d_model: usize,
    row: impl Fn(usize) -> &'a [T],
) {
    each_token(embeddings, rows, d_model, |i, token| {
        for (x, &entry) in token.iter_mut().zip(row(i)) {
            *x += entry;
        }
    });
}

/// Calls a function with each token and the index of its row in the range.
fn each_token<T>(embeddings: &mut [T], rows: usize, d_model: usize, mut change: impl FnMut(usize, &mut [T])) {
    if embeddings.is_empty() {
        return;
    }
    for sequence in embeddings.chunks_exact_mut(rows * d_model) {
        for (i, token) in sequence.chunks_exact_mut(d_model).enumerate() {
            change(i, token);
        }
    }
}

fn concat_each<'a, T: Copy + 'a>(
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

/// Checks that the table has all of the rows, of equal length, and returns this length.
pub(crate) fn check_table<T>(table: &(impl Rows<T> + ?Sized), rows: &Range<usize>) -> Result<usize, EmbeddingError> {
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

pub(crate) fn check_row(row: usize, len: usize, d_model: usize) -> Result<(), EmbeddingError> {
    if len == d_model { Ok(()) } else { Err(EmbeddingError::RowLength { row, len, d_model }) }
}

/// Checks that embeddings of `len` entries are a whole number of sequences.
pub(crate) fn check_embeddings(len: usize, rows: usize, width: usize) -> Result<(), EmbeddingError> {
    match rows.checked_mul(width).and_then(|sequence| len.checked_rem(sequence)) {
        Some(0) => Ok(()),
        None if len == 0 => Ok(()),
        _ => Err(EmbeddingError::Embeddings { len, rows, width }),
    }
}

/// Checks that `out` entries are `width + d_model` for each of the `len / width` tokens.
pub(crate) fn check_out(len: usize, width: usize, d_model: usize, out: usize) -> Result<(), EmbeddingError> {
    let tokens = len.checked_div(width).unwrap_or(0);
    let needed = match tokens {
        0 => Some(0),
        _ => width.checked_add(d_model).and_then(|wide| wide.checked_mul(tokens)),
    };
    if needed == Some(out) { Ok(()) } else { Err(EmbeddingError::Out { len: out, tokens, width, d_model }) }
}
