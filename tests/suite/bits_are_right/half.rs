//! The 16-bit element types: why they need their own rounding, and, with the feature `half`, the types of that crate.

use half::{bf16, f16};
use posenc::{Bf16Bits, F16Bits, Spec};

use testkit::Bits;

/// Counts the entries of a table of 2048 x 64 for which `convert` of the `f64` entry differs from ours.
///
/// Asserts that each of them is farther from the `f64` entry than ours. (Both are neighbours of it, so these
/// differences are exact.)
fn converted_worse<T: Bits>(convert: impl Fn(f64) -> T, value: fn(T) -> f64) -> usize {
    let (wide, narrow) = (Spec::new(64).table::<f64>(2048).unwrap(), Spec::new(64).table::<T>(2048).unwrap());
    let mut worse = 0;
    for (&wide, &narrow) in wide.as_slice().iter().zip(narrow.as_slice()) {
        let converted = convert(wide);
        if converted.bits() != narrow.bits() {
            let (ours, theirs) = ((value(narrow) - wide).abs(), (value(converted) - wide).abs());
            assert!(ours < theirs, "{wide:?}: ours is {ours:e} away, the other {theirs:e}");
            worse += 1;
        }
    }
    worse
}

fn f16_value(bits: F16Bits) -> f64 {
    f16::from_bits(bits.to_bits()).to_f64()
}

fn bf16_value(bits: Bf16Bits) -> f64 {
    bf16::from_bits(bits.to_bits()).to_f64()
}

/// Converting a correct `f64` with the crate `half` is not correctly rounded.
///
/// Even a correct conversion would round twice, which shows in a share of 2^-42 of the entries. But these conversions
/// drop bits before they round, or go through `f32`. If a later version of `half` rounds correctly and this test fails,
/// the entries must still be rounded from the exact value: that version may take another path on other processors or in
/// a const context.
#[test]
fn conversions_of_the_crate_half_are_not_the_nearest_number() {
    let f16_bits = |x: f16| F16Bits::from_bits(x.to_bits());
    let bf16_bits = |x: bf16| Bf16Bits::from_bits(x.to_bits());
    assert_eq!(converted_worse(|x| f16_bits(f16::from_f64_const(x)), f16_value), 44);
    assert_eq!(converted_worse(|x| f16_bits(f16::from_f32_const(narrowed(x))), f16_value), 5, "through f32");
    assert_eq!(converted_worse(|x| bf16_bits(bf16::from_f64(x)), bf16_value), 8);
    assert_eq!(converted_worse(|x| bf16_bits(bf16::from_f32(narrowed(x))), bf16_value), 1, "through f32");
}

#[expect(clippy::cast_possible_truncation, reason = "this is the first of two roundings")]
fn narrowed(x: f64) -> f32 {
    x as f32
}

#[test]
fn the_least_numbers_of_f16_are_there() {
    // Amplitudes down to where entries become subnormal and then zero.
    let spec = |amplitude| Spec::new(2).amplitude(posenc::Amplitude::Value(amplitude));
    let row = |amplitude| {
        let mut row = [F16Bits::default(); 2];
        spec(amplitude).encode(-1, &mut row).unwrap();
        row.map(F16Bits::to_bits)
    };
    // sin(-1) = -0.84 and cos(-1) = 0.54; the smallest subnormal number is 2^-24.
    assert_eq!(row(1.0), [0xbabb, 0x3853]);
    assert_eq!(row(2f64.powi(-14)), [0x835e, 0x0229]);
    assert_eq!(row(2f64.powi(-24)), [0x8001, 0x0001]);
    assert_eq!(row(2f64.powi(-25)), [0x8000, 0x0000]);
    assert_eq!(row(-(2f64.powi(-25))), [0x0000, 0x8000]);
}

#[cfg(all(feature = "half", feature = "macros"))]
mod with_the_feature {
    use super::{Bits, Spec, bf16, f16};

    #[test]
    fn the_types_of_half_hold_the_same_bits() {
        static F16: [[f16; 6]; 9] = posenc::sinusoidal_table!(9, 6, dtype = f16);
        static F16_BITS: [[posenc::F16Bits; 6]; 9] = posenc::sinusoidal_table!(9, 6, dtype = f16_bits);
        static BF16: [[bf16; 6]; 9] = posenc::sinusoidal_table!(9, 6, dtype = bf16);
        const EVALUATED: [bf16; 6] = {
            let mut row = [bf16::ZERO; 6];
            assert!(Spec::new(6).const_fill(8.., &mut row).is_ok());
            row
        };
        let bits = |row: &[f16]| row.iter().map(|entry| entry.bits()).collect::<Vec<_>>();
        let (made, made_bf16) = (Spec::new(6).table::<f16>(9).unwrap(), Spec::new(6).table::<bf16>(9).unwrap());
        assert_eq!(bits(F16.as_flattened()), bits(made.as_slice()));
        assert_eq!(
            bits(F16.as_flattened()),
            F16_BITS.as_flattened().iter().map(|entry| entry.bits()).collect::<Vec<_>>()
        );
        assert!(made_bf16.rows().eq(&BF16));
        assert_eq!(BF16[8], EVALUATED);
    }
}

/// Queries and keys of 16 bits are rotated in `f32`, and rounded once.
#[cfg(feature = "half")]
#[test]
fn rotations_of_16_bits_are_rounded_ones_of_f32() {
    use posenc::{Head, Rope, rotate_halves, rotate_pairs};

    let rope = Rope::new(16).rotary_dim(12).table::<f32>(50).unwrap();
    let original: Vec<bf16> = (0..800u16).map(|i| bf16::from_f32(f32::from(i % 37) * 0.37 - 6.0)).collect();
    let head = Head { head_dim: 16, rotary_dim: 12 };
    for rotate in [rotate_halves as fn(&mut [bf16], Head, &_, _) -> _, rotate_pairs] {
        let mut narrow = original.clone();
        rotate(&mut narrow, head, &rope, 0..50).unwrap();
        assert_ne!(narrow, original);
    }
    let (mut narrow, mut wide) = (original.clone(), original.iter().map(|x| x.to_f32()).collect::<Vec<_>>());
    rotate_halves(&mut narrow, head, &rope, 0..50).unwrap();
    rotate_halves(&mut wide, head, &rope, 0..50).unwrap();
    assert!(narrow.iter().zip(wide).all(|(narrow, wide)| narrow.to_bits() == bf16::from_f32(wide).to_bits()));
    let mut half: Vec<f16> = original.iter().map(|x| f16::from_f32(x.to_f32())).collect();
    rotate_pairs(&mut half, head, &rope, 0..50).unwrap();
    assert!(half[12..16].iter().zip(&original[12..16]).all(|(half, x)| half.to_f32() == x.to_f32()));
}
