//! Rotary caches of models, compared with an evaluation of their rules in Python, and their edge cases.

use posenc::scaling::{LongRope, Yarn};
use posenc::{
    Columns, Element, FrequencyDtype, Head, Q7, Q15, Q31, Repeat, Rope, RopeError, RopePreset, Scaling, rotate_halves,
    rotate_pairs,
};
use testkit::case::{Case, PAPER};
use testkit::formula::Formula;

/// The file has a line per entry, by `scripts/golden_rotary.py`.
#[test]
fn the_caches_of_models_are_those_of_their_rules() {
    let mut entries = 0;
    for line in include_str!("golden/rotary.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut next = || words.next().expect("seven words");
        let (preset, position, pair) = (next().parse::<RopePreset>().unwrap(), next(), next());
        let (position, pair): (u32, usize) = (position.parse().unwrap(), pair.parse().unwrap());
        let expected: Vec<u64> = words.map(|bits| u64::from_str_radix(bits, 16).unwrap()).collect();

        let rope = Rope::preset(preset);
        let (mut cos, mut sin) = (vec![0f32; rope.pairs()], vec![0f32; rope.pairs()]);
        rope.encode(position, &mut cos, &mut sin).unwrap();
        let (mut wide_cos, mut wide_sin) = (vec![0f64; rope.pairs()], vec![0f64; rope.pairs()]);
        rope.encode(position, &mut wide_cos, &mut wide_sin).unwrap();
        let narrow = [cos[pair], sin[pair]].map(|entry| u64::from(entry.to_bits()));
        let wide = [wide_cos[pair], wide_sin[pair]].map(f64::to_bits);
        assert_eq!([narrow, wide].as_flattened(), expected, "{line}");
        entries += 4;
    }
    assert_eq!(entries, 5220);
}

#[test]
fn every_preset_makes_a_cache() {
    for &preset in RopePreset::ALL {
        let rope = Rope::preset(preset);
        assert_eq!(rope.check::<f32>(), Ok(()), "{preset}");
        assert!(preset.max_position_embeddings() >= 2048 && !preset.models().is_empty(), "{preset}");
        assert!(preset.source().len() > 10, "{preset}");
        assert_eq!(preset.to_string().parse(), Ok(preset));
    }
}

#[test]
fn factors_of_1_change_nothing() {
    let plain = Rope::new(64).table::<f32>(40).unwrap();
    let rules = [
        Scaling::linear(1.0),
        Scaling::ntk(1.0),
        Scaling::dynamic(4.0, 100, 100),
        Scaling::dynamic(4.0, 100, 7),
        Scaling::yarn(1.0, 100),
        Scaling::llama3(1.0, 100),
        Scaling::longrope(&[1.0; 32], 1.0, 100),
        Scaling::longrope(&[1.0; 32], 0.5, 100),
        Scaling::proportional(1.0),
        // Equal scales cancel, whatever they are.
        Scaling::Yarn(Yarn { mscale: 0.3, mscale_all_dim: 0.3, ..Yarn::new(1.0, 100) }),
    ];
    for rule in rules {
        assert!(Rope::new(64).scaling(rule).table(40).unwrap() == plain, "{rule}");
    }
}

#[test]
#[allow(clippy::excessive_precision, reason = "the digits of the reference")]
fn attention_factors_are_those_of_the_formulas() {
    let factor = |rule| {
        let (mut cos, mut sin) = ([0f64; 32], [0f64; 32]);
        Rope::new(64).scaling(rule).encode(0, &mut cos, &mut sin).unwrap();
        assert!(cos.iter().all(|&entry| entry == cos[0]) && sin == [0.0; 32]);
        cos[0]
    };
    // 0.1 ln(factor) + 1, to 20 digits.
    assert_eq!(factor(Scaling::yarn(4.0, 4096)), 1.138_629_436_111_989_061_9);
    assert_eq!(factor(Scaling::yarn(32.0, 4096)), 1.346_573_590_279_972_654_7);
    assert_eq!(factor(Scaling::yarn(40.0, 4096)), 1.368_887_945_411_393_630_3);
    let equal = Yarn { mscale: 0.707, mscale_all_dim: 0.707, ..Yarn::new(40.0, 4096) };
    assert_eq!(factor(Scaling::Yarn(equal)), 1.0);
    // A scale of 0 counts as not given.
    assert_eq!(factor(Scaling::Yarn(Yarn { mscale: 1.0, ..Yarn::new(4.0, 4096) })), 1.138_629_436_111_989_061_9);
    // sqrt(17/12), and the rational ones: sqrt(25/16), sqrt(9/4), sqrt(4).
    let longrope = |factor, length| Scaling::LongRope(LongRope::new(&[1.0; 32], factor, length));
    assert_eq!(factor(longrope(32.0, 4096)), 1.190_238_071_423_808_333);
    assert_eq!(factor(longrope(512.0, 65_536)), 1.25);
    assert_eq!(factor(longrope(32.0, 16)), 1.5);
    assert_eq!(factor(longrope(512.0, 8)), 2.0);
    assert_eq!(factor(longrope(256.0, 2)), 3.0);
}

