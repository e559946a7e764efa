//! `posenc compare`: compares a table in a file with the exact one.

use std::process::ExitCode;

use posenc::{Flat, Preset};

use crate::args::CompareArgs;
use crate::entry::{Entry, with_found};
use crate::failure::{Failure, Outcome, print};
use crate::identify;
use crate::input::{self, Matrix};
use crate::json::{self, Compared};
use crate::parameters::Parameters;
use crate::plot;

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    let found = input::read(&args.file)?;
    with_found!(found, matrix => compare(&matrix, &args.parameters, args))
}

fn compare<T: Entry>(found: &Matrix<T>, parameters: &Parameters, args: &CompareArgs) -> Outcome {
    let spec = parameters.spec(Preset::Paper, found.d_model)?;
    let flat = Flat::new(&found.entries, found.d_model).map_err(Failure::new)?;
    let report = spec.compare(&flat).map_err(Failure::new)?;
    let close = args.max_ulps.is_some_and(|most| report.max_ulps() <= most)
        || args.max_error.is_some_and(|most| report.max_abs_error() <= most);
    // Entries that are not finite have no error, so a tolerance does not apply to them.
    let mut fits = report.is_identical() || (close && report.not_finite() == 0);
    let (mut text, mut explained) = (report.to_string(), None);
    if let Some(arithmetic) = args.computed_in.filter(|_| report.not_finite() == 0) {
        let (is_explained, line) = identify::explained(&spec, found, arithmetic);
        fits |= is_explained;
        explained = Some(is_explained);
        text = format!("{}\n{line}", text.trim_end());
    }
    if args.answer.json {
        json::print(&Compared::of(&report, fits, explained))?;
    } else if !args.answer.quiet {
        print(&text)?;
    }
    if args.plot && !report.is_identical() {
        plot::print_differences(found, &spec)?;
    }
    Ok(ExitCode::from(u8::from(!fits)))
}
