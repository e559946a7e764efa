//! The parts of a run.

use clap::builder::PossibleValuesParser;

use crate::run::{Outcome, unavailable};
use crate::small_machine::microcontroller;
use crate::{
    bounds, check, configurations, foreign, frameworks, fuzz, oracle, proofs, python, release, sanitize, small_tasks,
    supply_chain, test, web, zero_cost,
};

/// A part of a run.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) name: &'static str,
    /// One of [`LANES`].
    pub(super) lane: usize,
    /// The number of seconds that a slow machine with two threads takes at most, while the other lane runs.
    pub(super) budget: u64,
    pub(super) run: fn() -> Outcome,
    /// What `run` does, if it takes a sample of what the part runs with `--full`.
    pub(super) sample: Option<&'static str>,
    /// The budget and the run with `--full`, if they are others.
    pub(super) full: Option<(u64, fn() -> Outcome)>,
    /// Whether it may be skipped even in a strict run.
    pub(super) may_be_skipped: bool,
}

/// The lanes, which run side by side.
///
/// Parts that build the same program with other settings are in the same lane, because one would run the other's.
pub(super) const LANES: [usize; 2] = [0, 1];

pub(super) const fn part(lane: usize, name: &'static str, budget: u64, run: fn() -> Outcome) -> Part {
    Part { name, lane, budget, run, sample: None, full: None, may_be_skipped: false }
}

impl Part {
    const fn sample(self, what: &'static str, full_budget: u64, full: fn() -> Outcome) -> Self {
        Self { sample: Some(what), full: Some((full_budget, full)), ..self }
    }

    pub(super) const fn may_be_skipped(self) -> Self {
        Self { may_be_skipped: true, ..self }
    }
}

/// All parts. Those of a lane run in this order, the cheap ones first.
const PARTS: [Part; 28] = [
    // Tests, lints, and what needs tools of its own.
    part(0, "format", 20, check::format),
    part(0, "quickstart", 80, small_tasks::quickstart),
    part(0, "test", 360, test::workspace_tests),
    part(0, "lints", 240, check::lints),
    part(0, "docs", 60, check::docs),
    part(0, "bare-metal", 45, small_tasks::bare_metal),
    part(0, "microcontroller", 90, microcontroller::run),
    part(0, "features", 150, test::features),
    part(0, "examples", 140, test::examples),
    part(0, "zero-cost", 20, zero_cost::run),
    part(0, "constants", 30, small_tasks::constants),
    part(0, "gallery", 110, small_tasks::gallery_part),
    part(0, "effort", 200, || test::effort(3)).sample("3 times as many random cases, not 10", 650, || test::effort(10)),
    part(0, "sanitize", 150, sanitize::sample).sample("the runtime crate, not the suite", 350, sanitize::run),
    // It takes a nightly compiler, which CI may be unable to install.
    part(0, "miri", 5, || Err(unavailable("only with --full; Valgrind makes the same check")))
        .sample("nothing", 150, sanitize::miri)
        .may_be_skipped(),
    part(0, "fuzz", 300, fuzz::sample).sample("5 seconds for each target", 800, fuzz::full),
    part(0, "python", 240, python::sample).sample("one interpreter, without frameworks", 950, python::run),
    part(0, "frameworks", 130, frameworks::sample).sample("candle is compiled, not run", 1290, frameworks::run),
    // Proofs, comparisons and emulators.
    part(1, "supply-chain", 360, supply_chain::run),
    // Its database is not in a package registry, and CI may not have access to anything else.
    part(1, "advisories", 10, supply_chain::advisories).may_be_skipped(),
    part(1, "proofs", 90, proofs::run),
    part(1, "release", 400, || release::run(&release::Arguments::default())),
    part(1, "oracle", 350, oracle::quickly),
    part(1, "oldest-compiler", 75, small_tasks::oldest_compiler),
    part(1, "configurations", 400, || configurations::compare_each(&configurations::SAMPLE)).sample(
        "default, avx2, target, opt0, aarch64 and s390x of 14 configurations",
        1150,
        || configurations::compare_each(&configurations::ALL),
    ),
    part(1, "bounds", 300, bounds::sample).sample(
        "1 second for each audit, and 2 of 7 builds with wrong bounds",
        900,
        bounds::full,
    ),
    // Where no browser can be installed, everything else of the part is checked.
    part(1, "web", 240, web::test).may_be_skipped(),
    part(1, "foreign", 300, foreign::sample).sample("the bits on i686, not s390x and aarch64", 1150, foreign::run),
];

/// Parses the name of a part.
pub(super) fn names() -> PossibleValuesParser {
    PARTS.map(|part| part.name).into()
}

/// Returns the parts of these names, by default all, as they are for a sample or in full.
pub(super) fn wanted(names: &[String], full: bool) -> Vec<Part> {
    let wanted = PARTS.into_iter().filter(|part| names.is_empty() || names.iter().any(|name| name == part.name));
    wanted
        .map(|part| match part.full {
            Some((budget, run)) if full => Part { budget, run, sample: None, ..part },
            _ => part,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{LANES, PARTS, wanted};

    #[test]
    fn parts_have_names_of_their_own() {
        for (i, part) in PARTS.iter().enumerate() {
            assert!(PARTS[..i].iter().all(|other| other.name != part.name), "{}", part.name);
            assert_eq!(wanted(&[part.name.to_owned()], false).len(), 1);
            assert!(LANES.contains(&part.lane), "{}", part.name);
        }
    }

    #[test]
    fn a_full_run_takes_no_samples() {
        assert!(wanted(&[], false).iter().any(|part| part.sample.is_some()));
        assert!(wanted(&[], true).iter().all(|part| part.sample.is_none()));
    }

    #[test]
    fn only_three_parts_may_be_skipped_in_a_strict_run() {
        let names: Vec<_> = PARTS.iter().filter(|part| part.may_be_skipped).map(|part| part.name).collect();
        assert_eq!(names, ["miri", "advisories", "web"]);
    }
}
