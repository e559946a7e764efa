//! What is said of keys and values from elsewhere.

use posenc_runtime::reflection::TableKind;
use proc_macro2::{TokenStream, TokenTree};

use super::tokens;
use crate::expand::expand;

/// Returns the first error of a call.
fn told(kind: TableKind, arguments: &str) -> String {
    fn first_text(stream: TokenStream) -> Option<String> {
        let mut before = None;
        for token in stream {
            let found = match (&before, &token) {
                (Some(TokenTree::Punct(_)), TokenTree::Group(group)) => {
                    syn::parse2::<syn::LitStr>(group.stream()).ok().map(|text| text.value())
                }
                _ => None,
            };
            let within = |group: &proc_macro2::Group| first_text(group.stream());
            let found = found.or_else(|| if let TokenTree::Group(group) = &token { within(group) } else { None });
            if found.is_some() {
                return found;
            }
            before = Some(token);
        }
        None
    }
    let expansion = expand(kind, tokens(&format!("little (facade) {arguments}")), None);
    first_text(expansion).expect("an error")
}

fn rotary(options: &str) -> String {
    told(TableKind::Rotary, &format!("512, 128, {options}"))
}

fn sinusoidal(options: &str) -> String {
    told(TableKind::Sinusoidal, &format!("4, 8, {options}"))
}

fn grid(options: &str) -> String {
    told(TableKind::Grid, &format!("(2, 3), 8, {options}"))
}

#[test]
fn the_rule_of_a_config_is_translated() {
    for (config, here) in [
        (r#"{ "type": "linear", "factor": 8 }"#, "scaling = linear(8)"),
        (r#"{ "rope_type": "linear", "factor": 8.0 }"#, "scaling = linear(8.0)"),
        (
            r#"{ "factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
               "original_max_position_embeddings": 8192, "rope_type": "llama3" }"#,
            "scaling = llama3(32.0, 8192)",
        ),
        (
            r#"{ "rope_type": "yarn", "factor": 32, "beta_fast": 32.0, "truncate": false,
               "original_max_position_embeddings": 4096, "rope_theta": 150000 }"#,
            "base = 150000, scaling = yarn(32, 4096, truncate = false)",
        ),
        (
            r#"{ "type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "attention_factor": 1.5 }"#,
            "scaling = yarn(40, 4096), attention_factor = 1.5",
        ),
    ] {
        for key in ["rope_scaling", "rope_parameters"] {
            let unknown = format!("unknown key `{key}`; write `{here}`");
            assert_eq!(rotary(&format!("{key} = {config}")), unknown);
        }
        assert_eq!(rotary(&format!("scaling = {config}")), format!("`scaling` is a rule; write `{here}`"));
    }
    let config = r#"rope_scaling = { "type": "dynamic", "factor": 2.0 }"#;
    let here = "scaling = dynamic(2.0, max_position_embeddings, seq_len)";
    assert_eq!(rotary(config), format!("unknown key `rope_scaling`; write `{here}` with numbers for the names"));
    let here = "scaling = longrope(factors, factor, original_max_position_embeddings)";
    let config = r#"rope_scaling = { "type": "su", "short_factor": [1.0], "long_factor": [2.0] }"#;
    assert_eq!(rotary(config), format!("unknown key `rope_scaling`; write `{here}` with numbers for the names"));
    let config = r#"rope_scaling = { "type": "linear", "factor": 8, "fast_factor": null }"#;
    assert_eq!(rotary(config), "unknown key `rope_scaling`; write `scaling = linear(8)`");
    let config = r#"rope_scaling = { "type": "yarn", "factor": 2, "original_max_position_embeddings": 9, "attention_factor": 1.5 }"#;
    assert_eq!(sinusoidal(config), "unknown key `rope_scaling`; write `scaling = yarn(2, 9), amplitude = 1.5`");
    let general = "unknown key `rope_scaling`; use `scaling` with a rule such as `linear(8)`";
    let unknown_entry = r#"{ "type": "linear", "factor": 8, "fast_factor": 2 }"#;
    for config in
        [r#"{ "type": "fope" }"#, unknown_entry, "{ factor }", "None", "\"linear\"", "linear(8)", "{ let a = 1; a }"]
    {
        assert_eq!(rotary(&format!("rope_scaling = {config}")), general, "{config}");
    }
    let general = "unknown key `rope_type`; use `scaling` with a rule such as `linear(8)`";
    assert_eq!(rotary("rope_type = \"llama3\", factor = 8"), general);
}

#[test]
fn an_unknown_key_is_told_before_its_value() {
    assert_eq!(rotary("interpolate = if a { 1 } else { 2 }").split(';').next(), Some("unknown key `interpolate`"));
    assert!(rotary("rope_theta = 1 2").starts_with("expected a comma"));
    assert_eq!(grid("layout = { a; b }"), "unknown key `layout`; use `nest`");
}

#[test]
fn keys_from_elsewhere_are_told() {
    let interleaved =
        "unknown key `interleaved`; use `rotate_pairs` if true, or `rotate_halves` if false, with the same cache";
    assert_eq!(rotary("interleaved = true"), interleaved);
    assert_eq!(
        sinusoidal("interleaved = true"),
        "unknown key `interleaved`; use `layout = interleaved` if true, or `layout = halves` if false"
    );
    assert_eq!(
        grid("interleaved = true"),
        "unknown key `interleaved`; use `nest = pairs` if true, or `nest = blocks` if false"
    );
    for key in ["img_size", "patch_size"] {
        let shape = "the shape: img_size / patch_size points along each axis";
        assert_eq!(grid(&format!("{key} = 224")), format!("unknown key `{key}`; use {shape}"));
        assert_eq!(
            sinusoidal(&format!("{key} = 224")),
            format!("unknown key `{key}`; use `grid_table!`, with img_size / patch_size points along each axis")
        );
    }
    assert_eq!(rotary("max_len = 4"), "unknown key `max_len`; use `seq_len`, the first argument");
    assert_eq!(rotary("max_period = 4"), "unknown key `max_period`; use `base`");
    assert!(rotary("factor = 8").contains("`scaling`, as in `scaling = linear(8)`"));
}

#[test]
fn types_from_elsewhere_are_told() {
    for (written, here) in [
        ("torch.bfloat16", "use `bf16`"),
        ("torch.float", "use `f32`"),
        ("np.float64", "use `f64`"),
        ("half::bf16", "did you mean `bf16`?"),
        ("\"float16\"", "use `f16`"),
        ("int8", "use `i8`"),
        ("Float32", "use `f32`"),
    ] {
        assert_eq!(sinusoidal(&format!("dtype = {written}")), format!("`dtype` is `{written}`; {here}"));
    }
    for written in ["f8", "torch.float8_e4m3fn", "fp8"] {
        assert_eq!(
            sinusoidal(&format!("dtype = {written}")),
            format!("`dtype` is `{written}`; use `bf16`, or `i8` with a scale: floats of 8 bits are not supported")
        );
    }
    assert!(sinusoidal("dtype = complex64").starts_with("`dtype` is `complex64`, but must be one of `f32`, `f64`"));
}

/// The width of a table of a cache is no argument of the call.
#[test]
fn a_cache_that_is_too_large_has_no_width_that_is_not_written() {
    assert!(!told(TableKind::Rotary, "4, 64, max_bytes = 1").contains("d_model"));
}
