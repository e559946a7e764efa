//! The macro calls and the commands that make the tables of candidates.

use posenc::reflection::{Value, axial_axis_names};
use posenc::{
    AxialNest, AxialParameters, AxialPreset, AxialRope, Extent, Frequencies, GridPreset, Packing, Preset, Repeat, Rope,
    RopeMacroCall, RopeParameters, RopePreset, Scaling, Spec,
};
use posenc_identify::{AnyGrid, Candidate, Dtype, FloatType, Found, Named, with_axial, with_grid};

use crate::calls::{axial_call, grid_call, macro_call, rotary_call};
use crate::dtype::dtype_text;
use crate::words::option;

/// Returns the macro call that makes the table of a candidate, or of so many rows of it.
#[must_use]
pub fn call(candidate: &Candidate, seq_len: usize) -> String {
    with_stored!(candidate.dtype, T => match &candidate.found {
        Found::Sinusoidal { spec, .. } => macro_call::<T>(spec, seq_len).to_string(),
        Found::Rotary { rope, packing, presets, .. } => {
            rotary_call::<T>(&call_of_rope(rope, presets.first(), seq_len), *packing).to_string()
        }
        Found::Grid { grid, .. } => with_grid!(grid, grid => grid_call::<T, _>(grid).to_string()),
        Found::Axial { rope, packing, .. } => with_axial!(rope, rope => axial_call::<T, _>(rope, *packing).to_string()),
    })
}

/// Returns the call for a cache. A list of divisors is long, and only presets have one.
fn call_of_rope<'a>(rope: &Rope<'a>, named: Option<&Named<RopePreset>>, seq_len: usize) -> RopeMacroCall<'a> {
    let RopeParameters { scaling, repeat, .. } = rope.parameters();
    match (scaling, named) {
        (Scaling::LongRope(_), Some(Named { preset, changed, .. })) => {
            let own = Rope::preset(*preset);
            let own = if changed.is_empty() { own } else { own.with_head_dim(rope.head_dim()) };
            own.repeat(repeat).macro_call(seq_len).preset(*preset)
        }
        _ => rope.macro_call(seq_len),
    }
}

/// Returns the command that writes the table of a candidate to a file.
#[must_use]
pub fn command(candidate: &Candidate, seq_len: usize, output: &str) -> String {
    let dtype = dtype_option(candidate.dtype);
    let mut words = match &candidate.found {
        Found::Sinusoidal { spec, presets } => table(spec, presets.first(), seq_len),
        Found::Rotary { rope, packing, presets, .. } => rope_words(rope, *packing, presets.first(), seq_len),
        Found::Grid { grid, presets } => grid_words(grid, &presets[0]),
        Found::Axial { rope, packing, presets, swapped } => {
            with_axial!(rope, rope => axial_words(rope, *packing, presets.first(), swapped.first()))
        }
    };
    words.extend(dtype.map(|dtype| match &candidate.found {
        Found::Sinusoidal { .. } if matches!(candidate.dtype, Dtype::Float(_)) => format!("--dtype={dtype}"),
        _ => format!("--dtype {dtype}"),
    }));
    words.push(format!("-o {output}"));
    words.join(" ")
}

/// Returns the command for a table, with a preset that makes it, or else with all parameters.
fn table(spec: &Spec, named: Option<&Named<Preset>>, seq_len: usize) -> Vec<String> {
    let mut words = vec!["posenc table".to_owned()];
    if let Some(Named { preset, changed, .. }) = named {
        words.extend((*preset != Preset::Paper).then(|| format!("--preset {preset}")));
        words.extend(changed.iter().map(option));
    }
    words.push(format!("--seq-len {seq_len} --d-model {}", spec.d_model()));
    if named.is_none() {
        words.extend(spec.keys().map(|key| option(&key)));
    }
    words
}

