//! The errors of arithmetics and of element types.

/// The unit of the errors of `f32` and of `f64`: half the distance from 1 to the next number.
pub(crate) const UNIT_SINGLE: f64 = f32::EPSILON as f64 / 2.0;
pub(crate) const UNIT_DOUBLE: f64 = f64::EPSILON / 2.0;

/// The error bound of an angle in units, relative to the largest angle of the row.
///
/// It allows half a unit of the last place each for the exponent, the power, the position and the product, and twice that
/// for frameworks with less accurate powers. Tables of `NumPy` use up to a quarter of it.
const OF_LARGEST: f64 = 8.0;

/// The error bound of an angle with the largest frequency in `f32`.
pub(crate) const SINGLE: f64 = (OF_LARGEST + 4.0 * LEAST_EXPONENT) * UNIT_SINGLE;

/// How many times as large the error of an angle of a rotary cache may be, relative to the angle itself.
///
/// The exponent has half a unit, which the logarithm of the base multiplies by up to 16; a scaling rule adds a few units,
/// and more where it blends two frequencies. The recipe of transformers uses up to a quarter of it, for gpt-oss.
const OF_CACHE: f64 = 8.0;

/// The exponent whose error those of larger frequencies have too.
///
/// MLX subtracts exponents of up to the logarithm of 10,000, which is between 8 and 16, where half the distance of two numbers is
/// 8 units. The number and its product are rounded, so an exponent near 0 may be off by 16 units.
const LEAST_EXPONENT: f64 = 2.0;

/// The precision with which a table was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// All entries are correctly rounded.
    Exact,
    /// The entries were computed in `f64`, and then rounded to the element type.
    Double,
    /// The entries were computed in `f32`, and then rounded to the element type.
    Single,
}

/// Returns the relative error bound of an angle, whose frequency is the largest one times `exp(-exponent)`.
///
/// The exponent has the rounding errors of the logarithm, of a quotient and of a product, and its error is that of the
/// frequency. The exponential, the scale and the product with the position have a few units more. Relative to the
/// largest angle of the row, it is never larger than for the largest frequency.
pub(crate) fn angle_error(precision: Precision, exponent: f64) -> f64 {
    (OF_LARGEST + 4.0 * exponent.abs().max(LEAST_EXPONENT)) * unit(precision)
}

/// Returns the relative error of a sine or cosine with its amplitude.
pub(crate) fn units(precision: Precision) -> f64 {
    4.0 * unit(precision)
}

fn unit(precision: Precision) -> f64 {
    match precision {
        Precision::Exact => 0.0,
        Precision::Double => UNIT_DOUBLE,
        Precision::Single => UNIT_SINGLE,
    }
}

/// Returns the error bound of an entry of a rotary cache before it is rounded to the element type.
pub(crate) fn bound_of_cache(angle: f64, value: f64, amplitude: f64, precision: Precision) -> f64 {
    let error = OF_CACHE * OF_LARGEST * unit(precision);
    (amplitude * error * angle + value.abs() * units(precision)).min(amplitude / 8.0)
}

/// Returns the least error of numbers that are rounded to `found`.
///
/// In 16 bits, different rules may make tables whose entries are at most one unit apart, but only entries near a midpoint
/// are rounded to the other side by an error of `f32`.
pub(crate) fn off_before_rounding(value: f64, found: f64, rounding: f64) -> f64 {
    ((value - found).abs() - half_gap(found, rounding)).max(0.0)
}

/// Returns the nearest `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rounds")]
pub(crate) fn narrowed(number: f64) -> f32 {
    number as f32
}

/// Returns half the distance from a number to the next one of its type.
pub(crate) fn half_gap(found: f64, rounding: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let power_of_two = f64::from_bits(found.to_bits() & EXPONENT);
    // Below this number, `f16` numbers are equally spaced. No entry is below the corresponding numbers of the other
    // types.
    const LEAST_OF_F16: f64 = 1.0 / 16384.0;
    let is_f16 = rounding == 1.0 / 2048.0;
    rounding * if is_f16 { power_of_two.max(LEAST_OF_F16) } else { power_of_two }
}
