//! `posenc explain`: shows the library's explanation of one entry.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use posenc_files::element::Entry;
use posenc_text::with_entry;

use crate::answers::{self, Explained};
use crate::cli::ExplainArgs;
use crate::commands::exact::{Exact, Known, Wanted};
use crate::commands::plot;
use crate::commands::table::Sizes;
use crate::keys::values::NumberList;
use crate::text::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    if let Some(key) = args.table.parameters.first_given(&["start", "step", "zero_row", "zero_rows"]) {
        let option = key.replace('_', "-");
        return Err(Failure::new(format_args!("--{option} does not change the entry at a position; leave it out")));
    }
    let sizes = Sizes { seq_len: Some(1), d_model: args.d_model, positions: None };
    let known = Known { sizes, quantiser: None, wanted: Wanted::Entry };
    with_entry!(args.dtype, T => explain::<T>(&Exact::of::<T>(&args.table, known)?, args))
}

fn explain<T: Entry>(exact: &Exact, args: &ExplainArgs) -> Outcome {
    let NumberList(position) = &args.position;
    let explanation = exact.explain::<T>(position, args.column)?;
    if args.json {
        answers::print(&Explained::of(&explanation))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&explanation.to_string())?;
    // Programs that read the output get the library's text alone.
    let stages = explanation.stages.as_ref().filter(|_| io::stdout().is_terminal());
    if let Some(drawn) = stages.and_then(plot::draw_turn) {
        print(&drawn)?;
    }
    Ok(ExitCode::SUCCESS)
}
