//! Entries counted by their distance.

use core::fmt::{Debug, Formatter, Result as FmtResult};

/// The number of entries at distances in one range, an item of [`Report::histogram`](crate::Report::histogram).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// The smallest distance, in ulps.
    pub min_ulps: u64,
    /// The largest distance, in ulps (`u64::MAX` represents 2^64).
    pub max_ulps: u64,
    /// The number of entries.
    pub count: u64,
}

/// Entries by distance: 0, 1, 2, up to 4, up to 8, ... up to 2^64 ulps.
#[derive(Clone, PartialEq)]
pub(super) struct Buckets([u64; 66]);

impl Default for Buckets {
    fn default() -> Self {
        Self([0; 66])
    }
}

impl Buckets {
    /// Counts an entry.
    pub(super) fn add(&mut self, ulps: u64) {
        let bucket = match ulps.checked_sub(1) {
            None => 0,
            Some(before) => 1 + (u64::BITS - before.leading_zeros()) as usize,
        };
        self.0[bucket] += 1;
    }

    /// Returns the buckets that are not empty.
    pub(super) fn filled(&self) -> impl Iterator<Item = Bucket> + '_ {
        let bounded = |(bucket, &count): (usize, &u64)| {
            let (min_ulps, max_ulps) = bounds(bucket);
            Bucket { min_ulps, max_ulps, count }
        };
        self.0.iter().enumerate().map(bounded).filter(|bucket| bucket.count > 0)
    }
}

fn bounds(bucket: usize) -> (u64, u64) {
    let power = |exponent| 1u64.checked_shl(exponent).unwrap_or(u64::MAX);
    match bucket as u32 {
        0 => (0, 0),
        1 => (1, 1),
        bucket => (power(bucket - 2) + 1, power(bucket - 1)),
    }
}

impl Debug for Buckets {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.debug_list().entries(self.filled()).finish()
    }
}
