//! The hash in the file of a table: of its parameters, evaluated by the compiler, and of its bytes.
//!
//! It hashes words of 64 bits in four lanes, word `i` in lane `i % 4`, and finally the lanes and a length. Each step is
//! a bijection of the state for a given word, and of the word for a given state. So a change that is confined to one
//! word is always detected. Any other change goes undetected about once in 2^64 times. Between two words of a lane, the
//! state is multiplied, its upper half is added to the lower one without carries, and it is multiplied again. One
//! multiplication alone would leave a change of the top bit there. The other operations spread it before the next word
//! could undo it.
//!
//! It detects accidents and is not cryptographic: anyone can make a file with a given hash.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

#[cfg(feature = "alloc")]
use crate::element::bits::as_bytes_mut;

/// The fractional part of the golden ratio in 64 bits. It is odd, so multiplication by it is a bijection.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;

/// The fractional part of the square root of 2, with the last bit set.
const SECOND: u64 = 0x6a09_e667_f3bc_c909;

/// A hash of words.
pub(crate) struct Hash([u64; 4]);

impl Hash {
    pub(crate) const fn new() -> Self {
        Self([1, 2, 3, 4])
    }

    /// Adds words, the first of them to the first lane.
    ///
    /// Build scripts run this unoptimised. The pattern compares one length per four words and calls nothing.
    pub(crate) const fn add(&mut self, mut words: &[u64]) {
        let [a, b, c, d] = &mut self.0;
        while let [first, second, third, fourth, rest @ ..] = words {
            step(a, *first);
            step(b, *second);
            step(c, *third);
            step(d, *fourth);
            words = rest;
        }
        let mut lane = 0;
        while lane < words.len() {
            step(&mut self.0[lane], words[lane]);
            lane += 1;
        }
    }

    /// Returns the hash of the words and of their length, which may be in any unit.
    pub(crate) const fn finish(self, len: u64) -> u64 {
        let (mut hash, mut lane) = (len, 0);
        while lane < self.0.len() {
            step(&mut hash, self.0[lane]);
            lane += 1;
        }
        hash
    }
}

/// Hashes a word into the state.
///
/// The upper half of the first product also goes into the lower half. `rotate_left` would be a call in unoptimised
/// builds.
#[inline(always)]
const fn step(state: &mut u64, word: u64) {
    let product = (*state ^ word).wrapping_mul(FIRST);
    *state = (product ^ product >> 32).wrapping_mul(SECOND);
}

/// The number of words read and hashed at a time: a quarter of a mebibyte, which stays in the cache.
#[cfg(feature = "alloc")]
const PIECE: usize = 1 << 15;

/// A hash of bytes that arrive in pieces.
///
/// It hashes them as little-endian words, the last one padded with zeros, and their number.
#[cfg(feature = "alloc")]
pub(crate) struct Checksum {
    hash: Hash,
    words: Vec<u64>,
    len: u64,
}

#[cfg(feature = "alloc")]
impl Checksum {
    pub(crate) fn new() -> Self {
        Self { hash: Hash::new(), words: vec![0; PIECE], len: 0 }
    }

