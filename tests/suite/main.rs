//! The integration tests of posenc, with a folder per claim.
//!
//! They are one program, so that it is linked once and the long tests of all files run in parallel.
//! `cargo test --package suite -- agreement:: golden::` runs a part of them.

/// Compares the bits with independent evaluations of the formula, and with values that others publish.
mod bits_are_right {
    #[cfg(feature = "alloc")]
    mod axial;
    #[cfg(feature = "alloc")]
    mod fast_tier;
    #[cfg(all(feature = "alloc", feature = "inspect"))]
    mod frequency_vectors;
    mod golden;
    #[cfg(feature = "alloc")]
    mod grid_tables;
    #[cfg(feature = "alloc")]
    mod half;
    mod integers;
    mod oracle;
    #[cfg(feature = "alloc")]
    mod peers;
    #[cfg(all(feature = "alloc", feature = "inspect"))]
    mod rotary;
    #[cfg(feature = "alloc")]
    mod seeds;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    mod subnormals;
    #[cfg(all(feature = "alloc", feature = "inspect"))]
    mod token_rows;
}

/// The macro, the compiler and run time compute the same tables, reject the same input, and never panic.
mod entry_points_agree {
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod axial;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    #[macro_use]
    mod agreement;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod embeddings;
    #[cfg(feature = "alloc")]
    mod encoders;
    mod grids;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod integers;
    #[cfg(all(feature = "inspect", feature = "alloc"))]
    mod properties;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod rotary;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod scaling;
    // `alloc` enables `scaling`.
    #[cfg(all(not(feature = "alloc"), feature = "macros"))]
    mod without_rules;
}

/// The bits do not change between versions.
mod bits_stay {
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod snapshots;
}

/// Checks the feature `inspect`: what is computed about tables.
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod inspection {
    mod compare;
    mod explain;
    mod translation;
    mod wavelengths;
}

/// Checks the structure of the sources, and the numbers in the documents.
mod structure {
    mod documents;
    mod figures;
    mod guide;
    mod hidden_names;
    mod rooms;
}
