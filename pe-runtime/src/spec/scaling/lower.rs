//! The checks of a scaling rule, and what the arithmetic needs to know of it.

use crate::exact::constants::{HALF_LOG2_E, LOG2_TAU};
use crate::exact::factor::Size;
use crate::exact::format::{decompose, integer_part_of_product};
use crate::exact::frequency_rule::FrequencyRounding;
use crate::exact::frequency_rule::{Exponents, Family, FrequencyRule, Unit};
use crate::exact::logarithm::{Base, Ratio};
use crate::exact::product::floor_of_root;
use crate::exact::scaling::{Divisor, LoweredScaling, Sure, THERE_ARE_RULES};
use crate::float_bits::{is_zero, power_of_two, sign};
use crate::spec::Spec;
use crate::spec::choices::FrequencyDtype;
use crate::spec::error::SpecError;
use crate::spec::scaling::{
    Dynamic, LEAST, LEAST_OF_LONGROPE, Linear, Llama3, LongRope, Ntk, Proportional, Scaling, Yarn,
};

/// The largest original context.
const MAX_LENGTH: u64 = 1 << 40;

impl<'a> Spec<'a> {
    /// Checks the scaling rule of a spec whose other parameters are valid, and lowers it.
    pub(crate) const fn lower_scaling(&self) -> Result<LoweredScaling<'a>, SpecError> {
        if !THERE_ARE_RULES {
            return match self.parameters.scaling {
                Scaling::None if self.parameters.freq_offset.0 != 0 => {
                    Err(SpecError::ScalingFeature { parameter: "freq_offset", value: "..." })
                }
                Scaling::None if !matches!(self.parameters.frequency_dtype, FrequencyDtype::Exact) => {
                    Err(SpecError::ScalingFeature { parameter: "frequency_dtype", value: "..." })
                }
                Scaling::None => Ok(LoweredScaling::None),
                rule => Err(SpecError::ScalingFeature { parameter: "scaling", value: rule.name() }),
            };
        }
        let pairs = self.arrangement().frequencies();
        let rule =
            RuleOfPairs { name: self.parameters.scaling.name(), pairs, base: self.parameters.frequencies.base() };
        match self.parameters.scaling {
            Scaling::None => Ok(LoweredScaling::None),
            Scaling::Linear(Linear { factor }) => rule.linear(factor),
            Scaling::Ntk(Ntk { alpha }) => {
                let Divisor { numerator, denominator } = try_const!(rule.factor("alpha", alpha));
                Ok(rule.ntk(Ratio { numerator, denominator }))
            }
            Scaling::Dynamic(dynamic) => rule.dynamic(&dynamic),
            Scaling::Yarn(yarn) => rule.yarn(&yarn),
            Scaling::Llama3(llama3) => rule.llama3(&llama3),
            Scaling::LongRope(longrope) => rule.longrope(&longrope),
            Scaling::Proportional(proportional) => rule.proportional(&proportional),
        }
    }
}

/// A rule's name, and the frequencies that it changes: `base^(-i / pairs)`.
#[derive(Debug)]
struct RuleOfPairs {
    name: &'static str,
    pairs: usize,
    base: f64,
}

impl RuleOfPairs {
    const fn error<T>(&self, parameter: &'static str, value: f64, expected: &'static str) -> Result<T, SpecError> {
        Err(SpecError::Scaling { rule: self.name, parameter, index: None, value, expected })
    }

    /// Returns the number if it is from 1 to 65,536.
    const fn factor(&self, parameter: &'static str, value: f64) -> Result<Divisor, SpecError> {
        if value >= 1.0 && value <= Divisor::MAX {
            Ok(Divisor::of(value))
        } else {
            self.error(parameter, value, "from 1 to 65536; 1 changes nothing")
        }
    }

    const fn length(&self, parameter: &'static str, value: usize, least: usize) -> Result<f64, SpecError> {
        if value >= least && value as u64 <= MAX_LENGTH {
            Ok(value as f64)
        } else {
            Err(SpecError::ScalingLength { rule: self.name, parameter, value: value as i128, least })
        }
    }

