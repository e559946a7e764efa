//! Compares posenc with the table as tutorials compute it.
//!
//! Each recipe repeats the operations of its original, in f64. It rounds its angle several times before it takes a
//! sine, so its error grows with the angle. Let u be the unit roundoff (half the spacing of the numbers just above 1),
//! and r the relative error of the angle in units of u. Then
//!
//!   |recipe - posenc| <= u (r angle + 2)
//!
//! The angle is position * frequency, and the derivative of sine and cosine is at most 1. The 2 covers the platform's
//! sine (within one place of a number below 1, u) and the one rounding of posenc (half of that). Each recipe derives
//! its r. An error of e u in the logarithm of a frequency is a relative error of e u in the frequency, so the factor ln
//! 10000 = 9.2... enters.
//! how ln 10000 = 9.2... enters.

use std::f64::consts::PI;

use posenc::{Element, Preset, Spec, Table};

const UNIT_F32: f64 = f32::EPSILON as f64 / 2.0;
const UNIT_F64: f64 = f64::EPSILON / 2.0;

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

/// The minimal torch function: `exp(-i / d_model * math.log(10000.0))`.
fn minimal_function(seq_len: usize, d_model: usize) -> Vec<Vec<f64>> {
    let i = (0..d_model).step_by(2);
    let div_term: Vec<_> = i.map(|i| (-real(i) / real(d_model) * 10000_f64.ln()).exp()).collect();
    let mut pe = vec![vec![0.0; d_model]; seq_len];
    for (pos, row) in pe.iter_mut().enumerate() {
        for (pair, div_term) in row.chunks_mut(2).zip(&div_term) {
            pair[0] = (real(pos) * div_term).sin();
            pair[1] = (real(pos) * div_term).cos();
        }
    }
    pe
}

#[test]
fn the_minimal_torch_function_makes_this_table() {
    let table = Spec::new(256).table::<f64>(128).unwrap();
    assert_close(&table, &minimal_function(128, 256), UNIT_F64, EXPONENTIAL_FORM);
    // The width in the first cell of the original.
    let table = Spec::new(20000).table::<f64>(3).unwrap();
    assert_close(&table, &minimal_function(3, 20000), UNIT_F64, EXPONENTIAL_FORM);
}

/// The lecture notebook in numpy: powers `2 * (j // 2) / d_model` of `omega_0 = 1 / 10000`.
fn powers_of_omega(n: usize, d_model: usize) -> Vec<Vec<f64>> {
    let omega_0 = 1.0 / 10000_f64;
    let powers = (0..d_model).map(|j| real(2 * (j / 2)) / real(d_model));
    let freqs: Vec<_> = powers.map(|power| omega_0.powf(power)).collect();
    let angles = |x| freqs.iter().map(move |freq| real(x) * freq);
    (0..n).map(|x| alternate(angles(x))).collect()
}

#[test]
fn powers_of_the_smallest_frequency_make_this_table() {
    for d_model in [64, 7] {
        let table = Spec::preset(Preset::Omega0, d_model).table::<f64>(1024).unwrap();
        assert_close(&table, &powers_of_omega(1024, d_model), UNIT_F64, POWER_FORM);
    }
}

/// The sine-only matrix of the notebook, `sin(x_i * omega_0 ^ (j / d_model))`: one frequency per column.
#[test]
fn the_sine_only_matrix_has_a_preset() {
    let (n, d_model) = (64, 16);
    let omega_0 = 1.0 / 10000_f64;
    let table = Spec::preset(Preset::SineCodes, d_model).table::<f64>(n).unwrap();
    for (x, row) in table.rows().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            let angle = real(x) * omega_0.powf(real(j) / real(d_model));
            assert_within(entry, angle.sin(), UNIT_F64 * (POWER_FORM * angle + 2.0), "sine-only matrix");
        }
    }
}

/// The notebook's plot of two sines: `freqs = omega_0 ^ ((j + 1) / 2)` with `omega_0 = 1 / 64`, the slower one first.
///
/// This is a rising progression from `1 / 64`: `(1 / 64) (1 / 64)^(-j / 2)`. Every frequency is exact, so only the
/// platform's sine and the two roundings differ.
#[test]
fn the_curve_of_two_sines_is_a_rising_progression() {
    let omega_0 = 1.0 / 64_f64;
    let freqs: Vec<_> = (0..2).rev().map(|j| omega_0.powf(real(j + 1) / 2.0)).collect();
    assert_eq!(freqs, [1.0 / 64.0, 1.0 / 8.0]);
    let spec = Spec::preset(Preset::SineCodes, 2).base(omega_0).scale(omega_0);
    for (pos, row) in spec.table::<f64>(64).unwrap().rows().enumerate() {
        assert_within(row[0], (real(pos) * freqs[0]).sin(), 2.0 * UNIT_F64, "period 128 pi");
        assert_within(row[1], (real(pos) * freqs[1]).sin(), 2.0 * UNIT_F64, "period 16 pi");
    }
}

