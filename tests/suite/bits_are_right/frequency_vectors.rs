//! The frequencies, periods and factors of rotary caches as other programs store them.

use posenc::{Bf16Bits, F16Bits, FrequencyDtype, Q15, Rope, RopeError, RopePreset, Scaling, SpecError};

/// The file has a line per pair, by `scripts/golden_rotary.py`.
#[test]
fn vectors_of_models_are_those_of_their_rules() {
    let (mut lines, mut vectors) = (0, None);
    for line in include_str!("golden/frequency_vectors.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (name, pair) = (words.next().unwrap(), words.next().unwrap().parse::<usize>().unwrap());
        let expected: Vec<u64> = words.map(|bits| u64::from_str_radix(bits, 16).unwrap()).collect();
        let vectors = match &vectors {
            Some((of, vectors)) if *of == name => vectors,
            _ => &vectors.insert((name, bits_of(name.parse().unwrap()))).1,
        };
        let found: Vec<u64> = vectors.iter().map(|vector| vector[pair]).collect();
        assert_eq!(found, expected, "{name} {pair}");
        lines += 1;
    }
    assert_eq!(lines, 1116);
}

/// Returns the bits of the three vectors in three types.
fn bits_of(preset: RopePreset) -> Vec<Vec<u64>> {
    let rope = Rope::preset(preset);
    let bf16 = [rope.inv_freq::<Bf16Bits>(), rope.periods(), rope.frequency_factors()];
    let f32 = [rope.inv_freq::<f32>(), rope.periods(), rope.frequency_factors()];
    let f64 = [rope.inv_freq::<f64>(), rope.periods(), rope.frequency_factors()];
    let bf16 = bf16.map(|vector| vector.unwrap().into_iter().map(|x| x.to_bits().into()).collect());
    let f32 = f32.map(|vector| vector.unwrap().into_iter().map(|x| x.to_bits().into()).collect());
    let f64 = f64.map(|vector| vector.unwrap().into_iter().map(f64::to_bits).collect());
    [bf16, f32, f64].into_iter().flatten().collect()
}

/// `unit`, `scale` and repeated columns are no part of them.
#[test]
fn vectors_are_those_of_the_rule_alone() {
    let rope = Rope::new(8).scaling(Scaling::linear(4.0));
    let other = rope.scale(-3.0).unit(1, 7).start(5).repeat(posenc::Repeat::Halves);
    assert_eq!(rope.inv_freq::<f32>(), other.inv_freq());
    assert_eq!(rope.frequency_factors::<f32>().unwrap(), [4.0; 4]);
    let given = [2.0, -0.5, 0.0, 3.0];
    let list = Rope::new(8).frequencies(&given);
    assert_eq!(list.inv_freq::<f64>().unwrap(), given);
    assert_eq!(list.periods::<f64>().unwrap(), [0.5, -2.0, f64::INFINITY, 1.0 / 3.0]);
}

#[test]
fn ties_and_numbers_out_of_range() {
    let halfway = 1.0 + 1.0 / 256.0;
    let bits = |rope: Rope| rope.inv_freq::<Bf16Bits>().unwrap()[0].to_bits();
    assert_eq!(bits(Rope::new(2).frequencies(&[halfway])), 0x3f80);
    assert_eq!(bits(Rope::new(2).frequencies(&[halfway + 1.0 / 128.0])), 0x3f82);
    assert_eq!(bits(Rope::new(2).frequencies(&[-halfway])), 0xbf80);
    let factors = Rope::new(2).scaling(Scaling::linear(halfway)).frequency_factors::<Bf16Bits>().unwrap();
    assert_eq!(factors[0].to_bits(), 0x3f80);
    // 1e30 is beyond the largest number of 16 bits.
    let gemma4 = Rope::preset(RopePreset::Gemma4Global);
    assert_eq!(gemma4.frequency_factors::<F16Bits>().unwrap()[255].to_bits(), 0x7c00);
    assert_eq!(Rope::new(4).base(1e300).periods::<f32>().unwrap(), [1.0, f32::INFINITY]);
}

#[test]
fn integers_are_refused() {
    let error = Rope::new(8).inv_freq::<Q15>().unwrap_err();
    assert!(matches!(error, RopeError::Spec(SpecError::Dtype { dtype: "q15", .. })));
    let error = Rope::new(7).periods::<f32>().unwrap_err();
    assert!(matches!(error, RopeError::RotaryDim { value: 7, .. }));
}

/// Frequencies that are rounded, to zero for example, are divided by the same factors.
#[test]
fn factors_are_those_of_the_rule_alone() {
    let exact = Rope::preset(RopePreset::Llama3_1).base(1e12);
    for dtype in FrequencyDtype::ALL {
        let rounded: Vec<f32> = exact.frequency_dtype(*dtype).frequency_factors().unwrap();
        assert_eq!(rounded, exact.frequency_factors::<f32>().unwrap());
    }
    let stored: Vec<f64> = exact.frequency_dtype(FrequencyDtype::F16).inv_freq().unwrap();
    assert!(stored[63] == 0.0 && stored[0] == 1.0);
}