    /// Checks that a number is in a range of numbers that are not negative.
    ///
    /// Its sign is tested by the bits: if a processor treats subnormal numbers as zeros, then -1e-310 is not below 0.
    const fn in_range(
        &self,
        parameter: &'static str,
        value: f64,
        (least, most): (f64, f64),
        expected: &'static str,
    ) -> Result<(), SpecError> {
        if sign(value) >= 0 && value >= least && value <= most {
            Ok(())
        } else {
            self.error(parameter, value, expected)
        }
    }

    const fn linear<'a>(&self, factor: f64) -> Result<LoweredScaling<'a>, SpecError> {
        try_const!(self.factor("factor", factor));
        Ok(if factor == 1.0 { LoweredScaling::None } else { LoweredScaling::Linear(factor) })
    }

    /// The frequencies are multiplied by `alpha^(-2k / (d - 2))`.
    const fn ntk<'a>(&self, alpha: Ratio) -> LoweredScaling<'a> {
        if self.pairs == 1 || alpha.numerator == alpha.denominator {
            return LoweredScaling::None;
        }
        let step = Ratio { numerator: 1, denominator: self.pairs as u128 - 1 };
        LoweredScaling::Power { base: Base::ratio(alpha), step }
    }

    const fn dynamic<'a>(
        &self,
        &Dynamic { factor, max_position_embeddings, seq_len }: &Dynamic,
    ) -> Result<LoweredScaling<'a>, SpecError> {
        let Divisor { numerator, denominator } = try_const!(self.factor("factor", factor));
        try_const!(self.length("max_position_embeddings", max_position_embeddings, LEAST));
        try_const!(self.length("seq_len", seq_len, LEAST));
        let beyond = seq_len.saturating_sub(max_position_embeddings) as u128;
        // (factor (n - M) + M) / M, below 2^94.
        let whole = max_position_embeddings as u128 * denominator;
        Ok(self.ntk(Ratio { numerator: numerator * beyond + whole, denominator: whole }))
    }

    const fn yarn<'a>(&self, yarn: &Yarn) -> Result<LoweredScaling<'a>, SpecError> {
        let Yarn { factor, beta_fast, beta_slow, .. } = *yarn;
        let number = factor;
        let factor = try_const!(self.factor("factor", factor));
        let length =
            try_const!(self.length("original_max_position_embeddings", yarn.original_max_position_embeddings, LEAST));
        let positive = "from 2^-20 to 2^20";
        try_const!(self.in_range("beta_fast", beta_fast, TURNS, positive));
        try_const!(self.in_range("beta_slow", beta_slow, TURNS, positive));
        try_const!(self.in_range("mscale", yarn.mscale, MSCALE, "from 0 to 1024"));
        try_const!(self.in_range("mscale_all_dim", yarn.mscale_all_dim, MSCALE, "from 0 to 1024"));
        try_const!(self.falling_base());
        if beta_slow > beta_fast {
            return self.error("beta_slow", beta_slow, "at most `beta_fast`");
        }
        if number == 1.0 {
            return Ok(LoweredScaling::None);
        }
        let d = 2 * self.pairs;
        let [above_fast, above_slow] =
            [self.count_exceeding(length, beta_fast, d + 1), self.count_exceeding(length, beta_slow, d)];
        if above_slow == 0 {
            return self.error("beta_slow", beta_slow, BELOW_THE_FIRST);
        }
        if !yarn.truncate {
            if above_fast == 0 {
                return self.error("beta_fast", beta_fast, BELOW_THE_FIRST_UNLESS_TRUNCATED);
            }
            if above_slow == d {
                return self.error("beta_slow", beta_slow, ABOVE_THE_LAST);
            }
            return if beta_fast == beta_slow {
                Ok(Self::step(at_most(above_fast, self.pairs), factor, number))
            } else if integer_turns(beta_fast) < 2 * integer_turns(beta_slow) {
                self.error(
                    "beta_fast",
                    beta_fast,
                    "equal to `beta_slow`, or at least twice as great, if `truncate` is false",
                )
            } else {
                let step = Ratio { numerator: 1, denominator: self.pairs as u128 };
                let (least, most) = (beta_slow, beta_fast);
                let sure = Sure { kept: above_fast, divided: above_slow };
                Ok(LoweredScaling::LogBand { factor, length, least, most, base: self.base, step, sure })
            };
        }
        // Turns fall with the pair, and never equal a number (they are transcendental).
        let (low, high) = (above_fast.saturating_sub(1), at_most(above_slow, d - 1));
        if low > high {
            return self.error("beta_fast", beta_fast, ABOVE_THE_LAST);
        }
        Ok(LoweredScaling::Ramp { factor, low, high })
    }

    const fn llama3<'a>(&self, llama3: &Llama3) -> Result<LoweredScaling<'a>, SpecError> {
        let Llama3 { factor: number, low_freq_factor: least, high_freq_factor: most, .. } = *llama3;
        let factor = try_const!(self.factor("factor", number));
        let length =
            try_const!(self.length("original_max_position_embeddings", llama3.original_max_position_embeddings, LEAST));
        try_const!(self.in_range("low_freq_factor", least, TURNS, "from 2^-20 to 2^20"));
        try_const!(self.in_range("high_freq_factor", most, TURNS, "from 2^-20 to 2^20"));
        try_const!(self.falling_base());
        if most < least {
            return self.error("low_freq_factor", least, "at most `high_freq_factor`");
        }
        if number == 1.0 {
            return Ok(LoweredScaling::None);
        }
        if least == most {
            return Ok(Self::step(self.count_exceeding(length, least, self.pairs), factor, number));
        }
        if 256 * (integer_turns(most) - integer_turns(least)) < integer_turns(least) {
            return self.error("high_freq_factor", most, "equal to `low_freq_factor`, or at least 257/256 of it");
        }
        let sure = Sure {
            kept: self.count_exceeding(length, most, self.pairs),
            divided: self.count_exceeding(length, least, self.pairs),
        };
        Ok(LoweredScaling::Band { factor, length, least, most, sure })
    }

    const fn longrope<'a>(&self, longrope: &LongRope<'a>) -> Result<LoweredScaling<'a>, SpecError> {
        let LongRope { factors, factor, original_max_position_embeddings } = *longrope;
        if factors.len() != self.pairs {
            return Err(SpecError::FactorCount { given: factors.len(), needed: self.pairs });
        }
        let mut i = 0;
        while i < factors.len() {
            let (value, expected) = (factors[i], "from 2^-32 to 2^32");
            if self.in_range("factors", value, FACTORS, expected).is_err() {
                let (rule, parameter, index) = (self.name, "factors", Some(i));
                return Err(SpecError::Scaling { rule, parameter, index, value, expected });
            }
            i += 1;
        }
        try_const!(self.in_range("factor", factor, (0.0, Divisor::MAX), "from 0 to 65536"));
        try_const!(self.length(
            "original_max_position_embeddings",
            original_max_position_embeddings,
            LEAST_OF_LONGROPE
        ));
        Ok(LoweredScaling::Each(factors))
    }

    const fn proportional<'a>(
        &self,
        &Proportional { partial_rotary_factor: share, factor }: &Proportional,
    ) -> Result<LoweredScaling<'a>, SpecError> {
        try_const!(self.factor("factor", factor));
        let count = if share > 0.0 && share <= 1.0 { integer_part_of_product(share, 2 * self.pairs) / 2 } else { 0 };
        if count == 0 {
            return self.error("partial_rotary_factor", share, "at most 1, and large enough for one pair");
        }
        Ok(if count == self.pairs && factor == 1.0 {
            LoweredScaling::None
        } else {
            LoweredScaling::First { count, factor }
        })
    }

    /// Returns the rule that keeps the first `count` pairs and divides all others.
    const fn step<'a>(count: usize, factor: Divisor, number: f64) -> LoweredScaling<'a> {
        match count {
            0 => LoweredScaling::Linear(number),
            _ => LoweredScaling::Ramp { factor, low: count - 1, high: count },
        }
    }

    /// Checks that the turns fall from pair to pair.
    const fn falling_base(&self) -> Result<(), SpecError> {
        if self.base > 1.0 { Ok(()) } else { self.error("base", self.base, "greater than 1") }
    }

    /// Returns how many of the first `count` pairs have more turns in `length` positions than `threshold`. They may be beyond
    /// the last pair.
    ///
    /// Logarithms in 32 bits nearly always decide. Bisection decides between the pairs that they leave, which takes microseconds
    /// for each comparison.
    const fn count_exceeding(&self, length: f64, threshold: f64, count: usize) -> usize {
        let [mut least, mut most] = self.enclose_count(length, threshold, count);
        while least < most {
            let middle = usize::midpoint(least, most);
            if self.frequencies().turns_exceed(middle, length, threshold) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        least
    }

    const fn frequencies(&self) -> FrequencyRule<'static> {
        let step = Ratio { numerator: 1, denominator: self.pairs as u128 };
        let family = Family::Geometric { base: self.base, exponents: Exponents::multiples(step) };
        FrequencyRule {
            family,
            scaling: LoweredScaling::None,
            rounding: FrequencyRounding::None,
            scale: 1.0,
            unit: Unit::ONE,
        }
    }

    /// Returns two bounds of what [`count_exceeding`](Self::count_exceeding) does.
    ///
    /// Pair `i` has `length base^(-i / pairs) / 2π` turns. They fall to the threshold at
    /// `pairs log2(length / (2π threshold)) / log2(base)`. Both logarithms are off by less than [`LOG2_ERROR`].
    const fn enclose_count(&self, length: f64, threshold: f64, count: usize) -> [usize; 2] {
        let octaves = log2(length) - log2(threshold) - log2_tau();
        let of_base = log2(self.base);
        if octaves < -LOG2_ERROR {
            return [0; 2];
        }
        if octaves < LOG2_ERROR || of_base <= LOG2_ERROR {
            return [0, count];
        }
        // Below 2^23 times 2^39.
        let least = self.pairs as u64 * (octaves - LOG2_ERROR) as u64 / (of_base + LOG2_ERROR) as u64;
        let most = self.pairs as u64 * (octaves + LOG2_ERROR) as u64 / (of_base - LOG2_ERROR) as u64;
        [count_up_to(least, count), count_up_to(most, count)]
    }
}

