//! Sinusoidal positional-encoding tables, every entry correctly rounded: baked into the program by a macro, or made at run
//! time, to the same bits.
//!
//! ```
//! # #[cfg(feature = "macros")] {
//! use posenc::sinusoidal_table;
//!
//! static PE: [[f32; 64]; 128] = sinusoidal_table!(128, 64); // at build time: in .rodata, no start-up cost
//!
//! # #[cfg(feature = "alloc")] {
//! let pe = sinusoidal_table(128, 64)?; // at run time: the same bits
//! assert!(pe.rows().eq(PE.iter()));
//! # }
//! # }
//! # Ok::<(), posenc::SpecError>(())
//! ```
//!
//! | entry point | for |
//! |---|---|
//! | [`sinusoidal_table!`] | baking a table: sizes that are literals, small tables whose sizes are named constants, files of a build script |
//! | [`sinusoidal_table()`] | the paper's table, its sizes known at run time |
//! | [`Spec`] | further parameters; a [`Table`], rows in a buffer of yours, one position or many |
//! | [`Spec::prepare`] | single rows, one by one, in a fraction of a microsecond each: an [`Encoder`] |
//! | [`Spec::parameters`], [`Spec::macro_call`], [`Spec::is_same_table`] | what a spec says, and whether another says the same |
//! | [`Preset`] | the tables of known models, by name, at both entry points |
//! | [`const_table`] | a table in a constant, of a spec, a type and sizes that are constants or generic |
//! | `build_script::write_table` | files for the macro: tables that are large or many |
//! | [`compare()`], `Spec::compare` | holding a table against another or the exact one: a [`Report`] |
//! | `Spec::explain` | one entry, and why it is that number |
//! | [`embeddings`], `Spec::add_rows`, `Spec::concat_rows` | giving embeddings of shape `(batch, seq_len, d_model)` their positions |
//! | [`Spec::translation`], [`const_translation`], [`Spec::translate`] | the linear map that moves encodings by a distance |
//! | [`Spec::angular_frequencies`], [`Spec::wavelengths`], [`Spec::has_wavelength_for`] | how fast the columns turn |
//! | `Spec::dot_product`, `first_duplicate_rows` | how alike two positions are, and whether rows are unique |
//!
//! [`guide`] goes through what the encoding is and what it is good for, with code. [`bad_input`] shows what every function answers
//! to the worst of its inputs.
//!
//! # The contract
//!
//! With `d = d_model`, `k` the number of a pair of columns and `i` that of a row,
//!
//! ```text
//! w_k = scale * base^(-k / (d/2 - freq_shift))        p_i = start + i * step
//! PE[i][2k] = amplitude * sin(p_i w_k)        PE[i][2k + 1] = amplitude * cos(p_i w_k)
//! ```
//!
//! in the order of columns asked for. Unset, the parameters make it the formula of Vaswani et al.,
//! [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5. Every entry is this value rounded once to the element type, to nearest, ties to even; the parameters are exactly the numbers given. That
//! is a unique number. So the bits depend neither on the entry point nor on the compiler, the optimisation level, the
//! instruction set or the byte order, and a faster version of this crate has to give the same.
//!
//! # Features
//!
//! * `macros`, on by default: [`sinusoidal_table!`]. Without it no procedural macro is compiled, nor `syn` and the other crates that
//!   it needs; everything else remains, such as [`sinusoidal_table()`] and [`const_table`].
//! * `std`, on by default: the vector instructions of the machine are found at run time. Without it those of the target are used
//!   (`-C target-cpu` tells which). Also what a build script needs, the module `build_script`. Switches `alloc` on.
//! * `alloc`, on by way of `std`: [`Table`], [`Encoder`] and what returns them, `Spec::compare`, `Spec::explain`, `Spec::add_rows`,
//!   `Spec::concat_rows`, `Spec::dot_product` and `first_duplicate_rows` (those that ask questions with `inspect`), and the fast tier, which needs
//!   memory. Without it everything that writes to a buffer of yours remains, as does the macro; rows take some nanoseconds an
//!   entry then, and where there is no floating-point unit, what its emulation takes.
//! * `inspect`, on by default: what asks questions about tables: [`compare()`], `Spec::compare`, `Spec::explain`, translations,
//!   frequencies and wavelengths, `Spec::dot_product`, `first_duplicate_rows`. Without it all that makes tables remains.
//! * `rayon`: `Spec::par_table` and `Spec::par_fill`, which use all threads.
//! * `half`: the types `f16` and `bf16` of the crate of that name, version 2, as element types, also found as
//!   `posenc::half::f16` and `posenc::half::bf16`. Without it the same entries are there as bits: [`F16Bits`] and [`Bf16Bits`].
//! * `ndarray`: tables as arrays of the crate of that name, version 0.17, without a copy: `Table::view`, `Array2::from`.
//!
//! The crate is `no_std` without `std`, and never needs a mathematical library. In a program without an allocator, cargo's first feature resolver (that of packages
//! of edition 2018 and before) would switch `alloc` on for the sake of the macro: write `resolver = "2"` in the manifest.
//!
//! # On small machines
//!
//! A baked table takes its bytes of flash and nothing else. A program without an allocator that computes rows needs, on
//! a Cortex-M4 (`thumbv7em-none-eabi`, `opt-level = "s"`, rustc 1.95.0):
//!
//! | it calls | flash, beyond an empty program's | stack, at most, its few rows included |
//! |---|---|---|
//! | [`Spec::encode`] | 27 kB | 8.3 kB |
//! | [`Spec::fill`] | 36 kB | 10.7 kB |
//!
//! Most of the stack is for the entries whose rounding takes thousands of bits to decide, which are rare. In the
//! repository,
//! `python3 scripts/small_machine.py` measures both in the object code.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
#[doc(inline)]
pub use posenc_runtime::build_script;
#[doc(inline)]
pub use posenc_runtime::embeddings;
#[cfg(feature = "half")]
pub use posenc_runtime::half;
#[cfg(feature = "ndarray")]
pub use posenc_runtime::ndarray;
#[doc(inline)]
pub use posenc_runtime::{
    Aligned, Amplitude, Bf16Bits, Columns, CompareError, Element, F16Bits, Flat, Frequencies, Layout, MAX_D_MODEL,
    MAX_POSITION, MacroCall, NameError, Odd, Order, Pairing, Parameters, Position, Preset, RowRange, Rows, Spec,
    SpecError, Suggestion, const_table,
};
#[cfg(feature = "inspect")]
#[doc(inline)]
pub use posenc_runtime::{Bucket, Mismatch, Report, compare, const_translation};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use posenc_runtime::{Encoder, Table, sinusoidal_table};
#[cfg(all(feature = "inspect", feature = "alloc"))]
#[doc(inline)]
pub use posenc_runtime::{explain, first_duplicate_rows};

