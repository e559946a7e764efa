//! The shape of a tensor as the shape of a table.

use posenc::MAX_D_MODEL;

/// Says why a tensor of this shape is no table.
pub(super) fn no_table(shape: &[u64]) -> String {
    if let Some(columns) = shape.last().filter(|&&columns| columns > MAX_D_MODEL as u64) {
        return format!("has {columns} columns, but a table has at most {MAX_D_MODEL}");
    }
    let others = if shape.len() > 2 { "; other axes must have length 1" } else { "" };
    format!("has shape {shape:?}, but must have rows and columns, [n, d]{others}")
}

/// What a tensor is read as: the numbers of rows and columns, or `None` if its shape is another. A size in a file may not fit
/// into a `usize`.
pub(super) type As = fn(&[u64]) -> Option<[usize; 2]>;

/// Reads a tensor of one axis as a single row.
pub(super) fn row(shape: &[u64]) -> Option<[usize; 2]> {
    let [count] = *shape else { return None };
    sizes([1, count])
}

/// Returns the numbers of rows and columns if all other axes have length 1.
pub(super) fn squeezed(shape: &[u64]) -> Option<[usize; 2]> {
    let (&last, others) = shape.split_last()?;
    let long: Vec<_> = others.iter().copied().filter(|&n| n != 1).collect();
    match *long.as_slice() {
        _ if others.is_empty() => None,
        [] => sizes([1, last]),
        [seq_len] => sizes([seq_len, last]),
        [seq_len, d_model] if last == 1 => sizes([seq_len, d_model]),
        _ => None,
    }
}

/// Returns the numbers of rows and columns, if a table on this machine may have them.
fn sizes([seq_len, d_model]: [u64; 2]) -> Option<[usize; 2]> {
    let d_model = usize::try_from(d_model).ok().filter(|d_model| (1..=MAX_D_MODEL).contains(d_model))?;
    Some([usize::try_from(seq_len).ok()?, d_model])
}
