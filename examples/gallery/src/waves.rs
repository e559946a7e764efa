//! Codes of a few sines: which of them distinguish positions, and how they resemble bits.

use std::f64::consts::TAU;

use plotters::prelude::*;
use posenc::{Columns, Preset, Spec};

use crate::canvas::{
    Backend, Canvas, FIRST, Outcome, SECOND, Scale, Side, chart, columns, curve, cyclic, dots, figure, heat_map,
    legend, panel, viridis, with_bar,
};

pub fn two_waves<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Eight positions encoded by two sines: a period of 8 is too short, 16 is long enough")?;
    let panels = canvas.split_evenly((2, 1));
    pair_of_waves(&panels[0], "Periods 8 and 4: positions 0 and 4 have the same code (0, 0)", [8.0, 4.0])?;
    pair_of_waves(&panels[1], "Periods 16 and 8: no two of the eight positions have the same code", [16.0, 8.0])
}

fn pair_of_waves<DB: Backend>(canvas: &Canvas<DB>, title: &str, periods: [f64; 2]) -> Outcome {
    let frequencies = periods.map(|period| TAU / period);
    let spec = Spec::new(2).columns(Columns::Sin).frequencies(&frequencies);
    let fine: Vec<f64> = (0..=1600).map(|i| f64::from(i) / 100.0).collect();
    let mut chart = chart(&panel(canvas, title)?, ("position", 0.0..16.0), ("sine", -1.1..1.1))?;
    for (wave, colour) in [FIRST, SECOND].into_iter().enumerate() {
        let at = |positions: &[f64]| column(spec, positions, wave);
        curve(&mut chart, at(&fine)?, colour, &format!("period {}", periods[wave]))?;
        dots(&mut chart, at(&fine[..800])?.into_iter().step_by(100).map(|point| (point, colour)))?;
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}

/// Returns the points (position, entry) of a column.
fn column(spec: Spec, positions: &[f64], column: usize) -> Outcome<Vec<(f64, f64)>> {
    let entries = rows(spec, positions)?;
    Ok(positions.iter().zip(entries).map(|(position, row)| (*position, row[column])).collect())
}

fn rows(spec: Spec, positions: &[f64]) -> Outcome<Vec<[f64; 2]>> {
    let mut rows = vec![[0.0; 2]; positions.len()];
    spec.fill_positions(positions, rows.as_flattened_mut())?;
    Ok(rows)
}

pub fn closed_curve<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Two sines as a point in the plane, one point for each position")?;
    let (left, right) = columns(&canvas, 0.5);

    let frequencies = [TAU / 128.0, TAU / 64.0];
    let spec = Spec::new(2).columns(Columns::Sin).frequencies(&frequencies);
    let scale = Scale { name: "position modulo 128", range: 0.0..128.0, map: cyclic };
    let left = with_bar(&panel(&left, "Periods 128 and 64, positions 0 to 1279: a closed curve")?, &scale)?;
    let mut closed = chart(&left, ("sine of period 128", -1.1..1.1), ("sine of period 64", -1.1..1.1))?;
    dots(&mut closed, points(spec, 1280, |position| scale.colour(position % 128.0))?)?;

    let spec = Spec::preset(Preset::SineCodes, 2).base(1.0 / 64.0).scale(1.0 / 64.0);
    let scale = Scale { name: "position", range: 0.0..64.0, map: viridis };
    let right = with_bar(&panel(&right, "Frequencies 1/64 and 1/8, positions 0 to 63: an open curve")?, &scale)?;
    let mut open = chart(&right, ("sine of frequency 1/64", -0.05..0.9), ("sine of frequency 1/8", -1.1..1.1))?;
    dots(&mut open, points(spec, 64, |position| scale.colour(position))?)
}

/// Returns a point for each of the first `n` positions, coloured by position.
fn points(spec: Spec, n: u32, colour: impl Fn(f64) -> RGBColor) -> Outcome<Vec<((f64, f64), RGBColor)>> {
    let positions: Vec<f64> = (0..n).map(f64::from).collect();
    Ok(rows(spec, &positions)?.into_iter().map(Into::into).zip(positions.into_iter().map(colour)).collect())
}

pub fn binary_code<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Bits are square waves with doubling periods; sines and cosines are smooth waves")?;
    let (left, right) = columns(&canvas, 0.4);

    let scale = Scale { name: "bit", range: 0.0..1.0, map: |share| BlackWhite.get_color(1.0 - share) };
    let left = panel(&left, "The position in binary (black: 1)")?;
    let position = || Side::new("position", 16).downwards();
    heat_map(&left, &Side::new("bit", 4), &position(), &scale, |bit, position| (position >> bit & 1) as f64)?;

    let table = Spec::new(8).base(16.0).table::<f64>(16)?;
    let right =
        with_bar(&panel(&right, "Its encoding, d = 8, base 16: each pair doubles the period")?, &Scale::ENTRIES)?;
    heat_map(&right, &Side::new("dimension", 8), &position(), &Scale::ENTRIES, |dimension, position| {
        table[(position, dimension)]
    })
}
