//! The scaling rules, as the documentation of `Scaling` describes them.

mod attention;
mod pairs;

use posenc::Scaling;
use posenc::scaling::{Llama3, LongRope, Yarn};
use rug::Rational;

pub use attention::Attention;
pub use pairs::Pairs;

use crate::amplitude::Amplitude;
use crate::change::Change;
use crate::value::Source;

/// A scaling rule that owns its list of divisors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    /// The rule, without divisors.
    scaling: Scaling<'static>,
    divisors: Vec<f64>,
}

impl From<Scaling<'static>> for Rule {
    fn from(scaling: Scaling<'static>) -> Self {
        Self { scaling, divisors: Vec::new() }
    }
}

/// Returns a parameter as it is.
fn exactly(parameter: f64) -> Rational {
    Rational::from_f64(parameter).expect("finite")
}

impl Rule {
    pub fn longrope(divisors: Vec<f64>, factor: f64, length: usize) -> Self {
        Self { scaling: Scaling::longrope(&[], factor, length), divisors }
    }

    pub fn is_none(&self) -> bool {
        self.scaling == Scaling::None
    }

    pub fn scaling(&self) -> Scaling<'_> {
        match self.scaling {
            Scaling::LongRope(rule) => Scaling::LongRope(LongRope { factors: &self.divisors, ..rule }),
            scaling => scaling,
        }
    }

    /// Returns whether bounds do not matter, because the factor is 1. They are then allowed to be anywhere.
    fn has_no_band(&self) -> bool {
        matches!(self.scaling, Scaling::Yarn(Yarn { factor: 1.0, .. }) | Scaling::Llama3(Llama3 { factor: 1.0, .. }))
    }

    /// Returns the frequency of a pair.
    pub fn source(&self, of: Pairs, pair: usize) -> Source {
        let change = match self.scaling {
            Scaling::None => return Source::Power { base: of.base, exponent: of.exponent(pair) },
            Scaling::Linear(rule) => Change::Times(exactly(rule.factor).recip()),
            Scaling::Ntk(rule) => of.ntk(exactly(rule.alpha), pair),
            Scaling::Dynamic(rule) => {
                let longest = rule.seq_len.max(rule.max_position_embeddings);
                let ratio = Rational::from((longest, rule.max_position_embeddings));
                let factor = exactly(rule.factor);
                of.ntk(Rational::from(&factor * &ratio) - (factor - 1), pair)
            }
            _ if self.has_no_band() => Change::Times(Rational::from(1)),
            Scaling::Yarn(rule) => of.yarn(&rule, pair),
            Scaling::Llama3(rule) => of.llama3(&rule, pair),
            Scaling::LongRope(_) => Change::Times(exactly(self.divisors[pair]).recip()),
            Scaling::Proportional(rule) if pair < of.turning(rule.partial_rotary_factor) => {
                Change::Times(exactly(rule.factor).recip())
            }
            Scaling::Proportional(_) => return Source::Given(0.0),
            _ => unreachable!("no other rule is drawn"),
        };
        Source::Scaled { base: of.base, exponent: of.exponent(pair), change }
    }

    /// Returns whether the rule is allowed with this base and width, its numbers being in range.
    ///
    /// Rules that compare turns require that they fall from pair to pair. The band of `Llama3` must be empty, or at
    /// least a 256th of its lower end. The bounds of `YaRN` must be in order even if they are clamped to pairs from 0
    /// to `d - 1`. If not truncated, they must be in that range, and their turns must be equal or differ by a factor of
    /// 2.
    pub fn is_allowed(&self, of: Pairs) -> bool {
        match self.scaling {
            Scaling::Yarn(_) | Scaling::Llama3(_) if of.base <= 1.0 => false,
            _ if self.has_no_band() => true,
            Scaling::Llama3(Llama3 { low_freq_factor: low, high_freq_factor: high, .. }) => {
                low == high || exactly(high) * 256u32 >= exactly(low) * 257u32
            }
            Scaling::Yarn(rule) => {
                let ([fast, slow], last) = (of.bounds(&rule), of.width() - 1);
                if rule.truncate {
                    return slow >= 0 && fast <= last;
                }
                let far = rule.beta_fast >= 2.0 * rule.beta_slow;
                fast >= 0 && slow < last && (far || rule.beta_fast == rule.beta_slow)
            }
            _ => true,
        }
    }

    /// Returns the attention factor: a number whose square is certain to be rational, or one that is certain to be
    /// transcendental.
    ///
    /// A quotient of two different polynomials of degree 1 in a logarithm other than 0 is transcendental, because the
    /// logarithm is.
    pub fn attention_factor(&self) -> Amplitude {
        match self.scaling {
            Scaling::Yarn(Yarn { factor, mscale, mscale_all_dim, .. }) => {
                let given = mscale != 0.0 && mscale_all_dim != 0.0;
                let [above, below] = if given { [mscale, mscale_all_dim] } else { [1.0, 0.0] };
                if factor == 1.0 || above == below {
                    return Amplitude::Given(1.0);
                }
                Amplitude::Attention(Attention::Quotient { factor, above, below })
            }
            Scaling::LongRope(LongRope { factor, original_max_position_embeddings: length, .. }) if factor > 1.0 => {
                let attention = Amplitude::Attention(Attention::Root { factor, length });
                attention::square(factor, length).map_or(attention, Amplitude::root)
            }
            _ => Amplitude::Given(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::rules;
    use crate::value::Factors;
    use rug::Float;

    /// Returns how often the frequencies of the pairs are kept, changed to something in between, and divided.
    fn counts(rule: Scaling<'static>, base: f64, count: usize) -> [usize; 3] {
        let (rule, of) = (Rule::from(rule), Pairs { base, count });
        let factor = match rule.scaling {
            Scaling::Yarn(rule) => rule.factor,
            Scaling::Llama3(rule) => rule.factor,
            _ => unreachable!("not a rule with a band"),
        };
        let mut counts = [0; 3];
        for pair in 0..count {
            let Source::Scaled { change, .. } = rule.source(of, pair) else { unreachable!("a rule with a band") };
            let class = match change {
                Change::Times(times) if times == 1 => 0,
                Change::Times(times) if times == exactly(factor).recip() => 2,
                _ => 1,
            };
            counts[class] += 1;
        }
        counts
    }

    #[test]
    fn models_keep_and_divide_as_published() {
        let scout = Llama3 { high_freq_factor: 1.0, ..Llama3::new(16.0, 8192) };
        let gpt_oss = Yarn { truncate: false, ..Yarn::new(32.0, 4096) };
        assert_eq!(counts(Scaling::llama3(8.0, 8192), 500_000.0, 64), [29, 6, 29]);
        assert_eq!(counts(Scaling::llama3(32.0, 8192), 500_000.0, 32), [15, 3, 14]);
        assert_eq!(counts(Scaling::Llama3(scout), 500_000.0, 64), [35, 0, 29]);
        // Bounds of 10 and 23, of 23 and 40, and of 8.09 and 17.40.
        assert_eq!(counts(Scaling::yarn(40.0, 4096), 10_000.0, 32), [11, 12, 9]);
        assert_eq!(counts(Scaling::yarn(4.0, 32_768), 1e6, 64), [24, 16, 24]);
        assert_eq!(counts(Scaling::Yarn(gpt_oss), 150_000.0, 32), [9, 9, 14]);
    }

    #[test]
    fn digits_agree_with_more_digits() {
        let mut rng = Rng::of_block(11, 1);
        let mut changed = 0;
        for _ in 0..3000 {
            let of = Pairs { base: rng.of_any_size(-20, 40), count: rng.size(1, 64) };
            let rule = rules::rule(&mut rng, of);
            if !rule.is_allowed(of) {
                continue;
            }
            let source = rule.source(of, rng.size(0, of.count - 1));
            let [few, many] = [100, 900].map(|precision| source.frequency(Factors::ONE, precision));
            let difference = Float::with_val(900, &many - &few).abs();
            assert!(difference <= Float::with_val(900, &many >> 85u32), "{source:?}");
            changed += usize::from(many > 0);
            if let Amplitude::Attention(attention) = rule.attention_factor() {
                let [few, many] = [100, 900].map(|precision| attention.with_precision(precision));
                let difference = Float::with_val(900, &many - &few).abs();
                assert!(difference <= Float::with_val(900, &many >> 100u32), "{attention:?}");
            }
        }
        assert!(changed > 1500, "{changed}");
    }

    /// Returns the amplitude of a rule as an `f64`, and whether it is known exactly.
    fn factor(rule: &Rule) -> (f64, bool) {
        match rule.attention_factor() {
            Amplitude::Given(factor) => (factor, true),
            amplitude => (amplitude.with_precision(53).0.to_f64(), false),
        }
    }

    #[test]
    fn attention_factors_are_those_of_models() {
        let yarn = |factor, mscale, mscale_all_dim| {
            Rule::from(Scaling::Yarn(Yarn { mscale, mscale_all_dim, ..Yarn::new(factor, 4096) }))
        };
        assert_eq!(factor(&yarn(4.0, 0.0, 0.0)), (1.138_629_436_111_989, false));
        assert_eq!(factor(&yarn(40.0, 0.0, 1.0)), (1.368_887_945_411_393_6, false));
        assert_eq!(factor(&yarn(40.0, 0.707, 0.707)), (1.0, true));
        assert_eq!(factor(&yarn(1.0, 1.0, 0.5)), (1.0, true));
        let longrope = |factor, length| Rule::longrope(Vec::new(), factor, length);
        assert_eq!(factor(&longrope(32.0, 4096)), ((17f64 / 12.0).sqrt(), false));
        assert_eq!(factor(&longrope(512.0, 65_536)), (1.25, true));
        assert_eq!(factor(&longrope(8.0, 2)), (2.0, true));
        // The root of (7 + 9) / 9 is rational, but not dyadic.
        assert_eq!(factor(&longrope(128.0, 512)), (4.0 / 3.0, false));
        assert_eq!(factor(&longrope(0.5, 512)), (1.0, true));
    }

    #[test]
    fn zero_is_a_frequency() {
        let of = Pairs { base: 10_000.0, count: 10 };
        // In exact arithmetic the float below 0.3 would be the share of fewer than 3 pairs.
        let rule = Rule::from(Scaling::proportional(0.3));
        assert!((0..10).all(|pair| (rule.source(of, pair) == Source::Given(0.0)) == (pair >= 3)));
    }
}
