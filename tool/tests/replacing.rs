//! The file that a table replaces stays until the new one is complete, and a failed run leaves nothing behind.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Folder;

/// An existing file stays until the new table is complete, and no partial file is left.
#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = Folder::new();
    folder.write("file", "not a folder");
    let table = "table --seq-len 8 --d-model 8";
    folder.posenc(&format!("{table} -o file/pe.npy")).refused("cannot write `file/pe.npy`: `file` is not a folder\n");
    folder
        .posenc(&format!("{table} -o nope/pe.npy"))
        .refused("cannot write `nope/pe.npy`: there is no folder `nope`\n");
    fs::create_dir(folder.path("folder.npy")).unwrap();
    folder.posenc("table --seq-len 8 --d-model 8 -o folder.npy").refused("it is a directory");
    assert_eq!(folder.names().len(), 2);
    #[cfg(target_os = "linux")]
    folder.posenc("table --seq-len 8 --d-model 8 --format bin -o /dev/full").refused("cannot write `/dev/full`");
}

/// A limit on file sizes simulates a full disk. (The unit of the shell is 512 or 1024 bytes.)
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = Folder::new();
    folder.write("pe.npy", "the old one");
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" table --seq-len 4096 --d-model 64 -o pe.npy";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_posenc")]).current_dir(folder.path(""));
    let ran = command.output().unwrap();
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot write") && error.contains("an existing file is unchanged"), "{error}");
    assert_eq!(folder.names(), ["pe.npy"]);
    assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
}

/// Whoever may write everywhere, as root may, has another user run a copy of the command, which that user can reach.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let folder = Folder::new();
    fs::create_dir(folder.path("closed")).unwrap();
    for (path, mode) in [("", 0o755), ("closed", 0o555)] {
        fs::set_permissions(folder.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    // A file that this process wrote itself could be busy, in a child that another test is about to start.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_posenc")).arg(folder.path("posenc")).status();
    assert!(copied.unwrap().success());
    let mut command = Command::new(folder.path("posenc"));
    if fs::write(folder.path("closed/probe"), "").is_ok() {
        command.uid(NOBODY);
    }
    let line = "table --seq-len 8 --d-model 8 -o closed/pe.npy";
    let ran = command.args(line.split(' ')).current_dir(folder.path("")).output().unwrap();
    let error = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{error}");
    assert!(error.ends_with("closed/pe.npy`: permission denied\n"), "{error}");
}

/// A run that is stopped by a signal soon after the start leaves the target unchanged and removes its own file.
#[cfg(unix)]
#[test]
fn a_stopped_run_leaves_the_old_table_and_nothing_else() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        folder.write("pe.npy", "the old one");
        let mut child = begun(&folder);
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(folder.names(), ["pe.npy"], "{signal}");
        assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
    }
}

/// Starts a run that replaces an old file, and waits until it has begun to write.
fn begun(folder: &Folder) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posenc"));
    let line = "table --seq-len 4000000 --d-model 512 --max-bytes 8GiB -o pe.npy";
    let child = command.args(line.split(' ')).current_dir(folder.path("")).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    let part = || folder.names().into_iter().find(|name| name != "pe.npy");
    let length = |name: &String| fs::metadata(folder.path(name)).map_or(0, |facts| facts.len());
    while part().as_ref().map_or(0, length) == 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "nothing is written");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// The signal of `kill` cannot be handled.
#[test]
fn an_interrupted_run_leaves_the_old_table() {
    let folder = Folder::new();
    folder.write("pe.npy", "the old one");
    let mut child = begun(&folder);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it was too quick to be interrupted");
    assert_eq!(fs::read(folder.path("pe.npy")).unwrap(), b"the old one");
}

/// A file that stdout is redirected to is written to, and not replaced.
#[cfg(unix)]
#[test]
fn a_redirected_stdout_keeps_what_it_has() {
    let folder = Folder::new();
    let script = "echo head > f; \"$0\" table --seq-len 1 --d-model 2 --format bin -o /dev/stdout >> f; echo tail >> f";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_posenc")]).current_dir(folder.path("")).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
    assert_eq!(fs::read(folder.path("f")).unwrap(), b"head\n\0\0\0\0\0\0\x80\x3ftail\n");
}

#[cfg(unix)]
#[test]
fn links_stay_and_others_may_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("real.bin", "old");
    symlink("real.bin", folder.path("pe.bin")).unwrap();
    folder.posenc("table --seq-len 2 --d-model 2 -o pe.bin").done();
    assert!(fs::symlink_metadata(folder.path("pe.bin")).unwrap().is_symlink());
    let real = fs::metadata(folder.path("real.bin")).unwrap();
    assert_eq!(real.len(), 16);
    assert_ne!(real.permissions().mode() & 0o044, 0, "the umask of this test takes this off, or the command does");
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    for mode in [0o600, 0o640, 0o755] {
        folder.write("pe.bin", "old");
        fs::set_permissions(folder.path("pe.bin"), fs::Permissions::from_mode(mode)).unwrap();
        folder.posenc("table --seq-len 2 --d-model 2 -o pe.bin").done();
        let replaced = fs::metadata(folder.path("pe.bin")).unwrap();
        assert_eq!((replaced.len(), replaced.permissions().mode() & 0o7777), (16, mode));
    }
}
