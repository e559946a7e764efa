//! The macro: its grammar, and the keys that are not parameters of `Spec`.

use posenc::reflection::TableKind;
use posenc_macros_core::{expand, keys};
use proc_macro2::{TokenStream, TokenTree};
use syn::{LitByteStr, LitStr};

use crate::call::Row;
use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part(
        "The macro",
        "Only the macro can detect these errors. Each is a compile error at its token. The keys that are methods of `Spec` are above. \
         The compiler's complete output, including named constants, is in the repository's `tests/compiler`.",
    );
    for (title, inputs) in [
        ("Sizes", SIZES),
        ("Numbers", NUMBERS),
        ("`dtype`, `preset`, and keys that are choices", CHOICES),
        ("`max_bytes`, `file`", LIMITS),
        ("Keys", GRAMMAR),
        ("Items", ITEMS),
    ] {
        document.section(title, "");
        document.calls(answers(inputs));
    }
    let calls: Vec<_> = document.headings.iter().flat_map(|heading| &heading.calls).collect();
    for key in keys(TableKind::Sinusoidal) {
        let given = format!(", {key} = ");
        assert!(calls.iter().any(|call| call.contains(&given)), "the key `{key}` has no row in `tests/bad-input`");
    }
}

const SIZES: &[&str] = &[
    "",
    "2",
    "2, 4, 8",
    "0, 4",
    "-1, 4",
    "2, -1",
    "2.0, 4",
    "\"2\", 4",
    "18446744073709551615, 4",
    "18446744073709551616, 4",
    "16777217, 4",
];

const NUMBERS: &[&str] = &[
    "2, 4, base = 9007199254740993",
    "2, 4, scale = 1 / 8",
    "2, 4, scale = 1 / 0",
    "2, 4, scale = 8 | 1",
    "2, 4, scale = 0.1f32",
    "2, 4, scale = 1e-999",
    "2, 4, unit = 0.5",
    "2, 4, unit = 8/15/2",
    "2, 4, unit = [8, 15]",
    "2, 4, start = 0.5",
    "2, 4, start = 9223372036854775808",
    "2, 4, start = 170141183460469231731687303715884105728",
    "2, 4, step = 9223372036854775808",
    "2, 4, zero_row = -1",
    "2, 4, frequencies = 1.0",
    "2, 4, frequencies = [1.0, \"2\"]",
    "2, 4, scaling = linear(0.1f32)",
    "2, 4, scaling = yarn(8, 4096, truncate = 1)",
    "2, 4, scaling = longrope(1.0, 8, 4096)",
    "2, 4, base = true",
    "2, 4, amplitude = big",
];

const CHOICES: &[&str] = &[
    "2, 4, dtype = f8",
    "2, 4, dtype = float32",
    "2, 4, dtype = int8",
    "2, 4, dtype = i8",
    "2, 4, dtype = i8()",
    "2, 4, dtype = i8(0)",
    "2, 4, dtype = i8(1/0)",
    "2, 4, dtype = i8(1.5/127)",
    "2, 4, dtype = i8(0.1f16)",
    "2, 4, dtype = i8(1/127, 0.5)",
    "2, 4, dtype = i8(1/127, 128)",
    "2, 4, dtype = i8(1/127, 5000000000)",
    "2, 4, dtype = i8(1/127, 0, 1)",
    "2, 4, dtype = i8(1/127, 2)",
    "2, 4, dtype = i16(1/32767, 1)",
    "2, 4, dtype = q15(1/2)",
    "2, 4, dtype = f32(1/2)",
    "2, 4, dtype = q7, amplitude = 2",
    "2, 4, preset = bert",
    "2, 4, layout = interleave",
    "2, 4, columns = sine",
    "2, 4, frequency_dtype = float32",
    "2, 4, frequency_dtype = period(bf16)",
    "2, 4, pairing = 1",
    "2, 4, odd = last_cos",
    "2, 4, scaling = yarm(8, 4096)",
    "2, 4, scaling = su",
    "2, 4, scaling = 8",
    "2, 4, scaling = linear",
    "2, 4, scaling = linear(8, 2)",
    "2, 4, scaling = linear(faktor = 8)",
    "2, 4, scaling = linear(8, factor = 2)",
    "2, 4, scaling = yarn(factor = 8, 4096)",
];

