//! Random specs, for property tests. They do not shrink, but a spec is one line.

use proptest::prelude::*;

use crate::Lcg;
use crate::case::Case;

/// Returns what a function makes of random numbers.
pub fn drawn<T: std::fmt::Debug>(of: impl Fn(&mut Lcg) -> T) -> impl Strategy<Value = T> {
    any::<u64>().no_shrink().prop_map(move |seed| of(&mut Lcg::stream(seed, 0)))
}

/// Arbitrary parameters, which are more often invalid than valid, alone and in combination.
pub fn wild() -> impl Strategy<Value = Case> {
    drawn(Case::wild)
}

/// Parameters that are valid for all floating-point types, for up to `rows` rows.
///
/// Angles of thousands of bits take the compiler too long; the golden entries cover them.
pub fn valid(rows: i64) -> impl Strategy<Value = Case> {
    drawn(move |random| Case::valid(random, rows))
}
