//! Every mistake has its sentence, on the token that made it. One file a mistake; `TRYBUILD=overwrite` rewrites the answers.

use std::io::Write as _;

/// The toolchain whose wording the answers hold. On another one the sentences are the same, the compiler's frame around them
/// may not be.
const TOOLCHAIN: &str = "rustc 1.95.";

#[test]
fn mistakes_are_explained_where_they_stand() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc tells its version").stdout;
    let version = String::from_utf8_lossy(&version);
    if version.starts_with(TOOLCHAIN) {
        let cases = trybuild::TestCases::new();
        cases.compile_fail("tests/ui/*.rs");
        if !cfg!(feature = "half") {
            cases.compile_fail("tests/ui/without-half/*.rs");
        }
    } else {
        // Past the test runner, which would keep it to itself.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: the answers of tests/ui are those of {TOOLCHAIN}x, this is {version}"
        );
    }
}
