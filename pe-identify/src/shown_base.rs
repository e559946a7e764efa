//! The base that frequencies show, to the digits that they determine.

use posenc::{Rope, Scaling};

use crate::interval::Interval;
use crate::numbers::{COMMON, Range, cost};
use crate::rotary::common::bases;
use crate::rotary::rules::progression;
use crate::rounding::UNIT_DOUBLE;

/// A cache with the base that its frequencies show.
pub(crate) struct Shown {
    pub(crate) rope: Rope<'static>,
    /// The cost of its number, in bits.
    pub(crate) cost: f64,
    /// How many of the frequencies are inexact, with all digits.
    pub(crate) inexact: usize,
    /// How many digits of the base are determined, unless all are. The base has no more.
    pub(crate) digits: Option<usize>,
}

/// Returns the cache with a base that explains frequencies, each with the error that it may have, if there is one.
///
/// `explains` returns how many of them are inexact. A common base comes first, then a common rule that has the effect of
/// another base.
pub(crate) fn shown(
    frequencies: &[f64],
    error: impl Fn(f64) -> f64,
    explains: impl Fn(&Rope<'static>) -> Option<usize>,
) -> Option<Shown> {
    let pairs = frequencies.len();
    let with_base = |base: f64| Rope::new(2 * pairs).base(base);
    let interval = |&frequency: &f64| {
        let error = error(frequency);
        Interval::new((frequency - error).max(0.0), frequency + error).widened(4.0 * UNIT_DOUBLE)
    };
    let possible = progression(&frequencies.iter().map(interval).collect::<Vec<_>>(), pairs)?;
    let explains_base = |base: f64| explains(&with_base(base)).is_some();
    let middle = possible.low.midpoint(possible.high);
    let base = possible.likely(3).into_iter().chain([middle]).find(|&base| explains_base(base))?;
    let range = Range::of(base, explains_base);
    let determined = |rope: Rope<'static>, number: f64| {
        Some(Shown { rope, cost: cost(number), inexact: explains(&rope)?, digits: None })
    };
    let common = || {
        let base = range.common(false, false, 1)?.value();
        determined(with_base(base), base)
    };
    let ruled = |(base, alpha): (f64, f64)| determined(with_base(base).scaling(Scaling::ntk(alpha)), alpha);
    let is_alone = || !explains_base(base.next_down()) && !explains_base(base.next_up());
    let alone = || determined(with_base(base), base).filter(|_| is_alone());
    let rounded = || {
        let digits = range.digits()?;
        let number = range.rounded(digits);
        let inexact = explains(&with_base(base))?;
        Some(Shown { rope: with_base(number), cost: cost(number), inexact, digits: Some(digits) })
    };
    common().or_else(|| alphas(possible, pairs).into_iter().find_map(ruled)).or_else(alone).or_else(rounded)
}

/// Returns bases of models with the common factors of the rule `ntk` that have the effect of these bases.
fn alphas(possible: Interval, pairs: usize) -> Vec<(f64, f64)> {
    let h = pairs as f64;
    let alpha = |base: f64| {
        let alphas = possible.map(|other| (other / base).powf((h - 1.0) / h));
        let alpha = alphas.likeliest().filter(|&alpha| alpha > 1.0 && cost(alpha) <= COMMON)?;
        Some((base, alpha))
    };
    bases().into_iter().filter_map(alpha).collect()
}
