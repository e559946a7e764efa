//! Sinusoidal, rotary and grid positional-encoding tables for transformers, correctly rounded.
//!
//! Macros bake them into the binary, and functions compute them at run time, with the same bits.
//!
//! ```
//! # #[cfg(feature = "macros")] {
//! use posenc::sinusoidal_table;
//!
//! static PE: [[f32; 64]; 128] = sinusoidal_table!(128, 64); // at build time
//!
//! # #[cfg(feature = "alloc")] {
//! let pe = sinusoidal_table(128, 64)?; // at run time: the same bits
//! assert!(pe.rows().eq(PE.iter()));
//! # }
//! # }
//! # Ok::<(), posenc::SpecError>(())
//! ```
//!
//! The [`guide`] explains the encoding and its uses, with code, on pages of at most ten minutes each. It says [which
//! table](guide::which_table) a model uses, [how to do what](guide::recipes), and what to do [when it does not
//! compile](guide::compile_errors). In the repository, `docs/bad_input.md` shows how every function handles invalid
//! input.
//!
//! | entry point | purpose |
//! |---|---|
//! | [`sinusoidal_table!`] | bakes a table, from literals, small named sizes, or a build script's file |
//! | [`sinusoidal_table()`] | computes the paper's table at run time |
//! | [`Spec`] | takes all parameters; makes a [`Table`], fills your buffer, encodes positions |
//! | [`rotary_table!`], [`Rope`], [`RopePreset`] | the caches of rotary embeddings, baked or at run time |
//! | [`rotary_table!`] with a shape, [`AxialRope`], [`AxialPreset`] | the rotary tables of images and videos |
//! | [`grid_table!`], [`Grid`], [`GridPreset`], [`const_grid`] | the tables of images and videos, baked or at run time |
//! | [`rotate_halves`], [`rotate_pairs`], [`MropePositions`], [`axis_of_pair`] | apply the cache of a rotary embedding |
//! | [`Preset`] | names the tables of known models, for the macro and for [`Spec::preset`] |
//! | [`Spec::prepare`] | makes an [`Encoder`], which writes single rows in a fraction of a microsecond each |
//! | [`Spec::parameters`], [`Spec::macro_call`], [`Spec::is_same_table`] | read a spec back, and compare two of them; [`Rope`] and [`Grid`] have them too |
//! | [`Spec::sin_cos_columns`] | says which columns hold the sine and the cosine of each frequency |
//! | [`reflection`] | the keys of the macros as data, for programs that print or read parameters |
//! | [`const_table`] | makes a table in a constant; spec, type and sizes may be constants or generic |
//! | [`build_script::write_table`] | writes files for the macro, with parameters that it may read from a file |
//! | [`compare()`], [`Spec::compare`], [`Comparison`] | compare a table with another, or with the exact one: a [`Report`]; a [`Share`] of its entries |
//! | [`Spec::explain`] | shows how one entry is computed and rounded |
//! | [`embeddings`], [`Spec::add_rows`], [`Spec::concat_rows`] | add or append positions to embeddings |
//! | [`Spec::translation`], [`const_translation`], [`Spec::translate`] | move encodings by a distance, linearly |
//! | [`Spec::angular_frequencies`], [`Spec::wavelengths`] | return how fast the columns turn |
//! | [`Rope::inv_freq`], [`Rope::periods`], [`Rope::frequency_factors`] | return the frequencies as other programs store them |
//! | [`Spec::dot_product`] | returns how similar two positions are |
//!
//! # The contract
//!
//! [`Spec`] documents the formula. The default is the formula of Vaswani et al., [*Attention Is All You
//! Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5. Every parameter is exactly the number given. Every
//! entry is the exact value of the formula, rounded once to the element type, to nearest, ties to even.
//!
//! That number is unique. So the bits do not depend on the entry point, the compiler, the optimisation level, the
//! instruction set or the byte order, and a faster version of this crate has to produce the same bits.
//!
//! # Features
//!
//! * `macros` (default): [`sinusoidal_table!`], [`rotary_table!`] and [`grid_table!`]. Without it, cargo compiles
//!   neither the procedural macros nor `syn` and the other crates that they need. Everything else remains, including
//!   [`sinusoidal_table()`] and [`const_table`].
//! * `inspect` (default): everything that examines tables: [`compare()`], `Spec::compare`, `Spec::explain`,
//!   translations, frequencies and wavelengths, `Spec::dot_product`. Everything that makes tables works without it.
//! * `std` (default): detects the vector instructions of the machine at run time. Without it, the program uses the
//!   instructions of the target (see `-C target-cpu`). It also adds the module `build_script`, and enables `alloc`.
//! * `alloc` (enabled by `std`): [`Table`], [`Encoder`] and the functions that return them, `Spec::add_rows`,
//!   `Spec::concat_rows`, and the fastest way to compute tables (the fast tier), which needs memory. Together with
//!   `inspect` it also adds `Spec::compare`, `Comparison`, `Spec::explain` and `Spec::dot_product`. Without it, the
//!   macro and everything that writes to your own buffer remain. Rows then take a few nanoseconds per entry, or longer
//!   if the target has no floating-point unit and has to emulate it.
//! * `scaling` (enabled by `alloc`): the rules of [`Scaling`], `freq_offset` and `frequency_dtype`. Without it a spec
//!   with a rule is an error, and a program that computes rows needs about 21 kB less flash memory. The macros bake a
//!   table of literals with a rule in either case.
//! * `rayon`: `Spec::par_table` and `Spec::par_fill`, which use all threads.
//! * `half`: the types `f16` and `bf16` of the crate `half`, version 2, as element types. They are re-exported as
//!   `posenc::half::f16` and `posenc::half::bf16`. Without it, the same entries are available as bits: [`F16Bits`] and
//!   [`Bf16Bits`].
//! * `ndarray`: tables as arrays of the crate `ndarray`, version 0.17, without a copy: `Table::view`, `Array2::from`.
//! * `bytemuck`: `Pod` for [`F16Bits`], [`Bf16Bits`], [`Q7`], [`Q15`] and [`Q31`], version 1 of the crate `bytemuck`, so
//!   that `bytemuck::cast_slice(table.as_slice())` is the bytes of a table of any of the types.
//! * `serde`: `RopeConfig` and `AxialConfig`, the rotary embeddings that the `config.json` of a model describes.
//!
//! After `default-features = false`, list every feature that you need:
//!
//! | program | features |
//! |---|---|
//! | `no_std`, no allocator, baked tables | `["macros"]` |
//! | the same, but the program computes rows with a scaling rule at run time | `["macros", "scaling"]` |
//! | `no_std` with an allocator | `["macros", "inspect", "alloc"]` |
//! | everything except the macro, so that `syn` is not compiled | `["inspect", "std"]` |
//!
//! Without `std` the crate is `no_std`. It never needs a mathematical library. The macro itself uses an allocator.
//! Cargo's first feature resolver would therefore enable `alloc` for your program. It is the default of the editions
//! 2015 and 2018; if your package uses one of them and has no allocator, write `resolver = "2"` in its manifest.
//!
//! # On small machines
//!
//! A baked table occupies only its own size in flash. [The guide](guide::small_machines) lists the flash and the stack that
//! computing rows needs without an allocator.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The docs link to all that the default features have.
#![cfg_attr(not(all(feature = "inspect", feature = "macros", feature = "std")), allow(rustdoc::broken_intra_doc_links))]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
#[doc(inline)]
pub use posenc_runtime::build_script;
#[cfg(feature = "bytemuck")]
pub use posenc_runtime::bytemuck;
#[cfg(feature = "half")]
pub use posenc_runtime::half;
#[cfg(feature = "ndarray")]
pub use posenc_runtime::ndarray;
#[doc(inline)]
pub use posenc_runtime::{
    Aligned, Amplitude, AxialError, AxialMacroCall, AxialNest, AxialParameters, AxialPreset, AxialRest, AxialRope,
    Bf16Bits, Columns, CompareError, CosSin, Element, Extent, F16Bits, Flat, Frequencies, FrequencyDtype, Grid,
    GridError, GridMacroCall, GridParameters, GridPreset, Head, Layout, MAX_D_MODEL, MAX_POSITION, MacroCall,
    MropePositions, NameError, Nest, Odd, Order, Packing, PairColumns, Pairing, Parameters, Position, Preset, Q7, Q15,
    Q31, Quantiser, Repeat, Rest, Rope, RopeError, RopeMacroCall, RopeParameters, RopePreset, Rotate, RowRange, Rows,
    Scaling, SectionOrder, Spec, SpecError, Suggestion, TableError, TokenRows, Widths, axis_of_pair, const_grid,
    const_table, rotate_halves, rotate_pairs,
};
#[cfg(feature = "serde")]
#[doc(inline)]
pub use posenc_runtime::{AxialConfig, ConfigError, RopeConfig};
#[cfg(feature = "inspect")]
#[doc(inline)]
pub use posenc_runtime::{Bucket, Mismatch, Report, Share, compare, const_translation};
#[cfg(all(feature = "inspect", feature = "alloc"))]
#[doc(inline)]
pub use posenc_runtime::{Comparison, explain};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use posenc_runtime::{Encoder, Table, sinusoidal_table};
#[doc(inline)]
pub use posenc_runtime::{embeddings, reflection, scaling};

