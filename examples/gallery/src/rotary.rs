//! Caches of rotary embeddings: their wavelengths, the errors of the usual recipe, and the axes of M-RoPE.

use std::f32::consts::TAU;

use plotters::prelude::*;
use posenc::{Columns, Order, Packing, Rope, RopePreset, Scaling, SectionOrder, axis_of_pair};

use crate::canvas::{
    Backend, Canvas, FIRST, FOURTH, GREY, Outcome, SECOND, Scale, Side, THIRD, chart, columns, curve, figure, heat_map,
    legend, line, note, panel,
};
use crate::errors::{Recipe, in_blocks, largest_errors};

const LLAMA: Rope = Rope::preset(RopePreset::Llama3_1);
const PAIRS: usize = LLAMA.pairs();

/// Llama 3.1's rule, and others with its factor and original context.
///
/// `dynamic` is `ntk` for a length, and the divisors of `longrope` are made for a single model.
const RULES: [(Scaling, RGBColor); 5] = [
    (Scaling::None, BLACK),
    (Scaling::linear(8.0), FOURTH),
    (Scaling::ntk(8.0), THIRD),
    (Scaling::yarn(8.0, 8192), SECOND),
    (Scaling::llama3(8.0, 8192), FIRST),
];

pub fn wavelengths<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas =
        figure(canvas, "Llama 3.1 (d = 128, base 500000, original context 8192) with each scaling rule, factor 8")?;
    let (left, right) = columns(&canvas, 0.5);
    let (left, right) =
        (panel(&left, "Wavelength of each pair")?, panel(&right, "Ratio: yarn and llama3 lead from none to linear")?);
    let pairs = || ("pair", 0.0..PAIRS as f64);
    let mut after = chart(&left, pairs(), ("wavelength (positions)", (1.0..1e8).log_scale()))?;
    let mut ratio = chart(&right, pairs(), ("wavelength after / before", 0.0..9.0))?;
    for (wavelength, words) in [(8192.0, "original context"), (2048.0, "4 turns in it"), (256.0, "32 turns in it")] {
        line(&mut after, [(0.0, wavelength), (PAIRS as f64, wavelength)], GREY)?;
        note(&after, (46.0, wavelength), words)?;
    }
    let plain = wavelengths_after(Scaling::None)?;
    for (rule, colour) in RULES {
        let scaled = wavelengths_after(rule)?;
        let ratios = scaled.iter().zip(&plain).map(|(after, before)| after / before);
        curve(&mut ratio, by_pair(ratios), colour, rule.name())?;
        curve(&mut after, by_pair(scaled.iter().copied()), colour, rule.name())?;
    }
    legend(&mut after, SeriesLabelPosition::LowerRight)?;
    legend(&mut ratio, SeriesLabelPosition::MiddleLeft)
}

fn wavelengths_after(rule: Scaling) -> Outcome<Vec<f64>> {
    Ok(LLAMA.scaling(rule).spec(Columns::Cos)?.wavelengths()?.collect())
}

fn by_pair(values: impl Iterator<Item = f64>) -> impl Iterator<Item = (f64, f64)> {
    values.enumerate().map(|(pair, value)| (pair as f64, value))
}

pub fn f32_error<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const POSITIONS: usize = RopePreset::Llama3_1.max_position_embeddings();
    const END: f64 = POSITIONS as f64;
    let canvas = figure(canvas, "Largest error of a rotary cache computed in f32, by position, d = 128")?;
    let canvas = panel(&canvas, "Maximum of each block of positions, 16 blocks per octave")?;
    let axes = (("position", (1.0..END).log_scale()), ("largest error in the row", (1e-8..1e-1).log_scale()));
    let mut chart = chart(&canvas, axes.0, axes.1)?;
    let plain = Recipe { frequencies: frequencies(10_000.0).collect() };
    let scaled = Recipe { frequencies: frequencies(500_000.0).map(llama3_1).collect() };
    let caches = [
        (Rope::new(2 * PAIRS), plain, SECOND, "base 10000, no rule"),
        (LLAMA, scaled, FIRST, "Llama 3.1: base 500000, llama3"),
    ];
    for (rope, recipe, colour, name) in caches {
        let spec = rope.packed(Packing::Complex)?.order(Order::SinCos); // the order of the recipe
        curve(&mut chart, in_blocks(&largest_errors(spec, &recipe, POSITIONS)?), colour, name)?;
    }
    let bound = 2f64.powi(-25);
    curve(&mut chart, [(1.0, bound), (END, bound)], THIRD, "posenc in f32: at most 2^-25")?;
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// The frequencies as Hugging Face computes them.
fn frequencies(base: f32) -> impl Iterator<Item = f32> {
    (0..PAIRS).map(move |k| 1.0 / base.powf((2 * k) as f32 / (2 * PAIRS) as f32))
}

/// Llama 3.1's rule, in the same way.
fn llama3_1(frequency: f32) -> f32 {
    let wavelength = TAU / frequency;
    let kept = ((8192.0 / wavelength - 1.0) / (4.0 - 1.0)).clamp(0.0, 1.0);
    (1.0 - kept) * frequency / 8.0 + kept * frequency
}

pub fn axes<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Which axis turns each pair in M-RoPE: 0 is time, 1 height, 2 width")?;
    let panels = canvas.split_evenly((2, 1));
    axes_of_pairs(
        &panels[0],
        "Qwen2-VL: 16, 24 and 24 pairs, side by side",
        axis_of_pair(&[16, 24, 24], SectionOrder::Contiguous),
    )?;
    axes_of_pairs(
        &panels[1],
        "Qwen3-VL: 24, 20 and 20 pairs, interleaved",
        axis_of_pair(&[24, 20, 20], SectionOrder::Interleaved),
    )
}

fn axes_of_pairs<DB: Backend>(canvas: &Canvas<DB>, title: &str, axes: [u8; PAIRS]) -> Outcome {
    let colour = |share: f64| [FIRST, SECOND, THIRD][(2.0 * share) as usize];
    let scale = Scale { name: "axis", range: 0.0..2.0, map: colour };
    let (x, y) = (Side::new("pair", PAIRS), Side::new("axis", 3).downwards());
    // What is not a number is white.
    let cell = |pair: usize, axis: usize| if usize::from(axes[pair]) == axis { axis as f64 } else { f64::NAN };
    heat_map(&panel(canvas, title)?, &x, &y, &scale, cell)
}
