//! Runs the tests that reach unsafe code with the address sanitizer, with Valgrind and with Miri.

use crate::run::{Outcome, Run, ensure, ensure_available, root};
use crate::test::{check_modules, passed, suite};
use crate::{install, workspace};

/// The modules of the suite that test the entry points.
const MODULES: [&str; 8] =
    ["agreement::", "compare::", "embeddings::", "fast_tier::", "golden::", "half::", "snapshots::", "translation::"];

/// The tests that write memory that is not initialised, in the runtime crate.
const UNINITIALISED: &str = "--package posenc-runtime --lib -- engine::dispatch::tests";

pub(crate) fn run() -> Outcome {
    sample()?;
    check_modules(&sanitized(suite(&options()?, &MODULES))?, &MODULES)
}

/// The part of CI: the runtime crate, which has all unsafe code of the libraries.
pub(crate) fn sample() -> Outcome {
    sanitized(Run::line("cargo test --package posenc-runtime --lib").words(&options()?))?;
    valgrind()
}

/// Looks for reads of memory that has not been written, in an interpreter. This needs a nightly compiler with Miri.
pub(crate) fn miri() -> Outcome {
    if !Run::line("cargo +nightly miri --version").succeeds() {
        let component = Run::line("rustup component add --toolchain nightly miri rust-src");
        let added = install::toolchain("nightly", 120) && component.succeeds();
        ensure_available(added, "no nightly compiler with Miri, and none can be installed")?;
    }
    let run = Run::line("cargo +nightly miri test").words(UNINITIALISED);
    report("Miri", run.env("CARGO_TARGET_DIR", root().join("target/miri")).without_env("CARGO_ENCODED_RUSTFLAGS"))
        .map(drop)
}

/// Does the same with Valgrind, which needs no other compiler.
fn valgrind() -> Outcome {
    install::programs(&["valgrind"], &["valgrind"])?;
    let run = Run::line("cargo test").words(UNINITIALISED);
    let runner = workspace::target_variable(&workspace::host()?, "RUNNER");
    report("Valgrind", run.env(&runner, "valgrind --quiet --error-exitcode=1")).map(drop)
}

/// Returns options of cargo. With an explicit target, the macro, which the compiler loads, has no sanitizer.
fn options() -> Outcome<String> {
    Ok(format!("--target {} --all-features", workspace::host()?))
}

fn sanitized(run: Run) -> Outcome<String> {
    let run = run.without_env("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "-Zsanitizer=address");
    let run = run.env("RUSTC_BOOTSTRAP", "1"); // allows -Z
    report("the address sanitizer", run.env("CARGO_TARGET_DIR", root().join("target/sanitize")))
}

/// Runs tests, prints how many have passed, and returns their output.
fn report(with: &str, tests: Run) -> Outcome<String> {
    let output = tests.tee()?;
    let passed = passed(&output);
    ensure!(passed > 0, "no test ran with {with}");
    println!("sanitize: {passed} tests with {with}, 0 findings");
    Ok(output)
}
