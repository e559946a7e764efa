//! `posenc identify` names rotary caches, exact ones and those that a framework computes.

use std::f64::consts::TAU;

use posenc::half::{bf16, f16};
use posenc::scaling::{Llama3, LongRope, Proportional, Yarn};
use posenc::{Element, Frequencies, Packing, Repeat, Rope, RopePreset, Scaling, Spec};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::common::Folder;
use testkit::{effort, one_in};

/// A recipe: base, pairs and rule, and the rounding of every operation.
#[derive(Clone, Copy)]
struct Recipe {
    base: f64,
    pairs: usize,
    scaling: Scaling<'static>,
    round: fn(f64) -> f64,
    mistake: Mistake,
}

/// A mistake in a rule.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// `YaRN` divides the fast pairs instead of the slow ones.
    FastPairsAreDivided,
    /// `LongRoPE` multiplies by its factors.
    Multiplied,
}

#[allow(clippy::cast_possible_truncation, reason = "rounds")]
fn narrowed(number: f64) -> f32 {
    number as f32
}

fn to_f32(number: f64) -> f64 {
    f64::from(narrowed(number))
}

impl Recipe {
    fn of(preset: RopePreset, round: fn(f64) -> f64) -> Self {
        let parameters = Rope::preset(preset).packed(Packing::CosSin).unwrap().parameters();
        let Frequencies::Geometric { base, .. } = parameters.frequencies else { unreachable!() };
        let (pairs, scaling) = (Rope::preset(preset).pairs(), parameters.scaling);
        Self { base, pairs, scaling, round, mistake: Mistake::None }
    }

    /// Returns the frequencies as transformers computes them, `inv_freq`, and the attention factor.
    fn frequencies(&self) -> (Vec<f64>, f64) {
        let Self { base, pairs, round, .. } = *self;
        let exponent = |k: usize| round(k as f64 / pairs as f64);
        let plain: Vec<f64> = (0..pairs).map(|k| round(1.0 / round(base.powf(exponent(k))))).collect();
        let divided = |w: f64, factor: f64| round(w / factor);
        let all = |rule: &dyn Fn(usize, f64) -> f64| plain.iter().enumerate().map(|(k, &w)| rule(k, w)).collect();
        match self.scaling {
            Scaling::None => (plain, 1.0),
            Scaling::Linear(linear) => (all(&|_, w| divided(w, linear.factor)), 1.0),
            Scaling::Proportional(rule) => {
                let turning = rule.partial_rotary_factor * pairs as f64;
                (all(&|k, w| if (k as f64) < turning { divided(w, rule.factor) } else { 0.0 }), 1.0)
            }
            Scaling::Llama3(rule) => {
                let length = rule.original_max_position_embeddings as f64;
                let (low, high) = (rule.low_freq_factor, rule.high_freq_factor);
                let scaled = |_: usize, w: f64| {
                    let wavelength = round(round(TAU) / w);
                    if wavelength > length / low {
                        return divided(w, rule.factor);
                    } else if wavelength < length / high {
                        return w;
                    }
                    let smooth = round(round(round(length / wavelength) - low) / (high - low));
                    round(round(round(round(1.0 - smooth) * w) / rule.factor) + round(smooth * w))
                };
                (all(&scaled), 1.0)
            }
            Scaling::Yarn(rule) => (all(&|k, w| self.yarn(&rule, k, w)), yarn_factor(&rule)),
            Scaling::LongRope(rule) => {
                let LongRope { factors, factor, original_max_position_embeddings: length } = rule;
                let divisor = |k: usize| match self.mistake {
                    Mistake::Multiplied => round(1.0 / factors[k]),
                    _ => factors[k],
                };
                let scaled = |k: usize, _: f64| round(1.0 / round(divisor(k) * round(base.powf(exponent(k)))));
                (all(&scaled), (1.0 + factor.ln() / (length as f64).ln()).sqrt())
            }
            _ => unreachable!("no preset of this test has another rule"),
        }
    }

    fn yarn(&self, rule: &Yarn, k: usize, w: f64) -> f64 {
        let round = self.round;
        let d = 2.0 * self.pairs as f64;
        let bound = |turns: f64| {
            d * (rule.original_max_position_embeddings as f64 / (turns * TAU)).ln() / (2.0 * self.base.ln())
        };
        let (low, high) = (bound(rule.beta_fast), bound(rule.beta_slow));
        let (low, high) = if rule.truncate { (low.floor(), high.ceil()) } else { (low, high) };
        let (low, high) = (round(low.max(0.0)), round(high.min(d - 1.0)));
        let ramp = round(round(k as f64 - low) / round(high - low)).clamp(0.0, 1.0);
        let ramp = if self.mistake == Mistake::FastPairsAreDivided { 1.0 - ramp } else { ramp };
        round(round(round(w / rule.factor) * ramp) + round(w * round(1.0 - ramp)))
    }

