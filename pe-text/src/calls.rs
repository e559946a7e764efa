//! The macro calls that make the same tables.

use posenc::{AxialMacroCall, AxialRope, Element, Grid, GridMacroCall, MacroCall, Packing, RopeMacroCall, Spec};

/// Returns the macro call for a table of `seq_len` rows. It leaves out `dtype` if that is the default, `f32`.
pub fn macro_call<'a, T: Element>(spec: &Spec<'a>, seq_len: usize) -> MacroCall<'a> {
    let call = spec.macro_call(seq_len);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for one table of a rotary cache.
pub fn rotary_call<'a, T: Element>(call: &RopeMacroCall<'a>, packing: Packing) -> RopeMacroCall<'a> {
    let call = call.packing(packing);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for a rotary table of several axes.
pub fn axial_call<'a, T: Element, const A: usize>(rope: &AxialRope<'a, A>, packing: Packing) -> AxialMacroCall<'a, A> {
    let call = rope.macro_call().packing(packing);
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// As [`macro_call`], for the table of a grid.
pub fn grid_call<'a, T: Element, const A: usize>(grid: &Grid<'a, A>) -> GridMacroCall<'a, A> {
    let call = grid.macro_call();
    if is_default::<T>() { call } else { call.dtype::<T>() }
}

/// Returns whether the macros and the commands have this element type if none is given.
#[must_use]
pub fn is_default<T: Element>() -> bool {
    T::DTYPE == <f32 as Element>::DTYPE
}
