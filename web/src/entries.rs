//! The entries of a part of a table, to be drawn.

use posenc::Element;
use posenc::reflection::TableKind;
use posenc_text::request::Request;
use posenc_text::with_stored;
use serde::Deserialize;

use posenc_web_shared::request::{Wish, table_kind};

/// A part of a table: rows from a position on, and all columns.
#[derive(Deserialize)]
pub(crate) struct Part {
    table: Wish,
    /// The first position of a 1-D table or a cache, or the first row of a grid.
    first: f64,
    count: usize,
    /// The number of pixels of a row, each of which shows a mean of columns; 0 for a pixel per column.
    #[serde(default)]
    pixels: usize,
}

/// The most entries of a part: a screen of 4K.
const MOST: usize = 1 << 23;

/// Returns the entries as the bytes of `f32`, row by row. Integers are in units of the largest one.
pub(crate) fn entries(part: &Part) -> Result<Vec<u8>, String> {
    let request = part.table.request()?;
    let kind = table_kind(&part.table.kind)?;
    with_stored!(part.table.dtype()?, T => {
        let columns = request.rows::<T>()?.shape()[1];
        if part.count.saturating_mul(columns) > MOST {
            return Err("there are too many entries to draw".to_owned());
        }
        let mut entries = vec![T::default(); part.count * columns];
        fill(&request, kind, part, &mut entries)?;
        let mut shown: Vec<f32> = entries.iter().map(|entry| Shown::shown(*entry)).collect();
        if part.pixels > 0 && part.pixels < columns {
            shown = shown.chunks_exact(columns).flat_map(|row| means(row, part.pixels)).collect();
        }
        Ok(shown.iter().flat_map(|entry| entry.to_le_bytes()).collect())
    })
}

/// Returns a weighted mean of the entries around each pixel.
///
/// The weights fall linearly to zero within an even number of columns. So sines and cosines that alternate have equal shares
/// in every pixel but those at the edges, and the picture has no stripes that the table does not have.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns, and colours")]
fn means(row: &[f32], pixels: usize) -> impl Iterator<Item = f32> {
    let wide = row.len() as f64 / pixels as f64;
    let reach = 2.0 * (wide / 2.0).ceil();
    (0..pixels).map(move |pixel| {
        let middle = (pixel as f64 + 0.5) * wide - 0.5; // columns are at their middle, too
        let columns = (middle - reach).ceil().max(0.0) as usize..row.len().min((middle + reach) as usize + 1);
        let weight = |column: usize| reach - (column as f64 - middle).abs();
        let all: f64 = columns.clone().map(weight).sum();
        (columns.map(|column| weight(column) * f64::from(row[column])).sum::<f64>() / all) as f32
    })
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of rows, saturated")]
fn fill<T: Element>(request: &Request, kind: TableKind, part: &Part, entries: &mut [T]) -> Result<(), String> {
    if kind.has_axes() {
        let rows = request.rows::<T>()?;
        let [seq_len, columns] = rows.shape();
        let first = (part.first as usize).min(seq_len);
        let count = part.count.min(seq_len - first);
        rows.fill(first, &mut entries[..count * columns]);
        return Ok(());
    }
    let positions: Vec<f64> = (0..part.count).map(|i| part.first + i as f64).collect();
    at_positions(request, &positions, entries)
}

/// Computes the entries of a table of one axis at positions. The keys of its rows have no effect.
pub(crate) fn at_positions<T: Element>(request: &Request, positions: &[f64], entries: &mut [T]) -> Result<(), String> {
    let spec = request.packed()?.ok_or("the table has several axes")?;
    spec.start(0).step(1).fill_positions(positions, entries).map_err(|error| error.to_string())
}

/// An entry as it is drawn.
pub(crate) trait Shown: Copy {
    fn shown(self) -> f32;
}

macro_rules! shown {
    ($($entry:ty: $shown:expr;)*) => { $(
        impl Shown for $entry {
            #[allow(clippy::cast_possible_truncation, reason = "for a colour")]
            fn shown(self) -> f32 {
                let shown: fn(Self) -> f64 = $shown;
                shown(self) as f32
            }
        }
    )* };
}

shown! {
    f32: f64::from;
    f64: |entry| entry;
    posenc::half::f16: f64::from;
    posenc::half::bf16: f64::from;
    posenc::Q7: |entry| f64::from(entry.to_bits()) / 128.0;
    posenc::Q15: |entry| f64::from(entry.to_bits()) / 32768.0;
    posenc::Q31: |entry| f64::from(entry.to_bits()) / 2_147_483_648.0;
    i8: |entry| f64::from(entry) / 127.0;
    i16: |entry| f64::from(entry) / 32767.0;
    u8: |entry| f64::from(entry) / 127.5 - 1.0;
}
