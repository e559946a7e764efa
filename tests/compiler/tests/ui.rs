//! Checks every compile error, including its span.
//!
//! The compiler runs once for each file, so a file has all errors of a kind. Errors of constants that the compiler evaluates
//! have files of their own, because it does not evaluate them if it has found errors of names or types.
//!
//! `TRYBUILD=overwrite` rewrites the expected output.

/// The expected output depends on the compiler version given here.
///
/// Other versions show the same messages, but may format the text around them differently.
#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of another compiler, which tests/ui.rs names")]
#[test]
fn errors_are_explained_where_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    if !cfg!(feature = "half") {
        cases.compile_fail("tests/ui/without-half/*.rs");
    }
}
