//! Where the entries of an array are.

use std::ops::Range;

use super::element::ElementKind;

/// The type of the entries of an array and their places relative to the first entry.
pub(super) struct Layout {
    pub(super) kind: ElementKind,
    /// Whether the byte order is not that of this machine.
    pub(super) swapped: bool,
    pub(super) shape: Vec<usize>,
    /// The distances in bytes between neighbours along the axes, which may be negative.
    pub(super) strides: Vec<isize>,
}

impl Layout {
    /// Returns the smallest range of bytes that contains all entries, relative to the start of the first entry.
    ///
    /// `None` means that a place is not a number of the type `isize`, so that the memory cannot exist.
    pub(super) fn span(&self) -> Option<Range<isize>> {
        if self.shape.contains(&0) {
            return Some(0..0);
        }
        let mut span = 0..isize::try_from(self.kind.size()).ok()?;
        for (&entries, &stride) in self.shape.iter().zip(&self.strides) {
            let last = isize::try_from(entries - 1).ok()?.checked_mul(stride)?;
            if last < 0 {
                span.start = span.start.checked_add(last)?;
            } else {
                span.end = span.end.checked_add(last)?;
            }
        }
        span.end.checked_sub(span.start)?;
        Some(span)
    }

    /// Returns whether the entries follow each other, the last axis first.
    pub(super) fn is_contiguous(&self) -> bool {
        self.shape.contains(&0) || is_contiguous(self.kind.size(), &self.shape, &self.strides)
    }
}

/// Returns the strides in bytes of contiguous entries, or `None` if they are too large.
pub(super) fn contiguous_strides(size: usize, shape: &[usize]) -> Option<Vec<isize>> {
    let mut stride = isize::try_from(size).ok()?;
    let mut strides = vec![0; shape.len()];
    for (place, &entries) in strides.iter_mut().zip(shape).rev() {
        *place = stride;
        stride = stride.checked_mul(isize::try_from(entries.max(1)).ok()?)?;
    }
    Some(strides)
}

/// Returns whether entries follow each other. The stride of an axis with one entry does not matter.
pub(super) fn is_contiguous(size: usize, shape: &[usize], strides: &[isize]) -> bool {
    let mut stride = Some(size);
    shape.iter().zip(strides).rev().all(|(&entries, &found)| {
        let fits = entries == 1 || stride.is_some_and(|stride| usize::try_from(found) == Ok(stride));
        stride = stride.and_then(|stride| stride.checked_mul(entries));
        fits
    })
}

/// Returns the number of bytes of an array, or `None` if it is not an `isize`.
pub(super) fn number_of_bytes(size: usize, shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    let bytes = shape.iter().try_fold(size, |bytes, &entries| bytes.checked_mul(entries))?;
    isize::try_from(bytes).is_ok().then_some(bytes)
}

/// Writes a shape as Python writes a tuple.
pub(super) fn tuple(shape: &[usize]) -> String {
    match shape {
        [entries] => format!("({entries},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
