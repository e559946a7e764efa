//! Numbered blocks of work on all threads.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::tally::Tally;

/// The time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(5);

struct Progress<'a> {
    tally: Tally,
    /// All blocks before this one are done, and the later ones in `done`.
    done_before: u64,
    done: BTreeSet<u64>,
    end: u64,
    told: Instant,
    tell: &'a (dyn Fn(u64) -> String + Sync),
}

impl Progress<'_> {
    fn add(&mut self, block: u64, tally: Tally) {
        self.tally += tally;
        self.done.insert(block);
        while self.done.remove(&self.done_before) {
            self.done_before += 1;
        }
        if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let (block, end, entries, differ) =
                (self.done_before, self.end, self.tally.total() as f64, self.tally.total_differ());
            println!("oracle: block {block} of {end}, {entries:.2e} entries, {differ} differ{}", (self.tell)(block));
        }
    }
}

/// If its thread panics, leaves no blocks to the other threads.
struct StopOthers<'a> {
    next: &'a AtomicU64,
    end: u64,
}

impl Drop for StopOthers<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.next.fetch_max(self.end, Ordering::Relaxed);
        }
    }
}

/// Which blocks of a range to run.
#[derive(Clone, Copy)]
pub enum Choice {
    /// Every n-th block, in order.
    Share(u64),
    /// As many blocks as fit in this time, spread over the range.
    Within(Duration),
}

impl Choice {
    /// Returns the `i`th block, if it is to be run.
    fn block(self, i: u64, range: &Range<u64>) -> Option<u64> {
        match self {
            Self::Share(share) => i.is_multiple_of(share).then_some(i),
            Self::Within(_) => {
                let len = range.end - range.start;
                Some(range.start + (i - range.start) * stride(len) % len)
            }
        }
    }
}

/// Returns a number coprime to `len`, near its golden section, so that its multiples are spread evenly. `len` is at
/// most `2^32`.
fn stride(len: u64) -> u64 {
    let divides = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a > 1
    };
    let mut stride = len * 618 / 1000 + 1;
    while divides(stride, len) {
        stride += 1;
    }
    stride
}

/// Runs the chosen blocks of a range. `tell` returns the end of a line of progress.
///
/// If a block panics, this function soon panics too.
pub fn blocks(
    range: Range<u64>,
    choice: Choice,
    threads: usize,
    tell: &(dyn Fn(u64) -> String + Sync),
    job: impl Fn(u64, &mut Tally) + Sync,
) -> Tally {
    let next = AtomicU64::new(range.start);
    let progress = Mutex::new(Progress {
        tally: Tally::default(),
        done_before: range.start,
        done: BTreeSet::new(),
        end: range.end,
        told: Instant::now(),
        tell,
    });
    let started = Instant::now();
    let work = || {
        let _stop = StopOthers { next: &next, end: range.end };
        loop {
            let late = matches!(choice, Choice::Within(time) if started.elapsed() >= time);
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= range.end || late {
                return;
            }
            let mut tally = Tally::default();
            if let Some(block) = choice.block(i, &range) {
                job(block, &mut tally);
            }
            progress.lock().expect("no other thread failed").add(i, tally);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    progress.into_inner().expect("no thread failed").tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic;

    #[test]
    fn a_panic_stops_all_threads() {
        let done = AtomicU64::new(0);
        let job = |block, _: &mut Tally| {
            assert_ne!(block, 3, "as it should be");
            thread::sleep(Duration::from_millis(1));
            done.fetch_add(1, Ordering::Relaxed);
        };
        let result = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            blocks(0..100_000, Choice::Share(1), 4, &|_| String::new(), job)
        }));
        assert!(result.is_err());
        assert!(done.into_inner() < 50_000);
    }

    #[test]
    fn a_choice_by_time_comes_to_every_block_once() {
        for range in [0..1, 0..2, 3..10, 0..274, 5..4005] {
            let choice = Choice::Within(Duration::ZERO);
            let blocks: BTreeSet<_> = range.clone().map(|i| choice.block(i, &range).expect("a block")).collect();
            assert!(blocks.into_iter().eq(range));
        }
    }
}
