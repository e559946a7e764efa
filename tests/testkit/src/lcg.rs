/// A linear congruential generator (Knuth's MMIX constants) for tests that need the same numbers in every run.
pub struct Lcg {
    /// Numbers to return first, before any is generated.
    given: std::vec::IntoIter<u64>,
    state: u64,
}

impl Lcg {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self { given: Vec::new().into_iter(), state: seed }
    }

    /// Starts a sequence with the numbers that a fuzzer gives: eight bytes each, the most significant one first.
    ///
    /// A change of one byte changes one decision. All later numbers are generated from one seed, whatever the bytes are.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let given: Vec<_> = bytes.as_chunks().0.iter().copied().map(u64::from_be_bytes).collect();
        Self { given: given.into_iter(), ..Self::stream(0, 0) }
    }

    /// Starts one of many sequences of a seed. Even consecutive ones have nothing in common.
    pub fn stream(seed: u64, number: u64) -> Self {
        let mixed = seed ^ number.wrapping_mul(0xd134_2543_de82_ef95);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self::new(mixed ^ mixed >> 31)
    }

    /// Returns the next 64 bits; the high ones are more random than the low ones.
    pub fn next_bits(&mut self) -> u64 {
        self.given.next().unwrap_or_else(|| {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.state
        })
    }

    /// Returns a multiple of 2^-24 from 0 to 1, excluding 1.
    pub fn unit(&mut self) -> f32 {
        (self.next_bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// Returns a multiple of 2^-53 from 0 to 1, excluding 1.
    pub fn fraction(&mut self) -> f64 {
        self.bits(53) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from `least` to `most`.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.fraction()
    }

    /// Returns `count` bits, at most 63.
    pub fn bits(&mut self, count: u64) -> u64 {
        self.next_bits() >> 1 >> (63 - count)
    }

    /// Returns an integer from 0 to below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        u64::try_from((u128::from(self.next_bits()) * u128::from(bound)) >> 64).expect("below the bound")
    }

    /// Returns an index from 0 to below `bound`.
    pub fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("below a usize")
    }

    /// Returns one of the choices.
    pub fn of<T: Copy>(&mut self, choices: impl AsRef<[T]>) -> T {
        let choices = choices.as_ref();
        choices[self.index(choices.len())]
    }

    /// Returns whether something happens that does so in one of `count` cases.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}