#[cfg(all(feature = "alloc", feature = "inspect", feature = "macros"))]
pub mod guide;

#[doc = include_str!("sinusoidal_table.md")]
#[doc(alias("positional_encoding", "sinusoidal", "theta", "timestep", "inv_freq", "padding_idx"))]
#[cfg(all(feature = "macros", target_endian = "little"))]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table! { little ($crate) $($arguments)* } };
}

#[doc = include_str!("sinusoidal_table.md")]
#[doc(alias("positional_encoding", "sinusoidal", "theta", "timestep", "inv_freq", "padding_idx"))]
#[cfg(all(feature = "macros", target_endian = "big"))]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table! { big ($crate) $($arguments)* } };
}

#[doc = include_str!("rotary_table.md")]
#[doc(alias("rope", "rotary", "rope_theta", "cos_cached", "sin_cached"))]
#[cfg(all(feature = "macros", target_endian = "little"))]
#[macro_export]
macro_rules! rotary_table {
    ($($arguments:tt)*) => { $crate::__private::rotary_table! { little ($crate) $($arguments)* } };
}

#[doc = include_str!("rotary_table.md")]
#[doc(alias("rope", "rotary", "rope_theta", "cos_cached", "sin_cached"))]
#[cfg(all(feature = "macros", target_endian = "big"))]
#[macro_export]
macro_rules! rotary_table {
    ($($arguments:tt)*) => { $crate::__private::rotary_table! { big ($crate) $($arguments)* } };
}

