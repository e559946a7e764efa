//! `posenc explain`: shows the library's explanation of one entry.

use std::process::ExitCode;

use posenc::{Preset, Spec};

use crate::args::ExplainArgs;
use crate::entry::{Entry, with_entry};
use crate::failure::{Failure, Outcome, print};
use crate::values::PositionArg;

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    if let Some(key) = args.parameters.first_given(&["start", "step", "zero_row"]) {
        let option = key.replace('_', "-");
        return Err(Failure::new(format_args!("--{option} does not change the entry at a position; leave it out")));
    }
    let spec = args.parameters.spec(Preset::Paper, args.d_model)?;
    with_entry!(args.dtype, T => explain::<T>(&spec, args.position, args.column))
}

fn explain<T: Entry>(spec: &Spec, position: PositionArg, column: usize) -> Outcome {
    let text = match position {
        PositionArg::Integer(position) => spec.explain::<T>(position, column)?.to_string(),
        PositionArg::Fraction(position) => spec.explain::<T>(position, column)?.to_string(),
    };
    print(&text).map(|()| ExitCode::SUCCESS)
}
