//! All that is known of one table.

use std::path::Path;

use super::accepted::{accepted, nearest, settled};
use super::answer::{self, Answer};
use super::distance::Fit;
use super::entries::{Stop, numbers};
use super::search::fits;
use super::{grids, integers, misses, nothing};
use crate::args::IdentifyArgs;
use crate::entry::{Entry, with_entry};
use crate::failure::Failure;
use crate::grid::List;
use crate::input::{FileType, Table};
use crate::json;

/// Returns the file that the commands of answers write, which is not one of those in question.
pub(super) fn output<'a>(files: impl Iterator<Item = &'a Path>) -> &'static str {
    const OUTPUTS: [&str; 3] = ["exact.safetensors", "exact-table.safetensors", "posenc-table.safetensors"];
    let names: Vec<_> = files.filter_map(Path::file_name).collect();
    let is_free = |output: &&str| names.iter().all(|name| name != output);
    OUTPUTS.into_iter().find(is_free).unwrap_or("exact-posenc-table.safetensors")
}

/// Returns all that is known of a table. The commands write to the file `output`.
pub(super) fn answer(found: &Table, args: &IdentifyArgs, output: &str) -> Result<Answer, Failure> {
    if found.shape()[0] == 0 {
        return Err(Failure::new("the table has no rows, so its parameters cannot be identified"));
    }
    let answer = match found.dtype() {
        FileType::Float(dtype) => with_entry!(dtype, T => identify::<T>(found, args, output)),
        FileType::Integer(integer) => integers::identify(found, integer, args, output),
    };
    answer.or_else(|stop| match stop {
        Stop::NotFinite { row, column } => Ok(nothing::not_finite(found, row, column)),
        Stop::Failed(failure) => Err(failure),
    })
}

/// Returns the exit status. Several tables fit if none of them is much more usual than the others, or digits are not determined.
pub(super) fn status(outcome: json::Identification) -> u8 {
    match outcome {
        json::Identification::Identified => 0,
        json::Identification::Nothing => 1,
        json::Identification::Several => 3,
    }
}

fn identify<T: Entry>(found: &Table, args: &IdentifyArgs, output: &str) -> Result<Answer, Stop> {
    let numbers = numbers::<T>(found)?.with_tolerance(args.tolerance.unwrap_or(0.0));
    let shape = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let fits = fits::<T>(&numbers);
    let mut accepted = accepted::<T>(found, &numbers, &fits)?.into_iter();
    if let Some(best) = accepted.next() {
        return Ok(answer::identified::<T>(&numbers, &settled::<T>(found, &numbers, best, accepted)?, output));
    }
    if let Some(answer) = grids::answer::<T>(found, &numbers, shape, output)? {
        return Ok(answer);
    }
    // If the sample fits, other rows are wrong.
    let is_found = fits.iter().any(Fit::is_explained);
    let near = if is_found { Vec::new() } else { misses::lines::<T>(&numbers) };
    Ok(nothing::tried::<T>(&numbers, near, nearest::<T>(found, &numbers, &fits)?.as_ref()))
}
