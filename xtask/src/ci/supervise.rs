//! Runs a process with a time limit, and leaves none of its descendants running.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::spawn_merged;

/// The interval at which a silent process is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// How long to wait for the rest of the output. The tests wait for it.
const DRAIN: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 5 });

/// How a process ended.
pub(super) struct Ended {
    /// `None` if a signal ended it.
    pub(super) code: Option<i32>,
    /// Whether it was killed because it exceeded the limit.
    pub(super) late: bool,
}

/// Runs a command in its own process group, and passes the lines of its output to `show`.
///
/// Kills the whole group when the command has ended, when the limit is exceeded, or on an interruption.
pub(super) fn supervise(
    command: &mut Command,
    limit: Duration,
    interrupted: &AtomicBool,
    mut show: impl FnMut(&str),
) -> io::Result<Ended> {
    let start = Instant::now();
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let (reader, mut child) = spawn_merged(command.stdin(Stdio::null()))?;
    let output = read_in_background(reader);
    let mut late = false;
    let status = loop {
        match output.recv_timeout(PAUSE) {
            Ok(line) => show(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
        if let Some(status) = child.try_wait()? {
            break status;
        }
        late = start.elapsed() > limit;
        if late || interrupted.load(Ordering::Relaxed) {
            kill_group(&mut child);
            break child.wait()?;
        }
    };
    kill_group(&mut child);
    // A process that left the group may keep the pipe open and write to it.
    let drained = Instant::now();
    while let Ok(line) = output.recv_timeout(DRAIN.saturating_sub(drained.elapsed())) {
        show(&line);
    }
    Ok(Ended { code: status.code(), late })
}

fn read_in_background(reader: io::PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Kills all processes of the group, if there are any.
#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    let group = Pid::from_raw(i32::try_from(child.id()).expect("process ids are positive i32"));
    let _ = killpg(group, Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use super::{DRAIN, supervise};

    const LONG: Duration = Duration::from_secs(600);
    const SHORT: Duration = Duration::from_secs(1);

    /// Returns the exit status, whether it was late, the lines, and the time it took.
    fn run(script: &str, limit: Duration, interrupted: bool) -> (Option<i32>, bool, String, Duration) {
        let (start, mut lines) = (Instant::now(), Vec::new());
        let mut command = Command::new("sh");
        let interrupted = AtomicBool::new(interrupted);
        let show = |line: &str| lines.push(line.to_owned());
        let ended = supervise(command.args(["-c", script]), limit, &interrupted, show).unwrap();
        (ended.code, ended.late, lines.join("|"), start.elapsed())
    }

    #[test]
    fn output_and_exit_code_are_passed_on() {
        let (code, late, output, _) = run("echo one; echo; echo two >&2; printf three; exit 69", LONG, false);
        assert_eq!((code, late, &*output), (Some(69), false, "one||two|three"));
    }

    #[test]
    fn a_process_that_sleeps_is_killed_with_all_that_it_has_started() {
        // If the second process were left, the output would stay open.
        let (code, late, output, took) = run("trap '' TERM; sleep 600 & echo begun; sleep 600", SHORT, false);
        assert_eq!((code, late, &*output), (None, true, "begun"));
        assert!(took >= SHORT && took < SHORT + DRAIN, "{took:?}");
    }

    #[test]
    fn what_a_process_leaves_behind_is_killed() {
        let (code, late, _, took) = run("sleep 600 &", LONG, false);
        assert_eq!((code, late), (Some(0), false));
        assert!(took < DRAIN, "{took:?}");
    }

    #[test]
    fn a_process_that_has_left_the_group_does_not_hold_it_up() {
        let (code, late, _, took) =
            run("setsid sh -c 'for i in 1 2 3 4 5 6; do echo $i; sleep 1; done' &", LONG, false);
        assert_eq!((code, late), (Some(0), false));
        assert!(took < DRAIN + Duration::from_secs(2), "{took:?}");
    }

    #[test]
    fn an_interruption_ends_it_too() {
        let (code, late, ..) = run("sleep 600", LONG, true);
        assert_eq!((code, late), (None, false));
    }
}
