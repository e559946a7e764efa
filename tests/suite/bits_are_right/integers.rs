//! Compares integer entries with an arbitrary-precision evaluation of the formula, divided by the scale and rounded once.
//!
//! Of each table, all tiers compute all entries, and the oracle some of them.

use dashu_float::round::mode::HalfEven;
use dashu_float::{ConstCache, Context};
use posenc::{Amplitude, Columns, Element, Odd, Q7, Q15, Q31, Quantiser, Spec};
use testkit::real::{Real, exactly, finite};
use testkit::{Lcg, cases};

/// An element type with integers.
trait Integer: Element {
    /// The range, and the binary places of a type whose scale is fixed.
    const FORM: (i64, i64, Option<i32>);

    fn integer(self) -> i64;
}

macro_rules! integers {
    ($($element:ident in $primitive:ident, $places:expr, $integer:expr;)*) => { $(
        impl Integer for $element {
            const FORM: (i64, i64, Option<i32>) = ($primitive::MIN as i64, $primitive::MAX as i64, $places);

            fn integer(self) -> i64 {
                let integer: fn(Self) -> $primitive = $integer;
                integer(self).into()
            }
        }
    )* };
}

integers! {
    Q7 in i8, Some(7), Self::to_bits;
    Q15 in i16, Some(15), Self::to_bits;
    Q31 in i32, Some(31), Self::to_bits;
    i8 in i8, None, |entry| entry;
    i16 in i16, None, |entry| entry;
    u8 in u8, None, |entry| entry;
}

/// A scale, exactly: a numerator and a denominator.
#[derive(Clone, Copy, Debug)]
struct Scale(f64, f64);

/// A random table of positions `start`, `start + step` and so on.
struct Case {
    d_model: usize,
    base: f64,
    list: Option<Vec<f64>>,
    amplitude: Amplitude,
    scale: Scale,
    zero_point: i64,
    start: i64,
    step: i64,
    rows: usize,
}

#[expect(clippy::cast_possible_truncation, reason = "the scales of models are of single precision")]
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

fn pick<T: Copy>(random: &mut Lcg, from: &[T]) -> T {
    from[usize::try_from(random.next_bits() >> 33).unwrap() % from.len()]
}

fn below(random: &mut Lcg, end: u64) -> i64 {
    i64::try_from((random.next_bits() >> 20) % end).unwrap()
}

impl Case {
    fn random<T: Integer>(random: &mut Lcg) -> Self {
        let (least, greatest, places) = T::FORM;
        let d_model = pick(random, &[2usize, 4, 6, 7, 10, 16, 24]);
        let zero_point = match (places, greatest) {
            (None, 255) => below(random, 256),
            (None, 127) => below(random, 256) - 128,
            _ => 0,
        };
        let steps = (greatest - zero_point).min(zero_point - least).max(1);
        let room = steps as f64;
        let scale = match places {
            Some(places) => Scale(1.0, 2f64.powi(places)),
            None => match random.next_bits() >> 62 {
                0 => Scale(1.0, room),
                1 => Scale(below(random, 1 << 20) as f64 + 1.0, (1u64 << 20) as f64 * room),
                2 => Scale(single(1.0 / room), 1.0),
                _ => Scale(1.0 / room * (1u64 << below(random, 20)) as f64, 1.0),
            },
        };
        // Ties at the angle 0: half a step more than an integer.
        let ties = scale.0 / scale.1 * 0.5;
        let amplitude = pick(random, &[1.0, 0.5, -1.0, 0.75, 0.1, 1e-5, 0.0, ties, -ties, 3.0 * ties]);
        let amplitude = if amplitude.abs() * scale.1 / scale.0 > room { ties } else { amplitude };
        // A root is a tie too, or an integer, if the width or its half is a square.
        let (amplitude, d_model, scale) = match (random.next_bits() >> 62, places) {
            (0, None) => {
                let (named, over_d) = pick(random, &[(Amplitude::RsqrtD, 1), (Amplitude::Sqrt2OverD, 2)]);
                let side = below(random, 5) + 2;
                let count = below(random, 2 * steps.unsigned_abs()) + 1;
                (named, usize::try_from(side * side * over_d).unwrap(), Scale(2.0, (count * side) as f64))
            }
            (1, _) if scale.1 / scale.0 <= room => {
                (pick(random, &[Amplitude::RsqrtD, Amplitude::Sqrt2OverD]), d_model, scale)
            }
            _ => (Amplitude::Value(amplitude), d_model, scale),
        };
        let list = (random.next_bits() >> 62 == 0).then(|| {
            (0..d_model.div_ceil(2))
                .map(|_| pick(random, &[1.0, 0.5, 1e-9, 1e-30, 0.0, -0.3, std::f64::consts::FRAC_PI_2]))
                .collect()
        });
        let start = pick(random, &[0, 0, 1, -5, 1000, 65_000, 1 << 40, -(1 << 52)]);
        let rows = pick(random, &[1, 3, 5, 20, 40, 70, 130, 400]);
        Self {
            d_model,
            base: pick(random, &[10_000.0, 500_000.0, 1e6, 2.0, 1e9]),
            list,
            amplitude,
            scale,
            zero_point,
            start,
            step: pick(random, &[1, 1, 2, -3, 1000]),
            rows,
        }
    }