    /// Returns the entries of a cache.
    fn cache(&self, seq_len: usize, packing: Packing, repeat: Repeat) -> Vec<f64> {
        let (frequencies, factor) = self.frequencies();
        let factor = (self.round)(factor);
        let entry = |wave: fn(f64) -> f64, p: usize, w: f64| {
            (self.round)((self.round)(wave((self.round)(p as f64 * w))) * factor)
        };
        let row = |p: usize| {
            let half = |wave: fn(f64) -> f64| {
                let once = frequencies.iter().map(|&w| entry(wave, p, w));
                match repeat {
                    Repeat::None => once.collect(),
                    Repeat::Halves | Repeat::AxisHalves => once.clone().chain(once).collect::<Vec<_>>(),
                    Repeat::Pairs => once.flat_map(|entry| [entry, entry]).collect(),
                }
            };
            let (cos, sin) = (half(f64::cos), half(f64::sin));
            match packing {
                Packing::Cos => cos,
                Packing::Sin => sin,
                Packing::CosSin => [cos, sin].concat(),
                Packing::SinCos => [sin, cos].concat(),
                Packing::Complex => cos.into_iter().zip(sin).flat_map(|(cos, sin)| [cos, sin]).collect(),
            }
        };
        (0..seq_len).flat_map(row).collect()
    }
}

fn yarn_factor(rule: &Yarn) -> f64 {
    let scaled = |scale: f64| 0.1 * scale * rule.factor.ln() + 1.0;
    if rule.mscale == 0.0 { scaled(1.0) } else { scaled(rule.mscale) / scaled(rule.mscale_all_dim) }
}

/// Returns the bytes of entries of this type.
fn bytes(dtype: Dtype, entries: &[f64]) -> Vec<u8> {
    let bytes = |entry: &f64| match dtype {
        Dtype::F64 => entry.to_le_bytes().to_vec(),
        Dtype::F32 => narrowed(*entry).to_le_bytes().to_vec(),
        Dtype::F16 => f16::from_f64(*entry).to_le_bytes().to_vec(),
        _ => bf16::from_f64(*entry).to_le_bytes().to_vec(),
    };
    entries.iter().flat_map(bytes).collect()
}

/// Writes a table with entries of this type.
fn write(folder: &Folder, dtype: Dtype, seq_len: usize, entries: &[f64]) {
    let bytes = bytes(dtype, entries);
    let tensor = TensorView::new(dtype, vec![seq_len, entries.len() / seq_len], &bytes).unwrap();
    safetensors::serialize_to_file([("pe", tensor)], None, &folder.path("pe.safetensors")).unwrap();
}

/// Returns the exact entries.
fn exact(spec: &Spec, dtype: Dtype, seq_len: usize) -> Vec<f64> {
    fn table<T: Element + Into<f64>>(spec: &Spec, seq_len: usize) -> Vec<f64> {
        spec.table::<T>(seq_len).unwrap().into_vec().into_iter().map(Into::into).collect()
    }
    match dtype {
        Dtype::F64 => table::<f64>(spec, seq_len),
        Dtype::F32 => table::<f32>(spec, seq_len),
        Dtype::F16 => table::<f16>(spec, seq_len),
        _ => table::<bf16>(spec, seq_len),
    }
}

/// Runs the commands of an answer, each of which makes a table, and asserts that its entries are these bytes.
fn run_commands(folder: &Folder, answer: &str, expected: &[u8]) {
    for command in answer.lines().filter_map(|line| line.trim().strip_prefix("command  posenc ")) {
        folder.posenc(command).done();
        assert!(folder.entries("exact.safetensors") == expected, "{command}");
    }
}

