//! Numbers that people are likely to choose, and how likely.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A number that [costs](cost) no more than this is one that people choose all the time: one digit, or a small power of two.
pub(crate) const COMMON: f64 = 5.5;

/// What a quotient costs beyond its two integers, because there are more of them than decimals.
const QUOTIENT: f64 = 3.0;

/// A number of four digits costs less.
const SHORT: f64 = 18.0;

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Plain(f64),
    Quotient(i64, i64),
}

impl Number {
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Plain(value) => value,
            Self::Quotient(over, under) => over as f64 / under as f64,
        }
    }

    fn cost(self) -> f64 {
        match self {
            Self::Plain(value) => cost(value),
            Self::Quotient(over, under) => quotient_bits(over, under),
        }
    }

    /// Returns the cost of the number and of an integer that it multiplies: both together may be a quotient.
    pub(crate) fn cost_beside(self, multiple: u64) -> f64 {
        let (under, further) = (self.value().recip(), (multiple.max(1) as f64).log2());
        let is_reciprocal = under > 1.5 && under.round().recip() == self.value();
        match self {
            Self::Quotient(..) => QUOTIENT + self.cost() + further,
            Self::Plain(_) if multiple > 1 && is_reciprocal => QUOTIENT + 2.0 + under.log2() + further,
            Self::Plain(_) => self.cost() + further,
        }
    }

    /// Returns how far the number is from a near one, relative to that one.
    fn from(self, near: f64) -> f64 {
        let value = self.value();
        let rest = match self {
            Self::Plain(_) => 0.0,
            // What the division has rounded off.
            Self::Quotient(over, under) => (-value).mul_add(under as f64, over as f64) / under as f64,
        };
        ((value - near) + rest) / near
    }
}

/// Returns about the cost, in bits, of a quotient.
pub(crate) fn quotient_bits(over: i64, under: i64) -> f64 {
    2.0 + (over as f64).log2() + (under as f64).log2()
}

