//! Tables with scaling rules: the macro, the compiler and run time compute the same bits.

use posenc::scaling::{Llama3, Proportional, Yarn};
use posenc::{Amplitude, Bf16Bits, Columns, F16Bits, Layout, Scaling, Spec};

use testkit::assert_same_bits;

const FACTORS: [f64; 4] = [1.0, 1.5, 0.25, 64.0];
const YARN: Yarn = Yarn::new(40.0, 4096);
const LLAMA: Spec = Spec::new(16).base(500_000.0);

entry_points_agree! {
    linear: f32 as f32, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::linear(8.0)), [scaling = linear(8)];
    linear_by_a_third: f64 as f64, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::linear(1.0 + 1.0 / 3.0)),
        [scaling = linear(factor = 1.333_333_333_333_333_3)];
    ntk: f32 as f32, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::ntk(4.0)), [scaling = ntk(4)];
    ntk_of_one_pair: f64 as f64, 3 x 2, 0, 1, Spec::new(2).scaling(Scaling::ntk(4.0)), [scaling = ntk(alpha = 4)];
    dynamic: f64 as f64, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::dynamic(2.0, 4096, 10_000)),
        [scaling = dynamic(2, 4096, seq_len = 10_000)];
    dynamic_for_a_short_sequence: f32 as f32, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::dynamic(2.0, 4096, 100)),
        [scaling = dynamic(2, 4096, 100)];
    yarn: f32 as f32, 6 x 16, 4096, 1, Spec::new(16).scaling(Scaling::Yarn(YARN)).start(4096),
        [scaling = yarn(40, 4096), start = 1 << 12];
    yarn_with_its_attention_factor: f64 as f64, 6 x 16, 0, 1,
        Spec::new(16).scaling(Scaling::Yarn(YARN)).amplitude(Amplitude::AttentionFactor),
        [scaling = yarn(40, 4096), amplitude = attention_factor];
    yarn_of_many_parameters: f32 as f32, 6 x 16, 0, 1,
        Spec::new(16)
            .scaling(Scaling::Yarn(Yarn { beta_fast: 16.0, beta_slow: 2.0, mscale: 1.0, mscale_all_dim: 0.707, ..YARN }))
            .amplitude(Amplitude::AttentionFactor),
        [amplitude = attention_factor, scaling = yarn(40, 4096, 16, beta_slow = 2, mscale_all_dim = 0.707, mscale = 1)];
    yarn_of_a_factor_that_cancels: bf16_bits as Bf16Bits, 6 x 16, 0, 1,
        Spec::new(16)
            .scaling(Scaling::Yarn(Yarn { mscale: 0.707, mscale_all_dim: 0.707, ..YARN }))
            .amplitude(Amplitude::AttentionFactor),
        [scaling = yarn(40, 4096, mscale = 0.707, mscale_all_dim = 0.707), amplitude = attention_factor];
    yarn_between_real_bounds: f64 as f64, 6 x 16, 0, 1,
        Spec::new(16).scaling(Scaling::Yarn(Yarn { truncate: false, ..YARN })),
        [scaling = yarn(40, 4096, truncate = false)];
    yarn_of_sines: f32 as f32, 6 x 7, 0, 1, Spec::new(7).columns(Columns::Sin).scaling(Scaling::Yarn(YARN)),
        [columns = sin, scaling = yarn(40, 4096)];
    llama3: f32 as f32, 6 x 16, 1000, 1, LLAMA.scaling(Scaling::llama3(8.0, 8192)).start(1000),
        [base = 500_000, scaling = llama3(8, 8192), start = 1000];
    llama3_in_f64: f64 as f64, 6 x 16, 0, 1,
        LLAMA.scaling(Scaling::Llama3(Llama3 { low_freq_factor: 0.5, ..Llama3::new(32.0, 8192) })),
        [base = 500_000, scaling = llama3(32, 8192, low_freq_factor = 0.5)];
    llama4_scout: f16_bits as F16Bits, 6 x 16, 0, 1,
        LLAMA.scaling(Scaling::Llama3(Llama3 { high_freq_factor: 1.0, ..Llama3::new(16.0, 8192) })),
        [base = 500_000, scaling = llama3(16, 8192, 1, 1)];
    longrope: f64 as f64, 6 x 8, 0, 1,
        Spec::new(8).scaling(Scaling::longrope(&FACTORS, 32.0, 4096)).amplitude(Amplitude::AttentionFactor),
        [scaling = longrope([1, 1.5, 0.25, 64], 32, 4096), amplitude = attention_factor];
    longrope_of_a_named_list: f32 as f32, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::longrope(&FACTORS, 32.0, 4096)),
        [scaling = longrope(FACTORS, original_max_position_embeddings = 4096, factor = 32)];
    longrope_of_a_rational_factor: f64 as f64, 6 x 8, 0, 1,
        Spec::new(8).scaling(Scaling::longrope(&FACTORS, 125.0, 5)).amplitude(Amplitude::AttentionFactor),
        [scaling = longrope([1, 1.5, 0.25, 64], 125, 5), amplitude = attention_factor];
    proportional: f32 as f32, 6 x 16, 0, 1, Spec::new(16).layout(Layout::Halves).scaling(Scaling::proportional(0.25)),
        [layout = halves, scaling = proportional(0.25)];
    proportional_and_divided: f64 as f64, 6 x 16, 0, 1,
        Spec::new(16).scaling(Scaling::Proportional(Proportional { partial_rotary_factor: 0.5, factor: 8.0 })),
        [scaling = proportional(0.5, factor = 8)];
    no_rule: f32 as f32, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::None), [scaling = none];
    a_rule_stretched: f64 as f64, 6 x 8, 0, 1, Spec::new(8).scaling(Scaling::Yarn(YARN)).scale(-0.3),
        [scaling = yarn(40, 4096), scale = -0.3];
}

