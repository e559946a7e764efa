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
mod rounding;
mod sample;
mod search;
mod structure;
mod table;
mod undetermined;

use std::process::ExitCode;

use crate::args::IdentifyArgs;
use crate::failure::{Outcome, print};
use crate::input::Table;
use crate::{json, progress};
use chosen::Chosen;
use table::{answer, output, status};

pub use checkpoint::candidates;
pub(crate) use explained::{Arithmetic, explained};

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    match Chosen::of(args)? {
        Chosen::One(table) => one(&table, args),
        Chosen::All(files) => checkpoint::run(files, args),
    }
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
