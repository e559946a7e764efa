//! A table in a file: its entries, row by row in the byte order of the target, and behind them what table it is.
//!
//! The end of the file is the macro call that makes the table, as text; then the length of that (4 bytes), the fingerprint (8) and
//! [`MAGIC`] (8), the numbers in little-endian order.

use crate::amplitude::Amplitude;
use crate::const_table::{is_equal, refuse};
use crate::element::Element;
use crate::fixed::is_zero;
use crate::sentence::{
    Part::{Size, Text},
    Sentence,
};
use crate::spec::Spec;

/// What the file of a table ends with: also the version of the format.
pub(crate) const MAGIC: [u8; 8] = *b"posenc 1";

/// Behind the text.
const FIXED: usize = 4 + 8 + MAGIC.len();

/// The entries in the file with these contents, which has to be that of the first `seq_len` rows of `spec`: what `sinusoidal_table!`
/// with the key `file` expands to a call of.
///
/// # Panics
///
/// With a sentence, if it is not.
#[must_use]
#[track_caller]
pub const fn stored<'f, T: Element>(file: &'f [u8], spec: &Spec, seq_len: usize) -> &'f [u8] {
    let bytes = match spec.check_table::<T>(seq_len, isize::MAX as usize) {
        Ok(bytes) => bytes,
        Err(error) => refuse(&error.sentence()),
    };
    let Some((entries, text, fingerprint)) = parts(file) else {
        refuse(&Sentence::new(
            "the file of {} bytes is none that `posenc::build_script::write_table` wrote, or has lost its end; write it anew",
            &[Size(file.len())],
        ))
    };
    if fingerprint != Fingerprint::of::<T>(spec, seq_len, cfg!(target_endian = "big")) {
        refuse(&Sentence::new(
            "the file holds another table than the one asked for here: {}; give the build script and this macro the same element \
             type, sizes and parameters",
            &[Text(told(text))],
        ));
    }
    if entries.len() != bytes {
        refuse(&Sentence::new(
            "the file holds {} bytes of entries, but {} takes {}; write it anew",
            &[Size(entries.len()), Text(told(text)), Size(bytes)],
        ));
    }
    entries
}

/// The text of a file, or the beginning of a long one.
const fn told(text: &[u8]) -> &str {
    let shown = if text.len() > 400 { text.split_at(400).0 } else { text };
    match core::str::from_utf8(shown) {
        Ok(text) => text,
        Err(_) => "one that it does not tell",
    }
}

/// Entries, text and fingerprint of a file, if it is one.
const fn parts(file: &[u8]) -> Option<(&[u8], &[u8], u64)> {
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
    Some((entries, text, little_endian(numbers.split_at(4).1)))
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
        hash.numbers(&[base.to_bits(), bits(freq_shift), bits(spec.scale)]);
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
            Amplitude::Value(value) => [0, bits(value)],
            Amplitude::RsqrtD => [1, 0],
            Amplitude::Sqrt2OverD => [2, 0],
        });
        if let Some(frequencies) = frequencies {
            let mut i = 0;
            while i < frequencies.len() {
                hash.numbers(&[bits(frequencies[i])]);
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

/// The bits of a parameter, of which the sign of a zero does not matter.
const fn bits(value: f64) -> u64 {
    if is_zero(value) { 0 } else { value.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bf16Bits, Columns, F16Bits, Layout, Odd, Order, Pairing, Preset};

    /// Each differs from all others in one parameter at least, and so does its table.
    #[test]
    fn no_two_tables_have_the_same_fingerprint() {
        let plain = Spec::new(6);
        let specs = [
            plain,
            Spec::new(8),
            plain.base(9999.0),
            plain.freq_shift(1.0),
            plain.freq_shift(-1.0),
            plain.scale(2.0),
            plain.layout(Layout::Halves),
            plain.order(Order::CosSin),
            plain.columns(Columns::Sin),
            plain.columns(Columns::Cos),
            plain.pairing(Pairing::Unpaired),
            plain.odd(Odd::Zero),
            plain.odd(Odd::Reject),
            plain.start(1),
            plain.start(-1),
            plain.step(2),
            plain.zero_row(0),
            plain.zero_row(1),
            plain.amplitude(Amplitude::Value(2.0)),
            plain.amplitude(Amplitude::RsqrtD),
            plain.amplitude(Amplitude::Sqrt2OverD),
            plain.frequencies(&[1.0, 0.5, 0.25]),
            plain.frequencies(&[1.0, 0.5, 0.125]),
            plain.frequencies(&[1.0, 0.25, 0.25]),
            plain.frequencies(&[0.5, 0.5, 0.25]),
            Spec::preset(Preset::ConformerRel, 6),
        ];
        let mut all = std::collections::BTreeSet::new();
        let mut add = |fingerprint, spec| assert!(all.insert(fingerprint), "{spec}");
        for spec in specs {
            for rows in [4, 5] {
                for big_endian in [false, true] {
                    add(Fingerprint::of::<f32>(&spec, rows, big_endian), spec);
                    add(Fingerprint::of::<f64>(&spec, rows, big_endian), spec);
                    add(Fingerprint::of::<F16Bits>(&spec, rows, big_endian), spec);
                    add(Fingerprint::of::<Bf16Bits>(&spec, rows, big_endian), spec);
                }
            }
        }
    }

    #[test]
    fn zeros_of_two_signs_are_the_same_parameter() {
        let of = |spec: Spec| Fingerprint::of::<f32>(&spec, 4, false);
        assert_eq!(of(Spec::new(6).freq_shift(-0.0)), of(Spec::new(6)));
        assert_eq!(of(Spec::new(4).frequencies(&[0.0, 1.0])), of(Spec::new(4).frequencies(&[-0.0, 1.0])));
    }
}
