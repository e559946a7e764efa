//! Sine and cosine of a reduced phase with a proven enclosure: in 128-bit integers first, and in wider ones if
//! undecided.

use crate::error_bounds::{WIDE_ERROR_BITS, narrow_error};
use crate::exact::constants::QUARTER_PI;
use crate::exact::division;
use crate::exact::fixed::{Fixed, mul_high};
use crate::exact::limbs;
use crate::exact::phase::{Phase, Turn};
use crate::exact::rounding::{Enclosure, Magnitude};

/// Returns sine and cosine of the rest of `phase`, computed in 128-bit integers.
///
/// Returns `None` if the phase itself is not precise enough.
///
/// The rest is normalised first, so the error is relative to it, however small it is. If the phase is accurate to 128
/// bits, the absolute error is below `2^-123`.
pub(crate) const fn narrow<const L: usize>(phase: &Phase<L>) -> Option<(Enclosure, Enclosure)> {
    // rest = m 2^(exponent - zeros - 128) quarter turns, 2^127 <= m < 2^128, m off by less than m_error.
    let zeros = phase.quarter.leading_zeros();
    let error_bits = phase.turn.error_bits + zeros;
    let spare = Fixed::<L>::BITS - 128;
    if error_bits >= spare + 100 {
        return None;
    }
    let m = phase.quarter.window(zeros);
    // 1 for the truncated bits, and the error of the phase in the remaining ones.
    let m_error = 1 + (1u128 << error_bits.saturating_sub(spare));

    // angle = x 2^(-shift - 128) radians, since rest pi/2 = m pi/4 2^(exponent - zeros + 1 - 128). x is off by less
    // than 0.79 m_error + 2, for truncating the constant and the product. The rest is below 1/2, so zeros >= 1 and
    // shift >= 0.
    let x = mul_high(m, QUARTER_PI_128);
    let shift = zeros - 1 + phase.turn.exponent.unsigned_abs();
    // y = angle^2 2^128 < 0.617 2^128, off by less than 1.57 (0.79 m_error + 2) + 2 < 1.24 m_error + 5.2.
    let y = if shift < 64 { mul_high(x, x) >> (2 * shift) } else { 0 };

    // Both in units of 2^-127.
    let cos = (1 << 127) - (alternating_tail(y, 2) >> 1);
    let sin = mul_high(x, (1 << 127) - (alternating_tail(y, 3) >> 1));
    let error = narrow_error(m_error);
    Some((enclose(sin, error, -127 - shift as i32), enclose(cos, error, -127)))
}

const fn enclose(mantissa: u128, error: u128, exponent: i32) -> Enclosure {
    Enclosure::new(
        Magnitude { mantissa: mantissa.saturating_sub(error), exponent },
        Magnitude { mantissa: mantissa + error, exponent },
    )
}

/// Returns `y/n! - y^2/(n+2)! + y^3/(n+4)! - ...` in units of `2^-128`, for `y < 0.617`.
///
/// This is the difference between 1 and the cosine (`n = 2`), and, relative to the angle, between the angle and the
/// sine (`n = 3`). The first omitted term, `y^17/34!` or `y^16/33!`, is below half a unit.
const fn alternating_tail(y: u128, n: usize) -> u128 {
    let mut tail = 0;
    let mut i = LAST_FACTORIAL - (n & 1);
    while i >= n {
        tail = mul_high(y, INVERSE_FACTORIALS[i] - tail);
        i -= 2;
    }
    tail
}

const LAST_FACTORIAL: usize = 32;

/// `2^128 / n!`, too small by at most one unit. `33!` is above `2^122`, and the series never need `1/0!` or `1/1!`.
const INVERSE_FACTORIALS: [u128; LAST_FACTORIAL + 1] = {
    let mut inverses = [u128::MAX; LAST_FACTORIAL + 1];
    let mut factorial = 1;
    let mut n = 1;
    while n <= LAST_FACTORIAL {
        factorial *= n as u128;
        inverses[n] = u128::MAX / factorial;
        n += 1;
    }
    inverses
};

