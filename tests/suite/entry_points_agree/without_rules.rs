//! Without the feature `scaling`, a rule or an offset is an error wherever the program itself would have to apply it.

use posenc::{FrequencyDtype, Pairing, Scaling, Spec, sinusoidal_table};

#[test]
fn a_rule_is_an_error_and_never_ignored() {
    let spec = Spec::new(4).scaling(Scaling::linear(2.0));
    let mut row = [7.0f32; 4];
    let sentence = "`scaling = linear` needs the feature `scaling` of posenc; enable it";
    assert_eq!(spec.encode(1, &mut row).unwrap_err().to_string(), sentence);
    assert_eq!(spec.check_parameters::<f32>().unwrap_err().to_string(), sentence);
    assert_eq!(row, [7.0; 4]);
    assert_eq!(spec.scaling(Scaling::None).encode(1, &mut row), Ok(()));
    // Neither is there room on small machines for what else conflicts with a rule.
    for conflicting in [spec.freq_shift(1.0), spec.frequencies(&[1.0, 2.0]), spec.pairing(Pairing::Unpaired)] {
        assert_eq!(conflicting.encode(1, &mut row).unwrap_err().to_string(), sentence);
    }
}

/// The compiler of a call with names has no rule either: `tests/compiler` and users see a compile error.
#[test]
fn constants_have_no_rule() {
    let table = posenc::const_table::<f32, 2, 4>;
    assert!(std::panic::catch_unwind(|| table(Spec::new(4).scaling(Scaling::linear(2.0)))).is_err());
}

#[test]
fn the_macro_has_the_rules() {
    let halved: [[f32; 4]; 3] = sinusoidal_table!(3, 4, scaling = linear(2));
    let original: [[f32; 4]; 2] = sinusoidal_table!(2, 4);
    assert_eq!(halved[2], original[1]);
}

#[test]
fn an_offset_of_the_frequencies_is_an_error_and_never_ignored() {
    let spec = Spec::new(4).freq_offset(1, 2);
    let mut row = [7.0f32; 4];
    let sentence = "`freq_offset = ...` needs the feature `scaling` of posenc; enable it";
    assert_eq!(spec.encode(1, &mut row).unwrap_err().to_string(), sentence);
    assert_eq!(row, [7.0; 4]);
    assert_eq!(spec.freq_offset(0, 1).encode(1, &mut row), Ok(()));
}

#[test]
fn a_type_of_frequencies_is_an_error_and_never_ignored() {
    let spec = Spec::new(4).frequency_dtype(FrequencyDtype::Bf16);
    let mut row = [7.0f32; 4];
    let sentence = "`frequency_dtype = ...` needs the feature `scaling` of posenc; enable it";
    assert_eq!(spec.encode(1, &mut row).unwrap_err().to_string(), sentence);
    assert_eq!(row, [7.0; 4]);
    assert_eq!(spec.frequency_dtype(FrequencyDtype::Exact).encode(1, &mut row), Ok(()));
    let baked: [[f32; 8]; 2] = sinusoidal_table!(2, 8, frequency_dtype = bf16);
    assert_eq!(baked[1][3], 0.994_994_4); // the cosine of 0.10009765625, the bf16 nearest to 0.1
}
