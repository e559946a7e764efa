//! Choices and presets by their names, and what is meant by values that are no names.

use posenc_runtime::Suggestion;
use posenc_runtime::reflection::{Named, Names, TableKind, Unknown};
use syn::Lit;

use crate::arguments::Value;
use crate::diagnostic::{Diagnostic, shown};
use crate::expression::{Expression, Form};
use crate::kind::Macro;

/// The remedy for a constant in the place of a name.
const CONSTANT: &str =
    "the name itself, because a macro does not see the value of a constant; functions such as `const_table` do";

/// Returns the choice that a value names.
pub(crate) fn choice<C: Named>(value: &Value) -> Result<C, Diagnostic> {
    index(C::NAMES, value).map(|i| C::CHOICES[i])
}

/// Returns the index of the name that a value is.
pub(crate) fn index(names: &'static Names, value: &Value) -> Result<usize, Diagnostic> {
    find(names, value, &shown(value)).map_err(|unknown| Diagnostic::at(value, unknown))
}

/// Returns the preset that a value names. It may be one of another macro.
pub(crate) fn preset<C: Named>(value: &Value) -> Result<C, Diagnostic> {
    let written = shown(value);
    let unknown = match find(C::NAMES, value, &written) {
        Ok(i) => return Ok(C::CHOICES[i]),
        Err(unknown) => unknown,
    };
    if let (None | Some(Suggestion::Nearest(_)), Some((called, here))) = (unknown.suggestion, of_another(&unknown)) {
        return Err(Diagnostic::at(value, format!("unknown preset `{written}`; use `{called}` with {here}")));
    }
    Err(Diagnostic::at(value, unknown))
}

fn find<'w>(names: &'static Names, value: &Value, written: &'w str) -> Result<usize, Unknown<'w>> {
    names.find(written).map_err(|unknown| Unknown { suggestion: meant(names, value).or(unknown.suggestion), ..unknown })
}

/// Returns what is meant by a string, by the path of a value in Rust, or by the path of a constant.
fn meant(names: &'static Names, value: &Value) -> Option<Suggestion> {
    let known = |name: &str| names.all.iter().find(|known| **known == name).map(|name| Suggestion::Nearest(name));
    match value {
        Value::One(Expression { form: Form::Literal(Lit::Str(text)), .. }) => known(&text.value()),
        Value::One(Expression { form: Form::Path(names_in_path), .. }) => {
            let last = names_in_path.last()?.to_string();
            let in_rust = names.paths.iter().position(|path| path.rsplit("::").next() == Some(&last));
            let in_rust = in_rust.map(|i| Suggestion::Nearest(names.all[i]));
            let is_constant = names_in_path.len() > 1 || last == last.to_uppercase();
            in_rust.or_else(|| known(&last.to_lowercase())).or(is_constant.then_some(Suggestion::Here(CONSTANT)))
        }
        _ => None,
    }
}

/// Returns the macro that has a preset of an unknown name, and that preset.
fn of_another(Unknown { names, written, suggestion }: &Unknown) -> Option<(&'static str, String)> {
    let others =
        || TableKind::ALL.iter().map(|kind| Macro::of(*kind)).filter(|kind| !std::ptr::eq(kind.presets, *names));
    if let Some(Macro { form, .. }) = others().find(|kind| kind.presets.find(written).is_ok()) {
        return Some((form, format!("`{written}`")));
    }
    let mut near = None;
    for &Macro { form, presets, .. } in others() {
        match presets.find(written) {
            // Some of the names elsewhere refer to another macro themselves.
            Err(Unknown { suggestion: Some(Suggestion::Here(here)), .. }) if !here.contains('!') => {
                return Some((form, here.to_owned()));
            }
            Err(Unknown { suggestion: Some(Suggestion::Nearest(name)), .. }) if near.is_none() => {
                near = Some((form, format!("`{name}`")));
            }
            Ok(_) | Err(_) => {}
        }
    }
    near.filter(|_| suggestion.is_none())
}
