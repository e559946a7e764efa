//! The integration tests of the facade, a module a file: one program is linked once, and the long tests of all files run side by
//! side. `cargo test --test all -- agreement:: golden::` runs some.

// What the others share.
mod any_spec;
mod bits;
#[path = "../pe-runtime/src/effort.rs"]
mod effort;
mod real;

#[cfg(all(feature = "alloc", feature = "macros"))]
mod agreement;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod compare;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod duplicates;
#[cfg(all(feature = "alloc", feature = "macros"))]
mod embeddings;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod explain;
#[cfg(feature = "alloc")]
mod fast_tier;
mod golden;
#[cfg(feature = "alloc")]
mod half;
mod oracle;
#[cfg(feature = "alloc")]
mod peers;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod properties;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod reference;
mod rooms;
#[cfg(feature = "alloc")]
mod seeds;
#[cfg(all(feature = "alloc", feature = "macros"))]
mod snapshots;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod subnormals;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod translation;
#[cfg(all(feature = "inspect", feature = "alloc"))]
mod wavelengths;
