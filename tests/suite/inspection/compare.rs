//! Comparing tables: which entries differ, by how much and where, and the text of a report.

use posenc::{Bf16Bits, Bucket, Comparison, Element, F16Bits, Flat, Grid, Preset, Report, Rows, Spec, compare};
use proptest::prelude::*;

use testkit::Bits;
use testkit::properties;

/// Returns the report on two entries.
fn on<T: Element>(expected: T, found: T) -> Report<T> {
    compare(&[[expected]], &[[found]]).unwrap()
}

/// Returns the bounds and counts of the histogram.
fn buckets<T>(report: &Report<T>) -> Vec<(u64, u64, u64)> {
    report.histogram().map(|bucket| (bucket.min_ulps, bucket.max_ulps, bucket.count)).collect()
}

fn ulps<T: Element>(expected: T, found: T) -> u64 {
    let report = on(expected, found);
    assert_eq!(report.max_ulps(), on(found, expected).max_ulps(), "{expected:?} and {found:?} change places");
    assert!(report.histogram().all(|Bucket { min_ulps, max_ulps, count, .. }| {
        min_ulps <= report.max_ulps() && report.max_ulps() <= max_ulps && count == 1
    }));
    report.max_ulps()
}

#[test]
#[cfg(feature = "macros")]
fn a_table_is_identical_to_itself_in_whatever_it_is_held() {
    static BAKED: [[f32; 6]; 10] = posenc::sinusoidal_table!(10, 6);
    let (spec, table) = (Spec::new(6), posenc::sinusoidal_table(10, 6).unwrap());
    let rows: Vec<Vec<f32>> = table.rows().map(<[f32]>::to_vec).collect();
    let slices: Vec<&[f32]> = table.rows().collect();
    let flat = Flat::new(table.as_slice(), 6).unwrap();
    let as_slice: &[[f32; 6]] = &BAKED;
    let reports = [
        compare(&BAKED, &table),
        compare(&table, &rows),
        compare(&rows[..], &slices),
        compare(&slices, &flat),
        compare(&flat, as_slice),
        spec.compare(&BAKED),
        spec.compare(&table),
        spec.compare(&rows),
        spec.compare(&flat),
        spec.compare(&BAKED[..3]),
        spec.compare(as_slice),
    ];
    for report in reports.map(Result::unwrap) {
        assert!(report.is_identical(), "{report}");
        assert_eq!(report.entries(), report.seq_len() as u64 * 6);
        assert_eq!((report.differing(), report.not_finite(), report.max_ulps()), (0, 0, 0));
        assert_eq!((report.max_abs_error(), report.mean_abs_error()), (0.0, 0.0));
        assert_eq!((report.max_ulps_at(), report.max_error_at()), (None, None));
        assert_eq!(buckets(&report), [(0, 0, report.entries())]);
    }
}

#[test]
fn a_grid_is_compared_row_by_row() {
    // More entries than are computed at a time, and rows of zeros before them.
    let grid = Grid::new([150, 3], 256).first([1, 0]).zero_rows(2);
    let table = grid.table::<f32>().unwrap();
    let mut rows: Vec<Vec<f32>> = table.rows().map(<[f32]>::to_vec).collect();
    for changed in [None, Some(0), Some(255), Some(256), Some(451)] {
        let mut comparison = Comparison::of_grid(&grid).unwrap();
        if let Some(i) = changed {
            rows[i][7] = f32::from_bits(rows[i][7].to_bits() + 1);
        }
        for row in &rows {
            comparison.add(row).unwrap();
        }
        assert!(comparison.add(&rows[0]).is_err(), "there is no further row");
        let report = comparison.report();
        assert_eq!((report.seq_len(), report.differing()), (452, u64::from(changed.is_some())));
        assert_eq!(report.max_ulps_at().map(|at| (at.row, at.column)), changed.map(|i| (i, 7)));
        if let Some(i) = changed {
            rows[i][7] = f32::from_bits(rows[i][7].to_bits() - 1);
        }
    }
}

