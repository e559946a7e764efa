//! How many random cases the tests try: `POSENC_TEST_EFFORT` times the default number, which takes seconds.
//!
//! `tests/testkit` includes this file for the tests of the other packages.

use std::env;

/// Returns the value of `POSENC_TEST_EFFORT`, or 1 if it is not set.
pub(crate) fn effort() -> u32 {
    let Some(said) = env::var_os("POSENC_TEST_EFFORT") else { return 1 };
    match said.to_str().map(str::parse) {
        Some(Ok(effort @ 1..=1_000_000)) => effort,
        _ => panic!("POSENC_TEST_EFFORT is `{}`, but must be an integer from 1 to 1000000", said.to_string_lossy()),
    }
}

/// Returns the default number of random cases times the effort.
pub(crate) fn cases(default: u32) -> u32 {
    default.checked_mul(effort()).expect("a product that is small enough")
}
