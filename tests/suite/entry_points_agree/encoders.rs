//! An encoder gives any position the bits that its spec gives it.

use posenc::{Bf16Bits, F16Bits, Spec};
use proptest::prelude::*;

use testkit::any_spec;
use testkit::{Bits, assert_same_bits, properties, written};

/// Positions of all kinds, or equally spaced integers, for which a list takes the tier for tables.
fn positions() -> impl Strategy<Value = Vec<f64>> {
    let integer = prop_oneof![-70_000i64..70_000, -(1i64 << 53)..=1 << 53].prop_map(|integer| integer as f64);
    let any = prop_oneof![
        integer,
        -1e6..1e6,
        -1.0..1.0,
        prop_oneof![Just(0.0), Just(-0.0), Just(f64::MAX), Just(5e-324)],
        prop::num::f64::NORMAL,
        any::<f32>().prop_filter("finite", |position| position.is_finite()).prop_map(f64::from),
    ];
    let spaced = (-(1i64 << 50)..1 << 50, -1000i64..1000, 0i64..9);
    prop_oneof![
        3 => prop::collection::vec(any, 0..9),
        1 => spaced.prop_map(|(start, step, count)| (0..count).map(|i| (start + i * step) as f64).collect()),
    ]
}

/// Compares an encoder prepared for `max_len` rows with the spec, in every entry of the positions.
fn check<T: Bits>(spec: &Spec, positions: &[f64], max_len: usize) {
    let len = positions.len() * spec.d_model();
    let row_by_row = |encode: &dyn Fn(f64, &mut [T])| {
        let mut rows = vec![T::default(); len];
        rows.chunks_exact_mut(spec.d_model()).zip(positions).for_each(|(row, &position)| encode(position, row));
        rows
    };
    let expected = row_by_row(&|position, row| spec.encode(position, row).unwrap());
    let encoder = spec.prepare::<T>(max_len).unwrap();
    let found = row_by_row(&|position, row| encoder.encode(position, row).unwrap());
    let what = |entry_point: &str| format!("{entry_point}, {max_len}: {spec}");
    assert_same_bits(&found, &expected, what("encode"));
    let filled = written(len, |buffer| encoder.fill_positions(positions, buffer));
    assert_same_bits(&filled, &expected, what("fill_positions"));
    let filled = written(len, |buffer| spec.fill_positions(positions, buffer));
    assert_same_bits(&filled, &expected, what("Spec::fill_positions"));
}

properties! {
    #![cases(32)]

    #[test]
    fn an_encoder_gives_the_bits_of_its_spec(drawn in any_spec::valid(8), positions in positions(), max_len in 0usize..8) {
        let spec = drawn.spec();
        check::<f32>(&spec, &positions, max_len);
        check::<f64>(&spec, &positions, max_len);
        check::<F16Bits>(&spec, &positions, max_len);
        check::<Bf16Bits>(&spec, &positions, max_len);
        #[cfg(feature = "half")]
        {
            check::<half::f16>(&spec, &positions, max_len);
            check::<half::bf16>(&spec, &positions, max_len);
        }
    }
}
