//! Without the feature `scaling`, a rule or an offset is an error wherever the program itself would have to apply it.

use posenc::{FrequencyDtype, Pairing, Scaling, Spec, sinusoidal_table};

#[test]
fn what_needs_the_feature_is_an_error_and_never_ignored() {
    let spec = Spec::new(4);
    let rule = spec.scaling(Scaling::linear(2.0));
    for (spec, plain, key) in [
        (rule, rule.scaling(Scaling::None), "scaling = linear"),
        // Neither is there room on small machines for what else conflicts with a rule.
        (rule.freq_shift(1.0), spec, "scaling = linear"),
        (rule.frequencies(&[1.0, 2.0]), spec, "scaling = linear"),
        (rule.pairing(Pairing::Unpaired), spec, "scaling = linear"),
        (spec.freq_offset(1, 2), spec.freq_offset(1, 2).freq_offset(0, 1), "freq_offset = ..."),
        (
            spec.frequency_dtype(FrequencyDtype::Bf16),
            spec.frequency_dtype(FrequencyDtype::Exact),
            "frequency_dtype = ...",
        ),
    ] {
        let sentence = format!("`{key}` needs the feature `scaling` of posenc; enable it");
        let mut row = [7.0f32; 4];
        assert_eq!(spec.encode(1, &mut row).unwrap_err().to_string(), sentence);
        assert_eq!(spec.check_parameters::<f32>().unwrap_err().to_string(), sentence);
        assert_eq!(row, [7.0; 4]);
        assert_eq!(plain.encode(1, &mut row), Ok(()));
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
    let baked: [[f32; 8]; 2] = sinusoidal_table!(2, 8, frequency_dtype = bf16);
    assert_eq!(baked[1][3], 0.994_994_4); // the cosine of 0.10009765625, the bf16 nearest to 0.1
}
