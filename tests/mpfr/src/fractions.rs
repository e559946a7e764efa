//! Continued fractions: the best rational approximations of a real number.

use posenc::MAX_POSITION;
use rug::{Float, Integer};

/// A fraction close to the number.
#[derive(Clone, Debug)]
pub struct Fraction {
    pub numerator: Integer,
    pub denominator: Integer,
}

impl Fraction {
    /// Returns `self + times * other`, for numerator and denominator separately.
    pub fn plus(&self, other: &Self, times: &Integer) -> Self {
        let add = |a: &Integer, b: &Integer| Integer::from(b * times) + a;
        Self {
            numerator: add(&self.numerator, &other.numerator),
            denominator: add(&self.denominator, &other.denominator),
        }
    }
}

/// Returns the convergents of `x` whose denominators are positions, each after its partial quotient.
pub fn convergents(x: &Float) -> Vec<(Integer, Fraction)> {
    let new =
        |numerator: u32, denominator: u32| Fraction { numerator: numerator.into(), denominator: denominator.into() };
    let (mut before, mut last) = (new(0, 1), new(1, 0));
    let (mut numerator, mut denominator) = x.to_rational().expect("finite").into_numer_denom();
    let mut found = Vec::new();
    while denominator != 0 {
        let (quotient, rest) = numerator.div_rem_floor(denominator.clone());
        (numerator, denominator) = (denominator, rest);
        let next = before.plus(&last, &quotient);
        if next.denominator > MAX_POSITION {
            break;
        }
        found.push((quotient, next.clone()));
        (before, last) = (last, next);
    }
    found
}

/// Returns the convergents of a positive number whose numerators and denominators are positive and at most `2^53`, as of
/// a unit or a scale.
pub fn quotients(x: &Float) -> Vec<(i64, i64)> {
    let quotient = |fraction: &Fraction| Some((fraction.numerator.to_i64()?, fraction.denominator.to_i64()?));
    let quotients = convergents(x).into_iter().filter_map(|(_, fraction)| quotient(&fraction));
    quotients.filter(|(numerator, _)| (1..=MAX_POSITION).contains(numerator)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pi() {
        let found = convergents(&Float::with_val(400, rug::float::Constant::Pi));
        let fractions = found.iter().map(|(_, f)| (f.numerator.to_u64().unwrap(), f.denominator.to_u64().unwrap()));
        assert!(fractions.take(5).eq([(3, 1), (22, 7), (333, 106), (355, 113), (103_993, 33_102)]));
    }
}
