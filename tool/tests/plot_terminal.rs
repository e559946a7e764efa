//! What is drawn in a terminal, with a pseudo-terminal.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use nix::pty::{Winsize, openpty};

use crate::common::Folder;

/// Runs the command in a terminal of 50 columns and 20 lines, and returns what it prints.
fn in_terminal(folder: &Folder, variables: &[(&str, &str)], line: &str) -> String {
    let size = Winsize { ws_row: 20, ws_col: 50, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let mut command = folder.command(line);
    command.env_clear().envs(variables.iter().copied()).stdin(Stdio::null()).stdout(terminal.slave);
    let mut child = command.spawn().unwrap();
    // The command holds the other end of the terminal too. Reading ends when nobody does.
    drop(command);
    let mut bytes = Vec::new();
    // Linux ends it with an error.
    let _ = File::from(terminal.master).read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success());
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

#[test]
fn the_terminal_has_a_size_and_colours() {
    let folder = Folder::new();
    let line = "plot --seq-len 1000 --d-model 64";
    let direct = in_terminal(&folder, &[("TERM", "xterm"), ("COLORTERM", "truecolor")], line);
    assert!(direct.contains("[38;2;"), "{direct}");
    let palette = in_terminal(&folder, &[("TERM", "xterm-256color")], line);
    assert!(palette.contains("[38;5;") && !palette.contains("[38;2;"), "{palette}");
    for variables in [
        &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")][..],
        &[("TERM", "dumb"), ("COLORTERM", "truecolor")],
        &[("TERM", "vt100")],
        &[],
    ] {
        let plain = in_terminal(&folder, variables, line);
        assert!(plain.is_ascii() && !plain.contains('\x1b'), "{variables:?}\n{plain}");
        let widest = plain.lines().map(str::len).max().unwrap();
        assert!((38..=50).contains(&widest) && plain.lines().count() == 19, "{plain}");
    }
}

#[test]
fn a_terminal_shows_where_an_angle_is() {
    let folder = Folder::new();
    let line = "explain --position 4095 --column 17 --d-model 512";
    let told = folder.posenc(line).done().out();
    let drawn = "\
turn            |-----------|-----------|----------o|-----------|
                0           1/4         1/2         3/4         1 turn
";
    assert_eq!(in_terminal(&folder, &[("TERM", "dumb")], line), format!("{told}{drawn}"));
    // A column of zeros has no angle.
    let line = "explain --position 1 --column 2 --d-model 3 --odd zero";
    assert_eq!(in_terminal(&folder, &[], line), folder.posenc(line).done().out());
}