/// π/4 in units of `2^-128`, truncated.
const QUARTER_PI_128: u128 = Fixed::<2>::from_prefix(&QUARTER_PI).window(0);

/// Returns sine and cosine as `narrow` does, but times an amplitude and in as many limbs as the numbers have.
///
/// This is the tier that Ziv's method repeats with more limbs. Its error bound is absolute. The amplitude adds its own
/// error, and 2 ulp for the product, to the error of [`halves`]. The sum is below `2^(error_bits + 4)`, unless the
/// error of the amplitude is the larger one.
///
/// The first two numbers are the fraction of the rest and that of the amplitude, whose exponent and error bits are
/// separate arguments. The other numbers are scratch space.
#[inline(never)]
pub(crate) const fn wide(turn: &Turn, amplitude: (i32, u32), numbers: [&mut [u64]; 5]) -> (Enclosure, Enclosure) {
    let [rest, fraction, sin, one, two] = numbers;
    let (exponent, amplitude_bits) = amplitude;
    halves(turn.exponent, rest, sin, [one, two]);
    let own_bits = turn.error_bits + WIDE_ERROR_BITS;
    let error_bits = 1 + if own_bits > amplitude_bits { own_bits } else { amplitude_bits };
    let half_cos = rest;
    limbs::multiply(sin, fraction);
    limbs::multiply(half_cos, fraction);
    (
        Enclosure::around_in(sin, error_bits, exponent, [one, two]),
        Enclosure::around_in(half_cos, error_bits, exponent + 1, [one, two]),
    )
}

/// Returns sine and half the cosine of the rest of `phase` in `L` limbs.
///
/// Each is off by less than `2^(error_bits + WIDE_ERROR_BITS)` ulp.
#[cfg(all(feature = "inspect", feature = "alloc"))]
pub(crate) const fn wide_halves<const L: usize>(phase: &Phase<L>) -> (Fixed<L>, Fixed<L>) {
    let (mut half_cos, mut numbers) = (phase.quarter.0, [[0; L]; 3]);
    let [sin, one, two] = &mut numbers;
    halves(phase.turn.exponent, &mut half_cos, sin, [one, two]);
    (Fixed(numbers[0]), Fixed(half_cos))
}

/// Implements [`wide_halves`] for all precisions, so that it is compiled once.
///
/// It stores the sine in `sin`, and replaces the rest by half the cosine.
const fn halves(exponent: i32, rest: &mut [u64], sin: &mut [u64], numbers: [&mut [u64]; 2]) {
    let [y, tail] = numbers;
    limbs::shift_down(rest, exponent.unsigned_abs());
    // From here on, `rest` is the angle x.
    limbs::multiply(rest, &QUARTER_PI);
    limbs::shift_up(rest, 1);
    limbs::copy(rest, y);
    limbs::multiply(y, rest);
    wide_tail(y, 3, sin);
    limbs::complement(sin);
    limbs::multiply(sin, rest);
    wide_tail(y, 2, tail);
    limbs::shift_down(tail, 1);
    limbs::set(rest, 1 << 63);
    limbs::subtract(rest, tail);
}

