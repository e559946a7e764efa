//! Reads the output of `cargo test`.

use std::collections::BTreeSet;

/// Adds up the numbers in the lines `test result: ok. 12 passed; ...`.
pub(crate) fn passed(output: &str) -> u64 {
    let counts = output.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    counts.filter_map(|count| count.parse::<u64>().ok()).sum()
}

/// Returns whether a test of this module, such as `golden::`, has passed.
pub(crate) fn has_passed(output: &str, module: &str) -> bool {
    let passed = output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... ok"));
    passed.into_iter().any(|test| format!("::{test}").contains(&format!("::{module}")))
}

/// The tests that were ignored and have not been run since, by their program and name.
#[derive(Default)]
pub(crate) struct IgnoredTests {
    program: String,
    pub(crate) tests: BTreeSet<String>,
}

impl IgnoredTests {
    /// Reads a line of the output of cargo.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(program) = program(line) {
            program.clone_into(&mut self.program);
        }
        let Some((name, result)) = result(line) else { return };
        let test = format!("{} {name}", self.program).trim_start().to_owned();
        if is_ignored_test(line) {
            self.tests.insert(test);
        } else if result == "ok" {
            self.tests.remove(&test);
        }
    }
}

/// Returns the name of the program that cargo says it runs: `suite` for `Running main.rs (target/debug/deps/suite-1f)`.
fn program(line: &str) -> Option<&str> {
    let (_, path) = line.trim_start().strip_prefix("Running ")?.strip_suffix(')')?.split_once(" (")?;
    let (_, file) = path.rsplit_once(['/', '\\'])?;
    Some(file.rsplit_once('-')?.0)
}

/// Returns the name and the result of a test.
fn result(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("test ")?.split_once(" ... ")
}

/// Returns whether the line reports an ignored test. Doc tests marked `ignore` are not meant to run, and do not count.
pub(crate) fn is_ignored_test(line: &str) -> bool {
    result(line).is_some_and(|(name, result)| result.starts_with("ignored") && !is_doc_test(name))
}

/// Returns whether the name is that of a doc test, such as `src/lib.rs - f (line 12)`.
///
/// Another part, such as ` - compile`, may follow the line number.
fn is_doc_test(name: &str) -> bool {
    name.split_once("(line ")
        .and_then(|(_, rest)| rest.split_once(')'))
        .is_some_and(|(number, _)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{IgnoredTests, has_passed, is_ignored_test, passed};

    #[test]
    fn passed_tests_are_added_up_and_belong_to_modules() {
        let output = "test bits_are_right::golden::grid ... ok\ntest golden_two::other ... FAILED\n\
                      test result: ok. 12 passed; 0 failed; 1 ignored\ntest result: FAILED. 100 passed; 1 failed\n\
                      test result: ok. 3 passed; 0 failed\n";
        assert_eq!(passed(output), 15);
        assert!(has_passed(output, "golden::"));
        assert!(!has_passed(output, "golden_two::") && !has_passed(output, "right::golden::"));
    }

    #[test]
    fn ignored_tests_are_those_that_are_no_doc_tests() {
        for line in ["test all::slow ... ignored", "test a ... ignored, needs bash", "test about_the(line ... ignored"]
        {
            assert!(is_ignored_test(line), "{line}");
        }
        for name in
            ["test src/lib.rs - Spec (line 12)", "test src/lib.rs - Spec (line 12) - compile", "  test all::slow"]
        {
            assert!(!is_ignored_test(&format!("{name} ... ignored")), "{name}");
        }
        assert!(!is_ignored_test("test ignored::one ... ok"));
    }

    #[test]
    fn an_ignored_test_that_is_run_later_by_the_same_program_is_not_missing() {
        let mut ignored = IgnoredTests::default();
        let mut missing = |output: &str| {
            output.lines().for_each(|line| ignored.read(line));
            ignored.tests.iter().cloned().collect::<Vec<_>>().join(", ")
        };
        let first = "     Running tests/main.rs (target/debug/deps/a-b-12)\ntest x::one ... ignored, needs bash\n\
                     test x::two ... ignored\ntest three ... ok\n";
        assert_eq!(missing(first), "a-b x::one, a-b x::two");
        let another = "     Running unittests src/lib.rs (C:\\target\\deps\\other-34)\ntest x::one ... ok\n";
        assert_eq!(missing(another), "a-b x::one, a-b x::two");
        let again =
            "     Running tests/main.rs (target/release/deps/a-b-56)\ntest x::one ... ok\ntest x::two ... FAILED\n";
        assert_eq!(missing(again), "a-b x::two");
    }
}
