//! Which axis of a position turns a pair, for models with several axes.

/// How the pairs of one rotary cache are assigned to the axes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SectionOrder {
    /// The pairs of an axis are side by side: Qwen2-VL, Qwen2.5-VL, GLM-4V.
    Contiguous,
    /// The axes alternate: Qwen3-VL, Qwen3.5. With `n` axes, pair `k` belongs to axis `k mod n` if
    /// `k < n * sections[k mod n]`, and to axis 0 otherwise.
    Interleaved,
    /// All axes except the last alternate, as in [`Interleaved`](Self::Interleaved), and the pairs of the last axis
    /// follow: Ernie 4.5 VL, whose sections are height, width and time.
    LastContiguous,
}

/// Returns the axis of each pair of a rotary cache that all axes of a position share (M-RoPE).
///
/// `sections` has the number of pairs of each axis, like `mrope_section` in a model's configuration: time, height,
/// width. For a token at position `p[0], p[1], p[2]`, entry `k` of its row is entry `k` of row `p[axis[k]]` of the
/// cache. [`MropePositions`](crate::MropePositions) rotates queries and keys with it.
///
/// If each axis has frequencies of its own, as in vision towers and image models, use an
/// [`AxialRope`](crate::AxialRope) instead.
///
/// Source: Wang et al., [*Qwen2-VL*](https://arxiv.org/abs/2409.12191) (2024), section 2.1, and the code of the models in
/// transformers 5.23.
///
/// # Panics
///
/// Panics if the sections do not add up to `PAIRS`, or if there are none or more than 255. In a constant this is a compile
/// error.
///
/// # Examples
///
/// Qwen2-VL and Qwen3-VL:
///
/// ```
/// use posenc::{SectionOrder, axis_of_pair};
///
/// const QWEN2_VL: [u8; 64] = axis_of_pair(&[16, 24, 24], SectionOrder::Contiguous);
/// assert_eq!(QWEN2_VL[15..18], [0, 1, 1]);
///
/// let qwen3_vl: [u8; 64] = axis_of_pair(&[24, 20, 20], SectionOrder::Interleaved);
/// assert_eq!(qwen3_vl[..4], [0, 1, 2, 0]);
/// assert_eq!(qwen3_vl[58..], [1, 2, 0, 0, 0, 0]);
/// ```
#[doc(alias("mrope", "mrope_section", "mrope_interleaved", "multimodal"))]
#[must_use]
pub const fn axis_of_pair<const PAIRS: usize>(sections: &[usize], order: SectionOrder) -> [u8; PAIRS] {
    let count = sections.len();
    assert!(0 < count && count < 256, "the number of sections must be from 1 to 255");
    assert!(sum(sections, count) == PAIRS, "the sections must add up to the number of pairs");
    let alternating = match order {
        SectionOrder::Contiguous => 0,
        SectionOrder::Interleaved => count,
        SectionOrder::LastContiguous => count - 1,
    };
    let mut of_pair = [0; PAIRS];
    let (mut k, end) = (0, sum(sections, alternating));
    while k < end {
        let axis = k % alternating;
        of_pair[k] = if k / alternating < sections[axis] { axis as u8 } else { 0 };
        k += 1;
    }
    let (mut axis, mut end) = (alternating, end);
    while axis < count {
        end += sections[axis];
        while k < end {
            of_pair[k] = axis as u8;
            k += 1;
        }
        axis += 1;
    }
    of_pair
}

/// Returns the sum of the first `count` sections, or the largest `usize`.
const fn sum(sections: &[usize], count: usize) -> usize {
    let (mut sum, mut i) = (0usize, 0);
    while i < count {
        sum = sum.saturating_add(sections[i]);
        i += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_side_by_side_or_alternate() {
        use SectionOrder::{Contiguous, Interleaved, LastContiguous};

        assert_eq!(axis_of_pair(&[2, 3, 1], Contiguous), [0, 0, 1, 1, 1, 2]);
        assert_eq!(axis_of_pair(&[1, 0, 2], Contiguous), [0, 2, 2]);
        assert_eq!(axis_of_pair(&[4], Interleaved), [0; 4]);
        assert_eq!(axis_of_pair(&[4], LastContiguous), [0; 4]);
        // `0 1 2` twenty times, then axis 0.
        let qwen3_vl: [u8; 64] = axis_of_pair(&[24, 20, 20], Interleaved);
        assert!(qwen3_vl[..60].chunks(3).all(|axes| axes == [0, 1, 2]) && qwen3_vl[60..] == [0; 4]);
        let qwen3_5: [u8; 32] = axis_of_pair(&[11, 11, 10], Interleaved);
        assert_eq!(qwen3_5[27..], [0, 1, 2, 0, 1]);
        let ernie: [u8; 64] = axis_of_pair(&[22, 22, 20], LastContiguous);
        assert!(ernie[..44].chunks(2).all(|axes| axes == [0, 1]) && ernie[44..] == [2; 20]);
    }

    #[test]
    #[should_panic(expected = "add up to the number of pairs")]
    fn sections_of_other_pairs_are_refused() {
        let _: [u8; 64] = axis_of_pair(&[16, 24, 23], SectionOrder::Contiguous);
    }
}
