/// A linear congruential generator (Knuth's MMIX constants) for tests that need the same numbers in every run.
pub struct Lcg(u64);

impl Lcg {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits; the high ones are more random than the low ones.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// Returns a multiple of 2^-24 from 0 to 1, excluding 1.
    pub fn unit(&mut self) -> f32 {
        (self.next_bits() >> 40) as f32 / (1 << 24) as f32
    }
}
