//! `supply-chain.toml`.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::run::{Context, Outcome, ensure, read};

pub(super) const FILE: &str = "supply-chain.toml";

/// The rows of the file. Each has exactly these keys, and a reason that is not empty.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    dependency: Vec<Dependency>,
    #[serde(rename = "unsafe")]
    unsafe_code: Vec<UnsafeCode>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Dependency {
    crates: Vec<String>,
    used_by: BTreeSet<String>,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnsafeCode {
    file: String,
    function: String,
    count: usize,
    reason: String,
}

impl Listed {
    pub(super) fn read() -> Outcome<Self> {
        Self::parse(&read(FILE)?)
    }

    fn parse(text: &str) -> Outcome<Self> {
        let listed: Self = toml::from_str(text).context(FILE)?;
        let of_code = listed.unsafe_code.iter().map(|row| &row.reason);
        let mut reasons = listed.dependency.iter().map(|row| &row.reason).chain(of_code);
        ensure!(reasons.all(|reason| !reason.trim().is_empty()), "{FILE}: a reason is empty");
        Ok(listed)
    }

    /// Returns each dependency with its users, in order.
    pub(super) fn dependencies(&self) -> Vec<(String, BTreeSet<String>)> {
        let rows = self.dependency.iter();
        sorted(rows.flat_map(|row| row.crates.iter().map(|name| (name.clone(), row.used_by.clone()))))
    }

    /// Returns each function with unsafe code, with its file, and how many pieces of it there are, in order.
    pub(super) fn unsafe_code(&self) -> Vec<((String, String), usize)> {
        sorted(self.unsafe_code.iter().map(|row| ((row.file.clone(), row.function.clone()), row.count)))
    }
}

fn sorted<T: Ord>(rows: impl Iterator<Item = T>) -> Vec<T> {
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

#[cfg(test)]
mod tests {
    use super::Listed;

    const ROWS: &str = "[[dependency]]\ncrates = ['b', 'a']\nused-by = ['user (tests)', 'another']\nreason = 'why'\n\
                        [[unsafe]]\nfile = 'src/lib.rs'\nfunction = 'f'\ncount = 2\nreason = 'why'\n";

    #[test]
    fn rows_have_all_their_keys_no_other_and_a_reason() {
        let listed = Listed::parse(ROWS).unwrap();
        let users = ["another", "user (tests)"].map(str::to_owned);
        assert_eq!(listed.dependencies(), ["a", "b"].map(|name| (name.to_owned(), users.clone().into())));
        assert_eq!(listed.unsafe_code(), [(("src/lib.rs".to_owned(), "f".to_owned()), 2)]);
        for (from, to, error) in [
            ("count = 2\n", "", "missing field `count`"),
            ("used-by", "used", "unknown field `used`"),
            ("'why'\n[", "' '\n[", "a reason is empty"),
            ("2\nreason = 'why'", "2\nreason = ''", "a reason is empty"),
            ("[[unsafe]]", "[[unsafe_code]]", "unknown field `unsafe_code`"),
        ] {
            let failure = Listed::parse(&ROWS.replace(from, to)).err().unwrap();
            assert!(format!("{failure:#}").contains(error), "{failure:#}");
        }
    }
}
