//! What is shown on a terminal while something takes longer than two seconds.

use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing is shown.
const LATE: Duration = Duration::from_secs(2);

/// Returns a bar for so many bytes of entries.
pub(crate) fn bytes(bytes: usize, quiet: bool) -> ProgressBar {
    late(ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}, {eta} left"), Some(bytes as u64), quiet)
}

/// Returns a line that says for how long a command has been running. It ends if it is dropped.
pub(crate) fn time(quiet: bool) -> Running {
    Running(late(ProgressStyle::with_template("{spinner} {elapsed}"), None, quiet))
}

/// Returns a bar for so many steps, with a message.
pub(crate) fn steps(steps: usize, quiet: bool) -> ProgressBar {
    late(ProgressStyle::with_template("{wide_bar} {msg}"), Some(steps as u64), quiet)
}

/// A line of progress.
pub(crate) struct Running(ProgressBar);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

type Style = Result<ProgressStyle, indicatif::style::TemplateError>;

/// Returns a bar that appears on a terminal if it has not been finished by then.
fn late(style: Style, length: Option<u64>, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
    bar.set_style(style.expect("the template is valid"));
    if quiet || !io::stderr().is_terminal() {
        return bar;
    }
    let running = bar.downgrade();
    thread::spawn(move || {
        thread::sleep(LATE);
        if let Some(bar) = running.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            bar.enable_steady_tick(Duration::from_millis(200));
        }
    });
    bar
}
