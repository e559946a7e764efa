//! Angles whose entries are so close to ties that a term after the leading one decides the rounding.
//!
//! If a small `x` is a midpoint between two numbers, its sine is below it by `x^3 / 6`. If the square of `x` is a small
//! odd multiple of `2^-precision`, its cosine is above a midpoint by `x^4 / 24`. If the amplitude is a midpoint, the
//! cosine of every tiny angle is close to a tie. And every midpoint has an arc sine and an arc cosine, and two `f64`
//! are closest to each.

use posenc::Amplitude;
use rug::Float;
use rug::float::Round;

use super::checks::{check_positions, check_rows_around};
use crate::params::Params;
use crate::rng::Rng;
use crate::rounding::{FORMATS, Format};
use crate::tally::Tally;

/// Blocks of each kind and element type.
const BLOCKS: u64 = 200;
const KINDS: [fn(&Format, &mut Rng, &mut Tally); 5] = [sines, cosines, inverses, amplitudes, products];

pub fn blocks() -> u64 {
    4 * BLOCKS * u64::try_from(KINDS.len()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let of = |number: u64, count: usize| usize::try_from(number).expect("small") % count;
    let format = &FORMATS[of(block, 4)];
    let mut rng = Rng::of_block(5, block);
    if block == 0 {
        known(tally);
    }
    KINDS[of(block / 4, KINDS.len())](format, &mut rng, tally);
}

/// Checks angles known to be hard.
fn known(tally: &mut Tally) {
    let mut angles = vec![power(-12), 3.0 * power(-12), 3.0 * power(-25), power(-25), 257.0 * power(-30), power(-4)];
    // 0x1.33333p13, and the same with one more digit.
    angles.extend([1_258_291.0 * power(-7), 20_132_659.0 * power(-11)]);
    check_angles(&angles, tally);
    for factors in CUBES {
        just_above(factors, tally);
    }
}

/// `y^3 + 1` as a product of three numbers below `2^53`, very close to a midpoint.
///
/// The leading digits of `y` are an odd number whose cube has one bit more than bf16, f32 or f64 has. So `y^3 + 1` is
/// above a midpoint by only one part in `2^138` to `2^156`. One factor is `y + 1`. The other two are factors of
/// `y^2 - y + 1`, for those `y = t 2^j` for which such factors exist.
const CUBES: [[u64; 3]; 7] = [
    [492_581_209_243_649, 965_342_719_980_139, 251_347_260_074_563], // t = 7, j = 46
    [2_295_780_278_796_289, 4_527_825_775_224_931, 1_164_048_121_583_947], // t = 261, j = 43
    [79_989_470_920_705, 672_678_347_859_871, 9_511_701_214_303],    // t = 291, j = 38
    [609_129_441_787_905, 5_809_721_939_387_859, 63_865_135_151_707], // t = 277, j = 41
    [66_749_965_795_329, 6_241_351_015_965_229, 713_877_159_333],    // t = 248663, j = 28
    [546_356_347_273_217, 4_937_672_551_555_969, 60_454_648_437_889], // t = 254417, j = 31
    [3_678_021_013_733_377, 5_214_456_677_832_529, 2_594_294_940_635_569], // t = 214089, j = 34
];

/// Checks angles so tiny that the sine's `x^3 / 6` does not reach down to the midpoint just below. Truncation on the
/// way would.
fn just_above(factors: [u64; 3], tally: &mut Tally) {
    for exponent in [-33, -36, -40] {
        let [position, scale, frequency] =
            factors.map(|factor| factor as f64 * power(exponent - factor.ilog2().cast_signed()));
        let params = Params { scale, frequencies: Some(vec![frequency]), ..Params::paper(2) };
        check_positions(&params, vec![position, -position], &[0], tally);
        let power_of_two = Params { amplitude: Amplitude::Value(power(-5)), ..params };
        check_positions(&power_of_two, vec![position], &[0], tally);
    }
}

/// Returns the bits of a random positive number below 1, of any magnitude or close to 1.
fn below_one(format: &Format, rng: &mut Rng) -> u64 {
    let one = format.one();
    match rng.integer(0, 3) {
        0 => one - 1 - rng.bits() % 64,
        1 => rng.bits() % one,
        // The upper third of the exponents, where the second term matters.
        _ => one - 1 - rng.bits() % (u64::from(format.precision) << (format.precision - 1)).min(one - 1),
    }
}

/// Checks angles that are midpoints between two numbers, and numbers themselves.
fn sines(format: &Format, rng: &mut Rng, tally: &mut Tally) {
    let angles: Vec<_> = (0..8)
        .map(|i| {
            let bits = below_one(format, rng);
            let ends = 1 << (format.precision - 1);
            // Also odd significands at the ends of a binade.
            let bits = if rng.percent(30) { bits / ends * ends + ends.wrapping_sub(rng.bits() % 3) } else { bits };
            let angle = if i % 4 == 0 { format.value(bits) } else { format.midpoint(bits) };
            // For an f64, both neighbours of the midpoint.
            angle.to_f64_round(if i % 2 == 0 { Round::Down } else { Round::Up })
        })
        .filter(|&angle| angle != 0.0)
        .collect();
    check_angles(&angles, tally);
}

/// Checks angles whose square is an odd multiple of `2^-precision`, and their neighbours.
fn cosines(format: &Format, rng: &mut Rng, tally: &mut Tally) {
    let half_precision = i32::try_from(format.precision.div_ceil(2)).expect("small");
    let unit = power(-half_precision);
    let dyadic = (0..4).map(|_| (2 * rng.integer(0, 1 << (half_precision - 2)) + 1) as f64 * unit);
    let mut angles: Vec<_> = dyadic.collect();
    for _ in 0..4 {
        let square = Float::with_val(400, 2 * rng.integer_of_any_size(i64::from(format.precision) - 3) - 1);
        let angle = (square >> format.precision).sqrt();
        angles.extend([angle.to_f64_round(Round::Down), angle.to_f64_round(Round::Up)]);
    }
    check_angles(&angles, tally);
}

/// Checks the `f64` next to arc sines and arc cosines of midpoints, also several turns later.
fn inverses(format: &Format, rng: &mut Rng, tally: &mut Tally) {
    let mut angles = Vec::new();
    for _ in 0..6 {
        let midpoint = Float::with_val(500, format.midpoint(below_one(format, rng)));
        let angle = if rng.percent(50) { midpoint.asin() } else { midpoint.acos() };
        let turns = if rng.percent(50) { 0 } else { rng.integer_of_any_size(40) };
        let angle = angle + Float::with_val(500, rug::float::Constant::Pi) * 2u32 * turns;
        angles.extend([angle.to_f64_round(Round::Down), angle.to_f64_round(Round::Up)]);
    }
    check_angles(&angles, tally);
}

/// Checks amplitudes that are midpoints between two numbers, with angles from small to tiny.
fn amplitudes(format: &Format, rng: &mut Rng, tally: &mut Tally) {
    // No f64 is a midpoint between two f64s, although its product with such an angle may be.
    let format = if format.precision == 53 { &FORMATS[0] } else { format };
    for exponent in [-6i32, -13, -20, -27, -40, -60, -100, -300, -500] {
        let midpoint =
            format.midpoint(below_one(format, rng) + u64::from(rng.percent(30)) * (1 << (format.precision - 1)));
        let amplitude = Amplitude::Value(rng.sign(midpoint.to_f64()));
        let frequency = rng.of_any_size(exponent.into(), (exponent + 3).into());
        let params = Params { amplitude, frequencies: Some(vec![frequency, power(exponent)]), ..Params::paper(4) };
        check_rows_around(&params, rng.integer(1, 8), &[0, 1], tally);
        check_positions(&params, vec![1.0, -3.0, 0.5, power(exponent), 0.0], &[0, 1], tally);
    }
}

/// Checks amplitudes whose product with the angle is a midpoint between two numbers.
fn products(format: &Format, rng: &mut Rng, tally: &mut Tally) {
    let precision = format.precision.cast_signed();
    let mut found = 0;
    while found < 8 {
        let bits = rng.pick(&[2, precision / 4, precision / 2, precision - 3]).max(2);
        let [a, b] =
            [bits, precision + 1 - bits].map(|bits| 2 * rng.integer(1 << (bits - 2), (1 << (bits - 1)) - 1) + 1);
        // An odd number with one bit more than the type has.
        if (i128::from(a) * i128::from(b)) >> precision != 1 {
            continue;
        }
        found += 1;
        let amplitude = Amplitude::Value(a as f64 * power(-bits));
        let exponent = rng.pick(&[-3, -precision / 4, -precision / 2, -precision / 2 - 1, -precision, -2 * precision]);
        let angle = b as f64 * power(bits - precision + exponent);
        let params = Params { amplitude, frequencies: Some(vec![angle]), ..Params::paper(2) };
        check_rows_around(&params, 1, &[0], tally);
        check_positions(&params, vec![1.0, -1.0, 0.5, angle.recip()], &[0], tally);
        let params = Params { amplitude, ..Params::paper(2) };
        check_positions(&params, vec![angle, -angle], &[0], tally);
    }
}

/// Checks angles and their `f64` neighbours, by all exact ways to an angle.
fn check_angles(angles: &[f64], tally: &mut Tally) {
    let with_neighbours: Vec<_> = angles.iter().flat_map(|x| [x.next_down(), *x, x.next_up(), -x]).collect();
    // As positions, with frequency 1.
    check_positions(&Params::paper(2), with_neighbours.clone(), &[0], tally);
    // As frequencies: in row 1, and in rows that powers of two place as far away as possible.
    let waves: Vec<_> = (0..with_neighbours.len()).collect();
    let mut params = Params { frequencies: Some(with_neighbours), ..Params::paper(2 * waves.len()) };
    check_rows_around(&params, 1, &waves, tally);
    check_positions(&params, vec![1.0, -1.0], &waves, tally);
    for shift in [3, 20, 52] {
        params.scale = power(-shift);
        check_rows_around(&params, 1 << shift, &waves, tally);
    }
    for &angle in angles {
        by_other_parameters(angle, tally);
    }
}

/// Checks one angle by means of the other parameters.
fn by_other_parameters(angle: f64, tally: &mut Tally) {
    // As the scale.
    let scaled = |scale| Params { scale, ..Params::paper(2) };
    check_rows_around(&scaled(angle), 1, &[0], tally);
    check_rows_around(&scaled(-angle), 1, &[0], tally);
    // As an integer times a power of two, in scale and in frequency.
    let (integer, exponent) = integer_and_exponent(angle);
    let unit = power(exponent);
    check_rows_around(&scaled(unit), integer, &[0], tally);
    check_rows_around(&Params { frequencies: Some(vec![unit]), ..Params::paper(2) }, -integer, &[0], tally);
    // As the numerator of a unit, alone and divided by the position.
    for denominator in [1, 3] {
        let in_units = Params { unit: (integer.abs(), denominator), ..scaled(unit) };
        check_rows_around(&in_units, denominator, &[0], tally);
    }
    // With bases whose second frequency is a power of two: its root in four columns, the power itself with a shift.
    for (base, exponent_of_base) in [(2.0, 1), (16.0, 4), (65_536.0, 16), (power(20), 20), (power(30), 30)] {
        for freq_shift in [0.0, 1.0] {
            let negative = if freq_shift == 0.0 { exponent_of_base / 2 } else { exponent_of_base };
            if freq_shift == 0.0 && exponent_of_base == 1 {
                continue;
            }
            let params = Params { base, freq_shift, ..Params::paper(4) };
            let position = angle * power(negative);
            check_positions(&params, vec![position, -position, position.next_up(), position.next_down()], &[1], tally);
            let params = Params { scale: power(exponent + negative), ..params };
            check_rows_around(&params, integer, &[1], tally);
        }
    }
}

/// Returns a power of two, possibly subnormal.
///
/// It is computed in two steps, because `powi` could invert an infinite power, which would give 0.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// Returns an odd integer and a power of two whose product is the number, which must not be 0 or have a subnormal last
/// place.
fn integer_and_exponent(x: f64) -> (i64, i32) {
    let (integer, exponent) = Float::with_val(53, x).to_integer_exp().expect("finite");
    let zeros = integer.find_one(0).unwrap_or(0);
    let odd = (integer >> zeros).to_i64().expect("53 bits");
    (odd, exponent + i32::try_from(zeros).expect("small"))
}