/// A bound of what the logarithms of two numbers and of 2π are off by together, in units of `2^-32`.
const LOG2_ERROR: i64 = 2 * 16 + 1;

/// Returns the logarithm to base 2 of a finite number greater than 0, in units of `2^-32`, off by less than 16 of them.
///
/// With the number `2^e m`, it is `e + 2 / ln(2) (z + z^3/3 + z^5/5 + ...)`, where `z = (m - 1)/(m + 1)` is at most 1/3. Truncating
/// `m` to 31 bits changes the logarithm by less than 5.8 units over `m`. The quotient is rounded down by less than one, and the
/// slope is at most 3.3. With `s = z^2`, the sum over `4 z` is `v_0`, and the steps are `v_j = c / (2j + 1) + s v_(j+1)` with
/// `c = 1 / (2 ln 2)`. Each is off by less than 4 units and a ninth of the error before, so `v_0` by less than 4.5, which adds
/// less than 18 units times `z`. The last product is rounded down by less than one, and the omitted terms are less than one.
/// The total, `5.8 / m + 3.3 + 18 z + 2`, grows with `m` and is below 14.3.
const fn log2(number: f64) -> i64 {
    const ONE: u64 = 1 << 30;
    const TERMS: u32 = 9;
    let (mantissa, exponent) = decompose(number);
    let mantissa = mantissa >> 22;
    let z = ((mantissa - ONE) << 32) / (mantissa + ONE);
    let (square, mut sum, mut j) = ((z * z) >> 32, 0, TERMS);
    while j > 0 {
        j -= 1;
        sum = ((square * sum) >> 32) + ((HALF_LOG2_E[0] >> 32) as u32 / (2 * j + 1)) as u64;
    }
    ((exponent as i64) << 32) + ((z * sum) >> 30) as i64
}

