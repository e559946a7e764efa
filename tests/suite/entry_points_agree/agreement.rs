//! The macro, the compiler and run time compute the same bits, entry by entry. `tests/random-specs` has random tables.

use posenc::{Aligned, Amplitude, Bf16Bits, Columns, F16Bits, Flat, Layout, Odd, Order, Pairing, Preset, Rows, Spec};

use testkit::assert_same_bits;

/// One test per table, comparing all ways to compute it.
///
/// It is baked by the macro; evaluated by the compiler for named sizes and by `const_fill`; and computed at run time by
/// `const_table`, in one piece, from a middle row on, and position by position. The positions begin with
/// `$from`, and are `$by` apart.
macro_rules! entry_points_agree {
    ($($name:ident: $dtype:ident as $type:ty, $seq_len:literal x $d_model:literal, $from:expr, $by:expr, $spec:expr, [$($keys:tt)*];)*) => { $(
        #[test]
        fn $name() {
            const SPEC: Spec = $spec;
            let (from, by): (i64, i64) = ($from, $by);
            let position = |i: i64| from + i * by;
            static BAKED: [[$type; $d_model]; $seq_len] =
                posenc::sinusoidal_table!($seq_len, $d_model, dtype = $dtype, $($keys)*);
            const SEQ_LEN: usize = $seq_len;
            const D_MODEL: usize = $d_model;
            static NAMED: [[$type; $d_model]; $seq_len] =
                posenc::sinusoidal_table!(SEQ_LEN, D_MODEL, dtype = $dtype, $($keys)*);
            static EVALUATED: [[$type; $d_model]; $seq_len] = {
                let mut rows = [[OTHER; $d_model]; $seq_len];
                assert!(SPEC.const_fill(0.., rows.as_flattened_mut()).is_ok());
                rows
            };
            // Bits that no table contains: those of a NaN.
            const OTHER: $type = not_a_number!($dtype);
            let table = SPEC.table::<$type>($seq_len).unwrap();
            assert_same_bits(BAKED.as_flattened(), table.as_slice(), "baked");
            assert_same_bits(NAMED.as_flattened(), table.as_slice(), "named");
            // The function that the compiler evaluates for `NAMED`, called at run time.
            let made: [[$type; $d_model]; $seq_len] = posenc::const_table(SPEC);
            assert_same_bits(made.as_flattened(), table.as_slice(), "made by const_table");
            assert_same_bits(EVALUATED.as_flattened(), table.as_slice(), "evaluated");

            let mut rows = table.clone().into_vec();
            let middle = $seq_len / 2;
            rows[middle * $d_model..].fill(OTHER);
            SPEC.fill(middle.., &mut rows[middle * $d_model..]).unwrap();
            assert_same_bits(&rows, table.as_slice(), "filled from the middle");

            rows.fill(OTHER);
            for (row, i) in rows.chunks_exact_mut($d_model).zip(0i64..) {
                SPEC.encode(position(i), row).unwrap();
            }
            assert_same_bits(&rows, table.as_slice(), "encoded");

            rows.fill(OTHER);
            let positions: Vec<f64> = (0i64..$seq_len).map(|i| (position(i)) as f64).collect();
            SPEC.fill_positions(&positions, &mut rows).unwrap();
            assert_same_bits(&rows, table.as_slice(), "filled by positions");
        }
    )* };
}

macro_rules! not_a_number {
    (f32) => {
        f32::NAN
    };
    (f64) => {
        f64::NAN
    };
    (f16_bits) => {
        F16Bits::from_bits(0x7e00)
    };
    (bf16_bits) => {
        Bf16Bits::from_bits(0x7fc0)
    };
}

const LIST: &[f64] = &[1.0, 0.1, -0.75, 0.0];

