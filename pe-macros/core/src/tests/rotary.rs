//! Tests of `rotary_table!`.

use posenc_runtime::reflection::TableKind;
use quote::quote;

use super::tokens;
use crate::arguments::arguments;
use crate::expand::expand;
use crate::read::Lists;
use crate::rotary;

fn expansion(arguments: &str) -> String {
    expand(TableKind::Rotary, tokens(&format!("little (facade) {arguments}")), None).to_string()
}

/// The length that counts is that of what the user wrote, not of the code for it.
#[test]
fn a_width_is_read_up_to_its_limit() {
    let width = |first: &str| expansion(&format!("2, {first}{}", " + N".repeat(249)));
    assert!(!width("FOUR").contains("compile_error"));
    assert!(width("FIVE_").contains("the length of this expression is 1001 characters, but must be at most 1000"));
}

/// As for every other expression with names.
#[test]
fn a_division_in_a_width_is_checked() {
    for arguments in ["2, N / 3", "2, 64, rotary_dim = N / 3"] {
        assert!(expansion(arguments).contains("convert :: divided"), "{arguments}");
    }
}

/// Each of the two tables alone would be accepted.
#[test]
fn the_time_of_both_tables_counts() {
    let refused = |input: &str| {
        let Ok(arguments) = arguments(tokens(input), TableKind::Rotary) else { panic!("{input}") };
        let refusal = rotary::tables(&arguments, &quote!(facade), &mut Lists::default()).err()?;
        Some(refusal.diagnostics[0].sentence.clone())
    };
    assert!(refused("65536, 2048").is_some_and(|sentence| sentence.contains("takes about 1")));
    for accepted in ["65536, 2048, packing = cos", "65536, 2048, max_bytes = 1 << 28", "32768, 2048"] {
        assert_eq!(refused(accepted), None, "{accepted}");
    }
}

/// Only a preset that rotates a part of each head needs a known `head_dim`.
#[test]
fn a_preset_of_whole_heads_permits_a_named_width() {
    assert!(!expansion("N, D, preset = llama3_1").contains("compile_error"));
    assert!(expansion("N, D, preset = phi2").contains("a share of a head needs literals for `head_dim`"));
}

#[test]
fn keys_may_come_in_any_order() {
    let in_order = expansion("2, 8, base = 500, attention_factor = 2, packing = cos");
    assert!(!in_order.contains("compile_error"));
    assert_eq!(expansion("2, 8, attention_factor = 2, packing = cos, base = 500"), in_order);
    assert_eq!(expansion("2, 8, packing = cos, base = 500, attention_factor = 2"), in_order);
}

/// `rope_theta` is another name of `base`.
#[test]
fn the_name_of_the_base_in_configs_counts_as_the_base() {
    let has = |arguments: &str, sentence: &str| assert!(expansion(arguments).contains(sentence), "{arguments}");
    has("2, 4, rope_theta = 500, base = 600", "duplicate key `base`");
    has("2, 4, rope_theta = 500, frequencies = [1, 0.5]", "compile_error");
    assert_eq!(expansion("2, 4, rope_theta = 500"), expansion("2, 4, base = 500"));
}

/// The list replaces the frequencies of the preset and their rule, not its width.
#[test]
fn a_list_of_frequencies_keeps_the_width_of_the_preset() {
    let list = vec!["0.5"; 16].join(", ");
    let of_preset = expansion(&format!("2, 80, preset = phi2, frequencies = [{list}]"));
    assert_eq!(of_preset, expansion(&format!("2, 80, rotary_dim = 32, frequencies = [{list}]")));
    assert!(!of_preset.contains("compile_error"));
}
