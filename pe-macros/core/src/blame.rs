//! The arguments that errors are about.

use posenc_runtime::reflection::{TableKind, rule_parameters};
use posenc_runtime::{AxialError, GridError, RopeError, SpecError, TableError};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use crate::arguments::{Arguments, Value};
use crate::kind::Macro;
use crate::quantiser;

/// Returns the tokens to blame for an error that involves several values.
///
/// This is the argument of a scaling rule that is out of range, or the last one given of the parameters involved. If
/// none is given, it is the preset, or else the first argument.
pub(crate) fn culprit(error: &TableError, arguments: &Arguments, table: TableKind) -> TokenStream {
    if let Some(argument) = arguments.options.iter().find_map(|(_, value)| argument_of_rule(error, value)) {
        return argument.to_token_stream();
    }
    let concerned = |(name, _): &(String, TokenStream)| error.parameters().contains(&name.as_str());
    let culprit = culprits(arguments, table).into_iter().find(concerned);
    culprit.map_or_else(|| preset_or_first(arguments), |(_, value)| value)
}

/// Returns the preset, or else the first argument.
pub(crate) fn preset_or_first(arguments: &Arguments) -> TokenStream {
    let preset = arguments.options.iter().find(|(key, _)| key == "preset");
    preset.map_or_else(|| arguments.seq_len.to_token_stream(), |(_, value)| value.to_token_stream())
}

/// Returns the arguments that errors name, in the order in which they are blamed.
pub(crate) fn culprits(arguments: &Arguments, table: TableKind) -> Vec<(String, TokenStream)> {
    let mut culprits = Vec::new();
    let mut add = |name: &str, value: &dyn ToTokens| culprits.push((name.to_owned(), value.to_token_stream()));
    for (key, value) in arguments.options.iter().rev() {
        match key.to_string().as_str() {
            "max_bytes" | "file" => {}
            // A type without arguments has been checked.
            "dtype" => {
                let (_, of_type) = quantiser::name_and_arguments(value);
                if let [_, zero_point, ..] = of_type {
                    add("zero_point", zero_point);
                }
                if let [scale, ..] = of_type {
                    add("dtype", scale);
                }
            }
            name => add(name, value),
        }
    }
    let [rows, columns] = Macro::of(table).sizes_in_errors;
    for (names, size) in [(rows, &arguments.seq_len), (columns, &arguments.d_model)] {
        for name in names {
            add(name, size);
        }
    }
    culprits
}

/// Returns the argument of a rule that an error is about, if it is written.
fn argument_of_rule<'e>(error: &TableError, value: &'e Value) -> Option<&'e Value> {
    let (TableError::Spec(error)
    | TableError::Rope(RopeError::Spec(error))
    | TableError::Grid(GridError::Spec(error))
    | TableError::Axial(AxialError::Grid(GridError::Spec(error)))) = error
    else {
        return None;
    };
    let culprit = match error {
        SpecError::Scaling { parameter, .. } => *parameter,
        SpecError::FactorCount { .. } => "factors",
        _ => return None,
    };
    if let Value::Tuple { values, .. } = value {
        return values.iter().find_map(|value| argument_of_rule(&(*error).into(), value));
    }
    let Value::Rule { name, arguments, .. } = value else { return None };
    let parameters = rule_parameters(&name.to_string());
    let is_culprit = |(i, (key, _)): &(usize, &(Option<Ident>, Value))| match key {
        Some(key) => key == culprit,
        None => parameters.get(*i).is_some_and(|parameter| parameter.key == culprit),
    };
    arguments.iter().enumerate().find(is_culprit).map(|(_, (_, argument))| argument)
}
