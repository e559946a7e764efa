//! The shape of a tensor as the shape of a table.

use posenc::MAX_D_MODEL;

/// Says why a tensor of this shape is no table.
pub(super) fn no_table(shape: &[usize]) -> String {
    if let Some(columns) = shape.last().filter(|&&columns| columns > MAX_D_MODEL) {
        return format!("has {columns} columns, but a table has at most {MAX_D_MODEL}");
    }
    let others = if shape.len() > 2 { "; other axes must have length 1" } else { "" };
    format!("has shape {shape:?}, but must have rows and columns, [n, d]{others}")
}

/// What a tensor is read as: the numbers of rows and columns, or `None` if its shape is another.
pub(super) type As = fn(&[usize]) -> Option<[usize; 2]>;

/// Reads a tensor of one axis as a single row.
pub(super) fn row(shape: &[usize]) -> Option<[usize; 2]> {
    let [count] = *shape else { return None };
    (1..=MAX_D_MODEL).contains(&count).then_some([1, count])
}

/// Returns the numbers of rows and columns if all other axes have length 1.
pub(super) fn squeezed(shape: &[usize]) -> Option<[usize; 2]> {
    let (&last, others) = shape.split_last()?;
    let long: Vec<_> = others.iter().copied().filter(|&n| n != 1).collect();
    let [seq_len, d_model] = match *long.as_slice() {
        _ if others.is_empty() => return None,
        [] => [1, last],
        [seq_len] => [seq_len, last],
        [seq_len, d_model] if last == 1 => [seq_len, d_model],
        _ => return None,
    };
    (1..=MAX_D_MODEL).contains(&d_model).then_some([seq_len, d_model])
}
