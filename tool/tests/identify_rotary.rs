//! `posenc identify` names rotary caches, exact ones and those that a framework computes.

use std::f64::consts::TAU;

use posenc::half::{bf16, f16};
use posenc::scaling::{LongRope, Yarn};
use posenc::{Element, Frequencies, Packing, Repeat, Rope, RopePreset, Scaling, Spec};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::common::Folder;
use testkit::effort;

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
                (all(&|k, w| if (k as f64) < turning { w } else { 0.0 }), 1.0)
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
                    Repeat::Halves => once.clone().chain(once).collect::<Vec<_>>(),
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
        let file = std::fs::read(folder.path("exact.safetensors")).unwrap();
        assert!(SafeTensors::deserialize(&file).unwrap().tensor("pe").unwrap().data() == expected, "{command}");
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
    let types = [(Dtype::F16, to_f32 as fn(f64) -> f64), (Dtype::BF16, to_f32), (Dtype::F64, same)];
    for (i, layout) in LAYOUTS.into_iter().enumerate() {
        // At an effort of 1 each layout has `f32` and one more type.
        let others = types.into_iter().enumerate().filter(|(j, _)| effort() > 1 || i % 3 == *j);
        for (dtype, round) in others.map(|(_, other)| other).chain([(Dtype::F32, to_f32 as fn(f64) -> f64)]) {
            let cache = Recipe::of(layout.0, round).cache(ROWS, layout.1, layout.2);
            write(&folder, dtype, ROWS, &cache);
            check(&folder, layout, dtype, ROWS);
        }
    }
}

/// Exact caches of all presets, each in the next packing and repeat.
#[test]
fn exact_caches() {
    let folder = Folder::new();
    let arrangements: Vec<_> =
        Packing::ALL.iter().flat_map(|packing| Repeat::ALL.iter().map(move |repeat| (*packing, *repeat))).collect();
    for (&preset, &(packing, repeat)) in RopePreset::ALL.iter().zip(arrangements.iter().cycle()) {
        let spec = Rope::preset(preset).repeat(repeat).packed(packing).unwrap();
        write(&folder, Dtype::F32, 40, &exact(&spec, Dtype::F32, 40));
        let answer = check(&folder, (preset, packing, repeat), Dtype::F32, 40);
        assert!(answer.contains("bitwise identical"), "{answer}");
    }
}

/// Other bases and rules, and mistakes in rules.
#[test]
fn other_caches_fit_nothing() {
    let folder = Folder::new();
    let of = |preset| Recipe::of(preset, to_f32);
    let (llama, yarn, longrope) =
        (of(RopePreset::Llama3_1), of(RopePreset::Qwen2_5Yarn), of(RopePreset::Phi3_5MiniLong));
    let recipes = [
        Recipe { scaling: Scaling::llama3(9.0, 8192), ..llama },
        Recipe { scaling: Scaling::llama3(8.0, 4096), ..llama },
        Recipe { base: 500_100.0, ..llama },
        Recipe { scaling: Scaling::yarn(5.0, 32_768), ..yarn },
        Recipe { mistake: Mistake::FastPairsAreDivided, ..yarn },
        Recipe { mistake: Mistake::Multiplied, ..longrope },
        Recipe { scaling: Scaling::linear(7.5), ..llama },
    ];
    for (recipe, dtype) in recipes.into_iter().zip([Dtype::F32, Dtype::BF16].into_iter().cycle()) {
        write(&folder, dtype, 200, &recipe.cache(200, Packing::Cos, Repeat::Halves));
        folder.posenc("identify pe.safetensors").status(1).says("nothing fits");
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
        let file = std::fs::read(folder.path("pe.safetensors")).unwrap();
        run_commands(&folder, &answer, SafeTensors::deserialize(&file).unwrap().tensor("pe").unwrap().data());
    }
}
