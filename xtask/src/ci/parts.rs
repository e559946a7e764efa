//! The parts of a full run.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::failure::Outcome;
use crate::small_machine::microcontroller;
use crate::{
    bounds, check, configurations, foreign, frameworks, fuzz, oracle, proofs, release, sanitize, small_tasks,
    supply_chain, test, zero_cost,
};

/// A part of a full run.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// One of [`LANES`].
    pub(crate) lane: usize,
    /// The number of seconds that a slow machine with two threads takes at most, while the other lane runs.
    pub(crate) budget: u64,
    pub(crate) run: fn() -> Outcome,
    /// Whether it may be skipped even in a strict run.
    pub(crate) may_be_skipped: bool,
}

/// The lanes, which run side by side.
///
/// Parts that build the same program with other settings are in the same lane, because one would run the other's.
pub(crate) const LANES: [usize; 2] = [0, 1];

const fn part(lane: usize, name: &'static str, budget: u64, run: fn() -> Outcome) -> Part {
    Part { name, lane, budget, run, may_be_skipped: false }
}

/// All parts. Those of a lane run in this order, the cheap ones first.
pub(crate) const PARTS: [Part; 26] = [
    // Tests, lints, and what needs tools of its own.
    part(0, "format", 20, check::format),
    part(0, "quickstart", 80, small_tasks::quickstart),
    part(0, "test", 360, test::workspace_tests),
    part(0, "lints", 240, check::lints),
    part(0, "docs", 30, check::docs),
    part(0, "bare-metal", 45, small_tasks::bare_metal),
    part(0, "microcontroller", 90, microcontroller::run),
    part(0, "features", 150, test::features),
    part(0, "examples", 140, test::examples),
    part(0, "zero-cost", 20, zero_cost::run),
    part(0, "constants", 30, small_tasks::constants),
    part(0, "oldest-compiler", 75, small_tasks::oldest_compiler),
    part(0, "gallery", 110, small_tasks::gallery_part),
    part(0, "effort", 300, test::effort),
    part(0, "sanitize", 350, sanitize::run),
    // It takes a nightly compiler, which CI may be unable to install. Valgrind makes the same check.
    Part { may_be_skipped: true, ..part(0, "miri", 150, sanitize::miri) },
    part(0, "fuzz", 500, fuzz::quickly),
    part(0, "frameworks", 500, frameworks::quickly),
    // Proofs, comparisons and emulators.
    part(1, "supply-chain", 360, supply_chain::all_but_advisories),
    // Its database is not in a package registry, and CI may not have access to anything else.
    Part { may_be_skipped: true, ..part(1, "advisories", 10, supply_chain::advisories) },
    part(1, "proofs", 90, proofs::run),
    part(1, "release", 180, release::without_comparison),
    part(1, "oracle", 350, oracle::quickly),
    part(1, "configurations", 800, configurations::all),
    part(1, "bounds", 650, || bounds::within(5)),
    part(1, "foreign", 900, foreign::all),
];

/// Parses the name of a part, also with `_` instead of `-`.
pub(crate) fn parser() -> impl TypedValueParser<Value = Part> {
    let values = PARTS.iter().map(|part| {
        let value = PossibleValue::new(part.name).help(format!("{} s", part.budget));
        if part.name.contains('-') { value.alias(part.name.replace('-', "_")) } else { value }
    });
    PossibleValuesParser::new(values).map(|name| find(&name).expect("it is one of the possible values"))
}

fn find(name: &str) -> Option<Part> {
    PARTS.into_iter().find(|part| part.name == name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::{LANES, PARTS, find};

    #[test]
    fn parts_have_names_of_their_own() {
        for (i, part) in PARTS.iter().enumerate() {
            assert!(PARTS[..i].iter().all(|other| other.name != part.name), "{}", part.name);
            assert_eq!(find(part.name).unwrap().name, part.name);
            assert!(LANES.contains(&part.lane), "{}", part.name);
        }
    }

    #[test]
    fn names_may_have_underscores() {
        assert_eq!(find("supply_chain").unwrap().name, "supply-chain");
        assert!(find("help").is_none());
    }

    #[test]
    fn only_the_advisories_and_miri_may_be_skipped_in_a_strict_run() {
        let names: Vec<_> = PARTS.iter().filter(|part| part.may_be_skipped).map(|part| part.name).collect();
        assert_eq!(names, ["miri", "advisories"]);
    }
}
