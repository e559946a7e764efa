//! Compares the presets with values that other projects publish in their tests.
//!
//! The values are decimals, so an entry may differ from the printed one by half a unit of its last digit. Some peers
//! compute in f32 and print enough digits to show it, or truncate their digits. The test then says so, and allows for
//! that as little as the printed values need.

use std::f64::consts::PI;

use posenc::{Amplitude, Columns, Layout, Preset, Spec};

/// The error of a correctly rounded decimal, in units of its last digit.
const ROUNDED: f64 = 0.5;

/// The visible error of a value computed in f64, or printed with few digits, in `f32::EPSILON`s of the value.
const INVISIBLE: f64 = 0.0;

/// `tracel-ai/burn`, `crates/burn-nn/src/modules/pos_encoding.rs`, `test_generate_sinusoids`; burn computed them with
/// the code of a `PyTorch` tutorial.
const BURN: &str = "\
0.00000  1.00000 0.00000 1.00000 0.00000 1.00000
0.84147  0.54030 0.04640 0.99892 0.00215 1.00000
0.90930 -0.41615 0.09270 0.99569 0.00431 0.99999
0.14112 -0.98999 0.13880 0.99032 0.00646 0.99998
-0.75680 -0.65364 0.18460 0.98281 0.00862 0.99996
-0.95892 0.28366 0.23000 0.97319 0.01077 0.99994
-0.27942 0.96017 0.27491 0.96147 0.01293 0.99992
0.65699  0.75390 0.31922 0.94768 0.01508 0.99989
0.98936 -0.14550 0.36285 0.93185 0.01723 0.99985
0.41212 -0.91113 0.40570 0.91401 0.01939 0.99981
-0.54402 -0.83907 0.44767 0.89420 0.02154 0.99977
-0.99999 0.00443 0.48868 0.87246 0.02370 0.99972";

#[test]
fn burn_prints_the_table_of_the_paper() {
    assert_rows(Spec::preset(Preset::Paper, 6), BURN, ROUNDED, INVISIBLE);
}

/// `tensordot/syntaxdot`, `syntaxdot-transformers/src/util.rs`, `positions_are_sinusoidal`.
const SYNTAXDOT: &str = "\
0.0000e+00  1.0000e+00 0.0000e+00 1.0000e+00 0.0000e+00 1.0000e+00 0.0000e+00 1.0000e+00
8.4147e-01  5.4030e-01 9.9833e-02 9.9500e-01 9.9998e-03 9.9995e-01 1.0000e-03 1.0000e+00
9.0930e-01 -4.1615e-01 1.9867e-01 9.8007e-01 1.9999e-02 9.9980e-01 2.0000e-03 1.0000e+00
1.4112e-01 -9.8999e-01 2.9552e-01 9.5534e-01 2.9996e-02 9.9955e-01 3.0000e-03 1.0000e+00
-7.5680e-01 -6.5364e-01 3.8942e-01 9.2106e-01 3.9989e-02 9.9920e-01 4.0000e-03 9.9999e-01";

#[test]
fn syntaxdot_prints_the_table_of_the_paper() {
    assert_rows(Spec::preset(Preset::Paper, 8), SYNTAXDOT, ROUNDED, INVISIBLE);
}

/// `keras-team/keras-hub`, `keras_hub/src/layers/modeling/sine_position_encoding_test.py`: positions 0 and 3 in
/// `test_output_correct_values`, 0 and 1 in `test_positions`.
///
/// Some digits are truncated instead of rounded (0.13879, but burn has 0.13880), so they are off by up to a whole unit.
#[test]
fn keras_hub_cuts_the_digits_of_its_table() {
    const CUT: f64 = 1.0;
    let table = Spec::preset(Preset::KerasHub, 6).table::<f32>(4).unwrap();
    assert_close(table.row(0), "0.0 1.0 0.0 1.0 0.0 1.0", ROUNDED, INVISIBLE);
    assert_close(table.row(3), "0.14112 -0.98999 0.13879 0.99032 0.00646 0.99997", CUT, INVISIBLE);
    let printed = "0.0 1.0 0.0 1.0\n0.84147 0.54030 0.009999 0.99995";
    assert_rows(Spec::preset(Preset::KerasHub, 4), printed, CUT, INVISIBLE);
}

