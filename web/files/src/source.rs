//! The file that was given to the page. It is read in parts, as they are needed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use posenc_files::source::Source;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reads bytes of the file to a place in memory, and returns 0 if it cannot. An `f64` has the exact start.
    fn read(start: f64, length: usize, part: *mut u8) -> u32;
}

/// The file that the page has opened last.
///
/// Every read of the browser takes about a millisecond, and a search reads single rows, some of them again. So the
/// file is read in blocks. They are kept until there are too many, and then all are forgotten.
pub(crate) struct Opened {
    size: u64,
    blocks: RefCell<BTreeMap<u64, Vec<u8>>>,
}

/// The size of a block in bytes, and the number of blocks that are kept.
const BLOCK: usize = 1 << 16;
const KEPT: usize = 64;

impl Opened {
    pub(crate) fn new(size: u64) -> Self {
        Self { size, blocks: RefCell::default() }
    }

    /// Reads bytes that are in a block, from a place in it on.
    fn of_block(&self, number: u64, from: usize, part: &mut [u8]) -> io::Result<()> {
        let mut blocks = self.blocks.borrow_mut();
        if let Some(block) = blocks.get(&number) {
            part.copy_from_slice(&block[from..][..part.len()]);
            return Ok(());
        }
        let start = number * BLOCK as u64;
        let mut block = vec![0; BLOCK.min(usize::try_from(self.size - start).unwrap_or(usize::MAX))];
        read_file(start, &mut block)?;
        part.copy_from_slice(&block[from..][..part.len()]);
        if blocks.len() == KEPT {
            blocks.clear();
        }
        blocks.insert(number, block);
        Ok(())
    }
}

impl Source for Opened {
    fn size(&self) -> u64 {
        self.size
    }

    fn fill(&self, place: u64, part: &mut [u8]) -> io::Result<()> {
        if place.checked_add(part.len() as u64).is_none_or(|end| end > self.size) {
            return Err(io::Error::other("it is too short"));
        }
        if part.len() >= BLOCK {
            return read_file(place, part);
        }
        let (number, from) = (place / BLOCK as u64, usize::try_from(place % BLOCK as u64).unwrap_or(0));
        let (first, second) = part.split_at_mut(part.len().min(BLOCK - from));
        self.of_block(number, from, first)?;
        if second.is_empty() { Ok(()) } else { self.of_block(number + 1, 0, second) }
    }
}

fn read_file(start: u64, part: &mut [u8]) -> io::Result<()> {
    // SAFETY: the page writes only to `part`, as many bytes as it has.
    if unsafe { read(start as f64, part.len(), part.as_mut_ptr()) } != 0 {
        return Ok(());
    }
    Err(io::Error::other("the browser cannot read it; if it has changed, choose it again"))
}
