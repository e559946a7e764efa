//! Entries that are checked because they are hard, or because they are all that exist.

mod checks;
mod convergents;
mod exhaustive;
mod fractional;
mod half_way;
mod integer_midpoints;
mod integers;
mod limits;
mod octants;
mod progressions;
mod scaling;

use crate::tally::Tally;

/// A part of the structured checks.
pub struct Part {
    pub name: &'static str,
    pub blocks: u64,
    pub run: fn(block: u64, tally: &mut Tally),
}

/// Returns all parts.
pub fn parts() -> [Part; 9] {
    [
        Part { name: "exhaustive", blocks: exhaustive::blocks(), run: exhaustive::run },
        Part { name: "convergents", blocks: progressions::blocks(), run: convergents::run },
        Part { name: "octants", blocks: progressions::blocks(), run: octants::run },
        Part { name: "half way", blocks: half_way::blocks(), run: half_way::run },
        Part { name: "integer midpoints", blocks: integer_midpoints::blocks(), run: integer_midpoints::run },
        Part { name: "integer positions", blocks: integers::blocks(), run: integers::run },
        Part { name: "fractional positions", blocks: fractional::blocks(), run: fractional::run },
        Part { name: "limits", blocks: limits::blocks(), run: limits::run },
        Part { name: "scaling", blocks: scaling::blocks(), run: scaling::run },
    ]
}