/// The values that Marian itself computes, recorded by `huggingface/transformers`,
/// `tests/models/fsmt/test_modeling_fsmt.py`, `test_positional_emb_weights_against_marian`: the first five columns of a
/// width of 512.
const MARIAN: &str = "\
0          0          0          0          0
0.84147096 0.82177866 0.80180490 0.78165019 0.76140374
0.90929741 0.93651021 0.95829457 0.97505713 0.98720258";

/// The values that `huggingface/transformers` computes instead, `tests/models/roformer/test_modeling_roformer.py`,
/// `test_positional_emb_weights_against_roformer`: the same five columns, by code that its Marian shares.
const ROFORMER: &str = "\
0.0000 0.0000 0.0000 0.0000 0.0000
0.8415 0.8219 0.8020 0.7819 0.7617
0.9093 0.9364 0.9581 0.9749 0.9870";

/// Marian computes in f32, which shows: its values are off by up to 0.54 `f32::EPSILON`s.
#[test]
fn marian_and_its_port_print_different_tables() {
    let marian = Spec::preset(Preset::MarianNmt, 512).table::<f32>(512).unwrap();
    let port = Spec::preset(Preset::HfMarian, 512).table::<f32>(512).unwrap();
    for (position, (marian_printed, port_printed)) in MARIAN.lines().zip(ROFORMER.lines()).enumerate() {
        assert_close(&marian.row(position)[..5], marian_printed, ROUNDED, 0.6);
        assert_close(&port.row(position)[..5], port_printed, ROUNDED, INVISIBLE);
    }
    // The first rows of the port differ so little that a comparison to three decimals passes.
    let miss = |row: &[f32], printed: &str| {
        let printed = printed.split_whitespace().map(|value| value.parse::<f64>().unwrap());
        largest(row.iter().zip(printed).map(|(&entry, value)| f64::from(entry) - value))
    };
    let misses = (0..3).zip(MARIAN.lines()).map(|(position, printed)| miss(port.row(position), printed));
    assert_in(largest(misses), 3.1e-4, 3.2e-4);
    // Later rows differ completely.
    let pairs = marian.rows().zip(port.rows()).flat_map(|(one, other)| one.iter().zip(other));
    assert_in(largest(pairs.map(|(&one, &other)| f64::from(one) - f64::from(other))), 0.70, 0.72);
}

/// `huggingface/transformers`, `tests/models/roformer/test_modeling_roformer.py`, `test_basic`; and `nlpodyssey/spago`,
/// `pkg/ml/encoding/pe/encoder_test.go` (until 2022), the tests of an even and of an odd size.
///
/// The latter prints the cosine of 2, -0.41614..., as -0.4162, which is off by 0.532 units.
#[test]
fn halves_of_an_odd_width_have_one_more_sine() {
    let printed = "\
0.0000 0.0000 0.0000  1.0000 1.0000 1.0000
0.8415 0.0464 0.0022  0.5403 0.9989 1.0000
0.9093 0.0927 0.0043 -0.4161 0.9957 1.0000
0.1411 0.1388 0.0065 -0.9900 0.9903 1.0000";
    assert_rows(Spec::preset(Preset::HfMarian, 6), printed, ROUNDED, INVISIBLE);
    let printed = "\
0      0      0        1      1
0.8415 0.0251 0.0006   0.5403 0.9997
0.9093 0.0502 0.00126 -0.4162 0.9987";
    assert_rows(Spec::preset(Preset::HfMarian, 5), printed, 0.54, INVISIBLE);
}

/// `allenai/allennlp`, `tests/nn/util_test.py`, `test_add_positional_features`: results of tensor2tensor, in f32 (off
/// by up to 0.61 `f32::EPSILON`s).
///
/// Its two cosines of 2 differ in their last place; that of the odd width is not the nearest.
#[test]
fn allennlp_prints_what_tensor2tensor_computed() {
    let printed = "\
0.00000000e00  0.00000000e00  1.00000000e00 1.00000000e00
8.41470957e-01 9.99999902e-05 5.40302277e-01 1.00000000e00
9.09297407e-01 1.99999980e-04 -4.16146845e-01 1.00000000e00";
    assert_rows(Spec::preset(Preset::Tensor2Tensor, 4), printed, ROUNDED, 0.7);
    let printed = "\
0.00000000e00  0.00000000e00  0.00000000e00  1.00000000e00  1.00000000e00  1.00000000e00 0.00000000e00
8.41470957e-01 9.99983307e-03 9.99999902e-05 5.40302277e-01 9.99949992e-01 1.00000000e00 0.00000000e00
9.09297407e-01 1.99986659e-02 1.99999980e-04 -4.16146815e-01 9.99800026e-01 1.00000000e00 0.00000000e00";
    assert_rows(Spec::preset(Preset::Tensor2Tensor, 7), printed, ROUNDED, 0.7);
}

