//! The exact entries of tables as `f64`, which holds the entries of every element type, integers without their scale.
//!
//! No other file makes tables, so none is generic over their element type.

use posenc::half::{bf16, f16};
use posenc::{Element, Q7, Q15, Q31, Spec};

use crate::any_grid::AnyGrid;
use crate::element::{Dtype, FloatType};

/// Evaluates an expression that is generic over the element type.
macro_rules! with_type {
    ($dtype:expr, $entry:ident, $number:ident => $what:expr) => {
        with_type! { $dtype, $entry, $number => $what;
            Dtype::Float(FloatType::F32) => f32, f64::from;
            Dtype::Float(FloatType::F64) => f64, |entry| entry;
            Dtype::Float(FloatType::F16) => f16, f64::from;
            Dtype::Float(FloatType::Bf16) => bf16, f64::from;
            Dtype::Q7 => Q7, |entry: Q7| f64::from(entry.to_bits());
            Dtype::Q15 => Q15, |entry: Q15| f64::from(entry.to_bits());
            Dtype::Q31 => Q31, |entry: Q31| f64::from(entry.to_bits());
            Dtype::I8(_) => i8, f64::from;
            Dtype::I16(_) => i16, f64::from;
            Dtype::U8(_) => u8, f64::from;
        }
    };
    ($dtype:expr, $entry:ident, $number:ident => $what:expr; $($variant:pat => $type:ty, $of:expr;)*) => {
        match $dtype {
            $($variant => {
                type $entry = $type;
                let $number: fn($type) -> f64 = $of;
                $what
            })*
        }
    };
}

/// Returns `len` exact entries of a spec from row `first` on, or `None` if the spec is invalid.
pub(crate) fn entries(dtype: Dtype, spec: &Spec, first: usize, len: usize) -> Option<Vec<f64>> {
    with_type!(dtype, T, number => filled::<T>(number, len, |entries| spec.fill(first.., entries).is_ok()))
}

/// Returns `len` exact entries of a grid from row `first` on, or `None` if the grid is invalid.
pub(crate) fn entries_of_grid(dtype: Dtype, grid: &AnyGrid, first: usize, len: usize) -> Option<Vec<f64>> {
    with_type!(dtype, T, number => filled::<T>(number, len, |entries| {
        crate::with_grid!(grid, grid => grid.fill(first.., entries).is_ok())
    }))
}

fn filled<T: Element>(number: fn(T) -> f64, len: usize, fill: impl FnOnce(&mut [T]) -> bool) -> Option<Vec<f64>> {
    let mut entries = vec![T::default(); len];
    fill(&mut entries).then(|| entries.into_iter().map(number).collect())
}

/// Returns whether a spec has a table of so many rows.
pub(crate) fn has_table(dtype: Dtype, spec: &Spec, seq_len: usize) -> bool {
    with_type!(dtype, T, _number => spec.check_table::<T>(seq_len, isize::MAX as usize).is_ok())
}

/// Returns whether the parameters of a spec are valid.
pub(crate) fn has_parameters(dtype: Dtype, spec: &Spec) -> bool {
    with_type!(dtype, T, _number => spec.check_parameters::<T>().is_ok())
}
