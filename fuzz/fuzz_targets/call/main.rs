//! Arbitrary text as the arguments of `sinusoidal_table!`, of `rotary_table!` and of `grid_table!`.
//!
//! For any input the macros must return Rust code, either the tables that are computed at run time or compile errors.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use posenc::half::{bf16, f16};
use posenc::{Element, Q7, Q15, Q31, Spec};
use posenc_macros_core::{Outcome, TableKind, expand, foresee, is_items};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

mod grid;
mod rope;

fuzz_target!(|text: &[u8]| -> Corpus {
    let tokens = std::str::from_utf8(text).ok().and_then(|text| text.parse::<TokenStream>().ok());
    let Some(input) = tokens.map(fragments) else { return Corpus::Reject };
    let answered = TableKind::ALL.iter().map(|&kind| answers(kind, &input)).collect::<Vec<_>>();
    if answered.contains(&true) { Corpus::Keep } else { Corpus::Reject }
});

/// Turns `$(...)` into a group without delimiters, as for a fragment of the user's own `macro_rules!`.
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

/// What the expansion of a call must be.
#[derive(Default)]
struct Foreseen {
    /// The tables that the macro computes, as at run time.
    tables: Vec<Vec<u8>>,
    refused: bool,
    /// Whether a table would take long, and is not among `tables`.
    slow: bool,
}

impl Foreseen {
    fn of(kind: TableKind, input: &TokenStream) -> Self {
        let mut foreseen = Self::default();
        foresee(kind, input.clone(), |outcome| match outcome {
            Outcome::Baked { spec, seq_len, dtype, bytes } => {
                if kind == TableKind::Rotary {
                    rope::check(spec, *seq_len);
                }
                if is_quick(spec, *bytes) {
                    let table = computed(spec, *seq_len, dtype);
                    assert_eq!(table.len(), *bytes);
                    foreseen.tables.push(table);
                } else {
                    foreseen.slow = true;
                }
            }
            Outcome::BakedGrid { grid, dtype, bytes } => {
                if *bytes <= MOST_BYTES && !grid::is_slow(grid) {
                    let table = grid::computed(grid, dtype);
                    assert_eq!(table.len(), *bytes);
                    foreseen.tables.push(table);
                } else {
                    foreseen.slow = true;
                }
            }
            Outcome::Left => {}
            Outcome::Refused => foreseen.refused = true,
        });
        foreseen
    }
}

/// Expands a call, unless that would take long.
fn answers(kind: TableKind, input: &TokenStream) -> bool {
    let Foreseen { tables, refused, slow } = Foreseen::of(kind, input);
    if slow {
        return false;
    }
    let [little, big] = ["little", "big"].map(|byte_order| expand(kind, call(byte_order, input), None));
    let (mut little_tables, mut big_tables) = (Vec::new(), Vec::new());
    let [shown, shown_big] = [(&little, &mut little_tables), (&big, &mut big_tables)]
        .map(|(tokens, tables)| without_tables(tokens.clone(), tables).to_string());
    assert_eq!(shown, shown_big);
    let mut written = Vec::new();
    without_tables(input.clone(), &mut written);
    // The user's own byte strings may be mixed with the tables.
    if written.is_empty() {
        assert!(little_tables == tables, "{shown}");
        for (little, big) in little_tables.iter().zip(&mut big_tables) {
            big.reverse();
            assert!(is_same_by_entries(little, big), "{shown}");
        }
    }
    assert_eq!(shown.contains("facade :: __private :: core :: compile_error !"), refused, "{shown}");
    let parsed = if is_items(input) {
        judge::parse_str::<judge::File>(&shown).map(drop)
    } else {
        judge::parse_str::<judge::Expr>(&shown).map(drop)
    };
    assert!(parsed.is_ok() || passes_on_unread(input), "{}: {shown}", parsed.unwrap_err());
    true
}

