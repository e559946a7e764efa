//! A table with real parameters, and the parameters that are nearest to the entries.

use posenc::PairColumns;

use crate::linear::Normal;
use crate::rounding::{Precision, angle_error, half_gap, units};
use crate::sample::Numbers;
use crate::structure::Structure;

/// Frequency `k` has the angle `rate * exp(-decay * k) * (place + i)` in row `i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) amplitude: f64,
    /// The angle per row of frequency 0. It is negative if the rows descend.
    pub(crate) rate: f64,
    /// The position of row 0, in rows.
    pub(crate) place: f64,
    pub(crate) decay: f64,
}

impl Model {
    pub(crate) fn frequency(&self, k: f64) -> f64 {
        self.rate * (-self.decay * k).exp()
    }

    fn value(&mut self, free: Free) -> &mut f64 {
        match free {
            Free::Amplitude => &mut self.amplitude,
            Free::Rate => &mut self.rate,
            Free::Place => &mut self.place,
            Free::Decay => &mut self.decay,
        }
    }

    fn angle(&self, point: &Point) -> f64 {
        self.frequency(point.k) * (self.place + point.row as f64)
    }
}

/// A parameter of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    Amplitude,
    Rate,
    Place,
    Decay,
}

/// The parameters of a model with their standard errors; the error of the rate is relative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) model: Model,
    errors: [f64; 4],
    /// The mean distance of the entries, in units of the errors of their arithmetic.
    pub(crate) misfit: f64,
}

impl Estimate {
    pub(crate) fn error(&self, free: Free) -> f64 {
        self.errors[free as usize]
    }
}

/// An entry that a model is compared with.
#[derive(Clone, Copy, Debug)]
struct Point {
    k: f64,
    is_sin: bool,
    row: usize,
    found: f64,
}

/// The entries that a model is compared with.
pub(crate) struct Points {
    entries: Vec<Point>,
    rounding: f64,
    tolerance: f64,
    seq_len: usize,
}

/// Models whose mean distance is this many errors are not the one that made the table.
pub(crate) const MOST_MISFIT: f64 = 4.0;

/// The number of frequencies and of rows of each window among the points.
const FREQUENCIES: usize = 48;
const ROWS: usize = 12;

impl Points {
    pub(crate) fn new(numbers: &Numbers, structure: &Structure) -> Self {
        let count = structure.slots.len();
        let part = count.div_ceil(FREQUENCIES);
        let chosen = (0..count).filter(|k| k % part == 0 || *k + 1 == count);
        let slots: Vec<(usize, PairColumns)> = chosen.map(|k| (k, structure.slots[k])).collect();
        let points = rows(numbers).into_iter().flat_map(|row| {
            slots.iter().flat_map(move |&(k, slot)| {
                let point = |column: usize, is_sin| Point { k: k as f64, is_sin, row, found: numbers.at(row, column) };
                [slot.sin.map(|column| point(column, true)), slot.cos.map(|column| point(column, false))]
            })
        });
        let entries = points.flatten().collect();
        Self { entries, rounding: numbers.rounding, tolerance: numbers.tolerance, seq_len: numbers.seq_len }
    }

    /// Returns the parameters nearest to the entries of the first rows, from given ones, of which some are free.
    fn nearest(&self, mut model: Model, free: &[Free], rows: usize) -> Option<Estimate> {
        let mut errors = [0.0; 4];
        let mut misfit = f64::INFINITY;
        for _ in 0..6 {
            let mut normal = Normal::default();
            let (mut squares, mut count) = (0.0, 0_usize);
            for point in self.entries.iter().take_while(|point| point.row < rows) {
                let Residual { off, slopes, allowed } = self.residual(&model, point);
                let weight = allowed.powi(-2);
                normal.add(weight, &slopes, off);
                squares += weight * off * off;
                count += 1;
            }
            let (inverse, steps) = normal.solved(|i| free.iter().any(|free| *free as usize == i))?;
            misfit = (squares / count as f64).sqrt();
            errors = std::array::from_fn(|i| inverse[i][i].max(0.0).sqrt() * misfit.max(0.3));
            model = Model {
                amplitude: model.amplitude + steps[0],
                rate: model.rate * steps[1].clamp(-0.5, 0.5).exp(),
                place: model.place + steps[2],
                decay: model.decay + steps[3],
            };
        }
        misfit.is_finite().then_some(Estimate { model, errors, misfit })
    }

