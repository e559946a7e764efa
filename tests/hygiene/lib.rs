//! Macro hygiene: the expansion depends on nothing in its surroundings.
//!
//! The same source is built once for every edition, with the dependency renamed, no prelude, no `std`, no unsafe code
//! and no warnings, and with the names that the expansion might use taken by other items.
#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::all, clippy::pedantic)]

#[allow(unused_extern_crates)] // edition 2015 needs it
extern crate baked;
#[cfg(test)]
extern crate std;

/// The type of `SMALL`.
pub type Small = [[f32; 3]; 2];
/// The type of `LARGE`.
pub type Large = [[f32; 256]; 128];
/// The type of sizes, `usize`.
pub type Size = usize;
/// The type of `DOUBLE`.
pub type Double = [[f64; 4]; 3];

/// A table with all named parameters.
pub static DOUBLE: Double =
    ::baked::sinusoidal_table!(3, 4, dtype = f64, base = 500_000, start = -1, max_bytes = 1 << 10);

/// A table with choices, a list, and an element type of the facade.
pub static BITS: [[::baked::F16Bits; 3]; 2] =
    ::baked::sinusoidal_table!(2, 3, preset = hf_marian, dtype = f16_bits, frequencies = [1, 0.5], amplitude = rsqrt_d);

/// Named sizes and parameters of several types.
pub mod names {
    /// A size.
    pub const ROWS: usize = 3;
    /// An integer, which the expansion converts to `f64`.
    pub const BASE: u32 = 500_000;
    /// A position in a narrow integer type.
    pub const FIRST: i8 = -1;
    /// A list of frequencies.
    pub const FREQUENCIES: &[f64] = &[1.0, 0.5];
}

/// The table `DOUBLE`, evaluated by the compiler to the same bits.
pub static NAMED: Double = ::baked::sinusoidal_table!(
    names::ROWS,
    names::ROWS + 1,
    dtype = f64,
    base = names::BASE,
    start = names::FIRST,
    max_bytes = names::ROWS << 8
);

::baked::sinusoidal_table! {
    /// The table `BITS`.
    #[allow(clippy::unreadable_literal)]
    pub static NAMED_BITS = (
        names::ROWS - 1, 3, preset = hf_marian, dtype = f16_bits, frequencies = names::FREQUENCIES, amplitude = rsqrt_d
    );
    /// The table `SMALL`.
    pub const ALIGNED: Aligned = (2, 3);
}

/// A table with a checked division.
pub static DIVIDED: [[f32; 2]; 1] =
    ::baked::sinusoidal_table!(names::ROWS / 3, 2, scale = 1.0 / 2.0 * names::FREQUENCIES[0]);

/// Returns a table whose sizes are generic parameters of the caller.
#[must_use]
pub fn generic<const N: usize, const D: usize>() -> &'static [[f32; D]; N] {
    &::baked::sinusoidal_table!(N, D, scale = 0.5)
}

/// Modules and types with the names that the expansion uses.
pub mod shadows {
    /// Shadows the crate `core`.
    pub mod core {}
    /// Shadows the crate `posenc`.
    pub mod posenc {}
    /// Shadows the crate `posenc_runtime`.
    pub mod posenc_runtime {}
    /// Shadows the primitive type.
    #[allow(non_camel_case_types)]
    pub struct f32;
    /// Shadows the primitive type.
    #[allow(non_camel_case_types)]
    pub struct u8;
    /// Shadows the dtype `f16_bits`.
    #[allow(non_camel_case_types)]
    pub struct f16_bits;
    /// Shadows the primitive type.
    #[allow(non_camel_case_types)]
    pub struct usize;

    /// Shadows the primitive type.
    #[allow(non_camel_case_types)]
    pub struct i128;
    /// Names that an expansion might use for its own items.
    pub mod spec {
        /// A size.
        #[allow(non_upper_case_globals)]
        pub const table: super::super::Size = 2;
    }
    #[allow(non_upper_case_globals)]
    const verdict: super::Size = 3;

