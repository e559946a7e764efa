//! Runs a process with a time limit, and leaves none of its descendants running.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::spawn_merged;

/// The time between asking a process to end and killing it.
pub(crate) const GRACE: Duration = Duration::from_secs(10);

/// The interval at which a silent process is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// How long to wait for the rest of the output.
const DRAIN: Duration = Duration::from_secs(5);

/// How a process ended.
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Whether it was ended because it exceeded the limit.
    pub(crate) late: bool,
    pub(crate) took: Duration,
}

/// Runs a command in its own process group, and passes its output to `show`.
///
/// Ends the whole group when the command has ended, when the limit is exceeded, or on an interruption.
pub(crate) fn supervise(
    command: &mut Command,
    limit: Duration,
    grace: Duration,
    interrupted: &AtomicBool,
    mut show: impl FnMut(&[u8]),
) -> io::Result<Ended> {
    let start = Instant::now();
    group::prepare(command);
    let (reader, mut child) = spawn_merged(command.stdin(Stdio::null()))?;
    let output = read_in_background(reader);
    let mut asked_to_end: Option<Instant> = None;
    let mut late = false;
    let status = loop {
        match output.recv_timeout(PAUSE) {
            Ok(bytes) => show(&bytes),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
        if let Some(status) = child.try_wait()? {
            break status;
        }
        match asked_to_end {
            None if start.elapsed() > limit || interrupted.load(Ordering::Relaxed) => {
                late = !interrupted.load(Ordering::Relaxed);
                asked_to_end = Some(Instant::now());
                group::end(&mut child);
            }
            Some(since) if since.elapsed() > grace => group::kill(&mut child),
            _ => {}
        }
    };
    // The descendants of the process were asked to end too, and have the same time.
    while asked_to_end.is_some_and(|since| since.elapsed() < grace) && group::is_left(&child) {
        thread::sleep(PAUSE);
    }
    group::kill(&mut child);
    // A process that left the group may keep the pipe open and write to it.
    let drained = Instant::now();
    while let Some(left) = DRAIN.checked_sub(drained.elapsed()) {
        match output.recv_timeout(left) {
            Ok(bytes) => show(&bytes),
            Err(_) => break,
        }
    }
    Ok(Ended { code: status.code(), late, took: start.elapsed() })
}

fn read_in_background(mut reader: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

#[cfg(unix)]
mod group {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    pub(super) fn prepare(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn end(child: &mut Child) {
        signal(child, Signal::SIGTERM);
    }

    pub(super) fn kill(child: &mut Child) {
        signal(child, Signal::SIGKILL);
    }

    /// Returns whether a process of the group still runs.
    pub(super) fn is_left(child: &Child) -> bool {
        killpg(id(child), None).is_ok()
    }

    fn signal(child: &Child, signal: Signal) {
        // The group may already be empty.
        let _ = killpg(id(child), signal);
    }

    fn id(child: &Child) -> Pid {
        Pid::from_raw(i32::try_from(child.id()).expect("process ids are positive i32"))
    }
}

#[cfg(windows)]
mod group {
    use std::process::{Child, Command, Stdio};

    pub(super) fn prepare(_: &mut Command) {}

    pub(super) fn end(child: &mut Child) {
        kill(child);
    }

    /// `end` has already ended them.
    pub(super) fn is_left(_: &Child) -> bool {
        false
    }

    /// Ends the process and its descendants.
    pub(super) fn kill(child: &mut Child) {
        let mut taskkill = Command::new("taskkill");
        taskkill.args(["/t", "/f", "/pid", &child.id().to_string()]);
        // The process may already have ended.
        let _ = taskkill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::{DRAIN, Ended, supervise};

    const LONG: Duration = Duration::from_secs(600);
    const SHORT: Duration = Duration::from_secs(1);

    fn run(script: &str, limit: Duration, interrupted: bool) -> (Ended, String) {
        run_with_grace(script, limit, SHORT, interrupted)
    }

    fn run_with_grace(script: &str, limit: Duration, grace: Duration, interrupted: bool) -> (Ended, String) {
        let mut output = Vec::new();
        let mut command = Command::new("sh");
        let command = command.args(["-c", script]);
        let interrupted = AtomicBool::new(interrupted);
        let ended = supervise(command, limit, grace, &interrupted, |bytes| output.extend_from_slice(bytes)).unwrap();
        (ended, String::from_utf8(output).unwrap())
    }

    #[test]
    fn output_and_exit_code_are_passed_on() {
        let (ended, output) = run("echo one; echo two >&2; exit 69", LONG, false);
        assert_eq!((ended.code, ended.late), (Some(69), false));
        assert_eq!(output, "one\ntwo\n");
    }

    #[test]
    fn a_process_that_sleeps_is_ended_with_all_that_it_has_started() {
        // If the second process were left, the output would stay open.
        let (ended, output) = run("sleep 600 & echo begun; sleep 600", SHORT, false);
        assert_eq!((ended.code, ended.late), (None, true));
        assert_eq!(output, "begun\n");
        assert!(ended.took >= SHORT && ended.took < 20 * SHORT, "{:?}", ended.took);
    }

    #[test]
    fn a_process_that_does_not_want_to_end_is_killed() {
        let (ended, _) = run("trap '' TERM; sleep 600; sleep 600", SHORT, false);
        assert_eq!((ended.code, ended.late), (None, true));
        assert!(ended.took >= 2 * SHORT && ended.took < 20 * SHORT, "{:?}", ended.took);
    }

    #[test]
    fn what_a_process_leaves_behind_is_ended() {
        let (ended, _) = run("sleep 600 &", LONG, false);
        assert_eq!((ended.code, ended.late), (Some(0), false));
        assert!(ended.took < DRAIN, "{:?}", ended.took);
    }

    #[test]
    fn what_it_has_started_may_end_by_itself() {
        let script = "exec 2>/dev/null; (trap 'sleep 0.1; echo cleaned; exit' TERM; echo begun; while :; do sleep 0.02; done) & wait";
        let (ended, output) = run_with_grace(script, SHORT, LONG, false);
        assert!(ended.late);
        assert_eq!(output, "begun\ncleaned\n");
    }

    #[test]
    fn a_process_that_has_left_the_group_does_not_hold_it_up() {
        let (ended, _) = run("setsid sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 1; done' &", LONG, false);
        assert_eq!((ended.code, ended.late), (Some(0), false));
        assert!(ended.took < DRAIN + Duration::from_secs(2), "{:?}", ended.took);
    }

    #[test]
    fn an_interruption_ends_it_too() {
        let (ended, _) = run("sleep 600", LONG, true);
        assert_eq!((ended.code, ended.late), (None, false));
    }
}