/// Every argument may be a constant of any number type, an element of a list too.
#[test]
fn the_arguments_may_have_names() {
    mod config {
        pub(super) const FACTOR: u8 = 40;
        pub(super) const LENGTH: u64 = 1 << 12;
        pub(super) const FAST: f32 = 16.0;
        pub(super) const SECOND: f64 = 1.5;
    }
    static NAMED: [[f64; 16]; 6] = posenc::sinusoidal_table!(
        6,
        16,
        dtype = f64,
        scaling =
            yarn(config::FACTOR, 2 * config::LENGTH / 2, config::FAST, mscale = config::SECOND, mscale_all_dim = 1)
    );
    let rule = Yarn { beta_fast: 16.0, mscale: 1.5, mscale_all_dim: 1.0, ..YARN };
    assert_same_bits(
        NAMED.as_flattened(),
        Spec::new(16).scaling(Scaling::Yarn(rule)).table(6).unwrap().as_slice(),
        "named",
    );

    static LISTED: [[f32; 8]; 6] =
        posenc::sinusoidal_table!(6, 8, scaling = longrope([1, config::SECOND, 0.25, 64], 32, config::LENGTH));
    let spec = Spec::new(8).scaling(Scaling::longrope(&FACTORS, 32.0, 4096));
    assert_same_bits(LISTED.as_flattened(), spec.table(6).unwrap().as_slice(), "listed");

    static SLICED: [[f32; 8]; 6] = {
        const SLICE: &[f64] = &FACTORS;
        posenc::sinusoidal_table!(6, 8, scaling = longrope(SLICE, 32, 4096))
    };
    assert_eq!(SLICED, LISTED);
}

/// A rule may be passed on by another macro, whole or by its arguments.
#[test]
fn a_rule_may_come_from_another_macro() {
    macro_rules! table {
        ($rule:expr) => {
            posenc::sinusoidal_table!(6, 8, scaling = $rule)
        };
        ($factor:expr, $length:expr) => {
            posenc::sinusoidal_table!(6, 8, scaling = yarn($factor * 2, original_max_position_embeddings = $length))
        };
    }
    static WHOLE: [[f32; 8]; 6] = table!(yarn(40, 4096));
    static PARTS: [[f32; 8]; 6] = table!(10 + 10, 1 << 12);
    assert_same_bits(
        WHOLE.as_flattened(),
        Spec::new(8).scaling(Scaling::Yarn(YARN)).table(6).unwrap().as_slice(),
        "whole",
    );
    assert_eq!(PARTS, WHOLE);
}

#[test]
fn a_rule_may_be_made_by_a_constant_function() {
    const fn rule(long: bool) -> Scaling<'static> {
        if long { Scaling::longrope(&[2.0, 3.0, 5.0], 16.0, 4096) } else { Scaling::None }
    }
    static LONG: [[f32; 6]; 4] = posenc::const_table(Spec::new(6).scaling(rule(true)));
    static SHORT: [[f32; 6]; 4] = posenc::const_table(Spec::new(6).scaling(rule(false)));
    let baked: [[f32; 6]; 4] = posenc::sinusoidal_table!(4, 6, scaling = longrope([2, 3, 5], 16, 4096));
    assert_eq!(LONG, baked);
    assert_eq!(SHORT, posenc::sinusoidal_table!(4, 6));
}
