//! Checks dependencies, unsafe code and licences.
//!
//! `supply-chain.toml` lists every dependency of every package and every piece of unsafe code, each with its reason, and
//! must match the code. cargo-deny checks the dependencies of the libraries, their tests, the command-line tool and the
//! Python package against `deny.toml`.

mod listed;
mod packages;
mod unsafe_code;

use crate::command::Run;
use crate::failure::{Outcome, ensure, ensure_available};
use crate::install;
use crate::same::same;
use crate::supply_chain::listed::{FILE, Listed};

pub(crate) fn run() -> Outcome {
    let listed = Listed::read()?;
    let dependencies = packages::dependencies()?;
    println!("{} dependencies of all workspaces, each with its reason in {FILE}", dependencies.len());
    same("the dependencies", listed.dependencies(), dependencies)?;

    let unsafe_code = unsafe_code::find()?;
    println!("{} pieces of unsafe code, each with its reason in {FILE}", unsafe_code.values().sum::<usize>());
    same("the unsafe code", listed.unsafe_code(), unsafe_code)?;
    licences()
}

/// The workspaces with published packages, whose dependencies cargo-deny checks.
const PUBLISHED: [&str; 2] = ["Cargo.toml", "python/Cargo.toml"];

/// Checks licences, duplicates and sources.
fn licences() -> Outcome {
    install::cargo_subcommand("deny")?;
    for manifest in PUBLISHED {
        let (succeeds, output) = deny(manifest, "check licenses bans sources")?;
        ensure!(succeeds, "{output}");
        println!("cargo-deny, {manifest}: {}", output.trim_end().lines().last().unwrap_or_default());
    }
    Ok(())
}

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
    use super::lacks_database;

    #[test]
    fn a_finding_is_no_missing_database() {
        let missing = "2026-11-22 12:00:00 [ERROR] failed to fetch advisory database https://example.org\n";
        assert!(lacks_database(missing));
        assert!(!lacks_database(&format!("{missing}advisories FAILED\n")));
        assert!(!lacks_database("error[unmaintained]: x is unmaintained\nadvisories FAILED\n"));
    }
}
