//! Compares what is found with what is expected, and what tasks print with what the documents say.

use std::fmt::Debug;

use crate::run::{Context, Outcome, ensure, ensure_available, read};
use crate::workspace;

/// Fails unless the document has the sentence, wherever its lines break.
pub(crate) fn document_has(document: &str, sentence: &str) -> Outcome {
    ensure!(is_in(&read(document)?, sentence), "{document} does not say: {sentence}");
    Ok(())
}

fn is_in(text: &str, sentence: &str) -> bool {
    text.split_whitespace().collect::<Vec<_>>().join(" ").contains(sentence)
}

/// Fails unless the last numbers in the row of a table that has `cell` are, up to 2 %, the measured ones.
///
/// The document names the compiler. With another one nothing can be compared.
pub(crate) fn document_has_about(document: &str, cell: &str, measured: &[u64]) -> Outcome {
    let text = read(document)?;
    let rustc = workspace::rustc("rustc")?;
    ensure_available(is_in(&text, &rustc), format_args!("{document} has figures of another compiler than {rustc}"))?;
    let row = text.lines().find(|line| line.contains(&format!("| {cell} |")));
    let row = row.with_context(|| format!("{document} has no row of {cell}"))?;
    ensure!(is_about(row, measured), "{document}: {row}\nshould have about {measured:?}");
    Ok(())
}

fn is_about(row: &str, measured: &[u64]) -> bool {
    let number = |cell: &str| cell.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>();
    let stated = row.trim_end_matches('|').rsplit('|').map(number);
    let mut pairs = measured.iter().rev().zip(stated);
    pairs.all(|(&measured, stated)| stated.is_ok_and(|it| it.abs_diff(measured) * 50 <= measured))
}

/// Fails unless the same items are found as are expected, in the same order, and says which are not.
pub(crate) fn same<T: PartialEq + Debug>(
    what: &str,
    expected: impl IntoIterator<Item = T>,
    found: impl IntoIterator<Item = T>,
) -> Outcome {
    let (expected, found): (Vec<T>, Vec<T>) = (expected.into_iter().collect(), found.into_iter().collect());
    let only = |sign, items: &[T], others: &[T]| {
        items.iter().filter(|item| !others.contains(item)).map(|item| format!("{sign}{item:?}\n")).collect::<Vec<_>>()
    };
    let different = [only('-', &expected, &found), only('+', &found, &expected)].concat().concat();
    ensure!(expected == found, "{different}{what}: only expected (-), only found (+), or another order or number");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{is_about, is_in, same};

    #[test]
    fn items_that_are_missing_superfluous_or_elsewhere_are_found() {
        let found = |found: &[u8]| same("it", [1, 2], found.iter().copied()).map_err(|failure| failure.to_string());
        let wrong = |items| Err(format!("{items}it: only expected (-), only found (+), or another order or number"));
        assert_eq!(found(&[1, 2]), Ok(()));
        assert_eq!(found(&[2]), wrong("-1\n"));
        assert_eq!(found(&[1, 4, 3]), wrong("-2\n+4\n+3\n"));
        assert_eq!(found(&[2, 1]), wrong(""));
        assert_eq!(found(&[1, 2, 2]), wrong(""));
    }

    #[test]
    fn lines_may_break_anywhere() {
        assert!(is_in("by up to\n  2.3e-4, and", "up to 2.3e-4,"));
        assert!(!is_in("by up to\n  2.4e-4, and", "up to 2.3e-4,"));
    }

    #[test]
    fn the_last_numbers_of_a_row_are_about_the_measured_ones() {
        let row = "| `fill` | `f32` | 10 000 bytes | 500 bytes |";
        assert!(is_about(row, &[10_000, 500]) && is_about(row, &[9_804, 510]));
        assert!(!is_about(row, &[9_803, 500]) && !is_about(row, &[10_000, 511]));
        assert!(!is_about("| `fill` |", &[1]));
    }
}
