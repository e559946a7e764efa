//! Text that several commands print.

pub(crate) mod failure;

use std::fmt::Display;

use posenc::reflection::Value;
use posenc::{AxialMacroCall, AxialRope, Element, Grid, GridMacroCall, MacroCall, Packing, RopeMacroCall, Spec};

/// Returns the macro call for a table of `seq_len` rows. It leaves out `dtype` if that is the default, `f32`.
pub(crate) fn macro_call<'a, T: Element>(spec: &Spec<'a>, seq_len: usize) -> MacroCall<'a> {
    let call = spec.macro_call(seq_len);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for one table of a rotary cache.
pub(crate) fn rotary_call<'a, T: Element>(call: &RopeMacroCall<'a>, packing: Packing) -> RopeMacroCall<'a> {
    let call = call.packing(packing);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for a rotary table of several axes.
pub(crate) fn axial_call<'a, T: Element, const A: usize>(
    rope: &AxialRope<'a, A>,
    packing: Packing,
) -> AxialMacroCall<'a, A> {
    let call = rope.macro_call().packing(packing);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for the table of a grid.
pub(crate) fn grid_call<'a, T: Element, const A: usize>(grid: &Grid<'a, A>) -> GridMacroCall<'a, A> {
    let call = grid.macro_call();
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// Returns whether the macros and the commands have this element type if none is given.
pub(crate) fn is_default<T: Element>() -> bool {
    T::DTYPE == <f32 as Element>::DTYPE
}

/// Returns `1 thing` or `2 things`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns names between backquotes.
pub(crate) fn listed(names: &[impl Display]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns text from files so that it cannot control the terminal, nor change the order of what is around it.
pub(crate) fn printable(text: &str) -> String {
    let is_order = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || is_order(c) { ' ' } else { c }).collect()
}

/// Returns a key of the macro as an option of the command.
pub(crate) fn option((key, value): &(&str, Value)) -> String {
    let text = match value {
        Value::Numbers(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(","),
        _ => value.to_string(),
    };
    format!("--{}={text}", key.replace('_', "-"))
}
