//! The file that was given to the page. It is read in parts, as they are needed.

use std::io;

use posenc_files::source::Source;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reads bytes of the file to a place in memory, and returns whether it did. An `f64` has the exact start.
    fn read(start: f64, length: usize, part: *mut u8) -> bool;
}

/// The file that the page has opened last.
pub(crate) struct Opened {
    pub(crate) size: u64,
}

impl Source for Opened {
    fn size(&self) -> u64 {
        self.size
    }

    fn fill(&self, place: u64, part: &mut [u8]) -> io::Result<()> {
        let is_within = place.checked_add(part.len() as u64).is_some_and(|end| end <= self.size);
        // SAFETY: the page writes only to `part`, as many bytes as it has.
        if is_within && unsafe { read(place as f64, part.len(), part.as_mut_ptr()) } {
            return Ok(());
        }
        Err(io::Error::other("the browser cannot read it; if it has changed, choose it again"))
    }
}
