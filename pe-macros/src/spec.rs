//! Turns arguments into a checked `Spec`, placing each complaint on the tokens that caused it.

use posenc_runtime::{Preset, Spec, SpecError, convert, d_model_out_of_range};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, Lit, LitStr};

use crate::code::code;
use crate::complaint::{Complaint, Complaints};
use crate::dtype::Dtype;
use crate::number::{Given, integer, unless_named};
use crate::parse::{Arguments, Value};
use crate::settings::{Settings, by_itself, size_literal};

/// The most a table may take unless `max_bytes` says otherwise: some 2.5 GB of the compiler's memory.
const DEFAULT_MAX_BYTES: usize = 256 << 20;

/// The keys of options, as the docs list them.
pub(crate) const KEYS: [&str; 17] = [
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

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    /// A literal, or what the user has written in its place.
    pub(crate) seq_len: TokenStream,
    pub(crate) d_model: TokenStream,
}

/// A table that can be made, as far as can be told here.
pub(crate) struct Request<'a> {
    pub(crate) shape: Shape,
    pub(crate) door: Door<'a>,
}

/// Where the entries come from.
pub(crate) enum Door<'a> {
    /// From here.
    Macro { spec: Spec<'a>, seq_len: usize },
    /// From the compiler, which knows what names mean.
    Const(Call),
    /// From a file that the build script has written, if it is that of this call.
    File(Call, LitStr),
}

/// The parameters as code, for the compiler to evaluate.
pub(crate) struct Call {
    pub(crate) frequencies: TokenStream,
    pub(crate) spec: TokenStream,
    pub(crate) max_bytes: TokenStream,
    /// The arguments, by the names that errors give them, the first to mend coming first.
    pub(crate) arguments: Vec<(String, TokenStream)>,
    /// The preset, or the first argument.
    pub(crate) preset: TokenStream,
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
pub(crate) fn request<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    storage: &'a mut Vec<f64>,
) -> Result<Request<'a>, Refusal> {
    let mut complaints = Vec::new();
    let read = Read::all(arguments, crate_path, storage, &mut complaints);
    let mut shape = read.shape(arguments);
    let known = read.known();
    if let (Some(Shape { dtype, .. }), Some((seq_len, limit)), true) = (&shape, known, complaints.is_empty()) {
        if let Err(error) = dtype.check_table(&read.settings.spec, seq_len, limit) {
            complaints.push(Complaint::at(culprit(&error, arguments), error));
            // Of a table too large there is nothing to be had, not even its zeros.
            if matches!(error, SpecError::TableTooLarge { .. }) {
                shape = None;
            }
        }
    }
    let shape = match shape {
        Some(shape) if complaints.is_empty() => shape,
        shape => return Err(Refusal { complaints, shape }),
    };
    let Settings { spec, calls, list, .. } = read.settings;
    let call = || Call {
        frequencies: list,
        spec: calls,
        max_bytes: read.max_bytes.1,
        arguments: culprits(arguments),
        preset: preset_or_size(arguments),
    };
    let door = match (read.file, known) {
        (Some(file), _) => Door::File(call(), file),
        (None, Some((seq_len, _))) => Door::Macro { spec, seq_len },
        (None, None) => Door::Const(call()),
    };
    Ok(Request { shape, door })
}

/// The arguments as far as they make sense, each by itself.
struct Read<'a, 'p> {
    seq_len: Option<Given<usize>>,
    d_model: Option<Given<usize>>,
    dtype: Option<Dtype>,
    /// As a number, if it is known, and as code.
    max_bytes: (Option<usize>, TokenStream),
    file: Option<LitStr>,
    settings: Settings<'a, 'p>,
}