/// Returns the command for a cache, with a preset that makes it, or else with all parameters.
fn rope_words(rope: &Rope, packing: Packing, named: Option<&Named<RopePreset>>, seq_len: usize) -> Vec<String> {
    let RopeParameters { frequencies, scaling, attention_factor, repeat, .. } = rope.parameters();
    let mut words = vec!["posenc rope".to_owned()];
    if let Some(Named { preset, changed, .. }) = named {
        words.push(format!("--preset {preset}"));
        words.extend(changed.iter().map(spaced));
    } else {
        words.push(format!("--head-dim {}", rope.head_dim()));
        words.push(match frequencies {
            Frequencies::Given(list) => option(&("frequencies", Value::Numbers(list))),
            _ => format!("--base {}", base(&frequencies).unwrap_or_default()),
        });
        words.extend((scaling != Scaling::None).then(|| format!("--scaling '{scaling}'")));
        words.extend(attention_factor.map(|factor| format!("--attention-factor {factor}")));
    }
    words.push(format!("--seq-len {seq_len}"));
    words.extend((packing != Packing::default()).then(|| format!("--packing {packing}")));
    words.extend((repeat != Repeat::default()).then(|| format!("--repeat {repeat}")));
    words
}

/// Returns the base of frequencies in a geometric progression.
pub(super) fn base(frequencies: &Frequencies) -> Option<f64> {
    if let Frequencies::Geometric { base, .. } = frequencies { Some(*base) } else { None }
}

/// Returns the command for a grid with a preset.
fn grid_words(grid: &AnyGrid, Named { preset, changed, .. }: &Named<GridPreset>) -> Vec<String> {
    let (shape, d_model) =
        with_grid!(grid, grid => (grid.shape().map(|size| size.to_string()).join("x"), grid.d_model()));
    let mut words = vec![format!("posenc grid --preset {preset} --shape {shape} --d-model {d_model}")];
    words.extend(changed.iter().map(spaced));
    words
}

/// Returns the command for a rotary table of several axes: with a preset that makes it, perhaps in another order of the axes, or else
/// with all parameters that are not the defaults.
fn axial_words<const A: usize>(
    rope: &AxialRope<A>,
    packing: Packing,
    named: Option<&Named<AxialPreset>>,
    swapped: Option<&AxialPreset>,
) -> Vec<String> {
    let AxialParameters { head_dim, first, nest, frequencies, start, repeat, merge, extent, .. } = rope.parameters();
    let preset = named.map(|named| named.preset).or(swapped.copied());
    let mut words = vec!["posenc rope".to_owned()];
    words.extend(preset.map(|preset| format!("--preset {preset}")));
    let shape = rope.shape().map(|size| size.to_string()).join("x");
    words.push(format!("--shape {shape} --head-dim {head_dim}"));
    if let Some(Named { changed, .. }) = named {
        words.extend(changed.iter().map(spaced));
    } else {
        let axes = axial_axis_names(preset, A);
        let is_ordered = first.iter().enumerate().all(|(i, axis)| i == *axis);
        let is_told = preset.is_some() || !is_ordered;
        words.extend(is_told.then(|| format!("--first {}", first.map(|axis| axes[axis]).join(","))));
        if let (Some(_), Extent::Set(numerator, 1)) = (preset, extent) {
            words.push(format!("--extent {numerator}"));
        }
        // A preset has its own values of these.
        if preset.is_none() {
            words.extend((nest != AxialNest::default()).then(|| format!("--nest {nest}")));
            let base = base(&frequencies[0]).filter(|base| *base != 10_000.0);
            words.extend(base.map(|base| format!("--base {base}")));
            words.extend((start != [0; A]).then(|| format!("--start {}", start[0])));
        }
        words.extend((merge > 1).then(|| format!("--merge {merge}")));
        words.extend((repeat != Repeat::default()).then(|| format!("--repeat {repeat}")));
    }
    words.extend((packing != Packing::default()).then(|| format!("--packing {packing}")));
    words
}

/// Returns a parameter as an option, with a space before its value.
fn spaced((key, value): &(&'static str, Value)) -> String {
    let key = key.replace('_', "-");
    match value {
        Value::Number(number) => format!("--{key} {number}"),
        _ => format!("--{key} {value}"),
    }
}

/// Returns the value of `--dtype`, unless it is the default.
pub(super) fn dtype_option(dtype: Dtype) -> Option<String> {
    match (dtype, dtype.quantiser()) {
        (Dtype::Float(FloatType::F32), _) => None,
        (_, Some(_)) => Some(format!("'{}'", dtype_text(dtype))),
        (_, None) => Some(dtype_text(dtype)),
    }
}