/// The notebook's first codes, with halving periods, as a list of frequencies.
///
/// The frequencies are the same floats as in the recipe, so only one product is rounded (r = 1).
#[test]
fn codes_of_halving_periods_are_given_as_frequencies() {
    let freqs: Vec<_> = (0..2).map(|j| 2.0 * PI / (128.0 / real(1 << j))).collect();
    let spec = Spec::preset(Preset::SineCodes, 2).frequencies(&freqs);
    for (pos, row) in spec.table::<f64>(1280).unwrap().rows().enumerate() {
        for (&entry, freq) in row.iter().zip(&freqs) {
            let angle = real(pos) * freq;
            assert_within(entry, angle.sin(), UNIT_F64 * (angle + 2.0), "halving periods");
        }
    }
}

/// The formula that one text prints, with `2i + 1` in the exponent of the cosine. (Its code uses `2i`; see below.)
#[test]
fn the_formula_with_two_exponents_has_a_preset() {
    let d_model = 64;
    let table = Spec::preset(Preset::Unpaired, d_model).table::<f64>(200).unwrap();
    for (pos, row) in table.rows().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            let angle = real(pos) / 10000_f64.powf(real(j) / real(d_model));
            let value = if j % 2 == 0 { angle.sin() } else { angle.cos() };
            assert_within(entry, value, UNIT_F64 * (POWER_FORM * angle + 2.0), "the formula with two exponents");
        }
    }
}

/// The torch snippet `exp(arange(0, d_model, 2) * -(log(10000) / d_model))`.
///
/// The text above it writes the cosine with 2i + 1 in the exponent, but its code uses 2i, as the paper and posenc do.
fn negated_quotient(max_len: usize, d_model: usize) -> Vec<Vec<f64>> {
    let step = -(10000_f64.ln() / real(d_model));
    let wk: Vec<_> = (0..d_model).step_by(2).map(|i| (real(i) * step).exp()).collect();
    let twice = |pos| wk.iter().flat_map(move |w| [real(pos) * w; 2]);
    (0..max_len).map(|pos| alternate(twice(pos))).collect()
}

#[test]
fn the_negated_quotient_form_makes_this_table() {
    let table = Spec::new(128).table::<f64>(512).unwrap();
    assert_close(&table, &negated_quotient(512, 128), UNIT_F64, EXPONENTIAL_FORM);
}

/// The same snippet in f32, which its `.float()` requests.
///
/// The bound is the same in units of f32, so at position 511 it allows 1e-3. There posenc is still within half a place.
#[test]
fn the_same_form_in_f32_strays_from_this_table_in_proportion_to_the_angle() {
    let (max_len, d_model) = (512, 128_u8);
    let step = -(10000_f32.ln() / f32::from(d_model));
    let wk: Vec<_> = (0..d_model).step_by(2).map(|i| (f32::from(i) * step).exp()).collect();
    let row = |pos: u16| wk.iter().flat_map(move |w| [(f32::from(pos) * w).sin(), (f32::from(pos) * w).cos()]);
    let recipe: Vec<Vec<f64>> = (0..max_len).map(|pos| row(pos).map(f64::from).collect()).collect();
    let table = posenc::sinusoidal_table(max_len.into(), d_model.into()).unwrap();
    assert_close(&table, &recipe, UNIT_F32, EXPONENTIAL_FORM);
}

/// The torch class that divides: `position / pow(10000, even_i / d_model)`, stacked and flattened.
fn stacked_and_flattened(max_seq_len: usize, d_model: usize) -> Vec<Vec<f64>> {
    let even_i = (0..d_model).step_by(2);
    let denominator: Vec<_> = even_i.map(|i| 10000_f64.powf(real(i) / real(d_model))).collect();
    let quotients = |position| denominator.iter().map(move |denominator| real(position) / denominator);
    let stacked = |position| quotients(position).map(|angle| [angle.sin(), angle.cos()]);
    (0..max_seq_len).map(|position| stacked(position).flatten().collect()).collect()
}

#[test]
fn stacked_and_flattened_quotients_make_this_table() {
    for (seq_len, d_model) in [(10, 6), (300, 100)] {
        let table = Spec::new(d_model).table::<f64>(seq_len).unwrap();
        assert_close(&table, &stacked_and_flattened(seq_len, d_model), UNIT_F64, POWER_FORM);
    }
}

/// The 10 x 6 tensor printed by that class.
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
    for (row, printed) in table.rows().zip(PRINTED.lines()) {
        let entries: Vec<_> = row.iter().map(|entry| format!("{entry:7.4}")).collect();
        assert_eq!(format!("[{}]", entries.join(", ")), printed);
    }
    assert_eq!(table.seq_len(), PRINTED.lines().count());
}