    fn spec<T: Integer>(&self) -> Spec<'_> {
        let spec = Spec::new(self.d_model).start(self.start).step(self.step).odd(Odd::Zero).base(self.base);
        let spec = spec.amplitude(self.amplitude).zero_row(self.rows - 1);
        let spec = self.list.as_ref().map_or(spec, |list| spec.frequencies(&list[..self.d_model / 2]));
        let Scale(numerator, denominator) = self.scale;
        #[expect(clippy::cast_possible_truncation, reason = "integers")]
        let quantiser = match T::FORM.2 {
            Some(_) => return spec,
            None if denominator == 1.0 => Quantiser::new(numerator),
            None => Quantiser::quotient(numerator as i64, denominator as i64),
        };
        spec.quantiser(quantiser.zero_point(i32::try_from(self.zero_point).unwrap()))
    }

    /// Returns an entry before rounding, in units of the scale, or `None` if it is exactly 0.
    fn units(&self, position: f64, column: usize, precision: usize, constants: &mut ConstCache) -> Option<Real> {
        let context = Context::<HalfEven>::new(precision + 80);
        let (k, cosine) = (column / 2, column % 2 == 1);
        if column >= self.d_model / 2 * 2 || self.amplitude == Amplitude::Value(0.0) {
            return None;
        }
        let frequency = match &self.list {
            Some(list) => exactly(list[k]),
            None if k == 0 => Real::ONE,
            None => {
                let exponent = finite(context.div(Real::from(2 * k).repr(), Real::from(self.d_model / 2 * 2).repr()));
                let log = finite(context.ln(exactly(self.base).repr(), Some(constants)));
                finite(context.exp((-finite(context.mul(log.repr(), exponent.repr()))).repr(), Some(constants)))
            }
        };
        let angle = finite(context.mul(frequency.repr(), exactly(position).repr()));
        let value = match (angle == Real::ZERO, cosine) {
            (true, false) => return None,
            (true, true) => Real::ONE,
            (false, true) => finite(context.cos(angle.repr(), Some(constants))),
            (false, false) => finite(context.sin(angle.repr(), Some(constants))),
        };
        let value = finite(context.mul(value.repr(), exactly(self.scale.1).repr()));
        let value = finite(context.div(value.repr(), exactly(self.scale.0).repr()));
        Some(match self.amplitude {
            Amplitude::Value(amplitude) => finite(context.mul(value.repr(), exactly(amplitude).repr())),
            root => {
                let over = if root == Amplitude::RsqrtD { 1.0 } else { 2.0 };
                let square = exactly(self.d_model as f64 / over);
                finite(context.div(value.repr(), finite(context.sqrt(square.repr())).repr()))
            }
        })
    }

    fn oracle<T: Integer>(&self, row: usize, column: usize, constants: &mut ConstCache) -> i64 {
        let position = (self.start + self.step * i64::try_from(row).unwrap()) as f64;
        let mut precision = 100;
        let rounded = loop {
            if row == self.rows - 1 {
                break 0;
            }
            let Some(units) = self.units(position, column, precision, constants) else { break 0 };
            // The angle may be above 2^53, so the absolute error is far below 2^-precision.
            let error = Real::ONE >> (precision.cast_signed() - 40);
            let [low, high] = [&units - &error, &units + &error].map(|end| nearest(&end));
            if low == high {
                break low;
            }
            // The square of the amplitude in units is a quotient of about 200 bits, so what is nearer to a tie is one.
            let angle_is_zero = position == 0.0 || self.list.as_ref().is_some_and(|list| list[column / 2] == 0.0);
            if angle_is_zero && precision > 400 {
                break low + low.rem_euclid(2);
            }
            precision *= 2;
            if precision > 1 << 12 {
                // Just below the tie that the amplitude is, in magnitude.
                let toward_zero = if units > Real::ZERO { &units - &error } else { &units + &error };
                break nearest(&toward_zero);
            }
        };
        (rounded + self.zero_point).clamp(T::FORM.0, T::FORM.1)
    }

    fn check<T: Integer>(&self, random: &mut Lcg) {
        let (spec, mut constants) = (self.spec::<T>(), ConstCache::new());
        let len = self.rows * self.d_model;
        let mut table = vec![T::default(); len];
        spec.fill(0.., &mut table).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let mut constant = vec![T::default(); len];
        spec.const_fill(0.., &mut constant).unwrap();
        assert!(table == constant, "{spec} as {}", T::DTYPE);
        #[cfg(feature = "alloc")]
        {
            assert!(spec.table::<T>(self.rows).unwrap().as_slice() == table, "{spec} as {}", T::DTYPE);
            let (encoder, mut row) = (spec.prepare::<T>(self.rows).unwrap(), vec![T::default(); self.d_model]);
            for (i, expected) in table.chunks_exact(self.d_model).enumerate() {
                encoder.encode_row(i, &mut row).unwrap();
                assert!(row == expected, "row {i} of {spec} as {}", T::DTYPE);
                if i < self.rows - 1 {
                    spec.encode(self.start + self.step * i64::try_from(i).unwrap(), &mut row).unwrap();
                    assert!(row == expected, "encoded row {i} of {spec} as {}", T::DTYPE);
                }
            }
        }
        for _ in 0..24 {
            let at = usize::try_from(below(random, len as u64)).unwrap();
            let (row, column) = (at / self.d_model, at % self.d_model);
            let expected = self.oracle::<T>(row, column, &mut constants);
            assert_eq!(table[at].integer(), expected, "{} row {row}, column {column} of {spec}", T::DTYPE);
        }
    }
}

