//! The rows of rotary caches that tokens take: lists of positions, and positions of several axes.

use posenc::{CosSin, MropePositions, Rope, RopeError, SectionOrder, Table, axis_of_pair, rotate_halves, rotate_pairs};

/// More than are gathered at once, and no multiple of them.
const PAIRS: usize = 98;

/// A cache with one row per token, of the entries that are selected, gives the same rotations.
#[test]
fn lists_and_axes_select_entries() {
    let rope = Rope::new(2 * PAIRS).table::<f32>(40).unwrap();
    let original: Vec<f32> = (0..3 * 4 * 2 * PAIRS).map(|i| (i as f32).sin()).collect(); // 3 heads, 4 tokens
    let rotated = |cache: &CosSin<Vec<Vec<f32>>>, halves| {
        let mut x = original.clone();
        let rotate = if halves { rotate_halves as fn(&mut [f32], usize, &_, _) -> _ } else { rotate_pairs };
        rotate(&mut x, 2 * PAIRS, cache, 0..4).unwrap();
        x
    };
    let list = [7, 0, 39, 7];
    let selected = |table: &Table<f32>| list.map(|row| table.row(row).to_vec()).to_vec();
    let cache = CosSin { cos: selected(&rope.cos), sin: selected(&rope.sin) };
    for halves in [false, true] {
        let expected = rotated(&cache, halves);
        let [mut one, mut two, mut three] = [&original; 3].map(Vec::clone);
        if halves {
            rotate_halves(&mut one, 2 * PAIRS, &rope, &list).unwrap();
            rotate_halves(&mut two, 2 * PAIRS, &rope, &list[..]).unwrap();
            rotate_halves(&mut three, 2 * PAIRS, &rope, &list.to_vec()).unwrap();
        } else {
            rotate_pairs(&mut one, 2 * PAIRS, &rope, &list).unwrap();
            rotate_pairs(&mut two, 2 * PAIRS, &rope, &list[..]).unwrap();
            rotate_pairs(&mut three, 2 * PAIRS, &rope, &list.to_vec()).unwrap();
        }
        assert_eq!([one, two, three], [&expected; 3].map(Vec::clone));
    }
    // An axis without pairs may be anywhere.
    let positions = [[3, 10, 25, 0], [0, 39, 1, 40], [5, 5, 5, 5], [39, 0, 20, usize::MAX]];
    for order in [SectionOrder::Contiguous, SectionOrder::Interleaved, SectionOrder::LastContiguous] {
        let axes: [u8; PAIRS] = axis_of_pair(&[24, 44, 30, 0], order);
        let select = |table: &Table<f32>| {
            let row = |position: &[usize; 4]| {
                (0..PAIRS).map(|k| table[(position[usize::from(axes[k])], k)]).collect::<Vec<f32>>()
            };
            positions.iter().map(row).collect::<Vec<_>>()
        };
        let cache = CosSin { cos: select(&rope.cos), sin: select(&rope.sin) };
        let rows = MropePositions { positions: &positions, axis_of_pair: &axes };
        let (mut halves, mut pairs) = (original.clone(), original.clone());
        rotate_halves(&mut halves, 2 * PAIRS, &rope, rows).unwrap();
        rotate_pairs(&mut pairs, 2 * PAIRS, &rope, rows).unwrap();
        assert_eq!([halves, pairs], [rotated(&cache, true), rotated(&cache, false)], "{order:?}");
    }
}

#[test]
fn nothing_changes_if_a_token_has_no_row() {
    let rope = Rope::new(4).table::<f32>(3).unwrap();
    let mut x = [1.0f32; 3 * 4];
    let error = rotate_halves(&mut x, 4, &rope, &[0, 1, 3]).unwrap_err();
    assert!(matches!(error, RopeError::TokenRow { token: 2, axis: None, row: 3, seq_len: 3, .. }));
    let positions = [[0, 0], [1, 1], [2, 3]];
    let rows = MropePositions { positions: &positions, axis_of_pair: &[0, 1] };
    let error = rotate_pairs(&mut x, 4, &rope, rows).unwrap_err();
    assert!(matches!(error, RopeError::TokenRow { token: 2, axis: Some(1), row: 3, seq_len: 3, .. }));
    assert_eq!(x, [1.0; 12]);
}

#[test]
fn a_cache_without_rows_serves_no_token() {
    let empty = CosSin { cos: [[0.0f32; 2]; 0], sin: [[0.0; 2]; 0] };
    let none = MropePositions::<0> { positions: &[[]], axis_of_pair: &[] };
    let error = rotate_pairs(&mut [1.0f32; 4], 4, &empty, none).unwrap_err();
    assert!(matches!(error, RopeError::TokenRow { token: 0, seq_len: 0, .. }));
    let without_tokens = MropePositions::<2> { positions: &[], axis_of_pair: &[0, 1] };
    assert_eq!(rotate_pairs(&mut [0.0f32; 0], 4, &empty, without_tokens), Ok(()));
}