/// Checks the reports on a table with one bit flipped in row 5, column 2; `bit` counts from the last place.
fn flipped<T: Bits>(spec: Spec, from_bits: fn(u64) -> T, bit: u32) {
    let table = spec.table::<T>(8).unwrap();
    let mut rows: Vec<Vec<T>> = table.rows().map(<[T]>::to_vec).collect();
    rows[5][2] = from_bits(rows[5][2].bits() ^ 1 << bit);
    let others = [compare(&table, &rows).unwrap().annotate(&spec).unwrap(), spec.compare(&rows).unwrap()];
    for report in others {
        assert_eq!((report.differing(), report.is_identical()), (1, false));
        let worst = *report.max_ulps_at().unwrap();
        assert_eq!((worst.row, worst.column), (5, 2));
        assert_eq!((worst.expected.bits(), worst.found.bits()), (table[(5, 2)].bits(), rows[5][2].bits()));
        assert_eq!(worst.correct, Some(table[(5, 2)]));
        assert_eq!((worst.ulps, report.max_ulps()), (1 << bit, 1 << bit));
        assert_eq!(report.max_error_at(), report.max_ulps_at());
        assert_eq!(report.mean_abs_error(), report.max_abs_error() / report.entries() as f64);
    }
}

#[test]
fn a_flipped_bit_is_found_where_it_is() {
    for bit in 0..6 {
        flipped::<f32>(Spec::new(7), |bits| f32::from_bits(u32::try_from(bits).unwrap()), bit);
        flipped::<f64>(Spec::new(8).start(-9), f64::from_bits, bit);
        flipped::<F16Bits>(Spec::new(8).step(-3), |bits| F16Bits::from_bits(u16::try_from(bits).unwrap()), bit);
        flipped::<Bf16Bits>(
            Spec::preset(Preset::Fairseq, 5).zero_row(1),
            |bits| Bf16Bits::from_bits(u16::try_from(bits).unwrap()),
            bit,
        );
        #[cfg(feature = "half")]
        {
            flipped::<half::f16>(Spec::new(8), |bits| half::f16::from_bits(u16::try_from(bits).unwrap()), bit);
            flipped::<half::bf16>(Spec::new(8), |bits| half::bf16::from_bits(u16::try_from(bits).unwrap()), bit);
        }
    }
}

#[test]
fn zeros_of_two_signs_differ_but_are_no_distance_apart() {
    let report = compare(&[[0.0f32, 1.0], [-0.0, 1.0]], &[[-0.0, 1.0], [-0.0, 1.0]]).unwrap();
    assert_eq!((report.differing(), report.is_identical()), (1, false));
    assert_eq!((report.max_ulps(), report.max_abs_error(), report.mean_abs_error()), (0, 0.0, 0.0));
    assert_eq!(report.max_ulps_at().map(|mismatch| (mismatch.row, mismatch.column)), Some((0, 0)));
    assert_eq!(buckets(&report), [(0, 0, 4)]);
    assert_eq!(ulps(F16Bits::from_bits(0), F16Bits::from_bits(0x8000)), 0);
}

#[test]
fn what_is_not_finite_is_counted_and_told_but_has_no_distance() {
    let other_nan = f32::from_bits(f32::NAN.to_bits() + 1);
    let expected = [[0.0, f32::NAN, f32::NAN], [f32::INFINITY, f32::MAX, 1.0]];
    let found = [[0.5, f32::NAN, other_nan], [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY]];
    let report = compare(&expected, &found).unwrap();
    assert_eq!((report.differing(), report.not_finite()), (4, 5));
    assert_eq!((report.max_abs_error(), report.mean_abs_error()), (0.5, 0.5));
    assert_eq!(report.max_ulps_at().map(|mismatch| (mismatch.row, mismatch.column)), Some((0, 0)));
    let first = report.first_not_finite().unwrap();
    assert_eq!((first.row, first.column, first.ulps, first.abs_error), (0, 2, u64::MAX, f64::INFINITY));
    assert!(report.histogram().map(|bucket| bucket.count).eq([1]));

    let same = compare(&found, &found).unwrap();
    assert!(same.is_identical() && same.not_finite() == 5 && same.first_not_finite().is_none());
    assert_eq!(same.to_string(), "identical: all 2 x 3 f32 entries, 5 of them not finite");

    // No finite entry is left for the mean.
    let report = on(F16Bits::from_bits(0x7c00), F16Bits::from_bits(0xfc00));
    assert_eq!((report.differing(), report.not_finite(), report.max_ulps()), (1, 1, 0));
    assert_eq!((report.mean_abs_error(), report.max_ulps_at()), (0.0, None));
    let report = on(Bf16Bits::from_bits(0x7f80), Bf16Bits::from_bits(0x7f7f));
    assert_eq!((report.not_finite(), report.histogram().count()), (1, 0));
}

