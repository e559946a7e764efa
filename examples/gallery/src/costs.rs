//! The measured cost of a table by its size. The numbers come from the package `benches`.

use std::ops::Range;

use plotters::prelude::*;

use crate::canvas::{
    Backend, Canvas, FIRST, GREY, Outcome, SECOND, THIRD, chart, columns, curve, figure, legend, panel,
};

/// A measured time.
struct Point<'a> {
    /// The number of columns. A table with fewer entries is a single, narrower row.
    width: &'a str,
    entries: f64,
    by: &'a str,
    nanoseconds_per_entry: f64,
}

impl<'a> Point<'a> {
    fn parse(line: &'a str) -> Outcome<Self> {
        let [width, entries, by, nanoseconds] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("expected four tab-separated values, found `{line}`").into());
        };
        let entries = entries.parse()?;
        let nanoseconds_per_entry = nanoseconds.parse::<f64>()? / entries;
        Ok(Self { width, entries, by, nanoseconds_per_entry })
    }
}

/// Draws the output of `report sizes`: a line about the machine, then a line for each point.
pub fn by_size<DB: Backend>(canvas: &Canvas<DB>, measured: &str) -> Outcome {
    let (machine, lines) = measured.split_once('\n').ok_or("there are no measured times")?;
    let points = lines.lines().map(Point::parse).collect::<Outcome<Vec<_>>>()?;
    let canvas = figure(canvas, "Time per entry by table size, f32, including set-up, on one thread")?;
    let canvas = panel(&canvas, machine)?;
    let x = range(points.iter().map(|point| point.entries), 1.0);
    let y = range(points.iter().map(|point| point.nanoseconds_per_entry), 1.3);
    let (left, right) = columns(&canvas, 0.491);
    for (canvas, points) in [left, right].iter().zip(points.chunk_by(|a, b| a.width == b.width)) {
        draw(canvas, points, x.clone(), y.clone())?;
    }
    Ok(())
}

/// Draws the points of one width.
fn draw<DB: Backend>(canvas: &Canvas<DB>, points: &[Point], x: Range<f64>, y: Range<f64>) -> Outcome {
    let width = points[0].width;
    let canvas = panel(canvas, &format!("{width} columns (up to {width} entries: a single row)"))?;
    let mut chart = chart(&canvas, ("entries", x.log_scale()), ("ns per entry", y.log_scale()))?;
    // The points of the first size have all the names.
    for (first, colour) in points.iter().zip([FIRST, SECOND, THIRD, GREY]) {
        let line = points.iter().filter(|point| point.by == first.by);
        curve(&mut chart, line.map(|point| (point.entries, point.nanoseconds_per_entry)), colour, first.by)?;
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}

/// Returns the range of positive values, extended by a factor on both sides.
fn range(values: impl Iterator<Item = f64> + Clone, factor: f64) -> Range<f64> {
    values.clone().fold(f64::INFINITY, f64::min) / factor..values.fold(0.0, f64::max) * factor
}
