//! What is to be identified: one table, or all tensors of some files.

use std::path::{Path, PathBuf};

use posenc_files::input::{Table, Tensor, Tensors};
use posenc_text::words::listed;

use crate::cli::IdentifyArgs;
use crate::files::input::{checkpoint, open_tensors};
use crate::text::failure::Failure;

/// A file of which all tensors are in question.
pub(super) enum File {
    Path(PathBuf),
    /// Stdin cannot be opened twice.
    Opened(Tensors),
}

/// The files in question. Those that cannot be read do not hide the others.
pub(super) type Files = Vec<Result<File, Failure>>;

/// What is to be identified.
pub(super) enum Chosen {
    /// A table, of which all is told.
    One(Table),
    /// A vector, likewise.
    Vector(Table),
    /// All tensors of these files, with a line for each table.
    All(Files),
}

impl Chosen {
    pub(super) fn of(args: &IdentifyArgs) -> Result<Self, Failure> {
        if args.files.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(Failure::new("`-` is given twice, but stdin can be read only once; give it once"));
        }
        let name = args.name.as_deref();
        match args.files.as_slice() {
            [path] => match (checkpoint::files(path), name) {
                (Some(files), None) => Ok(Self::All(paths(files?).collect())),
                (Some(files), Some(name)) => Self::named(paths(files?), name),
                (None, name) => Self::of_file(open_tensors(path)?, name),
            },
            all => {
                let files = all.iter().flat_map(|path| match checkpoint::files(path) {
                    Some(Ok(files)) => paths(files).collect(),
                    Some(Err(failure)) => vec![Err(failure)],
                    None => vec![Ok(File::Path(path.clone()))],
                });
                match name {
                    Some(name) => Self::named(files, name),
                    None => Ok(Self::All(files.collect())),
                }
            }
        }
    }

    fn of_file(tensors: Tensors, name: Option<&str>) -> Result<Self, Failure> {
        if name.is_none() && tensors.are_several() {
            return Ok(Self::All(vec![Ok(File::Opened(tensors))]));
        }
        Self::of_tensor(&tensors, name)
    }

    fn of_tensor(tensors: &Tensors, name: Option<&str>) -> Result<Self, Failure> {
        match tensors.one(name).map_err(Failure::new)? {
            Tensor::Vector(vector) => Ok(Self::Vector(vector)),
            Tensor::Table(table) => Ok(Self::One(table)),
        }
    }

    /// Returns the tensor with this name in one of the files. If none has it, one that cannot be read may have it.
    fn named(files: impl Iterator<Item = Result<File, Failure>>, name: &str) -> Result<Self, Failure> {
        let mut failure = None;
        let mut found = Vec::new();
        for file in files {
            match file.and_then(File::open) {
                Ok(tensors) => {
                    found.extend((0..tensors.len()).any(|i| tensors.name(i) == Some(name)).then_some(tensors));
                }
                Err(other) => failure = failure.or(Some(other)),
            }
        }
        let missing =
            || Failure::new(format_args!("no file has a tensor `{name}`; leave --name out to see all tables"));
        match found.as_slice() {
            [] => Err(failure.unwrap_or_else(missing)),
            [tensors] => Self::of_tensor(tensors, Some(name)),
            several => {
                let paths: Vec<_> = several.iter().map(Tensors::file).collect();
                Err(Failure::new(format_args!(
                    "several files have a tensor `{name}`; choose one of {}",
                    listed(&paths)
                )))
            }
        }
    }
}

impl File {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Path(path) => path,
            Self::Opened(tensors) => Path::new(tensors.file()),
        }
    }

    pub(super) fn open(self) -> Result<Tensors, Failure> {
        match self {
            Self::Path(path) => open_tensors(&path),
            Self::Opened(tensors) => Ok(tensors),
        }
    }
}

fn paths(paths: Vec<Result<PathBuf, Failure>>) -> impl Iterator<Item = Result<File, Failure>> {
    paths.into_iter().map(|path| path.map(File::Path))
}
