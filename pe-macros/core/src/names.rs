//! The names of keys and of their values, and what may have been meant by another.

use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;

/// The keys of options, as the docs list them.
pub const KEYS: [&str; 17] = [
    "dtype",
    "preset",
    "base",
    "freq_shift",
    "frequencies",
    "layout",
    "order",
    "columns",
    "pairing",
    "odd",
    "start",
    "step",
    "scale",
    "amplitude",
    "zero_row",
    "max_bytes",
    "file",
];

/// What keys are called elsewhere.
const KEYS_ELSEWHERE: [(&str, &str); 23] = [
    ("theta", "`base`"),
    ("max_timescale", "`base`"),
    ("max_period", "`base`"),
    ("max_wavelength", "`base`"),
    ("temperature", "`base`"),
    ("min_timescale", "`scale = m` with `base = max_timescale / m`, worked out"),
    ("min_freq", "`base = max_freq / min_freq`, worked out"),
    ("max_freq", "`scale`"),
    ("downscale_freq_shift", "`freq_shift`"),
    ("inv_freq", "`frequencies`"),
    ("interleaved", "`layout = interleaved`"),
    ("flip_sin_to_cos", "`order = cos_sin` if true"),
    ("cos_first", "`order = cos_sin` if true"),
    ("full_turns", "`scale = 6.283185307179586` if true"),
    ("offset", "`start`"),
    ("start_index", "`start`"),
    ("interpolation_scale", "`scale = 1 / interpolation_scale`, worked out"),
    ("scaling_factor", "`scale = 1 / scaling_factor`, worked out"),
    ("padding_idx", "`zero_row`"),
    ("max_len", "the first argument, without a key"),
    ("positions", "`Spec::fill_positions`, at run time"),
    ("model", "`preset`"),
    ("type", "`dtype`"),
];

/// What the values of choices are called elsewhere.
pub(crate) const VALUES_ELSEWHERE: [(&str, &str); 5] = [
    ("cos_first", "`cos_sin`"),
    ("sin_first", "`sin_cos`"),
    ("concat", "`halves`"),
    ("concatenated", "`halves`"),
    ("split", "`halves`"),
];

/// What the element types are called elsewhere.
pub(crate) const DTYPES_ELSEWHERE: [(&str, &str); 9] = [
    ("float", "`f32`"),
    ("float32", "`f32`"),
    ("fp32", "`f32`"),
    ("double", "`f64`"),
    ("float64", "`f64`"),
    ("float16", "`f16`"),
    ("fp16", "`f16`"),
    ("half", "`f16`"),
    ("bfloat16", "`bf16`"),
];

pub(crate) fn unknown_key(key: &Ident) -> Diagnostic {
    let name = key.to_string();
    let hint = hint(&name, &KEYS, &KEYS_ELSEWHERE);
    Diagnostic::at(key, format!("there is no key `{name}`{hint}; the keys are {}", listed(&KEYS)))
}

/// What may have been meant by `written`: what it is called here, or the nearest name.
pub(crate) fn hint(written: &str, names: &[&str], elsewhere: &[(&str, &str)]) -> String {
    if let Some((_, here)) = elsewhere.iter().find(|(name, _)| *name == written) {
        return format!(" (here that is {here})");
    }
    let near = |name: &&str| strsim::damerau_levenshtein(name, written);
    let nearest = names.iter().copied().min_by_key(near).filter(|name| near(name) <= 1 + name.len() / 3);
    nearest.map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