#[doc = include_str!("guide.md")]
#[cfg(all(feature = "alloc", feature = "inspect", feature = "macros"))]
pub mod guide {}

#[doc = include_str!("bad_input.md")]
#[allow(clippy::doc_markdown, reason = "sentences of errors, word for word")]
#[cfg(all(feature = "inspect", feature = "alloc"))]
pub mod bad_input {}

#[doc = include_str!("sinusoidal_table.md")]
#[cfg(all(feature = "macros", target_endian = "little"))]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table! { little ($crate) $($arguments)* } };
}

#[doc = include_str!("sinusoidal_table.md")]
#[cfg(all(feature = "macros", target_endian = "big"))]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table! { big ($crate) $($arguments)* } };
}

/// What the macro's expansion names, and what the command shares with the library. The byte order is told by the facade, which is compiled for the target, to the
/// procedural macro, which is not.
#[doc(hidden)]
#[cfg(feature = "macros")]
pub mod __private {
    pub use core::primitive::{i128, usize};
    pub use core::{compile_error, concat, env, include_bytes};

    pub use posenc_macros::sinusoidal_table;
    pub use posenc_runtime::{
        AMPLITUDE_EXPECTED, AMPLITUDE_WORDS, EXCLUDED_BY_FREQUENCIES, Elsewhere, Facts, Kind, OTHER_NAMES, PARAMETERS,
        PairColumns, Parameter, Value, conflict_with_frequencies, facts, keys, names, pair_columns,
    };
    pub use posenc_runtime::{accepted, blame, convert, decode, entries_of_file, no_table, rows};

    #[allow(clippy::wildcard_imports, reason = "the types of the list")]
    use crate::*;

    macro_rules! types {
        ($($dtype:ident $([$feature:literal])?: $element:ty as $bits:ty, $format:ident, $elsewhere:tt;)*) => { $(
            $(#[cfg(feature = $feature)])?
            #[allow(missing_docs, non_camel_case_types, reason = "what the key `dtype` takes")]
            pub type $dtype = $element;
        )* };
    }

    posenc_runtime::for_each_element!(types);
}

#[doc = include_str!("../README.md")]
#[cfg(all(doctest, feature = "std", feature = "inspect", feature = "macros"))]
struct Readme;