#[test]
fn a_distance_counts_numbers_whatever_lies_between() {
    let least = f32::from_bits(1);
    assert_eq!(ulps(0.0, least), 1);
    assert_eq!(ulps(-0.0, least), 1);
    assert_eq!(ulps(-least, least), 2);
    assert_eq!(ulps(f32::MIN_POSITIVE, f32::from_bits(0x007f_ffff)), 1); // the largest subnormal number
    assert_eq!(ulps(1.0, 1.0 + f32::EPSILON), 1);
    assert_eq!(ulps(1.0, 1.0 - f32::EPSILON), 2); // across a power of two
    assert_eq!(ulps(1.0f32, 2.0), 1 << 23);
    assert_eq!(ulps(-1.0f32, 1.0), 2 * 0x3f80_0000);
    assert_eq!(ulps(1.0f64, 2.0), 1 << 52);
    assert_eq!(ulps(f64::MIN, f64::MAX), 2 * f64::MAX.to_bits());
    assert_eq!(on(f64::MIN, f64::MAX).max_abs_error(), f64::INFINITY);
    assert_eq!(ulps(F16Bits::from_bits(0x8001), F16Bits::from_bits(0x0001)), 2);
    assert_eq!(ulps(F16Bits::from_bits(0x03ff), F16Bits::from_bits(0x0400)), 1);
    assert_eq!(ulps(F16Bits::from_bits(0x3bff), F16Bits::from_bits(0x3c00)), 1);
    assert_eq!(ulps(F16Bits::from_bits(0xfbff), F16Bits::from_bits(0x7bff)), 2 * 0x7bff);
    assert_eq!(ulps(Bf16Bits::from_bits(0x3f80), Bf16Bits::from_bits(0x4000)), 128);
}

#[test]
fn buckets_end_at_powers_of_two() {
    let bucket = |ulps: u64| {
        let report = on(0.0, f64::from_bits(ulps));
        let Bucket { min_ulps, max_ulps, count, .. } = report.histogram().next().unwrap();
        assert_eq!((report.histogram().count(), count), (1, 1));
        (min_ulps, max_ulps)
    };
    let narrow = [(0, 0), (1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8), (9, 16)];
    for (ulps, expected) in (0..).zip(narrow) {
        assert_eq!(bucket(ulps), expected, "{ulps}");
    }
    for exponent in 2..62 {
        let power = 1 << exponent;
        assert_eq!(bucket(power), (power / 2 + 1, power));
        assert_eq!(bucket(power + 1), (power + 1, 2 * power));
    }
    let report = on(f64::MIN, f64::MAX);
    assert_eq!(buckets(&report), [((1 << 63) + 1, u64::MAX, 1)]);
    assert_eq!(buckets(&on(-2.0, 2.0)), [((1 << 62) + 1, 1 << 63, 1)]); // each is 2^62 from zero
}

/// Computes the report of `Spec::compare` by comparing with a table.
fn compare_with_table<T: Element>(spec: &Spec, found: &(impl Rows<T> + ?Sized)) -> Report<T> {
    let table = spec.table::<T>(found.seq_len()).unwrap();
    compare(&table, found).unwrap().annotate(spec).unwrap()
}

#[test]
fn a_spec_compares_as_its_table_does() {
    let specs = [
        Spec::new(6).start(-5).step(3),
        Spec::preset(Preset::Fairseq, 6).zero_row(1),
        Spec::preset(Preset::Whisper, 6),
        Spec::new(6).amplitude(posenc::Amplitude::RsqrtD),
    ];
    for spec in specs {
        for seq_len in [1, 2, 3, 4, 5, 70] {
            let found = vec![[0.25f32; 6]; seq_len];
            let report = spec.compare(&found).unwrap();
            if spec.table::<f32>(seq_len).is_ok() {
                let expected = compare_with_table(&spec, &found);
                assert_eq!(
                    (report.max_ulps_at(), report.max_error_at()),
                    (expected.max_ulps_at(), expected.max_error_at()),
                    "{spec}"
                );
                assert!(report.histogram().eq(expected.histogram()), "{spec}");
            }
        }
    }
    // A zero row beyond the compared rows has no effect.
    let spec = Spec::preset(Preset::Fairseq, 6).zero_row(5);
    assert!(spec.compare(&spec.table::<f32>(6).unwrap()).unwrap().is_identical());
    assert!(
        spec.compare(&Flat::new(&spec.table::<f32>(6).unwrap().as_slice()[..18], 6).unwrap()).unwrap().is_identical()
    );
}

