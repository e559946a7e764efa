//! The tensors of a file: one of them is chosen, or all are looked at.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::bytes::Bytes;
use super::sentences::{SAVE, failure};
use super::shape::{As, row, squeezed};
use super::table::Table;
use super::{npy, npz, safetensors};
use crate::files::UNNAMED;
use crate::files::open;
use crate::text::failure::Failure;

/// The tensors of a file.
pub(crate) struct Tensors {
    /// The name of the file, for messages.
    path: PathBuf,
    kind: TensorKind,
}

enum TensorKind {
    /// A single array, which has no name.
    Npy(Rc<Bytes>),
    Npz(npz::Archive),
    Safetensors(safetensors::Header),
}

impl Tensors {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let told = |error: String| failure(path, &error);
        let file = open::open(path).map_err(|error| told(format!("cannot be opened: {error}")))?;
        let kind = Bytes::of(file).and_then(|bytes| kind(path, bytes)).map_err(told)?;
        Ok(Self { path: path.to_owned(), kind })
    }

    /// Returns the table with this name, or the only one.
    pub(crate) fn table(&self, name: Option<&str>) -> Result<Table, Failure> {
        let found = match &self.kind {
            TensorKind::Npy(_) if name.is_some() => Err(format!("is a .npy file, {UNNAMED}")),
            TensorKind::Npy(bytes) => npy::table(Rc::clone(bytes), squeezed).and_then(|table| table),
            TensorKind::Npz(archive) => archive.table(name),
            TensorKind::Safetensors(header) => header.table(name),
        };
        self.with_path(found).map(|content| Table::new(&self.path, content))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether there are several tensors that can be a table, or only other ones.
    pub(crate) fn are_several(&self) -> bool {
        match &self.kind {
            TensorKind::Npy(_) => false,
            TensorKind::Npz(archive) => archive.arrays().len() > 1,
            TensorKind::Safetensors(header) => header.are_several(),
        }
    }

    /// Returns the number of all tensors.
    pub(crate) fn len(&self) -> usize {
        match &self.kind {
            TensorKind::Npy(_) => 1,
            TensorKind::Npz(archive) => archive.arrays().len(),
            TensorKind::Safetensors(header) => header.names().len(),
        }
    }

    /// Returns the name of a tensor. That of a .npy file has none.
    pub(crate) fn name(&self, i: usize) -> Option<&str> {
        match &self.kind {
            TensorKind::Npy(_) => None,
            TensorKind::Npz(archive) => Some(archive.arrays()[i].name()),
            TensorKind::Safetensors(header) => Some(&header.names()[i]),
        }
    }

    /// Returns a tensor if it has rows and columns of numbers.
    pub(crate) fn get(&self, i: usize) -> Result<Option<Table>, Failure> {
        self.get_as(i, squeezed)
    }

    /// Returns a tensor of one axis as a single row of numbers.
    pub(crate) fn vector(&self, i: usize) -> Result<Option<Table>, Failure> {
        self.get_as(i, row)
    }

    /// Returns the tensor with this name, or the only one, if it has one axis.
    pub(crate) fn vector_named(&self, name: Option<&str>) -> Result<Option<Table>, Failure> {
        let i = match name {
            Some(_) => (0..self.len()).find(|&i| self.name(i) == name),
            None => (self.len() == 1).then_some(0),
        };
        i.map_or(Ok(None), |i| self.vector(i))
    }

    fn get_as(&self, i: usize, read_as: As) -> Result<Option<Table>, Failure> {
        let found = match &self.kind {
            TensorKind::Npy(bytes) => npy::table(Rc::clone(bytes), read_as),
            TensorKind::Npz(archive) => archive.read(&archive.arrays()[i], read_as),
            TensorKind::Safetensors(header) => header.get(&header.names()[i], read_as),
        };
        Ok(self.with_path(found)?.ok().map(|content| Table::new(&self.path, content)))
    }

    fn with_path<T>(&self, found: Result<T, String>) -> Result<T, Failure> {
        found.map_err(|error| failure(&self.path, &error))
    }
}

impl Table {
    /// Finds the table in a file.
    pub(crate) fn open(path: &Path, name: Option<&str>) -> Result<Self, Failure> {
        Tensors::open(path)?.table(name)
    }
}

/// Recognizes the format of a file, and reads its header.
fn kind(path: &Path, bytes: Bytes) -> Result<TensorKind, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let magic = bytes.read(0, usize::try_from(bytes.len().min(9)).unwrap_or(0))?;
    match magic.as_slice() {
        [] => Err(format!("is empty; {SAVE}")),
        b"version h" => Err("is a pointer of Git LFS, without the file itself; run `git lfs pull`".to_owned()),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => Ok(TensorKind::Npy(Rc::new(bytes))),
        [b'P', b'K', ..] => npz::Archive::open(bytes).map(TensorKind::Npz),
        [b'G', b'G', b'U', b'F', ..] => Err(format!("is a GGUF file, which is not read; {SAVE}")),
        [b'\x80', 2..=5, ..] => Err(format!("is a Python pickle, which could run code; {SAVE}")),
        [.., b'{'] if magic.len() == 9 => safetensors::Header::read(bytes).map(TensorKind::Safetensors),
        _ if ending.eq_ignore_ascii_case("safetensors") => {
            safetensors::Header::read(bytes).map(TensorKind::Safetensors)
        }
        _ => Err(format!("is neither a .npy, a .npz nor a .safetensors file; {SAVE}")),
    }
}
