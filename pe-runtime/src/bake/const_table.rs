//! Tables as arrays that the compiler evaluates, such as tables of named constants.

use crate::axial::packed::AxialTable;
use crate::bake::decode::no_table;
use crate::bake::error::TableError;
use crate::bake::price::Evaluator;
use crate::element::Element;
use crate::element::bits::flatten_mut;
use crate::engine::dispatch;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::plan::TablePlan;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::text::message::Message;

/// Returns the value of a result, or panics with the sentence of its error.
macro_rules! value_or_refuse {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => $crate::bake::const_table::refuse(&error.message()),
        }
    };
}

pub(crate) use value_or_refuse;

/// Returns the first `N` rows of the table of `spec` as an array, in constants and statics.
///
/// `D` must be the `d_model` of `spec`. With named constants, `sinusoidal_table!` expands to a call of this function
/// and reports errors at the argument concerned. Call it yourself if the spec is a constant, or if a type parameter
/// determines the element type.
///
/// The compiler takes 2 to 4 µs per `f32` entry and 0.5 ms per pair of columns to evaluate it: about 1 second for 512 x
/// 512. `f64` and 16 bits take about twice as long. Fewer than 4 rows, and amplitudes beyond `2^±64`, take more than a
/// hundred times as long. With literals, the macro is more than twenty times as fast.
///
/// Unlike the macro, this function has no time limit. The lint `long_running_const_eval`, which rejects long
/// evaluations unless you allow it, counts loops and calls, of which this function has few. It permits about 11 million
/// `f32` or `f64` entries, and fewer than 2 million 16-bit entries.
///
/// # Panics
///
/// Panics if [`Spec::check_table`] returns an error, with the same message, or if `D` is not the `d_model` of `spec`.
/// In a constant this is a compile error.
///
/// # Examples
///
/// ```
/// use posenc::{Element, Preset, Spec, const_table};
///
/// mod config {
///     pub const SEQ_LEN: usize = 16;
///     pub const D_MODEL: usize = 8;
/// }
///
/// static PE: [[f32; config::D_MODEL]; config::SEQ_LEN] = const_table(Spec::preset(Preset::Whisper, config::D_MODEL));
///
/// /// A table of any element type and size.
/// struct Encoding<T, const N: usize, const D: usize>(T);
///
/// impl<T: Element, const N: usize, const D: usize> Encoding<T, N, D> {
///     const TABLE: [[T; D]; N] = const_table(Spec::preset(Preset::Whisper, D));
/// }
///
/// assert_eq!(Encoding::<f32, 16, 8>::TABLE, PE);
/// ```
#[must_use]
#[track_caller]
pub const fn const_table<T: Element, const N: usize, const D: usize>(spec: Spec) -> [[T; D]; N] {
    let table = value_or_refuse!(TablePlan::<T>::new(&spec, N, isize::MAX as usize));
    if table.plan.d_model() != D {
        refuse(&SpecError::ArrayColumns { columns: D, d_model: spec.d_model() }.message());
    }
    let mut rows = no_table();
    dispatch::const_fill(&table.plan, &table.positions, flatten_mut(&mut rows));
    rows
}

/// Returns the whole table of `grid` as an array, in constants and statics.
///
/// `N` must be the number of rows of the grid, and `D` its `d_model`. With named constants, `grid_table!` expands to a call
/// of this function and reports errors at the argument concerned. See [`const_table`] for the time that it takes; only the
/// tables of the axes are computed.
///
/// # Panics
///
/// Panics if [`Grid::check_table`] returns an error, with the same message, or if the array has another shape. In a constant
/// this is a compile error.
///
/// # Examples
///
/// ```
/// use posenc::{Grid, GridPreset, const_grid};
///
/// const GRID: Grid<2> = Grid::preset(GridPreset::Mae, [4, 6], 16);
/// static PE: [[f32; 16]; 24] = const_grid(GRID);
/// assert_eq!(PE.as_flattened(), GRID.table::<f32>()?.as_slice());
/// # Ok::<(), posenc::GridError>(())
/// ```
#[must_use]
#[track_caller]
pub const fn const_grid<T: Element, const N: usize, const D: usize, const A: usize>(grid: Grid<A>) -> [[T; D]; N] {
    let lowered = value_or_refuse!(grid.lower_table::<T>(isize::MAX as usize));
    if grid.d_model() != D {
        refuse(&SpecError::ArrayColumns { columns: D, d_model: grid.d_model() }.message());
    }
    if grid.rows() != N {
        refuse(&GridError::ArrayRows { rows: N, needed: grid.rows() }.message());
    }
    let mut rows = no_table();
    lowered.const_fill(0, flatten_mut(&mut rows));
    rows
}

