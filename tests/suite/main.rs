//! The integration tests of posenc, a folder per claim. They are one program, so that it is linked once and the long tests of all
//! files run side by side. `cargo test --package suite -- agreement:: golden::` runs some.

/// Against independent evaluations of the formula, and values that others publish.
mod bits_are_right {
    #[cfg(feature = "alloc")]
    mod fast_tier;
    mod golden;
    #[cfg(feature = "alloc")]
    mod half;
    mod oracle;
    #[cfg(feature = "alloc")]
    mod peers;
    #[cfg(feature = "alloc")]
    mod seeds;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    mod subnormals;
}

/// The macro, the compiler and run time make the same tables, refuse the same input, and never panic.
mod entry_points_agree {
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod agreement;
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod embeddings;
    #[cfg(all(feature = "inspect", feature = "alloc"))]
    mod properties;
}

/// Between versions.
mod bits_stay {
    #[cfg(all(feature = "alloc", feature = "macros"))]
    mod snapshots;
}

/// The feature `inspect`: what is computed about tables.
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod inspection {
    mod compare;
    mod duplicates;
    mod explain;
    mod translation;
    mod wavelengths;
}

/// Of the sources.
mod structure {
    mod rooms;
}