/// Returns whether the input may have generic arguments, attributes or a visibility, which only the compiler reads.
fn passes_on_unread(input: &TokenStream) -> bool {
    let text = input.to_string().replace("<<", "").replace("<=", "");
    ["<", "#", "pub ("].iter().any(|start| text.contains(start))
}

/// Returns the input as the facade passes it on.
fn call(byte_order: &str, input: &TokenStream) -> TokenStream {
    let byte_order = Ident::new(byte_order, Span::call_site());
    let facade = Ident::new("facade", Span::call_site());
    let facade = Group::new(Delimiter::Parenthesis, TokenTree::from(facade).into());
    [byte_order.into(), facade.into()].into_iter().chain(input.clone()).collect()
}

/// The largest table to compute.
const MOST_BYTES: usize = 1 << 12;

/// Returns whether expansion is fast. If the angles have hundreds of integer bits, an entry takes up to
/// milliseconds.
fn is_quick(spec: &Spec, bytes: usize) -> bool {
    bytes <= MOST_BYTES
        && (bytes <= 64 || spec.angular_frequencies().is_ok_and(|mut all| all.all(|frequency| frequency.abs() < 1e60)))
}

/// Returns a table that is computed at run time, in little-endian byte order.
fn computed(spec: &Spec, seq_len: usize, dtype: &str) -> Vec<u8> {
    fn of<T: Element>(spec: &Spec, seq_len: usize) -> Vec<T> {
        spec.table::<T>(seq_len).expect("the macro can compute it").into_vec()
    }
    match dtype {
        "f32" => bytes(&of(spec, seq_len), f32::to_le_bytes),
        "f64" => bytes(&of(spec, seq_len), f64::to_le_bytes),
        "f16" | "f16_bits" => bytes(&of(spec, seq_len), f16::to_le_bytes),
        "bf16" | "bf16_bits" => bytes(&of(spec, seq_len), bf16::to_le_bytes),
        "q7" => bytes(&of(spec, seq_len), |entry: Q7| entry.to_bits().to_le_bytes()),
        "q15" => bytes(&of(spec, seq_len), |entry: Q15| entry.to_bits().to_le_bytes()),
        "q31" => bytes(&of(spec, seq_len), |entry: Q31| entry.to_bits().to_le_bytes()),
        "i8" => bytes(&of(spec, seq_len), i8::to_le_bytes),
        "u8" => bytes(&of(spec, seq_len), u8::to_le_bytes),
        "i16" => bytes(&of(spec, seq_len), i16::to_le_bytes),
        _ => panic!("an unknown element type: {dtype}"),
    }
}

fn bytes<T: Copy, const N: usize>(entries: &[T], entry: fn(T) -> [u8; N]) -> Vec<u8> {
    entries.iter().copied().flat_map(entry).collect()
}

/// Returns the tokens without the tables, which go to `tables`.
fn without_tables(tokens: TokenStream, tables: &mut Vec<Vec<u8>>) -> TokenStream {
    let mut without = |token| match token {
        TokenTree::Group(group) => Group::new(group.delimiter(), without_tables(group.stream(), tables)).into(),
        TokenTree::Literal(literal) => {
            match judge::parse2::<judge::LitByteStr>(TokenTree::from(literal.clone()).into()) {
                Ok(bytes) => {
                    tables.push(bytes.value());
                    TokenTree::Group(Group::new(Delimiter::Parenthesis, TokenStream::new()))
                }
                Err(_) => literal.into(),
            }
        }
        token => token,
    };
    tokens.into_iter().map(&mut without).collect()
}

/// Returns whether the entries of two tables differ only in byte order, the second table being reversed.
///
/// Then the first table, reversed entry by entry, equals the second, for some entry size.
fn is_same_by_entries(little: &[u8], reversed: &[u8]) -> bool {
    [1, 2, 4, 8]
        .into_iter()
        .any(|size| little.len().is_multiple_of(size) && little.chunks(size).eq(reversed.rchunks(size)))
}
