//! `supply-chain.toml`, and how it is compared with the code.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::failure::{Failure, Outcome, ensure};
use crate::workspace;

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
        Self::parse(&workspace::read(FILE)?)
    }

    fn parse(text: &str) -> Outcome<Self> {
        toml::from_str(text).map_err(|error| Failure::failed(format_args!("{FILE}: {error}")))
    }

    /// Returns each dependency with its users.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = (String, String)> {
        let users = |row: &Dependency| shown(row.used_by.iter().cloned());
        self.dependency.iter().flat_map(move |row| row.crates.iter().map(move |name| (name.clone(), users(row))))
    }

    /// Returns each place with unsafe code, and how many pieces of it there are.
    pub(super) fn unsafe_code(&self) -> impl Iterator<Item = (String, String)> {
        self.unsafe_code.iter().map(|row| (format!("{}: {}", row.file, row.function), row.count.to_string()))
    }
}

/// Formats the users of a dependency.
pub(super) fn shown(users: impl IntoIterator<Item = String>) -> String {
    users.into_iter().collect::<Vec<_>>().join(", ")
}

/// Checks that the file lists exactly what was found, each name once.
pub(super) fn compare(
    what: &str,
    rows: impl Iterator<Item = (String, String)>,
    found: &BTreeMap<String, String>,
) -> Outcome {
    let mut listed = BTreeMap::new();
    for (name, value) in rows {
        let twice = format!("{FILE}, {what} {name}: listed twice");
        ensure(listed.insert(name, value).is_none(), || twice)?;
    }
    let names: BTreeSet<_> = listed.keys().chain(found.keys()).collect();
    let differences = names.into_iter().filter(|name| listed.get(*name) != found.get(*name)).map(|name| {
        let [listed, found] = [&listed, found].map(|side| side.get(name).map_or("nothing", String::as_str));
        format!("{FILE}, {what} {name}: listed: {listed}, found: {found}")
    });
    let differences: Vec<_> = differences.collect();
    ensure(differences.is_empty(), || differences.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Listed, compare};

    const ROWS: &str = concat!(
        "[[dependency]]\n",
        "crates = ['b', 'a']\n",
        "used-by = ['user (tests)', 'another']\n",
        "reason = 'why'\n",
        "[[unsafe]]\n",
        "file = 'src/lib.rs'\n",
        "function = 'f'\n",
        "count = 2\n",
        "reason = 'why'\n",
    );

    #[test]
    fn rows_have_all_their_keys_no_other_and_a_reason() {
        assert!(Listed::parse(ROWS).is_ok());
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
    fn what_is_missing_superfluous_different_or_there_twice_is_named() {
        let listed = Listed::parse(ROWS).unwrap();
        let compared = |found: &[(&str, &str)]| {
            let found: BTreeMap<_, _> = found.iter().map(|(name, users)| ((*name).into(), (*users).into())).collect();
            compare("dependency", listed.dependencies(), &found).map_err(|failure| failure.sentence().to_owned())
        };
        let users = "another, user (tests)";
        assert_eq!(compared(&[("a", users), ("b", users)]), Ok(()));
        let sentence = |end: &str| Err(format!("supply-chain.toml, dependency {end}"));
        let missing = sentence("c: listed: nothing, found: x");
        assert_eq!(compared(&[("a", users), ("b", users), ("c", "x")]), missing);
        assert_eq!(compared(&[("a", users)]), sentence(&format!("b: listed: {users}, found: nothing")));
        assert_eq!(compared(&[("a", "x"), ("b", users)]), sentence(&format!("a: listed: {users}, found: x")));

        let rows = || listed.unsafe_code().chain(listed.unsafe_code());
        let twice = compare("unsafe code in", rows(), &BTreeMap::new()).unwrap_err();
        assert_eq!(twice.sentence(), "supply-chain.toml, unsafe code in src/lib.rs: f: listed twice");
    }
}