/// Pairs that do not turn have cosine 1 and sine +0.
#[test]
fn the_tail_of_the_proportional_rule_stands_still() {
    let rope = Rope::preset(RopePreset::Gemma4Global);
    let (mut cos, mut sin) = ([0f32; 256], [0f32; 256]);
    rope.start(-9).encode(-7, &mut cos, &mut sin).unwrap();
    assert_eq!(cos[64..], [1.0; 192]);
    assert!(sin[64..].iter().all(|entry| entry.to_bits() == 0) && sin[..64].iter().all(|&entry| entry != 0.0));
    // 0.3 of 20 columns are three pairs, although 0.3 is not a float.
    let frequencies: Vec<f64> = Rope::new(20).scaling(Scaling::proportional(0.3)).inv_freq().unwrap();
    assert!(frequencies[..3].iter().all(|&frequency| frequency > 0.0) && frequencies[3..] == [0.0; 7]);
}

/// The period of a pair that the rule stops may be too small for the format, which then does not matter.
#[test]
fn periods_of_pairs_that_stand_still_may_be_rounded_to_zero() {
    let rope =
        Rope::new(4).base(1e-100).scaling(Scaling::proportional(0.5)).frequency_dtype(FrequencyDtype::Bf16Period);
    let plain = Rope::new(4).scaling(Scaling::proportional(0.5));
    // The first pair has frequency 1 in both, and the other one stands still.
    assert_eq!(rope.table::<f32>(100).unwrap(), plain.table::<f32>(100).unwrap());
    assert_eq!(rope.inv_freq::<f64>().unwrap(), [1.0, 0.0]);
    assert_eq!(rope.periods::<f64>().unwrap(), [1.0, f64::INFINITY]);
    // The factors divide the frequencies, so they have no sign.
    let factors = Rope::new(4).frequencies(&[1.0, -0.5]).frequency_factors::<f32>().unwrap();
    assert_eq!(factors, [1.0, 1.0]);
}

/// Numbers of vectors that are half-way between two numbers of their type, whose divisors the rules have.
#[test]
fn ties_of_vectors_go_to_even() {
    fn bits<T: Element + Into<f64>>(vector: Result<Vec<T>, RopeError>) -> Vec<f64> {
        vector.unwrap().into_iter().map(Into::into).collect()
    }
    let linear = |factor| Rope::new(64).scaling(Scaling::linear(factor));
    // 257 and 259 have nine digits, and bf16 has eight. 2^24 + 1 and 2^24 + 3 have 25.
    let factors = |factor| linear(factor).frequency_factors::<posenc::Bf16Bits>().unwrap()[9].to_f32();
    assert_eq!([factors(257.0), factors(259.0)], [256.0, 260.0]);
    let (even, odd) = (1.0 + 2f64.powi(-24), 1.0 + 3.0 * 2f64.powi(-24));
    assert_eq!(bits(linear(even).frequency_factors::<f32>())[31], 1.0);
    assert_eq!(bits(linear(odd).frequency_factors::<f32>())[31], 1.0 + 2f64.powi(-22));
    // Pairs that a ramp keeps and divides.
    let yarn = Rope::new(64).scaling(Scaling::yarn(even, 4096));
    let vector = bits(yarn.frequency_factors::<f32>());
    assert_eq!((vector[0], vector[31]), (1.0, 1.0));
    // Rational periods and frequencies, in time: one of a thousand bits each would take minutes.
    let ones = Rope::new(1 << 16).base(1.0);
    assert!(
        bits(ones.scaling(Scaling::linear(odd)).periods::<f32>()).iter().all(|&period| period == 1.0 + 2f64.powi(-22))
    );
    let given = [even, -odd];
    let listed = Rope::new(4).frequencies(&given).inv_freq::<f32>();
    assert_eq!(bits(listed), [1.0, -1.0 - 2f64.powi(-22)]);
}

