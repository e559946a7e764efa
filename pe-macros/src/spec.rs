//! Turns arguments into a checked `Spec`, placing each complaint on the tokens that caused it.

use posenc_runtime::{Amplitude, Columns, Layout, Odd, Order, Pairing, Preset, Spec, SpecError};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Expr;

use crate::complaint::{Complaint, Complaints};
use crate::dtype::Dtype;
use crate::number::{exact, integer};
use crate::parse::{Arguments, Value};

/// The most a table may take unless `max_bytes` says otherwise: some 2.5 GB of the compiler's memory.
const DEFAULT_MAX_BYTES: usize = 256 << 20;

/// The keys of options, as the docs list them.
const KEYS: [&str; 16] = [
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
];

/// What keys are called elsewhere.
const ELSEWHERE: [(&str, &str); 23] = [
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
const VALUES_ELSEWHERE: [(&str, &str); 5] = [
    ("cos_first", "`cos_sin`"),
    ("sin_first", "`sin_cos`"),
    ("concat", "`halves`"),
    ("concatenated", "`halves`"),
    ("split", "`halves`"),
];

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    pub(crate) seq_len: usize,
    pub(crate) d_model: usize,
}

/// A table that can be made.
pub(crate) struct Request<'a> {
    pub(crate) spec: Spec<'a>,
    pub(crate) shape: Shape,
}

/// Why a table cannot be made, and the shape it would have had if that much is known.
pub(crate) struct Refusal {
    pub(crate) complaints: Complaints,
    pub(crate) shape: Option<Shape>,
}

impl From<Complaints> for Refusal {
    fn from(complaints: Complaints) -> Self {
        Self { complaints, shape: None }
    }
}

/// Judges every argument before giving up, so that two mistakes give two errors.
///
/// The spec borrows the numbers of the option `frequencies` from `storage`.
pub(crate) fn request<'a>(arguments: &Arguments, storage: &'a mut Vec<f64>) -> Result<Request<'a>, Refusal> {
    let mut complaints = Vec::new();
    let seq_len = keep(size("seq_len", &arguments.seq_len), &mut complaints);
    let d_model = keep(d_model(&arguments.d_model), &mut complaints);
    let (mut dtype, mut max_bytes) = (Some(Dtype::F32), DEFAULT_MAX_BYTES);

    // Wherever the preset and the list stand, the other keys refine them.
    let find = |name| arguments.options.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let preset = find("preset").and_then(|value| keep(preset(value), &mut complaints)).unwrap_or_default();
    let mut spec: Spec<'a> = Spec::preset(preset, d_model.unwrap_or(2));
    if let Some(list) = find("frequencies").and_then(|value| keep(frequencies(value), &mut complaints)) {
        *storage = list;
        spec = spec.frequencies(storage);
    }
    for (i, (key, value)) in arguments.options.iter().enumerate() {
        if arguments.options[..i].iter().any(|(earlier, _)| earlier == key) {
            complaints.push(Complaint::at(key, format!("`{key}` is given twice; keep one")));
            continue;
        }
        match key.to_string().as_str() {
            "dtype" => dtype = keep(Dtype::read(value), &mut complaints),
            "max_bytes" => {
                max_bytes =
                    keep(one(key, value).and_then(|value| size("max_bytes", value)), &mut complaints).unwrap_or(0);
            }
            "preset" | "frequencies" => {}
            _ => spec = keep(set(spec, key, value), &mut complaints).unwrap_or(spec),
        }
    }

    let mut shape = match (dtype, seq_len, d_model) {
        (Some(dtype), Some(seq_len), Some(d_model)) => Some(Shape { dtype, seq_len, d_model }),
        _ => None,
    };
    match shape {
        // All values are right by themselves.
        Some(Shape { dtype, seq_len, .. }) if complaints.is_empty() => {
            if let Err(error) = dtype.check_table(&spec, seq_len, max_bytes) {
                complaints.push(Complaint::at(culprit(&error, arguments), error));
                // Of a table too large there is nothing to be had, not even its zeros.
                if matches!(error, SpecError::TableTooLarge { .. }) {
                    shape = None;
                }
            }
        }
        _ => {}
    }
    match shape {
        Some(shape) if complaints.is_empty() => Ok(Request { spec, shape }),
        _ => Err(Refusal { complaints, shape }),
    }
}

fn keep<T>(result: Result<T, Complaint>, complaints: &mut Complaints) -> Option<T> {
    result.map_err(|complaint| complaints.push(complaint)).ok()
}

/// What to mend in values that are right by themselves: of the parameters concerned the last one given, or else the preset
/// that set them, or the size.
fn culprit(error: &SpecError, arguments: &Arguments) -> TokenStream {
    let concerned = |name: &str| error.parameters().contains(&name);
    let given = arguments.options.iter().rev().find(|(key, _)| concerned(&key.to_string()));
    let preset = || arguments.options.iter().find(|(key, _)| key == "preset");
    match given {
        Some((_, value)) => value.to_token_stream(),
        None if concerned("seq_len") => arguments.seq_len.to_token_stream(),
        None if concerned("d_model") => arguments.d_model.to_token_stream(),
        None => preset().map_or_else(|| arguments.seq_len.to_token_stream(), |(_, value)| value.to_token_stream()),
    }
}

