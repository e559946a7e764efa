//! What other tables change in a model. The numbers come from the package `examples/does_it_matter`.

use plotters::prelude::*;

use crate::canvas::{
    Backend, Canvas, FIRST, FOURTH, GREY, LABELS, Outcome, SECOND, THIRD, chart, columns, curve, dots, figure,
    labelled_chart, legend, line, note, panel,
};

/// A measured change.
struct Point<'a> {
    picture: &'a str,
    table: &'a str,
    position: f64,
    change: f64,
}

impl<'a> Point<'a> {
    fn parse(line: &'a str) -> Outcome<Self> {
        let [picture, table, position, change] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("expected four tab-separated values, found `{line}`").into());
        };
        Ok(Self { picture, table, position: position.parse()?, change: change.parse()? })
    }

    /// Returns the points of a picture.
    fn all(measured: &'a str, picture: &str) -> Outcome<Vec<Self>> {
        let points = measured.lines().map(Self::parse).collect::<Outcome<Vec<_>>>()?;
        Ok(points.into_iter().filter(|point| point.picture == picture).collect())
    }
}

/// Draws the changes of logits in two models, with a row for each table, and with a line at the rounding in bf16.
pub fn by_table<DB: Backend>(canvas: &Canvas<DB>, measured: &str) -> Outcome {
    let canvas = figure(canvas, "How much do other tables change the logits? (random weights, sharp attention)")?;
    let (left, right) = columns(&canvas, 0.491);
    let panels = [
        (left, "logits in the encoder", "Encoder with Whisper's added table, positions 0 to 749"),
        (right, "logits in the decoder", "Decoder with Llama 3.1's rotary table, positions 130560 to 131071"),
    ];
    for (canvas, picture, title) in panels {
        changes(&panel(&canvas, title)?, &mut Point::all(measured, picture)?)?;
    }
    Ok(())
}

fn changes<DB: Backend>(canvas: &Canvas<DB>, points: &mut [Point]) -> Outcome {
    const LEAST: f64 = 1e-6;
    let top = points.len() as f64;
    let x = ("root mean square of the change, relative to the logits", (LEAST..4.0).log_scale());
    // The names of the tables are in the chart.
    let mut chart = labelled_chart(canvas, x, ("", 0.0..top), (LABELS, 0))?;
    let bf16 = points.iter().find(|point| point.table.ends_with("network in bf16"));
    let bf16 = bf16.ok_or("the network in bf16 is missing")?.change;
    line(&mut chart, [(bf16, 0.0), (bf16, top)], GREY)?;
    points.sort_by(|a, b| a.change.total_cmp(&b.change));
    for (row, point) in points.iter().enumerate() {
        let y = top - row as f64 - 0.85;
        let colour = if point.table.contains("network in") {
            GREY
        } else if point.change < bf16 {
            FIRST
        } else {
            SECOND
        };
        line(&mut chart, [(LEAST, y), (point.change, y)], colour)?;
        dots(&mut chart, [((point.change, y), colour)])?;
        note(&chart, (LEAST, y), point.table)?;
    }
    Ok(())
}

/// Draws the errors of a rotary score by position.
pub fn by_position<DB: Backend>(canvas: &Canvas<DB>, measured: &str) -> Outcome {
    let points = Point::all(measured, "score")?;
    let last = points.iter().map(|point| point.position).fold(0.0, f64::max);
    let canvas = figure(canvas, "Error of a rotary score of a key 64 positions back (scores have deviation 1)")?;
    let axes = (("position of the query", (400.0..last).log_scale()), ("error of the score", (1e-6..3.0).log_scale()));
    let mut chart = chart(&canvas, axes.0, axes.1)?;
    let colours = [FIRST, THIRD, GREY, FOURTH, SECOND];
    // The first table is the exact one, whose error is zero.
    let lines = points.chunk_by(|a, b| a.table == b.table).skip(1);
    for (points, colour) in lines.zip(colours) {
        curve(&mut chart, points.iter().map(|point| (point.position, point.change)), colour, points[0].table)?;
    }
    legend(&mut chart, SeriesLabelPosition::LowerRight)
}