    /// A table in the same module as the shadowing items.
    pub static SMALL: super::Small = ::baked::sinusoidal_table!(2, 3);
    /// A table so large that the macro puts it into a file.
    pub static LARGE: super::Large = ::baked::sinusoidal_table!(128, 256);
    /// The same table with a named size.
    pub static SMALL_NAMED: super::Small = ::baked::sinusoidal_table!(spec::table, verdict);
}

/// The type of `GRID`.
pub type Grid = [[f32; 8]; 6];
/// A grid of literals.
pub static GRID: Grid = ::baked::grid_table!((2, 3), 8, preset = mae, unit = (1 / 2, 3), base = 500_000);
/// The same grid with names.
pub static NAMED_GRID: Grid = ::baked::grid_table!(
    (names::ROWS - 1, names::ROWS),
    8,
    preset = mae,
    unit = (1 / 2, names::ROWS),
    base = names::BASE
);
::baked::grid_table! {
    /// A grid with names and a list of frequencies.
    pub static LISTED_GRID = ((2, names::ROWS), 8, frequencies = (names::FREQUENCIES, [1, 0.5]), zero_rows = 1);
}

/// In the body of a function, and by reference.
#[must_use]
pub fn local() -> &'static [[f32; 2]; 1] {
    &::baked::sinusoidal_table!(1, 2,)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tables_are_those_of_run_time() {
        let mut small = [0.0f32; 6];
        ::std::assert!(::baked::Spec::new(3).const_fill(0.., &mut small).is_ok());
        ::std::assert_eq!(super::shadows::SMALL.as_flattened(), small);

        let mut last = [0.0f32; 256];
        ::std::assert!(::baked::Spec::new(256).const_fill(127.., &mut last).is_ok());
        ::std::assert_eq!(super::shadows::LARGE[127][..], last[..]);

        let mut double = [0.0f64; 12];
        ::std::assert!(::baked::Spec::new(4).base(500_000.0).start(-1).const_fill(0.., &mut double).is_ok());
        ::std::assert_eq!(super::DOUBLE.as_flattened(), double);
        ::std::assert_eq!(super::local(), &[[0.0, 1.0]]);

        let mut bits = [::baked::F16Bits::from_bits(0); 6];
        let spec = ::baked::Spec::preset(::baked::Preset::HfMarian, 3).frequencies(&[1.0, 0.5]);
        ::std::assert!(spec.amplitude(::baked::Amplitude::RsqrtD).const_fill(0.., &mut bits).is_ok());
        ::std::assert_eq!(super::BITS.as_flattened(), bits);
    }

    #[test]
    fn grids_are_those_of_run_time() {
        let mut rows = [0.0f32; 48];
        let grid = ::baked::Grid::preset(::baked::GridPreset::Mae, [2, 3], 8).unit([(1, 2), (3, 1)]).base([5e5; 2]);
        ::std::assert!(grid.const_fill(0.., &mut rows).is_ok());
        ::std::assert_eq!(super::GRID.as_flattened(), rows);
        ::std::assert_eq!(super::NAMED_GRID, super::GRID);

        let listed = ::baked::Grid::new([2, 3], 8).frequencies([&[1.0, 0.5]; 2]);
        ::std::assert!(listed.const_fill(0.., &mut rows).is_ok());
        ::std::assert_eq!(super::LISTED_GRID[0].map(f32::to_bits), [0; 8]);
        ::std::assert_eq!(super::LISTED_GRID[1..].as_flattened(), rows);
    }

    #[test]
    fn names_give_the_same_tables() {
        ::std::assert_eq!(super::NAMED, super::DOUBLE);
        ::std::assert_eq!(super::NAMED_BITS, super::BITS);
        ::std::assert_eq!(*super::ALIGNED, super::shadows::SMALL);
        ::std::assert_eq!(super::shadows::SMALL_NAMED, super::shadows::SMALL);
        let mut stretched = [0.0f32; 20];
        ::std::assert!(::baked::Spec::new(4).scale(0.5).const_fill(0.., &mut stretched).is_ok());
        ::std::assert_eq!(super::generic::<5, 4>().as_flattened(), stretched);
    }
}