/// Returns the logarithm of 2π to base 2, in units of `2^-32` and rounded down.
const fn log2_tau() -> i64 {
    (2 << 32) + (LOG2_TAU[0] >> 32) as i64
}

/// Returns how many of the first `count` indices are at most `last`.
const fn count_up_to(last: u64, count: usize) -> usize {
    if last < count as u64 { last as usize + 1 } else { count }
}

const fn at_most(number: usize, most: usize) -> usize {
    if number < most { number } else { most }
}

// What the turns between which a rule blends must be.
const BELOW_THE_FIRST: &str = "less than the turns of the first pair, the original context / 2π";
const BELOW_THE_FIRST_UNLESS_TRUNCATED: &str =
    "less than the turns of the first pair, the original context / 2π, if `truncate` is false";
const ABOVE_THE_LAST: &str = "greater: even the slowest pair turns more often in the original context; raise it or `base`, or shorten the context";

const TURNS: (f64, f64) = (power_of_two(-20), power_of_two(20));
const MSCALE: (f64, f64) = (0.0, 1024.0);
const FACTORS: (f64, f64) = (power_of_two(-32), power_of_two(32));

/// Returns a number of turns in units of `2^-72`, in which all that are in range are integers.
const fn integer_turns(turns: f64) -> u128 {
    let (mantissa, exponent) = decompose(turns);
    (mantissa as u128) << (exponent + 20)
}