const LIMITS: &[&str] = &[
    "2, 4, max_bytes = 32",
    "2, 4, max_bytes = 31",
    "2, 4, max_bytes = -1",
    "2, 4, max_bytes = 18446744073709551616",
    "16, 4096, dtype = f64, scale = 1e300",
    "2, 4, file = \"../pe\"",
    "2, 4, file = pe",
];

const GRAMMAR: &[&str] = &[
    "2, 4, frequencies = [1, 0.5], base = 2",
    "2, 4, frequencies = [1, 0.5], freq_shift = 1",
    "2, 4, strat = 1",
    "2, 4, theta = 10000",
    "2, 4, base = 2, base = 3",
    "2, 4, base =",
    "2, 4, base: 2",
    "2, 4, base == 2",
    "2, 4, , base = 2",
    "base = 2, 2, 4",
    "seq_len = 2, 4",
];

const ITEMS: &[&str] =
    &["static PE = (2, 4)", "static PE = 2, 4;", "static PE: f32 = (2, 4);", "static PE = (2, 0);", "fn pe() {}"];

/// Writes the answers of another macro. The inputs must have every key of the kind of tables that they describe.
pub(crate) fn calls_of(document: &mut Document, name: &str, [kind, of_keys]: [TableKind; 2], inputs: &[&str]) {
    let answer = |input: &&str| Row::new(&format!("{name}({input})"), told(&expanded_by(kind, input)));
    document.calls(inputs.iter().map(answer).collect());
    let given = |key: &&str| inputs.iter().any(|input| input.contains(&format!(", {key} = ")));
    let missing: Vec<_> = keys(of_keys).iter().filter(|key| !given(key)).collect();
    assert!(missing.is_empty(), "these keys of `{name}` have no row in `tests/bad-input`: {missing:?}");
}

fn answers(inputs: &[&str]) -> Vec<Row> {
    let answer = |input: &&str| Row::new(&call(input), told(&expanded(input)));
    inputs.iter().map(answer).collect()
}

/// Returns the source text of the macro call.
pub(crate) fn call(input: &str) -> String {
    if input.starts_with("static") || input.starts_with("fn") {
        return format!("sinusoidal_table! {{ {input} }}");
    }
    format!("sinusoidal_table!({input})")
}

/// Returns the bytes of the table that the macro bakes for a little-endian target, or its error messages.
pub(crate) fn expanded(input: &str) -> Result<Vec<u8>, Vec<String>> {
    expanded_by(TableKind::Sinusoidal, input)
}

/// Does the same with one of the macros.
pub(crate) fn expanded_by(kind: TableKind, input: &str) -> Result<Vec<u8>, Vec<String>> {
    let expansion = expand(kind, format!("little (facade) {input}").parse().expect("these are tokens"), None);
    let mut errors = Vec::new();
    collect_errors(expansion.clone(), &mut errors);
    if errors.is_empty() {
        Ok(expansion.into_iter().find_map(literal_within).expect("a byte string").value())
    } else {
        Err(errors)
    }
}

/// Collects the messages of all `compile_error!`s.
fn collect_errors(tokens: TokenStream, errors: &mut Vec<String>) {
    let mut is_error = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => is_error = ident == "compile_error",
            TokenTree::Group(group) if is_error => {
                errors.push(syn::parse2::<LitStr>(group.stream()).expect("a sentence").value());
            }
            TokenTree::Group(group) => collect_errors(group.stream(), errors),
            _ => {}
        }
    }
}

/// Returns the byte string literal that contains the table.
fn literal_within(token: TokenTree) -> Option<LitByteStr> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().find_map(literal_within),
        token => syn::parse2(token.into()).ok(),
    }
}

pub(crate) fn told(answer: &Result<Vec<u8>, Vec<String>>) -> String {
    match answer {
        Ok(bytes) => format!("a table of {} bytes", bytes.len()),
        Err(sentences) => sentences.join(". Also: "),
    }
}