/// The numbers from `low` to `high`, which are relative distances from a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) near: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    /// Returns the range of the numbers near one that explain the entries, as that one does.
    pub(crate) fn of(near: f64, explains: impl Fn(f64) -> bool) -> Self {
        /// The least and the largest relative distance are these powers of two.
        const LEAST: i32 = -53;
        const LARGEST: i32 = 0;
        let end = |sign: f64| {
            let distance = |power: f64| sign * power.exp2();
            let (mut low, mut high) = (f64::from(LEAST), f64::from(LARGEST));
            // An eighth of an octave is near enough.
            while high - low > 0.125 {
                let middle = low.midpoint(high);
                *(if explains(near + near * distance(middle)) { &mut low } else { &mut high }) = middle;
            }
            distance(high)
        };
        Self { near, low: end(-1.0), high: end(1.0) }
    }

    fn ends(&self) -> [f64; 2] {
        let ends = [self.low, self.high].map(|end| (self.near + self.near * end).abs());
        [ends[0].min(ends[1]), ends[0].max(ends[1])]
    }

    pub(crate) fn middle(&self) -> f64 {
        self.near + self.near * self.low.midpoint(self.high)
    }

    /// Returns a number in it that is so common that hardly any would be there by chance.
    ///
    /// A quotient is told only if no decimal is. It is rounded to an `f64`, but not in an exact range. The number multiplies
    /// an integer.
    pub(crate) fn common(&self, quotients: bool, is_exact: bool, multiple: u64) -> Option<Number> {
        let [low, high] = self.ends();
        let sign = self.near.signum();
        let has = |number: &Number| {
            let is_in = |number: Number| (self.low..=self.high).contains(&number.from(self.near));
            is_in(*number) || (!is_exact && is_in(Number::Plain(number.value())))
        };
        let plain = between(low, high).into_iter().chain(roots(low, high)).map(|number| Number::Plain(sign * number));
        let plain = plain.filter(has).min_by(|a, b| a.cost().total_cmp(&b.cost()));
        let quotient = if quotients && sign > 0.0 { quotient(low, high).filter(has) } else { None };
        plain.into_iter().chain(quotient).find(|number| self.singles_out(*number, multiple))
    }

    /// Returns whether a number in it is probably the one that somebody chose.
    fn singles_out(&self, number: Number, multiple: u64) -> bool {
        number.cost_beside(multiple) <= COMMON || self.proves(number, multiple)
    }

    /// Returns whether hardly any number that is as common would be in it by chance.
    pub(crate) fn proves(&self, number: Number, multiple: u64) -> bool {
        let cost = number.cost_beside(multiple);
        // About a sixteenth of `2^bits` numbers are as common and at most twice as large. The more digits a number has, the
        // less likely is it that somebody chose it.
        let is_rare = 1.25 * cost + (self.high - self.low).log2() <= 1.5;
        is_rare || (cost <= SHORT && self.has_a_further_zero(number.value()))
    }

    /// Returns whether the range is much narrower than a step of a further digit, which is zero.
    fn has_a_further_zero(&self, number: f64) -> bool {
        let number = number.abs();
        let digits = i32::try_from(digits(number)).unwrap_or(i32::MAX);
        let step = 10_f64.powf(number.log10().floor()) * 10_f64.powi(-digits);
        let [low, high] = self.ends();
        // Of random numbers, one in eighty is so near to one without the digit.
        8.0 * (high - low) <= step
    }

    /// Returns the number in the middle with so many digits.
    pub(crate) fn rounded(&self, digits: usize) -> f64 {
        let (value, digits) = (self.middle(), digits.max(1) - 1);
        format!("{value:.digits$e}").parse().unwrap_or(value)
    }

    /// Returns the number of digits that all numbers in the range have, or `None` if all of them round to one `f64`.
    pub(crate) fn digits(&self) -> Option<usize> {
        if !(self.near.is_finite() && self.low.is_finite() && self.high.is_finite()) {
            return Some(0);
        }
        // The distances from the middle are too small for a difference of two `f64`.
        let middle = self.middle().abs();
        let rounded = (self.middle() - self.near) / self.near;
        let off = [self.low - rounded, self.high - rounded].map(|end| end.abs() * middle);
        // Below a power of two the gap is half as wide.
        let gap = middle - middle.next_down();
        if off[0].max(off[1]) < gap / 2.0 {
            return None;
        }
        let [low, high] = self.ends();
        let (low, high) = (low.next_down(), high.next_up());
        let is_common = |digits: &usize| {
            let digits = digits - 1;
            format!("{low:.digits$e}") == format!("{high:.digits$e}")
        };
        Some((1..=17).rev().find(is_common).unwrap_or(0))
    }
}

/// Returns `1/sqrt(d_model)`.
pub(crate) fn rsqrt(d_model: usize) -> f64 {
    (d_model as f64).sqrt().recip()
}

/// Returns the roots of an integer, and their reciprocals, between two numbers.
fn roots(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let middle = low.midpoint(high);
    let (square, inverse) = ((middle * middle).round(), (middle * middle).recip().round());
    let all = [square.sqrt(), inverse.sqrt().recip(), inverse.recip().sqrt()];
    all.into_iter().filter(move |root| low <= *root && *root <= high)
}

/// Returns the quotient with the least denominator between two positive numbers.
///
/// They have the same continued fraction up to a place where an integer is between them.
fn quotient(low: f64, high: f64) -> Option<Number> {
    /// Larger ones are no likelier than other numbers.
    const MOST: f64 = 1e6;
    let (mut low, mut high) = (low, high);
    // The last two convergents, as numerators and denominators.
    let (mut over, mut under) = ([0.0, 1.0], [1.0, 0.0]);
    for _ in 0..40 {
        let whole = low.floor();
        let is_last = low == whole || whole + 1.0 <= high;
        let term = if is_last { low.ceil() } else { whole };
        over = [over[1], term * over[1] + over[0]];
        under = [under[1], term * under[1] + under[0]];
        if over[1] > MOST || under[1] > MOST {
            return None;
        }
        if is_last {
            let integer = |number: f64| format!("{number}").parse().ok();
            return Some(Number::Quotient(integer(over[1])?, integer(under[1])?));
        }
        (low, high) = ((high - whole).recip(), (low - whole).recip());
    }
    None
}

