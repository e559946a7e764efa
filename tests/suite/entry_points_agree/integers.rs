//! Tables of integers from the macros, the compiler and run time are the same.

use posenc::{Amplitude, Layout, Q7, Q15, Q31, Quantiser, Rope, Spec, const_table, rotary_table, sinusoidal_table};

/// The scale of an 8-bit model, as its file has it.
const SCALE: f32 = 0.01;
const ZERO_POINT: i8 = -3;
const STEPS: u8 = 100;

#[test]
fn a_baked_table_is_that_of_run_time() {
    let spec = Spec::new(12);
    let q7: &[[Q7; 12]; 40] = &sinusoidal_table!(40, 12, dtype = q7);
    let q15: &[[Q15; 12]; 40] = &sinusoidal_table!(40, 12, dtype = q15);
    let q31: &[[Q31; 12]; 40] = &sinusoidal_table!(40, 12, dtype = q31);
    assert_eq!(spec.table::<Q7>(40).unwrap().as_slice(), q7.as_flattened());
    assert_eq!(spec.table::<Q15>(40).unwrap().as_slice(), q15.as_flattened());
    assert_eq!(spec.table::<Q31>(40).unwrap().as_slice(), q31.as_flattened());

    let quotient = spec.quantiser(Quantiser::quotient(1, 127).zero_point(-1));
    let table: [[i8; 12]; 40] = sinusoidal_table!(40, 12, dtype = i8(1 / 127, -1));
    assert_eq!(quotient.table::<i8>(40).unwrap().as_slice(), table.as_flattened());
    assert_eq!(const_table::<i8, 40, 12>(quotient), table);
    let table: [[i16; 12]; 40] = sinusoidal_table!(40, 12, dtype = i16((1 / 32767)));
    let quotient = spec.quantiser(Quantiser::quotient(1, 32_767));
    assert_eq!(quotient.table::<i16>(40).unwrap().as_slice(), table.as_flattened());
    let table: [[u8; 12]; 40] = sinusoidal_table!(40, 12, dtype = u8(1 / 128, 128), layout = halves);
    let quotient = spec.quantiser(Quantiser::quotient(1, 128).zero_point(128)).layout(Layout::Halves);
    assert_eq!(quotient.table::<u8>(40).unwrap().as_slice(), table.as_flattened());
}

/// An `f32` is not the `f64` of the same digits.
#[test]
fn the_suffix_of_a_scale_counts() {
    // A tie for the `f32`, which is a little less than the `f64` of the same digits.
    let amplitude = f64::from(0.007_874_016_f32) * 11.5;
    let row = |scale: f64| {
        let mut row = [0i8; 2];
        let spec = Spec::new(2).amplitude(Amplitude::Value(amplitude)).quantiser(Quantiser::new(scale));
        spec.encode(0, &mut row).unwrap();
        row
    };
    assert_eq!((row(f64::from(0.007_874_016_f32)), row(0.007_874_016)), ([0, 12], [0, 11]));
    let [single]: [[i8; 2]; 1] = sinusoidal_table!(1, 2, dtype = i8(0.007874016f32), amplitude = 0.09055118076503277);
    assert_eq!((amplitude, single), (0.090_551_180_765_032_77, [0, 12]));
    let [double] = sinusoidal_table!(1, 2, dtype = i8(0.007874016), amplitude = 0.09055118076503277);
    assert_eq!(double, [0, 11]);
}

#[test]
fn constants_are_scales_too() {
    const ROWS: usize = 30;
    let named: [[i8; 6]; ROWS] = sinusoidal_table!(ROWS, 6, dtype = i8(SCALE, ZERO_POINT));
    let literal = sinusoidal_table!(30, 6, dtype = i8(0.01f32, -3));
    assert_eq!(named, literal);
    let named = sinusoidal_table!(30, 6, dtype = i8(1 / STEPS, ZERO_POINT));
    assert_eq!(named, sinusoidal_table!(30, 6, dtype = i8(1 / 100, -3)));
    let named: [[Q31; 6]; ROWS] = sinusoidal_table!(ROWS, 6, dtype = q31);
    assert_eq!(named, sinusoidal_table!(30, 6, dtype = q31));
}

#[test]
fn rotary_tables_are_quantised() {
    let tables = rotary_table!(20, 8, dtype = q15);
    let rope = Rope::new(8);
    let expected = rope.table::<Q15>(20).unwrap();
    assert_eq!(
        (expected.cos.as_slice(), expected.sin.as_slice()),
        (tables.cos.as_flattened(), tables.sin.as_flattened())
    );
    let row = Rope::new(8).quantiser(Quantiser::quotient(1, 100).zero_point(5));
    let (mut cos, mut sin) = ([0i8; 4], [0i8; 4]);
    row.encode(3, &mut cos, &mut sin).unwrap();
    let packed = rotary_table!(20, 8, dtype = i8(1 / 100, 5), packing = cos_sin);
    assert_eq!((&packed[3][..4], &packed[3][4..]), (&cos[..], &sin[..]));
    assert_eq!((packed[0][0], packed[0][4]), (105, 5));
}

#[test]
fn a_zero_is_the_zero_point() {
    let table = sinusoidal_table!(3, 3, dtype = i8(1 / 100, -5), odd = zero, zero_row = 1);
    assert_eq!(table[1], [-5; 3]);
    assert_eq!((table[0][0], table[0][2], table[2][2]), (-5, -5, -5));
    assert_eq!(sinusoidal_table!(2, 2, dtype = u8(1 / 128, 128), amplitude = 0), [[128; 2]; 2]);
}

#[test]
fn the_call_that_a_spec_shows_makes_its_table() {
    let spec = Spec::new(4).quantiser(Quantiser::quotient(2, 255).zero_point(-1));
    assert_eq!(spec.to_string(), "sinusoidal_table!(seq_len, 4, dtype = _(2/255, -1))");
    assert_eq!(spec.macro_call(9).dtype::<i8>().to_string(), "sinusoidal_table!(9, 4, dtype = i8(2/255, -1))");
    assert_eq!(
        sinusoidal_table!(9, 4, dtype = i8(2 / 255, -1)).as_flattened(),
        spec.table::<i8>(9).unwrap().as_slice()
    );
}
