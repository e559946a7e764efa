//! Random scaling rules, for random specs.

use posenc::Scaling;
use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
use proptest::prelude::*;

/// The longest context of a rule, or of the address space.
pub(crate) const LONGEST: usize = if usize::BITS > 40 { 1usize.wrapping_shl(40) } else { usize::MAX };

/// Rules of all kinds, of which the numbers and lengths are drawn independently. A `longrope` lacks its list.
pub(crate) fn wild(number: BoxedStrategy<f64>, length: BoxedStrategy<usize>) -> BoxedStrategy<Scaling<'static>> {
    let linear = number.clone().prop_map(|factor| Scaling::Linear(Linear { factor }));
    let ntk = number.clone().prop_map(|alpha| Scaling::Ntk(Ntk { alpha }));
    let dynamic =
        (number.clone(), length.clone(), length.clone()).prop_map(|(factor, max_position_embeddings, seq_len)| {
            Scaling::Dynamic(Dynamic { factor, max_position_embeddings, seq_len })
        });
    let yarn = (number.clone(), length.clone(), [0; 4].map(|_| number.clone()), any::<bool>()).prop_map(
        |(factor, original_max_position_embeddings, [beta_fast, beta_slow, mscale, mscale_all_dim], truncate)| {
            Scaling::Yarn(Yarn {
                factor,
                original_max_position_embeddings,
                beta_fast,
                beta_slow,
                truncate,
                mscale,
                mscale_all_dim,
            })
        },
    );
    let llama3 = (number.clone(), length.clone(), number.clone(), number.clone()).prop_map(
        |(factor, original_max_position_embeddings, low_freq_factor, high_freq_factor)| {
            Scaling::Llama3(Llama3 { factor, original_max_position_embeddings, low_freq_factor, high_freq_factor })
        },
    );
    let longrope = (number.clone(), length).prop_map(|(factor, original_max_position_embeddings)| {
        Scaling::LongRope(LongRope { factors: &[], factor, original_max_position_embeddings })
    });
    let proportional = (number.clone(), number).prop_map(|(partial_rotary_factor, factor)| {
        Scaling::Proportional(Proportional { partial_rotary_factor, factor })
    });
    prop_oneof![Just(Scaling::None), linear, ntk, dynamic, yarn, llama3, longrope, proportional].boxed()
}

/// Rules of all kinds that are valid for most widths, and bases greater than 1. A `longrope` lacks its list.
pub(crate) fn plausible() -> BoxedStrategy<Scaling<'static>> {
    let factor = || prop_oneof![Just(1.0), Just(65536.0), 1.0..64.0, (1u32..16).prop_map(f64::from)];
    let length = || prop_oneof![Just(4096usize), 64..1usize << 17, 2usize..64, Just(LONGEST)];
    let scale = || prop_oneof![Just(0.0), Just(1.0), Just(0.707), 0.0..1024.0];
    let yarn = (factor(), length(), turns(), any::<bool>(), scale(), scale()).prop_map(
        |(factor, length, (beta_slow, beta_fast), truncate, mscale, mscale_all_dim)| {
            let rule = Yarn { beta_fast, beta_slow, truncate, mscale, mscale_all_dim, ..Yarn::new(factor, length) };
            Scaling::Yarn(rule)
        },
    );
    let llama3 = (factor(), length(), turns()).prop_map(|(factor, length, (low_freq_factor, high_freq_factor))| {
        Scaling::Llama3(Llama3 { low_freq_factor, high_freq_factor, ..Llama3::new(factor, length) })
    });
    let below_one = prop_oneof![Just(0.0), 0.0..1.0];
    // Both are powers of one number, so the attention factor is rational.
    let rational = (1u32..4, 1u32..4).prop_map(|(i, j)| (f64::from(7u32.pow(i)), 7usize.pow(j)));
    let longrope = prop_oneof![(prop_oneof![factor(), below_one], length()), rational]
        .prop_map(|(factor, length)| Scaling::longrope(&[], factor, length));
    let share = prop_oneof![Just(0.25), Just(0.3), Just(0.5), Just(1.0), 0.05..=1.0];
    let proportional = (share, factor()).prop_map(|(partial_rotary_factor, factor)| {
        Scaling::Proportional(Proportional { partial_rotary_factor, factor })
    });
    prop_oneof![
        factor().prop_map(Scaling::linear),
        factor().prop_map(Scaling::ntk),
        (factor(), length(), length()).prop_map(|(factor, trained, n)| Scaling::dynamic(factor, trained, n)),
        yarn,
        llama3,
        longrope,
        proportional,
    ]
    .boxed()
}

/// A divisor of the list of `longrope`.
pub(crate) fn divisor() -> impl Strategy<Value = f64> {
    let extreme = prop_oneof![Just(f64::exp2(-32.0)), Just(f64::exp2(32.0))];
    prop_oneof![Just(1.0), 1.0..100.0, (-32.0..32.0f64).prop_map(f64::exp2), extreme]
}

/// Turns up to which a pair is divided, and from which one is kept.
fn turns() -> impl Strategy<Value = (f64, f64)> {
    let one = || (-20.0..20.0f64).prop_map(f64::exp2);
    let apart = (one(), one()).prop_map(|(a, b)| (a.min(b), a.max(b)));
    prop_oneof![
        Just((1.0, 32.0)),
        Just((1.0, 4.0)),
        Just((1.0, 1.0)),
        (0.01..2.0, 2.5..100.0),
        one().prop_map(|both| (both, both)),
        apart
    ]
}
