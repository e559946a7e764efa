//! Where there is unsafe code.

use std::collections::BTreeMap;

use anyhow::anyhow;
use proc_macro2::{LexError, TokenStream, TokenTree};

use crate::run::{Outcome, read};
use crate::workspace;

/// Returns all functions of the repository with unsafe code, by their files, and how often the keyword occurs in each.
pub(super) fn find() -> Outcome<BTreeMap<(String, String), usize>> {
    let mut found = BTreeMap::new();
    for file in workspace::files("*.rs")? {
        let functions = functions(&read(&file)?).map_err(|error| anyhow!("{file}: {error}"))?;
        found.extend(functions.into_iter().map(|(function, count)| ((file.clone(), function), count)));
    }
    Ok(found)
}

/// Returns the functions of a source with unsafe code. A function ends where the signature of the next one begins.
fn functions(source: &str) -> Result<BTreeMap<String, usize>, LexError> {
    let (mut tokens, mut found) = (Vec::new(), BTreeMap::new());
    flatten(source.parse()?, &mut tokens);
    let mut function = "no function";
    for (at, token) in tokens.iter().enumerate() {
        let mut rest = tokens[at..].iter().skip_while(|token| matches!(token.as_str(), "unsafe" | "extern" | "\"C\""));
        if let (Some("fn"), Some(name)) = (rest.next().map(String::as_str), rest.next())
            && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            function = name;
        }
        if token == "unsafe" {
            *found.entry(function.to_owned()).or_default() += 1;
        }
    }
    Ok(found)
}

/// Lists the tokens in a stream and its groups, of which only the opening brackets matter here.
fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    for token in stream {
        if let TokenTree::Group(group) = token {
            tokens.push("(".to_owned());
            flatten(group.stream(), tokens);
        } else {
            tokens.push(token.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn a_piece_of_unsafe_code_belongs_to_the_function_before_it() {
        let source = r#"unsafe extern {}
            #![allow(unsafe_code)] // unsafe
            fn safe() { text("unsafe", unsafe_code); }
            pub unsafe extern "C" fn f<T>(with: fn (T)) {
                let c = '"'; m!(unsafe { g() });
                unsafe { unsafe { h() } } // fn other(
            }"#;
        let found: Vec<_> = functions(source).unwrap().into_iter().collect();
        assert_eq!(found, [("f".to_owned(), 4), ("no function".to_owned(), 1)]);
    }
}