/// The numpy list form: `[position / np.power(10000, 2 * (hid_j // 2) / d_hid) for hid_j in range(d_hid)]`.
fn list_form(n_position: usize, d_hid: usize) -> Vec<Vec<f64>> {
    let angles = |position| (0..d_hid).map(move |j| real(position) / 10000_f64.powf(real(2 * (j / 2)) / real(d_hid)));
    (0..n_position).map(|position| alternate(angles(position))).collect()
}

/// An equivalent list form: `(i - 1 if i % 2 == 1 else i) / dimensions`.
fn list_form_of_even_neighbours(n_position: usize, dimensions: usize) -> Vec<Vec<f64>> {
    let even = |i: usize| if i % 2 == 1 { i - 1 } else { i };
    let denominator = |i| 10000_f64.powf(real(even(i)) / real(dimensions));
    let angles = |position| (0..dimensions).map(move |i| real(position) / denominator(i));
    (0..n_position).map(|position| alternate(angles(position))).collect()
}

#[test]
fn the_numpy_list_form_makes_this_table() {
    for (n_position, d_hid) in [(200, 512), (50, 33), (5, 1)] {
        let table = Spec::preset(Preset::ListForm, d_hid).table::<f64>(n_position).unwrap();
        let recipe = list_form(n_position, d_hid);
        assert_close(&table, &recipe, UNIT_F64, POWER_FORM);
        assert_eq!(recipe, list_form_of_even_neighbours(n_position, d_hid));
    }
}

/// The rotation by the angles of position phi maps row t to row t + phi, pair by pair.
///
/// This identity relates three rows of the table, so between rounded entries it holds at 2^52 as well as at 1. A
/// product of two rounded factors has a relative error of at most 3 u, and the two products add up to at most 1. The
/// sum and the entry to compare with are within 1 u each.
#[test]
fn a_rotation_takes_a_position_to_another_wherever_they_are() {
    let spec = Spec::new(64);
    let row = |position: i64| {
        let mut row = [0.0; 64];
        spec.encode(position, &mut row).unwrap();
        row
    };
    let positions = [0, 1, 17, 4096, 999_983, 1 << 40, 1 << 52, -1, -300, -(1 << 51)];
    for t in positions {
        for phi in positions {
            let (here, by, there) = (row(t), row(phi), row(t + phi));
            for k in 0..32 {
                let ([sin, cos], [sin_phi, cos_phi]) = ([here[2 * k], here[2 * k + 1]], [by[2 * k], by[2 * k + 1]]);
                let bound = 6.0 * UNIT_F64;
                assert_within(there[2 * k], cos_phi * sin + sin_phi * cos, bound, "sine of t + phi");
                assert_within(there[2 * k + 1], cos_phi * cos - sin_phi * sin, bound, "cosine of t + phi");
            }
        }
    }
}

/// One of the texts says about the paper that the wavelengths run from 2 pi to 10000 * 2 pi.
///
/// The last wavelength of a table is less than that by the factor 10000^(2 / d). Each of the two entries, the
/// arctangent, the two powers and the quotients is within 2 u.
#[test]
fn wavelengths_run_from_two_pi_towards_ten_thousand_times_that() {
    let mut row = [0.0_f64; 512];
    Spec::new(512).encode(1, &mut row).unwrap();
    let wavelength = |k: usize| 2.0 * PI / row[2 * k].atan2(row[2 * k + 1]);
    let longest = 10000.0 / 10000_f64.powf(2.0 / 512.0) * 2.0 * PI;
    assert_within(wavelength(0) / (2.0 * PI), 1.0, 16.0 * UNIT_F64, "shortest");
    assert_within(wavelength(255) / longest, 1.0, 16.0 * UNIT_F64, "longest");
}

/// Returns sines in the even columns and cosines in the odd ones.
fn alternate(angles: impl Iterator<Item = f64>) -> Vec<f64> {
    angles.enumerate().map(|(j, angle)| if j % 2 == 0 { angle.sin() } else { angle.cos() }).collect()
}

fn assert_close<T: Element + Into<f64>>(table: &Table<T>, recipe: &[Vec<f64>], unit: f64, relative: f64) {
    assert_eq!(table.seq_len(), recipe.len());
    for (position, (row, recipe)) in table.rows().zip(recipe).enumerate() {
        assert_eq!(row.len(), recipe.len());
        for (column, (&entry, &recipe)) in row.iter().zip(recipe).enumerate() {
            let exponent = real(2 * (column / 2)) / real(table.d_model());
            let angle = real(position) / 10000_f64.powf(exponent);
            let bound = unit * (relative * angle + 2.0);
            assert_within(entry.into(), recipe, bound, &format!("position {position} column {column}"));
        }
    }
}

#[track_caller]
fn assert_within(entry: f64, other: f64, bound: f64, what: &str) {
    assert!(
        (entry - other).abs() <= bound,
        "{what}: posenc has {entry:?}, the other {other:?}, more than {bound:e} apart"
    );
}

fn real(n: usize) -> f64 {
    n as f64
}
