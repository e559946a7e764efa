//! The cost of a command.

use std::env;
use std::ffi::OsString;
use std::str::FromStr;

use crate::command::Run;
use crate::failure::{Failure, Outcome};

/// The cost of a command, including the processes that it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cost {
    /// Wall time in seconds.
    pub(super) wall: f64,
    /// CPU seconds of all threads.
    pub(super) cpu: f64,
    /// The memory of its largest process in MiB.
    pub(super) peak: f64,
}

impl Cost {
    /// Returns the cost of a run of cargo.
    ///
    /// The operating system reports the memory of all children of a process together, so each run has a parent of its
    /// own, [`measure`].
    pub(super) fn of_cargo(arguments: &[&str], options: impl Fn(Run) -> Run) -> Outcome<Self> {
        options(Run::new(env::current_exe()?).args(["measure", "cargo"]).args(arguments)).stdout()?.parse()
    }

    /// Returns the median of each quantity.
    pub(super) fn median(costs: &[Self]) -> Self {
        let median_of = |quantity: fn(&Self) -> f64| median(costs.iter().map(quantity).collect());
        Self { wall: median_of(|of| of.wall), cpu: median_of(|of| of.cpu), peak: median_of(|of| of.peak) }
    }
}

/// Parses what [`measure`] prints.
impl FromStr for Cost {
    type Err = Failure;

    fn from_str(printed: &str) -> Outcome<Self> {
        let numbers: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [wall, cpu, peak] => Ok(Self { wall, cpu, peak }),
            _ => Err(Failure::failed(format_args!("expected wall time, CPU time and memory, found: {printed}"))),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { f64::midpoint(values[middle - 1], values[middle]) } else { values[middle] }
}

#[derive(clap::Args)]
pub(crate) struct Command {
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs a command, and prints its wall time, its CPU time and its peak memory.
#[cfg(unix)]
pub(crate) fn measure(Command { command }: &Command) -> Outcome {
    use std::time::Instant;

    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let begin = Instant::now();
    Run::new(&command[0]).args(&command[1..]).dir(&env::current_dir()?).stdout()?;
    let wall = begin.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(Failure::failed)?;
    let cpu = (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6;
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let peak = (usage.max_rss() * unit) as f64 / f64::from(1 << 20);
    println!("{wall} {cpu} {peak}");
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn measure(_: &Command) -> Outcome {
    Err(Failure::unavailable("CPU time and memory can only be measured on Unix"))
}

#[cfg(test)]
mod tests {
    use super::{Cost, median};

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 10.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0, 10.0, 2.0]), 3.0);
        let cost = |wall, cpu, peak| Cost { wall, cpu, peak };
        let costs = [cost(1.0, 9.0, 5.0), cost(2.0, 7.0, 6.0), cost(3.0, 8.0, 4.0)];
        assert_eq!(Cost::median(&costs), cost(2.0, 8.0, 5.0));
    }

    #[test]
    fn three_numbers_are_a_cost() {
        assert_eq!("0.25 1e-3 77\n".parse::<Cost>().unwrap(), Cost { wall: 0.25, cpu: 0.001, peak: 77.0 });
        assert!("0.25 77".parse::<Cost>().is_err());
        assert!("".parse::<Cost>().is_err());
    }
}