#[test]
fn the_correct_entries_are_those_of_the_rows() {
    let spec = Spec::preset(Preset::Fairseq, 4).start(7).step(-2).zero_row(1);
    let exact = spec.table::<f64>(3).unwrap();
    for (i, j) in [(0, 1), (1, 0), (1, 3), (2, 2)] {
        let mut rows: Vec<Vec<f64>> = exact.rows().map(<[f64]>::to_vec).collect();
        let mut other = rows.clone();
        (rows[i][j], other[i][j]) = (2.0, 3.0);
        let report = compare(&rows, &other).unwrap();
        assert_eq!(report.max_ulps_at().unwrap().correct, None);
        let report = report.annotate(&spec).unwrap();
        assert_eq!(report.max_ulps_at().unwrap().correct, Some(exact[(i, j)]));
        assert_eq!(report.max_error_at().unwrap().correct, Some(exact[(i, j)]));
        other[i][j] = f64::NAN;
        let report = compare(&rows, &other).unwrap().annotate(&spec).unwrap();
        assert_eq!(report.first_not_finite().unwrap().correct, Some(exact[(i, j)]));
    }
}

#[test]
fn ties_go_to_the_first_by_rows() {
    // Three rows are compared column by column.
    for rows in [3, 8] {
        let spec = Spec::new(4).layout(posenc::Layout::Halves);
        let mut found: Vec<Vec<f32>> = spec.table::<f32>(rows).unwrap().rows().map(<[f32]>::to_vec).collect();
        for (row, column) in [(1, 3), (2, 0)] {
            found[row][column] = f32::from_bits(found[row][column].to_bits() + 4);
        }
        let report = spec.compare(&found).unwrap();
        assert_eq!(report.max_ulps_at().map(|mismatch| (mismatch.row, mismatch.column)), Some((1, 3)));
    }
}

#[test]
fn no_rows_are_identical() {
    let none: [[f32; 4]; 0] = [];
    let reports = [compare(&none, &Flat::new(&[], 7).unwrap()).unwrap(), Spec::new(4).compare(&none).unwrap()];
    for report in reports {
        assert!(report.is_identical());
        assert_eq!((report.seq_len(), report.entries(), report.mean_abs_error()), (0, 0, 0.0));
        assert_eq!(report.histogram().count(), 0);
        assert!(report.annotate(&Spec::new(4)).is_ok());
    }
    assert_eq!(Spec::new(4).compare(&none).unwrap().to_string(), "identical: all 0 x 4 f32 entries");
    let empty: [[f32; 0]; 3] = [[]; 3];
    assert!(compare(&empty, &empty).unwrap().is_identical());
}

/// Counts the steps between two numbers, one number at a time.
fn naive_ulps(from: f32, to: f32) -> u64 {
    let (mut low, high) = if from < to { (from, to) } else { (to, from) };
    let mut steps = 0;
    while low < high {
        low = low.next_up();
        steps += 1;
    }
    steps
}

prop_compose! {
    /// Two numbers close to each other, often at a boundary.
    fn neighbours()(
        from in prop_oneof![Just(0.0), Just(-0.0), Just(f32::MIN_POSITIVE), Just(-1.0), Just(f32::MAX), prop::num::f32::NORMAL, prop::num::f32::SUBNORMAL],
        steps in 0..2000, up: bool,
    ) -> (f32, f32) {
        let next = |x: f32| if up { x.next_up().min(f32::MAX) } else { x.next_down().max(f32::MIN) };
        (from, (0..steps).fold(from, |to, _| next(to)))
    }
}

/// Any kind of number, often a small one.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), -1.0..1.0, -1e-9..1e-9, -1e9..1e9]
}

