//! Tests of `rotary_table!`.

use super::tokens;
use crate::expand::{Macro, expand};

fn expansion(arguments: &str) -> String {
    expand(Macro::Rotary, tokens(&format!("little (facade) {arguments}")), None).to_string()
}

/// The length that counts is that of what the user wrote, not of the code for it.
#[test]
fn a_width_is_read_up_to_its_limit() {
    let width = |names: usize| expansion(&format!("2, N{}", " + N".repeat(names - 1)));
    assert!(!width(250).contains("compile_error"));
    assert!(width(251).contains("the length of this expression is 1001 characters, but must be at most 1000"));
}

/// As for every other expression with names.
#[test]
fn a_division_in_a_width_is_checked() {
    for arguments in ["2, N / 3", "2, 64, rotary_dim = N / 3"] {
        assert!(expansion(arguments).contains("convert :: divided"), "{arguments}");
    }
}
