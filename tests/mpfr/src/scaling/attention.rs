//! The attention factors of `YaRN` and `LongRoPE`.

use rug::{Float, Integer, Rational};

/// An attention factor that is transcendental.
#[derive(Clone, Debug)]
pub enum Attention {
    /// `(0.1 above ln(factor) + 1) / (0.1 below ln(factor) + 1)`.
    Quotient { factor: f64, above: f64, below: f64 },
    /// `sqrt(1 + ln(factor) / ln(length))`.
    Root { factor: f64, length: usize },
}

impl Attention {
    /// Returns the number with an error of less than a unit in the last place.
    ///
    /// All terms are positive, so each operation on 32 bits more adds little to the relative error.
    pub fn with_precision(&self, precision: u32) -> Float {
        let wide = precision + 32;
        let number = match *self {
            Self::Quotient { factor, above, below } => {
                let tenth = Float::with_val(wide, factor).ln() / 10u32;
                let [above, below] = [above, below].map(|scale| Float::with_val(wide, &tenth * scale) + 1u32);
                above / below
            }
            Self::Root { factor, length } => {
                let [factor, length] = [Float::with_val(wide, factor), Float::with_val(wide, length)].map(Float::ln);
                (factor / length + 1u32).sqrt()
            }
        };
        Float::with_val(precision, number)
    }
}

/// Returns `1 + ln(factor) / ln(length)` if it is rational. Otherwise it is transcendental (Gelfond and Schneider).
/// `factor` is above 1.
///
/// If the quotient is a fraction `i / j` in lowest terms, `factor^j = length^i`. So `factor` is an integer, as it is
/// dyadic and a power of it is an integer. `length` is the `j`th power of an integer, which bounds `j`.
pub fn square(factor: f64, length: usize) -> Option<Rational> {
    let factor = Some(factor).filter(|factor| factor.fract() == 0.0).and_then(Integer::from_f64)?;
    let mut power = Integer::from(1);
    (1..=length.ilog2()).find_map(|j| {
        power *= &factor;
        logarithm(&power, length).map(|i| Rational::from((i + j, j)))
    })
}

/// Returns the exponent of a power of `base`, which is at least 2, or `None` for other integers.
fn logarithm(power: &Integer, base: usize) -> Option<u32> {
    let mut smaller = Integer::from(1);
    let mut exponent = 0;
    while smaller < *power {
        smaller *= base;
        exponent += 1;
    }
    (smaller == *power).then_some(exponent)
}