/// `tensorflow/models`, `official/nlp/modeling/layers/position_embedding_test.py`, `test_relative_length_input`.
#[test]
fn tensorflow_models_print_position_zero() {
    assert_rows(Spec::preset(Preset::Tensor2Tensor, 8), "0 0 0 0 1 1 1 1", ROUNDED, INVISIBLE);
}

/// `tensorflow/tensor2tensor`, `tensor2tensor/layers/common_attention_test.py`, `testAddTimingSignalsGivenPositions`:
/// two coordinates, each in half of the columns.
///
/// The test computes the sines directly, with the frequencies 1 and 1e-4, so this is f64. With u = `f64::EPSILON` / 2,
/// the angle has two errors of u, and the relative error of a sine is at most that of its angle. The platform's sine is
/// within 2 u, and the rounding of posenc within 1 u.
#[test]
fn tensor2tensor_encodes_two_coordinates_side_by_side() {
    let spec = Spec::preset(Preset::Tensor2Tensor, 4);
    for (x, y) in [(0, 4), (1, 5), (2, 6), (3, 7)] {
        let mut row = [0.0_f64; 8];
        spec.encode(x, &mut row[..4]).unwrap();
        spec.encode(y, &mut row[4..]).unwrap();
        let angles = |position: i32| [f64::from(position), f64::from(position) * 1e-4];
        let signal = |position: i32| [angles(position).map(f64::sin), angles(position).map(f64::cos)].concat();
        for (entry, written) in row.into_iter().zip([signal(x), signal(y)].concat()) {
            let bound = 5.0 * f64::EPSILON / 2.0 * written.abs();
            assert!((entry - written).abs() <= bound, "posenc has {entry:?}, the formula {written:?}");
        }
    }
}

/// `huggingface/transformers`, `tests/models/fsmt/test_modeling_fsmt.py`, `test_basic`: row 1 is padding, so the two
/// tokens are rows 2 and 3.
///
/// Computed in f32: the sine of 0.03 is 2.99955002e-02, which would print as 2.9996e-02 (as in syntaxdot) without
/// an error of 0.29 `f32::EPSILON`s.
#[test]
fn fsmt_prints_the_rows_after_its_padding() {
    let table = Spec::preset(Preset::Fairseq, 6).zero_row(1).table::<f32>(4).unwrap();
    assert_close(table.row(1), "0 0 0 0 0 0", ROUNDED, INVISIBLE);
    let first = "9.0930e-01 1.9999e-02 2.0000e-04 -4.1615e-01 9.9980e-01 1.0000e00";
    let second = "1.4112e-01 2.9995e-02 3.0000e-04 -9.8999e-01 9.9955e-01 1.0000e00";
    assert_close(table.row(2), first, ROUNDED, 0.3);
    assert_close(table.row(3), second, ROUNDED, 0.3);
}

/// `facebookresearch/fairseq2`, `tests/unit/nn/test_position_encoder.py`, `expected_freqs`: positions 0, 1, 2
/// and 9 of ten, in four lines each, after a row of zeros.
const FAIRSEQ2: &str = "\
0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00
0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00 0.0000e+00
1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00
1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00
8.4147e-01 5.1514e-01 2.8870e-01 1.5783e-01 8.5664e-02 4.6399e-02 2.5116e-02 1.3593e-02
7.3564e-03 3.9811e-03 2.1544e-03 1.1659e-03 6.3096e-04 3.4146e-04 1.8479e-04 1.0000e-04
5.4030e-01 8.5711e-01 9.5742e-01 9.8747e-01 9.9632e-01 9.9892e-01 9.9968e-01 9.9991e-01
9.9997e-01 9.9999e-01 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00
9.0930e-01 8.8306e-01 5.5281e-01 3.1170e-01 1.7070e-01 9.2699e-02 5.0217e-02 2.7184e-02
1.4712e-02 7.9621e-03 4.3089e-03 2.3318e-03 1.2619e-03 6.8291e-04 3.6957e-04 2.0000e-04
-4.1615e-01 4.6926e-01 8.3331e-01 9.5018e-01 9.8532e-01 9.9569e-01 9.9874e-01 9.9963e-01
9.9989e-01 9.9997e-01 9.9999e-01 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00 1.0000e+00
4.1212e-01 -9.8752e-01 4.8452e-01 9.8959e-01 6.9752e-01 4.0570e-01 2.2415e-01 1.2204e-01
6.6159e-02 3.5822e-02 1.9389e-02 1.0493e-02 5.6786e-03 3.0731e-03 1.6631e-03 9.0000e-04
-9.1113e-01 1.5748e-01 -8.7478e-01 1.4389e-01 7.1657e-01 9.1401e-01 9.7455e-01 9.9253e-01
9.9781e-01 9.9936e-01 9.9981e-01 9.9994e-01 9.9998e-01 1.0000e+00 1.0000e+00 1.0000e+00";

