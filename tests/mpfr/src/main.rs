//! Checks entries of posenc's tables against MPFR.
//!
//! It relies on the formula and the documentation alone, and was written without looking at posenc's own code.

mod amplitude;
#[path = "../../testkit/src/bits.rs"]
mod bits;
mod case;
mod change;
mod entries;
mod fractions;
mod integers;
mod interval;
mod params;
mod quantisers;
mod random;
mod rng;
mod rounding;
mod rows;
mod rules;
mod run;
mod scaling;
mod stored;
mod structured;
mod tally;
mod value;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::num::NonZero;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use run::Choice;
use tally::Tally;

/// Checks entries of posenc's tables against MPFR: entries known to be hard, then random ones.
///
/// After an interruption only the random part can be resumed, with the same --entries and --seed. The other parts start
/// over.
#[derive(Parser)]
#[command(after_help = "`cargo xtask oracle --self-test` runs clippy and the tests of this program instead.")]
struct Arguments {
    /// The minimum number of random entries to check.
    #[arg(long, default_value_t = 1_000_000)]
    entries: u64,
    /// The seed that selects the random entries.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The block of random entries to start with. To resume an interrupted run, take it from the last line and repeat
    /// --entries and --seed. Skips the other parts.
    #[arg(long, value_name = "BLOCK")]
    from: Option<u64>,
    /// The number of threads to use (default: all).
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Checks only every N-th block of the parts that are not random, or none of them if 0.
    #[arg(long, default_value_t = 1, value_name = "N")]
    share: u64,
    /// Runs each part for this many seconds, with as many blocks as fit, spread over all. Replaces --share and
    /// --entries.
    #[arg(long, conflicts_with_all = ["entries", "share", "from"])]
    seconds: Option<u64>,
}

/// This many random entries include every element type, because nearly every amplitude is in range for all of them.
const ENOUGH: u64 = 100_000;

/// Runs a part and prints a summary.
fn part(name: &str, run: impl FnOnce() -> Tally) -> Tally {
    println!("oracle: {name}");
    let start = Instant::now();
    let tally = run();
    let seconds = start.elapsed().as_secs_f64();
    tally.print(&format!("{name}, "));
    let rate = tally.total() as f64 / seconds;
    println!("oracle: {name}: {seconds:.1} s, {rate:.0} entries/s, {} values took more digits", tally.repeated);
    tally
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), NonZero::get);
    let (seed, entries, from) = (arguments.seed, arguments.entries, arguments.from.unwrap_or(0));
    let within = arguments.seconds.map(|seconds| Choice::Within(Duration::from_secs(seconds)));
    // More blocks than any time limit allows.
    let end = if within.is_some() { 1 << 32 } else { entries.div_ceil(random::BLOCK_ENTRIES) };
    if arguments.from.is_some() && from >= end {
        let what = format!("--from {from} is beyond the end: {entries} random entries are the blocks below {end}");
        Arguments::command().error(ErrorKind::ValueValidation, what).exit();
    }
    println!("posenc-runtime: {}", posenc_runtime::PROOF);
    let mut total = Tally::default();
    let mut lacking = None;
    if arguments.from.is_none() && arguments.share > 0 {
        for structured::Part { name, blocks, run } in structured::parts() {
            let tell = |_| format!(" ({name})");
            let tally = part(name, || {
                run::blocks(0..blocks, within.unwrap_or(Choice::Share(arguments.share)), threads, &tell, run)
            });
            lacking = lacking.or(tally.lacks().map(|dtype| (name, dtype)));
            total += tally;
        }
    }
    if from < end {
        let tell = |block| match within {
            Some(_) => String::new(),
            None => format!("; resume with --entries {entries} --seed {seed} --from {block}"),
        };
        let job = |block, tally: &mut Tally| random::block(seed, block, tally);
        let tally = part("random", || run::blocks(from..end, within.unwrap_or(Choice::Share(1)), threads, &tell, job));
        if tally.total() >= ENOUGH {
            lacking = lacking.or(tally.lacks().map(|dtype| ("random", dtype)));
        }
        total += tally;
    }
    total.print("");
    if total.total() == 0 {
        println!("oracle: FAILED: nothing was checked, as the arguments leave out all parts");
    } else if let Some((part, dtype)) = lacking {
        println!("oracle: FAILED: no entry of {dtype} was checked in the part {part}");
    } else if total.total_differ() == 0 {
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}
