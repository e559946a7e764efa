//! Runs the tests that reach unsafe code with the address sanitizer.

use crate::command::Run;
use crate::failure::Outcome;
use crate::{suite, test_output, workspace};

/// The modules of the suite that test the entry points.
const MODULES: [&str; 9] = [
    "agreement::",
    "compare::",
    "duplicates::",
    "embeddings::",
    "fast_tier::",
    "golden::",
    "half::",
    "snapshots::",
    "translation::",
];

pub(crate) fn run() -> Outcome {
    // With an explicit target, the macro, which the compiler loads, is built without the sanitizer.
    let host = workspace::host()?;
    let target = ["--target", host.as_str(), "--all-features"];
    let runtime = Run::cargo("test").args(target).args(["--package", "posenc-runtime", "--lib"]);
    let runtime = sanitized(runtime).tee()?;
    let suite = sanitized(suite::run(&target, &MODULES)).tee()?;
    suite::check_modules(&suite, &MODULES)?;
    let passed = test_output::passed(&runtime) + test_output::passed(&suite);
    println!("sanitize: {passed} tests with the address sanitizer, 0 findings");
    Ok(())
}

fn sanitized(run: Run) -> Run {
    let run = run.without_env("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "-Zsanitizer=address");
    let run = run.env("RUSTC_BOOTSTRAP", "1"); // allows -Z
    run.env("CARGO_TARGET_DIR", workspace::root().join("target/sanitize"))
}
