//! Checks dependencies, unsafe code and licences.
//!
//! `supply-chain.toml` lists every dependency of every package and every piece of unsafe code, each with its reason, and
//! must match the code. cargo-deny checks the dependencies of the libraries, their tests, the command-line tool and the
//! Python package against `deny.toml`.

mod listed;
mod packages;
mod unsafe_code;

use std::process::ExitStatus;

use crate::command::Run;
use crate::failure::{Failure, Outcome, ensure, ensure_available};
use crate::install;
use crate::supply_chain::listed::{FILE, Listed, compare};

pub(crate) fn run() -> Outcome {
    let listed = Listed::read()?;
    let dependencies = packages::dependencies(&packages::all()?);
    compare(listed.dependencies(), &dependencies)?;
    println!("{} dependencies of all workspaces, each with its reason in {FILE}", dependencies.len());

    let found = unsafe_code::find()?;
    compare(listed.unsafe_code(), &found)?;
    let pieces: usize = found.values().sum();
    println!("{pieces} pieces of unsafe code, each with its reason in {FILE}");
    licences()
}

/// The workspaces with published packages, whose dependencies cargo-deny checks.
const PUBLISHED: [&str; 2] = ["Cargo.toml", "python/Cargo.toml"];

/// Checks licences, duplicates and sources.
fn licences() -> Outcome {
    install::cargo_subcommand("deny")?;
    for manifest in PUBLISHED {
        let (status, output) = deny(manifest, &[], &["licenses", "bans", "sources"])?;
        ensure(status.success(), || output.clone())?;
        println!("cargo-deny, {manifest}: {}", output.trim_end().lines().last().unwrap_or_default());
    }
    Ok(())
}

/// Checks advisories. Their database is not in a package registry, and CI may not have access to anything else.
pub(crate) fn advisories() -> Outcome {
    install::cargo_subcommand("deny")?;
    PUBLISHED.into_iter().try_for_each(advisories_of)
}

fn advisories_of(manifest: &str) -> Outcome {
    let check = |options: &[&str]| {
        let checked = deny(manifest, options, &["advisories"])?;
        Ok::<_, Failure>((checked.0.success() || !lacks_database(&checked.1), checked))
    };
    let (mut has_database, (mut status, mut output)) = check(&[])?;
    if !has_database {
        // This uses the last downloaded database.
        (has_database, (status, output)) = check(&["--offline"])?;
    }
    ensure_available(has_database, "the database of the advisories cannot be downloaded here")?;
    ensure(status.success(), || output)
}

/// Returns the exit status and the output of cargo-deny.
fn deny(manifest: &str, options: &[&str], checks: &[&str]) -> Outcome<(ExitStatus, String)> {
    let run = Run::cargo("deny").args(["--manifest-path", manifest, "--workspace"]).args(options);
    run.arg("check").args(checks).capture()
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
