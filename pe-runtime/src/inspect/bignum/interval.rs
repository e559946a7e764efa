//! Numbers known to be between two others.

use crate::exact::fixed::Fixed;
use crate::exact::rounding::Enclosure;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::dyadic::Dyadic;
use crate::inspect::bignum::natural::Natural;

/// A number known to be between two others, or known exactly if they are equal.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    pub(crate) low: Dyadic,
    pub(crate) high: Dyadic,
}

impl Interval {
    pub(crate) fn exact(value: Dyadic) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// Returns `value 2^exponent` with an error of up to `2^error_bits` ulp, or exactly if `error_bits` is `None`.
    pub(crate) fn around<const L: usize>(value: &Fixed<L>, error_bits: Option<u32>, exponent: i32) -> Self {
        let value = Natural::new(value.0.iter().rev().copied().collect());
        let end = |mantissa| Dyadic { mantissa, exponent: exponent - Fixed::<L>::BITS as i32 };
        let Some(error_bits) = error_bits else { return Self::exact(end(value)) };
        let error = Natural::power_of_two(error_bits);
        Self { low: end(value.saturating_sub(&error)), high: end(value.add(&error)) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.high.is_zero()
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self { low: self.low.add(&other.low), high: self.high.add(&other.high) }
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self { low: self.low.mul(&other.low), high: self.high.mul(&other.high) }
    }

    pub(crate) fn times_power_of_two(&self, exponent: i32) -> Self {
        Self { low: self.low.times_power_of_two(exponent), high: self.high.times_power_of_two(exponent) }
    }

    /// Returns the reciprocal of a number that is certainly not zero. It widens the interval by a relative
    /// `2^(1 - precision)`.
    pub(crate) fn reciprocal(&self, precision: u32) -> Self {
        let floor = |x: &Dyadic| {
            let exponent = -(x.mantissa.bits() as i32) - precision as i32 - x.exponent;
            Dyadic { mantissa: x.mantissa.reciprocal(precision), exponent }
        };
        let mut high = floor(&self.low);
        high.mantissa = high.mantissa.add(&Natural::power_of_two(0));
        Self { low: floor(&self.high), high }
    }

    /// Returns the integer part and the rest, if the first is certain. Otherwise returns those of the lower end if the
    /// interval is the `last` one.
    pub(crate) fn split(&self, last: bool) -> Option<(Natural, Self)> {
        let ((whole, low), (high_whole, high)) = (self.low.split(), self.high.split());
        match whole == high_whole {
            true => Some((whole, Self { low, high })),
            false if last => Some((whole, Self::exact(low))),
            false => None,
        }
    }

    /// Returns `count` significant digits, if they are certain. Otherwise returns those of the lower end if the
    /// interval is the `last` one.
    pub(crate) fn decimal(&self, count: usize, last: bool) -> Option<Decimal> {
        let (low, high) = (self.low.decimal(count), self.high.decimal(count));
        low.agreed(high, last)
    }

    /// Returns the difference from a certainly smaller number.
    pub(crate) fn without(&self, smaller: &Self) -> Enclosure {
        let (low, high) = (self.low.distance(&smaller.high), self.high.distance(&smaller.low));
        Enclosure::new(low.magnitude(), high.magnitude())
    }
}

#[cfg(test)]
mod tests {
    use core::cmp::Ordering;
    use std::string::ToString;

    use super::*;
    use crate::inspect::bignum::dyadic::tests::of_f64;

    #[test]
    fn what_the_ends_disagree_on_is_not_told() {
        let interval = Interval { low: of_f64(1.24), high: of_f64(1.26) };
        assert_eq!(interval.decimal(1, false).unwrap().to_string(), "1");
        assert_eq!(interval.decimal(2, false), None);
        assert_eq!(interval.decimal(2, true).unwrap().to_string(), "1.2");
        assert_eq!(interval.split(false).unwrap().0.small(), Some(1));
        let over = Interval { low: of_f64(1.5), high: of_f64(2.5) };
        assert!(over.split(false).is_none());
        let (whole, rest) = over.split(true).unwrap();
        assert_eq!((whole.small(), rest.decimal(3, false).unwrap().to_string()), (Some(1), "0.5".into()));
        let reciprocal = Interval::exact(Dyadic::small(3)).reciprocal(200);
        assert_eq!(reciprocal.low.cmp(&reciprocal.high), Ordering::Less);
        assert_eq!(reciprocal.decimal(20, false).unwrap().to_string(), "0.33333333333333333333");
    }
}
