//! Frozen tables: the first rows of every preset, from the macro and at run time.
//!
//! The bits are among the golden ones and the hashes of `tests/hashes`.

use std::fmt::Write;

use posenc::{Preset, Spec, sinusoidal_table};

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
