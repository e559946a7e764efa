//! Tables as files.

use std::path::Path;

use posenc_files::format::{Facts, Format, write};
use posenc_text::with_stored;
use posenc_web_shared::request::Wish;
use serde::Deserialize;

/// A table, and the name of a file, whose extension is that of the format.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    table: Wish,
    file: String,
}

/// The most bytes of entries in a file. A file of text may have six times as many bytes.
const MOST: usize = 1 << 28;
const MOST_AS_TEXT: usize = 1 << 26;

/// Returns the bytes of the file.
pub(crate) fn save(Wanted { table, file }: &Wanted) -> Result<Vec<u8>, String> {
    let request = table.request()?;
    let output = Path::new(file);
    let format = Format::of(output, None)?;
    let most = if format.is_text() { MOST_AS_TEXT } else { MOST };
    with_stored!(table.dtype()?, T => {
        let rows = request.rows::<T>()?;
        let bytes = rows.bytes();
        if bytes > most {
            return Err(format!(
                "the table has {bytes} bytes, but the page saves tables of at most {most} in such a file; use the command"
            ));
        }
        let facts = Facts { shape: rows.shape(), is_vector: rows.is_vector(), call: &rows.call(), name: None, output };
        let mut saved = Vec::new();
        write(&format.parts(&facts)?, &rows, &mut saved, |_| ()).map_err(|error| error.to_string())?;
        Ok(saved)
    })
}
