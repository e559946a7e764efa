//! Compares posenc with the tables as tutorials compute them.
//!
//! Each recipe repeats the operations of its original, in f64. It rounds its angle several times before it takes a
//! sine, so its error grows with the angle. Let u be the unit roundoff (half the spacing of the numbers just above 1),
//! and r the relative error of the angle in units of u. Then
//!
//!   |recipe - posenc| <= u (r angle + 2)
//!
//! The angle is position * frequency, and the derivative of sine and cosine is at most 1. The 2 covers the platform's
//! sine (within one place of a number below 1, u) and the one rounding of posenc (half of that). An error of e u in the
//! logarithm of a frequency is a relative error of e u in the frequency, so the factor ln 10000 = 9.2... enters.

use std::f64::consts::TAU;

use posenc::{Columns, Preset, Spec};

/// r of exp(-i ln(10000) / d).
///
/// The constant is within 2 u, and a quotient and a product within 1 each, so the logarithm is within 4 * 9.3 = 37.2.
/// The exponential adds 2, and the product with the position adds 1.
const EXPONENTIAL_FORM: f64 = 40.2;

/// r of position / 10000^(i / d).
///
/// i / d is within u, so the logarithm is within 9.3. The power adds 4 (libraries differ), and the quotient or product
/// adds 1. If 1 / 10000 is rounded and then raised to a power below 1, that adds 1.
const POWER_FORM: f64 = 15.3;

/// A table of a tutorial: the angle of a position and a column in a table of `d` columns, and its r.
struct Recipe {
    angle: fn(position: f64, column: usize, d: f64) -> f64,
    r: f64,
}

/// The column of the sine with the same frequency.
fn even(column: usize) -> f64 {
    (column / 2 * 2) as f64
}

/// The minimal torch function: `exp(-i / d_model * math.log(10000.0))`.
const MINIMAL_FUNCTION: Recipe =
    Recipe { angle: |position, j, d| position * (-even(j) / d * 10_000f64.ln()).exp(), r: EXPONENTIAL_FORM };

/// The torch snippet `exp(arange(0, d_model, 2) * -(log(10000) / d_model))`.
///
/// The text above it writes the cosine with 2i + 1 in the exponent, but its code uses 2i, as the paper and posenc do.
const NEGATED_QUOTIENT: Recipe =
    Recipe { angle: |position, j, d| position * (even(j) * -(10_000f64.ln() / d)).exp(), r: EXPONENTIAL_FORM };

/// The torch class that divides: `position / pow(10000, even_i / d_model)`, stacked and flattened; and the numpy list forms
/// `position / np.power(10000, 2 * (hid_j // 2) / d_hid)` and `(i - 1 if i % 2 == 1 else i) / dimensions`.
const QUOTIENTS: Recipe = Recipe { angle: |position, j, d| position / 10_000f64.powf(even(j) / d), r: POWER_FORM };

/// The lecture notebook in numpy: powers `2 * (j // 2) / d_model` of `omega_0 = 1 / 10000`.
const POWERS_OF_OMEGA: Recipe =
    Recipe { angle: |position, j, d| position * (1.0 / 10_000f64).powf(even(j) / d), r: POWER_FORM };

/// The sine-only matrix of the notebook, `sin(x_i * omega_0 ^ (j / d_model))`: one frequency per column.
const SINE_ONLY: Recipe =
    Recipe { angle: |position, j, d| position * (1.0 / 10_000f64).powf(j as f64 / d), r: POWER_FORM };

/// The formula that one text prints, with `2i + 1` in the exponent of the cosine.
const TWO_EXPONENTS: Recipe = Recipe { angle: |position, j, d| position / 10_000f64.powf(j as f64 / d), r: POWER_FORM };

/// The notebook's plot of two sines: `freqs = omega_0 ^ ((j + 1) / 2)` with `omega_0 = 1 / 64`, the slower one first.
///
/// This is a rising progression from `1 / 64`: `(1 / 64) (1 / 64)^(-j / 2)`. Every frequency is exact.
const TWO_SINES: Recipe = Recipe { angle: |position, j, _| position * [1.0 / 64.0, 1.0 / 8.0][j], r: 0.0 };

/// The notebook's first codes, with halving periods, as a list of frequencies. Only one product is rounded.
const HALVING_PERIODS: Recipe = Recipe { angle: |position, j, _| position * PERIODS[j], r: 1.0 };
const PERIODS: [f64; 2] = [TAU / 128.0, TAU / 64.0];

