//! `posenc explain`, `posenc presets`, the help, and readers that close the output.

use std::io;
use std::process::Command;

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
    ] {
        folder.posenc(&format!("explain {options}")).refused(words);
    }
}

#[test]
fn every_preset_is_listed_and_told() {
    let folder = Folder::new();
    let list = folder.posenc("presets").done();
    for preset in Preset::ALL {
        let name = preset.name();
        let line = list.out().lines().find(|line| line.split_whitespace().next() == Some(name)).map(str::to_owned);
        assert!(
            line.is_some_and(
                |line| line.contains("10000^(-") && line.split("  ").last().is_some_and(|models| models.len() > 2)
            ),
            "{name}"
        );
        let details = folder.posenc(&format!("presets {name}")).done();
        // The command in the output works.
        let command = details
            .out()
            .lines()
            .find_map(|line| line.trim().strip_prefix("command   posenc ").map(str::to_owned))
            .unwrap();
        folder.posenc(&command.replace("512 -o", "16 -o").replace("--seq-len 512", "--seq-len 20")).done();
    }
    for (name, _) in Preset::ELSEWHERE {
        folder.posenc(&format!("presets {name}")).done().says(": use ");
    }
    folder.posenc("presets flux").done().says("--preset adm --seq-len 512 --d-model 512 --scale 1000");
    folder.posenc("presets wisper").refused("did you mean `whisper`?");
}

#[test]
fn each_command_has_help_with_examples() {
    let folder = Folder::new();
    for command in ["", "table", "rope", "grid", "compare", "identify", "explain", "presets"] {
        folder.posenc(&format!("{command} --help")).done().says("Examples:");
    }
    folder.posenc("").status(2);
    folder.posenc("nonsense").refused("nonsense");
    folder.posenc("--version").done().says(env!("CARGO_PKG_VERSION"));
}

/// If the reader closes the output, as in `posenc ... | head -c 1`, there is neither a panic nor a message, and the exit
/// status is not that of an answer.
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new();
    folder.posenc("table --seq-len 8 --d-model 4 -o pe.npy").done();
    for line in [
        "presets",
        "compare pe.npy",
        "compare pe.npy --start 1",
        "table --seq-len 100000 --d-model 512 --format bin -o -",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posenc"));
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let ended = command.args(line.split(' ')).current_dir(folder.path("")).stdout(writer).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{line}");
        #[cfg(unix)]
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended.status), Some(13), "{line}");
        #[cfg(not(unix))]
        assert_eq!(ended.status.code(), Some(2), "{line}");
    }
}