/// The layouts that models keep: transformers (with and without repeated columns), vLLM, GPT-J, Llama's own code, Cohere.
const LAYOUTS: [(RopePreset, Packing, Repeat); 12] = [
    (RopePreset::Llama3_1, Packing::Cos, Repeat::Halves),
    (RopePreset::Llama3_1, Packing::Complex, Repeat::None),
    (RopePreset::DeepSeekV3, Packing::Sin, Repeat::Halves),
    (RopePreset::GptOss, Packing::Cos, Repeat::None),
    (RopePreset::Phi3_5MiniLong, Packing::Sin, Repeat::Halves),
    (RopePreset::Phi3_5MiniShort, Packing::CosSin, Repeat::Halves),
    (RopePreset::Qwen2_5Yarn, Packing::CosSin, Repeat::None),
    (RopePreset::Gemma3Global, Packing::Cos, Repeat::Halves),
    (RopePreset::Gemma4Global, Packing::Cos, Repeat::Halves),
    (RopePreset::GptJ, Packing::SinCos, Repeat::None),
    (RopePreset::Phi2, Packing::Cos, Repeat::Halves),
    (RopePreset::CommandR, Packing::Sin, Repeat::Pairs),
];

/// Asserts that the answer names the preset and this arrangement, and that its commands make the exact table.
fn check(
    folder: &Folder,
    (preset, packing, repeat): (RopePreset, Packing, Repeat),
    dtype: Dtype,
    seq_len: usize,
) -> String {
    let answer = folder.posenc("identify pe.safetensors").done().out();
    let lines = answer.lines().filter_map(|line| line.trim().strip_prefix("presets  "));
    let is_named = lines.flat_map(|line| line.split(", ")).any(|name| name == preset.name());
    assert!(is_named, "{preset} {packing} {repeat} {dtype:?}\n{answer}");
    assert!(answer.contains(&format!("packing {packing}, repeat {repeat}\n")), "{answer}");
    assert!(answer.contains(&format!("packing = {packing}")), "{answer}");
    let spec = Rope::preset(preset).repeat(repeat).packed(packing).unwrap();
    run_commands(folder, &answer, &bytes(dtype, &exact(&spec, dtype, seq_len)));
    answer
}

#[test]
fn caches_computed_by_the_recipe_of_transformers() {
    const ROWS: usize = 200;
    let folder = Folder::new();
    let same: fn(f64) -> f64 = |number| number;
    let types =
        [(Dtype::F32, to_f32 as fn(f64) -> f64), (Dtype::F16, to_f32), (Dtype::BF16, to_f32), (Dtype::F64, same)];
    for (i, layout) in LAYOUTS.into_iter().enumerate() {
        // At an effort of 1 each layout has one of the types.
        let tried = types.into_iter().enumerate().filter(|(j, _)| effort() > 1 || i % types.len() == *j);
        for (_, (dtype, round)) in tried {
            let cache = Recipe::of(layout.0, round).cache(ROWS, layout.1, layout.2);
            write(&folder, dtype, ROWS, &cache);
            check(&folder, layout, dtype, ROWS);
        }
    }
}

/// Returns all packings with all repeats that differ if there is one axis, again and again.
fn arrangements() -> impl Iterator<Item = (Packing, Repeat)> {
    let repeats = [Repeat::None, Repeat::Halves, Repeat::Pairs];
    let all: Vec<_> = Packing::ALL.iter().flat_map(|&packing| repeats.map(|repeat| (packing, repeat))).collect();
    all.into_iter().cycle()
}

/// Exact caches of all presets, each in the next packing and repeat.
#[test]
fn exact_caches() {
    let folder = Folder::new();
    for (&preset, (packing, repeat)) in RopePreset::ALL.iter().zip(arrangements()).step_by(one_in(2)) {
        let spec = Rope::preset(preset).repeat(repeat).packed(packing).unwrap();
        write(&folder, Dtype::F32, 40, &exact(&spec, Dtype::F32, 40));
        let answer = check(&folder, (preset, packing, repeat), Dtype::F32, 40);
        assert!(answer.contains("bitwise identical"), "{answer}");
    }
}

/// Returns the rule of Llama 3 with other turns.
fn llama3(factor: f64, length: usize, low_freq_factor: f64, high_freq_factor: f64) -> Scaling<'static> {
    Scaling::Llama3(Llama3 { low_freq_factor, high_freq_factor, ..Llama3::new(factor, length) })
}

/// Returns a cache that a framework computes, without a mistake.
fn recipe(base: f64, pairs: usize, scaling: Scaling<'static>) -> Recipe {
    Recipe { base, pairs, scaling, round: to_f32, mistake: Mistake::None }
}

