//! Tables of `grid_table!` as those of a `Grid`, which are computed without an allocator here.

use posenc::half::{bf16, f16};
use posenc::{Element, Grid, Q7, Q15, Q31};
use posenc_macros_core::{AnyGrid, of_axes};

use crate::bytes;

/// Returns whether the angles have hundreds of integer bits, or any axis has many frequencies.
pub(crate) fn is_slow(grid: &AnyGrid) -> bool {
    fn slow<const A: usize>(grid: &Grid<A>) -> bool {
        (0..A).any(|axis| {
            let spec = grid.axis(axis).expect("a checked grid");
            spec.d_model() > 64 || !spec.angular_frequencies().is_ok_and(|mut all| all.all(|w| w.abs() < 1e60))
        })
    }
    of_axes!(grid, grid => slow(grid))
}

/// Returns the table in little-endian byte order.
pub(crate) fn computed(grid: &AnyGrid, dtype: &str) -> Vec<u8> {
    fn of<T: Element>(any: &AnyGrid) -> Vec<T> {
        of_axes!(any, grid => {
            let mut entries = vec![T::default(); grid.rows() * grid.d_model()];
            grid.const_fill(0.., &mut entries).expect("the macro can compute it");
            entries
        })
    }
    match dtype {
        "f32" => bytes(&of(grid), f32::to_le_bytes),
        "f64" => bytes(&of(grid), f64::to_le_bytes),
        "f16" | "f16_bits" => bytes(&of(grid), f16::to_le_bytes),
        "bf16" | "bf16_bits" => bytes(&of(grid), bf16::to_le_bytes),
        "q7" => bytes(&of(grid), |entry: Q7| entry.to_bits().to_le_bytes()),
        "q15" => bytes(&of(grid), |entry: Q15| entry.to_bits().to_le_bytes()),
        "q31" => bytes(&of(grid), |entry: Q31| entry.to_bits().to_le_bytes()),
        "i8" => bytes(&of(grid), i8::to_le_bytes),
        "u8" => bytes(&of(grid), u8::to_le_bytes),
        "i16" => bytes(&of(grid), i16::to_le_bytes),
        _ => panic!("an unknown element type: {dtype}"),
    }
}
