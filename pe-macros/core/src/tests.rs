//! Tests of the macro as a function on tokens, from call to expansion.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use posenc_runtime::reflection::TableKind;
use proc_macro2::{Literal, TokenStream, TokenTree};
use proptest::prelude::*;
use quote::quote;
use testkit::{any_spec, properties};

use self::values::{rule, value};
use crate::diagnostic::Diagnostic;
use crate::expand::expand;
use crate::expression::Expression;
use crate::number::{Number, number};
use crate::read::Lists;
use crate::request::Source;
use crate::{arguments, is_items, sinusoidal};

mod grid;
mod hints;
mod rotary;
mod values;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("these are tokens")
}

/// Returns the expansion for a target, with each byte string replaced by its length and hash.
fn expansion(byte_order: &str, arguments: &str) -> String {
    let call = tokens(&format!("{byte_order} (facade) {arguments}"));
    elide(expand(TableKind::Sinusoidal, call, None)).to_string()
}

fn elide(stream: TokenStream) -> TokenStream {
    stream
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => {
                let inner = elide(group.stream());
                TokenStream::from(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)))
            }
            TokenTree::Literal(literal) => match syn::parse2::<syn::LitByteStr>(quote!(#literal)) {
                Ok(bytes) => {
                    let text = format!("{} bytes, FNV-1a {:016x}", bytes.value().len(), fnv_1a(&bytes.value()));
                    TokenStream::from(TokenTree::Literal(Literal::string(&text)))
                }
                Err(_) => TokenStream::from(TokenTree::Literal(literal)),
            },
            other => other.into(),
        })
        .collect()
}

fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn a_table_expands_to_one_literal_in_one_call() {
    insta::assert_snapshot!(expansion("little", "2, 4"), @r#"const { facade :: __private :: decode :: < facade :: __private :: f32 , 2 , 4 > ("32 bytes, FNV-1a 11392588de5534dc") }"#);
    insta::assert_snapshot!(expansion("big", "2, 4"), @r#"const { facade :: __private :: decode :: < facade :: __private :: f32 , 2 , 4 > ("32 bytes, FNV-1a 7badd5a612432826") }"#);
    insta::assert_snapshot!(expansion("little", "0, 4"), @r#"const { facade :: __private :: decode :: < facade :: __private :: f32 , 0 , 4 > ("0 bytes, FNV-1a cbf29ce484222325") }"#);
    insta::assert_snapshot!(expansion("little", "3, 5, dtype = f64, base = 500_000, start = -1, max_bytes = 120"), @r#"const { facade :: __private :: decode :: < facade :: __private :: f64 , 3 , 5 > ("120 bytes, FNV-1a db5e3a5d79410235") }"#);
}

/// With a folder, the compiler includes the same bytes.
#[test]
fn a_large_table_expands_to_a_file_that_is_included() {
    let folder = env::temp_dir().join(format!("posenc-macros-core-large-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for byte_order in ["little", "big"] {
        for (arguments, is_large) in [("64, 512", true), ("64, 511", false), ("64, 512, dtype = bf16_bits", false)] {
            let call = tokens(&format!("{byte_order} (facade) {arguments}"));
            let literal = expand(TableKind::Sinusoidal, call.clone(), None);
            let with_folder = expand(TableKind::Sinusoidal, call, Some(&folder));
            if !is_large {
                assert_eq!(with_folder.to_string(), literal.to_string());
                continue;
            }
            let path: syn::LitStr = with_folder.clone().into_iter().find_map(literal_within).expect("a path");
            let bytes: syn::LitByteStr = literal.into_iter().find_map(literal_within).expect("a byte string");
            assert!(fs::read(path.value()).expect("the file").starts_with(&bytes.value()));
            let shown = with_folder.to_string().replace(&path.value(), "PATH");
            insta::allow_duplicates! {
                insta::assert_snapshot!(shown, @r#"const { facade :: __private :: decode :: < facade :: __private :: f32 , 64 , 512 > (facade :: __private :: core :: include_bytes ! ("PATH")) }"#);
            }
        }
    }
    fs::remove_dir_all(&folder).expect("its own folder");
}

/// A trailing comma does not count as a value.
#[test]
fn a_list_is_read_up_to_its_limit() {
    let list =
        |count: usize, end: &str| expansion("little", &format!("1, 2, frequencies = [{}{end}]", "1, ".repeat(count)));
    let too_long =
        "the length of the list is 65537, but must be at most 65536; put the values in a constant and write its name";
    assert!(list(1 << 16, "1").contains(too_long));
    assert!(list(1 << 16, "").contains("the length of `frequencies` is 65536"));
}

/// The code must not double with each division, as it would if the code for a division used its sides twice.
///
/// (The text in the messages grows with the square of the number of divisions.)
#[test]
fn a_chain_of_divisions_expands_to_as_much_code() {
    let length = |divisions: usize| expansion("little", &format!("4, N{}", " / M".repeat(divisions))).len();
    assert!(length(12) < 8 * length(6), "{} and {}", length(6), length(12));
}

#[test]
fn names_make_it_a_call_that_the_compiler_evaluates() {
    insta::assert_snapshot!(expansion(
        "little",
        "N, 2 * config::D, preset = whisper, base = B, frequencies = [1, W], start = -1, layout = halves"
    ));
    insta::assert_snapshot!(expansion(
        "little",
        "N, 4, zero_row = PAD, step = STEP, amplitude = A, frequencies = LIST, max_bytes = LIMIT"
    ));
}

#[test]
fn a_file_is_included_if_it_is_that_of_the_call() {
    insta::assert_snapshot!(expansion("little", "4096, 512, file = \"pe\""));
}

/// Runs in its own process, with the variables that cargo sets for a build script and for the compiler.
#[test]
fn a_file_is_refused_if_it_is_not_what_was_written() {
    let Some(folder) = env::var_os("POSENC_TEST_OUT_DIR") else {
        let folder = env::temp_dir().join(format!("posenc-macros-core-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let this = "tests::a_file_is_refused_if_it_is_not_what_was_written";
        let status = Command::new(env::current_exe().expect("a program"))
            .args(["--exact", this, "--nocapture"])
            .envs([("POSENC_TEST_OUT_DIR", &folder), ("OUT_DIR", &folder)])
            .envs([("CARGO_CFG_TARGET_ENDIAN", "little"), ("CARGO_PKG_NAME", "demo")])
            .status();
        assert!(status.expect("it starts").success());
        return fs::remove_dir_all(&folder).expect("its own folder");
    };
    let path = Path::new(&folder).join("pe.posenc");
    let expansion = |call: &str| {
        expansion("little", call)
            .replace(&*folder.to_string_lossy(), "OUT_DIR")
            .replace(env!("CARGO_PKG_VERSION"), "VERSION")
    };
    insta::assert_snapshot!(expansion("5, 6, file = \"pe\""), @r##"const { facade :: __private :: core :: compile_error ! { "the file `pe.posenc` is missing; the build script's folder `OUT_DIR` has no tables; write this one in the build script with `posenc::build_script::write_table(\"pe\", ..)`; if the script does so already, run `cargo clean --package demo` with the same `--release`, `--profile` or `--target` as the build, so that the build script rewrites the file" } facade :: __private :: no_table :: < facade :: __private :: f32 , 5 , 6 > () }"##);
    posenc::build_script::write_table::<f32>("pe", &posenc::Spec::new(6), 5).expect("a file");
    posenc::build_script::write_table::<f32>("other", &posenc::Spec::new(6), 5).expect("a file");
    insta::assert_snapshot!(expansion("5, 6, file = \"ep\""), @r##"const { facade :: __private :: core :: compile_error ! { "the file `ep.posenc` is missing; the build script's folder `OUT_DIR` has the tables `other`, `pe`; name one that is there, or write this one in the build script with `posenc::build_script::write_table(\"ep\", ..)`; if the script does so already, run `cargo clean --package demo` with the same `--release`, `--profile` or `--target` as the build, so that the build script rewrites the file" } facade :: __private :: no_table :: < facade :: __private :: f32 , 5 , 6 > () }"##);
    let grid = expand(TableKind::Grid, tokens("little (facade) (5, 7), 8, file = \"ep\""), None).to_string();
    assert!(grid.contains(r#"in the build script with `posenc::build_script::write_grid(\"ep\", ..)`; if"#), "{grid}");
    let included = expansion("5, 6, file = \"pe\"");
    assert!(included.contains("include_bytes"), "{included}");
    assert!(included.contains(r#""sinusoidal_table!(5, 6, dtype = f32)""#), "{included}");
    let named = expansion("static A = (N, 6, start = -LAST, max_bytes = 9, file = \"pe\");");
    assert!(named.contains(r#""sinusoidal_table!(N, 6, start = - LAST)""#), "{named}");
    let sound = fs::read(&path).expect("the file");
    let mut damaged = sound.clone();
    damaged[32..36].fill(0x55);
    fs::write(&path, &damaged).expect("the file");
    insta::assert_snapshot!(expansion("5, 6, file = \"pe\""), @r#"const { facade :: __private :: core :: compile_error ! { "the file `OUT_DIR/pe.posenc` is damaged: its content has changed since it was written; run `cargo clean --package demo` with the same `--release`, `--profile` or `--target` as the build, so that the build script rewrites the file" } facade :: __private :: no_table :: < facade :: __private :: f32 , 5 , 6 > () }"#);
    insta::assert_snapshot!(expansion("static A = (N, 6, file = \"pe\");"), @r#"facade :: __private :: core :: compile_error ! { "the file `OUT_DIR/pe.posenc` is damaged: its content has changed since it was written; run `cargo clean --package demo` with the same `--release`, `--profile` or `--target` as the build, so that the build script rewrites the file" } static A : [[facade :: __private :: f32 ; 6] ; N] = { facade :: __private :: no_table :: < facade :: __private :: f32 , { N } , 6 > () } ;"#);
    posenc::build_script::write_table::<f32>("pe", &posenc::Spec::new(6), 5).expect("a file");
    assert_eq!(fs::read(&path).expect("the file"), sound);

    fs::write(&path, [&sound[..sound.len() - 1], b"1"].concat()).expect("the file");
    insta::assert_snapshot!(expansion("5, 6, file = \"pe\""), @r#"const { facade :: __private :: core :: compile_error ! { "the file `OUT_DIR/pe.posenc` was written by a version of posenc other than VERSION; use the same version in `build-dependencies` and `dependencies`, then run `cargo clean --package demo` with the same `--release`, `--profile` or `--target` as the build, so that the build script rewrites the file" } facade :: __private :: no_table :: < facade :: __private :: f32 , 5 , 6 > () }"#);
}

#[test]
fn braces_around_a_value_are_parentheses() {
    for (braces, parentheses) in [
        ("2, {4}", "2, (4)"),
        ("{N}, 4", "(N), 4"),
        ("2, 4, unit = {16/15}", "2, 4, unit = (16/15)"),
        ("2, 4, unit = {16*N/15}", "2, 4, unit = (16*N/15)"),
        ("2, 4, scale = {{N} / 4}", "2, 4, scale = ((N) / 4)"),
        ("2, 4, start = 1 + {N / 2}", "2, 4, start = 1 + (N / 2)"),
    ] {
        // Sentences show what is written.
        let braces = expansion("little", braces).replace("{ N } /", "(N) /");
        assert_eq!(braces, expansion("little", parentheses));
    }
    let without_spaces = |text: &str| text.replace(' ', "");
    for other in ["width!({ N })", "width::<{ N }>()", "Width { n: N }.n"] {
        let expansion = expansion("little", &format!("2, {other}"));
        assert!(without_spaces(&expansion).contains(&without_spaces(other)), "{other}: {expansion}");
    }
}

#[test]
fn what_only_the_compiler_reads_is_left_to_it() {
    for value in [
        "(f::<u8, u8>())",
        "g(f::<A, B>(), 1)",
        "(<T as Of<A, B>>::N)",
        "S { n: f::<A, B>() }.n",
        "S { 0: 4 }.0",
        "f(N as _)",
        "N as _ << 1",
        "f(&mut 4)",
        "m!(;)",
    ] {
        let expansion = expansion("little", &format!("2, {value}"));
        assert!(!expansion.contains("compile_error"), "{value}: {expansion}");
    }
    for (braces, parentheses) in [("{N}[0]", "(N) [0]"), ("{f}(4)", "(f) (4)"), ("{N}.len()", "(N) . len ()")] {
        let expansion = expansion("little", &format!("2, {braces}"));
        assert!(expansion.contains(parentheses), "{braces}: {expansion}");
    }
}

#[test]
fn what_is_no_value_is_told_with_what_to_write() {
    let told = |input: &str, sentence: &str| {
        let expansion = expansion("little", input).replace("\\\"", "'");
        assert!(expansion.contains(sentence), "{input}: {expansion}");
    };
    told("2, if N { 4 } else { 8 }", "such as `const N: usize = if N { 4 } else { 8 };`, and its name here");
    told("2, 4, scale = 1 + match N { _ => 4 }", "blocks, `if` and `match` are not supported here");
    told("2, 4, scale = { N; 4 }", "blocks, `if` and `match` are not supported here");
    told("2, 4, scale = N { 4 }", "expected a value, found `N { 4 }`");
    told("2, 4, scaling = linear[8]", "`scaling` is `linear [8]`, but must be a rule with its arguments");
    told("4 8", "expected a comma between `4` and `8`");
    told("N 8", "expected a comma between `N` and `8`");
    told("(4) 8", "expected a comma between `(4)` and `8`");
    told("2, 4, frequencies = [1, N 0.5]", "expected a comma between `N` and `0.5`");
    told("2, 4, base 2", "expected a value, found `base 2`");
    told("2, N as", "expected a value, found `N as`");
    for none in ["X ?", "X . 0 :: < u8 > (3)", "X . n :: < u8 >", "S { .. D , a : 1 }", "f (N as [u8])"] {
        told(&format!("2, {none}"), "expected a value, found");
    }
    told("static fn = (2, 4);", "expected the name of the table");
    told("static ref A = (2, 4);", "expected the name of the table");
    told("pub [x] static A = (2, 4);", "expected `static` or `const`");
    told("4_u32, 2", "unsupported suffix `u32`; write `4`");
    told("0x10i64, 2", "unsupported suffix `i64`; write `0x10`");
    told("4k, 2", "unsupported suffix `k`; write the number in full");
    told("4, 2, scale = 1f32", "unsupported suffix `f32`; write the number in full");
}

#[test]
fn what_is_meant_by_a_wrong_name_is_told() {
    let told = |kind: TableKind, input: &str, sentence: &str| {
        let call = tokens(&format!("little (facade) {input}"));
        let expansion = expand(kind, call, None).to_string().replace("\\\"", "'");
        assert!(expansion.contains(sentence), "{input}: {expansion}");
    };
    let constant = "; use the name itself, because a macro does not see the value of a constant";
    let (sinusoidal, rotary, grid) = (TableKind::Sinusoidal, TableKind::Rotary, TableKind::Grid);
    for whisper in ["Preset::Whisper", "posenc::Preset::Whisper", "Whisper", "WHISPER", "m::WHISPER"] {
        told(sinusoidal, &format!("2, 4, preset = {whisper}"), &format!("`{whisper}`; did you mean `whisper`?"));
    }
    told(sinusoidal, "2, 4, preset = \"opennmt_tf\"", "; did you mean `opennmt_tf`?");
    told(sinusoidal, "2, 4, preset = m::PRESET", constant);
    told(sinusoidal, "2, 4, preset = PRESET", constant);
    told(sinusoidal, "2, 4, preset = m::preset", constant);
    told(sinusoidal, "2, 4, layout = Layout::Halves", "did you mean `halves`?");
    told(sinusoidal, "2, 4, layout = m::LAYOUT", "; use the name itself");
    told(sinusoidal, "2, 4, preset = roberta", "; this model uses learned positions and has no sinusoidal table");
    told(sinusoidal, "2, 4, preset = llama", "; use `rotary_table!(seq_len, ..)` with `llama2`");
    told(sinusoidal, "2, 4, preset = qwen3", "; use `rotary_table!(seq_len, ..)` with `qwen3`");
    told(
        sinusoidal,
        "2, 4, preset = gemma3",
        "; use `rotary_table!(seq_len, ..)` with `gemma3_global` and `gemma3_local`",
    );
    told(sinusoidal, "2, 4, preset = mae", "; use `grid_table!` with `mae`");
    told(sinusoidal, "2, 4, preset = gemma3_globl", "; use `rotary_table!(seq_len, ..)` with `gemma3_global`");
    told(sinusoidal, "2, 4, preset = wisper", "; did you mean `whisper`?");
    told(sinusoidal, "2, 4, preset = resnet", "unknown preset `resnet`; the presets are");
    told(rotary, "2, 4, preset = whisper", "; use `sinusoidal_table!` with `whisper`");
    told(rotary, "2, 4, preset = RopePreset::Llama2", "; did you mean `llama2`?");
    told(rotary, "2, 4, packing = Packing::CosSin", "did you mean `cos_sin`?");
    told(grid, "(2, 2), 4, preset = GridPreset::Mae", "; did you mean `mae`?");
    told(grid, "(2, 2), 4, preset = vit", "; this model uses learned positions and has no sinusoidal table");
    told(grid, "(2, 2), 4, nest = Nest::Interleaved", "`nest` is `Nest::Interleaved`, but must be one of");
}

#[test]
fn items_are_distinguished_from_arguments() {
    for items in ["static A = (2, 4);", "const A = (2, 4);", "pub static A = (2, 4);", "pub(crate) const A = (2, 4);"] {
        assert!(is_items(&tokens(items)) && is_items(&tokens(&format!("/// Docs.\n{items}"))), "{items}");
    }
    for arguments in ["2, 4", "N, 4", "N as usize, 4", "const { 2 }, 4", "(2, 3), 8", ""] {
        assert!(!is_items(&tokens(arguments)), "{arguments}");
    }
}

#[test]
fn items_have_the_type_of_their_tables() {
    insta::assert_snapshot!(expansion(
        "little",
        "/// Docs.\n pub static A = (2, 4); #[cfg(any())] const B: Aligned = (1, D); static C = (2, 4, base = 0);"
    ));
    insta::assert_snapshot!(expansion("little", "pub static A = (2, 4)"));
}

#[test]
fn a_refusal_expands_to_its_errors_and_a_value_of_the_type_if_that_is_known() {
    insta::assert_snapshot!(expansion("little", "2, 4, base = 0"), @r#"const { facade :: __private :: core :: compile_error ! { "`base` is 0.0, but must be finite and greater than 0; the paper uses 10000" } facade :: __private :: no_table :: < facade :: __private :: f32 , 2 , 4 > () }"#);
    insta::assert_snapshot!(expansion("little", "2, 0, strat = 1"), @r#"const { facade :: __private :: core :: compile_error ! { "`d_model` is 0, but must be from 1 to 16777216; set it to the width of the embeddings" } facade :: __private :: core :: compile_error ! { "unknown key `strat`; did you mean `start`?" } }"#);
    insta::assert_snapshot!(expansion("little", ""), @r#"const { facade :: __private :: core :: compile_error ! { "`seq_len` and `d_model` are missing; write `sinusoidal_table!(seq_len, d_model, key = value, ...)`" } }"#);
}

#[test]
fn big_endian_bytes_are_the_little_endian_ones_entry_by_entry_reversed() {
    let bytes = |byte_order: &str, dtype: &str| {
        let call = tokens(&format!("{byte_order} (facade) 5, 7, dtype = {dtype}"));
        let literal = expand(TableKind::Sinusoidal, call, None).into_iter().find_map(literal_within);
        let literal: Option<syn::LitByteStr> = literal;
        literal.expect("a byte string").value()
    };
    for (dtype, size) in [("f32", 4), ("f64", 8), ("f16_bits", 2), ("bf16_bits", 2)] {
        let mut reversed = bytes("big", dtype);
        reversed.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        assert_eq!(bytes("little", dtype), reversed);
        assert_ne!(bytes("little", dtype), bytes("big", dtype));
    }
}

fn literal_within<L: syn::parse::Parse>(token: TokenTree) -> Option<L> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().find_map(literal_within),
        token => syn::parse2(token.into()).ok(),
    }
}

#[test]
fn numbers_are_read_as_rust_writes_them() {
    let value = |text: &str| {
        let tokens: Vec<_> = tokens(text).into_iter().collect();
        number(&Expression::parse(&tokens).expect("an expression")).ok()
    };
    for (text, expected) in [
        ("512", 512),
        ("5_0_0", 500),
        ("0x200", 0x200),
        ("0o17", 0o17),
        ("0b101", 0b101),
        ("512usize", 512),
        ("-3", -3),
        ("-(-3)", 3),
        ("64 * 8", 512),
        ("1 << 12", 4096),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("1 << 2 + 3", 32),
        ("8 / 2 - 7 % 2", 3),
        ("1024 >> 3", 128),
        ("1 - 2 - 3", -4),
    ] {
        assert_eq!(value(text), Some(Number::Integer(expected)), "{text}");
    }
    for (text, expected) in [("1e4", 1e4), ("10_000.0", 1e4), ("-2.5", -2.5), ("10000f64", 1e4), ("1.5f64", 1.5)] {
        assert_eq!(value(text), Some(Number::Float(expected)), "{text}");
    }
    for text in [
        "1 << 127",
        "1 << 200",
        "1 << -1",
        "8 >> 128",
        "1 / 0",
        "7 / 2",
        "-1 / 8",
        "true",
        "'a'",
        "!0",
        "4k",
        "4u8",
        "0x1p4",
        "0.1f32",
        "10_000.0kHz",
        "8 | 1",
        "2.0 * 2",
    ] {
        assert_eq!(value(text), None, "{text}");
    }
}

fn answer(input: TokenStream) {
    if let Ok(arguments) = arguments::arguments(input, TableKind::Sinusoidal) {
        let _ = sinusoidal::table(&arguments, &quote!(facade), &mut Lists::default());
    }
}

properties! {
    #![cases(64)]

    /// There is an answer for any tokens. The tables are not computed, because some would take long.
    #[test]
    fn no_input_makes_the_reader_panic(text in "[-0-9a-z_=,.;:()<>*/%+!\"' ]{0,60}") {
        if let Ok(input) = text.parse::<TokenStream>() {
            answer(input);
        }
    }

    #[test]
    fn no_value_of_a_key_makes_the_reader_panic(
        seq_len in value(), d_model in value(), key in "dtype|base|freq_shift|frequencies|start|step|scale|unit|amplitude|zero_row|layout|preset|max_bytes|[a-z_]{1,9}", other in value(),
    ) {
        let text = format!("{seq_len}, {d_model}, {key} = {other}");
        if let Ok(input) = text.parse::<TokenStream>() {
            answer(input);
        }
    }

    #[test]
    fn no_rule_makes_the_reader_panic(d_model in "4|N", rule in rule()) {
        if let Ok(input) = format!("2, {d_model}, scaling = {rule}").parse::<TokenStream>() {
            answer(input);
        }
    }
}

/// Expands the macro call that a spec displays as: returns the bytes of its first rows, or the error messages.
fn baked(shown: &str, rows: usize) -> Result<Vec<u8>, Vec<String>> {
    let call = shown.replacen("seq_len", &rows.to_string(), 1);
    let input = call.strip_prefix("sinusoidal_table!(").and_then(|call| call.strip_suffix(')')).expect("a macro call");
    let sentences = |diagnostics: Vec<Diagnostic>| -> Vec<_> {
        diagnostics.into_iter().map(|diagnostic| diagnostic.sentence).collect()
    };
    let arguments = arguments::arguments(tokens(input), TableKind::Sinusoidal).map_err(sentences)?;
    let mut lists = Lists::default();
    let request =
        sinusoidal::table(&arguments, &quote!(facade), &mut lists).map_err(|refusal| sentences(refusal.diagnostics))?;
    let Source::Macro(_, table) = &request[0].source else { panic!("there are no names in it") };
    Ok(table.entries(false).expect("a checked spec"))
}

properties! {
    #![cases(64)]

    #[test]
    fn a_spec_shows_itself_as_the_call_that_makes_its_table(drawn in any_spec::valid(4)) {
        let mut rows = vec![0f32; 4 * drawn.spec().d_model()];
        drawn.spec().const_fill(0.., &mut rows).unwrap();
        let bytes: Vec<u8> = rows.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        prop_assert_eq!(baked(&drawn.spec().to_string(), 4), Ok(bytes));
    }

    /// The messages are the same as at run time. NaN and infinities have no literals, so they are left out.
    #[test]
    fn the_same_mistake_gets_the_same_sentence(drawn in any_spec::wild()) {
        let shown = drawn.spec().to_string();
        prop_assume!(!shown.contains("NaN") && !shown.contains("inf"));
        match (baked(&shown, 3), drawn.spec().check_table::<f32>(3, 256 << 20)) {
            (Ok(bytes), checked) => prop_assert_eq!(checked, Ok(bytes.len())),
            (Err(sentences), checked) => {
                let sentence = checked.unwrap_err().to_string();
                // A `start` that is invalid by itself is reported before conflicts between parameters.
                let start = |said: &String| said.starts_with("the position of a row");
                prop_assert!(sentences.contains(&sentence) || sentences.iter().any(start), "{sentences:?} {sentence}");
            }
        }
    }
}

#[test]
fn a_group_without_delimiters_keeps_its_precedence() {
    // `$n * 2` in a `macro_rules!` that is called with `1 + 1` as `$n:expr`.
    let group = proc_macro2::Group::new(proc_macro2::Delimiter::None, quote!(1 + 1));
    let tokens: Vec<_> = quote!(#group * 2).into_iter().collect();
    let product = Expression::parse(&tokens).expect("an expression");
    assert_eq!(number(&product).ok(), Some(Number::Integer(4)));
}

/// `$e` in a `macro_rules!` that is called with more than the arguments.
#[test]
fn the_whole_fragment_of_an_item_is_read() {
    let expansion = |arguments: &str| {
        let fragment = proc_macro2::Group::new(proc_macro2::Delimiter::None, tokens(arguments));
        expand(TableKind::Sinusoidal, quote!(little (facade) static A = #fragment;), None).to_string()
    };
    assert!(expansion("(2, 4)").starts_with("static A"));
    assert!(expansion("(2, 4).len()").contains("expected the arguments of the table in parentheses"));
    let typed = |wrapper: &str| {
        let fragment = proc_macro2::Group::new(proc_macro2::Delimiter::None, tokens(wrapper));
        let call = quote!(little (facade) static A: #fragment = (2, 4););
        expand(TableKind::Sinusoidal, call, None).to_string()
    };
    assert!(typed("Aligned").starts_with("static A : facade :: Aligned"));
    assert!(typed("Aligned<u8>").contains("the type of the table is inferred"));
}

#[test]
fn a_scale_in_single_precision_may_be_an_integer() {
    let scale = |scale: &str| expansion("little", &format!("2, 4, dtype = i8({scale}), amplitude = 100"));
    assert_eq!(scale("1f32"), scale("1.0"));
    assert_eq!(scale("1_f32"), scale("1"));
}

/// The code of a large number is the same on all targets. A limit may be beyond the address space of a small one, but no
/// other size.
#[test]
fn large_sizes_are_checked_on_the_target() {
    let option = |option: &str| expansion("little", &format!("N, 4, {option}"));
    assert!(option("max_bytes = 1 << 32").contains("convert :: limit (4294967296)"));
    assert!(option("zero_row = 1 << 32").contains("convert :: size (\"zero_row\" , 4294967296)"));
    assert!(option("zero_row = 4294967295").contains("zero_row (4294967295)"));
}
