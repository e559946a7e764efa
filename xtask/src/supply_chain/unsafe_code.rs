//! Where there is unsafe code, and whether all other code forbids it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{LexError, TokenStream, TokenTree};

use crate::failure::{Failure, Outcome, ensure};
use crate::root::{read, root};
use crate::supply_chain::packages::{Package, Target};
use crate::workspace;

/// A file and a function in it.
type Place = (String, String);

/// Returns all functions of the repository with unsafe code, and how often the keyword occurs in each.
pub(super) fn find() -> Outcome<BTreeMap<Place, usize>> {
    let mut found = BTreeMap::new();
    for file in workspace::files("*.rs")? {
        let functions = functions(&read(&file)?);
        for (function, count) in functions.map_err(|error| Failure::failed(format_args!("{file}: {error}")))? {
            found.insert((file.clone(), function), count);
        }
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

/// Returns the number of crates that forbid unsafe code. All except tests, benchmarks, and libraries that have some must.
pub(super) fn forbidding(packages: &[Package], found: &BTreeMap<Place, usize>) -> Outcome<usize> {
    let with_some =
        |folder: &Path| found.keys().any(|(file, _)| Some(folder) == file.split("/src/").next().map(Path::new));
    let mut roots = BTreeSet::new();
    for package in packages {
        let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
        let manifest = fs::read_to_string(&package.manifest_path)?;
        let has_some = folder.strip_prefix(root()).is_ok_and(with_some);
        for target in package.targets.iter().filter(|target| must_forbid(target, has_some)) {
            let source = fs::read_to_string(&target.src_path)?;
            ensure(forbids(&source, &manifest), || {
                let root = target.src_path.strip_prefix(root()).unwrap_or(&target.src_path);
                format!("{}: neither #![forbid(unsafe_code)] nor that in the manifest", root.display())
            })?;
            roots.insert(&target.src_path);
        }
    }
    Ok(roots.len())
}

fn must_forbid(target: &Target, package_has_some: bool) -> bool {
    let is = |kind: &str| target.kind.iter().any(|of| of == kind);
    !(is("test") || is("bench") || (is("lib") && package_has_some))
}

fn forbids(source: &str, manifest: &str) -> bool {
    source.contains("#![forbid(unsafe_code)]") || manifest.contains("unsafe_code = \"forbid\"")
}

#[cfg(test)]
mod tests {
    use super::{forbids, functions, must_forbid};
    use crate::supply_chain::packages::Target;

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

    #[test]
    fn all_but_tests_and_libraries_with_unsafe_code_must_forbid_it() {
        let must = |kind: &str, package_has_some| {
            must_forbid(&Target { kind: vec![kind.into()], src_path: "lib.rs".into() }, package_has_some)
        };
        assert!(must("lib", false) && !must("lib", true));
        assert!(must("proc-macro", true) && must("bin", true) && must("custom-build", true) && must("example", true));
        assert!(!must("test", false) && !must("bench", false));
        assert!(
            forbids("//! Docs.\n#![forbid(unsafe_code)]\n", "")
                && forbids("", "[lints.rust]\nunsafe_code = \"forbid\"\n")
        );
        assert!(!forbids("#![deny(unsafe_code)]", "[lints.rust]\nunsafe_code = \"deny\"\n"));
    }
}
