//! Text that several commands print.

use posenc::{Element, MacroCall, Spec};

/// Returns the macro call for a table of `seq_len` rows. It leaves out `dtype` if that is the default, `f32`.
pub(crate) fn macro_call<'a, T: Element>(spec: &Spec<'a>, seq_len: usize) -> MacroCall<'a> {
    let call = spec.macro_call(seq_len);
    if T::DTYPE == <f32 as Element>::DTYPE { call } else { call.dtype::<T>() }
}

/// Returns `1 thing` or `2 things`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns text from files so that it cannot control the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
