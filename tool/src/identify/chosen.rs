//! What is to be identified: one table, or all tensors of some files.

use std::path::PathBuf;

use crate::args::IdentifyArgs;
use crate::failure::Failure;
use crate::input::{Table, Tensors, checkpoint};

/// The files in question. Those of a folder that cannot be read do not hide the others.
pub(super) type Files = Vec<Result<PathBuf, Failure>>;

/// What is to be identified.
pub(super) enum Chosen {
    /// A table, of which all is told.
    One(Table),
    /// All tensors of these files, with a line for each table.
    All(Files),
}

impl Chosen {
    pub(super) fn of(args: &IdentifyArgs) -> Result<Self, Failure> {
        let (files, is_single) = files(&args.files)?;
        match args.name.as_deref() {
            Some(name) if !is_single => named(files, name).map(Self::One),
            None if !is_single => Ok(Self::All(files)),
            name => {
                let tensors = Tensors::open(&args.files[0])?;
                let is_all = name.is_none() && tensors.are_several();
                if is_all { Ok(Self::All(files)) } else { tensors.table(name).map(Self::One) }
            }
        }
    }
}

/// Returns the files of these paths, and whether there is one path, of a file with tensors.
fn files(paths: &[PathBuf]) -> Result<(Files, bool), Failure> {
    let mut files = Files::new();
    let mut is_single = paths.len() == 1;
    for path in paths {
        match checkpoint::files(path) {
            Some(within) => {
                files.append(&mut within?);
                is_single = false;
            }
            None => files.push(Ok(path.clone())),
        }
    }
    Ok((files, is_single))
}

/// Returns the first table with this name. If there is none, a file that cannot be read may have it.
fn named(files: Files, name: &str) -> Result<Table, Failure> {
    let mut failure = None;
    for file in files {
        match file.and_then(|file| Tensors::open(&file)) {
            Ok(tensors) if tensors.names().iter().any(|other| other.as_deref() == Some(name)) => {
                return tensors.table(Some(name));
            }
            Ok(_) => {}
            Err(other) => failure = failure.or(Some(other)),
        }
    }
    let missing = || Failure::new(format_args!("no file has a tensor `{name}`; leave --name out to see all tables"));
    Err(failure.unwrap_or_else(missing))
}
