//! Compares integer entries with an arbitrary-precision evaluation of the formula, divided by the scale and rounded once.
//!
//! Of each table, all tiers compute all entries, and the oracle some of them.

use posenc::{Amplitude, Columns, Element, Q7, Q15, Q31, Quantiser, Spec};
use testkit::case::Case;
use testkit::formula::Formula;
use testkit::number::Integer;
use testkit::{Lcg, cases, written};

/// Compares all entries of all tiers with each other, and some of them with the formula.
fn check<T: Integer>(random: &mut Lcg) {
    let rows = random.of([1, 3, 5, 20, 40, 70, 130, 400]);
    let case = Case { zero_row: Some(rows - 1), ..Case::of_integers::<T>(random) };
    let (spec, d_model, len) = (case.spec(), case.d_model, rows * case.d_model);
    let position = |row: usize| case.start + case.step * i64::try_from(row).unwrap();
    let table = written::<T, _>(len, |rows| spec.fill(0.., rows));
    let constant = written(len, |rows| spec.const_fill(0.., rows));
    assert!(table == constant, "{spec} as {}", T::DTYPE);
    #[cfg(feature = "alloc")]
    {
        assert!(spec.table::<T>(rows).unwrap().as_slice() == table, "{spec} as {}", T::DTYPE);
        let (encoder, mut row) = (spec.prepare::<T>(rows).unwrap(), vec![T::default(); d_model]);
        for (i, expected) in table.chunks_exact(d_model).enumerate() {
            encoder.encode_row(i, &mut row).unwrap();
            assert!(row == expected, "row {i} of {spec} as {}", T::DTYPE);
            if i < rows - 1 {
                spec.encode(position(i), &mut row).unwrap();
                assert!(row == expected, "encoded row {i} of {spec} as {}", T::DTYPE);
            }
        }
    }
    let mut formula = Formula::new(&case);
    for _ in 0..24 {
        let (row, column) = (random.index(rows), random.index(d_model));
        let expected = match row {
            row if row == rows - 1 => formula.zero_bits::<T>(),
            row => formula.entry_bits::<T>(position(row) as f64, column),
        };
        let found = table[row * d_model + column].bits();
        assert_eq!(found, expected, "{} row {row}, column {column} of {spec}", T::DTYPE);
    }
}

#[test]
fn random_integers_are_the_formula_rounded_once() {
    let mut random = Lcg::new(1931);
    for _ in 0..cases(50) {
        check::<Q7>(&mut random);
        check::<Q15>(&mut random);
        check::<Q31>(&mut random);
        check::<i8>(&mut random);
        check::<i16>(&mut random);
        check::<u8>(&mut random);
    }
}

/// `i8(127)` was meant to be `i8(1/127)`, and would make a table of zeros.
#[test]
fn a_table_without_a_step_is_refused() {
    fn row<T: Integer>(spec: &Spec) -> Result<(), String> {
        spec.encode(0, &mut [T::default(); 2]).map_err(|error| error.to_string())
    }
    let of = |quantiser| row::<i8>(&Spec::new(2).quantiser(quantiser));
    let sentence = "all i8 entries would be 0 (the zero point), because the amplitude is at most half of the scale, which is \
                    the step from one integer to the next; use a smaller scale: 1/127 fits -1 to 1 into `i8`";
    assert_eq!(of(Quantiser::new(127.0)).unwrap_err(), sentence);
    assert!(
        of(Quantiser::new(2.0).zero_point(5)).unwrap_err().starts_with("all i8 entries would be 5 (the zero point)")
    );
    assert_eq!(of(Quantiser::new(2f64.next_down())), Ok(()));
    let nothing = Spec::new(2).quantiser(Quantiser::new(127.0)).amplitude(Amplitude::Value(0.0));
    assert_eq!(row::<i8>(&nothing), Ok(()));
    let tiny = row::<Q7>(&Spec::new(2).amplitude(Amplitude::Value(1e-5)));
    assert!(tiny.unwrap_err().starts_with("all q7 entries would be 0"));
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
        let of_integers = if T::PLACES.is_some() { spec } else { spec.quantiser(quantiser) };
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
                let expected = (units.round_ties_even() as i64).clamp(T::RANGE.0, T::RANGE.1);
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
        written(40 * spec.d_model(), |rows| spec.fill(0.., rows)).into_iter().map(T::integer).collect()
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
