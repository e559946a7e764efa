//! Error bounds for the entries of a table that was computed with a framework.

use posenc::{Amplitude, Frequencies, Parameters, Spec};

use super::fit::rsqrt;
use super::products::Products;
use super::rotary;

/// The unit of the errors of `f32` and of `f64`: half the distance from 1 to the next number.
pub(super) const UNIT_SINGLE: f64 = f32::EPSILON as f64 / 2.0;
pub(super) const UNIT_DOUBLE: f64 = f64::EPSILON / 2.0;

/// The error bound of an angle in units, relative to the largest angle of the row.
///
/// It allows half a unit of the last place each for the exponent, the power, the position and the product, and twice that
/// for frameworks with less accurate powers. Tables of `NumPy` use up to a quarter of it.
const OF_LARGEST: f64 = 8.0;

/// The error bound of an angle with the largest frequency in `f32`.
pub(super) const SINGLE: f64 = (OF_LARGEST + 4.0 * LEAST_EXPONENT) * UNIT_SINGLE;

/// How many times as large the error of an angle of a rotary cache may be, relative to the angle itself.
///
/// The exponent has half a unit, which the logarithm of the base multiplies by up to 16; a scaling rule adds a few units,
/// and more where it blends two frequencies. The recipe of transformers uses up to a quarter of it, for gpt-oss.
const OF_CACHE: f64 = 8.0;

/// The exponent whose error those of larger frequencies have too.
///
/// MLX subtracts exponents of up to the logarithm of 10000, which is between 8 and 16, where half the distance of two numbers is
/// 8 units. The number and its product are rounded, so an exponent near 0 may be off by 16 units.
const LEAST_EXPONENT: f64 = 2.0;

/// The precision with which a table was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precision {
    /// All entries are the correctly rounded ones.
    Exact,
    /// The entries were computed in `f64`, and then rounded to the element type.
    Double,
    /// The entries were computed in `f32`, and then rounded to the element type.
    Single,
}

/// The error bounds of a table's entries.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    start: f64,
    step: f64,
    /// The relative rounding error of the element type.
    rounding: f64,
    /// How far entries may be from those that were computed.
    pub(super) tolerance: f64,
    /// The amplitude with its sign.
    amplitude: f64,
    /// Its size, or that of the largest entry.
    peak: f64,
    scale: f64,
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    frequency: f64,
    /// The exponent of the frequency, which has its error, or `None` for a rotary cache.
    exponent: Option<f64>,
    is_sin: bool,
    /// The products that explain the entries with large angles, if there are any.
    products: Option<Products>,
}

/// The error of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Error {
    /// Whether the entry is the exact one.
    pub(super) is_exact: bool,
    /// The value of the formula, as an `f64`.
    pub(super) value: f64,
    pub(super) found: f64,
}

impl Noise {
    /// Returns the bounds, or `None` if the spec has no frequencies.
    pub(super) fn new(spec: &Spec, rounding: f64, largest: f64) -> Option<Self> {
        let Parameters { start, step, scale, amplitude, d_model, .. } = spec.parameters();
        let amplitude = match amplitude {
            Amplitude::RsqrtD => rsqrt(d_model),
            Amplitude::Sqrt2OverD => rsqrt(d_model) * 2_f64.sqrt(),
            Amplitude::Value(value) => value,
            Amplitude::AttentionFactor => rotary::attention_factor(spec).unwrap_or(f64::INFINITY),
        };
        // An amplitude far above the largest entry would let any small table fit. The eighth allows for a largest entry
        // that is below the peak of the wave.
        let peak = amplitude.abs().min(1.125 * largest);
        let is_cache = rotary::is_cache(spec);
        let is_progression = matches!(spec.parameters().frequencies, Frequencies::Geometric { .. }) && !is_cache;
        let frequencies = if is_progression { approximate(spec)? } else { rotary::frequencies(spec)? };
        let most = frequencies.iter().fold(0.0, |most: f64, frequency| most.max(frequency.abs()));
        let exponent = |frequency: f64| if frequency == 0.0 { 0.0 } else { (most / frequency.abs()).ln() };
        let column = |frequency: f64| Column {
            frequency: frequency.abs(),
            exponent: (!is_cache).then(|| exponent(frequency)),
            is_sin: false,
            products: None,
        };
        let mut columns: Vec<_> = frequencies.into_iter().map(column).collect();
        spec.sin_cos_columns().filter_map(|slot| slot.sin).for_each(|column| columns[column].is_sin = true);
        let (start, step) = (start.unwrap_or(0) as f64, step as f64);
        Some(Self { start, step, scale, rounding, tolerance: 0.0, amplitude, peak, columns })
    }

