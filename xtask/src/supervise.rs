//! Runs a process with a time limit, and reads its output.

use std::io::{self, BufRead, BufReader, PipeReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which a silent process is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// How long to wait for the rest of the output. The tests wait for it.
const DRAIN: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 5 });

/// How a process ended.
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Whether it was killed because it exceeded the limit.
    pub(crate) late: bool,
}

/// Runs a command, and passes the lines of its output, stdout and stderr merged, to `show`.
///
/// Kills it when the limit is exceeded or on an interruption. If it has a process group of its own, all processes of the
/// group are killed then, and when it has ended.
pub(crate) fn supervise(
    command: &mut Command,
    limit: Duration,
    interrupted: &AtomicBool,
    mut show: impl FnMut(&str),
) -> io::Result<Ended> {
    let start = Instant::now();
    let (reader, mut child) = spawn(command)?;
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
            kill(&mut child);
            break child.wait()?;
        }
    };
    kill(&mut child);
    // A process that left the group may keep the pipe open and write to it.
    let drained = Instant::now();
    while let Ok(line) = output.recv_timeout(DRAIN.saturating_sub(drained.elapsed())) {
        show(&line);
    }
    Ok(Ended { code: status.code(), late })
}

/// Starts a program whose stdout and stderr go to one pipe.
fn spawn(command: &mut Command) -> io::Result<(PipeReader, Child)> {
    let (reader, writer) = io::pipe()?;
    let child = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn();
    // The command still holds the write ends of the pipe. If they stayed open, the reader would never reach the end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((reader, child?))
}

fn read_in_background(reader: PipeReader) -> Receiver<String> {
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

/// Kills the process, unless it has ended, and all processes of the group that it leads, if there are any.
fn kill(child: &mut Child) {
    let _ = child.kill();
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;

        let group = Pid::from_raw(i32::try_from(child.id()).expect("process ids are positive i32"));
        let _ = killpg(group, Signal::SIGKILL);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::CommandExt;
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
        let show = |line: &str| lines.push(line.to_owned());
        let command = command.args(["-c", script]).process_group(0);
        let ended = supervise(command, limit, &AtomicBool::new(interrupted), show).unwrap();
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