/// Returns numbers between two positive ones that somebody may have chosen, with few digits.
///
/// They are the common ones, all with the least number of digits, and some with one more digit.
/// The multiples of pi are among them, which are likely as factors of positions.
pub(crate) fn between(low: f64, high: f64) -> Vec<f64> {
    let mut numbers = written(low, high);
    let turns = [TAU, PI, FRAC_PI_2].into_iter().filter(|turn| low > 0.0 && low <= *turn && *turn <= high);
    let further: Vec<_> = turns.filter(|turn| !numbers.contains(turn)).collect();
    numbers.extend(further);
    numbers
}

/// As [`between`], without multiples of pi.
pub(crate) fn written(low: f64, high: f64) -> Vec<f64> {
    let mut numbers = Vec::new();
    if !(low > 0.0 && low <= high && high.is_finite()) {
        return numbers;
    }
    let mut add = |number: f64| {
        if number.is_finite() && low <= number && number <= high && !numbers.contains(&number) {
            numbers.push(number);
        }
    };
    [1.0, 10_000.0].into_iter().for_each(&mut add);
    // Numbers such as 1/8, 1/64 and 1/3.
    add(1.0 / (1.0 / low.midpoint(high)).round());
    add(low.midpoint(high).log2().round().exp2());
    let mut more = 2;
    for digits in 0..=16 {
        let of_length: Vec<_> = with_digits(low, high, digits).collect();
        more -= i32::from(!of_length.is_empty());
        of_length.into_iter().for_each(&mut add);
        if more == 0 {
            break;
        }
    }
    numbers
}

/// Returns numbers in a range with `digits` digits after the first, the nearest to its middle.
fn with_digits(low: f64, high: f64, digits: usize) -> impl Iterator<Item = f64> {
    /// The most numbers on each side of the nearest one.
    const MOST: i32 = 12;
    /// More than the relative error of [`Decimal::estimate`].
    const SLACK: f64 = 1e-13;
    let middle = Decimal::nearest(low.midpoint(high), digits);
    let may_be_in = move |number: &Decimal| {
        // Subnormal numbers have a larger relative error.
        let (estimate, error) = (number.estimate(), |end: f64| end * SLACK + f64::MIN_POSITIVE);
        (low - error(low)..=high + error(high)).contains(&estimate)
    };
    let all = (0..=MOST).flat_map(|i| [i, -i]).map(move |i| middle.plus(i.into()));
    all.filter(may_be_in).filter_map(Decimal::value).filter(move |number| low <= *number && *number <= high)
}

/// The decimal number `mantissa * 10^exponent`.
#[derive(Clone, Copy)]
struct Decimal {
    mantissa: i64,
    exponent: i32,
}

impl Decimal {
    /// Returns the decimal nearest to a positive number, with `digits` digits after the first.
    fn nearest(number: f64, digits: usize) -> Self {
        let text = format!("{number:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        Self {
            mantissa: mantissa.replace('.', "").parse().unwrap_or(0),
            exponent: exponent.parse::<i32>().unwrap_or(0) - i32::try_from(digits).unwrap_or(0),
        }
    }

    fn plus(self, units: i64) -> Self {
        Self { mantissa: self.mantissa + units, ..self }
    }

    /// Returns about the value, much faster than [`value`](Self::value).
    fn estimate(self) -> f64 {
        // Two factors, since one power may be zero or infinite if the number is not.
        let half = self.exponent / 2;
        self.mantissa as f64 * 10_f64.powi(half) * 10_f64.powi(self.exponent - half)
    }

    /// Returns the nearest `f64`.
    fn value(self) -> Option<f64> {
        format!("{}e{}", self.mantissa, self.exponent).parse().ok()
    }
}

