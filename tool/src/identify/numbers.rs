//! Numbers that people are likely to choose, and how likely.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The most numbers of one length that are returned.
const MOST: i32 = 12;

/// Returns numbers between two positive ones that somebody may have chosen, with few digits.
///
/// They are the usual ones, all with the least number of digits, and some with one more digit.
pub(super) fn between(low: f64, high: f64) -> Vec<f64> {
    let mut numbers = Vec::new();
    if !(low > 0.0 && high.is_finite()) {
        return numbers;
    }
    let mut add = |number: f64| {
        if number.is_finite() && low <= number && number <= high && !numbers.contains(&number) {
            numbers.push(number);
        }
    };
    [1.0, 10_000.0, TAU, PI, FRAC_PI_2].into_iter().for_each(&mut add);
    // Numbers such as 1/8, 1/64 and 1/3.
    add(1.0 / (1.0 / low.midpoint(high)).round());
    add(low.midpoint(high).log2().round().exp2());
    let mut more = 2;
    for digits in 0..=16 {
        for number in with_digits(low, high, digits) {
            add(number);
        }
        if with_digits(low, high, digits).next().is_some() {
            more -= 1;
        }
        if more == 0 {
            break;
        }
    }
    numbers
}

/// Returns numbers in a range with `digits` digits after the first, the nearest to its middle.
fn with_digits(low: f64, high: f64, digits: usize) -> impl Iterator<Item = f64> {
    let middle = low.midpoint(high);
    let nearest = format!("{middle:.digits$e}");
    let (mantissa, exponent) = nearest.split_once('e').expect("the format has an exponent");
    let mantissa: i64 = mantissa.replace('.', "").parse().unwrap_or(0);
    let exponent = exponent.parse::<i64>().unwrap_or(0) - i64::try_from(digits).unwrap_or(0);
    let all = (0..=MOST).flat_map(|i| [i, -i]).map(move |i| {
        let number = format!("{}e{exponent}", mantissa.saturating_add(i64::from(i)));
        number.parse().unwrap_or(middle)
    });
    all.filter(move |number| low <= *number && *number <= high)
}

/// Returns about how many bits it takes to tell a number: the fewer, the more usual it is.
pub(super) fn bits(number: f64) -> f64 {
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
    let text = format!("{number:e}");
    let digits = text.split('e').next().map_or(0, |digits| digits.replace('.', "").len()) as f64;
    let decimal = if digits == 1.0 { 2.0 + DIGIT } else { 4.0 + DIGIT * digits };
    // A number such as 1/3, which has all digits.
    let reciprocal = number.recip();
    let is_reciprocal = reciprocal > 2.0 && reciprocal < 1e6 && reciprocal.round().recip() == number;
    if is_reciprocal { decimal.min(6.0 + 2.0 * reciprocal.log2()) } else { decimal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_come_first() {
        let simplest = |low, high| {
            let mut numbers = between(low, high);
            numbers.sort_by(|a, b| bits(*a).total_cmp(&bits(*b)));
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
    fn all_numbers_of_a_length_are_found() {
        assert!([73_210.0, 73_211.0, 73_212.0].iter().all(|number| between(73_209.6, 73_212.4).contains(number)));
    }
}