properties! {
    #![cases(64)]

    #[test]
    fn distances_are_the_steps_between((from, to) in neighbours()) {
        prop_assert_eq!(ulps(from, to), naive_ulps(from, to));
    }

    #[test]
    fn errors_are_those_of_a_plain_loop(pairs in prop::collection::vec((any_number(), any_number()), 1..60)) {
        let (expected, found): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let report = compare(&Flat::new(&expected, 1).unwrap(), &Flat::new(&found, 1).unwrap()).unwrap();
        let errors = || pairs.iter().map(|(expected, found)| (expected - found).abs());
        let max = errors().fold(0.0, f64::max);
        let mean = errors().sum::<f64>() / pairs.len() as f64;
        prop_assert_eq!(report.max_abs_error(), max);
        // The plain sum has an error of at most one epsilon of the sum per addition.
        let bound = pairs.len() as f64 * f64::EPSILON * mean;
        prop_assert!((report.mean_abs_error() - mean).abs() <= bound, "{} and {}", report.mean_abs_error(), mean);
        let first = errors().position(|error| error == max);
        let differing = pairs.iter().filter(|(expected, found)| expected.to_bits() != found.to_bits()).count();
        prop_assert_eq!(report.differing(), differing as u64);
        prop_assert_eq!(report.max_error_at().map(|mismatch| mismatch.row), first.filter(|_| max > 0.0));
    }

    #[test]
    fn narrow_entries_have_the_errors_of_their_values(expected in 0u16..0x7c00, found in 0u16..0x7c00, signs in 0u16..4) {
        let (expected, found) = (expected | signs << 15, found | (signs & 2) << 14);
        let f16 = |bits| half::f16::from_bits(bits).to_f64();
        prop_assert_eq!(on(F16Bits::from_bits(expected), F16Bits::from_bits(found)).max_abs_error(), (f16(expected) - f16(found)).abs());
        let bf16 = |bits| half::bf16::from_bits(bits).to_f64();
        prop_assert_eq!(on(Bf16Bits::from_bits(expected), Bf16Bits::from_bits(found)).max_abs_error(), (bf16(expected) - bf16(found)).abs());
        let wide = |bits| f32::from_bits(u32::from(bits) << 16 | 0x5555);
        let difference = (f64::from(wide(expected)) - f64::from(wide(found))).abs();
        prop_assert_eq!(on(wide(expected), wide(found)).max_abs_error(), difference);
    }
}

/// Many errors are too small relative to the sum: a plain loop loses all of them.
#[test]
fn the_mean_does_not_lose_small_errors() {
    let mut found = vec![[2f64.powi(-60)]; 1 << 16];
    found[0] = [1.0];
    let report = compare(&vec![[0.0]; 1 << 16], &found).unwrap();
    let exact_sum = 1.0 + 2f64.powi(-44);
    assert!((report.mean_abs_error() * 65536.0 - exact_sum).abs() <= f64::EPSILON);
    assert_ne!(report.mean_abs_error() * 65536.0, 1.0);
}

#[test]
#[cfg(feature = "macros")]
fn an_identical_report_is_one_line() {
    static BAKED: [[F16Bits; 64]; 128] = posenc::sinusoidal_table!(128, 64, dtype = f16_bits);
    let report = Spec::new(64).compare(&BAKED).unwrap();
    assert_eq!(report.to_string(), "identical: all 128 x 64 f16_bits entries");
}

