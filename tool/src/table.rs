//! `posenc table`: writes a table to a file.

use posenc::{Preset, Spec, SpecError};

use crate::args::{ShapeArgs, TableArgs};
use crate::config::{self, Given, Told};
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::format::Format;
use crate::parameters::Parameters;
use crate::stored::{Stored, with_stored};
use crate::values::Numbers;
use crate::write::{Rows, write};

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = Format::of(&args.file)?;
    let (spec, seq_len) = args.shape.spec(&args.parameters)?;
    let spec = args.file.dtype.quantiser().into_iter().fold(spec, Spec::quantiser);
    with_stored!(args.file.dtype, T => write(&args.shape.rows::<T>(spec, seq_len)?, format, &args.file))
}

impl ShapeArgs {
    /// Returns whether none of the options is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.seq_len.is_none() && self.positions.is_none() && self.d_model.is_none() && self.config.is_none()
    }

    /// Returns the spec with these parameters, and the number of rows.
    pub(crate) fn spec<'a>(&self, parameters: &'a Parameters) -> Result<(Spec<'a>, usize), Failure> {
        let (start, zero_row) = (parameters.start(), parameters.zero_row());
        let seq_len = self.seq_len.or(self.positions.as_ref().map(|Numbers(positions)| positions.len()));
        let given = Given { seq_len, d_model: self.d_model, start, zero_row };
        let model = match &self.config {
            Some(path) => config::read(path, given)?,
            None => Told { preset: Preset::Paper, seq_len: None, d_model: None, zero_row: None },
        };
        let seq_len = size("seq-len", given.seq_len.or(model.seq_len))?;
        let d_model = size("d-model", given.d_model.or(model.d_model))?;
        let spec = parameters.spec(model.preset, d_model)?;
        // The padding row belongs to the model's preset, not to another preset given with --preset.
        // Positions that are given have no rows.
        match (model.zero_row, zero_row, parameters.preset, &self.positions) {
            (Some(row), None, None, None) => Ok((spec.zero_row(row), seq_len)),
            _ => Ok((spec, seq_len)),
        }
    }

    /// Returns the rows of a spec, at the positions given or else its first.
    pub(crate) fn rows<'a, T: Stored>(&'a self, spec: Spec<'a>, seq_len: usize) -> Result<Rows<'a, T>, SpecError> {
        match &self.positions {
            Some(Numbers(positions)) => Rows::at(spec, positions),
            None => Rows::first(spec, seq_len),
        }
    }
}

fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}
