//! Words that several commands use: names, hints, and a spec as a macro call or a command line.

use std::fmt::Write;

use posenc::{Element, Spec};

/// What may have been meant by `written`: what it is called here, or the nearest name. The macro's errors have the same.
pub(crate) fn hint<'a>(written: &str, names: impl IntoIterator<Item = &'a str>, elsewhere: &[(&str, &str)]) -> String {
    if let Some((_, here)) = elsewhere.iter().find(|(name, _)| *name == written) {
        return format!(" (here that is {here})");
    }
    let near = |name: &&str| strsim::damerau_levenshtein(name, written);
    let nearest = names.into_iter().min_by_key(near).filter(|name| near(name) <= 1 + name.len() / 3);
    nearest.map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

/// Names between backquotes.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The macro call that makes the table of so many rows.
pub(crate) fn macro_call<T: Element>(spec: &Spec, seq_len: usize) -> String {
    let call = spec.to_string().replacen("seq_len", &seq_len.to_string(), 1);
    if T::DTYPE == <f32 as Element>::DTYPE {
        return call;
    }
    let open = call.strip_suffix(')').unwrap_or(&call);
    format!("{open}, dtype = {})", T::DTYPE)
}

/// The command line that makes the table: the keys of the macro are the options.
pub(crate) fn command_line<T: Element>(spec: &Spec, seq_len: usize) -> String {
    let mut line = format!("posenc table --seq-len {seq_len} --d-model {}", spec.d_model());
    for (key, value) in keys(&spec.to_string()) {
        write!(line, " --{}={value}", key.replace('_', "-")).expect("a String takes everything");
    }
    if T::DTYPE != <f32 as Element>::DTYPE {
        write!(line, " --dtype={}", T::DTYPE).expect("a String takes everything");
    }
    line + " -o pe.safetensors"
}

/// The keys and values of a macro call, after its two sizes; a list without brackets and spaces.
pub(crate) fn keys(call: &str) -> Vec<(String, String)> {
    let call = call.strip_suffix(')').unwrap_or(call);
    let mut keys: Vec<(String, String)> = Vec::new();
    for part in call.split(", ").skip(2) {
        match (part.split_once(" = "), keys.last_mut()) {
            (Some((key, value)), _) => keys.push((key.to_owned(), value.replace(['[', ']'], ""))),
            // A further number of a list.
            (None, Some((_, value))) => *value = format!("{value},{}", part.replace(']', "")),
            (None, None) => {}
        }
    }
    keys
}

/// `1 thing`, `2 things`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