/// Asserts that the command of the answer makes the exact cache.
fn check_custom(folder: &Folder, recipe: &Recipe, dtype: Dtype, packing: Packing, repeat: Repeat) {
    const ROWS: usize = 300;
    write(folder, dtype, ROWS, &recipe.cache(ROWS, packing, repeat));
    let answer = folder.posenc("identify pe.safetensors").done().out();
    let rope = Rope::new(2 * recipe.pairs).base(recipe.base).scaling(recipe.scaling).repeat(repeat);
    assert!(answer.contains("command  posenc"), "{answer}");
    run_commands(folder, &answer, &bytes(dtype, &exact(&rope.packed(packing).unwrap(), dtype, ROWS)));
}

/// Rules with parameters of no model, in all packings and repeats.
#[test]
fn caches_with_custom_rules() {
    const FACTORS: [f64; 8] = [1.1, 1.25, 1.4, 2.03, 3.5, 7.77, 12.4, 30.0];
    let folder = Folder::new();
    let yarn = |factor, length| Scaling::yarn(factor, length);
    let with = |change: fn(&mut Yarn)| {
        let mut rule = Yarn::new(12.0, 8192);
        change(&mut rule);
        Scaling::Yarn(rule)
    };
    let rules = [
        (1e6, 64, llama3(16.0, 8192, 1.0, 4.0)),
        (5e5, 32, llama3(24.0, 8192, 1.0, 4.0)),
        (5e5, 64, llama3(9.0, 8192, 1.0, 4.0)),
        (2e6, 64, llama3(6.0, 16_384, 1.0, 8.0)),
        (1e4, 48, llama3(40.0, 4096, 1.0, 1.0)),
        (25_000.0, 64, Scaling::None),
        (77_000.0, 64, Scaling::None),
        (77_000.0, 64, Scaling::linear(7.5)),
        (1e6, 64, Scaling::proportional(0.75)),
        (1e5, 32, Scaling::Proportional(Proportional { partial_rotary_factor: 0.5, factor: 8.0 })),
        (1e4, 8, Scaling::longrope(&FACTORS, 4.0, 4096)),
        (1e4, 8, Scaling::longrope(&FACTORS, 1.0, 4096)),
        (1e6, 64, with(|rule| rule.truncate = false)),
        (1e6, 64, with(|rule| (rule.mscale, rule.mscale_all_dim) = (0.707, 0.5))),
        (1e6, 64, with(|rule| (rule.mscale, rule.mscale_all_dim) = (1.0, 1.0))),
        (5e5, 48, with(|rule| (rule.beta_fast, rule.beta_slow) = (16.0, 2.0))),
        (1e4, 32, yarn(2.5, 4096)),
        (1e4, 64, yarn(20.0, 2048)),
        (1e4, 64, yarn(64.0, 4096)),
        (1e5, 64, yarn(4.0, 16_384)),
        (5e5, 64, yarn(8.0, 8192)),
        (1e6, 64, yarn(2.0, 32_768)),
        (1e6, 64, yarn(5.0, 32_768)),
        (1e6, 40, yarn(8.0, 40_960)),
        (5e6, 64, yarn(4.0, 65_536)),
        (2_560_000.0, 64, yarn(3.0, 20_000)),
    ];
    for ((base, pairs, scaling), (packing, repeat)) in rules.into_iter().zip(arrangements()).step_by(one_in(2)) {
        check_custom(&folder, &recipe(base, pairs, scaling), Dtype::F32, packing, repeat);
    }
}

/// The same in other types, of which 16 bits show less.
#[test]
fn custom_rules_in_other_types() {
    let folder = Folder::new();
    let yarn = recipe(1e6, 64, Scaling::yarn(5.0, 8192));
    let llama = recipe(1e6, 64, llama3(16.0, 4096, 1.0, 4.0));
    let same: fn(f64) -> f64 = |number| number;
    let to_types = |recipe: Recipe| {
        let exact = Recipe { round: same, ..recipe };
        [
            (exact, Dtype::F64, Packing::Sin, Repeat::Halves),
            (exact, Dtype::F32, Packing::Cos, Repeat::None),
            (recipe, Dtype::BF16, Packing::CosSin, Repeat::Halves),
            (recipe, Dtype::F16, Packing::Cos, Repeat::Pairs),
        ]
    };
    // At an effort of 1 each rule has two of the types.
    let cases = to_types(yarn)
        .into_iter()
        .step_by(one_in(2))
        .chain(to_types(llama).into_iter().skip(one_in(2) - 1).step_by(one_in(2)));
    for (recipe, dtype, packing, repeat) in cases {
        check_custom(&folder, &recipe, dtype, packing, repeat);
    }
}