entry_points_agree! {
    one_entry: f32 as f32, 1 x 1, 0, 1, Spec::new(1), [];
    one_pair: f64 as f64, 3 x 2, 0, 1, Spec::new(2), [];
    no_rows: f32 as f32, 0 x 4, 0, 1, Spec::new(4), [];
    the_paper: f32 as f32, 32 x 32, 0, 1, Spec::new(32), [];
    the_paper_in_f64: f64 as f64, 32 x 32, 0, 1, Spec::new(32), [];
    the_paper_in_f16: f16_bits as F16Bits, 32 x 32, 0, 1, Spec::new(32), [];
    the_paper_in_bf16: bf16_bits as Bf16Bits, 32 x 32, 0, 1, Spec::new(32), [];
    odd_width: f32 as f32, 9 x 7, 0, 1, Spec::new(7), [];
    odd_width_in_f64: f64 as f64, 9 x 7, 0, 1, Spec::new(7), [];
    long_base: f32 as f32, 8 x 16, 1, 1, Spec::new(16).base(500_000.0).start(1), [base = 500_000, start = 1];
    base_two: f64 as f64, 8 x 10, -4, 1, Spec::new(10).base(2.0).start(-4), [base = 2.0, start = -4];
    base_below_one: f32 as f32, 8 x 6, -4, 1, Spec::new(6).base(0.25).start(-4), [base = 0.25, start = -4];
    base_one: f32 as f32, 4 x 6, 2, 1, Spec::new(6).base(1.0).start(2), [base = 1, start = 2];
    largest_base: f64 as f64, 4 x 6, 1, 1, Spec::new(6).base(f64::MAX).start(1),
        [base = 1.797_693_134_862_315_7e308, start = 1];
    least_base: f32 as f32, 2 x 4, 3, 1, Spec::new(4).base(5e-324).start(3), [base = 5e-324, start = 3];
    across_zero: f32 as f32, 11 x 8, -5, 1, Spec::new(8).start(-5), [start = -5];
    far_out: f64 as f64, 3 x 8, 9_007_199_254_740_990, 1, Spec::new(8).start((1 << 53) - 2), [start = (1 << 53) - 2];
    far_out_below: f32 as f32, 3 x 8, -9_007_199_254_740_992, 1, Spec::new(8).base(1e9).start(-(1 << 53)),
        [base = 1e9, start = -(1 << 53)];
    shift_one: f32 as f32, 6 x 8, 0, 1, Spec::new(8).freq_shift(1.0), [freq_shift = 1];
    shift_of_many_bits: f64 as f64, 6 x 9, 0, 1, Spec::new(9).freq_shift(-0.1), [freq_shift = -0.1];
    halves: f32 as f32, 6 x 7, 0, 1, Spec::new(7).layout(Layout::Halves), [layout = halves];
    cosines_first: f32 as f32, 6 x 8, 0, 1, Spec::new(8).order(Order::CosSin), [order = cos_sin];
    descending: f32 as f32, 7 x 8, 3, -1, Spec::new(8).start(3).step(-1), [start = 4 - 1, step = -1];
    long_steps: f64 as f64, 4 x 8, -(1 << 52), 1 << 50, Spec::new(8).start(-(1 << 52)).step(1 << 50),
        [step = 1 << 50, start = -(1 << 52)];
    scaled: f64 as f64, 6 x 8, 0, 1, Spec::new(8).scale(-0.3), [scale = -0.3];
    in_units: f64 as f64, 6 x 8, -2, 1, Spec::new(8).unit(8, 15).start(-2), [unit = 8 / 15, start = -2];
    in_whole_units: f32 as f32, 3 x 4, 0, 1, Spec::new(4).unit(3, 1), [unit = 3];
    in_units_and_scaled: f32 as f32, 3 x 4, 0, 1, Spec::new(4).unit(1_000_000, 28_000_001).scale(std::f64::consts::TAU),
        [unit = (1_000_000 / 28_000_001), scale = 6.283185307179586];
    scaled_to_nothing: f32 as f32, 2 x 4, 1, 1, Spec::new(4).scale(0.0).start(1), [scale = 0, start = 1];
    louder: f32 as f32, 6 x 8, 0, 1, Spec::new(8).amplitude(Amplitude::Value(-3.5)), [amplitude = -3.5];
    silent: f64 as f64, 2 x 4, 1, 1, Spec::new(4).amplitude(Amplitude::Value(0.0)).start(1), [amplitude = 0, start = 1];
    one_over_a_root: f64 as f64, 6 x 12, 0, 1, Spec::new(12).amplitude(Amplitude::RsqrtD), [amplitude = rsqrt_d];
    a_root_of_two: f32 as f32, 6 x 6, 0, 1, Spec::new(6).amplitude(Amplitude::Sqrt2OverD), [amplitude = sqrt_2_over_d];
    last_column_zero: f32 as f32, 6 x 7, 0, 1, Spec::new(7).odd(Odd::Zero), [odd = zero];
    only_a_zero_column: f32 as f32, 3 x 1, 0, 1, Spec::new(1).odd(Odd::Zero), [odd = zero];
    sines: f32 as f32, 6 x 5, 0, 1, Spec::new(5).columns(Columns::Sin), [columns = sin];
    cosines: f64 as f64, 6 x 5, 0, 1, Spec::new(5).columns(Columns::Cos), [columns = cos];
    unpaired: f32 as f32, 6 x 5, 0, 1, Spec::new(5).pairing(Pairing::Unpaired), [pairing = unpaired];
    a_list: f32 as f32, 6 x 8, 0, 1, Spec::new(8).frequencies(LIST), [frequencies = [1, 0.1, -0.75, 0]];
    whisper: f32 as f32, 6 x 8, 0, 1, Spec::preset(Preset::Whisper, 8), [preset = whisper];
    a_preset_refined: f64 as f64, 6 x 8, 0, 2, Spec::preset(Preset::Adm, 8).scale(1000.0).layout(Layout::Interleaved).step(2),
        [scale = 1000, layout = interleaved, preset = adm, step = 2];
    relative: f32 as f32, 7 x 8, 3, -1, Spec::preset(Preset::ConformerRel, 8).start(3), [preset = conformer_rel, start = 3];
    f16_underflow: f16_bits as F16Bits, 4 x 8, 0, 1, Spec::new(8).base(1e9), [base = 1e9];
}