impl Scaling<'_> {
    /// Returns whether the rule multiplies entries by a factor other than 1, as long as none is set.
    pub(crate) const fn has_attention_factor(&self) -> bool {
        !matches!(self.attention_factor(), Size::Rational(factor, 1.0) if factor == 1.0)
    }

    /// Returns the attention factor of a rule that has been checked.
    pub(crate) const fn attention_factor(&self) -> Size {
        match *self {
            _ if !THERE_ARE_RULES => Size::ONE,
            Self::Yarn(Yarn { factor, mscale, mscale_all_dim, .. }) => {
                let given = !is_zero(mscale) && !is_zero(mscale_all_dim);
                let (over, under) = if given { (mscale, mscale_all_dim) } else { (1.0, 0.0) };
                // By their bits, because a program may have its processor treat subnormal numbers as zeros.
                let cancels = over.to_bits() == under.to_bits();
                if factor == 1.0 || cancels { Size::ONE } else { Size::Mscale { factor, over, under } }
            }
            Self::LongRope(LongRope { factor, original_max_position_embeddings: length, .. }) if factor > 1.0 => {
                match rational_root(factor, length as u64) {
                    Some((numerator, denominator)) => Size::quotient(numerator, denominator),
                    None => Size::LongRope { factor, length: length as f64 },
                }
            }
            _ => Size::ONE,
        }
    }
}

/// Returns `sqrt(1 + ln(factor) / ln(length))` in lowest terms if it is a rational number.
///
/// If the root is `m / n`, the quotient of the logarithms is `(m m - n n) / (n n)`, in lowest terms too. So both numbers are
/// powers of one integer: `factor` with the exponent `m m - n n`, which is at most 16, because `factor` is at most `2^16`,
/// and `length` with the exponent `n n`, which is at most 40, because `length` is at most `2^40`.
const fn rational_root(factor: f64, length: u64) -> Option<(u64, u64)> {
    let mut n = 1u32;
    while n <= 6 {
        // The number of twos in a power is a multiple of the exponent, which excludes most contexts without a root.
        let may_be_power = length.trailing_zeros() % (n * n) == 0;
        let base = if may_be_power { floor_of_root(length, n * n) } else { 0 };
        let mut m = n + 1;
        while base > 0 && m * m - n * n <= 16 {
            if base.pow(n * n) == length && is_power(factor, base, m * m - n * n) {
                return Some((m as u64, n as u64));
            }
            m += 1;
        }
        n += 1;
    }
    None
}

