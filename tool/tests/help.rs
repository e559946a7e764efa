//! The help, man pages and completions, and readers that close the output.

use std::fs;
use std::io;
use std::process::Command;

use crate::common::Folder;

#[test]
fn each_command_has_help_with_examples() {
    let folder = Folder::new();
    for command in
        ["", "table", "rope", "grid", "compare", "identify", "plot", "explain", "presets", "completions", "man"]
    {
        for help in ["--help", "-h"] {
            // In a narrow terminal the texts are wrapped, but not the examples, which are there to be copied.
            let ran = folder.posenc_with(&format!("{command} {help}"), &[("COLUMNS", "60")]).done().says("Examples:\n");
            let out = ran.out();
            let (_, examples) = out.split_once("Examples:\n").unwrap();
            assert!(examples.lines().all(|line| line.starts_with("  posenc ")), "{examples}");
        }
    }
    folder.posenc("--help").done().says("Exit status: 0 on success");
    folder.posenc("").status(2);
    folder.posenc("nonsense").refused("nonsense");
    assert_eq!(folder.posenc("--version").done().out(), format!("posenc {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn man_pages_and_completions_have_every_command() {
    let folder = Folder::new();
    folder.posenc("man .").done();
    let commands = ["table", "rope", "grid", "compare", "identify", "plot", "explain", "presets", "completions", "man"];
    let mut pages = commands.map(|command| format!("posenc-{command}.1")).to_vec();
    pages.push("posenc.1".to_owned());
    pages.sort();
    let mut names = folder.names();
    names.sort();
    assert_eq!(names, pages);
    let page = fs::read_to_string(folder.path("posenc-table.1")).unwrap();
    assert!(page.contains(r"\-\-freq\-shift") && page.contains("posenc table \\-\\-preset whisper"), "{page}");
    folder.posenc("man nope").refused("cannot write to `nope`: there is no folder `nope`");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let code = folder.posenc(&format!("completions {shell}")).done().says("freq-shift").out();
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(
                ["whisper", "llama3_1", "cogvideox", "interleaved"].iter().all(|name| code.contains(name)),
                "{shell}"
            );
        }
        assert!(commands.iter().all(|command| code.contains(command)), "{shell}");
    }
    folder.posenc("completions tcsh").refused("tcsh");
}

#[test]
#[ignore = "needs bash"]
fn bash_reads_its_completions() {
    let folder = Folder::new();
    let code = folder.posenc("completions bash").done().out();
    folder.write("completions", code);
    let script = "source completions && complete -p posenc";
    let ran = Command::new("bash").args(["-c", script]).current_dir(folder.path("")).output().unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).contains("_posenc"), "{ran:?}");
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
