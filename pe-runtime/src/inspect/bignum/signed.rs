//! Numbers of either sign.

use core::fmt::{Display, Formatter, Result};

use crate::exact::unscaled::Approximation;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::dyadic::Dyadic;
use crate::inspect::bignum::interval::Interval;
use crate::inspect::bignum::natural::Natural;

/// A number with a sign and an enclosed magnitude.
pub(crate) struct Signed {
    pub(crate) negative: bool,
    pub(crate) size: Interval,
}

impl Signed {
    pub(crate) fn zero() -> Self {
        Self { negative: false, size: Interval::exact(Dyadic::small(0)) }
    }

    /// Returns the product. A product with zero has no sign.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let size = self.size.mul(&other.size);
        Self { negative: self.negative != other.negative && !size.is_zero(), size }
    }

    /// Returns the integer part and the rest, both with the sign of the number, as [`Interval::split`] does.
    pub(crate) fn split(&self, last: bool) -> Option<(Integer, Self)> {
        let (size, rest) = self.size.split(last)?;
        let negative = self.negative && size.small() != Some(0);
        Some((Integer { negative, size }, Self { negative: self.negative, size: rest }))
    }

    /// Returns `count` significant digits, as [`Interval::decimal`] does.
    pub(crate) fn decimal(&self, count: usize, last: bool) -> Option<Decimal> {
        Some(self.size.decimal(count, last)?.with_sign(self.negative))
    }
}

impl<const L: usize> From<Approximation<L>> for Signed {
    fn from(Approximation { negative, size, error_bits }: Approximation<L>) -> Self {
        Self { negative, size: Interval::around(&size.fraction, error_bits, size.exponent) }
    }
}

/// A whole number of any length, as in [`Stages::whole_turns`](crate::explain::Stages::whole_turns).
///
/// It displays with all of its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    negative: bool,
    size: Natural,
}

impl Display for Integer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.size)
    }
}