/// Position 0 is in row 1, which is position 1 in fairseq.
///
/// Its frequencies are f32 exponentials of arguments up to 9.2, whose rounding errors show (up to 3.2 `f32::EPSILON`s).
#[test]
fn fairseq2_prints_position_zero_after_a_row_of_zeros() {
    let table = Spec::preset(Preset::Fairseq, 32).start(-1).zero_row(0).table::<f32>(11).unwrap();
    assert_eq!(table.row(0), [0.0_f32; 32]);
    let entries = [0, 1, 2, 9].map(|position| table.row(1 + position)).concat();
    assert_close(&entries, FAIRSEQ2, ROUNDED, 3.3);
}

/// `yutanagano/tcrlm`, `tests/0_unit_tests/test_modules_bert_sinposembedding.py`: interleaved, with a base of 30, and
/// again with position 0 in row 1.
#[test]
fn tcrlm_prints_a_short_base_after_a_row_of_zeros() {
    let printed = "\
0.0000 0.0000 0.0000 0.0000
0.0000 1.0000 0.0000 1.0000
0.8415 0.5403 0.1816 0.9834";
    assert_rows(Spec::new(4).base(30.0).start(-1).zero_row(0), printed, ROUNDED, INVISIBLE);
}

/// `OpenNMT/CTranslate2`, `tests/layers_test.cc`, `PositionEncoderNoSharedState`: the first row, which is position 1,
/// added to an input.
///
/// The original compares to 1e-5, so its decimals are padded with zeros to at least five places.
#[test]
fn ctranslate2_starts_at_position_one() {
    assert_sum(&[0.1, -2.3, 0.5, 1.2], "0.941471 -2.29990 1.04030 2.20000");
    assert_sum(&[-0.2, -1.3, 0.1, -0.6, 2.0, 1.1], "0.641471 -1.29000 0.10010 -0.0596977 2.99995 2.10000");

    #[track_caller]
    fn assert_sum(input: &[f64], printed: &str) {
        let table = Spec::preset(Preset::OpennmtTf, input.len()).table::<f64>(1).unwrap();
        let sum: Vec<_> = table.row(0).iter().zip(input).map(|(entry, input)| entry + input).collect();
        assert_close(&sum, printed, ROUNDED, INVISIBLE);
    }
}

/// `huggingface/diffusers`, `tests/models/test_layers_utils.py`, `test_sinoid_embeddings_hardcoded`: rows 23 to 25,
/// columns 47 to 49 of a width of 64.
///
/// The families are the U-Net of DDPM, GLIDE and LDM, and Grad-TTS, which scales the first by 1000. Even then the f32
/// errors of the original do not show in its four decimals.
#[test]
fn diffusers_prints_timesteps_of_three_families() {
    let families = [
        (Spec::preset(Preset::Ddpm, 64), ["0.9646 0.9804 0.9892", "0.9615 0.9787 0.9882", "0.9582 0.9769 0.9872"]),
        (Spec::preset(Preset::Adm, 64), ["0.3019 0.2280 0.1716", "0.3146 0.2377 0.1790", "0.3272 0.2474 0.1864"]),
        (
            Spec::preset(Preset::Ddpm, 64).scale(1000.0),
            ["-0.9801 -0.9464 -0.9349", "-0.3952 0.8887 -0.9709", "0.5299 -0.2853 -0.9927"],
        ),
    ];
    for (spec, printed) in families {
        let table = spec.table::<f32>(128).unwrap();
        for (timestep, printed) in (23..26).zip(printed) {
            assert_close(&table.row(timestep)[47..50], printed, ROUNDED, INVISIBLE);
        }
    }
}

