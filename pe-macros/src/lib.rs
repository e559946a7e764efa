//! The procedural macro behind `posenc::sinusoidal_table!`: an implementation detail, documented where it is re-exported.
//!
//! Tokens go through `parse` (grammar), `spec` (meaning), `evaluate` (the runtime crate's arithmetic) and `emit` (tokens).
#![forbid(unsafe_code)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "used where the loss is looked for, in `spec::base`"
)]

mod complaint;
mod emit;
mod evaluate;
mod number;
mod parse;
mod spec;

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
    let request = parse::arguments(input).map_err(spec::Refusal::from).and_then(|arguments| spec::request(&arguments));
    match request {
        Ok(request) => emit::table(request.shape, &evaluate::evaluate(&request, big_endian), &crate_path),
        Err(refusal) => emit::refusal(&refusal, &crate_path),
    }
}
