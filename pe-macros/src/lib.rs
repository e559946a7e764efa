//! The procedural macro behind `posenc::sinusoidal_table!`: an implementation detail, documented where it is re-exported.
//!
//! Tokens go through `parse` (grammar), `spec` (meaning), `evaluate` (the runtime crate's arithmetic) and `emit` (tokens).
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation, reason = "used where the loss is looked for, in `number::exact`")]

mod complaint;
mod dtype;
mod emit;
mod evaluate;
mod number;
mod parse;
mod spec;

use complaint::Complaint;
use proc_macro2::TokenStream;

/// Expands `byte_order (crate_path) arguments`, as the facade's `sinusoidal_table!` passes them on.
#[doc(hidden)]
#[proc_macro]
pub fn sinusoidal_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    match syn::parse(input) {
        Ok(call) => expand(call).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn expand(call: parse::Call) -> TokenStream {
    let parse::Call { big_endian, crate_path, input } = call;
    match table(input, big_endian, &crate_path) {
        Ok(tokens) => tokens,
        Err(refusal) => emit::refusal(&refusal, &crate_path),
    }
}

fn table(input: TokenStream, big_endian: bool, crate_path: &TokenStream) -> Result<TokenStream, spec::Refusal> {
    let arguments = parse::arguments(input)?;
    let mut frequencies = Vec::new();
    let request = spec::request(&arguments, &mut frequencies)?;
    evaluate::evaluate(&request, big_endian, |bytes| emit::table(request.shape, bytes, crate_path))
        .map_err(|error| vec![Complaint::at(&arguments.seq_len, error)].into())
}

#[cfg(test)]
mod tests;