/// The same file, `test_timestep_embeddings`: timestep 0 is zeros and ones, and the last column of sixteen timesteps is
/// less than 1e-5 short of ones in total (6.2e-6).
#[test]
fn diffusers_expects_zeros_then_ones() {
    let table = Spec::preset(Preset::Ddpm, 256).table::<f32>(16).unwrap();
    assert_eq!(table.row(0), [[0.0_f32; 128], [1.0; 128]].concat());
    let short: f32 = table.rows().map(|row| 1.0 - row[255]).sum();
    assert!(short < 1e-5, "{short:?}");
}

/// `ml-explore/mlx`, `python/tests/test_nn.py`, `test_sin_pe`; and `tensordot/syntaxdot`,
/// `syntaxdot-transformers/src/util.rs`, `positions_are_l2_normalized`: rows have length 1.
///
/// mlx has a width of 16, a smallest frequency of 0.01 and a tolerance of 1e-5; syntaxdot has a width of 8 and a
/// tolerance of 1e-4. In f64 each of at most 16 squares has 3 rounding errors, relative to a total of 1, and each of 16
/// additions adds one more.
#[test]
fn mlx_and_syntaxdot_expect_rows_of_unit_length() {
    let mlx = Spec::preset(Preset::Mlx, 16).base(100.0).table::<f64>(10).unwrap();
    let syntaxdot = Spec::preset(Preset::Paper, 8).amplitude(Amplitude::Sqrt2OverD).table::<f64>(5).unwrap();
    for row in mlx.rows().chain(syntaxdot.rows()) {
        let square: f64 = row.iter().map(|entry| entry * entry).sum();
        assert!((square - 1.0).abs() <= (3.0 + 16.0) * f64::EPSILON / 2.0, "{square:?}");
    }
}

/// `ml-explore/mlx`, `python/tests/test_nn.py`, `test_sin_pe`, and `OpenNMT/OpenNMT-tf`,
/// `opennmt/tests/position_test.py`, `testSinusoidalPositionEncoderInvalidDepth`.
#[test]
fn mlx_and_opennmt_tf_expect_an_error_at_an_odd_width() {
    for d_model in [1, 3] {
        assert!(Spec::preset(Preset::Mlx, d_model).table::<f32>(10).is_err());
    }
    assert!(Spec::preset(Preset::OpennmtTf, 5).table::<f32>(6).is_err());
}

/// `wfondrie/depthcharge`, `tests/unit_tests/test_encoders/test_sinusoidal.py`, `test_positional_encoder`: wavelengths
/// from 1 to 8.
///
/// They are 1, 2, 4 and 8, so row 8 equals row 0, and row 2 is at a quarter of the longest wavelength. The frequencies
/// have the relative error of pi; the absolute error of the largest angle is sixteen times that of pi (1.3e-16).
#[test]
fn depthcharge_expects_a_period() {
    const FREQUENCIES: [f64; 4] = [2.0 * PI, 2.0 * PI / 2.0, 2.0 * PI / 4.0, 2.0 * PI / 8.0];
    let table = Spec::new(8).layout(Layout::Halves).frequencies(&FREQUENCIES).table::<f64>(9).unwrap();
    let period = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    let quarter = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, -1.0, 0.0];
    for (position, expected) in [(0, period), (2, quarter), (8, period)] {
        assert_in(largest(table.row(position).iter().zip(expected).map(|(entry, value)| entry - value)), 0.0, 2.1e-15);
    }
}