/// Returns a whole table of an [`AxialRope`](crate::AxialRope) as an array, as [`const_grid`] does.
#[must_use]
#[track_caller]
pub const fn const_axial<T: Element, const N: usize, const D: usize, const A: usize>(
    table: AxialTable<A>,
) -> [[T; D]; N] {
    const_grid(value_or_refuse!(table.grid()))
}

/// Checks the table of a call with names, which the compiler evaluates, as [`Spec::check_table`] does.
///
/// The time of `tables` tables of this size is limited too.
///
/// # Errors
///
/// Returns the same errors, and [`SpecError::SlowToEvaluate`].
pub const fn check_evaluated<T: Element>(
    spec: &Spec,
    seq_len: usize,
    max_bytes: usize,
    tables: usize,
) -> Result<usize, TableError> {
    let table = try_const!(TablePlan::<T>::new(spec, seq_len, max_bytes), TableError::Spec);
    if tables > 0 {
        try_const!(Evaluator::COMPILER.check_table(&table, tables), TableError::Spec);
    }
    Ok(table.bytes())
}

/// Checks a table of the rotary cache of a call with names, as [`check_evaluated`] does.
///
/// # Errors
///
/// Returns the same errors in the terms of the cache.
pub const fn check_rotary_evaluated<T: Element>(
    spec: &Spec,
    seq_len: usize,
    max_bytes: usize,
    tables: usize,
) -> Result<usize, TableError> {
    match check_evaluated::<T>(spec, seq_len, max_bytes, tables) {
        Err(TableError::Spec(error)) => Err(TableError::of_rope(error)),
        checked => checked,
    }
}

/// Checks the grid of a call with names, as [`check_evaluated`] does.
///
/// # Errors
///
/// Returns the errors of [`Grid::check_table`], and [`SpecError::SlowToEvaluate`].
pub const fn check_grid_evaluated<T: Element, const A: usize>(
    grid: &Grid<A>,
    max_bytes: usize,
    tables: usize,
) -> Result<usize, TableError> {
    let lowered = try_const!(grid.lower_table::<T>(max_bytes), TableError::Grid);
    if tables > 0 {
        try_const!(Evaluator::COMPILER.check_grid(&lowered, tables), TableError::Spec);
    }
    Ok(lowered.bytes())
}

/// Checks a table of an axial rotary embedding of a call with names, as [`check_evaluated`] does.
///
/// # Errors
///
/// Returns the same errors in the terms of the embedding.
pub const fn check_axial_evaluated<T: Element, const A: usize>(
    table: &AxialTable<A>,
    max_bytes: usize,
    tables: usize,
) -> Result<usize, TableError> {
    let lowered = try_const!(table.lower::<T>(max_bytes), TableError::Axial);
    if tables > 0 {
        try_const!(Evaluator::COMPILER.check_grid(&lowered, tables), TableError::Spec);
    }
    Ok(lowered.bytes())
}

/// Panics with the error of `verdict` if it concerns `parameter`. The macro calls this at the span of that argument.
#[track_caller]
pub const fn blame(verdict: &Result<usize, TableError>, parameter: &str) {
    if let Err(error) = verdict {
        let concerned = error.parameters();
        let mut i = 0;
        while i < concerned.len() {
            if is_equal(concerned[i].as_bytes(), parameter.as_bytes()) {
                refuse(&error.message());
            }
            i += 1;
        }
    }
}

/// Returns the value, or panics with the message.
#[must_use]
#[track_caller]
pub const fn accepted<T: Copy>(value: &Result<T, Message>) -> T {
    match value {
        Ok(value) => *value,
        Err(sentence) => refuse(sentence),
    }
}

#[track_caller]
pub(crate) const fn refuse(sentence: &Message) -> ! {
    panic!("{}", sentence.as_str())
}

pub(crate) const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
