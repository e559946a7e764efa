//! The name of a table in source code.

use super::parts::{Facts, is_stdout};

/// The name if neither an option nor a file gives one.
const DEFAULT: &str = "PE";

/// Keywords of C, C++ and Rust. None of them may be a name, so a table can have the same name in all three languages.
///
/// Those of C that begin with an underscore are missing, because no name does.
const KEYWORDS: [&str; 9] = [
    "abstract alignas alignof and and_eq as asm async auto await become bitand bitor bool box break case catch",
    "char char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval",
    "constexpr constinit continue crate decltype default delete do double dyn dynamic_cast else enum explicit",
    "export extern false final float fn for friend gen goto if impl import in inline int let long loop macro",
    "match mod module move mut mutable namespace new noexcept not not_eq nullptr operator or or_eq override",
    "priv private protected pub ref register reinterpret_cast requires restrict return self Self short signed",
    "sizeof static static_assert static_cast struct super switch template this thread_local throw trait true",
    "try type typedef typeid typename typeof typeof_unqual union unsafe unsigned unsized use using virtual",
    "void volatile wchar_t where while xor xor_eq yield",
];

impl Facts<'_> {
    /// Returns the name of the table in source code: the one given, or the name of the file in upper case.
    pub(super) fn identifier(&self) -> Result<String, String> {
        let (name, origin) = match (self.name, self.output.file_stem()) {
            (Some(name), _) => (name.to_owned(), ""),
            (None, Some(stem)) if !is_stdout(self.output) => {
                (stem.to_string_lossy().to_ascii_uppercase(), ", from the name of the file,")
            }
            _ => (DEFAULT.to_owned(), ""),
        };
        if is_identifier(&name) {
            return Ok(name);
        }
        let other = if origin.is_empty() { "use another --name" } else { "set --name" };
        Err(format!(
            "the name of the table{origin} is `{name}`, but must have only the letters A to Z and a to z, digits and \
             underscores, begin with a letter, and be no keyword of C, C++ or Rust; {other}"
        ))
    }
}

fn is_identifier(name: &str) -> bool {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !KEYWORDS.iter().any(|words| words.split(' ').any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn identifiers_are_those_of_all_the_languages() {
        for name in ["PE", "pe_2", "p", "Static", "STATIC", "x__y"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "2x", "_pe", "a-b", "a.b", "é", "static", "impl", "template", "Self", "a b"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