/// The value for a pair that stands still is none of an integer type.
#[test]
fn vectors_of_integers_are_refused() {
    fn refused<T: Element>() {
        let rope = Rope::new(4).scaling(Scaling::proportional(0.5));
        for vector in [rope.inv_freq::<T>(), rope.periods::<T>(), rope.frequency_factors::<T>()] {
            assert!(vector.unwrap_err().to_string().contains("frequencies need a floating-point type"));
        }
    }
    refused::<i8>();
    refused::<u8>();
    refused::<i16>();
    refused::<Q7>();
    refused::<Q15>();
    refused::<Q31>();
}

#[test]
fn explanations_say_what_the_rule_does() {
    let cos = Rope::preset(RopePreset::Llama3_1).spec(Columns::Cos).unwrap();
    let explained = |pair| cos.explain::<f32>(1000, pair).unwrap();
    let of = |pair| {
        let scaled = explained(pair).stages.unwrap().scaled.unwrap();
        (scaled.divisor, scaled.turns.unwrap())
    };
    assert_eq!(of(10).0, 1.0);
    assert!((1.0 + 1e-9..8.0 - 1e-9).contains(&of(31).0));
    assert!((of(40).0 - 8.0).abs() < 1e-14);
    let (turns, context) = of(31).1;
    assert!((turns - 8192.0 * 500_000f64.powf(-31.0 / 64.0) / std::f64::consts::TAU).abs() < 1e-9 && context == 8192);
    let text = explained(10).to_string();
    assert!(text.contains("                kept: 167.782 turns in 8192 positions\n"), "{text}");
    let text = explained(40).to_string();
    assert!(text.contains("formula         w = 500000^(-40/64) after llama3\n"), "{text}");
    assert!(text.contains("scaling         llama3(factor = 8.0, original_max_position_embeddings = 8192)\n"), "{text}");
    assert!(text.contains("                divided by 8: 0.358 turns in 8192 positions\n"), "{text}");
    let repeated = cos.repeat(Repeat::None).explain::<f32>(7, 3).unwrap();
    let twice = Rope::preset(RopePreset::Llama3_1).repeat(Repeat::Halves).spec(Columns::Cos).unwrap();
    assert_eq!(twice.explain::<f32>(7, 64 + 3).unwrap().stages, repeated.stages);
}

#[test]
fn rotations_turn_pairs_and_leave_the_rest_alone() {
    let rope = Rope::new(6).rotary_dim(4).table::<f32>(3).unwrap();
    let original: Vec<f32> = (0..18u8).map(|i| f32::from(i) - 8.0).collect();
    let (mut halves, mut pairs) = (original.clone(), original.clone());
    let head = Head { head_dim: 6, rotary_dim: 4 };
    rotate_halves(&mut halves, head, &rope, 0..3).unwrap();
    rotate_pairs(&mut pairs, head, &rope, 0..3).unwrap();
    for row in 0..3 {
        let at = |x: &[f32], column: usize| x[6 * row + column];
        for k in 0..2 {
            let (c, s) = (rope.cos[(row, k)], rope.sin[(row, k)]);
            for (x, [one, other]) in [(&halves, [k, k + 2]), (&pairs, [2 * k, 2 * k + 1])] {
                assert_eq!(at(x, one), at(&original, one) * c - at(&original, other) * s);
                assert_eq!(at(x, other), at(&original, other) * c + at(&original, one) * s);
            }
        }
        for column in [4, 5] {
            assert_eq!([at(&halves, column), at(&pairs, column)], [at(&original, column); 2]);
        }
    }
}