/// Returns the number of digits of a positive number.
fn digits(number: f64) -> usize {
    let text = format!("{number:e}");
    text.split('e').next().map_or(0, |digits| digits.replace('.', "").len())
}

/// Returns about the cost, in bits, of a number: the less, the more common it is.
pub(crate) fn cost(number: f64) -> f64 {
    const DIGIT: f64 = 3.4;
    let number = number.abs();
    if number == 1.0 {
        return 1.0;
    }
    if [TAU, PI].contains(&number) {
        return 4.0;
    }
    let power = number.log2();
    if power.fract() == 0.0 {
        return 4.0 + power.abs() / 4.0;
    }
    let digits = digits(number) as f64;
    let decimal = if digits == 1.0 { 2.0 + DIGIT } else { 4.0 + DIGIT * digits };
    // A number such as 1/3, which has all digits.
    let reciprocal = number.recip();
    let is_reciprocal = reciprocal > 2.0 && reciprocal < 1e6 && reciprocal.round().recip() == number;
    let decimal = if is_reciprocal { decimal.min(6.0 + 2.0 * reciprocal.log2()) } else { decimal };
    match roots(number, number).next() {
        Some(_) => decimal.min(6.0 + 2.0 * power.abs()),
        None => decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ascending::sort_by_number;

    #[test]
    fn few_digits_come_first() {
        let simplest = |low, high| {
            let mut numbers = between(low, high);
            sort_by_number(&mut numbers, |&number| cost(number));
            numbers[0]
        };
        assert_eq!(simplest(9_990.0, 10_020.0), 10_000.0);
        assert_eq!(simplest(0.015_624, 0.015_626), 0.015_625);
        assert_eq!(simplest(499_990.0, 500_010.0), 500_000.0);
        assert_eq!(simplest(9_646.599, 9_646.601), 9_646.6);
        assert_eq!(simplest(0.333_333_3, 0.333_333_4), 1.0 / 3.0);
        assert_eq!(simplest(TAU - 1e-3, TAU + 1e-3), TAU);
    }

    #[test]
    fn random_numbers_near_a_short_one_do_not_prove_it() {
        let range = |near: f64, width: f64| Range { near, low: -width / 2.0, high: width / 2.0 };
        let (narrow, wide) = (1e-6, 1e-4);
        assert!(
            range(1.36, narrow).proves(Number::Plain(1.36), 1) && !range(1.3597, wide).proves(Number::Plain(1.36), 1)
        );
        assert!(range(25.0 / 7.0, narrow).proves(Number::Quotient(25, 7), 1));
        assert!(!range(137.0 / 140.0, narrow).proves(Number::Quotient(137, 140), 1));
        // 263/512, as a step of 263 with a scale that is a power of two.
        assert!(range(1.0 / 512.0, narrow).proves(Number::Plain(1.0 / 512.0), 1));
        assert!(!range(1.0 / 512.0, narrow).proves(Number::Plain(1.0 / 512.0), 263));
        assert!(!range(1.0 / 512.0, narrow).proves(Number::Quotient(1, 512), 263));
    }

    #[test]
    fn there_is_no_number_in_a_range_without_any() {
        assert!(written(f64::INFINITY, 1e18).is_empty() && written(2.0, 1.0).is_empty());
        assert!(written(f64::NAN, 1.0).is_empty() && written(1.0, f64::NAN).is_empty());
        let range = Range { near: f64::INFINITY, low: f64::NAN, high: f64::NAN };
        assert_eq!(range.digits(), Some(0));
    }

    #[test]
    fn bases_and_factors_are_no_multiples_of_pi() {
        assert!(!written(3.125, 3.25).contains(&PI) && between(3.125, 3.25).contains(&PI));
    }

    #[test]
    fn all_numbers_of_a_length_are_found() {
        assert!([73_210.0, 73_211.0, 73_212.0].iter().all(|number| between(73_209.6, 73_212.4).contains(number)));
    }
}