#[test]
fn tutorials_make_these_tables() {
    for (recipe, spec, seq_len) in [
        (MINIMAL_FUNCTION, Spec::new(256), 128),
        (MINIMAL_FUNCTION, Spec::new(20_000), 3), // the width in the first cell of the original
        (NEGATED_QUOTIENT, Spec::new(128), 512),
        (QUOTIENTS, Spec::new(6), 10),
        (QUOTIENTS, Spec::new(100), 300),
        (QUOTIENTS, Spec::preset(Preset::ListForm, 512), 200),
        (QUOTIENTS, Spec::preset(Preset::ListForm, 33), 50),
        (QUOTIENTS, Spec::preset(Preset::ListForm, 1), 5),
        (POWERS_OF_OMEGA, Spec::preset(Preset::Omega0, 64), 1024),
        (POWERS_OF_OMEGA, Spec::preset(Preset::Omega0, 7), 1024),
        (SINE_ONLY, Spec::preset(Preset::SineCodes, 16), 64),
        (TWO_EXPONENTS, Spec::preset(Preset::Unpaired, 64), 200),
        (TWO_SINES, Spec::preset(Preset::SineCodes, 2).base(1.0 / 64.0).scale(1.0 / 64.0), 64),
        (HALVING_PERIODS, Spec::preset(Preset::SineCodes, 2).frequencies(&PERIODS), 1280),
    ] {
        let sines = spec.parameters().columns == Columns::Sin;
        for (position, row) in spec.table::<f64>(seq_len).unwrap().rows().enumerate() {
            for (column, &entry) in row.iter().enumerate() {
                let angle = (recipe.angle)(position as f64, column, row.len() as f64);
                let value = if sines || column % 2 == 0 { angle.sin() } else { angle.cos() };
                let bound = f64::EPSILON / 2.0 * (recipe.r * angle + 2.0);
                assert!((entry - value).abs() <= bound, "{spec}: {entry:?} and {value:?} at {position}, {column}");
            }
        }
    }
}

/// The negated quotient in f32, which its `.float()` requests.
///
/// The bound is the same in units of f32, so at position 511 it allows 1e-3. There posenc is still within half a place.
#[test]
fn the_same_form_in_f32_strays_from_this_table_in_proportion_to_the_angle() {
    let step = -(10_000f32.ln() / 128.0);
    let table = posenc::sinusoidal_table(512, 128).unwrap();
    for (position, row) in table.rows().enumerate() {
        for (column, &entry) in row.iter().enumerate() {
            let angle = position as f32 * ((column / 2 * 2) as f32 * step).exp();
            let value = if column % 2 == 0 { angle.sin() } else { angle.cos() };
            let bound = f64::from(f32::EPSILON) / 2.0 * (EXPONENTIAL_FORM * f64::from(angle) + 2.0);
            assert!(f64::from(entry - value).abs() <= bound, "{entry:?} and {value:?} at {position}, {column}");
        }
    }
}

/// The 10 x 6 tensor printed by the torch class that divides.
const PRINTED: &str = "\
[ 0.0000,  1.0000,  0.0000,  1.0000,  0.0000,  1.0000]
[ 0.8415,  0.5403,  0.0464,  0.9989,  0.0022,  1.0000]
[ 0.9093, -0.4161,  0.0927,  0.9957,  0.0043,  1.0000]
[ 0.1411, -0.9900,  0.1388,  0.9903,  0.0065,  1.0000]
[-0.7568, -0.6536,  0.1846,  0.9828,  0.0086,  1.0000]
[-0.9589,  0.2837,  0.2300,  0.9732,  0.0108,  0.9999]
[-0.2794,  0.9602,  0.2749,  0.9615,  0.0129,  0.9999]
[ 0.6570,  0.7539,  0.3192,  0.9477,  0.0151,  0.9999]
[ 0.9894, -0.1455,  0.3629,  0.9318,  0.0172,  0.9999]
[ 0.4121, -0.9111,  0.4057,  0.9140,  0.0194,  0.9998]";

#[test]
fn the_printed_table_of_ten_positions_and_six_columns_prints_the_same() {
    let table = posenc::sinusoidal_table(10, 6).unwrap();
    let line = |row: &[f32]| format!("[{}]", row.iter().map(|x| format!("{x:7.4}")).collect::<Vec<_>>().join(", "));
    assert_eq!(table.rows().map(line).collect::<Vec<_>>().join("\n"), PRINTED);
}
