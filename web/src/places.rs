//! What the rows of a table of several axes hold.

use posenc::GridParameters;
use posenc_text::request::Request;
use serde::{Deserialize, Serialize};

use posenc_web_shared::request::Wish;

/// The row that is asked for.
#[derive(Deserialize)]
pub(crate) struct Which {
    table: Wish,
    row: usize,
}

/// What a row holds.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    /// `zeros`, `identity` or `point`.
    holds: &'static str,
    /// The index on each axis.
    index: Vec<usize>,
    /// The position on each axis.
    position: Vec<f64>,
}

pub(crate) fn row(which: &Which) -> Result<Row, String> {
    let request = which.table.request()?;
    let rows = request.rows::<f64>()?.shape()[0];
    if which.row >= rows {
        return Err(format!("row {} is not in the table, which has {rows} rows", which.row));
    }
    match request.axes() {
        1 => of::<1>(&request, which.row),
        2 => of::<2>(&request, which.row),
        3 => of::<3>(&request, which.row),
        _ => of::<4>(&request, which.row),
    }
}

fn of<const A: usize>(request: &Request, row: usize) -> Result<Row, String> {
    let grid = request.grid::<A>()?.parameters();
    let of_no_point = |holds| Row { holds, index: Vec::new(), position: vec![0.0; A] };
    let Some(row) = row.checked_sub(grid.zero_rows) else { return Ok(of_no_point("zeros")) };
    let points: usize = grid.shape.iter().product();
    let Some(point) = row.checked_sub(grid.identity_rows[0]).filter(|point| *point < points) else {
        return Ok(of_no_point("identity"));
    };
    let index = index(&grid, point);
    let position = (0..A).map(|axis| position(&grid, axis, index[axis])).collect();
    Ok(Row { holds: "point", index, position })
}

/// Returns the index of a point on each axis. The last axis is the fastest, except for blocks of merged points.
fn index<const A: usize>(grid: &GridParameters<A>, mut point: usize) -> Vec<usize> {
    let mut index = vec![0; A];
    let mut rest = A;
    if grid.merge > 1 && A >= 2 {
        let (merge, [height, width]) = (grid.merge, [grid.shape[A - 2], grid.shape[A - 1]]);
        let (in_image, blocks) = (point % (height * width), width / merge);
        let (block, inside) = (in_image / (merge * merge), in_image % (merge * merge));
        index[A - 2] = block / blocks * merge + inside / merge;
        index[A - 1] = block % blocks * merge + inside % merge;
        point /= height * width;
        rest = A - 2;
    }
    for axis in (0..rest).rev() {
        index[axis] = point % grid.shape[axis];
        point /= grid.shape[axis];
    }
    index
}

fn position<const A: usize>(grid: &GridParameters<A>, axis: usize, index: usize) -> f64 {
    let spaced = || grid.start[axis] as f64 + grid.step[axis] as f64 * index as f64;
    grid.positions[axis].get(index).copied().unwrap_or_else(spaced)
}
