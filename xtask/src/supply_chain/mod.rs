//! Checks dependencies, unsafe code and licences.
//!
//! `supply-chain.toml` lists every dependency of every package and every piece of unsafe code, each with its reason, and
//! must match the code. All other libraries, programs, examples and build scripts must forbid unsafe code. cargo-deny
//! checks the dependencies of the libraries, their tests and the command-line tool against `deny.toml`.

mod listed;
mod packages;
mod unsafe_code;

use std::collections::{BTreeMap, BTreeSet};

use crate::command::Run;
use crate::failure::{Failure, Outcome, ensure};
use crate::install;
use crate::supply_chain::listed::{Listed, compare, shown};
use crate::supply_chain::packages::Package;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Check only advisories, for which cargo-deny downloads a database
    #[arg(long)]
    advisories: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.advisories { advisories() } else { all_but_advisories() }
}

pub(crate) fn all_but_advisories() -> Outcome {
    let listed = Listed::read()?;
    let packages = packages::all()?;
    let found = dependencies(&packages);
    compare("dependency", listed.dependencies(), &found)?;
    say(format_args!("{} dependencies of all workspaces, each with its reason in {}", found.len(), listed::FILE));

    let found = unsafe_code::find()?;
    let places = found.iter().map(|(place, count)| (place.to_string(), count.to_string()));
    compare("unsafe code in", listed.unsafe_code(), &places.collect())?;
    let forbidding = unsafe_code::forbidding(&packages, &found)?;
    let pieces: usize = found.values().sum();
    let reasons = format!("{pieces} pieces of unsafe code, each with its reason in {}", listed::FILE);
    say(format_args!("{reasons}; the other {forbidding} libraries, programs, examples and build scripts forbid it"));
    licences()
}

fn say(what: impl std::fmt::Display) {
    println!("supply chain: {what}");
}

/// Returns each dependency with the packages that use it, in the form of `used-by`.
fn dependencies(packages: &[Package]) -> BTreeMap<String, String> {
    let mut users: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for package in packages {
        for dependency in package.dependencies.iter().filter(|dependency| !dependency.is_own()) {
            let user = format!("{}{}", package.name, dependency.suffix());
            users.entry(dependency.name.clone()).or_default().insert(user);
        }
    }
    users.into_iter().map(|(dependency, users)| (dependency, shown(users))).collect()
}

/// Checks licences, duplicates and sources.
fn licences() -> Outcome {
    install::cargo_subcommand("deny")?;
    let (status, output) =
        Run::cargo("deny").args(["--workspace", "check", "licenses", "bans", "sources"]).capture()?;
    ensure(status.success(), || output.clone())?;
    say(format_args!("cargo-deny: {}", output.trim_end().lines().last().unwrap_or_default()));
    Ok(())
}

/// Checks advisories. Their database is not in a package registry, and CI may not have access to anything else.
pub(crate) fn advisories() -> Outcome {
    install::cargo_subcommand("deny")?;
    let check =
        |options: &[&str]| Run::cargo("deny").args(options).args(["--workspace", "check", "advisories"]).capture();
    let (mut status, mut output) = check(&[])?;
    if !status.success() && lacks_database(&output) {
        // This uses the last downloaded database.
        (status, output) = check(&["--offline"])?;
    }
    if !status.success() && lacks_database(&output) {
        return Err(Failure::unavailable("the database of the advisories cannot be downloaded here"));
    }
    ensure(status.success(), || output)?;
    say("cargo-deny: no advisory");
    Ok(())
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
