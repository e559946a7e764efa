//! Text as the arguments of `sinusoidal_table!`: whatever stands there, the macro answers with Rust code, a table's or that of errors.
//!
//! The modules are those of `posenc-macros`, which cannot be linked, being a procedural macro.
#![no_main]

#[path = "../../pe-macros/src/code.rs"]
mod code;
#[path = "../../pe-macros/src/complaint.rs"]
mod complaint;
#[path = "../../pe-macros/src/declare.rs"]
mod declare;
#[path = "../../pe-macros/src/dtype.rs"]
mod dtype;
#[path = "../../pe-macros/src/emit.rs"]
mod emit;
#[path = "../../pe-macros/src/evaluate.rs"]
mod evaluate;
#[path = "../../pe-macros/src/expand.rs"]
mod expand;
#[path = "../../pe-macros/src/file.rs"]
mod file;
#[path = "../../pe-macros/src/number.rs"]
mod number;
#[path = "../../pe-macros/src/parse.rs"]
mod parse;
#[path = "../../pe-macros/src/settings.rs"]
mod settings;
#[path = "../../pe-macros/src/spec.rs"]
mod spec;

use libfuzzer_sys::{Corpus, fuzz_target};
use posenc_runtime::Spec;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use crate::expand::expand;
use crate::parse::Call;
use crate::spec::{Door, Request};

fuzz_target!(|text: &[u8]| -> Corpus {
    let tokens = std::str::from_utf8(text).ok().and_then(|text| text.parse::<TokenStream>().ok());
    match tokens.map(fragments) {
        Some(input) if answers(&input) => Corpus::Keep,
        _ => Corpus::Reject,
    }
});

/// `$(...)` as what a fragment of the user's own `macro_rules!` is: a group without delimiters.
fn fragments(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut fragments = Vec::new();
    while let Some(token) = tokens.next() {
        let (delimiter, group) = match (token, tokens.peek()) {
            (TokenTree::Punct(dollar), Some(TokenTree::Group(group)))
                if dollar.as_char() == '$' && group.delimiter() == Delimiter::Parenthesis =>
            {
                let group = group.clone();
                tokens.next();
                (Delimiter::None, group)
            }
            (TokenTree::Group(group), _) => (group.delimiter(), group),
            (token, _) => {
                fragments.push(token);
                continue;
            }
        };
        fragments.push(Group::new(delimiter, self::fragments(group.stream())).into());
    }
    fragments.into_iter().collect()
}

/// Expands a call, unless that would take long.
fn answers(input: &TokenStream) -> bool {
    let facade = quote!(facade);
    let (items, calls) = if declare::declares(input) {
        let items = declare::declarations(input.clone());
        (true, items.ok().map(|items| items.into_iter().map(|item| item.arguments).collect::<Vec<_>>()))
    } else {
        (false, Some(vec![input.clone()]))
    };
    let verdicts: Option<Vec<_>> =
        calls.iter().flatten().map(|arguments| Verdict::of(arguments.clone(), &facade)).collect();
    let Some(verdicts) = verdicts else { return false };
    let refused = calls.is_none() || verdicts.contains(&Verdict::Refused);
    let bytes: Vec<usize> = verdicts.iter().filter_map(Verdict::bytes).collect();

    let [little, big] =
        [false, true].map(|big_endian| expand(Call { big_endian, crate_path: facade.clone(), input: input.clone() }));
    let (mut little_tables, mut big_tables) = (Vec::new(), Vec::new());
    let [shown, shown_big] = [(&little, &mut little_tables), (&big, &mut big_tables)]
        .map(|(tokens, tables)| without_tables(tokens.clone(), tables).to_string());
    assert_eq!(shown, shown_big);
    let mut written = Vec::new();
    without_tables(input.clone(), &mut written);
    // Byte strings of the user may stand among the tables.
    if written.is_empty() {
        assert!(little_tables.iter().map(Vec::len).eq(bytes), "{shown}");
        for (little, big) in little_tables.iter().zip(&mut big_tables) {
            big.reverse();
            assert!(is_same_by_entries(little, big), "{shown}");
        }
    }
    assert_eq!(shown.contains("facade :: __private :: compile_error !"), refused, "{shown}");
    let parsed = if items {
        judge::parse_str::<judge::File>(&shown).map(drop)
    } else {
        judge::parse_str::<judge::Expr>(&shown).map(drop)
    };
    assert!(parsed.is_ok(), "{}: {shown}", parsed.unwrap_err());
    true
}

/// What becomes of a call.
#[derive(PartialEq)]
enum Verdict {
    /// A table of so many bytes.
    Baked(usize),
    /// Code for the compiler.
    Left,
    Refused,
}

impl Verdict {
    /// Nothing for a table that would take long.
    fn of(arguments: TokenStream, facade: &TokenStream) -> Option<Self> {
        let Ok(arguments) = parse::arguments(arguments) else { return Some(Self::Refused) };
        let mut frequencies = Vec::new();
        match spec::request(&arguments, facade, &mut frequencies) {
            Ok(Request { shape, door: Door::Macro { spec, seq_len } }) => {
                let bytes = shape.dtype.check_table(&spec, seq_len, MOST_BYTES).ok()?;
                is_quick(&spec, bytes).then_some(Self::Baked(bytes))
            }
            Ok(_) => Some(Self::Left),
            Err(_) => Some(Self::Refused),
        }
    }

    fn bytes(&self) -> Option<usize> {
        match self {
            Self::Baked(bytes) => Some(*bytes),
            _ => None,
        }
    }
}

/// The largest table that is made here.
const MOST_BYTES: usize = 1 << 12;

/// Where angles have hundreds of bits before the point an entry takes up to milliseconds.
fn is_quick(spec: &Spec, bytes: usize) -> bool {
    bytes <= 64 || spec.angular_frequencies().is_ok_and(|mut all| all.all(|frequency| frequency.abs() < 1e60))
}

/// The tokens, with the tables among them taken out.
fn without_tables(tokens: TokenStream, tables: &mut Vec<Vec<u8>>) -> TokenStream {
    let mut without = |token| match token {
        TokenTree::Group(group) => Group::new(group.delimiter(), without_tables(group.stream(), tables)).into(),
        TokenTree::Literal(literal) => match syn::parse2::<syn::LitByteStr>(quote!(#literal)) {
            Ok(bytes) => {
                tables.push(bytes.value());
                TokenTree::Group(Group::new(Delimiter::Parenthesis, TokenStream::new()))
            }
            Err(_) => literal.into(),
        },
        token => token,
    };
    tokens.into_iter().map(&mut without).collect()
}

/// Whether the entries of two tables, the second from back to front, differ in the order of their bytes alone: then the
/// first, reversed entry by entry, is the other, whatever the size of an entry is.
fn is_same_by_entries(little: &[u8], reversed: &[u8]) -> bool {
    [2, 4, 8]
        .into_iter()
        .any(|size| little.len().is_multiple_of(size) && little.chunks(size).eq(reversed.rchunks(size)))
}
