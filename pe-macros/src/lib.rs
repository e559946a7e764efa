//! The procedural macro behind `posenc::sinusoidal_table!`: an implementation detail, documented where it is re-exported.
//!
//! Tokens go through `declare` and `parse` (grammar), `spec` and `settings` (meaning), `evaluate` (the runtime crate's arithmetic)
//! or `file` (that of a build script), and `emit` (tokens); `expand` leads them.
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation, reason = "used where the loss is looked for, in `number::exact`")]

mod code;
mod complaint;
mod declare;
mod dtype;
mod emit;
mod evaluate;
mod expand;
mod file;
mod number;
mod parse;
mod settings;
mod spec;

/// Expands `byte_order (crate_path) arguments`, as the facade's `sinusoidal_table!` passes them on.
#[doc(hidden)]
#[proc_macro]
pub fn sinusoidal_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    match syn::parse(input) {
        Ok(call) => expand::expand(call).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

#[cfg(test)]
mod tests;
