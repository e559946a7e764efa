//! Checks the compile error for every mistake, including its span.
//!
//! Each file costs a run of the compiler. So a file has all mistakes of a kind, unless they hide each other: errors of names
//! and types hide those of constants that are evaluated.
//!
//! `TRYBUILD=overwrite` rewrites the expected output.

/// The expected output depends on the compiler version given here.
///
/// Other versions show the same messages, but may format the text around them differently.
#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of another compiler, which tests/ui.rs names")]
#[test]
fn mistakes_are_explained_where_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    if !cfg!(feature = "half") {
        cases.compile_fail("tests/ui/without-half/*.rs");
    }
}
