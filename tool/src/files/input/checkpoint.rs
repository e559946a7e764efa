//! The files of a checkpoint: those in a folder, or the shards that an index lists.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader};
use std::path::{Component, Path, PathBuf};

use posenc_files::input::SAVE;
use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use super::failure;
use crate::files::open::open;
use crate::text::failure::Failure;

/// Returns the files that a folder or an index has, or `None` if the path is another file.
///
/// What cannot be read in a folder is an error among them.
pub(crate) fn files(path: &Path) -> Option<Result<Vec<Result<PathBuf, Failure>>, Failure>> {
    if path == Path::new("-") {
        return None;
    }
    if path.is_dir() {
        return Some(in_folder(path));
    }
    let is_index = path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".index.json"));
    is_index.then(|| shards(path).map_err(|error| failure(path, &error)))
}

/// Returns the files with tensors in a folder and in those within it, sorted by their paths.
fn in_folder(folder: &Path) -> Result<Vec<Result<PathBuf, Failure>>, Failure> {
    // The files of a download may be links.
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let files: Vec<_> = entries.into_iter().filter_map(file).collect();
    if files.is_empty() {
        return Err(failure(folder, &format!("is a folder without .npy, .npz and .safetensors files; {SAVE}")));
    }
    Ok(files)
}

/// Returns the path of an entry of a folder, if it is a file with tensors or cannot be read.
fn file(entry: walkdir::Result<DirEntry>) -> Option<Result<PathBuf, Failure>> {
    let error = match entry {
        Ok(entry) => {
            let is_wanted = entry.file_type().is_file() && has_tensors(entry.path());
            return is_wanted.then(|| Ok(entry.into_path()));
        }
        Err(error) => error,
    };
    let (path, cause) = (error.path()?, error.io_error()?);
    // A link to nothing, or to a folder around it, hides no files.
    let is_broken = cause.kind() == io::ErrorKind::NotFound;
    (!is_broken || has_tensors(path)).then(|| Err(failure(path, &format!("cannot be read: {cause}"))))
}

fn has_tensors(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["npy", "npz", "safetensors"].iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The index of a sharded checkpoint.
#[derive(Deserialize)]
struct Index {
    /// The file of each tensor.
    weight_map: BTreeMap<String, PathBuf>,
}

fn shards(index: &Path) -> Result<Vec<Result<PathBuf, Failure>>, String> {
    let file = open(index).map_err(|error| format!("cannot be opened: {error}"))?;
    let Index { weight_map } = serde_json::from_reader(BufReader::new(file))
        .map_err(|error| format!("is no index of a checkpoint: {error}"))?;
    let names: BTreeSet<PathBuf> = weight_map.into_values().collect();
    if names.is_empty() {
        return Err("is an index without tensors".to_owned());
    }
    // An index that comes with a model must not make the command read other files.
    let is_part = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_within = |name: &PathBuf| name.file_name().is_some() && name.components().all(is_part);
    if let Some(other) = names.iter().find(|name| !is_within(name)) {
        return Err(format!("lists the file `{}`, but must list files in its own folder", other.display()));
    }
    let folder = index.parent().unwrap_or(Path::new(""));
    Ok(names.into_iter().map(|name| shard(folder.join(name))).collect())
}

/// Returns the path of a shard, unless reading it could wait for ever, or read stdin.
fn shard(path: PathBuf) -> Result<PathBuf, Failure> {
    if path == Path::new("-") || path.metadata().is_ok_and(|facts| !facts.is_file()) {
        return Err(failure(&path, "is no regular file, but is listed as one"));
    }
    Ok(path)
}
