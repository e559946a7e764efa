//! The answer about a table or a vector, for the command line.

use std::path::Path;

use posenc_files::input::Table;
use posenc_identify::Options;
use posenc_text::identified::Told;

use crate::cli::IdentifyArgs;
use crate::keys::values::List;
use crate::text::failure::Failure;

/// Returns the file that the commands of answers write, which is not one of those in question.
pub(super) fn output<'a>(files: impl Iterator<Item = &'a Path>) -> &'static str {
    const OUTPUTS: [&str; 3] = ["exact.safetensors", "exact-table.safetensors", "posenc-table.safetensors"];
    let names: Vec<_> = files.filter_map(Path::file_name).collect();
    let is_free = |output: &&str| names.iter().all(|name| name != output);
    OUTPUTS.into_iter().find(is_free).unwrap_or("exact-posenc-table.safetensors")
}

/// Returns all that is known of a table. The commands write to the file `output`.
pub(super) fn of_table(table: &Table, args: &IdentifyArgs, output: &str) -> Result<Told, Failure> {
    let mut options = Options::default().tolerance(args.tolerance.unwrap_or(0.0));
    if let Some(List(shape)) = &args.shape {
        options = options.shape(shape);
    }
    Told::of(table, &options, output).map_err(Failure::new)
}

/// Returns all that is known of a vector. The command writes to the file `output`.
pub(super) fn of_vector(vector: &Table, _: &IdentifyArgs, output: &str) -> Result<Told, Failure> {
    Told::of_vector(vector, output).map_err(Failure::new)
}
