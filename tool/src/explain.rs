//! `posenc explain`: shows the library's explanation of one entry.

use std::process::ExitCode;

use posenc::{Preset, Spec};

use crate::args::{ExplainArgs, PositionArg};
use crate::entry::{Entry, with_entry};
use crate::failure::{Outcome, print};

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
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