    /// Returns the most precise computation that explains an entry.
    pub(super) fn precision(&mut self, row: usize, column: usize, error: Error) -> Option<Precision> {
        if error.is_exact {
            return Some(Precision::Exact);
        }
        let position = self.start + self.step * row as f64;
        let off = (off_before_rounding(error.value, error.found, self.rounding) - self.tolerance).max(0.0);
        // A bound is capped well below the amplitude, so that a wrong quadrant never fits.
        let most = self.peak / 8.0;
        let Column { frequency, exponent, is_sin, ref mut products } = self.columns[column];
        let angle = position.abs() * frequency;
        let bound = |precision| match exponent {
            None => bound_of_cache(angle, error.value, self.peak, precision),
            Some(exponent) => {
                self.peak * angle_error(precision, exponent) * angle + error.value.abs() * units(precision)
            }
        };
        let explains = |precision| off <= bound(precision).min(most);
        if explains(Precision::Double) {
            return Some(Precision::Double);
        }
        if let Some(exponent) = exponent.filter(|_| bound(Precision::Single) > most) {
            let error_of_frequency = angle_error(Precision::Single, exponent);
            let products =
                products.get_or_insert_with(|| Products::new(frequency, self.scale, error_of_frequency, is_sin));
            let is_explained = products.explain(position, error.found, self.amplitude, self.rounding, self.tolerance);
            return is_explained.then_some(Precision::Single);
        }
        explains(Precision::Single).then_some(Precision::Single)
    }
}

/// Returns the frequency of each column of a 1-D table, nearly: its bounds need not be exact.
fn approximate(spec: &Spec) -> Option<Vec<f64>> {
    let mut first = spec.angular_frequencies().ok()?;
    let (first, second) = (first.next()?, first.next());
    let ratio = second.map_or(1.0, |second| second / first);
    let mut columns = vec![0.0; spec.d_model()];
    for (k, slot) in spec.sin_cos_columns().enumerate() {
        for column in [slot.sin, slot.cos].into_iter().flatten() {
            columns[column] = first * ratio.powf(k as f64);
        }
    }
    Some(columns)
}

/// Returns the relative error bound of an angle, whose frequency is the largest one times `exp(-exponent)`.
///
/// The exponent has the rounding errors of the logarithm, of a quotient and of a product, and its error is that of the
/// frequency. The exponential, the scale and the product with the position have a few units more. Relative to the
/// largest angle of the row, it is never larger than for the largest frequency.
pub(super) fn angle_error(precision: Precision, exponent: f64) -> f64 {
    (OF_LARGEST + 4.0 * exponent.abs().max(LEAST_EXPONENT)) * unit(precision)
}

/// Returns the relative error of a sine or cosine with its amplitude.
pub(super) fn units(precision: Precision) -> f64 {
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
pub(super) fn bound_of_cache(angle: f64, value: f64, amplitude: f64, precision: Precision) -> f64 {
    let error = OF_CACHE * OF_LARGEST * unit(precision);
    (amplitude * error * angle + value.abs() * units(precision)).min(amplitude / 8.0)
}

/// Returns the least error of numbers that are rounded to `found`.
///
/// In 16 bits, different rules may make tables whose entries are at most one unit apart, but only entries near a midpoint
/// are rounded to the other side by an error of `f32`.
pub(super) fn off_before_rounding(value: f64, found: f64, rounding: f64) -> f64 {
    ((value - found).abs() - half_gap(found, rounding)).max(0.0)
}

/// Returns half the distance from a number to the next one of its type.
pub(super) fn half_gap(found: f64, rounding: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let power_of_two = f64::from_bits(found.to_bits() & EXPONENT);
    // Below this number those of `f16` are equally spaced. Those of the other types are where no entry is.
    const LEAST_OF_F16: f64 = 1.0 / 16384.0;
    let is_f16 = rounding == 1.0 / 2048.0;
    rounding * if is_f16 { power_of_two.max(LEAST_OF_F16) } else { power_of_two }
}
