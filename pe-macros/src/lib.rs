//! The procedural macros behind `posenc::sinusoidal_table!`, `posenc::rotary_table!` and `posenc::grid_table!`, an implementation detail.
//!
//! They are documented where `posenc` re-exports them. The implementation is in `posenc-macros-core`, because tests and
//! fuzzers cannot link a procedural macro.
#![forbid(unsafe_code)]

use std::path::Path;

use posenc_macros_core::TableKind;

/// Expands `byte_order (crate_path) arguments`, which is what the facade's `sinusoidal_table!` passes on.
#[doc(hidden)]
#[proc_macro]
pub fn sinusoidal_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    posenc_macros_core::expand(TableKind::Sinusoidal, input.into(), folder()).into()
}

/// Expands what the facade's `rotary_table!` passes on, in the same way.
#[doc(hidden)]
#[proc_macro]
pub fn rotary_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    posenc_macros_core::expand(TableKind::Rotary, input.into(), folder()).into()
}

/// Expands what the facade's `grid_table!` passes on, in the same way.
#[doc(hidden)]
#[proc_macro]
pub fn grid_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    posenc_macros_core::expand(TableKind::Grid, input.into(), folder()).into()
}

/// Returns the folder for large tables.
///
/// The build script sets it. Without a build script, as some build systems have it, all tables are literals.
fn folder() -> Option<&'static Path> {
    option_env!("POSENC_TABLE_FOLDER").filter(|path| !path.is_empty()).map(Path::new)
}
