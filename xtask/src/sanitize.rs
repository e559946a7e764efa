//! Runs the tests that reach unsafe code with the address sanitizer, with Valgrind and with Miri.

use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::root::root;
use crate::{install, suite, test_output, workspace};

/// The modules of the suite that test the entry points.
const MODULES: [&str; 8] =
    ["agreement::", "compare::", "embeddings::", "fast_tier::", "golden::", "half::", "snapshots::", "translation::"];

/// The tests that write memory that is not initialised, in the runtime crate.
const UNINITIALISED: [&str; 5] = ["--package", "posenc-runtime", "--lib", "--", "engine::dispatch::tests"];

pub(crate) fn run() -> Outcome {
    runtime()?;
    suite::check_modules(&sanitized(suite::run(&options()?.each_ref().map(String::as_str), &MODULES))?, &MODULES)?;
    valgrind()
}

/// The part of CI: the runtime crate, which has all unsafe code of the libraries.
pub(crate) fn sample() -> Outcome {
    runtime()?;
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
    let run = run.env("CARGO_TARGET_DIR", root().join("target/miri")).without_env("CARGO_ENCODED_RUSTFLAGS");
    let passed = test_output::passed(&run.tee()?);
    report(passed, "Miri")
}

/// Does the same with Valgrind, which needs no other compiler.
fn valgrind() -> Outcome {
    install::programs(&["valgrind"], &["valgrind"])?;
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

/// Runs the unit tests of the runtime crate with the address sanitizer.
fn runtime() -> Outcome {
    sanitized(Run::cargo("test").args(options()?).args(["--package", "posenc-runtime", "--lib"])).map(drop)
}

/// Returns options of cargo. With an explicit target, the macro, which the compiler loads, has no sanitizer.
fn options() -> Outcome<[String; 3]> {
    Ok(["--target".to_owned(), workspace::host()?, "--all-features".to_owned()])
}

fn sanitized(run: Run) -> Outcome<String> {
    let run = run.without_env("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "-Zsanitizer=address");
    let run = run.env("RUSTC_BOOTSTRAP", "1"); // allows -Z
    let output = run.env("CARGO_TARGET_DIR", root().join("target/sanitize")).tee()?;
    report(test_output::passed(&output), "the address sanitizer")?;
    Ok(output)
}
