//! `posenc explain`: shows the library's explanation of one entry.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use posenc::{Preset, Spec};

use crate::answers::{self, Explained};
use crate::cli::ExplainArgs;
use crate::commands::plot;
use crate::element::{Entry, with_entry};
use crate::keys::values::PositionArg;
use crate::text::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    if let Some(key) = args.parameters.first_given(&["start", "step", "zero_row"]) {
        let option = key.replace('_', "-");
        return Err(Failure::new(format_args!("--{option} does not change the entry at a position; leave it out")));
    }
    let spec = args.parameters.spec(Preset::Paper, args.d_model)?;
    with_entry!(args.dtype, T => explain::<T>(&spec, args))
}

fn explain<T: Entry>(spec: &Spec, args: &ExplainArgs) -> Outcome {
    let explanation = match args.position {
        PositionArg::Integer(position) => spec.explain::<T>(position, args.column)?,
        PositionArg::Fraction(position) => spec.explain::<T>(position, args.column)?,
    };
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