    /// Returns the checksum of the first `len` bytes of a file, of which `read` reads a piece at an offset.
    pub(crate) fn of_file<E>(len: u64, mut read: impl FnMut(u64, &mut [u8]) -> Result<(), E>) -> Result<u64, E> {
        let mut checksum = Self::new();
        while checksum.len < len {
            let (offset, room) = (checksum.len, checksum.room());
            let taken = (room.len() as u64).min(len - offset) as usize;
            read(offset, &mut room[..taken])?;
            checksum.took(taken);
        }
        Ok(checksum.finish())
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self.room();
            let taken = room.len().min(bytes.len());
            room[..taken].copy_from_slice(&bytes[..taken]);
            self.took(taken);
            bytes = &bytes[taken..];
        }
    }

    pub(crate) fn finish(mut self) -> u64 {
        let room = self.room();
        let rest = 8 * PIECE - room.len();
        room.fill(0);
        self.hash_words(rest.div_ceil(8));
        self.hash.finish(self.len)
    }

    /// Returns the space for the next bytes.
    fn room(&mut self) -> &mut [u8] {
        let filled = self.len % (8 * PIECE as u64);
        &mut as_bytes_mut(&mut self.words)[filled as usize..]
    }

    /// Records that `bytes` bytes have been written to `room`.
    fn took(&mut self, bytes: usize) {
        self.len += bytes as u64;
        if self.len % (8 * PIECE as u64) == 0 {
            self.hash_words(PIECE);
        }
    }

    fn hash_words(&mut self, count: usize) {
        let words = &mut self.words[..count];
        if cfg!(target_endian = "big") {
            for word in &mut *words {
                *word = word.swap_bytes();
            }
        }
        self.hash.add(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(words: &[u64]) -> u64 {
        let mut hash = Hash::new();
        hash.add(words);
        hash.finish(8 * words.len() as u64)
    }

    /// Hashes of the words 0, 1, 4, 9, ..., computed in Python. They must stay the same for existing files to be valid.
    #[test]
    fn the_hash_is_that_of_the_format() {
        let squares: Vec<u64> = (0..11).map(|i| i * i).collect();
        assert_eq!(hash(&[]), 0xb190_8d39_5ab2_0d1f);
        assert_eq!(hash(&squares), 0xffcc_9e21_dec8_4dc4);
        let mut bytes = Checksum::new();
        for square in &squares {
            bytes.add(&square.to_le_bytes());
        }
        assert_eq!(bytes.finish(), 0xffcc_9e21_dec8_4dc4);
        let mut three = Checksum::new();
        three.add(b"abc");
        assert_eq!(three.finish(), 0xc0b8_40e9_b09d_a8dc);
    }

    #[test]
    fn every_change_of_one_bit_and_of_two_top_bits_is_detected() {
        let words: Vec<u64> = (0..23).map(|i| FIRST.wrapping_mul(i)).collect();
        let changed = |changes: &[(usize, u64)]| {
            let mut changed = words.clone();
            for &(place, bits) in changes {
                changed[place] ^= bits;
            }
            hash(&changed)
        };
        let mut all = std::collections::BTreeSet::from([hash(&words)]);
        let mut add = |changes: &[(usize, u64)]| assert!(all.insert(changed(changes)), "{changes:?}");
        for place in 0..words.len() {
            (0..64).for_each(|bit| add(&[(place, 1 << bit)]));
            // The signs of entries: one in each of two words, and two in one word and one in another.
            for other in place + 1..words.len() {
                (0..64).for_each(|bit| add(&[(place, 1 << 63), (other, 1 << bit)]));
                add(&[(place, 1 << 63 | 1 << 31), (other, 1 << 63)]);
            }
        }
    }

    /// Pieces of any size, and any number of bytes, including more than are hashed at a time.
    #[test]
    fn bytes_in_pieces_are_hashed_as_words() {
        let bytes: Vec<u8> = (0..16 * PIECE as u32 + 13).map(|i| (i ^ i >> 7) as u8).collect();
        for len in [0, 1, 7, 8, 9, 31, 33, 8 * PIECE - 1, 8 * PIECE, 8 * PIECE + 1, bytes.len()] {
            let bytes = &bytes[..len];
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            let mut expected = Hash::new();
            expected.add(&words.collect::<Vec<_>>());
            let expected = expected.finish(len as u64);

            let read = |offset: u64, piece: &mut [u8]| -> Result<(), ()> {
                piece.copy_from_slice(&bytes[offset as usize..][..piece.len()]);
                Ok(())
            };
            assert_eq!(Checksum::of_file(len as u64, read), Ok(expected));
            for piece in [5, 4096, 8 * PIECE + 8] {
                let mut checksum = Checksum::new();
                bytes.chunks(piece).for_each(|piece| checksum.add(piece));
                assert_eq!(checksum.finish(), expected, "{len} bytes, {piece} at a time");
            }
        }
    }

    /// Zeros at the end count, although zeros also pad the last word.
    #[test]
    fn the_number_of_bytes_is_part_of_the_hash() {
        let sums = (0..40).map(|len| {
            let mut checksum = Checksum::new();
            checksum.add(&[0; 40][..len]);
            checksum.finish()
        });
        assert_eq!(sums.collect::<std::collections::BTreeSet<_>>().len(), 40);
    }

    #[test]
    fn what_cannot_be_read_has_no_checksum() {
        assert_eq!(Checksum::of_file(9, |_, _| Err("gone")), Err("gone"));
    }
}
