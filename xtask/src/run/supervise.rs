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
    let (reader, writer) = io::pipe()?;
    let child = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn();
    // The command still holds the write ends of the pipe. If they stayed open, the reader would never reach the end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child?;
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

    /// Runs a script that must end like this, with these lines, after no more than so many seconds.
    fn check(script: &str, limit: u64, interrupted: bool, (code, late): (Option<i32>, bool), output: &str, most: u64) {
        let (start, mut lines) = (Instant::now(), Vec::new());
        let mut command = Command::new("sh");
        let show = |line: &str| lines.push(line.to_owned());
        let command = command.args(["-c", script]).process_group(0);
        let ended = supervise(command, Duration::from_secs(limit), &AtomicBool::new(interrupted), show).unwrap();
        assert_eq!((ended.code, ended.late, &*lines.join("|")), (code, late, output), "{script}");
        let took = start.elapsed().as_secs();
        assert!(took < most && (!late || took >= limit), "{script}: {took} s");
    }

    #[test]
    fn a_process_ends_with_all_that_it_has_started() {
        let drained = DRAIN.as_secs();
        check(
            "echo one; echo; echo two >&2; printf three; exit 69",
            600,
            false,
            (Some(69), false),
            "one||two|three",
            2,
        );
        // If the second process were left, the output would stay open.
        check("trap '' TERM; sleep 600 & echo begun; sleep 600", 1, false, (None, true), "begun", 1 + drained);
        check("sleep 600 &", 600, false, (Some(0), false), "", drained);
        check("sleep 600", 600, true, (None, false), "", drained);
    }

    #[test]
    fn a_process_that_has_left_the_group_does_not_hold_it_up() {
        let script = "setsid sh -c 'echo 1; sleep 6; echo 2' &";
        check(script, 600, false, (Some(0), false), "1", DRAIN.as_secs() + 2);
    }
}
