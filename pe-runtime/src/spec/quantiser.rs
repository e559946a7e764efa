//! The scale and the zero point of integer entries.

use core::fmt::{self, Debug, Display, Formatter};

use crate::element::Element;
use crate::exact::factor::Units;
use crate::exact::format::{Format, decompose};
use crate::float_bits::sign;
use crate::limits::MAX_POSITION;
use crate::spec::error::SpecError;

/// The scale and the zero point of integer entries: a real number `x` is stored as `round(x / scale) + zero_point`.
///
/// The entry is rounded once, to nearest, ties to even, before the zero point is added. Then it is clamped to the range
/// of the type. In the macro the quantiser is part of the type: `dtype = i8(1/127, -1)`.
///
/// # Examples
///
/// ```
/// use posenc::{Quantiser, Spec};
///
/// let mut row = [0i8; 4];
/// Spec::new(4).quantiser(Quantiser::quotient(1, 127)).encode(1, &mut row)?;
/// assert_eq!(row, [107, 69, 1, 127]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[must_use]
pub struct Quantiser {
    scale: Step,
    zero_point: i32,
}

/// The number between two consecutive integers.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Number(f64),
    Quotient(i64, i64),
}

impl Quantiser {
    /// Creates a quantiser with the zero point 0 and a `scale`, which is used exactly.
    ///
    /// The scale in a model file is an `f32`. Pass it as `f64::from(scale)`, because the `f64` with the same digits is
    /// a different number.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Quantiser, Spec};
    ///
    /// let model = Quantiser::new(f64::from(0.007_843_138_f32)).zero_point(-1); // 2/255
    /// let mut row = [0i8; 2];
    /// Spec::new(2).quantiser(model).encode(0, &mut row)?;
    /// assert_eq!(row, [-1, 126]); // the scale is a little more than 2/255, so 1.0 is less than 127.5 steps
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("scale", "QuantizeLinear", "affine"))]
    pub const fn new(scale: f64) -> Self {
        Self { scale: Step::Number(scale), zero_point: 0 }
    }

    /// Creates a quantiser with the zero point 0 and the exact quotient of two integers as its scale.
    ///
    /// Both must be from 1 to [`MAX_POSITION`](crate::MAX_POSITION).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Quantiser, Spec};
    ///
    /// let mut row = [0i16; 2];
    /// Spec::new(2).quantiser(Quantiser::quotient(1, 32_767)).encode(0, &mut row)?;
    /// assert_eq!(row, [0, 32_767]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn quotient(numerator: i64, denominator: i64) -> Self {
        Self { scale: Step::Quotient(numerator, denominator), zero_point: 0 }
    }

    /// Sets the integer that stands for 0 (default: 0). It must be in the range of the element type, and 0 for `i16`.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Quantiser, Spec};
    ///
    /// let mut row = [0u8; 2];
    /// Spec::new(2).quantiser(Quantiser::quotient(1, 128).zero_point(128)).encode(0, &mut row)?;
    /// assert_eq!(row, [128, 255]); // 1.0 is one step more than the type has
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("zp", "offset"))]
    pub const fn zero_point(mut self, zero_point: i32) -> Self {
        self.zero_point = zero_point;
        self
    }

    /// Returns how many units a number is.
    pub(crate) const fn units(self) -> Units {
        match self.scale {
            Step::Number(scale) => Units { times: 1.0, over: scale },
            Step::Quotient(numerator, denominator) => Units { times: denominator as f64, over: numerator as f64 },
        }
    }

    /// Returns words that identify the quantiser, for a hash.
    pub(crate) const fn words(self) -> [u64; 4] {
        match self.scale {
            Step::Number(scale) => [0, scale.to_bits(), 0, self.zero_point as u64],
            Step::Quotient(numerator, denominator) => [1, numerator as u64, denominator as u64, self.zero_point as u64],
        }
    }

    /// Returns whether both make the same entries: `0.5` is `1/2`. Both must have been checked.
    pub(crate) fn is_same(self, other: Self) -> bool {
        let [one, two] = [self, other].map(Self::units);
        let product = |x, y| {
            let ((x, first), (y, second)) = (decompose(x), decompose(y));
            // Below 2^106.
            let product = u128::from(x) * u128::from(y);
            let zeros = product.trailing_zeros();
            (product >> zeros, first + second + zeros as i32)
        };
        self.zero_point == other.zero_point && product(one.times, two.over) == product(two.times, one.over)
    }

    /// Checks the scale, independently of the element type.
    const fn check_scale(self) -> Result<(), SpecError> {
        match self.scale {
            Step::Number(value) if !value.is_finite() || sign(value) <= 0 => {
                Err(SpecError::QuantiserScale { value, quotient: None })
            }
            Step::Quotient(numerator, denominator)
                if numerator < 1 || numerator > MAX_POSITION || denominator < 1 || denominator > MAX_POSITION =>
            {
                Err(SpecError::QuantiserScale { value: numerator as f64, quotient: Some((numerator, denominator)) })
            }
            _ => Ok(()),
        }
    }

    /// Checks the zero point for a type with these integers.
    const fn check_zero_point(self, format: Format, dtype: &'static str) -> Result<(), SpecError> {
        let Some(integers) = format.integers else { return Ok(()) };
        let value = self.zero_point;
        let in_range = value as i64 >= integers.least && value as i64 <= integers.greatest;
        match (value, format.width) {
            (0, _) => Ok(()),
            // The 16-bit integers of models are symmetric.
            (_, 16..) => Err(SpecError::ZeroPoint { value, dtype, range: [0, 0] }),
            _ if in_range => Ok(()),
            _ => Err(SpecError::ZeroPoint { value, dtype, range: [integers.least, integers.greatest] }),
        }
    }
}

