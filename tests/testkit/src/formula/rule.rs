//! The scaling rules, as the docs of `Scaling` describe them.

use dashu_float::Context;
use dashu_float::round::mode::HalfEven;
use posenc::Scaling;
use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};

use crate::formula::Formula;
use crate::real::{Real, exactly, finite, magnitude, product, signed, sum};

/// The bits by which a rule may make a frequency less precise.
///
/// A lower end of a linear band is at most 256 times its width, and the logarithm of a band of `YaRN` at least ln 2. So the
/// share that is kept loses a few dozen bits at most, and it is added to at least 2^-16.
const LOST: usize = 96;

impl Formula<'_> {
    /// Returns whether pair `k` does not turn. As in Python, the product is a float.
    pub(super) fn stands_still(&self, k: usize) -> bool {
        let Scaling::Proportional(Proportional { partial_rotary_factor, .. }) = self.case.scaling else { return false };
        k as f64 + 1.0 > (partial_rotary_factor * (2 * self.case.frequency_count()) as f64 / 2.0).floor()
    }

    /// Returns frequency `k` of the base after the rule, before scale and unit.
    pub(super) fn scaled(&mut self, k: usize, precision: usize) -> Real {
        if self.case.scaling == Scaling::None {
            return self.power(k, precision);
        }
        let precision = precision + LOST;
        let w = self.power(k, precision);
        let over = |factor: f64| quotient(&w, &exactly(factor), precision);
        match self.case.scaling {
            Scaling::Linear(Linear { factor }) | Scaling::Proportional(Proportional { factor, .. }) => over(factor),
            Scaling::LongRope(_) => over(self.case.factors[k]),
            Scaling::Ntk(Ntk { alpha }) => self.with_base(&w, &exactly(alpha), k, precision),
            Scaling::Dynamic(Dynamic { factor, max_position_embeddings: length, seq_len }) => {
                // factor n / M - (factor - 1) is (factor (n - M) + M) / M.
                let beyond = product(&exactly(factor), &Real::from(seq_len.saturating_sub(length)));
                let alpha = quotient(&sum(&beyond, &Real::from(length)), &Real::from(length), precision);
                self.with_base(&w, &alpha, k, precision)
            }
            Scaling::Yarn(Yarn { factor: 1.0, .. }) | Scaling::Llama3(Llama3 { factor: 1.0, .. }) => w,
            Scaling::Yarn(rule) => {
                let kept = self.kept_by_yarn(&rule, k, precision);
                blend(&w, &kept, rule.factor, precision)
            }
            Scaling::Llama3(rule) => {
                let kept = self.kept_by_llama3(&rule, k, precision);
                blend(&w, &kept, rule.factor, precision)
            }
            other => panic!("{other} has no formula here"),
        }
    }

    /// Returns a frequency of the base times `alpha^(d / (d - 2))`: the first pair is kept, and the last divided by `alpha`.
    fn with_base(&mut self, w: &Real, alpha: &Real, k: usize, precision: usize) -> Real {
        if k == 0 {
            return w.clone();
        }
        let last = self.case.frequency_count() - 1;
        product(w, &self.root(alpha, k as u128, last as u128, precision))
    }

    /// Returns the share of a frequency that `llama3` keeps, from its turns.
    fn kept_by_llama3(&mut self, rule: &Llama3, k: usize, precision: usize) -> Real {
        let length = rule.original_max_position_embeddings;
        if self.turns_are_above(k, length, rule.high_freq_factor) {
            return Real::ONE;
        }
        if !self.turns_are_above(k, length, rule.low_freq_factor) {
            return Real::ZERO;
        }
        let (low, high) = (exactly(rule.low_freq_factor), exactly(rule.high_freq_factor));
        quotient(&sum(&self.turns(k, length, precision), &-&low), &sum(&high, &-&low), precision)
    }

    /// Returns the share of a frequency that `yarn` keeps, from its number.
    fn kept_by_yarn(&mut self, rule: &Yarn, k: usize, precision: usize) -> Real {
        let length = rule.original_max_position_embeddings;
        let [fast, slow] = [rule.beta_fast, rule.beta_slow].map(|turns| self.last_with(turns, length));
        let k_signed = i64::try_from(k).expect("a width");
        if !rule.truncate && fast < k_signed && k_signed <= slow {
            let turns = self.turns(k, length, precision);
            let above = |x: &Real| quotient(x, &exactly(rule.beta_slow), precision);
            let [part, whole] = [turns, exactly(rule.beta_fast)].map(|x| self.logarithm(&above(&x), precision));
            return quotient(&part, &whole, precision);
        }
        let last = i64::try_from(2 * self.case.frequency_count() - 1).expect("a width");
        let (low, high) = (fast.max(0), (slow + 1).min(last));
        if k_signed <= low {
            Real::ONE
        } else if k_signed >= high {
            Real::ZERO
        } else {
            quotient(&Real::from(high - k_signed), &Real::from(high - low), precision)
        }
    }

    /// Returns the turns of frequency `k` of the base in `length` positions.
    fn turns(&mut self, k: usize, length: usize, precision: usize) -> Real {
        let turn = self.turn(precision);
        quotient(&product(&self.power(k, precision), &Real::from(length)), &turn, precision)
    }

    /// Returns whether a pair has more turns than `bound`. It never has as many, because π is transcendental.
    fn turns_are_above(&mut self, k: usize, length: usize, bound: f64) -> bool {
        let mut precision = 128;
        loop {
            let turns = self.turns(k, length, precision);
            let difference = sum(&turns, &-&exactly(bound));
            if difference != Real::ZERO && magnitude(&difference) > magnitude(&turns) + 20 - signed(precision) {
                return difference > Real::ZERO;
            }
            precision *= 2;
        }
    }

    /// Returns the number of the last pair that has more turns than `bound`, also if there is no such pair.
    ///
    /// Pair `x` has as many if `x = d ln(length / (2π bound)) / (2 ln base)`. The first logarithm has an absolute error below
    /// 2^(10 - `precision`), the second is at least 2^-53, and `d` is below 2^25.
    fn last_with(&mut self, bound: f64, length: usize) -> i64 {
        let mut precision = 256;
        loop {
            let turns = quotient(&Real::from(length), &product(&self.turn(precision), &exactly(bound)), precision);
            let above = product(&self.logarithm(&turns, precision), &Real::from(self.case.frequency_count()));
            let base = exactly(self.case.base);
            let number = quotient(&above, &self.logarithm(&base, precision), precision);
            let error = Real::ONE >> (signed(precision) - 100);
            let [low, high] = [sum(&number, &-&error), sum(&number, &error)].map(|end| end.floor());
            if low == high {
                let most = Real::from(1i64 << 40);
                return i64::try_from(low.clamp(-most.clone(), most).to_int().value()).expect("clamped");
            }
            precision *= 2;
        }
    }

    /// Returns the attention factor of the rule.
    pub(super) fn attention_factor(&mut self, precision: usize) -> Real {
        let working = precision + 32;
        match self.case.scaling {
            Scaling::Yarn(Yarn { factor, mscale, mscale_all_dim, .. }) if factor > 1.0 => {
                let given = mscale != 0.0 && mscale_all_dim != 0.0;
                let [above, below] = if given { [mscale, mscale_all_dim] } else { [1.0, 0.0] };
                let tenth = quotient(&self.logarithm(&exactly(factor), working), &Real::from(10), working);
                let [above, below] = [above, below].map(|scale| sum(&product(&tenth, &exactly(scale)), &Real::ONE));
                quotient(&above, &below, precision)
            }
            Scaling::LongRope(LongRope { factor, original_max_position_embeddings: length, .. }) if factor > 1.0 => {
                let [part, whole] = [exactly(factor), Real::from(length)].map(|x| self.logarithm(&x, working));
                let square = sum(&quotient(&part, &whole, working), &Real::ONE);
                finite(Context::<HalfEven>::new(precision).sqrt(square.repr()))
            }
            _ => Real::ONE,
        }
    }

    fn logarithm(&mut self, x: &Real, precision: usize) -> Real {
        finite(Context::<HalfEven>::new(precision).ln(x.repr(), Some(&mut self.constants)))
    }

    /// Returns 2π.
    pub fn turn(&mut self, precision: usize) -> Real {
        Context::<HalfEven>::new(precision).pi(Some(&mut self.constants)).value() << 1
    }
}

/// Returns `w (kept + (1 - kept) / factor)`.
fn blend(w: &Real, kept: &Real, factor: f64, precision: usize) -> Real {
    let divided = quotient(&sum(&Real::ONE, &-kept), &exactly(factor), precision);
    finite(Context::<HalfEven>::new(precision).mul(w.repr(), sum(kept, &divided).repr()))
}

fn quotient(a: &Real, b: &Real, precision: usize) -> Real {
    finite(Context::<HalfEven>::new(precision).div(a.repr(), b.repr()))
}
