//! Checks dependencies, unsafe code and licences.
//!
//! `supply-chain.toml` lists every dependency of every package and every piece of unsafe code, each with its reason, and
//! must match the code. cargo-deny checks the dependencies of the libraries, their tests, the command-line tool and the
//! Python package against `deny.toml`.

mod listed;
mod unsafe_code;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::compare::same;
use crate::install;
use crate::run::{Outcome, Run, ensure, ensure_available};
use crate::supply_chain::listed::{FILE, Listed};
use crate::workspace::SEPARATE;

pub(crate) fn run() -> Outcome {
    let listed = Listed::read()?;
    let dependencies = dependencies()?;
    println!("{} dependencies of all workspaces, each with its reason in {FILE}", dependencies.len());
    same("the dependencies", listed.dependencies(), dependencies)?;

    let unsafe_code = unsafe_code::find()?;
    println!("{} pieces of unsafe code, each with its reason in {FILE}", unsafe_code.values().sum::<usize>());
    same("the unsafe code", listed.unsafe_code(), unsafe_code)?;

    install::cargo_subcommand("deny")?;
    for manifest in PUBLISHED {
        let (succeeds, output) = deny(manifest, "check licenses bans sources")?;
        ensure!(succeeds, "{output}");
        println!("cargo-deny, {manifest}: {}", output.trim_end().lines().last().unwrap_or_default());
    }
    Ok(())
}

/// Returns each dependency with the packages that use it, in the form of `used-by`.
fn dependencies() -> Outcome<BTreeMap<String, BTreeSet<String>>> {
    let mut users = BTreeMap::new();
    for folder in SEPARATE.into_iter().chain(["."]) {
        let metadata = format!("cargo metadata --no-deps --format-version 1 --manifest-path {folder}/Cargo.toml");
        add_users(&serde_json::from_str(&Run::line(&metadata).stdout()?)?, &mut users);
    }
    Ok(users)
}

fn add_users(metadata: &Value, users: &mut BTreeMap<String, BTreeSet<String>>) {
    for package in list(&metadata["packages"]) {
        // A package of this repository has no source.
        for dependency in list(&package["dependencies"]).filter(|dependency| !dependency["source"].is_null()) {
            let kind = match dependency["kind"].as_str() {
                Some("dev") => " (tests)",
                Some("build") => " (build)",
                _ if dependency["optional"] == true => " (optional)",
                _ => "",
            };
            let [name, user] = [dependency, package].map(|it| it["name"].as_str().unwrap_or_default());
            users.entry(name.to_owned()).or_default().insert(format!("{user}{kind}"));
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The workspaces with published packages. cargo-deny checks the licences, duplicates and sources of their dependencies.
const PUBLISHED: [&str; 2] = ["Cargo.toml", "python/Cargo.toml"];

/// Checks advisories. Their database is not in a package registry, and CI may not have access to anything else.
pub(crate) fn advisories() -> Outcome {
    install::cargo_subcommand("deny")?;
    for manifest in PUBLISHED {
        let (mut succeeds, mut output) = deny(manifest, "check advisories")?;
        if !succeeds && lacks_database(&output) {
            // This uses the last downloaded database.
            (succeeds, output) = deny(manifest, "--offline check advisories")?;
        }
        let has_database = succeeds || !lacks_database(&output);
        ensure_available(has_database, "the database of the advisories cannot be downloaded here")?;
        ensure!(succeeds, "{output}");
    }
    Ok(())
}

/// Returns whether cargo-deny succeeds, and its output.
fn deny(manifest: &str, words: &str) -> Outcome<(bool, String)> {
    Run::line(&format!("cargo deny --manifest-path {manifest} --workspace {words}")).capture()
}

/// Returns whether a check failed because the database is missing, and not because of a finding.
fn lacks_database(output: &str) -> bool {
    output.contains("[ERROR] failed to") && !output.contains("advisories FAILED")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{add_users, lacks_database};

    #[test]
    fn a_finding_is_no_missing_database() {
        let missing = "2026-11-22 12:00:00 [ERROR] failed to fetch advisory database https://example.org\n";
        assert!(lacks_database(missing));
        assert!(!lacks_database(&format!("{missing}advisories FAILED\n")));
        assert!(!lacks_database("error[unmaintained]: x is unmaintained\nadvisories FAILED\n"));
    }

    #[test]
    fn the_kind_of_a_dependency_follows_the_name_of_its_user() {
        let metadata = serde_json::json!({ "packages": [{ "name": "p", "dependencies": [
            { "name": "posenc", "source": null, "kind": null, "optional": false },
            { "name": "half", "source": "registry", "kind": null, "optional": true },
            { "name": "syn", "source": "registry", "kind": null, "optional": false },
            { "name": "insta", "source": "registry", "kind": "dev", "optional": false },
            { "name": "libc", "source": "registry", "kind": "build", "optional": true },
        ] }] });
        let mut users = BTreeMap::new();
        add_users(&metadata, &mut users);
        let expected = [("half", "p (optional)"), ("insta", "p (tests)"), ("libc", "p (build)"), ("syn", "p")];
        assert_eq!(users, expected.map(|(name, user)| (name.to_owned(), [user.to_owned()].into())).into());
    }
}
