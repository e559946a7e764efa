//! Reads the output of `cargo test`.

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

/// Returns whether the line reports an ignored test. Doc tests marked `ignore` are not meant to run, and do not count.
pub(crate) fn is_ignored_test(line: &str) -> bool {
    let Some((name, result)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) else {
        return false;
    };
    result.starts_with("ignored") && !is_doc_test(name)
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
    use super::{has_passed, is_ignored_test, passed};

    const OUTPUT: &str = "\
running 3 tests
test bits_are_right::golden::grid ... ok
test oracle::random ... ok
test golden_two::other ... FAILED
test mistakes ... ignored, the answers are those of another compiler
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out
test result: FAILED. 100 passed; 1 failed
test result: ok. 3 passed; 0 failed
";

    #[test]
    fn passed_tests_are_added_up() {
        assert_eq!(passed(OUTPUT), 15);
        assert_eq!(passed(""), 0);
    }

    #[test]
    fn a_module_has_passed_if_a_test_of_it_has() {
        assert!(has_passed(OUTPUT, "golden::") && has_passed(OUTPUT, "oracle::"));
        assert!(!has_passed(OUTPUT, "golden_two::"));
        assert!(!has_passed(OUTPUT, "right::golden::"));
    }

    #[test]
    fn ignored_tests_are_those_that_are_no_doc_tests() {
        assert_eq!(OUTPUT.lines().filter(|line| is_ignored_test(line)).count(), 1);
        assert!(is_ignored_test("test all::slow ... ignored"));
        assert!(!is_ignored_test("test src/lib.rs - Spec (line 12) ... ignored"));
        assert!(!is_ignored_test("test src/lib.rs - Spec (line 12) - compile ... ignored"));
        assert!(is_ignored_test("test about_the(line ... ignored"));
        assert!(!is_ignored_test("test ignored::one ... ok"));
        assert!(!is_ignored_test("  test all::slow ... ignored"));
    }
}