/// What the parameters leave open is said, and an attention factor that is not the rule's is found.
#[test]
fn custom_rules_in_words() {
    let folder = Folder::new();
    let identified = |options: &str| {
        folder.posenc(&format!("rope {options} --seq-len 300 --repeat halves -o pe.safetensors")).done();
        folder.posenc("identify pe.safetensors").done().says("bitwise identical")
    };
    let told = identified("--head-dim 128 --base 1e6 --scaling yarn(8,16384) --packing cos");
    told.says("note     the bounds of yarn are integers, so other lengths and turns make the same table");
    let told = identified("--head-dim 128 --base 1e6 --scaling yarn(8,16384) --attention-factor 1.1 --packing sin");
    told.says("attention_factor = 1.1, packing = sin").says("attention factor 1.1, packing sin");
    let told = identified("--head-dim 128 --base 5e5 --scaling dynamic(3,2048,8192) --packing cos");
    told.says("scaling = ntk(alpha = 10.0)");
}

/// Mistakes in rules: no other rule explains the frequencies, so they are a list, or have a list of factors.
#[test]
fn frequencies_of_no_rule() {
    let folder = Folder::new();
    let of = |preset| Recipe::of(preset, to_f32);
    let (yarn, longrope) = (of(RopePreset::Qwen2_5Yarn), of(RopePreset::Phi3_5MiniLong));
    for (mistake, recipe, packing, words) in [
        (Mistake::FastPairsAreDivided, yarn, Packing::Sin, "longrope(factors = [4.0, 4.0, 4.0,"),
        (Mistake::Multiplied, longrope, Packing::Complex, "frequencies = [1.08, 0.916"),
    ] {
        let found = Recipe { mistake, ..recipe }.cache(200, packing, Repeat::Halves);
        write(&folder, Dtype::F32, 200, &found);
        let answer = folder.posenc("identify pe.safetensors").done().says(words).says("as computed in f32");
        let command = answer.command();
        folder.posenc(&command).done();
        let made = folder.entries("exact.safetensors");
        let made = made.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        // Both have the errors of `f32` in angles of up to 200 radians.
        assert!(made.zip(found).all(|(made, found)| (f64::from(made) - found).abs() < 1e-4), "{command}");
    }
}

/// Caches without a preset, and of presets at another width.
#[test]
fn other_parameters() {
    let folder = Folder::new();
    for (options, words) in [
        ("--head-dim 64 --base 1e6 --scaling ntk(4)", "rule ntk"),
        ("--head-dim 64 --base 1e6 --scaling dynamic(2,2048,2100) --seq-len 2100 --packing complex", "rule dynamic"),
        ("--head-dim 48 --base 150000 --scaling linear(3) --packing sin", "base 150000, rule linear"),
        ("--head-dim 48 --scaling linear(4) --packing cos", "columns = cos, scale = 0.25), the same table"),
        ("--preset llama3_1 --head-dim 48 --repeat halves", "presets  llama3_1 with head_dim = 48\n"),
        ("--preset llama3 --packing sin", "columns = sin), the same table"),
        ("--preset deepseek_v2 --packing cos", "presets  deepseek_v2, deepseek_v3\n"),
        ("--preset qwen2_5_yarn --packing cos", "attention factor 1.138629436111989"),
        ("--preset llama2", "presets  adm\n"),
    ] {
        let rows = if options.contains("--seq-len") { "" } else { "--seq-len 60" };
        folder.posenc(&format!("rope {options} {rows} -o pe.safetensors")).done();
        let answer = folder.posenc("identify pe.safetensors").done().says(words).says("bitwise identical").out();
        run_commands(&folder, &answer, &folder.entries("pe.safetensors"));
    }
}

/// A base or a factor near that of a model: entries with all digits tell them apart.
#[test]
fn numbers_near_those_of_models() {
    let folder = Folder::new();
    for (options, words) in [
        ("--head-dim 64 --base 500001 -n 2048 --repeat halves -t f64", "base = 500001.0"),
        ("--head-dim 64 --base 10000.01 -n 1024 --packing cos", "base = 10000.01"),
        (
            "--head-dim 128 --base 500000 --scaling llama3(8.00001,8192) -n 2048 --packing cos -t f64",
            "factor = 8.00001",
        ),
    ] {
        folder.posenc(&format!("rope {options} -o pe.npy")).done();
        folder.posenc("identify pe.npy").done().says(words).says("bitwise identical");
    }
}
