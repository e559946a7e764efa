//! The procedural macro behind `posenc::sinusoidal_table!`: an implementation detail, documented where it is re-exported. All that it
//! does is in `posenc-macros-core`, since a procedural macro cannot be linked by tests or a fuzzer.
#![forbid(unsafe_code)]

/// Expands `byte_order (crate_path) arguments`, as the facade's `sinusoidal_table!` passes them on.
#[doc(hidden)]
#[proc_macro]
pub fn sinusoidal_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    posenc_macros_core::expand(input.into()).into()
}
