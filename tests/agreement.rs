//! Macro, compiler and run time make the same bits, entry by entry.

use posenc::{Element, Spec, Table};

/// The bits of an entry, for an equality that tells 0 from -0.
trait Bits {
    fn bits(&self) -> u64;
}

impl Bits for f32 {
    fn bits(&self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Bits for f64 {
    fn bits(&self) -> u64 {
        self.to_bits()
    }
}

fn assert_same_bits<T: Element + Bits>(ours: &[T], table: &Table<T>, what: &str) {
    assert_eq!(ours.len(), table.as_slice().len(), "{what}");
    for (i, (a, b)) in ours.iter().zip(table.as_slice()).enumerate() {
        assert_eq!(a.bits(), b.bits(), "{what}: entry {i}, {a:?} and {b:?}");
    }
}

/// One test a table: baked by the macro, evaluated by the compiler through the const fn, made at run time in one piece, row by
/// row and from a row in the middle.
macro_rules! doors_agree {
    ($($name:ident: $dtype:ident $seq_len:literal x $d_model:literal, base $base:literal, start $start:expr;)*) => { $(
        #[test]
        fn $name() {
            const SPEC: Spec = Spec::new($d_model).base($base).start($start);
            static BAKED: [[$dtype; $d_model]; $seq_len] =
                posenc::sinusoidal_table!($seq_len, $d_model, dtype = $dtype, base = $base, start = $start);
            static EVALUATED: [[$dtype; $d_model]; $seq_len] = {
                let mut rows = [[0.0; $d_model]; $seq_len];
                assert!(SPEC.fill(0.., rows.as_flattened_mut()).is_ok());
                rows
            };
            let table = SPEC.table::<$dtype>($seq_len).unwrap();
            assert_same_bits(BAKED.as_flattened(), &table, "baked");
            assert_same_bits(EVALUATED.as_flattened(), &table, "evaluated");

            let mut rows = table.clone().into_vec();
            rows.fill($dtype::NAN);
            let start: i64 = $start;
            for (row, position) in rows.chunks_exact_mut($d_model).zip(start..) {
                SPEC.encode(position, row).unwrap();
            }
            assert_same_bits(&rows, &table, "encoded");

            let middle = $seq_len / 2;
            rows[middle * $d_model..].fill($dtype::NAN);
            SPEC.fill(middle.., &mut rows[middle * $d_model..]).unwrap();
            assert_same_bits(&rows, &table, "filled from the middle");
        }
    )* };
}

doors_agree! {
    one_entry: f32 1 x 1, base 10000.0, start 0;
    one_pair: f64 3 x 2, base 10000.0, start 0;
    no_rows: f32 0 x 4, base 10000.0, start 0;
    the_paper: f32 32 x 32, base 10000.0, start 0;
    the_paper_in_f64: f64 32 x 32, base 10000.0, start 0;
    odd_width: f32 9 x 7, base 10000.0, start 0;
    odd_width_in_f64: f64 9 x 7, base 10000.0, start 0;
    long_base: f32 8 x 16, base 500_000.0, start 1;
    base_two: f64 8 x 10, base 2.0, start -4;
    base_below_one: f32 8 x 6, base 0.25, start -4;
    base_one: f32 4 x 6, base 1.0, start 2;
    largest_base: f64 4 x 6, base 1.797_693_134_862_315_7e308, start 1;
    least_base: f32 2 x 4, base 5e-324, start 3;
    across_zero: f32 11 x 8, base 10000.0, start -5;
    far_out: f64 3 x 8, base 10000.0, start 9_007_199_254_740_990;
    far_out_below: f32 3 x 8, base 1e9, start -9_007_199_254_740_992;
}

#[test]
fn large_tables_agree() {
    static BAKED: [[f32; 256]; 1024] = posenc::sinusoidal_table!(1024, 256);
    assert_same_bits(BAKED.as_flattened(), &posenc::sinusoidal_table(1024, 256).unwrap(), "baked");
    static DOUBLE: [[f64; 129]; 512] = posenc::sinusoidal_table!(512, 129, dtype = f64, start = 1 << 40);
    let table = Spec::new(129).start(1 << 40).table(512).unwrap();
    assert_same_bits(DOUBLE.as_flattened(), &table, "baked");
}

#[test]
fn the_sizes_of_a_macro_may_come_from_another_macro() {
    macro_rules! table {
        ($rows:expr, $width:expr) => {
            posenc::sinusoidal_table!($rows * 2, $width)
        };
    }
    static BAKED: [[f32; 6]; 8] = table!(1 + 3, 2 * 3);
    assert_same_bits(BAKED.as_flattened(), &posenc::sinusoidal_table(8, 6).unwrap(), "baked");
}

#[test]
fn a_baked_table_takes_the_space_of_its_entries_and_no_more() {
    static BAKED: [[f32; 64]; 128] = posenc::sinusoidal_table!(128, 64);
    assert_eq!(size_of_val(&BAKED), 128 * 64 * 4);
}
