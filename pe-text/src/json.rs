//! JSON as Python writes it.

use std::borrow::Cow;

/// Returns a text with the numbers that Python's `json` writes and JSON lacks, `NaN`, `Infinity` and `-Infinity`, as
/// strings.
///
/// No key of a table may have such a value, so its error shows the string.
///
/// # Examples
///
/// ```
/// use posenc_text::json::of_python;
///
/// let text = r#"{"time_step_limit": [0.0, Infinity], "NaN": -Infinity, "name": "NaN"}"#;
/// assert_eq!(of_python(text), r#"{"time_step_limit": [0.0, "Infinity"], "NaN": "-Infinity", "name": "NaN"}"#);
/// ```
#[must_use]
pub fn of_python(text: &str) -> Cow<'_, str> {
    const NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];
    if !NUMBERS.iter().any(|number| text.contains(number)) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_string = false;
    while let Some(first) = rest.chars().next() {
        let number = NUMBERS.into_iter().find(|number| !is_string && rest.starts_with(number));
        let len = match first {
            '\\' if is_string => first.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => number.map_or(first.len_utf8(), str::len),
        };
        is_string ^= first == '"';
        match number {
            Some(number) => written.extend(["\"", number, "\""]),
            None => written.push_str(&rest[..len]),
        }
        rest = &rest[len..];
    }
    Cow::Owned(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_rewritten() {
        for text in ["", "{}", r#"{"a": "Infinity"}"#, r#"{"a\"Infinity": "\\", "é": "NaN\\\""}"#] {
            assert_eq!(of_python(text), text);
        }
        assert_eq!(of_python("[NaN,Infinity, -Infinity]"), r#"["NaN","Infinity", "-Infinity"]"#);
        assert_eq!(of_python(r#"{"a\\": NaN}"#), r#"{"a\\": "NaN"}"#);
    }
}
