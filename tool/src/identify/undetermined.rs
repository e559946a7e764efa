//! What is said of the numbers of an answer of which the entries determine only some digits.

use crate::text::counted;

/// A number of an answer of which the entries determine only some digits, or a list of such numbers.
#[derive(Clone, Debug)]
pub(super) struct Undetermined {
    pub(super) key: &'static str,
    /// The number of digits that are determined: in a list, the fewest.
    pub(super) digits: usize,
    of: Of,
    /// Whether another number makes another table. A list that makes it is an answer, with any digits.
    pub(super) is_open: bool,
}

const SAME_TABLE: &str = "with others the table is the same, in any number of rows";

#[derive(Clone, Copy, Debug)]
enum Of {
    Number,
    /// A number that was changed alone, so others may make up for it.
    OneOfSeveral,
    /// A number whose other digits make the same table, in any number of rows.
    WithoutEffect,
    List,
}

impl Undetermined {
    pub(super) fn number(key: &'static str, digits: usize) -> Self {
        Self { key, digits, of: Of::Number, is_open: true }
    }

    pub(super) fn one_of_several(key: &'static str, digits: usize) -> Self {
        Self { key, digits, of: Of::OneOfSeveral, is_open: true }
    }

    pub(super) fn without_effect(key: &'static str, digits: usize) -> Self {
        Self { key, digits, of: Of::WithoutEffect, is_open: false }
    }

    pub(super) fn list(key: &'static str, digits: usize) -> Self {
        Self { key, digits, of: Of::List, is_open: false }
    }

    /// Returns the same of a number beside a list.
    pub(super) fn beside_list(self) -> Self {
        Self { is_open: false, ..self }
    }

    /// Says how many digits are determined.
    pub(super) fn text(&self) -> String {
        let Self { key, digits, of, .. } = self;
        let count = counted(*digits, "digit");
        match (digits, of) {
            (0, Of::List) => format!("the entries do not determine all {key}"),
            (_, Of::List) => format!("the entries determine {count} of each of the {key}, or more"),
            (0, Of::WithoutEffect) => format!("the entries determine no digit of {key}: {SAME_TABLE}"),
            (_, Of::WithoutEffect) => format!("the entries determine {count} of {key}: {SAME_TABLE}"),
            (0, _) => format!("the entries determine no digit of {key}"),
            (_, Of::Number) => format!("the entries determine {count} of {key}, and no more"),
            (_, Of::OneOfSeveral) => {
                format!("if the other numbers are right, the entries determine {count} of {key}, and no more")
            }
        }
    }
}
