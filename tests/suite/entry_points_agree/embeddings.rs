//! Encodings added to embeddings or appended to them.
//!
//! A plain loop checks every entry, and every mistake has its message.

use std::ops::Range;

use posenc::embeddings::{add, add_saturating, concat};
use posenc::{Aligned, Flat, Preset, Q7, Q15, Q31, Rows, Spec, SpecError, Table, sinusoidal_table};
use proptest::collection::vec;
use proptest::prelude::*;

use testkit::properties;

static PE: [[f32; 6]; 10] = sinusoidal_table!(10, 6);
static ALIGNED: Aligned<[[f32; 6]; 10]> = Aligned(sinusoidal_table!(10, 6));

/// Returns distinct values that identify their index, and that additions do not absorb.
fn embeddings(len: usize) -> Vec<f32> {
    (0..len).map(|i| i as f32 - 7.25).collect()
}

/// Returns the sum, entry by entry; `table` has all rows that could be needed.
fn summed(x: &[f32], table: &Table<f32>, rows: Range<usize>) -> Vec<f32> {
    let d_model = table.d_model();
    let sum = |(i, x): (usize, &f32)| x + table[(rows.start + i / d_model % rows.len(), i % d_model)];
    x.iter().enumerate().map(sum).collect()
}

fn concatenated(x: &[f32], width: usize, table: &Table<f32>, rows: Range<usize>) -> Vec<f32> {
    let tokens = x.chunks_exact(width).enumerate();
    tokens.flat_map(|(i, token)| [token, &table[rows.start + i % rows.len()]].concat()).collect()
}

properties! {
    #![cases(64)]

    #[test]
    fn the_rows_are_added_and_put_behind(
        batch in 0usize..4, start in 0usize..30, len in 1usize..12, d_model in 1usize..9, width in 1usize..5, own in 0usize..40,
    ) {
        let rows = start..start + len;
        let spec = Spec::new(d_model).start(-3);
        let all = spec.table::<f32>(start + len).unwrap();
        let (x, narrow) = (embeddings(batch * len * d_model), embeddings(batch * len * width));
        let (sum, beside) = (summed(&x, &all, rows.clone()), concatenated(&narrow, width, &all, rows.clone()));

        let mut y = x.clone();
        add(&mut y, &all, rows.clone()).unwrap();
        prop_assert_eq!(&y, &sum);
        let mut out = vec![f32::NAN; beside.len()];
        concat(&narrow, width, &all, rows.clone(), &mut out).unwrap();
        prop_assert_eq!(&out, &beside);

        // A table of any length, from none of the rows to more than all of them.
        let short = spec.table::<f32>(own).unwrap();
        y.copy_from_slice(&x);
        spec.add_rows(&mut y, &short, rows.clone()).unwrap();
        prop_assert_eq!(&y, &sum);
        out.fill(f32::NAN);
        spec.concat_rows(&narrow, width, &short, rows, &mut out).unwrap();
        prop_assert_eq!(&out, &beside);
    }

    /// Each integer gets the entry of its row and column; the sum stays within its type.
    #[test]
    fn integers_are_added_with_saturation(
        start in 0usize..4, table in vec(any::<[i16; 3]>(), 7), x in vec(any::<i16>(), 2 * 3 * 3),
    ) {
        let mut y = x.clone();
        add_saturating(&mut y, &table, start..start + 3).unwrap();
        let expected = |(i, &x): (usize, &i16)| {
            let sum = i32::from(x) + i32::from(table[start + i / 3 % 3][i % 3]);
            sum.clamp(i16::MIN.into(), i16::MAX.into())
        };
        let expected: Vec<i32> = x.iter().enumerate().map(expected).collect();
        prop_assert_eq!(y.into_iter().map(i32::from).collect::<Vec<_>>(), expected);
    }

    /// An error leaves the buffer unchanged, and no arguments panic.
    #[test]
    fn a_refusal_leaves_everything_as_it_was(
        len in 0usize..50, start in prop_oneof![0usize..12, any::<usize>()], end in prop_oneof![0usize..12, any::<usize>()],
        width in prop_oneof![0usize..5, any::<usize>()], out_len in 0usize..80,
    ) {
        let rows = start..end;
        let count = rows.len();
        let (whole, inside) = (len == 0 || (count > 0 && len % (count.saturating_mul(6)) == 0), start <= end && end <= 10);
        let x = embeddings(len);
        let mut y = x.clone();
        let answer = add(&mut y, &PE, rows.clone());
        prop_assert_eq!(answer.is_ok(), whole && inside, "{:?}", answer);
        prop_assert!(answer.is_ok() || y == x);

        let integers: Vec<i16> = (0..).take(len).collect();
        let mut y = integers.clone();
        let answer = add_saturating(&mut y, &[[1i16; 6]; 10], rows.clone());
        prop_assert_eq!(answer.is_ok(), whole && inside, "{:?}", answer);
        prop_assert!(answer.is_ok() || y == integers);

        let mut y = x.clone();
        let answer = Spec::new(6).add_rows(&mut y, &PE, rows.clone());
        prop_assert_eq!(answer.is_ok(), whole && start <= end, "{:?}", answer);
        prop_assert!(answer.is_ok() || y == x);

        let tokens = len.checked_div(width).unwrap_or(0);
        let whole = len == 0 || (width > 0 && count > 0 && len % count.saturating_mul(width) == 0);
        let fits = width.checked_add(6).and_then(|wide| wide.checked_mul(tokens)) == Some(out_len);
        let mut out = vec![f32::NAN; out_len];
        let answer = concat(&x, width, &PE, rows.clone(), &mut out);
        // A range of no rows does not determine the width, and there is nothing to write.
        prop_assert!(answer.is_ok() == (whole && inside && fits) || (count == 0 && out_len == 0), "{:?}", answer);
        prop_assert!(out.iter().all(|entry| entry.is_nan() == answer.is_err()));

        let mut out = vec![f32::NAN; out_len];
        let answer = Spec::new(6).concat_rows(&x, width, &PE, rows, &mut out);
        prop_assert_eq!(answer.is_ok(), whole && start <= end && fits, "{:?}", answer);
        prop_assert!(out.iter().all(|entry| entry.is_nan() == answer.is_err()));
    }
}

