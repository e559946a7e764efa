//! The base and the scaling rule that explain measured frequencies.
//!
//! Most rules keep the fast frequencies, which show the base. The divisors of the others show the rule: they are all
//! the same, or the share of the divisor grows with the number of the pair (`YaRN`) or falls with its turns (Llama 3).

use posenc::Scaling;
use posenc::scaling::{Linear, Proportional};

use super::ratios::{FACTORS, FEW, Ratios, lengths};
use super::{bands, ramps};
use crate::interval::Interval;
use crate::known;
use crate::numbers::cost;

/// A base with a rule.
pub(super) type BaseAndRule = (f64, Scaling<'static>);

/// The bases that the library has, with plausible ones.
const BASES: Interval = Interval::new(1.001, 1e12);
/// Returns the rules that may have made these frequencies, and an attention factor, in a table of `seq_len` rows.
///
/// `common` are the bases of models, and `error` is the error of a number near 1 in the arithmetic.
pub(super) fn explaining(
    of: &[Interval],
    amplitude: Interval,
    common: &[f64],
    seq_len: usize,
    error: f64,
) -> Vec<BaseAndRule> {
    if !of[0].contains(1.0) {
        return divided(of);
    }
    if let Some(range) = progression(of, of.len()) {
        let plain = range.likely(3).into_iter().map(|base| (base, Scaling::None));
        return plain.chain(ntk(range, of.len(), common, seq_len)).collect();
    }
    let mut rules = Vec::new();
    for base in bases(of, common) {
        let ratios = Ratios::new(of, base, error);
        let all = [proportional(&ratios, 1.0), ramps::rules(&ratios, amplitude), bands::rules(&ratios)];
        rules.extend(all.into_iter().flatten().map(|rule| (base, rule)));
    }
    rules
}

/// Returns the rules that divide all frequencies.
fn divided(of: &[Interval]) -> Vec<BaseAndRule> {
    let mut rules = Vec::new();
    let factors = of[0].under(1.0).meet(FACTORS).map(|range| range.likely(3)).unwrap_or_default();
    for factor in factors {
        let of: Vec<_> = of.iter().map(|frequency| frequency.times(factor)).collect();
        match progression(&of, of.len()) {
            Some(range) => {
                rules.extend(range.likely(2).into_iter().map(|base| (base, Scaling::Linear(Linear { factor }))));
            }
            None => rules.extend(bases(&of, &[]).into_iter().flat_map(|base| {
                proportional(&Ratios::new(&of, base, 0.0), factor).into_iter().map(move |rule| (base, rule))
            })),
        }
    }
    rules
}

/// Returns the bases with which the first `count` frequencies are those of the formula, after the first, which is 1.
pub(crate) fn progression(of: &[Interval], count: usize) -> Option<Interval> {
    let h = of.len() as f64;
    let mut range = BASES;
    for (k, frequency) in of.iter().enumerate().take(count).skip(1) {
        range = range.meet(frequency.under(1.0).map(|number| number.powf(h / k as f64)))?;
    }
    Some(range)
}

/// Returns likely bases if only the first frequencies are kept.
fn bases(of: &[Interval], common: &[f64]) -> Vec<f64> {
    let mut bases: Vec<f64> = Vec::new();
    // A blended frequency may hardly differ from one that is kept, so fewer ones are tried too.
    let ranges = (2..of.len()).map_while(|count| progression(of, count));
    for base in ranges.flat_map(|range| range.likely(2)).chain(common.iter().copied()) {
        let is_near = || of[1].contains(base.powf(-1.0 / of.len() as f64));
        if !bases.contains(&base) && (cost(base) <= 40.0) && (common.contains(&base) || is_near()) {
            bases.push(base);
        }
    }
    bases
}

/// The rules for which the frequencies are those of another base: the last one is divided by `alpha`.
fn ntk(range: Interval, pairs: usize, common: &[f64], seq_len: usize) -> Vec<BaseAndRule> {
    let h = pairs as f64;
    let mut rules = Vec::new();
    for base in known::bases() {
        let Some(range) = range.map(|other| (other / base).powf((h - 1.0) / h)).meet(FACTORS) else { continue };
        // One is the plain base.
        let few = |number: &f64| *number > 1.0 && cost(*number) <= FEW;
        rules.extend(range.likeliest().filter(few).map(|alpha| (base, Scaling::ntk(alpha))));
        // A cache that was computed for all its rows.
        for length in lengths().filter(|&length| length < seq_len && common.contains(&base)) {
            let beyond = seq_len as f64 / length as f64 - 1.0;
            let factors = range.map(|alpha| (alpha - 1.0) / beyond).meet(FACTORS);
            let factor = factors.and_then(Interval::likeliest).filter(few);
            rules.extend(factor.map(|factor| (base, Scaling::dynamic(factor, length, seq_len))));
        }
    }
    rules
}

/// The rule with which only the first frequencies turn.
fn proportional(ratios: &Ratios, factor: f64) -> Vec<Scaling<'static>> {
    let h = ratios.pairs();
    let count = ratios.of.iter().take_while(|ratio| ratio.contains(1.0)).count();
    let others_rest = ratios.of.iter().skip(count).all(|ratio| ratio.low <= 0.0);
    if !others_rest || count == 0 {
        return Vec::new();
    }
    let shares = Interval::new(count as f64 / h as f64, (count as f64 + 0.999) / h as f64);
    let share = shares.likeliest().map(|partial_rotary_factor| Proportional { partial_rotary_factor, factor });
    share.into_iter().map(Scaling::Proportional).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_divides_by_one() {
        let rules = ntk(Interval::new(9_999.0, 10_001.0), 32, &[10_000.0], 5_000);
        assert!(rules.iter().all(|(base, _)| *base != 10_000.0));
    }
}