#[test]
fn a_zero_row_is_zero_at_every_entry_point() {
    const SPEC: Spec = Spec::preset(Preset::Fairseq, 5).zero_row(1);
    static BAKED: [[f32; 5]; 4] = posenc::sinusoidal_table!(4, 5, preset = fairseq, zero_row = 1);
    let table = SPEC.table::<f32>(4).unwrap();
    assert_same_bits(BAKED.as_flattened(), table.as_slice(), "baked");
    assert_eq!(table[1].iter().map(|entry| entry.to_bits()).sum::<u32>(), 0);
    assert_eq!(table[2], Spec::preset(Preset::Fairseq, 5).table::<f32>(4).unwrap()[2]);
    for first in 0..4 {
        let mut rows = [f32::NAN; 10];
        SPEC.fill(first.., &mut rows).unwrap();
        let longer = SPEC.table::<f32>(6).unwrap();
        assert_eq!(rows, longer.as_slice()[first * 5..][..10], "from row {first}");
    }
    let mut row = [f32::NAN; 5];
    SPEC.encode(1, &mut row).unwrap();
    assert_eq!(row, Spec::preset(Preset::Tensor2Tensor, 5).table::<f32>(2).unwrap()[1]);
}

#[test]
fn large_tables_agree() {
    static BAKED: [[f32; 256]; 1024] = posenc::sinusoidal_table!(1024, 256);
    assert_same_bits(BAKED.as_flattened(), posenc::sinusoidal_table(1024, 256).unwrap().as_slice(), "baked");
    static DOUBLE: [[f64; 129]; 512] = posenc::sinusoidal_table!(512, 129, dtype = f64, start = 1 << 40);
    let table = Spec::new(129).start(1 << 40).table(512).unwrap();
    assert_same_bits(DOUBLE.as_flattened(), table.as_slice(), "baked");
    static NARROW: [[F16Bits; 384]; 1500] = posenc::sinusoidal_table!(1500, 384, dtype = f16_bits, preset = whisper);
    assert_same_bits(
        NARROW.as_flattened(),
        Spec::preset(Preset::Whisper, 384).table(1500).unwrap().as_slice(),
        "baked",
    );
}

