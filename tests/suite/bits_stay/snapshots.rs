//! Frozen tables: the bits of the macro and of run time, side by side.
//!
//! A changed bit in either changes a snapshot file, and belongs under "Output" in the changelog.

use std::fmt::Write;

use posenc::{Bf16Bits, F16Bits, Preset, Spec, Table, sinusoidal_table};

use testkit::Bits;

/// Formats the entries as lines `row column macro-bits run-time-bits value`.
fn side_by_side<T: Bits, const N: usize, const D: usize>(baked: &[[T; D]; N], table: &Table<T>) -> String {
    assert_eq!((table.seq_len(), table.d_model()), (N, D));
    let mut text = String::from("row column macro run-time value\n");
    for (i, (baked, made)) in baked.iter().zip(table.rows()).enumerate() {
        for (j, (&baked, &made)) in baked.iter().zip(made).enumerate() {
            let digits = 2 * size_of::<T>();
            writeln!(text, "{i} {j} {:0digits$x} {:0digits$x} {made:?}", baked.bits(), made.bits()).unwrap();
        }
    }
    text
}

macro_rules! snapshots {
    ($($name:ident: $dtype:ty, $spec:expr, $macro:expr;)*) => { $(
        #[test]
        fn $name() {
            let baked = $macro;
            let table = $spec.table::<$dtype>(baked.len()).unwrap();
            insta::with_settings!({ description => stringify!($macro), omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), side_by_side(&baked, &table));
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
    paper_f16: F16Bits, Spec::new(6), sinusoidal_table!(10, 6, dtype = f16_bits);
    paper_bf16: Bf16Bits, Spec::new(6), sinusoidal_table!(10, 6, dtype = bf16_bits);
    underflow: f32, Spec::new(8).base(1e60).start(-2), sinusoidal_table!(5, 8, base = 1e60, start = -2);
}

/// The first rows of every preset in decimals, to show which columns are sines or cosines and how fast each changes.
macro_rules! preset_tables {
    ($($preset:ident $name:ident $($start:literal)?;)*) => { {
        let mut text = String::new();
        $(
            let baked = sinusoidal_table!(4, 8, preset = $name $(, start = $start)?);
            let spec = Spec::preset(Preset::$preset, 8)$(.start($start))?;
            assert!(spec.table::<f32>(4).unwrap().rows().eq(&baked));
            assert_eq!(Preset::$preset.name(), stringify!($name));
            let rows = baked.map(|row| row.map(|entry| format!("{entry:7.4}")).join(" ")).join("\n");
            writeln!(text, "{}\n{spec}\n{rows}\n", stringify!($name)).unwrap();
        )*
        assert_eq!([$(Preset::$preset),*], Preset::ALL);
        text
    } };
}

/// The table in the docs of `Preset` has one row per preset and no other rows.
#[test]
fn the_docs_list_the_presets() {
    let head = "| model or library | preset | its table | you also set |";
    let (_, table) = include_str!("../../../pe-runtime/src/spec/presets.md").split_once(head).expect("the table");
    let cells = table.lines().skip(2).map_while(|line| line.strip_prefix('|')?.split('|').nth(1));
    let mut listed: Vec<_> = cells.flat_map(|names| names.split('`').skip(1).step_by(2)).collect();
    let mut presets: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
    listed.sort_unstable();
    presets.sort_unstable();
    assert_eq!(listed, presets);
}

#[test]
fn presets() {
    let text = preset_tables! {
        Paper paper;
        Tensor2Tensor tensor2tensor;
        Fairseq fairseq;
        Whisper whisper;
        Distilbert distilbert;
        HfMarian hf_marian;
        MarianNmt marian_nmt;
        OpennmtTf opennmt_tf;
        Musicgen musicgen;
        Ddpm ddpm;
        Adm adm;
        NemoFixed nemo_fixed;
        XTransformers x_transformers;
        Mlx mlx;
        KerasHub keras_hub;
        TransformerXl transformer_xl 3;
        ConformerRel conformer_rel 2;
        Omega0 omega_0;
        SineCodes sine_codes;
        Unpaired unpaired;
        ListForm list_form;
    };
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}
