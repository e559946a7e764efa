//! `posenc explain`.

use posenc::{Preset, Spec};

use crate::common::Folder;

#[test]
fn an_entry_is_explained_in_the_librarys_words() {
    let folder = Folder::new();
    let ran = folder.posenc("explain --position 4095 --column 17 --d-model 512").done();
    assert_eq!(ran.out(), format!("{}\n", Spec::new(512).explain::<f32>(4095, 17).unwrap().to_string().trim_end()));
    let ran = folder.posenc("explain --position 998.39 --column 3 --d-model 8 --preset adm --dtype f64").done();
    let explained = Spec::preset(Preset::Adm, 8).explain::<f64>(998.39, 3).unwrap();
    assert_eq!(ran.out(), format!("{}\n", explained.to_string().trim_end()));
    for dtype in ["f16", "bf16"] {
        folder.posenc(&format!("explain --position -7 --column 0 --d-model 4 --dtype {dtype}")).done().says(dtype);
    }
    for (options, words) in [
        ("--position x --column 0 --d-model 4", "`x` is not a number"),
        ("--position inf --column 0 --d-model 4", "the position is inf"),
        ("--position 9007199254740993 --column 0 --d-model 4", "the position is 9007199254740993, but must be"),
        ("--position 9_007_199_254_740_993 --column 0 --d-model 4", "the position is 9007199254740993, but must be"),
        ("--position 9223372036854775809 --column 0 --d-model 4", "`position` is 9223372036854775809, but must be"),
        ("--position 1 --column 4 --d-model 4", "column"),
        ("--position 1 --column 0 --d-model 0", "`d_model` is 0"),
        ("--position 1 --column 0", "--d-model"),
        (
            "--position 1 --column 0 --d-model 4 --start 1",
            "--start does not change the entry at a position; leave it out",
        ),
        ("--position 1 --column 0 --d-model 4 --step 2", "--step does not change"),
        ("--position 1 --column 0 --d-model 4 --zero-row 1", "--zero-row does not change"),
        ("--position 1 --column 0 --d-model 4 --dtype i8", "must be one of f32, f64, f16, bf16"),
    ] {
        folder.posenc(&format!("explain {options}")).refused(words);
    }
}
