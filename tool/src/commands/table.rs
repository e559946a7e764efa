//! `posenc table`: writes a table to a file.

use posenc::{Spec, SpecError};

use crate::cli::{ShapeArgs, TableArgs};
use crate::commands::write::{Rows, write};
use crate::element::{Stored, with_stored};
use crate::files::config::{self, Given, TableFromConfig};
use crate::files::format::Format;
use crate::keys::parameters::Parameters;
use crate::keys::values::NumberList;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &TableArgs) -> Outcome {
    let format = Format::of(&args.file.output, args.file.format)?;
    let (spec, seq_len, of_model) = args.shape.spec(&args.parameters)?;
    let spec = args.file.dtype.quantiser().into_iter().fold(spec, Spec::quantiser);
    with_stored!(args.file.dtype, T => {
        write(&args.shape.rows::<T>(spec, seq_len)?, format, &args.file, of_model.as_deref())
    })
}

impl ShapeArgs {
    /// Returns whether none of the options is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.seq_len.is_none() && self.positions.is_none() && self.d_model.is_none() && self.config.is_none()
    }

    /// Returns the spec with these parameters, the number of rows, and the element type of the model's weights.
    pub(crate) fn spec<'a>(&self, parameters: &'a Parameters) -> Result<(Spec<'a>, usize, Option<String>), Failure> {
        let (start, zero_row) = (parameters.start(), parameters.zero_row());
        let seq_len = self.seq_len.or(self.positions.as_ref().map(|NumberList(positions)| positions.len()));
        let given = Given { seq_len, d_model: self.d_model, start, zero_row };
        if let (Some(_), Some(_), Some(_), Some(_)) = (&self.config, parameters.preset, seq_len, self.d_model) {
            return Err(Failure::new("--config changes nothing beside --preset, the rows and --d-model; leave it out"));
        }
        let model = match &self.config {
            Some(path) => config::read(path, given)?,
            None => TableFromConfig::nothing(),
        };
        let seq_len = size("seq-len", given.seq_len.or(model.seq_len))?;
        let d_model = size("d-model", given.d_model.or(model.d_model))?;
        let mut spec = parameters.spec(model.preset, d_model)?;
        // The padding row belongs to the model's preset, not to another preset given with --preset.
        // Positions that are given have no rows.
        if let (Some(row), None, None, None) = (model.zero_row, zero_row, parameters.preset, &self.positions) {
            spec = spec.zero_row(row);
        }
        if let (Some(start), None) = (model.start, parameters.preset) {
            spec = spec.start(start);
        }
        Ok((spec, seq_len, model.dtype))
    }

    /// Returns the rows of a spec, at the positions given or else its first.
    pub(crate) fn rows<'a, T: Stored>(&'a self, spec: Spec<'a>, seq_len: usize) -> Result<Rows<'a, T>, SpecError> {
        match &self.positions {
            Some(NumberList(positions)) => Rows::at(spec, positions),
            None => Rows::first(spec, seq_len),
        }
    }
}

fn size(option: &str, value: Option<usize>) -> Result<usize, Failure> {
    value.ok_or_else(|| {
        Failure::new(format_args!("--{option} is missing; set it, or use --config with the config.json of a model"))
    })
}
