//! The position of an exact value among the numbers of an element type.

use core::cmp::Ordering;
use core::fmt::{Display, Formatter, Result as FmtResult};

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::dyadic::Dyadic;
use crate::inspect::bignum::interval::Interval;
use crate::inspect::bignum::signed::Signed;
use crate::inspect::explain::stages::DIGITS;

/// The number of significant digits of distances.
const DISTANCE_DIGITS: usize = 10;

/// A number of the element type next to the exact value of an entry.
///
/// The fields [`Explanation::below`](crate::explain::Explanation::below) and
/// [`Explanation::above`](crate::explain::Explanation::above) have this type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Neighbour<T> {
    /// The number.
    pub value: T,
    /// The number in decimal, to compare with the exact value. The number above the negative number nearest to zero is
    /// `-0`.
    pub decimal: Decimal,
    /// The distance from the exact value, as a fraction of the gap between the two neighbours.
    ///
    /// The two distances add up to 1, unless the value is a number of the type. Then both are 0.
    pub distance: Distance,
}

/// A distance from an exact value, as a fraction of the gap between its neighbours.
///
/// # Examples
///
/// ```
/// use posenc::{Spec, explain::Distance};
///
/// let entry = Spec::new(2).explain::<f32>(1, 0)?; // sin(1)
/// assert_eq!(entry.below.distance.to_string(), "0.4698547982");
///
/// // The cosine of 1e-800 is less than 1, but 5120 bits do not show by how much.
/// let entry = Spec::new(2).frequencies(&[1e-300]).scale(1e-300).explain::<f32>(1e-200, 1)?;
/// assert_eq!(entry.above.value, 1.0);
/// assert!(matches!(entry.above.distance, Distance::LessThan(_)));
/// assert!(entry.above.distance.to_string().starts_with("less than 1e-15"));
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distance {
    /// A distance with 10 significant digits.
    Known(Decimal),
    /// An upper bound, a power of ten, for a distance that is otherwise unknown.
    LessThan(Decimal),
}

impl Display for Distance {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Known(distance) => distance.fmt(f),
            Self::LessThan(bound) => write!(f, "less than {bound}"),
        }
    }
}

impl Distance {
    fn of(share: &Interval, last: bool) -> Option<Self> {
        match share.decimal(DISTANCE_DIGITS, false) {
            Some(decimal) => Some(Self::Known(decimal)),
            None if last => Some(Self::LessThan(share.high.decimal(1).bound())),
            None => None,
        }
    }
}

impl<T: Element> Neighbour<T> {
    /// Returns the neighbour with the magnitude that `bits` represent.
    fn of(negative: bool, bits: u64, distance: Distance) -> Self {
        let decimal = Dyadic::of_bits(bits, T::FORMAT).decimal(DIGITS).with_sign(negative);
        Self { value: from_bits((negative as u64) << (T::FORMAT.width - 1) | bits), decimal, distance }
    }
}

/// The place of a value among the numbers of a type.
pub(super) struct Place<T> {
    pub(super) below: Neighbour<T>,
    pub(super) above: Neighbour<T>,
    pub(super) from_middle: Distance,
}

impl<T: Element> Place<T> {
    /// Returns the place of `value`, or `None` if it is not certain and the interval is not the `last` one.
    pub(super) fn of(value: &Signed, last: bool) -> Option<Self> {
        let Interval { low, high } = &value.size;
        let (bits, quantum) = low.floor(T::FORMAT);
        let number = Dyadic::of_bits(bits, T::FORMAT);
        let share = |x: &Dyadic| x.distance(&number).times_power_of_two(-quantum);
        let one = Dyadic::small(1);
        let up = match (high.floor(T::FORMAT).0 == bits, last) {
            (true, _) => Interval { low: share(low), high: share(high) },
            // The interval contains a number of the format, and the value is just below it, as `round_wide` in
            // `exact::sinusoid` shows.
            (false, true) => Interval { low: share(low), high: one.clone() },
            (false, false) => return None,
        };
        let is_number = up.is_zero();
        let from_middle = Distance::of(&from_middle(&up, last)?, last)?;
        let down =
            if is_number { up.clone() } else { Interval { low: one.distance(&up.high), high: one.distance(&up.low) } };
        let lower = Neighbour::of(value.negative, bits, Distance::of(&up, last)?);
        let upper = Neighbour::of(value.negative, bits + !is_number as u64, Distance::of(&down, last)?);
        let (below, above) = if value.negative { (upper, lower) } else { (lower, upper) };
        Some(Self { below, above, from_middle })
    }
}

/// Returns the distance from one half of a number between 0 and 1.
fn from_middle(up: &Interval, last: bool) -> Option<Interval> {
    let half = Dyadic::small(1).times_power_of_two(-1);
    let (low, high) = (half.distance(&up.low), half.distance(&up.high));
    let (below, above) = (up.low.cmp(&half) == Ordering::Less, up.high.cmp(&half) == Ordering::Greater);
    let (near, far) = if low.cmp(&high) == Ordering::Less { (low, high) } else { (high, low) };
    match below && above {
        false => Some(Interval { low: near, high: far }),
        true if last => Some(Interval { low: Dyadic::small(0), high: far }),
        true => None,
    }
}
