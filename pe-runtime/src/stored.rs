//! A table in a file: its entries, row by row in the byte order of the target, and behind them what table it is.
//!
//! The end of the file is the macro call that makes the table, as text; then the length of that (4 bytes), the fingerprint (8) and
//! [`MAGIC`] (8), the numbers in little-endian order.

use crate::amplitude::Amplitude;
use crate::const_table::{is_equal, refuse};
use crate::element::{Element, first_rows};
use crate::sentence::{
    Part::{Integer, Size, Text},
    Sentence,
};
use crate::spec::Spec;

/// What the file of a table ends with: also the version of the format.
pub(crate) const MAGIC: [u8; 8] = *b"posenc 1";

/// Behind the text.
const FIXED: usize = 4 + 8 + MAGIC.len();

/// The table in the file with these contents, which has to be that of `spec`: what `sinusoidal_table!` with the key `file` expands to
/// a call of. One copy, whatever the size.
///
/// # Panics
///
/// With a sentence, if it is not.
#[must_use]
#[track_caller]
pub const fn stored<T: Element, const N: usize, const D: usize>(file: &[u8], spec: Spec) -> [[T; D]; N] {
    if let Err(error) = spec.check_table::<T>(N, isize::MAX as usize) {
        refuse(&error.sentence());
    }
    let Some((entries, text, fingerprint)) = parts(file) else {
        refuse(&Sentence::new(
            "the file of {} bytes is none that `posenc::build_script::write_table` wrote, or has lost its end; write it anew",
            &[Size(file.len())],
        ))
    };
    if fingerprint != Fingerprint::of::<T>(&spec, N, cfg!(target_endian = "big")) {
        refuse(&Sentence::new(
            "the file holds another table than the one asked for here: `{}`; give the build script and this macro the same \
             element type, sizes and parameters",
            &[Text(text)],
        ));
    }
    if spec.d_model() != D || entries.len() != size_of::<[[T; D]; N]>() {
        refuse(&Sentence::new(
            "the file holds {} bytes of entries, but `{}` takes {}; write it anew",
            &[Size(entries.len()), Text(text), Integer(size_of::<[[T; D]; N]>() as i128)],
        ));
    }
    first_rows(entries)
}

/// Entries, text and fingerprint of a file, if it is one.
const fn parts(file: &[u8]) -> Option<(&[u8], &str, u64)> {
    if file.len() < FIXED {
        return None;
    }
    let (before, fixed) = file.split_at(file.len() - FIXED);
    let (numbers, magic) = fixed.split_at(FIXED - MAGIC.len());
    let len = little_endian(numbers.split_at(4).0) as usize;
    if !is_equal(magic, &MAGIC) || len > before.len() {
        return None;
    }
    let (entries, text) = before.split_at(before.len() - len);
    match core::str::from_utf8(text) {
        Ok(text) => Some((entries, text, little_endian(numbers.split_at(4).1))),
        Err(_) => None,
    }
}

const fn little_endian(bytes: &[u8]) -> u64 {
    let (mut value, mut i) = (0, bytes.len());
    while i > 0 {
        i -= 1;
        value = value << 8 | bytes[i] as u64;
    }
    value
}

/// A hash of all that a table depends on, its byte order included: FNV-1a of 64 bits.
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) const fn of<T: Element>(spec: &Spec, seq_len: usize, big_endian: bool) -> u64 {
        let Spec { d_model, base, freq_shift, frequencies, layout, order, columns, pairing, odd, .. } = *spec;
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        hash.numbers(&[
            T::FORMAT.width as u64,
            T::FORMAT.precision as u64,
            big_endian as u64,
            seq_len as u64,
            d_model as u64,
        ]);
        hash.numbers(&[base.to_bits(), freq_shift.to_bits(), spec.scale.to_bits()]);
        hash.numbers(&[layout as u64, order as u64, columns as u64, pairing as u64, odd as u64, spec.step as u64]);
        hash.numbers(&match spec.start {
            Some(start) => [1, start as u64],
            None => [0, 0],
        });
        hash.numbers(&match spec.zero_row {
            Some(row) => [1, row as u64],
            None => [0, 0],
        });
        hash.numbers(&match spec.amplitude {
            Amplitude::Value(value) => [0, value.to_bits()],
            Amplitude::RsqrtD => [1, 0],
            Amplitude::Sqrt2OverD => [2, 0],
        });
        if let Some(frequencies) = frequencies {
            let mut i = 0;
            while i < frequencies.len() {
                hash.numbers(&[frequencies[i].to_bits()]);
                i += 1;
            }
        }
        hash.0
    }

    const fn numbers(&mut self, numbers: &[u64]) {
        let mut i = 0;
        while i < numbers.len() {
            let mut byte = 0;
            while byte < 8 {
                self.0 = (self.0 ^ (numbers[i] >> (8 * byte) & 0xff)).wrapping_mul(0x100_0000_01b3);
                byte += 1;
            }
            i += 1;
        }
    }
}
