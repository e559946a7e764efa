//! `posenc identify`: which preset and parameters made a table?
//!
//! The search is in the library `posenc-identify`, and what is said of the answer in `posenc-text`. Here are the files that
//! are searched.

mod answer;
mod checkpoint;
mod chosen;
mod explained;

use std::path::Path;
use std::process::ExitCode;

use posenc_files::input::Table;
use posenc_text::identified::Told;

use crate::answers::{self, Identified, progress};
use crate::cli::IdentifyArgs;
use crate::text::failure::{Failure, Outcome, print};
use answer::{of_table, of_vector, output};
use chosen::Chosen;

pub use checkpoint::candidates;
pub(crate) use explained::explained;

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    match Chosen::of(args)? {
        Chosen::One(table) => one(&table, of_table, args),
        Chosen::Vector(vector) => {
            for (option, is_given) in [("--tolerance", args.tolerance.is_some()), ("--shape", args.shape.is_some())] {
                if is_given {
                    return Err(Failure::new(format_args!("{option} does not apply to a vector; leave it out")));
                }
            }
            one(&vector, of_vector, args)
        }
        Chosen::All(files) => checkpoint::run(files, args),
    }
}

/// What is known of a table or of a vector.
type Of = fn(&Table, &IdentifyArgs, &str) -> Result<Told, Failure>;

/// Prints all that is known of a table or of a vector.
fn one(table: &Table, of: Of, args: &IdentifyArgs) -> Outcome {
    let running = progress::time(args.answer.quiet);
    let told = of(table, args, output(std::iter::once(Path::new(table.file()))))?;
    drop(running);
    let status = answers::status(told.outcome);
    if args.answer.json {
        answers::print(&Identified::from(told))?;
    } else if !args.answer.quiet {
        print(&told.text())?;
    }
    Ok(ExitCode::from(status))
}
