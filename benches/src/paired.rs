//! Measuring contenders side by side.
//!
//! Each contender runs in each round, so that other load on the machine affects all of them. Ratios compare times of the
//! same round. Before each sample the contender runs once without being timed, because otherwise it would pay for the
//! caches and the memory that the one before it has left.

use std::time::{Duration, Instant};

use crate::{Contender, Work};

/// The minimum length of a sample. Shorter calls are repeated, because reading the clock has a cost.
const SAMPLE: Duration = Duration::from_millis(1);

/// Medians over the rounds.
pub struct Measured {
    pub name: String,
    /// Nanoseconds per call.
    pub time: f64,
    /// The ratio to the time of the first contender in the same round.
    pub ratio: f64,
}

pub fn measure<S>(work: &mut Work<S>, rounds: usize) -> Vec<Measured> {
    let Work { state, contenders, .. } = work;
    let calls: Vec<u32> = contenders.iter_mut().map(|contender| calls_per_sample(contender, state)).collect();
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            // The contenders take turns going first.
            let i = (turn + round) % contenders.len();
            (contenders[i].run)(state);
            let sample = sample(&mut contenders[i], state, calls[i]);
            times[i].push(sample.as_nanos() as f64 / f64::from(calls[i]));
        }
    }
    let measured = contenders.iter().zip(&times).map(|(contender, own)| Measured {
        name: contender.name.clone(),
        time: median(own.clone()),
        ratio: median(own.iter().zip(&times[0]).map(|(time, reference)| time / reference).collect()),
    });
    measured.collect()
}

/// Returns how many calls make a sample. This also warms the caches and maps the pages.
fn calls_per_sample<S>(contender: &mut Contender<S>, state: &mut S) -> u32 {
    let mut calls = 1;
    while sample(contender, state, calls) < SAMPLE {
        calls *= 2;
    }
    calls
}

fn sample<S>(contender: &mut Contender<S>, state: &mut S, calls: u32) -> Duration {
    let begin = Instant::now();
    for _ in 0..calls {
        (contender.run)(state);
    }
    begin.elapsed()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
