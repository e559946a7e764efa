//! Runs the tests that reach unsafe code with the address sanitizer, with Valgrind and with Miri.

use crate::command::{Run, has_program};
use crate::failure::{Failure, Outcome};
use crate::{install, suite, test_output, workspace};

/// The modules of the suite that test the entry points.
const MODULES: [&str; 8] =
    ["agreement::", "compare::", "embeddings::", "fast_tier::", "golden::", "half::", "snapshots::", "translation::"];

/// The tests that write memory that is not initialised, in the runtime crate.
const UNINITIALISED: [&str; 5] = ["--package", "posenc-runtime", "--lib", "--", "engine::dispatch::tests"];

pub(crate) fn run() -> Outcome {
    address_sanitizer()?;
    valgrind()
}

/// Looks for reads of memory that has not been written, in an interpreter. This needs a nightly compiler with Miri.
pub(crate) fn miri() -> Outcome {
    if !Run::cargo("+nightly").args(["miri", "--version"]).succeeds() {
        let component = ["component", "add", "--toolchain", "nightly", "miri", "rust-src"];
        let added = install::toolchain("nightly", 120) && Run::new("rustup").args(component).succeeds();
        if !added {
            return Err(Failure::unavailable("no nightly compiler with Miri, and none can be installed"));
        }
    }
    let run = Run::cargo("+nightly").args(["miri", "test"]).args(UNINITIALISED);
    let run = run.env("CARGO_TARGET_DIR", workspace::root().join("target/miri")).without_env("CARGO_ENCODED_RUSTFLAGS");
    let passed = test_output::passed(&run.tee()?);
    report(passed, "Miri")
}

/// Does the same with Valgrind, which needs no other compiler.
fn valgrind() -> Outcome {
    if !has_program("valgrind") && !install::debian(&["valgrind"]) {
        return Err(Failure::unavailable("Valgrind is missing and cannot be installed"));
    }
    let runner = format!("CARGO_TARGET_{}_RUNNER", workspace::host()?.to_uppercase().replace('-', "_"));
    let run = Run::cargo("test").args(UNINITIALISED).env(&runner, "valgrind --quiet --error-exitcode=1");
    let passed = test_output::passed(&run.tee()?);
    report(passed, "Valgrind")
}

fn report(passed: u64, with: &str) -> Outcome {
    if passed == 0 {
        return Err(Failure::failed(format!("no test ran with {with}")));
    }
    println!("sanitize: {passed} tests with {with}, 0 findings");
    Ok(())
}

fn address_sanitizer() -> Outcome {
    // With an explicit target, the macro, which the compiler loads, is built without the sanitizer.
    let host = workspace::host()?;
    let target = ["--target", host.as_str(), "--all-features"];
    let runtime = Run::cargo("test").args(target).args(["--package", "posenc-runtime", "--lib"]);
    let runtime = sanitized(runtime).tee()?;
    let suite = sanitized(suite::run(&target, &MODULES)).tee()?;
    suite::check_modules(&suite, &MODULES)?;
    let passed = test_output::passed(&runtime) + test_output::passed(&suite);
    report(passed, "the address sanitizer")
}

fn sanitized(run: Run) -> Run {
    let run = run.without_env("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "-Zsanitizer=address");
    let run = run.env("RUSTC_BOOTSTRAP", "1"); // allows -Z
    run.env("CARGO_TARGET_DIR", workspace::root().join("target/sanitize"))
}
