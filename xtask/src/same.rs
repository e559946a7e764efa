//! Compares what is found with what is expected.

use std::fmt::Debug;

use crate::failure::{Outcome, ensure};

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
    ensure!(expected == found, "{different}{what}: not what is expected (-), in its order and number");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn items_that_are_missing_superfluous_or_elsewhere_are_found() {
        let found = |found: &[u8]| same("it", [1, 2], found.iter().copied()).map_err(|failure| failure.to_string());
        let wrong = |items| Err(format!("{items}it: not what is expected (-), in its order and number"));
        assert_eq!(found(&[1, 2]), Ok(()));
        assert_eq!(found(&[2]), wrong("-1\n"));
        assert_eq!(found(&[1, 4, 3]), wrong("-2\n+4\n+3\n"));
        assert_eq!(found(&[2, 1]), wrong(""));
        assert_eq!(found(&[1, 2, 2]), wrong(""));
    }
}
