//! Words that several commands use.

use posenc::{Element, MacroCall, Spec};

/// The macro call that makes the table of so many rows. The macro's own type, `f32`, goes without saying.
pub(crate) fn macro_call<'a, T: Element>(spec: &Spec<'a>, seq_len: usize) -> MacroCall<'a> {
    let call = spec.macro_call(seq_len);
    if T::DTYPE == <f32 as Element>::DTYPE { call } else { call.dtype::<T>() }
}

/// `1 thing`, `2 things`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