/// The same file, `test_float_encoder`: wavelengths from 0.1 to 10 at fractional positions.
///
/// After a turn the error is 2 pi times that of the frequency, which has three roundings: of pi, of the wavelength and
/// of the quotient.
#[test]
fn depthcharge_encodes_fractions() {
    const FREQUENCIES: [f64; 4] = [2.0 * PI / 0.1, 2.0 * PI / 0.464_158_9, 2.0 * PI / 2.154_434_7, 2.0 * PI / 10.0];
    let mut rows = [[0.0_f64; 8]; 4];
    let spec = Spec::new(8).layout(Layout::Halves).frequencies(&FREQUENCIES);
    spec.fill_positions(&[0.0, 0.1, 10.0, 0.256], rows.as_flattened_mut()).unwrap();
    let [zero, shortest, longest, between] = rows;
    assert_eq!(zero, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    for [sine, cosine] in [[shortest[0], shortest[4]], [longest[3], longest[7]]] {
        assert_in(largest([sine, cosine - 1.0].into_iter()), 0.0, 2.0 * PI * 3.0 * f64::EPSILON / 2.0);
    }
    assert!(between.iter().all(|entry| entry.abs() < 0.99), "{between:?}");
}

/// `tracel-ai/burn`, `crates/burn-nn/src/modules/rope_encoding.rs`, and `huggingface/transformers`,
/// `tests/models/roformer/test_modeling_roformer.py`: adjacent pairs rotated by position 1.
///
/// The caches are two tables of half the width.
#[test]
fn rotary_embeddings_turn_pairs_by_two_tables() {
    assert_rotated(&[5.0, 6.0, 7.0, 8.0], 4, "-2.3473 7.4492 6.9197 8.0696");
    assert_rotated(&[13.0, 14.0, 15.0, 16.0], 4, "-4.7567 18.5034 14.8393 16.1492");
    // The second row of a matrix of width 64 whose entries increase by hundredths.
    let row: Vec<_> = (64..72).map(|i| f64::from(i) / 100.0).collect();
    assert_rotated(&row, 64, "-0.2012 0.8897 0.0263 0.9401 0.2074 0.9463 0.3481 0.9343");

    #[track_caller]
    fn assert_rotated(row: &[f64], head_dim: usize, printed: &str) {
        let spec = Spec::new(head_dim / 2);
        let (mut cos, mut sin) = (vec![0.0; head_dim / 2], vec![0.0; head_dim / 2]);
        spec.columns(Columns::Cos).encode(1, &mut cos).unwrap();
        spec.columns(Columns::Sin).encode(1, &mut sin).unwrap();
        let angles = cos.into_iter().zip(sin);
        let rotated = row.chunks(2).zip(angles).flat_map(|(x, (c, s))| [x[0] * c - x[1] * s, x[1] * c + x[0] * s]);
        assert_close(&rotated.collect::<Vec<f64>>(), printed, ROUNDED, INVISIBLE);
    }
}

/// Compares the first rows of a table with the printed rows.
#[track_caller]
fn assert_rows(spec: Spec, printed: &str, units: f64, epsilons: f64) {
    let table = spec.table::<f32>(printed.lines().count()).unwrap();
    for (row, printed) in table.rows().zip(printed.lines()) {
        assert_close(row, printed, units, epsilons);
    }
}

/// Compares entries with printed decimals.
///
/// The tolerance is `units` of the last printed digit plus `epsilons` `f32::EPSILON`s of the value. A number printed
/// without a decimal point is exact.
#[track_caller]
fn assert_close<T: Copy + Into<f64>>(row: &[T], printed: &str, units: f64, epsilons: f64) {
    let printed: Vec<_> = printed.split_whitespace().collect();
    assert_eq!(row.len(), printed.len());
    for (column, (&entry, printed)) in row.iter().zip(printed).enumerate() {
        let (entry, value): (f64, f64) = (entry.into(), printed.parse().unwrap());
        let bound = units * last_digit(printed) + epsilons * f64::from(f32::EPSILON) * value.abs();
        assert!(
            (entry - value).abs() <= bound,
            "column {column}: posenc has {entry:?}, the other {printed}, more than {bound:e} apart"
        );
    }
}

/// Returns the weight of the last digit: `1e-5` for `-4.1615e-01`.
fn last_digit(printed: &str) -> f64 {
    let (digits, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    digits.split_once('.').map_or(0.0, |(_, decimals)| {
        let exponent: i32 = exponent.parse().unwrap();
        10_f64.powi(exponent - i32::try_from(decimals.len()).unwrap())
    })
}

fn largest(differences: impl Iterator<Item = f64>) -> f64 {
    differences.fold(0.0, |largest, difference| difference.abs().max(largest))
}

#[track_caller]
fn assert_in(value: f64, low: f64, high: f64) {
    assert!((low..=high).contains(&value), "{value:e} is not from {low:e} to {high:e}");
}
