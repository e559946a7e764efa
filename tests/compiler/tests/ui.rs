//! Every mistake has its sentence, on the token that made it. One file a mistake; `TRYBUILD=overwrite` rewrites the answers.

/// The answers hold the wording of the compiler named here. On another one the sentences are the same, its frame around them may
/// not be.
#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of another compiler, which tests/ui.rs names")]
#[test]
fn mistakes_are_explained_where_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    if !cfg!(feature = "half") {
        cases.compile_fail("tests/ui/without-half/*.rs");
    }
}