/// Says what the integers that stand for any range need, with the common scale for entries from -1 to 1.
macro_rules! needs_scale {
    ($example:literal) => {
        concat!("needs a scale: set `quantiser`, or in the macro write it with the type, such as `", $example, "`")
    };
}

const fn needs_scale(bits: u32, least: i64) -> &'static str {
    match (bits, least) {
        (16.., _) => needs_scale!("i16(1/32767)"),
        (_, 0) => needs_scale!("u8(1/127, 128)"),
        _ => needs_scale!("i8(1/127)"),
    }
}

/// What the other types do not allow.
const HAS_NO_SCALE: &str = "has no scale and no zero point to choose; remove the quantiser, or use `i8`, `i16` or `u8`";

/// Returns the units and the format of the entries of a table, or an error if the quantiser does not suit the type.
pub(crate) const fn units_and_format(
    quantiser: Option<Quantiser>,
    format: Format,
    dtype: &'static str,
) -> Result<(Units, Format), SpecError> {
    match (format.integers, quantiser) {
        (None, None) => Ok((Units::ONE, format)),
        (Some(integers), quantiser) => match (integers.fraction_bits, quantiser) {
            (Some(bits), None) => Ok((Units { times: (1u64 << bits) as f64, over: 1.0 }, format)),
            (None, None) => Err(SpecError::Dtype { dtype, reason: needs_scale(format.width, integers.least) }),
            (Some(_), Some(_)) => Err(SpecError::Dtype { dtype, reason: HAS_NO_SCALE }),
            (None, Some(quantiser)) => {
                try_const!(quantiser.check(format, dtype));
                Ok((quantiser.units(), format.with_zero_point(quantiser.zero_point as i64)))
            }
        },
        (None, Some(_)) => Err(SpecError::Dtype { dtype, reason: HAS_NO_SCALE }),
    }
}

/// Checks the quantiser of a table of `T`, or that `T` needs none, independently of the amplitude.
///
/// # Errors
///
/// Returns an error if the scale or the zero point is out of range, or if the type needs a quantiser that is missing
/// or does not allow one.
pub const fn check_quantiser<T: Element>(quantiser: Option<Quantiser>) -> Result<(), SpecError> {
    try_const!(units_and_format(quantiser, T::FORMAT, T::DTYPE));
    Ok(())
}

impl Quantiser {
    const fn check(self, format: Format, dtype: &'static str) -> Result<(), SpecError> {
        try_const!(self.check_scale());
        self.check_zero_point(format, dtype)
    }
}

/// Shows the arguments of the type in the macro: `1/127, -1`.
impl Display for Quantiser {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.scale {
            Step::Number(scale) => write!(f, "{scale:?}")?,
            Step::Quotient(numerator, denominator) => write!(f, "{numerator}/{denominator}")?,
        }
        if self.zero_point != 0 {
            write!(f, ", {}", self.zero_point)?;
        }
        Ok(())
    }
}

/// Shows the scale and the zero point.
impl Debug for Quantiser {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Quantiser({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_and_zero_points_have_ranges() {
        let scale_is_valid = |quantiser| check_quantiser::<i8>(Some(quantiser)).is_ok();
        for scale in [f64::from_bits(1), 0.5, f64::MAX] {
            assert!(scale_is_valid(Quantiser::new(scale)) && !scale_is_valid(Quantiser::new(-scale)), "{scale}");
        }
        for wrong in [0.0, -0.0, f64::INFINITY, f64::NAN] {
            assert!(!scale_is_valid(Quantiser::new(wrong)), "{wrong}");
        }
        for part in [1, 2, MAX_POSITION] {
            assert!(
                scale_is_valid(Quantiser::quotient(part, 3)) && scale_is_valid(Quantiser::quotient(3, part)),
                "{part}"
            );
        }
        for wrong in [i64::MIN, -1, 0, MAX_POSITION + 1, i64::MAX] {
            assert!(
                !scale_is_valid(Quantiser::quotient(wrong, 3)) && !scale_is_valid(Quantiser::quotient(3, wrong)),
                "{wrong}"
            );
        }
        fn zero_points<T: Element>() -> [bool; 7] {
            let is_valid = |zero| check_quantiser::<T>(Some(Quantiser::new(0.5).zero_point(zero))).is_ok();
            [-129, -128, 0, 1, 127, 128, 256].map(is_valid)
        }
        assert_eq!(zero_points::<i8>(), [false, true, true, true, true, false, false]);
        assert_eq!(zero_points::<u8>(), [false, false, true, true, true, true, false]);
        assert_eq!(zero_points::<i16>(), [false, false, true, false, false, false, false]);
        assert_eq!(zero_points::<f32>(), [false; 7]);
        assert!(check_quantiser::<i8>(None).is_err() && check_quantiser::<f32>(None).is_ok());
    }
}