/// Returns whether a number up to 65,536 is a power of an integer of at least 2.
const fn is_power(number: f64, base: u64, power: u32) -> bool {
    match base.checked_pow(power) {
        Some(integer) if integer <= 65_536 => number == integer as f64,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::MAX_D_MODEL;
    use crate::properties;

    fn any_rule() -> impl Strategy<Value = RuleOfPairs> {
        let base = prop_oneof![1.000_000_1..1.000_1, 1.000_1..1.5, 2.0..1e3, 1e3..1e9];
        let pairs = prop_oneof![1usize..300, 1usize..=MAX_D_MODEL / 2];
        (pairs, base).prop_map(|(pairs, base)| RuleOfPairs { name: "yarn", pairs, base })
    }

    properties! {
        #![cases(256)]

        #[test]
        fn pairs_are_counted(rule in any_rule(), length in 1u64..1 << 40, exponent in -20..=20, share in 0usize..=200) {
            let (length, threshold) = (length as f64, power_of_two(exponent));
            let count = 2 * rule.pairs * share / 200;
            let (mut exceeding, mut not) = (0, count);
            while exceeding < not {
                let middle = usize::midpoint(exceeding, not);
                if rule.frequencies().turns_exceed(middle, length, threshold) {
                    exceeding = middle + 1;
                } else {
                    not = middle;
                }
            }
            prop_assert_eq!(rule.count_exceeding(length, threshold, count), exceeding);
        }
    }

    #[test]
    #[allow(clippy::float_arithmetic, reason = "errors are measured")]
    fn logarithms_are_as_precise_as_stated() {
        let mut worst = 0f64;
        for i in 0..200_000u64 {
            // The golden ratio spreads the mantissas.
            let mantissa = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12;
            for exponent in [-20, 0, 39] {
                let number = f64::from_bits(1023 << 52 | mantissa) * power_of_two(exponent);
                worst = worst.max((log2(number) as f64 - number.log2() * power_of_two(32)).abs());
            }
        }
        assert!((8.0..16.0).contains(&worst), "{worst}");
        assert_eq!([log2(0.5), log2(1.0), log2(8.0)], [-1 << 32, 0, 3 << 32]);
    }

    /// Logarithms leave pairs undecided if the base is near 1, or if a pair's turns are next to the threshold.
    #[test]
    fn logarithms_enclose_the_number_of_pairs() {
        let few = |pairs, base, threshold| {
            let rule = RuleOfPairs { name: "llama3", pairs, base };
            let [least, most] = rule.enclose_count(26.0, threshold, 2 * pairs);
            assert!((least..=most).contains(&rule.count_exceeding(26.0, threshold, 2 * pairs)));
            most - least
        };
        assert_eq!(few(64, 500_000.0, 1.0), 0);
        assert_eq!(few(MAX_D_MODEL / 2, 500_000.0, 1.0), 0);
        assert_eq!(few(256, 1.0 + f64::EPSILON, 4.0), 512);
        let turns = 26.0 / core::f64::consts::TAU;
        let undecided = few(MAX_D_MODEL / 2, 1.000_01, turns * (1.0 - power_of_two(-18)));
        assert!((1..20_000).contains(&undecided), "{undecided}");
        assert_eq!(few(256, 1.01, turns), 512);
        assert_eq!(few(256, 16.0, turns / 16f64.sqrt()), 1);
    }

    /// Lowers `YaRN` for 8 columns of base 2: pair `i` has `159.15 2^(-i / 4)` turns, 47.3 for pair 7, and 39.8 for pair 8.
    fn yarn(beta_fast: f64, beta_slow: f64, truncate: bool) -> Result<LoweredScaling<'static>, SpecError> {
        let rule = Yarn { beta_fast, beta_slow, truncate, ..Yarn::new(8.0, 1000) };
        Spec::new(8).base(2.0).scaling(Scaling::Yarn(rule)).lower_scaling()
    }

    #[test]
    fn bounds_are_at_most_the_last_column() {
        let bounds = |beta_fast, beta_slow| match yarn(beta_fast, beta_slow, true) {
            Ok(LoweredScaling::Ramp { low, high, .. }) => Some((low, high)),
            _ => None,
        };
        assert_eq!(bounds(100.0, 50.0), Some((2, 7)));
        assert_eq!(bounds(100.0, 45.0), Some((2, 7)));
        assert_eq!(bounds(100.0, 1.0), Some((2, 7)));
        assert_eq!(bounds(50.0, 1.0), Some((6, 7)));
        assert_eq!(bounds(45.0, 1.0), Some((7, 7)));
        assert_eq!(bounds(39.0, 1.0), None);
        assert_eq!(bounds(1000.0, 100.0), Some((0, 3)));
    }

    #[test]
    fn a_logarithmic_band_is_an_octave_or_a_step() {
        let band = |beta_fast, beta_slow| yarn(beta_fast, beta_slow, false);
        assert!(matches!(band(100.0, 50.0), Ok(LoweredScaling::LogBand { .. })));
        assert!(matches!(band(100.0, 100.0), Ok(LoweredScaling::Ramp { low: 2, high: 3, .. })));
        for narrow in [50f64.next_up(), 60.0, 99.0] {
            let refused = matches!(band(100.0, narrow), Err(SpecError::Scaling { parameter: "beta_fast", .. }));
            assert!(refused, "{narrow}");
        }
    }

    /// Pair 7 has 47.3 turns, and it is the last bound, although there are 4 pairs.
    #[test]
    fn the_bounds_of_a_logarithmic_band_are_within_the_columns() {
        let refused = |beta_fast, beta_slow| match yarn(beta_fast, beta_slow, false) {
            Err(SpecError::Scaling { parameter, .. }) => Some(parameter),
            _ => None,
        };
        assert_eq!([refused(98.0, 47.5), refused(159.0, 50.0)], [None; 2]);
        assert_eq!([refused(97.0, 47.0), refused(97.0, 40.0)], [Some("beta_slow"); 2]);
        assert_eq!([refused(160.0, 50.0), refused(320.0, 150.0)], [Some("beta_fast"); 2]);
    }

    properties! {
        #![cases(60)]

        /// Their frequencies are the same if all are evaluated.
        #[test]
        fn frequencies_that_are_kept_or_divided_by_their_index_are_so(
            pairs in 1usize..100, base in 2.0..1e7, factor in 1.1..100.0, length in 20usize..1 << 24, least in 0.1..3.0, most in 6.0..40.0, of_turns: bool,
        ) {
            let scaling = if of_turns {
                let rule = Llama3 { low_freq_factor: least, high_freq_factor: most, ..Llama3::new(factor, length) };
                Scaling::Llama3(rule)
            } else {
                Scaling::Yarn(Yarn { beta_slow: least, beta_fast: most, truncate: false, ..Yarn::new(factor, length) })
            };
            let Ok(lowered) = Spec::new(2 * pairs).base(base).scaling(scaling).lower_scaling() else { return Ok(()) };
            let mut unsure = lowered;
            if let LoweredScaling::Band { sure, .. } | LoweredScaling::LogBand { sure, .. } = &mut unsure {
                *sure = Sure::NONE;
            }
            let rule = RuleOfPairs { name: "llama3", pairs, base };
            for i in 0..pairs {
                let [one, other] = [lowered, unsure].map(|scaling| FrequencyRule { scaling, ..rule.frequencies() }.of::<5>(i).turns);
                prop_assert_eq!((one.fraction, one.exponent), (other.fraction, other.exponent), "{}: {:?}", i, lowered);
            }
        }
    }

    #[test]
    fn bands_of_turns_are_a_step_or_wide_enough() {
        let lowered = |low_freq_factor, high_freq_factor| {
            let rule = Llama3 { low_freq_factor, high_freq_factor, ..Llama3::new(8.0, 1000) };
            Spec::new(8).base(2.0).scaling(Scaling::Llama3(rule)).lower_scaling()
        };
        assert!(matches!(lowered(128.0, 128.5), Ok(LoweredScaling::Band { .. })));
        for narrow in [128.5f64.next_down(), 128f64.next_up()] {
            let refused =
                matches!(lowered(128.0, narrow), Err(SpecError::Scaling { parameter: "high_freq_factor", .. }));
            assert!(refused, "{narrow}");
        }
        assert!(matches!(lowered(100.0, 100.0), Ok(LoweredScaling::Ramp { low: 2, high: 3, .. })));
        assert!(matches!(lowered(160.0, 160.0), Ok(LoweredScaling::Linear(8.0))));
    }

    #[test]
    fn a_share_of_all_pairs_is_no_rule() {
        let lowered = |partial_rotary_factor, factor| {
            let rule = Proportional { factor, ..Proportional::new(partial_rotary_factor) };
            Spec::new(8).scaling(Scaling::Proportional(rule)).lower_scaling()
        };
        assert!(matches!(lowered(1.0, 1.0), Ok(LoweredScaling::None)));
        assert!(matches!(lowered(1.0, 2.0), Ok(LoweredScaling::First { count: 4, factor: 2.0 })));
        assert!(matches!(lowered(0.5, 1.0), Ok(LoweredScaling::First { count: 2, factor: 1.0 })));
        assert!(matches!(lowered(0.25, 1.0), Ok(LoweredScaling::First { count: 1, .. })));
        assert!(lowered(0.25f64.next_down(), 1.0).is_err() && lowered(1f64.next_up(), 1.0).is_err());
    }

    #[test]
    fn both_scales_of_the_logarithm_count_or_none() {
        let scales = |mscale, mscale_all_dim| {
            let yarn = Yarn { mscale, mscale_all_dim, ..Yarn::new(8.0, 1000) };
            match Scaling::Yarn(yarn).attention_factor() {
                Size::Mscale { over, under, .. } => Some((over, under)),
                _ => None,
            }
        };
        assert_eq!(scales(0.0, 0.0), Some((1.0, 0.0)));
        assert_eq!(scales(0.5, 0.0), Some((1.0, 0.0)));
        assert_eq!(scales(0.0, 0.5), Some((1.0, 0.0)));
        assert_eq!(scales(0.5, 0.25), Some((0.5, 0.25)));
        assert_eq!(scales(0.5, 0.5), None);
    }

    #[test]
    fn attention_factors_are_rational_or_not() {
        let root = |numerator: f64, denominator: f64| (1.0 + numerator / denominator).sqrt();
        for (base, greatest) in [(2u64, 16), (3, 10), (10, 4), (40, 3), (65_536, 1)] {
            for i in 1..=greatest {
                for j in 1..=40 {
                    let Some(length) = base.checked_pow(j).filter(|&length| length <= MAX_LENGTH) else { break };
                    let factor = base.pow(i) as f64;
                    let found = rational_root(factor, length);
                    let expected = (1..=6u64).find_map(|n| {
                        let m = (root(f64::from(i), f64::from(j)) * n as f64).round() as u64;
                        (m * m * u64::from(j) == n * n * u64::from(i + j)).then_some((m, n))
                    });
                    assert_eq!(found, expected, "{factor} {length}");
                    assert_eq!(rational_root(factor.next_up(), length), None);
                    assert_eq!(rational_root(factor, length + 1), None);
                }
            }
        }
        assert_eq!(rational_root(128.0, 512), Some((4, 3)));
        assert_eq!(rational_root(8192.0, 1 << 36), Some((7, 6)));
        assert_eq!(rational_root(64.0, 8192), None);
    }
}