/// Returns the nearest integer, ties to even.
fn nearest(x: &Real) -> i64 {
    let floor = x.floor();
    let twice = (x - &floor) * Real::from(2);
    let floor = i64::try_from(floor.to_int().value()).unwrap();
    match twice.cmp(&Real::ONE) {
        std::cmp::Ordering::Less => floor,
        std::cmp::Ordering::Equal => floor + floor.rem_euclid(2),
        std::cmp::Ordering::Greater => floor + 1,
    }
}

#[test]
fn the_oracle_rounds_ties_to_even() {
    let ties = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999, -2.4999, -1.75].map(|x| nearest(&exactly(x)));
    assert_eq!(ties, [-2, -2, 0, 0, 2, 2, 2, -2, -2]);
}

#[test]
fn random_integers_are_the_formula_rounded_once() {
    let mut random = Lcg::new(1931);
    for _ in 0..cases(150) {
        Case::random::<Q7>(&mut random).check::<Q7>(&mut random);
        Case::random::<Q15>(&mut random).check::<Q15>(&mut random);
        Case::random::<Q31>(&mut random).check::<Q31>(&mut random);
        Case::random::<i8>(&mut random).check::<i8>(&mut random);
        Case::random::<i16>(&mut random).check::<i16>(&mut random);
        Case::random::<u8>(&mut random).check::<u8>(&mut random);
    }
}

