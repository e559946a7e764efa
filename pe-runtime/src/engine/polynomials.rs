//! The coefficients of polynomials for the sine of an angle in turns.

/// The coefficients of `x`, `x^3`, ... of a polynomial for `sin(2π x)`.
///
/// On `|x| <= 1/4 + 2^-10` its relative error is below `1.81e-16`, which is `1.63 2^-53`. Made and checked by
/// `scripts/sine.sollya`.
#[allow(clippy::unreadable_literal, clippy::approx_constant, reason = "as printed by the script")]
pub(crate) const SINE: [f64; 8] = [
    6.283185307179585,
    -41.34170224039782,
    81.60524927546942,
    -76.70585967931291,
    42.05868948650409,
    -15.094495173155469,
    3.8172374128002717,
    -0.6919160622948624,
];

/// The first coefficients of a more precise polynomial, each a number and a rest.
///
/// On `|x| <= 1/4 + 2^-10` its relative error is below `2^-90`. Made and checked by `scripts/sine.sollya`.
#[cfg(feature = "alloc")]
#[allow(clippy::unreadable_literal, clippy::approx_constant, reason = "as printed by the script")]
pub(crate) const PRECISE_SINE: [(f64, f64); 7] = [
    (6.283185307179586, 2.449293598261765e-16),
    (-41.34170224039976, 1.8132498406108498e-15),
    (81.60524927607506, -2.5379327201609475e-15),
    (-76.70585975306139, 3.6447222825656496e-15),
    (42.058693944897655, -2.432443616654313e-15),
    (-15.094642576822949, -5.462958836226477e-16),
    (3.8199525848459746, -8.795880726297981e-17),
];

/// The other coefficients of the more precise polynomial.
#[cfg(feature = "alloc")]
#[allow(clippy::unreadable_literal, reason = "as printed by the script")]
pub(crate) const PRECISE_SINE_TAIL: [f64; 5] =
    [-0.7181223016928158, 0.10422916008205828, -0.012031551038363265, 0.0011305596604728161, -8.604704238126608e-05];
