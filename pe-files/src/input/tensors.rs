//! The tensors of a file: one of them is chosen, or all are looked at.

use std::path::Path;
use std::rc::Rc;

use super::sentences::SAVE;
use super::shape::{As, row, squeezed};
use super::table::Table;
use super::{npy, npz, safetensors};
use crate::format::UNNAMED;
use crate::source::{Source, read};

/// The tensors of a file.
pub struct Tensors {
    /// The name of the file, for messages.
    file: String,
    kind: TensorKind,
}

enum TensorKind {
    /// A single array, which has no name.
    Npy(Rc<dyn Source>),
    Npz(npz::Archive),
    Safetensors(safetensors::Header),
}

/// A tensor as what it may be.
pub enum Tensor {
    /// It has rows and columns of numbers.
    Table(Table),
    /// It has one axis of numbers, which is read as a single row.
    Vector(Table),
}

impl Tensors {
    /// Reads what a file says of its tensors. Messages contain its name, whose extension may say what the format is.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is damaged or has another format.
    pub fn of(file: &str, bytes: Rc<dyn Source>) -> Result<Self, String> {
        let kind = kind(file, bytes).map_err(|error| format!("`{file}` {error}"))?;
        Ok(Self { file: file.to_owned(), kind })
    }

    /// Returns the table with this name, or the only one.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none, or if there are several and no name is given.
    pub fn table(&self, name: Option<&str>) -> Result<Table, String> {
        let found = match &self.kind {
            TensorKind::Npy(_) if name.is_some() => Err(format!("is a .npy file, {UNNAMED}")),
            TensorKind::Npy(bytes) => npy::table(Rc::clone(bytes), squeezed).and_then(|table| table),
            TensorKind::Npz(archive) => archive.table(name),
            TensorKind::Safetensors(header) => header.table(name),
        };
        self.of_file(found).map(|content| Table::new(&self.file, content))
    }

    /// Returns the tensor with this name, or the only one, as a table or a vector.
    ///
    /// # Errors
    ///
    /// Returns an error if it is neither, or as [`Self::table`] does.
    pub fn one(&self, name: Option<&str>) -> Result<Tensor, String> {
        let i = match name {
            Some(_) => (0..self.len()).find(|&i| self.name(i) == name),
            None => (self.len() == 1).then_some(0),
        };
        match i.map_or(Ok(None), |i| self.get_as(i, row))? {
            Some(vector) => Ok(Tensor::Vector(vector)),
            None => self.table(name).map(Tensor::Table),
        }
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns whether there are several tensors, and no single candidate for the table.
    #[must_use]
    pub fn are_several(&self) -> bool {
        match &self.kind {
            TensorKind::Npy(_) => false,
            TensorKind::Npz(archive) => archive.arrays().len() > 1,
            TensorKind::Safetensors(header) => header.are_several(),
        }
    }

    /// Returns the number of all tensors.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a file without tensors is no special case")]
    pub fn len(&self) -> usize {
        match &self.kind {
            TensorKind::Npy(_) => 1,
            TensorKind::Npz(archive) => archive.arrays().len(),
            TensorKind::Safetensors(header) => header.len(),
        }
    }

    /// Returns the name of a tensor, or `None` for the array of a .npy file.
    #[must_use]
    pub fn name(&self, i: usize) -> Option<&str> {
        match &self.kind {
            TensorKind::Npy(_) => None,
            TensorKind::Npz(archive) => Some(archive.arrays()[i].name()),
            TensorKind::Safetensors(header) => Some(header.name(i)),
        }
    }

    /// Returns a tensor, or `None` if it is neither a table nor a vector.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub fn get(&self, i: usize) -> Result<Option<Tensor>, String> {
        match self.get_as(i, squeezed)? {
            Some(table) => Ok(Some(Tensor::Table(table))),
            None => Ok(self.get_as(i, row)?.map(Tensor::Vector)),
        }
    }

    fn get_as(&self, i: usize, read_as: As) -> Result<Option<Table>, String> {
        let found = match &self.kind {
            TensorKind::Npy(bytes) => npy::table(Rc::clone(bytes), read_as),
            TensorKind::Npz(archive) => archive.read(&archive.arrays()[i], read_as),
            TensorKind::Safetensors(header) => Ok(header.get(i, read_as)),
        };
        Ok(self.of_file(found)?.ok().map(|content| Table::new(&self.file, content)))
    }

    fn of_file<T>(&self, found: Result<T, String>) -> Result<T, String> {
        found.map_err(|error| format!("`{}` {error}", self.file))
    }
}

/// Recognizes the format of a file, and reads its header.
fn kind(file: &str, bytes: Rc<dyn Source>) -> Result<TensorKind, String> {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let magic = read(&*bytes, 0, usize::try_from(bytes.size().min(9)).unwrap_or(0))?;
    match magic.as_slice() {
        [] => Err(format!("is empty; {SAVE}")),
        // Before the others: the length of the header, which comes first, may have the bytes of another format.
        [_, _, _, _, 0, 0, 0, 0, b'{'] => safetensors::Header::of(bytes).map(TensorKind::Safetensors),
        b"version h" => Err("is a pointer of Git LFS, without the file itself; run `git lfs pull`".to_owned()),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => Ok(TensorKind::Npy(bytes)),
        [b'P', b'K', ..] => npz::Archive::open(bytes).map(TensorKind::Npz),
        [b'G', b'G', b'U', b'F', ..] => Err(format!("is a GGUF file, which is not read; {SAVE}")),
        [b'\x80', 2..=5, ..] => Err(format!("is a Python pickle, which could run code; {SAVE}")),
        [.., b'{'] if magic.len() == 9 => safetensors::Header::of(bytes).map(TensorKind::Safetensors),
        _ if ending.eq_ignore_ascii_case("safetensors") => safetensors::Header::of(bytes).map(TensorKind::Safetensors),
        _ => Err(format!("is neither a .npy, a .npz nor a .safetensors file; {SAVE}")),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::Tensors;

    #[test]
    fn the_length_of_a_header_may_have_the_bytes_of_another_format() {
        // A Python pickle begins with 0x80 and 2, and an archive with "PK".
        for length in [0x0280, usize::from(u16::from_le_bytes(*b"PK"))] {
            let header = format!("{:length$}", r#"{"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}"#);
            let file = [&(length as u64).to_le_bytes(), header.as_bytes(), &[0; 8]].concat();
            let tensors = Tensors::of("a.safetensors", Rc::new(file)).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(tensors.table(None).unwrap().shape(), [1, 2]);
        }
    }
}