/// Four heads of 128 columns, given as two of 256, and caches with repeated columns. `tests/bad-input` has the sentences.
#[test]
fn columns_are_left_alone_only_if_it_is_said() {
    let partial = |head_dim, rotary_dim| Head { head_dim, rotary_dim };
    let (whole, part) = (Rope::new(128), Rope::new(128).rotary_dim(64));
    let [halves, pairs] = [Repeat::Halves, Repeat::Pairs];
    let refused = [
        (whole, 256.into()),
        (whole, partial(256, 64)),
        (whole, partial(64, 128)),
        (whole, partial(128, 127)),
        (part, 128.into()),
        (part.repeat(halves), partial(128, 64)),
        (part.repeat(pairs), partial(128, 64)),
        (whole.repeat(halves), 128.into()),
        (whole.repeat(pairs), 128.into()),
    ];
    // The widths may be given, even if they are those that the cache has anyway.
    let accepted = [whole, part].map(|rope| (rope, partial(rope.head_dim(), 2 * rope.pairs())));
    for (i, (rope, head)) in refused.into_iter().chain(accepted).enumerate() {
        for rotate in [rotate_halves as fn(&mut [f32], Head, &_, _) -> _, rotate_pairs] {
            let mut x = [1.0; 4 * 128];
            let answer: Result<(), RopeError> = rotate(&mut x, head, &rope.table::<f32>(7).unwrap(), 5..6);
            assert_eq!(
                (answer.is_err(), x == [1.0; 4 * 128]),
                (i < refused.len(), i < refused.len()),
                "{rope} {head:?}"
            );
        }
    }
}

#[test]
fn heads_and_sequences_share_the_rows() {
    let rope = Rope::new(4).table::<f32>(9).unwrap();
    let original: Vec<f32> = (0..2 * 3 * 5 * 4u8).map(f32::from).collect(); // 2 sequences, 3 heads, 5 tokens
    for (rotate, name) in [(rotate_halves as fn(&mut [f32], usize, &_, _) -> _, "halves"), (rotate_pairs, "pairs")] {
        let (mut together, mut alone) = (original.clone(), original.clone());
        rotate(&mut together, 4, &rope, 4..9).unwrap();
        for (i, token) in alone.chunks_mut(4).enumerate() {
            rotate(token, 4, &rope, 4 + i % 5..5 + i % 5).unwrap();
        }
        assert_eq!(together, alone, "{name}");
    }
}

/// The docs state the bound. In this test the largest error is 0.8 of `2^-23`.
#[test]
fn rotations_are_as_precise_as_stated() {
    let rope = Rope::new(128).table::<f32>(512).unwrap();
    let original: Vec<f32> =
        (0..128 * 512u32).map(|i| (i.wrapping_mul(2_654_435_769) >> 8) as f32 - 8_388_608.0).collect();
    let mut x = original.clone();
    rotate_pairs(&mut x, 128, &rope, 0..512).unwrap();
    let mut worst: f64 = 0.0;
    for (i, (pair, from)) in x.chunks(2).zip(original.chunks(2)).enumerate() {
        let (cos, sin) = (f64::from(rope.cos.as_slice()[i]), f64::from(rope.sin.as_slice()[i]));
        let [one, other] = [f64::from(from[0]), f64::from(from[1])];
        let exact = [one * cos - other * sin, other * cos + one * sin];
        for (found, exact) in pair.iter().zip(exact) {
            worst = worst.max((f64::from(*found) - exact).abs() / one.hypot(other));
        }
    }
    assert!(worst < 1.5 * 2f64.powi(-23), "{}", worst * 2f64.powi(23));
    assert!(worst > 0.7 * 2f64.powi(-23), "the test is too weak: {}", worst * 2f64.powi(23));
}

/// Llama 4 Scout's rule is a step, which keeps 35 pairs and divides the others by 16.
#[test]
fn far_positions_are_exact() {
    let rope = Rope::preset(RopePreset::Llama4Scout);
    let encoders = rope.prepare::<f32>(0).unwrap();
    let kept = Case { d_model: 128, base: 500_000.0, ..PAPER };
    let divided = Case { scale: 0.0625, ..kept.clone() };
    let [mut kept, mut divided] = [&kept, &divided].map(Formula::new);
    for position in [10_485_759, 1_i64 << 31, (1 << 53) - 1] {
        let (mut cos, mut sin, mut prepared) = ([0f32; 64], [0f32; 64], [0f32; 64]);
        rope.encode(position, &mut cos, &mut sin).unwrap();
        encoders.cos.encode(position, &mut prepared).unwrap();
        assert_eq!(cos.map(f32::to_bits), prepared.map(f32::to_bits));
        for (k, pair) in cos.into_iter().zip(sin).enumerate() {
            let formula = if k < 35 { &mut kept } else { &mut divided };
            let expected = formula.pair_bits::<f32>(k, position as f64);
            assert_eq!([pair.0, pair.1].map(|entry| u64::from(entry.to_bits())), expected, "pair {k} at {position}");
        }
    }
}
