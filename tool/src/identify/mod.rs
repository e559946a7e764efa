//! `posenc identify`: which preset and parameters made a table?
//!
//! All [searches](search) use a [sample](sample) of the rows. The candidates are the presets and rotary caches of models, and the specs with
//! likely numbers near those that are [fitted](fit) to the angles of all frequencies. If there are none, the rule of a
//! [rotary cache](rotary) is looked for, then the parameters of known models are [tried](known) in every arrangement of columns,
//! and at last a list of frequencies. The table of each candidate is then computed and compared. It is
//! [accepted](accepted) only if the difference can be explained by the [arithmetic](noise) of a framework. The most [usual](rank) one of
//! these is the answer, with its [factors](factors) to the digits that are [determined](determined), and those that are nearly as usual
//! are mentioned too.

mod accepted;
mod angles;
mod answer;
mod checkpoint;
mod chosen;
mod determined;
mod distance;
mod entries;
mod explained;
mod factors;
mod fit;
mod grid_base;
mod grids;
mod integers;
mod known;
mod line;
mod linear;
mod misses;
mod model;
mod noise;
mod nothing;
mod numbers;
mod products;
mod rank;
mod reading;
mod recurrence;
mod rotary;
mod sample;
mod search;
mod structure;
mod undetermined;

use std::path::Path;
use std::process::ExitCode;

use crate::args::IdentifyArgs;
use crate::entry::Entry;
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome, print};
use crate::grid::List;
use crate::input::{FileType, Table};
use crate::{json, progress};
use accepted::{accepted, nearest, settled};
use answer::Answer;
use chosen::Chosen;
use distance::Fit;
use entries::{Stop, numbers};
use search::fits;

pub use checkpoint::candidates;
pub(crate) use explained::{Arithmetic, explained};

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    match Chosen::of(args)? {
        Chosen::One(table) => one(&table, args),
        Chosen::All(files) => checkpoint::run(files, args),
    }
}

/// Returns the file that the commands of answers write, which is not one of those in question.
fn output<'a>(files: impl Iterator<Item = &'a Path>) -> &'static str {
    const OUTPUTS: [&str; 3] = ["exact.safetensors", "exact-table.safetensors", "posenc-table.safetensors"];
    let names: Vec<_> = files.filter_map(Path::file_name).collect();
    let is_free = |output: &&str| names.iter().all(|name| name != output);
    OUTPUTS.into_iter().find(is_free).unwrap_or("exact-posenc-table.safetensors")
}

/// Prints all that is known of a table.
fn one(found: &Table, args: &IdentifyArgs) -> Outcome {
    let running = progress::time(&args.answer);
    let answer = answer(found, args, output(std::iter::once(found.path())))?;
    drop(running);
    let status = status(answer.outcome);
    if args.answer.json {
        json::print(&answer.json(found.shape(), found.dtype().name()))?;
    } else if !args.answer.quiet {
        print(&answer.text())?;
    }
    Ok(ExitCode::from(status))
}

/// Returns all that is known of a table. The commands write to the file `output`.
fn answer(found: &Table, args: &IdentifyArgs, output: &str) -> Result<Answer, Failure> {
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
fn status(outcome: json::Identification) -> u8 {
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