    /// Returns the parameters nearest to all entries, starting from the parameters of the first rows, if they are near.
    pub(crate) fn fitted(&self, model: Model, free: &[Free]) -> Option<Estimate> {
        let mut rows = 16;
        // Where no angle is as large as two radians, the entries hardly tell amplitude and rate apart.
        while rows < self.seq_len && model.rate.abs() * (rows as f64) < 2.0 {
            rows = rows.saturating_mul(4);
        }
        let nearest = |model, rows| self.nearest(model, free, rows).filter(|near| near.misfit <= MOST_MISFIT);
        let mut estimate = nearest(model, rows)?;
        while rows < self.seq_len {
            rows = rows.saturating_mul(4);
            estimate = nearest(estimate.model, rows)?;
        }
        Some(estimate)
    }

    /// Returns the values of a parameter for which this computation explains all entries.
    pub(crate) fn range(&self, model: &Model, free: Free, precision: Precision) -> Option<(f64, f64)> {
        let mut model = *model;
        // The entries bend, so the bounds are those of lines near the values in question.
        for _ in 0..4 {
            let (low, high) = self.bounds(&model, free, precision)?;
            let value = model.value(free);
            if low <= high {
                return Some((*value + low, *value + high));
            }
            *value += low.midpoint(high);
        }
        None
    }

    /// Returns how far a parameter may be from the model's. The lower bound is above the upper one if nothing fits.
    fn bounds(&self, model: &Model, free: Free, precision: Precision) -> Option<(f64, f64)> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for point in &self.entries {
            let Residual { off, slopes, .. } = self.residual(model, point);
            let allowed = self.allowed(model, point, precision);
            let slope = slopes[free as usize];
            if slope == 0.0 {
                continue;
            }
            let ends = [(off - allowed) / slope, (off + allowed) / slope];
            low = low.max(ends[0].min(ends[1]));
            high = high.min(ends[0].max(ends[1]));
        }
        (low.is_finite() && high.is_finite()).then_some((low, high))
    }

    /// Returns whether a table that was computed in `f32` with these parameters may have the entries.
    pub(crate) fn explains(&self, model: &Model) -> bool {
        // A little more than the bound, because this is only an approximation in `f64`.
        let is_near = |point: &Point| {
            let residual = self.residual(model, point);
            residual.off.abs() <= 1.1 * residual.allowed
        };
        self.entries.iter().all(is_near)
    }

    fn residual(&self, model: &Model, point: &Point) -> Residual {
        let angle = model.angle(point);
        let (sin, cos) = angle.sin_cos();
        let (wave, turned) = if point.is_sin { (sin, cos) } else { (cos, -sin) };
        let slope = model.amplitude * turned;
        Residual {
            off: point.found - model.amplitude * wave,
            slopes: [wave, slope * angle, slope * model.frequency(point.k), -slope * angle * point.k],
            allowed: self.allowed(model, point, Precision::Single),
        }
    }

    /// Returns the error of an entry that this computation, and rounding to the element type, explain.
    fn allowed(&self, model: &Model, point: &Point, precision: Precision) -> f64 {
        let angle = model.angle(point).abs();
        let error = angle_error(precision, model.decay * point.k) * angle;
        let rounding = half_gap(point.found, self.rounding) + units(precision) * point.found.abs();
        // An entry of zero has an error too.
        model.amplitude.abs() * (error + 1e-5 * self.rounding) + rounding + self.tolerance
    }
}

/// How far an entry is from a model, and what each parameter changes.
struct Residual {
    off: f64,
    slopes: [f64; 4],
    allowed: f64,
}

/// Returns some rows of each window.
fn rows(numbers: &Numbers) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    for range in numbers.ranges() {
        // The first rows are near each other, so that the angles of fast frequencies are certain.
        let few = range.clone().take(4);
        let step = range.len().div_ceil(ROWS).max(1);
        rows.extend(few.chain(range.clone().step_by(step)).chain(range.end.checked_sub(1)));
        // A table that is one window has rows at all distances.
        rows.extend((0..20).map(|power| 1 << power).filter(|row| range.contains(row)));
    }
    rows.retain(|&row| numbers.has(row));
    rows.sort_unstable();
    rows.dedup();
    rows
}
