//! Frozen tables: the macro's bits and those of run time, side by side. A changed bit in either is a changed file, and belongs
//! under "Output" in the changelog.

use std::fmt::{Debug, LowerHex, Write};

use posenc::{Element, Spec, Table, sinusoidal_table};

/// `row column macro-bits run-time-bits value`, a line an entry.
fn side_by_side<T, B, const N: usize, const D: usize>(baked: &[[T; D]; N], table: &Table<T>, bits: fn(T) -> B) -> String
where
    T: Element + Debug,
    B: LowerHex,
{
    assert_eq!((table.seq_len(), table.d_model()), (N, D));
    let mut text = String::from("row column macro run-time value\n");
    for (i, (baked, made)) in baked.iter().zip(table.rows()).enumerate() {
        for (j, (&baked, &made)) in baked.iter().zip(made).enumerate() {
            let digits = 2 * size_of::<T>();
            writeln!(text, "{i} {j} {:0digits$x} {:0digits$x} {made:?}", bits(baked), bits(made)).unwrap();
        }
    }
    text
}

macro_rules! snapshots {
    ($($name:ident: $dtype:ident, $spec:expr, $macro:expr;)*) => { $(
        #[test]
        fn $name() {
            let baked = $macro;
            let table = $spec.table::<$dtype>(baked.len()).unwrap();
            insta::with_settings!({ description => stringify!($macro), omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), side_by_side(&baked, &table, $dtype::to_bits));
            });
        }
    )* };
}

snapshots! {
    paper: f32, Spec::new(6), sinusoidal_table!(10, 6);
    paper_f64: f64, Spec::new(6), sinusoidal_table!(10, 6, dtype = f64);
    odd_width: f32, Spec::new(5), sinusoidal_table!(6, 5);
    long_base: f32, Spec::new(8).base(500_000.0), sinusoidal_table!(6, 8, base = 500_000);
    from_minus_three: f64, Spec::new(4).start(-3), sinusoidal_table!(7, 4, dtype = f64, start = -3);
    far_out: f32, Spec::new(8).start(9_007_199_254_740_989), sinusoidal_table!(4, 8, start = (1 << 53) - 3);
    underflow: f32, Spec::new(8).base(1e60).start(-2), sinusoidal_table!(5, 8, base = 1e60, start = -2);
}
