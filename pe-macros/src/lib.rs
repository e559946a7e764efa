//! The procedural macro behind `posenc::sinusoidal_table!`, an implementation detail.
//!
//! It is documented where `posenc` re-exports it. The implementation is in `posenc-macros-core`, because tests and
//! fuzzers cannot link a procedural macro.
#![forbid(unsafe_code)]

/// Expands `byte_order (crate_path) arguments`, which is what the facade's `sinusoidal_table!` passes on.
#[doc(hidden)]
#[proc_macro]
pub fn sinusoidal_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    // The build script sets it. Without a build script, as some build systems have it, all tables are literals.
    let folder = option_env!("POSENC_TABLE_FOLDER").filter(|path| !path.is_empty());
    posenc_macros_core::expand(input.into(), folder.map(std::path::Path::new)).into()
}
