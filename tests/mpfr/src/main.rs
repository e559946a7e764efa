//! Entries of posenc's tables against MPFR, by the formula and the documentation alone: what computes them here has been written
//! without a look at what computes them there.

mod case;
mod params;
mod random;
mod rng;
mod rounding;
mod run;
mod structured;
mod tally;
mod value;

use clap::Parser;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use tally::Tally;

/// Checks entries of posenc's tables against MPFR: those known to be hard, then random ones.
#[derive(Parser)]
struct Arguments {
    /// How many random entries to check, at least.
    #[arg(long, default_value_t = 1_000_000)]
    entries: u64,
    /// The random entries are another choice with every seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The block of random entries to begin with, to go on with a run that was stopped. It leaves out the other parts.
    #[arg(long, value_name = "BLOCK")]
    from: Option<u64>,
    /// How many threads to use: all, unless given.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Of the parts that are not random only every N-th block; 0 for none.
    #[arg(long, default_value_t = 1, value_name = "N")]
    share: u64,
}

/// Runs a part, and tells what came of it.
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
    let mut total = Tally::default();
    if arguments.from.is_none() && arguments.share > 0 {
        for structured::Part { name, blocks, run } in structured::parts() {
            let tell = |_| format!(" ({name})");
            total += part(name, || run::blocks(0..blocks, arguments.share, threads, &tell, run));
        }
    }
    let (seed, from) = (arguments.seed, arguments.from.unwrap_or(0));
    let end = arguments.entries.div_ceil(random::BLOCK_ENTRIES);
    let tell = |block| format!("; resume with --seed {seed} --from {block}");
    let job = |block, tally: &mut Tally| random::block(seed, block, tally);
    total += part("random", || run::blocks(from..end.max(from), 1, threads, &tell, job));
    total.print("");
    if total.total_differ() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