/// Every position of a long table, against the table of `f64`, whose entries another oracle checks.
///
/// From an `f64` an integer can be rounded twice, but only within the last place of the `f64` from a tie. These few entries
/// are left out; there are none of 16 bits here.
#[test]
fn all_positions_are_those_of_f64_rounded() {
    fn check<T: Integer>(spec: Spec, per_one: f64, rows: usize) -> usize {
        const PIECE: usize = 1024;
        let d_model = spec.d_model();
        let quantiser = Quantiser::new(1.0 / per_one);
        let of_integers = if T::FORM.2.is_some() { spec } else { spec.quantiser(quantiser) };
        let (mut exact, mut table) = (vec![0.0f64; PIECE * d_model], vec![T::default(); PIECE * d_model]);
        let mut near_ties = 0;
        for first in (0..rows).step_by(PIECE) {
            spec.fill(first.., &mut exact).unwrap();
            of_integers.fill(first.., &mut table).unwrap();
            for (at, (&exact, &entry)) in exact.iter().zip(&table).enumerate() {
                let units = exact * per_one;
                if (units.fract().abs() - 0.5).abs() < per_one * 2f64.powi(-53) && exact.abs() < 1.0 {
                    near_ties += 1;
                    continue;
                }
                #[expect(clippy::cast_possible_truncation, reason = "an integer")]
                let expected = (units.round_ties_even() as i64).clamp(T::FORM.0, T::FORM.1);
                let (row, column) = (first + at / d_model, at % d_model);
                assert_eq!(entry.integer(), expected, "{} row {row}, column {column} of {spec}", T::DTYPE);
            }
        }
        near_ties
    }
    // All positions below 2^16 from an effort of 16 on.
    let rows = usize::try_from(cases(4096).min(1 << 16)).unwrap();
    for base in [10_000.0, 500_000.0, 1e6, 100.0] {
        let spec = Spec::new(64).base(base);
        let near_ties = check::<Q7>(spec, 128.0, rows)
            + check::<Q15>(spec, 32_768.0, rows)
            + check::<i8>(spec, 64.0, rows)
            + check::<i16>(spec, 16_384.0, rows);
        assert_eq!(near_ties, 0);
        assert!(check::<Q31>(spec, 2_147_483_648.0, rows) <= rows.div_ceil(1024));
    }
}

/// The whole tables `sinTable_q15` and `sinTable_q31` of CMSIS-DSP ec1bb75 (`Source/CommonTables/arm_common_tables.c`, Arm
/// Limited): the sines of multiples of 1/512 of a turn, times a power of two, rounded to nearest and saturated.
///
/// The tables are compared by the FNV-1a hash of their little-endian bytes.
#[test]
fn the_sine_tables_of_cmsis_dsp_are_these() {
    fn sines<T: Element, const N: usize>(bytes: fn(T) -> [u8; N]) -> Vec<u8> {
        let turn = [std::f64::consts::TAU / 512.0];
        let mut table = [T::default(); 513];
        Spec::new(1).columns(Columns::Sin).frequencies(&turn).fill(0.., &mut table).unwrap();
        table.into_iter().flat_map(bytes).collect()
    }
    let hash = |bytes: Vec<u8>| {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
    };
    assert_eq!(hash(sines(|entry: Q15| entry.to_bits().to_le_bytes())), 0x8892_0469_9af2_edb3);
    assert_eq!(hash(sines(|entry: Q31| entry.to_bits().to_le_bytes())), 0x25eb_7b78_01c9_6fd9);
}

/// The file has the parameters and the rows of each table, by `scripts/golden_integers.py`.
#[test]
fn small_tables_are_golden() {
    fn rows<T: Integer>(spec: &Spec) -> Vec<i64> {
        let mut table = vec![T::default(); 40 * spec.d_model()];
        spec.fill(0.., &mut table).unwrap();
        table.into_iter().map(Integer::integer).collect()
    }
    let mut lines = include_str!("golden/integers.txt").lines().skip(1);
    let mut count = 0;
    while let Some(head) = lines.next() {
        let [dtype, over, under, zero_point, d_model, start, base, amplitude] =
            head.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let spec = Spec::new(d_model.parse().unwrap()).start(start.parse().unwrap()).base(base.parse().unwrap());
        let spec = spec.amplitude(match amplitude {
            "rsqrt_d" => Amplitude::RsqrtD,
            "sqrt_2_over_d" => Amplitude::Sqrt2OverD,
            number => Amplitude::Value(number.parse().unwrap()),
        });
        let quantiser = Quantiser::quotient(over.parse().unwrap(), under.parse().unwrap());
        let affine = spec.quantiser(quantiser.zero_point(zero_point.parse().unwrap()));
        let found = match dtype {
            "q7" => rows::<Q7>(&spec),
            "q15" => rows::<Q15>(&spec),
            "q31" => rows::<Q31>(&spec),
            "i8" => rows::<i8>(&affine),
            "u8" => rows::<u8>(&affine),
            "i16" => rows::<i16>(&affine),
            _ => panic!("{head}"),
        };
        let wanted: Vec<i64> =
            lines.by_ref().take(40).flat_map(|row| row.split(' ').map(|entry| entry.parse().unwrap())).collect();
        assert_eq!(found, wanted, "{head}");
        count += 1;
    }
    assert_eq!(count, 21);
}
