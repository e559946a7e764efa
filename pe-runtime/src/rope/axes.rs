//! Which axis of a position turns a pair, for models with several axes.

/// Returns the axis of each pair of a rotary cache for positions of several axes (M-RoPE).
///
/// `sections` has the number of pairs of each axis, as `mrope_section` in a model's configuration: time, height, width.
/// All axes share one cache. For a token at position `p[0], p[1], p[2]`, column `k` of its row is that of row `p[axis[k]]`
/// of the cache.
///
/// The pairs of an axis are side by side in Qwen2-VL and GLM-4V. If `interleaved`, as in Qwen3-VL, the axes alternate: pair
/// `k` is of axis `k mod n` as long as `k < n * sections[k mod n]`, and of axis 0 beyond that.
///
/// Source: Wang et al., [*Qwen2-VL*](https://arxiv.org/abs/2409.12191) (2024), section 2.1, and the code of both models.
///
/// # Panics
///
/// Panics if the sections do not add up to `PAIRS`, or if there are none or more than 255. In a constant this is a compile
/// error.
///
/// # Examples
///
/// The row of a token of an image in Qwen2-VL:
///
/// ```
/// use posenc::{Rope, RopePreset, axis_of_pair};
///
/// const AXES: [u8; 64] = axis_of_pair(&[16, 24, 24], false);
/// let rope = Rope::preset(RopePreset::Qwen2Vl).table::<f32>(1024)?;
///
/// let position = [3, 10, 25]; // time, row and column of its patch
/// let at = |k: usize| position[usize::from(AXES[k])];
/// let cos: [f32; 64] = std::array::from_fn(|k| rope.cos[(at(k), k)]);
/// let sin: [f32; 64] = std::array::from_fn(|k| rope.sin[(at(k), k)]);
/// assert_eq!((cos[0], sin[63]), (rope.cos[(3, 0)], rope.sin[(25, 63)]));
///
/// let qwen3_vl: [u8; 64] = axis_of_pair(&[24, 20, 20], true);
/// assert_eq!(qwen3_vl[..4], [0, 1, 2, 0]);
/// assert_eq!(qwen3_vl[58..], [1, 2, 0, 0, 0, 0]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[doc(alias("mrope", "mrope_section", "mrope_interleaved", "multimodal"))]
#[must_use]
pub const fn axis_of_pair<const PAIRS: usize>(sections: &[usize], interleaved: bool) -> [u8; PAIRS] {
    assert!(!sections.is_empty() && sections.len() < 256, "the number of sections must be from 1 to 255");
    let (mut sum, mut axis) = (0usize, 0);
    while axis < sections.len() {
        sum = sum.saturating_add(sections[axis]);
        axis += 1;
    }
    assert!(sum == PAIRS, "the sections must add up to the number of pairs");
    let mut of_pair = [0; PAIRS];
    let (mut k, mut axis, mut end) = (0, 0, sections[0]);
    while k < PAIRS {
        if interleaved {
            let own = k % sections.len();
            of_pair[k] = if k / sections.len() < sections[own] { own as u8 } else { 0 };
        } else {
            while k >= end {
                axis += 1;
                end += sections[axis];
            }
            of_pair[k] = axis as u8;
        }
        k += 1;
    }
    of_pair
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_side_by_side_or_alternate() {
        assert_eq!(axis_of_pair(&[2, 3, 1], false), [0, 0, 1, 1, 1, 2]);
        assert_eq!(axis_of_pair(&[1, 0, 2], false), [0, 2, 2]);
        assert_eq!(axis_of_pair(&[4], true), [0; 4]);
        // `0 1 2` twenty times, then axis 0.
        let qwen3_vl: [u8; 64] = axis_of_pair(&[24, 20, 20], true);
        assert!(qwen3_vl[..60].chunks(3).all(|axes| axes == [0, 1, 2]) && qwen3_vl[60..] == [0; 4]);
        let qwen3_5: [u8; 32] = axis_of_pair(&[11, 11, 10], true);
        assert_eq!(qwen3_5[27..], [0, 1, 2, 0, 1]);
    }

    #[test]
    #[should_panic(expected = "add up to the number of pairs")]
    fn sections_of_other_pairs_are_refused() {
        let _: [u8; 64] = axis_of_pair(&[16, 24, 23], false);
    }
}
