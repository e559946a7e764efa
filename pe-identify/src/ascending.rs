//! Sorts by a number.

/// Sorts by a number, which is computed once for each item. Items of the same number stay in their order.
///
/// One sort, of numbers, serves items of all types, so that it is compiled once.
pub(crate) fn sort_by_number<T>(items: &mut Vec<T>, number: impl Fn(&T) -> f64) {
    let order = ascending(&items.iter().map(number).collect::<Vec<_>>());
    let mut unsorted: Vec<_> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|i| unsorted[i].take()));
}

/// Returns the indices of the numbers in ascending order.
fn ascending(numbers: &[f64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::sort_by_number;

    #[test]
    fn items_of_the_same_number_stay_in_their_order() {
        let mut items = vec![("a", 2.0), ("b", -1.0), ("c", 2.0), ("d", f64::INFINITY), ("e", -1.0)];
        sort_by_number(&mut items, |item| item.1);
        let names: Vec<_> = items.into_iter().map(|item| item.0).collect();
        assert_eq!(names, ["b", "e", "a", "c", "d"]);
    }
}
