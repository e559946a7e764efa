//! Numbers of an answer of which the entries determine only some digits.

/// A number of an answer of which the entries determine only some digits, or a list of such numbers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Undetermined {
    /// The name of the parameter in the macros.
    pub key: &'static str,
    /// The number of digits that are determined, 0 or more. For a list, it is the smallest of these numbers.
    pub digits: usize,
    /// The kind of the number.
    pub kind: UndeterminedKind,
    /// Whether other numbers may make another table.
    ///
    /// If it is `false`, the table is nevertheless certain: the other numbers make the same table, or a list makes it
    /// with any digits.
    pub is_open: bool,
}

/// The kind of a number that is not determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndeterminedKind {
    /// A number.
    Number,
    /// A number that was varied alone, so other numbers may compensate for a change.
    OneOfSeveral,
    /// A number whose other digits make the same table, in any number of rows.
    WithoutEffect,
    /// A list of numbers.
    List,
}

impl Undetermined {
    pub(crate) fn number(key: &'static str, digits: usize) -> Self {
        Self { key, digits, kind: UndeterminedKind::Number, is_open: true }
    }

    pub(crate) fn one_of_several(key: &'static str, digits: usize) -> Self {
        Self { key, digits, kind: UndeterminedKind::OneOfSeveral, is_open: true }
    }

    pub(crate) fn without_effect(key: &'static str, digits: usize) -> Self {
        Self { key, digits, kind: UndeterminedKind::WithoutEffect, is_open: false }
    }

    pub(crate) fn list(key: &'static str, digits: usize) -> Self {
        Self { key, digits, kind: UndeterminedKind::List, is_open: false }
    }

    /// Returns the same of a number beside a list.
    pub(crate) fn beside_list(self) -> Self {
        Self { is_open: false, ..self }
    }
}
