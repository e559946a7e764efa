//! The bytes of a whole table, for a file.

use posenc_text::with_stored;

use crate::request::Wish;

/// The largest table, in bytes.
const MOST: usize = 1 << 28;

/// Returns the entries as bytes, row by row, in little-endian order, as all memory of WebAssembly is.
pub(crate) fn bytes(wish: &Wish) -> Result<Vec<u8>, String> {
    let request = wish.request()?;
    with_stored!(wish.dtype()?, T => {
        let rows = request.rows::<T>()?;
        if rows.bytes() > MOST {
            let bytes = rows.bytes();
            return Err(format!("the table has {bytes} bytes, but the page makes files of at most {MOST}; use the command"));
        }
        let mut entries = vec![T::default(); rows.shape().iter().product()];
        rows.fill(0, &mut entries);
        Ok(bytemuck::cast_slice(&entries).to_vec())
    })
}