/// Sets `tail` to `y/n! - y^2/(n+2)! + ...` for `n` of 2 or 3.
///
/// Horner's scheme is `v = y (1 - v') / (i (i - 1))`, which is below 0.31, and starts where `i!` reaches `2^BITS`. A
/// step has an error of less than `(0.62 (1 + e') + 2) / (i (i - 1)) + 1` ulp. The last one has less than 3.
const fn wide_tail(y: &[u64], n: u64, tail: &mut [u64]) {
    let mut i = n;
    let mut factorial_bits = 0;
    while factorial_bits < limbs::bits(y) {
        i += 2;
        factorial_bits += (i * (i - 1)).ilog2();
    }
    limbs::set(tail, 0);
    while i >= n {
        limbs::complement(tail);
        limbs::multiply(tail, y);
        division::divide(tail, 0, i * (i - 1));
        i -= 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::factor::{Factor, Size};
    use crate::exact::float::Float;
    use crate::exact::format::Format;
    use crate::exact::frequency::Frequency;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::frequency_rule::FrequencyRule;
    use crate::exact::limbs::NARROW;
    use crate::exact::limbs::tests::limb;
    use crate::float_bits::power_of_two;
    use crate::properties;

    /// A position in any binade from `2^-252` to `2^53`, with at most 53 bits.
    fn position() -> impl Strategy<Value = f64> {
        (any::<u64>(), 0u32..53, 0i32..305).prop_map(|(fraction, zeros, binade)| {
            f64::from_bits(power_of_two(binade - 252).to_bits() | (fraction >> 12 >> zeros) << zeros)
        })
    }

    /// A frequency of a table.
    fn frequency() -> impl Strategy<Value = (FrequencyRule<'static>, usize)> {
        let base = prop_oneof![Just(10_000.0), Just(2.0), Just(1e9), 0.5..1e6, Just(1e300)];
        let scale = prop_oneof![Just(1.0), Just(1e3), 1e-9..1e9];
        (base, scale, 2u64..600, any::<prop::sample::Index>()).prop_map(|(base, scale, d_model, i)| {
            (FrequencyRule { scale, ..paired(base, d_model) }, i.index(d_model as usize / 2))
        })
    }

    fn amplitude() -> impl Strategy<Value = Size> {
        let above = (0..f64::MAX.to_bits()).prop_map(|bits| Size::of(f64::from_bits(bits + 1)));
        prop_oneof![
            Just(Size::ONE),
            Just(Size::of(0.5f64.next_down())),
            above,
            Just(Size::Rsqrt(768.0)),
            Just(Size::Rsqrt(0.5)),
            Just(Size::quotient(1, 3)),
            Just(Size::quotient(7, 6))
        ]
    }

    /// Provides the memory for `super::wide`.
    fn wide<const L: usize>(phase: &Phase<L>, Factor { size, error_bits }: &Factor<L>) -> (Enclosure, Enclosure) {
        let mut numbers = [phase.quarter.0, size.fraction.0, [0; L], [0; L], [0; L]];
        let [rest, fraction, one, two, three] = &mut numbers;
        super::wide(&phase.turn, (size.exponent, *error_bits), [rest, fraction, one, two, three])
    }

    fn narrow_times(phase: &Phase<NARROW>, amplitude: Size) -> Option<(Enclosure, Enclosure)> {
        let factor = Factor::of(amplitude);
        narrow(phase).map(|(sin, cos)| (factor.times(sin), factor.times(cos)))
    }

    fn wide_at<const L: usize>(
        (frequencies, i): (FrequencyRule, usize),
        position: f64,
        amplitude: Size,
    ) -> (Enclosure, Enclosure) {
        wide(&Phase::new(position, &frequencies.of::<L>(i)).unwrap(), &Factor::of(amplitude))
    }

    const ONE: Size = Size::ONE;

    properties! {
        #![cases(200)]

        /// Checks the error bound with the precise value. A test below shows that a sixteenth of the bound would be too
        /// small.
        #[test]
        fn the_narrow_enclosure_holds_the_wide_one(at in frequency(), position in position(), amplitude in amplitude()) {
            let phase = Phase::new(position, &advanced(&at.0, at.1)).unwrap();
            // With base 1e300, an angle may be as small as 2^-1230. 2048 bits are then needed to exceed 128 relative
            // bits.
            let (wide_sin, wide_cos) = wide_at::<32>(at, position, ONE);
            let (sin, cos) = narrow(&phase).unwrap();
            prop_assert!(sin.contains(&wide_sin) && cos.contains(&wide_cos));

            let (wide_sin, wide_cos) = wide_at::<32>(at, position, amplitude);
            let (sin, cos) = narrow_times(&phase, amplitude).unwrap();
            prop_assert!(sin.contains(&wide_sin) && cos.contains(&wide_cos));
        }

        #[test]
        fn wide_enclosures_are_nested(at in frequency(), position in position(), amplitude in amplitude()) {
            let (sin, cos) = wide_at::<16>(at, position, amplitude);
            let (more_sin, more_cos) = wide_at::<32>(at, position, amplitude);
            // The ends are truncated to 128 bits, so a nested enclosure may touch the outer one but not exceed it. One
            // that touches zero does not decide.
            prop_assert!(sin.round(Format::F64).is_none() || sin.contains(&more_sin));
            prop_assert!(cos.contains(&more_cos));
        }
    }

    /// Returns a frequency that is off by nearly as much as its `error_bits` allow, and the exact one in 2048 bits.
    fn displaced<const L: usize>(
        mut limbs: [u64; L],
        exponent: i32,
        error_bits: u32,
        up: bool,
    ) -> (Frequency<L>, Frequency<32>) {
        limbs[0] |= 1 << 63;
        let mut wide_limbs = [0; 32];
        wide_limbs[..L].copy_from_slice(&limbs);
        let exact = Float { fraction: Fixed(wide_limbs), exponent };

        // The error is relative, so it stays below the bound, which is a power of two in ulp.
        let (mut error, mut moved) = ([0; L], limbs);
        error[L - 1 - (error_bits / 64) as usize] = 1 << (error_bits % 64);
        limbs::multiply(&mut error, &limbs);
        if up {
            limbs::add(&mut moved, &error);
        } else {
            limbs::subtract(&mut moved, &error);
        }
        let fraction = Fixed(if moved[0] >> 63 == 1 { moved } else { limbs });
        (Frequency { turns: Float { fraction, exponent }, error_bits }, Frequency { turns: exact, error_bits: 0 })
    }

    fn enclose_exactly(position: f64, frequency: &Frequency<32>) -> [Enclosure; 2] {
        let phase = Phase::new(position, frequency).unwrap();
        unfold(&phase, wide(&phase, &Factor::of(ONE)))
    }

    fn unfold<const L: usize>(phase: &Phase<L>, (sin, cos): (Enclosure, Enclosure)) -> [Enclosure; 2] {
        phase.turn.unfold(sin, cos).map(|(size, negative)| size.negated_if(negative))
    }

    properties! {
        #![cases(500)]

        #[test]
        fn a_narrow_enclosure_holds_whatever_the_error_of_the_frequency(
            limbs in prop::array::uniform5(limb()), exponent in -300i32..200, error_bits in 0u32..250, up: bool,
            position in position(),
        ) {
            let (frequency, exact) = displaced(limbs, exponent, error_bits, up);
            let phase = Phase::new(position, &frequency);
            if let Some((phase, enclosures)) = phase.and_then(|phase| Some((phase, narrow(&phase)?))) {
                let [sin, cos] = unfold(&phase, enclosures);
                let [exact_sin, exact_cos] = enclose_exactly(position, &exact);
                prop_assert!(sin.contains(&exact_sin) && cos.contains(&exact_cos));
            }
        }

        #[test]
        fn a_wide_enclosure_that_decides_holds_whatever_the_error_of_the_frequency(
            limbs in prop::array::uniform8(limb()), exponent in -300i32..300, error_bits in 0u32..450, up: bool,
            position in position(),
        ) {
            let (frequency, exact) = displaced(limbs, exponent, error_bits, up);
            if let Some(phase) = Phase::new(position, &frequency) {
                let [sin, cos] = unfold(&phase, wide(&phase, &Factor::of(ONE)));
                let [exact_sin, exact_cos] = enclose_exactly(position, &exact);
                // An enclosure that touches zero has lost the sign, and does not decide.
                prop_assert!(sin.round(Format::F64).is_none() || sin.contains(&exact_sin));
                prop_assert!(cos.round(Format::F64).is_none() || cos.contains(&exact_cos));
            }
        }
    }

    #[test]
    fn a_sixteenth_of_the_narrow_error_would_be_too_little() {
        let at = (paired(10_000.0, 64), 0);
        let misses = (1..2000u64).filter(|&position| {
            let position = position as f64;
            let (sin, cos) = narrow(&Phase::new(position, &advanced(&at.0, at.1)).unwrap()).unwrap();
            let (wide_sin, wide_cos) = wide_at::<16>(at, position, ONE);
            !(sin.narrowed(1).contains(&wide_sin) && cos.narrowed(1).contains(&wide_cos))
        });
        assert!(misses.count() > 100);
    }

    /// The rests are exact in 8 limbs, and cut to 5.
    #[cfg(all(feature = "alloc", feature = "inspect"))]
    #[test]
    fn wide_sines_are_as_precise_as_stated() {
        use crate::engine::error_audit::{Goal, Worst, report, worst};
        use crate::exact::power::tests::ulps;

        let look = |(mut limbs, error_bits, exponent): ([u64; 8], u32, i32),
                    Worst { shares, entries }: &mut Worst<1>| {
            limbs[0] >>= 1;
            let turn = |error_bits| Turn { quadrant: 0, folded: false, exponent, error_bits };
            let mut cut = Fixed::<5>::from_prefix(&limbs);
            limbs::shift_down(&mut cut.0, error_bits);
            limbs::shift_up(&mut cut.0, error_bits);
            let phase = Phase { turn: turn(error_bits), quarter: cut };
            let exact = Phase { turn: turn(0), quarter: Fixed(limbs) };
            let (sin, cos) = wide(&phase, &Factor::of(ONE));
            let (exact_sin, exact_cos) = wide(&exact, &Factor::of(ONE));
            assert!(sin.contains(&exact_sin) && cos.contains(&exact_cos), "{limbs:x?} {error_bits} {exponent}");

            let ((sin, half_cos), (exact_sin, exact_half_cos)) = (wide_halves(&phase), wide_halves(&exact));
            let off = ulps(&sin, &exact_sin).max(ulps(&half_cos, &exact_half_cos));
            shares[0] = shares[0].max(off / f64::powi(2.0, (error_bits + WIDE_ERROR_BITS) as i32));
            *entries += 1;
        };
        let draw = || (prop::array::uniform8(limb()), prop_oneof![Just(4), 4u32..300], -80i32..=0);
        let Worst { shares: [share], entries } = worst(draw, Goal::of_share(20), look);
        report("exact, wide sines", share, entries, 0.06);
    }

    /// Measures the error as a share of `2^-121`, and of the claimed error.
    #[cfg(feature = "alloc")]
    #[test]
    fn narrow_enclosures_are_as_precise_as_stated() {
        use crate::engine::error_audit::{Goal, Worst, report, worst};

        let look = |(at, position), Worst { shares, entries }: &mut Worst<2>| {
            let (frequencies, i): (FrequencyRule, usize) = at;
            let phase = Phase::new(position, &advanced(&frequencies, i)).unwrap();
            // For smaller angles, 512 bits do not leave enough precision.
            if phase.turn.exponent < -200 {
                return;
            }
            let (wide_sin, wide_cos) = wide_at::<8>((frequencies, i), position, ONE);
            let (sin, cos) = narrow(&phase).unwrap();
            for (off, claimed, exponent) in [sin.off(&wide_sin), cos.off(&wide_cos)] {
                shares[0] = shares[0].max(off * 2f64.powi(exponent + 121));
                shares[1] = shares[1].max(off / claimed);
                *entries += 1;
            }
        };
        let Worst { shares: [absolute, claimed], entries } =
            worst(|| (frequency(), position()), Goal::of_share(50), look);
        std::println!("audit: exact, 128 bits: at most {absolute:.4} of 2^-121, {entries} sines and cosines");
        report("exact, 128 bits", claimed, entries, 0.1);
    }
}
