//! The cost of a command.

use crate::run::{Outcome, Run};

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
    pub(super) fn of(run: Run) -> Outcome<Self> {
        let (wall, used) = run.measure()?;
        let cpu = (used.utime + used.stime).as_secs_f64();
        Ok(Self { wall: wall.as_secs_f64(), cpu, peak: used.maxrss as f64 / f64::from(1 << 20) })
    }

    /// Returns the median of each quantity. Their number is odd.
    fn median(costs: &[Self]) -> Self {
        let median_of = |quantity: fn(&Self) -> f64| {
            let mut values: Vec<_> = costs.iter().map(quantity).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        Self { wall: median_of(|of| of.wall), cpu: median_of(|of| of.cpu), peak: median_of(|of| of.peak) }
    }
}

/// Measures contenders in rounds, and returns the median of each.
///
/// Each round measures all of them, in rotated order, so that a temporary slowdown affects all of them.
pub(super) fn medians<T>(
    contenders: &[T],
    rounds: usize,
    cost: impl Fn(&T, usize) -> Outcome<Cost>,
) -> Outcome<Vec<Cost>> {
    let mut costs = vec![Vec::new(); contenders.len()];
    for round in 0..rounds {
        for index in (0..contenders.len()).map(|index| (index + round) % contenders.len()) {
            costs[index].push(cost(&contenders[index], round)?);
        }
    }
    Ok(costs.iter().map(|costs| Cost::median(costs)).collect())
}

#[cfg(test)]
mod tests {
    use super::{Cost, medians};
    use crate::run::Run;

    #[test]
    fn the_median_is_in_the_middle() {
        let cost = |wall, cpu, peak| Cost { wall, cpu, peak };
        let costs = [cost(1.0, 9.0, 5.0), cost(2.0, 7.0, 6.0), cost(3.0, 8.0, 4.0)];
        let measured = medians(&[0, 1], 3, |&index, round| Ok(costs[(index + round) % 3])).unwrap();
        assert_eq!(measured, [cost(2.0, 8.0, 5.0); 2]);
        let measured = medians(&[0, 1], 1, |&index, _| Ok(costs[index])).unwrap();
        assert_eq!(measured, costs[..2]);
    }

    #[cfg(unix)]
    #[test]
    fn the_processes_that_a_command_starts_are_measured() {
        let sleep = Cost::of(Run::line("sleep 0.2")).unwrap();
        assert!(sleep.wall >= 0.2 && sleep.cpu < 0.2 && sleep.peak > 0.1, "{sleep:?}");
        let count = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
        let nested = Cost::of(Run::line("sh -c").arg(format!("sh -c '{count}'; true"))).unwrap();
        assert!(nested.cpu > sleep.cpu && nested.cpu > 0.02, "{nested:?}");
    }
}
