//! Reproducible random numbers, so that a block can be run again: `SplitMix64` (Steele, Lea and Flood 2014).

/// A stream of random numbers.
pub struct Rng(u64);

impl Rng {
    /// Returns the stream of a block, which is independent of the streams of other seeds and blocks.
    pub fn of_block(seed: u64, block: u64) -> Self {
        let mut rng = Self(seed);
        rng.0 = rng.bits() ^ block.wrapping_mul(0xd134_2543_de82_ef95);
        rng.0 = rng.bits();
        rng
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns an integer from `low` to `high`, inclusive.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        let count = i128::from(high) - i128::from(low) + 1;
        let offset = (i128::from(self.bits()) * count) >> 64;
        i64::try_from(i128::from(low) + offset).expect("between two i64")
    }

    /// Returns a size from `low` to `high`, inclusive.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        let [low, high] = [low, high].map(|size| i64::try_from(size).expect("a size"));
        usize::try_from(self.integer(low, high)).expect("not negative")
    }

    /// Returns `true` with a probability of `percent` in a hundred.
    pub fn percent(&mut self, percent: i64) -> bool {
        self.integer(0, 99) < percent
    }

    /// Returns one of the items.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.size(0, from.len() - 1)]
    }

    /// Brings the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.size(0, i));
        }
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * f64::EPSILON / 2.0
    }

    /// Returns a positive number with 53 random bits. All exponents from `low` to `high` are equally likely.
    pub fn of_any_size(&mut self, low: i64, high: i64) -> f64 {
        let exponent = i32::try_from(self.integer(low, high)).expect("an exponent");
        // In two steps, for subnormal numbers.
        (1.0 + self.fraction()) * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    }

    /// Returns an integer from 1 to `2^bits`. All bit lengths are equally likely.
    pub fn integer_of_any_size(&mut self, bits: i64) -> i64 {
        let bits = self.integer(0, bits);
        self.integer(1, 1 << bits)
    }

    /// Returns the number or its negative.
    pub fn sign(&mut self, x: f64) -> f64 {
        if self.percent(50) { -x } else { x }
    }
}
