//! The tables whose positions have several axes.

use crate::answer::Answer;
use crate::entries::Stop;
use crate::grid_distance::Entries;
use crate::rows::Table;
use crate::sample::Numbers;
use crate::{axial, grids, shapes};

/// Returns the answer if the table is a grid of known models, or a rotary table. The shape is guessed if it is not
/// given.
pub(crate) fn identified(
    entries: &dyn Entries,
    table: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
) -> Result<Option<Answer<'static>>, Stop> {
    let shapes = shapes::possible(numbers, shape);
    match grids::identified(entries, table, numbers, &shapes)? {
        None => axial::identified(entries, table, numbers, &shapes),
        found => Ok(found),
    }
}
