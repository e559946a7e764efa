//! Decimal digits.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result, Write};

/// A number in decimal, correctly rounded to nearest, ties to the smaller magnitude.
///
/// The fields of an [`Explanation`](crate::explain::Explanation) have this type. It displays without an exponent from
/// 0.00001 to below 1e40, and otherwise with one, as in `1.25e-7`. Trailing zeros are left out if the number is exact,
/// but not if it is rounded.
///
/// # Examples
///
/// ```
/// use posenc::{Spec, explain::Decimal};
///
/// let entry = Spec::new(8).scale(0.5).explain::<f32>(1, 0)?; // sin(0.5)
/// let stages = entry.stages.expect("a column of sines");
/// let (angle, sine): (Decimal, Decimal) = (stages.angle, stages.unscaled);
/// assert_eq!((angle.to_string().as_str(), angle.is_exact()), ("0.5", true));
/// assert_eq!(sine.to_string(), "0.4794255386042030002732879352155713880818");
/// assert!(!sine.is_exact());
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    /// The first digit is not zero and has the weight `10^exponent`. Empty for 0.
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i32,
    exact: bool,
}

impl Decimal {
    pub(super) fn new(digits: Vec<u8>, exponent: i32, exact: bool) -> Self {
        Self { negative: false, digits, exponent, exact }
    }

    /// Returns whether the digits are the exact number.
    ///
    /// If thousands of bits do not distinguish the number from one with so few digits, for example a power of 10,000
    /// from 0.1, this is unknown, and the result is `false`.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    pub(in crate::inspect) fn is_one(&self) -> bool {
        !self.negative && self.digits == [1] && self.exponent == 0
    }

    pub(in crate::inspect) fn with_sign(self, negative: bool) -> Self {
        Self { negative, ..self }
    }

    /// Returns a power of ten above every number that rounds to this one.
    pub(in crate::inspect) fn bound(&self) -> Self {
        Self::new(vec![1], self.exponent + 1, true)
    }

    /// Returns what both ends of an interval round to. If they differ, returns the lower end if the interval is the
    /// `last` one.
    pub(super) fn agreed(self, high: Self, last: bool) -> Option<Self> {
        let exact = self.exact && high.exact;
        match self.equals(&high) {
            // If only one end has few digits, the number itself need not.
            true if self.digits.len() < high.digits.len() => Some(Self { exact, ..high }),
            true => Some(Self { exact, ..self }),
            false => last.then_some(Self { exact: false, ..self }),
        }
    }

    /// Returns whether the two are the same number, regardless of trailing zeros.
    fn equals(&self, other: &Self) -> bool {
        let significant = |x: &Self| x.digits.iter().rposition(|&digit| digit > 0).map_or(0, |last| last + 1);
        let (len, other_len) = (significant(self), significant(other));
        self.exponent == other.exponent && self.digits[..len] == other.digits[..other_len]
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.negative {
            f.write_char('-')?;
        }
        let digit = |f: &mut Formatter<'_>, i: i32| {
            let digit = usize::try_from(i).ok().and_then(|i| self.digits.get(i)).unwrap_or(&0);
            f.write_char((b'0' + digit) as char)
        };
        let len = self.digits.len() as i32;
        let (first, point, exponent) = match self.exponent {
            _ if len == 0 => return f.write_char('0'),
            plain @ 0..40 => (0, plain, None),
            plain @ -5..0 => (plain, 0, None),
            exponent => (0, 0, Some(exponent)),
        };
        // A number below 1 begins with zeros, before its first digit.
        let offset = if first < 0 { first } else { 0 };
        for i in offset..=point + offset {
            digit(f, i)?;
        }
        if point + offset + 1 < len {
            f.write_char('.')?;
        }
        for i in point + offset + 1..len {
            digit(f, i)?;
        }
        exponent.map_or(Ok(()), |exponent| write!(f, "e{exponent}"))
    }
}