#[test]
fn every_kind_of_table_serves() {
    fn sum(table: &(impl Rows<f32> + ?Sized)) -> Vec<f32> {
        let mut x = embeddings(2 * 3 * 6);
        add(&mut x, table, 4..7).unwrap();
        x
    }

    let expected = summed(&embeddings(2 * 3 * 6), &sinusoidal_table(10, 6).unwrap(), 4..7);
    assert_eq!(sum(&PE), expected);
    assert_eq!(sum(&PE[..]), expected);
    assert_eq!(sum(&ALIGNED), expected);
    assert_eq!(sum(&PE.to_vec()), expected);
    assert_eq!(sum(&sinusoidal_table(10, 6).unwrap()), expected);
    assert_eq!(sum(&Flat::new(PE.as_flattened(), 6).unwrap()), expected);
}

/// A prompt and then single tokens, beyond the end of the table, give the same result as all tokens at once.
#[test]
fn a_decoder_goes_on_where_it_was() {
    let spec = Spec::preset(Preset::Whisper, 6);
    let table = spec.table::<f32>(5).unwrap();
    let (mut at_once, mut stepwise) = (embeddings(12 * 6), embeddings(12 * 6));
    spec.add_rows(&mut at_once, &table, 0..12).unwrap();
    spec.add_rows(&mut stepwise[..4 * 6], &table, 0..4).unwrap();
    for past in 4..12 {
        spec.add_rows(&mut stepwise[past * 6..][..6], &table, past..past + 1).unwrap();
    }
    assert_eq!(stepwise, at_once);
    assert_eq!(at_once, summed(&embeddings(12 * 6), &spec.table(12).unwrap(), 0..12));
}

/// The zero row keeps its index, whether the table or the spec provides the row.
#[test]
fn a_zero_row_beyond_the_table_adds_nothing() {
    let spec = Spec::new(6).zero_row(11);
    let mut x = embeddings(3 * 6);
    spec.add_rows(&mut x, &PE, 9..12).unwrap();
    assert_eq!(x[12..], embeddings(3 * 6)[12..]);
    assert_ne!(x[..12], embeddings(3 * 6)[..12]);
}

#[test]
fn for_no_tokens_no_rows_are_computed() {
    assert_eq!(Spec::new(6).add_rows(&mut [0.0f32; 0], &PE, 0..usize::MAX / 6), Ok(()));
    assert_eq!(Spec::new(6).concat_rows(&[0.0f32; 0], 5, &PE, 3..usize::MAX / 6, &mut []), Ok(()));
}

/// Rows that the table contains are not computed, so their positions need not be known.
#[test]
fn a_start_that_is_missing_matters_only_beyond_the_table() {
    let spec = Spec::preset(Preset::ConformerRel, 6);
    let table = spec.start(9).table::<f32>(10).unwrap();
    let mut x = embeddings(3 * 6);
    spec.add_rows(&mut x, &table, 7..10).unwrap();
    assert_eq!(x, summed(&embeddings(3 * 6), &table, 7..10));
    assert_eq!(spec.add_rows(&mut x, &table, 8..11), Err(SpecError::NoStart));
}

#[test]
fn integers_of_each_width_stay_within_their_limits() {
    let (mut x, mut y, mut z) = ([100_i8, -100, 100], [20_000_i16, -20_000, 1], [i32::MAX, i32::MIN, 1]);
    add_saturating(&mut x, &[[100_i8, -100, -100]], 0..1).unwrap();
    add_saturating(&mut y, &[[20_000_i16, -20_000, 2]], 0..1).unwrap();
    add_saturating(&mut z, &[[1_i32, -1, 2]], 0..1).unwrap();
    assert_eq!((x, y, z), ([i8::MAX, i8::MIN, 0], [i16::MAX, i16::MIN, 3], [i32::MAX, i32::MIN, 3]));
}

/// Asserts that a fixed-point table is added as its bits, to integers of the same width.
macro_rules! check_fixed_point {
    ($($entry:ident: $integer:ident;)*) => { $({
        let table = Spec::new(6).table::<$entry>(9).unwrap();
        for half in [$integer::MAX / 2, $integer::MIN / 2] {
            let mut x = [half; 2 * 3 * 6];
            add_saturating(&mut x, &table, 4..7).unwrap();
            let entry = |i: usize| table[(4 + i / 6 % 3, i % 6)].to_bits();
            assert_eq!(x, std::array::from_fn(|i| half.saturating_add(entry(i))));
            assert!(x.contains(&$integer::MAX) || x.contains(&$integer::MIN));
        }
    })* };
}

#[test]
fn fixed_point_tables_are_added_to_integers() {
    check_fixed_point! {
        Q7: i8;
        Q15: i16;
        Q31: i32;
    }
}

#[cfg(feature = "half")]
#[test]
fn half_precision_adds_too() {
    use posenc::half::bf16;

    let table = Spec::new(2).table::<bf16>(2).unwrap();
    let mut x = [bf16::ONE; 2];
    add(&mut x, &table, 1..2).unwrap();
    assert_eq!(x.map(bf16::to_f32), [1.84375, 1.539_062_5]); // 1 + 0.84 and 1 + 0.54, in 8 bits
}
