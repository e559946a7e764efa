//! Runs the integration tests, the package `tests/suite`, and reads the output of `cargo test`.

use crate::run::{Outcome, Run, ensure};

/// Returns a run of the suite with options of `cargo test`, limited to tests that match one of the filters.
pub(crate) fn suite(options: &str, filters: &[&str]) -> Run {
    Run::line("cargo test --package suite").words(options).arg("--").args(filters)
}

/// Runs these modules of the suite, and fails if a test fails or a module has no tests.
pub(crate) fn suite_passes(options: &str, modules: &[&str]) -> Outcome {
    check_modules(&suite(options, modules).tee()?, modules)
}

/// Fails if one of the modules of the suite, such as `golden::`, has no passing test.
pub(crate) fn check_modules(output: &str, modules: &[&str]) -> Outcome {
    let passed = output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... ok"));
    let passed: Vec<_> = passed.map(|test| format!("::{test}")).collect();
    for module in modules {
        let has_passed = passed.iter().any(|test| test.contains(&format!("::{module}")));
        ensure!(has_passed, "suite: no test of {module} has run");
    }
    Ok(())
}

/// Adds up the numbers in the lines `test result: ok. 12 passed; ...`.
pub(crate) fn passed(output: &str) -> u64 {
    let counts = output.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    counts.filter_map(|count| count.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::{check_modules, passed};

    #[test]
    fn passed_tests_are_added_up_and_belong_to_modules() {
        let output = "test bits_are_right::golden::grid ... ok\ntest golden_two::other ... FAILED\n\
                      test result: ok. 12 passed; 0 failed; 1 ignored\ntest result: FAILED. 100 passed; 1 failed\n\
                      test result: ok. 3 passed; 0 failed\n";
        assert_eq!(passed(output), 15);
        assert!(check_modules(output, &["golden::"]).is_ok());
        assert!(check_modules(output, &["golden::", "golden_two::"]).is_err());
        assert!(check_modules(output, &["right::golden::"]).is_err());
    }
}
