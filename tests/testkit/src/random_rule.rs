//! Random scaling rules.

use posenc::Scaling;
use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};

use crate::Lcg;
use crate::case::Case;
use crate::real::power_of_two;

/// The longest context of a rule, or of the address space.
const LONGEST: usize = if usize::BITS > 40 { 1usize.wrapping_shl(40) } else { usize::MAX };

/// The names of the rules.
pub const RULES: [&str; 7] = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"];

impl Lcg {
    /// Returns a rule of this name that is valid for most widths and for bases greater than 1, and the list of `longrope`.
    pub(crate) fn rule(&mut self, name: &str, case: &Case) -> (Scaling<'static>, Vec<f64>) {
        let length = self.length();
        let rule = match name {
            "linear" => Scaling::linear(self.factor()),
            "ntk" => Scaling::ntk(self.factor()),
            "dynamic" => Scaling::dynamic(self.factor(), length, self.length()),
            "yarn" => {
                let [beta_slow, beta_fast] = self.two_turns(case, length);
                let [mscale, mscale_all_dim] = [(); 2].map(|()| self.mscale());
                let mscale_all_dim = if self.one_in(4) { mscale } else { mscale_all_dim };
                let truncate = self.one_in(2);
                let plain = Yarn::new(self.factor(), length);
                Scaling::Yarn(Yarn { beta_fast, beta_slow, truncate, mscale, mscale_all_dim, ..plain })
            }
            "llama3" => {
                let [low_freq_factor, high_freq_factor] = self.two_turns(case, length);
                Scaling::Llama3(Llama3 { low_freq_factor, high_freq_factor, ..Llama3::new(self.factor(), length) })
            }
            "longrope" => {
                // Both may be powers of one number, so that the attention factor is rational.
                let [i, j] = [(); 2].map(|()| 1 + self.index(3));
                let powers = (7u32.pow(i.try_into().expect("small")).into(), 7usize.pow(j.try_into().expect("small")));
                let any = (if self.one_in(4) { self.fraction() } else { self.factor() }, length);
                let (factor, length) = if self.one_in(2) { powers } else { any };
                return (Scaling::longrope(&[], factor, length), self.divisors(case.frequency_count()));
            }
            _ => {
                let any = self.between(0.05, 1.0);
                let partial_rotary_factor = self.of([0.25, 0.3, 0.5, 1.0, any]);
                Scaling::Proportional(Proportional { partial_rotary_factor, factor: self.factor() })
            }
        };
        (rule, Vec::new())
    }

    /// Returns a rule of this name, of which the numbers and lengths are anything.
    pub(crate) fn wild_rule(&mut self, name: &str) -> (Scaling<'static>, Vec<f64>) {
        let [factor, two, three, four, five] = [(); 5].map(|()| self.wild());
        let [length, seq_len] = [(); 2].map(|()| self.wild_length());
        let rule = match name {
            "linear" => Scaling::Linear(Linear { factor }),
            "ntk" => Scaling::Ntk(Ntk { alpha: factor }),
            "dynamic" => Scaling::Dynamic(Dynamic { factor, max_position_embeddings: length, seq_len }),
            "yarn" => Scaling::Yarn(Yarn {
                factor,
                original_max_position_embeddings: length,
                beta_fast: two,
                beta_slow: three,
                truncate: self.one_in(2),
                mscale: four,
                mscale_all_dim: five,
            }),
            "llama3" => Scaling::Llama3(Llama3 {
                factor,
                original_max_position_embeddings: length,
                low_freq_factor: two,
                high_freq_factor: three,
            }),
            "longrope" => {
                Scaling::LongRope(LongRope { factors: &[], factor, original_max_position_embeddings: length })
            }
            _ => Scaling::Proportional(Proportional { partial_rotary_factor: two, factor }),
        };
        (rule, (0..self.index(20)).map(|_| self.wild()).collect())
    }

    fn factor(&mut self) -> f64 {
        match self.below(8) {
            0 => self.of([1.0, 65_536.0, 65_536f64.next_down(), 1f64.next_up()]),
            1..5 => self.between(1.0, 64.0),
            _ => (1 + self.below(15)) as f64,
        }
    }

    fn length(&mut self) -> usize {
        let (any, short) = (64 + self.index(1 << 17), 2 + self.index(62));
        self.of([4096, any, short, LONGEST])
    }

    /// Returns any number of rows, often one at the limit of a context.
    pub fn wild_length(&mut self) -> usize {
        let (any, short) = (self.index(usize::MAX), self.index(10_000));
        let near = LONGEST - self.index(10);
        self.of([short, any, near, LONGEST.saturating_add(1)])
    }

    /// Returns a scale of the attention factor.
    fn mscale(&mut self) -> f64 {
        let any = self.between(0.0, 1024.0);
        self.of([0.0, 1.0, 0.707, any])
    }

    /// Returns the divisors of `longrope`.
    pub(crate) fn divisors(&mut self, count: usize) -> Vec<f64> {
        let mut divisor = || match self.below(4) {
            0 => 1.0,
            1 => self.between(1.0, 100.0),
            2 => self.between(-32.0, 32.0).exp2(),
            _ => self.of([power_of_two(-32), power_of_two(32)]),
        };
        (0..count).map(|_| divisor()).collect()
    }

    /// Returns turns up to which a pair is divided, and from which one is kept.
    fn two_turns(&mut self, case: &Case, length: usize) -> [f64; 2] {
        let (one, other) = (self.turns(case, length), self.turns(case, length));
        match self.below(6) {
            0 => [1.0, 32.0],
            1 => self.of([[1.0, 4.0], [1.0, 1.0]]),
            2 => [self.between(0.01, 2.0), self.between(2.5, 100.0)],
            3 => [one; 2],
            _ => [one.min(other), one.max(other)],
        }
    }

    /// Returns any turns in their range, or the floats around the turns of a pair.
    fn turns(&mut self, case: &Case, length: usize) -> f64 {
        if self.one_in(2) {
            return self.between(-20.0, 20.0).exp2();
        }
        let count = case.frequency_count();
        let pair = self.index(count);
        let turns = length as f64 * case.base.powf(-(pair as f64) / count as f64) / std::f64::consts::TAU;
        let turns = self.of([turns.next_down(), turns, turns.next_up()]);
        turns.clamp(power_of_two(-20), power_of_two(20))
    }
}