#[test]
fn the_values_of_a_macro_may_come_from_another_macro() {
    macro_rules! table {
        ($rows:expr, $width:expr, $layout:ident, $list:expr) => {
            posenc::sinusoidal_table!($rows * 2, $width, layout = $layout, frequencies = $list)
        };
    }
    static BAKED: [[f32; 4]; 8] = table!(1 + 3, 2 * 2, halves, [0.5, 0.25]);
    let spec = Spec::new(4).layout(Layout::Halves).frequencies(&[0.5, 0.25]);
    assert_same_bits(BAKED.as_flattened(), spec.table(8).unwrap().as_slice(), "baked");
}

/// An expression fragment is one value regardless of its neighbours, and names give the same table as literal numbers.
#[test]
fn names_mean_in_another_macro_what_they_mean_here() {
    mod config {
        pub(super) const N: usize = 4;
        pub(super) const X: f64 = 2.0;
    }
    const N: usize = config::N;
    macro_rules! table {
        ($n:expr; $m:expr) => {
            posenc::sinusoidal_table!(
                $n * 2,
                $m,
                base = $m * 2,
                start = 10 - $n,
                step = -($n as i64),
                scale = 1.0 / $m as f64
            )
        };
    }
    static NAMED: [[f32; 4]; 10] = table!(N + 1; N);
    static LITERAL: [[f32; 4]; 10] = posenc::sinusoidal_table!(10, 4, base = 8, start = 5, step = -5, scale = 0.25);
    assert_eq!(NAMED, LITERAL);

    static LISTED: [[f64; 3]; 4] = {
        const THREE: usize = 3;
        macro_rules! f64_table {
            ($n:expr, $x:expr, $path:path) => {
                posenc::sinusoidal_table!(
                    $n,
                    $path,
                    dtype = f64,
                    start = 10 - $n,
                    columns = sin,
                    frequencies = [1.0, 1.0 / $x, 2.0 * $x]
                )
            };
        }
        f64_table!(config::N, config::X + 2.0, THREE)
    };
    static SAME: [[f64; 3]; 4] =
        posenc::sinusoidal_table!(4, 3, dtype = f64, start = 6, columns = sin, frequencies = [1.0, 0.25, 8.0]);
    assert_eq!(LISTED, SAME);
}

#[test]
fn numbers_may_have_any_type_and_any_form() {
    struct Model<const D: usize>;
    impl<const D: usize> Model<D> {
        const HALF: usize = D / 2;
        const TABLE: [[f32; D]; 3] = posenc::sinusoidal_table!(3, D, scale = Self::HALF as f64);
    }
    const BIG: u128 = 1 << 127;
    const BYTE: u8 = 2;
    const SINGLE: f32 = 0.1;
    #[allow(dead_code, clippy::upper_case_acronyms)]
    enum ROWS {}
    const ROWS: usize = 3;
    static SIZES: [[f32; 4]; 3] = posenc::sinusoidal_table!((ROWS), 2 * BYTE as usize, step = BYTE - 1);
    static PLAIN: [[f32; 4]; 3] = posenc::sinusoidal_table!(3, 4);
    assert_eq!(SIZES, PLAIN);
    static LARGE: [[f32; 4]; 3] = posenc::sinusoidal_table!(3, 4, base = BIG, scale = SINGLE, zero_row = BYTE / 2);
    let spec = Spec::new(4).base(2f64.powi(127)).scale(f64::from(0.1f32)).zero_row(1);
    assert_same_bits(LARGE.as_flattened(), spec.table(3).unwrap().as_slice(), "large");
    static DIVIDED: [[f32; 4]; 3] =
        posenc::sinusoidal_table!(9 / ROWS, ROWS * 8 / 2 / ROWS, scale = 1.0 / BYTE as f64 / 2.0);
    assert_same_bits(DIVIDED.as_flattened(), Spec::new(4).scale(0.25).table(3).unwrap().as_slice(), "divided");
    assert_same_bits(Model::<4>::TABLE.as_flattened(), Spec::new(4).scale(2.0).table(3).unwrap().as_slice(), "generic");
}