#[doc = include_str!("grid_table.md")]
#[doc(alias("2d", "sincos2d", "vit", "mae", "detr"))]
#[cfg(all(feature = "macros", target_endian = "little"))]
#[macro_export]
macro_rules! grid_table {
    ($($arguments:tt)*) => { $crate::__private::grid_table! { little ($crate) $($arguments)* } };
}

#[doc = include_str!("grid_table.md")]
#[doc(alias("2d", "sincos2d", "vit", "mae", "detr"))]
#[cfg(all(feature = "macros", target_endian = "big"))]
#[macro_export]
macro_rules! grid_table {
    ($($arguments:tt)*) => { $crate::__private::grid_table! { big ($crate) $($arguments)* } };
}

/// The items that the expansions of the macros name.
///
/// The `macro_rules!` above pass the byte order to the procedural macro, because this crate is compiled for the target
/// and the procedural macro is not.
#[doc(hidden)]
#[cfg(feature = "macros")]
pub mod __private {
    // The user may have shadowed it.
    pub use ::core;

    pub use posenc_macros::{grid_table, rotary_table, sinusoidal_table};
    pub use posenc_runtime::{
        AxialTable, accepted, blame, check_axial_evaluated, check_evaluated, check_grid_evaluated,
        check_rotary_evaluated, const_axial, const_grid, const_table, convert, decode, entries_of_axial_file,
        entries_of_file, entries_of_grid_file, no_table, spec_of_rope,
    };

    #[allow(clippy::wildcard_imports, reason = "the types of the list")]
    use crate::*;

    macro_rules! types {
        ($($dtype:ident $([$feature:literal])?: $element:ty as $bits:ty, $format:ident, $elsewhere:tt;)*) => { $(
            $(#[cfg(feature = $feature)])?
            #[allow(missing_docs, non_camel_case_types, reason = "the values of the key `dtype`")]
            pub type $dtype = $element;
        )* };
    }

    posenc_runtime::for_each_element!(types);
}

#[doc = include_str!("../README.md")]
#[cfg(all(doctest, feature = "std", feature = "inspect", feature = "macros"))]
struct Readme;