impl<'a, 'p> Read<'a, 'p> {
    fn all(
        arguments: &Arguments,
        crate_path: &'p TokenStream,
        storage: &'a mut Vec<f64>,
        complaints: &mut Complaints,
    ) -> Self {
        let seq_len = keep(unless_named(&arguments.seq_len, |value| size("seq_len", value)), complaints);
        let d_model = keep(unless_named(&arguments.d_model, d_model), complaints);
        // Wherever the preset and the list stand, the other keys refine them.
        let find = |name| arguments.options.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let preset = find("preset").and_then(|value| keep(preset(value), complaints)).unwrap_or_default();
        let known_d_model = d_model.and_then(Given::known);
        let d_model_tokens = size_tokens("d_model", known_d_model, &arguments.d_model, crate_path);
        let settings = Settings::new(preset, known_d_model.unwrap_or(2), &d_model_tokens, crate_path);
        let max_bytes = (Some(DEFAULT_MAX_BYTES), Literal::usize_unsuffixed(DEFAULT_MAX_BYTES).into_token_stream());
        let mut read = Self { seq_len, d_model, dtype: Some(Dtype::F32), max_bytes, file: None, settings };

        // A file is no burden to the compiler.
        if let Some(value) = find("file") {
            read.file = keep(file_name(value), complaints);
            read.max_bytes = (Some(usize::MAX), quote!(#crate_path::__private::usize::MAX));
        }
        if let Some(list) = find("frequencies") {
            keep(read.settings.frequencies(list, storage), complaints);
        }
        for (i, (key, value)) in arguments.options.iter().enumerate() {
            if arguments.options[..i].iter().any(|(earlier, _)| earlier == key) {
                complaints.push(Complaint::at(key, format!("`{key}` is given twice; keep one")));
            } else {
                keep(read.option(key, value), complaints);
            }
        }
        read
    }

    fn option(&mut self, key: &Ident, value: &Value) -> Result<(), Complaint> {
        match key.to_string().as_str() {
            "dtype" => {
                self.dtype = None;
                self.dtype = Some(Dtype::read(value)?);
            }
            "max_bytes" => self.max_bytes = self.settings.limit(key, value)?,
            "preset" | "frequencies" | "file" => {}
            _ => self.settings.set(key, value)?,
        }
        Ok(())
    }

    fn shape(&self, arguments: &Arguments) -> Option<Shape> {
        Some(Shape {
            dtype: self.dtype?,
            seq_len: size_tokens("seq_len", self.seq_len?.known(), &arguments.seq_len, self.settings.crate_path),
            d_model: size_tokens("d_model", self.d_model?.known(), &arguments.d_model, self.settings.crate_path),
        })
    }

    /// The number of rows and the most bytes, if all numbers are known.
    fn known(&self) -> Option<(usize, usize)> {
        self.d_model.and_then(Given::known)?;
        let numbers = (self.seq_len.and_then(Given::known)?, self.max_bytes.0?);
        (!self.settings.named).then_some(numbers)
    }
}

fn keep<T>(result: Result<T, Complaint>, complaints: &mut Complaints) -> Option<T> {
    result.map_err(|complaint| complaints.push(complaint)).ok()
}

/// A size where a type has it.
fn size_tokens(name: &str, known: Option<usize>, written: &Expr, crate_path: &TokenStream) -> TokenStream {
    known.map_or_else(|| code(written, crate_path), |size| size_literal(name, size, crate_path))
}

/// What to mend in values that are right by themselves: of the parameters concerned the last one given, or else the preset
/// that set them, or the size.
fn culprit(error: &SpecError, arguments: &Arguments) -> TokenStream {
    let concerned = |(name, _): &(String, TokenStream)| error.parameters().contains(&name.as_str());
    let culprit = culprits(arguments).into_iter().find(concerned);
    culprit.map_or_else(|| preset_or_size(arguments), |(_, value)| value)
}

fn preset_or_size(arguments: &Arguments) -> TokenStream {
    let preset = arguments.options.iter().find(|(key, _)| key == "preset");
    preset.map_or_else(|| arguments.seq_len.to_token_stream(), |(_, value)| value.to_token_stream())
}

/// The arguments that errors name, the first to be blamed coming first.
fn culprits(arguments: &Arguments) -> Vec<(String, TokenStream)> {
    let options = arguments.options.iter().rev().map(|(key, value)| (key.to_string(), value.to_token_stream()));
    let options = options.filter(|(name, _)| !["preset", "dtype", "max_bytes", "file"].contains(&name.as_str()));
    let sizes = [("seq_len", &arguments.seq_len), ("d_model", &arguments.d_model)];
    options.chain(sizes.map(|(name, value)| (name.to_owned(), value.to_token_stream()))).collect()
}

fn preset(value: &Value) -> Result<Preset, Complaint> {
    let written = value.to_token_stream().to_string();
    Preset::ALL.iter().copied().find(|preset| preset.name() == written).ok_or_else(|| {
        let names: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        let hint = hint(&written, &names, Preset::ELSEWHERE);
        Complaint::at(value, format!("there is no preset `{written}`{hint}; the presets are {}", listed(&names)))
    })
}

pub(crate) fn unknown_key(key: &Ident) -> Complaint {
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
        Err(_) => Err(Complaint::at(value, d_model_out_of_range(written))),
    }
}

pub(crate) fn size(name: &str, value: &Expr) -> Result<usize, Complaint> {
    convert::size(name, integer(name, value)?).map_err(|sentence| Complaint::at(value, sentence.as_str()))
}

fn file_name(value: &Value) -> Result<LitStr, Complaint> {
    if let Value::One(Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) = value {
        return match convert::file_name(&name.value()) {
            Ok(()) => Ok(LitStr::new(&name.value(), name.span())),
            Err(sentence) => Err(Complaint::at(value, sentence.as_str())),
        };
    }
    let written = value.to_token_stream();
    let sentence = format!(
        "`file` is `{written}`, but must be a name in quotes; write the one that the build script gave to \
         `posenc::build_script::write_table`"
    );
    Err(Complaint::at(value, sentence))
}
