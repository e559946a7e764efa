//! `supply-chain.toml`, and how it is compared with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use serde::Deserialize;

use crate::failure::{Failure, Outcome, ensure};
use crate::root::read;

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
    #[serde(rename = "reason")]
    _reason: Reason,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnsafeCode {
    file: String,
    function: String,
    count: usize,
    #[serde(rename = "reason")]
    _reason: Reason,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Reason;

impl TryFrom<String> for Reason {
    type Error = &'static str;

    fn try_from(reason: String) -> Result<Self, Self::Error> {
        if reason.trim().is_empty() { Err("the reason is empty") } else { Ok(Self) }
    }
}

impl Listed {
    pub(super) fn read() -> Outcome<Self> {
        Self::parse(&read(FILE)?)
    }

    fn parse(text: &str) -> Outcome<Self> {
        toml::from_str(text).map_err(|error| Failure::failed(format_args!("{FILE}: {error}")))
    }

    /// Returns each dependency with its users.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = (String, BTreeSet<String>)> {
        let rows = self.dependency.iter();
        rows.flat_map(|row| row.crates.iter().map(|name| (name.clone(), row.used_by.clone())))
    }

    /// Returns each function with unsafe code, with its file, and how many pieces of it there are.
    pub(super) fn unsafe_code(&self) -> impl Iterator<Item = ((String, String), usize)> {
        self.unsafe_code.iter().map(|row| ((row.file.clone(), row.function.clone()), row.count))
    }
}

/// Checks that the file lists exactly what was found, each name once.
pub(super) fn compare<Name: Ord + Debug, Value: Eq + Debug>(
    rows: impl Iterator<Item = (Name, Value)>,
    found: &BTreeMap<Name, Value>,
) -> Outcome {
    let mut listed = BTreeMap::new();
    for (name, value) in rows {
        let twice = format!("{FILE}, {name:?}: listed twice");
        ensure(listed.insert(name, value).is_none(), || twice)?;
    }
    let names: BTreeSet<_> = listed.keys().chain(found.keys()).collect();
    names.into_iter().try_for_each(|name| {
        let [listed, found] = [&listed, found].map(|side| side.get(name));
        ensure(listed == found, || format!("{FILE}, {name:?}: listed: {listed:?}, found: {found:?}"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Listed, compare};

    const ROWS: &str = "[[dependency]]\ncrates = ['b', 'a']\nused-by = ['user (tests)', 'another']\nreason = 'why'\n\
                        [[unsafe]]\nfile = 'src/lib.rs'\nfunction = 'f'\ncount = 2\nreason = 'why'\n";

    #[test]
    fn rows_have_all_their_keys_no_other_and_a_reason() {
        let listed = Listed::parse(ROWS).unwrap();
        assert_eq!(listed.dependencies().map(|(name, users)| (name, users.len())).last(), Some(("a".to_owned(), 2)));
        assert_eq!(listed.unsafe_code().next(), Some((("src/lib.rs".to_owned(), "f".to_owned()), 2)));
        for (from, to, error) in [
            ("count = 2\n", "", "missing field `count`"),
            ("used-by", "used", "unknown field `used`"),
            ("'why'", "' '", "the reason is empty"),
            ("[[unsafe]]", "[[unsafe_code]]", "unknown field `unsafe_code`"),
        ] {
            let refused = Listed::parse(&ROWS.replace(from, to)).err().unwrap();
            assert!(refused.sentence().contains(error), "{}", refused.sentence());
        }
    }

    #[test]
    fn what_is_missing_superfluous_different_or_there_twice_is_refused() {
        let compared =
            |found: &[(&str, u8)]| compare([("a", 1), ("b", 2)].into_iter(), &found.iter().copied().collect());
        assert!(compared(&[("a", 1), ("b", 2)]).is_ok());
        for found in [[("a", 1)].as_slice(), &[("a", 1), ("b", 1)], &[("a", 1), ("b", 2), ("c", 3)]] {
            assert!(compared(found).is_err(), "{found:?}");
        }
        assert!(compare([("a", 1), ("a", 1)].into_iter(), &BTreeMap::from([("a", 1)])).is_err());
    }
}