/// The spec with one more parameter.
fn set<'a>(spec: Spec<'a>, key: &Ident, value: &Value) -> Result<Spec<'a>, Complaint> {
    let name = key.to_string();
    let number = || exact(&name, one(key, value)?);
    Ok(match name.as_str() {
        "base" => {
            let base = number()?;
            by_itself(Spec::new(2).base(base), value)?;
            spec.base(base)
        }
        "freq_shift" => spec.freq_shift(number()?),
        "layout" => spec.layout(choice(key, value, Layout::ALL, Layout::name)?),
        "order" => spec.order(choice(key, value, Order::ALL, Order::name)?),
        "columns" => spec.columns(choice(key, value, Columns::ALL, Columns::name)?),
        "pairing" => spec.pairing(choice(key, value, Pairing::ALL, Pairing::name)?),
        "odd" => spec.odd(choice(key, value, Odd::ALL, Odd::name)?),
        "start" => {
            let written = integer("start", one(key, value)?)?;
            let out_of_range = SpecError::RowPosition { value: written };
            let start = i64::try_from(written).map_err(|_| Complaint::at(value, out_of_range))?;
            by_itself(Spec::new(2).start(start), value)?;
            spec.start(start)
        }
        "step" => {
            let written = integer("step", one(key, value)?)?;
            let (min, max) = (i64::MIN, i64::MAX);
            let sentence = format!("`step` is {written}, but must be from {min} to {max}; choose one in that range");
            spec.step(i64::try_from(written).map_err(|_| Complaint::at(value, sentence))?)
        }
        "scale" => {
            let scale = number()?;
            by_itself(Spec::new(2).scale(scale), value)?;
            spec.scale(scale)
        }
        "amplitude" => spec.amplitude(amplitude(key, value)?),
        "zero_row" => spec.zero_row(size("zero_row", one(key, value)?)?),
        _ => return Err(unknown_key(key)),
    })
}

/// Has the runtime crate judge one parameter by itself.
fn by_itself(spec: Spec, value: impl ToTokens) -> Result<(), Complaint> {
    spec.check_table::<f64>(0, 0).map(drop).map_err(|error| Complaint::at(value, error))
}

fn one<'a>(key: &Ident, value: &'a Value) -> Result<&'a Expr, Complaint> {
    match value {
        Value::One(value) => Ok(value),
        Value::List { .. } => {
            Err(Complaint::at(value, format!("`{key}` takes one value, not a list; write `{key} = value`")))
        }
    }
}

fn frequencies(value: &Value) -> Result<Vec<f64>, Complaint> {
    let Value::List { values, .. } = value else {
        let written = value.to_token_stream();
        let sentence = format!("`frequencies` is `{written}`, but must be a list of numbers; write `[...]`");
        return Err(Complaint::at(value, sentence));
    };
    values.iter().map(|value| exact("frequencies", value)).collect()
}

fn choice<T: Copy>(key: &Ident, value: &Value, all: &[T], name: fn(T) -> &'static str) -> Result<T, Complaint> {
    let written = value.to_token_stream().to_string();
    all.iter().copied().find(|&choice| name(choice) == written).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&choice| name(choice)).collect();
        let (hint, names) = (hint(&written, &names, &VALUES_ELSEWHERE), listed(&names));
        Complaint::at(value, format!("`{key}` is `{written}`{hint}, but must be one of these: {names}"))
    })
}

fn amplitude(key: &Ident, value: &Value) -> Result<Amplitude, Complaint> {
    match value.to_token_stream().to_string().as_str() {
        "rsqrt_d" => Ok(Amplitude::RsqrtD),
        "sqrt_2_over_d" => Ok(Amplitude::Sqrt2OverD),
        written if matches!(value, Value::One(Expr::Path(_) | Expr::Call(_))) => {
            let sentence =
                format!("`amplitude` is `{written}`, but must be a number, `rsqrt_d` or `sqrt_2_over_d`; choose one");
            Err(Complaint::at(value, sentence))
        }
        _ => exact("amplitude", one(key, value)?).map(Amplitude::Value),
    }
}

fn preset(value: &Value) -> Result<Preset, Complaint> {
    let written = value.to_token_stream().to_string();
    Preset::ALL.iter().copied().find(|preset| preset.name() == written).ok_or_else(|| {
        let names: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        let hint = hint(&written, &names, Preset::ELSEWHERE);
        Complaint::at(value, format!("there is no preset `{written}`{hint}; the presets are {}", listed(&names)))
    })
}

fn unknown_key(key: &Ident) -> Complaint {
    let name = key.to_string();
    let hint = hint(&name, &KEYS, &ELSEWHERE);
    Complaint::at(key, format!("there is no key `{name}`{hint}; the keys are {}", listed(&KEYS)))
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

fn d_model(value: &Expr) -> Result<usize, Complaint> {
    let written = integer("d_model", value)?;
    match usize::try_from(written) {
        Ok(d_model) => by_itself(Spec::new(d_model), value).map(|()| d_model),
        Err(_) => Err(Complaint::at(value, SpecError::DModel { value: written })),
    }
}

fn size(name: &str, value: &Expr) -> Result<usize, Complaint> {
    let written = integer(name, value)?;
    usize::try_from(written).map_err(|_| {
        let max = usize::MAX;
        Complaint::at(value, format!("`{name}` is {written}, but must be from 0 to {max}; choose one in that range"))
    })
}
