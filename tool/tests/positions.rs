//! `--positions`, lists in files, and stdin.

use std::fs;

use posenc::{Preset, Spec};

use crate::common::Folder;

fn expected(spec: &Spec, positions: &[f64]) -> Vec<u8> {
    let mut rows = vec![0.0_f32; positions.len() * spec.d_model()];
    spec.fill_positions(positions, &mut rows).unwrap();
    rows.into_iter().flat_map(f32::to_le_bytes).collect()
}

#[test]
fn rows_are_at_the_positions() {
    let folder = Folder::new();
    let adm = Spec::preset(Preset::Adm, 8);
    let ran = folder.posenc("table -p adm -d 8 --positions 998.39,-3,0.5,9007199254740992 -o pe.bin").done();
    assert!(ran.err().contains(" 4 x 8 f32") && ran.err().ends_with(" at 4 given positions\n"), "{}", ran.err());
    let positions = [998.39, -3.0, 0.5, 9_007_199_254_740_992.0];
    assert!(fs::read(folder.path("pe.bin")).unwrap() == expected(&adm, &positions));
    // The table is computed in several pieces.
    let many: Vec<f64> = (0..1100).map(|i| f64::from(i) / 4.0).collect();
    let text: Vec<_> = many.iter().map(ToString::to_string).collect();
    folder.write("many.txt", text.join("\n"));
    folder.posenc("table -p adm -d 1024 --positions @many.txt -t f64 -o pe.bin").done();
    let mut rows = vec![0.0_f64; 1100 * 1024];
    Spec::preset(Preset::Adm, 1024).fill_positions(&many, &mut rows).unwrap();
    assert!(
        fs::read(folder.path("pe.bin")).unwrap() == rows.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<_>>()
    );
    // Such positions need no start.
    folder.posenc("table -p transformer_xl -d 8 --positions 511,510 -o pe.bin").done();
    let counted = fs::read(folder.path("pe.bin")).unwrap();
    folder.posenc("table -p transformer_xl -d 8 -n 2 --start 511 -o pe.bin").done();
    assert!(fs::read(folder.path("pe.bin")).unwrap() == counted);
    // A row of padding is none of them.
    let config = r#"{"model_type": "m2m_100", "d_model": 8, "max_position_embeddings": 9, "pad_token_id": 1}"#;
    folder.write("config.json", config);
    folder.posenc("table -c config.json --positions 4,1 -o pe.bin").done();
    assert!(fs::read(folder.path("pe.bin")).unwrap() == expected(&Spec::preset(Preset::Fairseq, 8), &[4.0, 1.0]));
}

#[test]
fn lists_are_read_from_files_and_stdin() {
    let folder = Folder::new();
    folder.write("list.txt", "1, 0.5\n\t1e-3,\n1/4\n");
    let of_list = expected(&Spec::new(8).frequencies(&[1.0, 0.5, 1e-3, 0.25]), &[0.0, 1.0]);
    folder.posenc("table -n 2 -d 8 --frequencies @list.txt -o pe.bin").done();
    assert!(fs::read(folder.path("pe.bin")).unwrap() == of_list);
    folder.posenc_reading("table -n 2 -d 8 --frequencies @- -o pe.bin", b"1 0.5 1e-3 0.25").done();
    assert!(fs::read(folder.path("pe.bin")).unwrap() == of_list);
    let config = br#"{"model_type": "marian", "d_model": 8, "max_position_embeddings": 2}"#;
    folder.posenc_reading("table -c - -o pe.bin", config).done();
    assert!(fs::read(folder.path("pe.bin")).unwrap() == expected(&Spec::preset(Preset::HfMarian, 8), &[0.0, 1.0]));
}

#[test]
fn misuse_is_told() {
    let folder = Folder::new();
    folder.write("list.txt", "1, x");
    let refused = |options: &str, words: &str| folder.posenc(&format!("table -d 4 {options} -o x.npy")).refused(words);
    refused("--positions 1,x", "`x` is not a number");
    refused("--positions 1,", "`` is not a number");
    refused("--positions inf", "the position is inf, but must be finite");
    refused("--positions 9007199254740993", "the position is 9007199254740993, but must be");
    refused("--positions @list.txt", "`list.txt`: `x` is not a number");
    refused("--positions @none.txt", "`none.txt` cannot be read");
    for option in ["-n 2", "--start 1", "--step 2", "--zero-row 0"] {
        refused(&format!("--positions 1,2 {option}"), "cannot be used with");
    }
    assert_eq!(folder.names(), ["list.txt"]);
}