/// A user's own macro can declare tables.
#[test]
fn items_may_come_from_another_macro() {
    macro_rules! tables {
        ($($(#[$meta:meta])* $visibility:vis $name:ident $(: $wrapper:ident)? = $rows:expr, $width:expr;)*) => {
            posenc::sinusoidal_table! { $($(#[$meta])* $visibility static $name $(: $wrapper)? = ($rows, $width);)* }
        };
    }
    mod declared {
        pub(super) const ROWS: usize = 2;
        tables! {
            pub(super) FIRST = 2, 4;
            /// With docs.
            #[allow(dead_code)]
            SECOND: Aligned = ROWS, 4;
            #[allow(non_upper_case_globals)]
            pub(self) r#static = 2, 4;
        }
        pub(super) fn all() -> [[[f32; 4]; 2]; 3] {
            [FIRST, SECOND.0, r#static]
        }
    }
    let table = Spec::new(4).table::<f32>(declared::ROWS).unwrap();
    assert_same_bits(declared::FIRST.as_flattened(), table.as_slice(), "first");
    assert!(declared::all().iter().all(|item| item.as_flattened() == table.as_slice()));
    // A disabled item has neither a table nor errors.
    posenc::sinusoidal_table! {
        #[cfg(any())]
        static ABSENT = (4, 0);
        static PRESENT = (1, 2);
    }
    assert_eq!(PRESENT, [[0.0, 1.0]]);
}

#[test]
fn a_baked_table_takes_the_space_of_its_entries_and_no_more() {
    static BAKED: [[f32; 64]; 128] = posenc::sinusoidal_table!(128, 64);
    assert_eq!(size_of_val(&BAKED), 128 * 64 * 4);
    static NARROW: [[Bf16Bits; 64]; 128] = posenc::sinusoidal_table!(128, 64, dtype = bf16_bits);
    assert_eq!(size_of_val(&NARROW), 128 * 64 * 2);
}

/// All conversions of a table keep its entries in order.
#[test]
fn a_table_is_its_entries_in_every_form() {
    let mut table = Spec::new(3).table::<f64>(5).unwrap();
    let entries = table.as_slice().to_vec();
    assert_eq!(table.shape(), (5, 3));
    assert_eq!(table.as_ref(), entries);
    assert!((&table).into_iter().eq(entries.chunks_exact(3)));
    for i in 0..7 {
        for j in 0..5 {
            let inside = i < 5 && j < 3;
            assert_eq!(table.get(i, j), inside.then(|| &entries[3 * i + j]), "({i}, {j})");
        }
    }
    assert_eq!(Aligned::from(table.clone()).into_iter().count(), 5);
    table.as_mut_slice()[7] = 2.0;
    assert_eq!(table[(2, 1)], 2.0);
    table.as_mut().copy_from_slice(&entries);
    assert_eq!(Vec::from(table), entries);

    // Rows that are aligned individually are also a table.
    let rows: Vec<Aligned<[f64; 3]>> = entries.chunks_exact(3).map(|row| Aligned([row[0], row[1], row[2]])).collect();
    assert!(Spec::new(3).compare(&rows).unwrap().is_identical());
    let flat = Flat::new(&entries, 3).unwrap();
    assert_eq!((flat.d_model(), flat.seq_len()), (3, 5));
    assert_eq!(Flat::new(&entries, 5).map(|other| other == flat), Ok(false));
}