#[test]
fn a_differing_report_says_where_and_by_how_much() {
    let spec = Spec::new(64);
    let mut found: Vec<Vec<f32>> = spec.table::<f32>(100).unwrap().rows().map(<[f32]>::to_vec).collect();
    for (row, entries) in found.iter_mut().enumerate() {
        for entry in &mut entries[row % 64..] {
            *entry = *entry + 0.001 - 0.001;
        }
    }
    (found[17][30], found[50][2]) = (f32::NAN, 0.25);
    insta::assert_snapshot!(format!("{:#}", spec.compare(&found).unwrap()), @"
    differing: 452 of 100 x 64 f32 entries (7.1 %)
    not finite in at least one of the two: 1
    first of them: row 17, column 30
      expected  0.22476187  (0x3e6627fa), correct
      found     NaN  (0x7fc00000)
    absolute error: at most 4.530e-1, on average 7.079e-5
    largest distance and error: 2093996611 ulps, 4.530e-1, in row 50, column 2
      expected  -0.20298104  (0xbe4fda43), correct
      found     0.25  (0x3e800000)
        ulps  entries
           0     5948   92.9 %  ######################################
           1      447    7.0 %  ###
           2        1   <0.1 %  #
         3-4        2   <0.1 %  #
     to 2^31        1   <0.1 %  #
    ");
}

#[test]
fn a_share_is_nothing_or_all_only_if_it_is_so() {
    let mut found = [[1.0f32; 64]; 64];
    found[63][63] = 0.0;
    let report = format!("{:#}", compare(&[[0.0; 64]; 64], &found).unwrap());
    assert!(report.contains("differing: 4095 of 64 x 64 f32 entries (>99.9 %)"), "{report}");
    assert!(report.contains(" 0        1   <0.1 %  #\n"), "{report}");
}

#[test]
fn a_report_on_bits_shows_their_values() {
    let expected = [[F16Bits::from_bits(0x3c00), F16Bits::from_bits(0x8001), F16Bits::from_bits(0x0000)]];
    let found = [[F16Bits::from_bits(0x3bff), F16Bits::from_bits(0x0001), F16Bits::from_bits(0x8000)]];
    let report = compare(&expected, &found).unwrap();
    assert!(!report.to_string().contains("ulps  entries"), "{report}");
    insta::assert_snapshot!(format!("{report:#}"), @"
    differing: 3 of 1 x 3 f16_bits entries (100.0 %)
    absolute error: at most 4.883e-4, on average 1.628e-4
    largest distance: 2 ulps, 1.192e-7, in row 0, column 1
      expected  -5.9604645e-8  (0x8001)
      found     5.9604645e-8  (0x0001)
    largest error: 1 ulp, 4.883e-4, in row 0, column 0
      expected  1.0  (0x3c00)
      found     0.9995117  (0x3bff)
     ulps  entries
        0        1   33.3 %  ##############
        1        1   33.3 %  ##############
        2        1   33.3 %  ##############
    ");
    let mismatch =
        "Mismatch { row: 0, column: 0, expected: 1.0, found: 2.0, correct: None, ulps: 8388608, abs_error: 1.0 }";
    let debug = format!(
        "Report {{ seq_len: 1, d_model: 1, differing: 1, not_finite: 0, mean_abs_error: 1.0, max_ulps_at: Some({mismatch}), \
         max_error_at: Some({mismatch}), first_not_finite: None, \
         histogram: [Bucket {{ min_ulps: 4194305, max_ulps: 8388608, count: 1 }}] }}"
    );
    assert_eq!(format!("{:?}", on(1.0f32, 2.0)), debug);
    let (one, other) = ([[Bf16Bits::from_bits(0x3f80)]], [[Bf16Bits::from_bits(0xff80)]]);
    insta::assert_snapshot!(compare(&one, &other).unwrap().annotate(&Spec::new(1).start(1)).unwrap(), @"
    differing: 1 of 1 x 1 bf16_bits entries (100.0 %)
    not finite in at least one of the two: 1
    first of them: row 0, column 0
      expected  1.0  (0x3f80)
      found     -inf  (0xff80)
      correct   0.83984375  (0x3f57)
    ");
}

#[test]
fn a_report_on_doubles_shows_all_digits() {
    let row = |position: i32| {
        let mut row = [0.0f64; 4];
        Spec::new(4).encode(position, &mut row).unwrap();
        row
    };
    let report = compare(&[row(1)], &[row(2)]).unwrap();
    insta::assert_snapshot!(format!("{report:#}"), @"
    differing: 4 of 1 x 4 f64 entries (100.0 %)
    absolute error: at most 9.564e-1, on average 2.586e-1
    largest distance and error: 9204210084941953169 ulps, 9.564e-1, in row 0, column 1
      expected  0.5403023058681398  (0x3fe14a280fb5068c)
      found     -0.4161468365471424  (0xbfdaa22657537205)
        ulps  entries
     to 2^41        1   25.0 %  ##########
     to 2^50        1   25.0 %  ##########
     to 2^52        1   25.0 %  ##########
     to 2^63        1   25.0 %  ##########
    ");
}
