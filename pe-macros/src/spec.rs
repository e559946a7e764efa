//! Turns arguments into a checked `Spec`, placing each complaint on the tokens that caused it.

use posenc_runtime::{Spec, SpecError};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use crate::complaint::{Complaint, Complaints};
use crate::number::{Number, number};
use crate::parse::Arguments;

/// The most a table may take unless `max_bytes` says otherwise: some 2.5 GB of the compiler's memory.
const DEFAULT_MAX_BYTES: usize = 256 << 20;

/// The keys of options, as the docs list them.
const KEYS: [&str; 4] = ["dtype", "base", "start", "max_bytes"];

/// What keys are called elsewhere.
const ALIASES: [(&str, &str); 5] = [
    ("theta", "base"),
    ("max_timescale", "base"),
    ("max_period", "base"),
    ("temperature", "base"),
    ("offset", "start"),
];

/// The element type of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Dtype {
    F32,
    F64,
}

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    pub(crate) seq_len: usize,
    pub(crate) d_model: usize,
}

/// A table that can be made.
pub(crate) struct Request {
    pub(crate) spec: Spec,
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
pub(crate) fn request(arguments: &Arguments) -> Result<Request, Refusal> {
    let mut complaints = Vec::new();
    let seq_len = keep(size("seq_len", &arguments.seq_len), &mut complaints);
    let d_model = keep(d_model(&arguments.d_model), &mut complaints);
    let (mut dtype, mut max_bytes) = (Some(Dtype::F32), DEFAULT_MAX_BYTES);
    let mut spec = Spec::new(d_model.unwrap_or(1));

    for (i, (key, value)) in arguments.options.iter().enumerate() {
        if arguments.options[..i].iter().any(|(earlier, _)| earlier == key) {
            complaints.push(Complaint::at(key, format!("`{key}` is given twice; keep one")));
            continue;
        }
        match key.to_string().as_str() {
            "dtype" => dtype = keep(self::dtype(value), &mut complaints),
            "base" => spec = keep(base(value), &mut complaints).map_or(spec, |base| spec.base(base)),
            "start" => spec = keep(start(value), &mut complaints).map_or(spec, |start| spec.start(start)),
            "max_bytes" => max_bytes = keep(size("max_bytes", value), &mut complaints).unwrap_or(max_bytes),
            _ => complaints.push(unknown_key(key)),
        }
    }

    let checked = match dtype {
        Some(Dtype::F64) => spec.check_table::<f64>(seq_len.unwrap_or(0), max_bytes),
        _ => spec.check_table::<f32>(seq_len.unwrap_or(0), max_bytes),
    };
    let mut shape = match (dtype, seq_len, d_model) {
        (Some(dtype), Some(seq_len), Some(d_model)) => Some(Shape { dtype, seq_len, d_model }),
        _ => None,
    };
    if let Err(error) = checked {
        complaints.push(Complaint::at(culprit(&error, arguments), error));
        // Of a table too large there is nothing to be had, not even its zeros.
        if matches!(error, SpecError::TableTooLarge { .. }) {
            shape = None;
        }
    }
    match shape {
        Some(shape) if complaints.is_empty() => Ok(Request { spec, shape }),
        _ => Err(Refusal { complaints, shape }),
    }
}

fn keep<T>(result: Result<T, Complaint>, complaints: &mut Complaints) -> Option<T> {
    result.map_err(|complaint| complaints.push(complaint)).ok()
}

/// What to mend in values that are right by themselves: `start` if it was given and is concerned, or else `seq_len`.
fn culprit<'a>(error: &SpecError, arguments: &'a Arguments) -> &'a Expr {
    let given = arguments.options.iter().find(|(key, _)| error.parameter().is_some_and(|parameter| key == parameter));
    given.map_or(&arguments.seq_len, |(_, value)| value)
}

fn unknown_key(key: &Ident) -> Complaint {
    let name = key.to_string();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, known)| known);
    let near = |known: &&str| strsim::damerau_levenshtein(known, &name);
    let nearest = KEYS.iter().min_by_key(|known| near(known)).filter(|known| near(known) <= 1 + known.len() / 3);
    let hint = alias.or(nearest).map_or(String::new(), |known| format!(" (did you mean `{known}`?)"));
    let known = KEYS.map(|key| format!("`{key}`")).join(", ");
    Complaint::at(key, format!("there is no key `{name}`{hint}; the keys are {known}"))
}

fn dtype(value: &Expr) -> Result<Dtype, Complaint> {
    match value.to_token_stream().to_string().as_str() {
        "f32" => Ok(Dtype::F32),
        "f64" => Ok(Dtype::F64),
        other => Err(Complaint::at(value, format!("`dtype` is `{other}`, but must be `f32` or `f64`"))),
    }
}

fn d_model(value: &Expr) -> Result<usize, Complaint> {
    let written = integer("d_model", value)?;
    match usize::try_from(written) {
        Ok(d_model) => checked(Spec::new(d_model), value).map(|()| d_model),
        Err(_) => Err(Complaint::at(value, SpecError::DModel { value: written })),
    }
}

fn base(value: &Expr) -> Result<f64, Complaint> {
    let written = number(value)?;
    let base = match written {
        Number::Float(base) => base,
        Number::Integer(written) => written as f64,
    };
    checked(Spec::new(1).base(base), value)?;
    match written {
        // `as` saturates, so `i128::MAX` would come back from the `2^127` it is rounded to.
        Number::Integer(written) if base as i128 != written || written == i128::MAX => {
            let sentence =
                format!("`base` is {written}, which no f64 equals; write `{base:?}` for the nearest that is one");
            Err(Complaint::at(value, sentence))
        }
        _ => Ok(base),
    }
}

fn start(value: &Expr) -> Result<i64, Complaint> {
    let written = integer("start", value)?;
    match i64::try_from(written) {
        Ok(start) => checked(Spec::new(1).start(start), value).map(|()| start),
        Err(_) => Err(Complaint::at(value, SpecError::RowPosition { value: written })),
    }
}

/// Has the runtime crate judge one parameter by itself.
fn checked(spec: Spec, value: &Expr) -> Result<(), Complaint> {
    spec.check_table::<f32>(0, 0).map(drop).map_err(|error| Complaint::at(value, error))
}

fn size(name: &str, value: &Expr) -> Result<usize, Complaint> {
    let written = integer(name, value)?;
    usize::try_from(written).map_err(|_| {
        let max = usize::MAX;
        Complaint::at(value, format!("`{name}` is {written}, but must be from 0 to {max}; choose one in that range"))
    })
}

fn integer(name: &str, value: &Expr) -> Result<i128, Complaint> {
    match number(value)? {
        Number::Integer(integer) => Ok(integer),
        Number::Float(float) => {
            Err(Complaint::at(value, format!("`{name}` is {float:?}, but must be an integer; write one")))
        }
    }
}
