//! The wavelengths, and the similarity of positions.

use std::f64::consts::TAU;

use plotters::prelude::*;
use posenc::Spec;

use crate::canvas::{
    Backend, Canvas, FIRST, GREY, Outcome, SECOND, Scale, Side, THIRD, chart, columns, curve, dots, figure, heat_map,
    legend, line, note, panel, viridis, with_bar,
};

pub fn wavelengths<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const LONGEST: f64 = 10_000.0 * TAU;
    let canvas = figure(canvas, "The wavelength of each dimension, d = 512")?;
    let (left, right) = columns(&canvas, 0.55);
    let shifts = [(0.0, FIRST), (1.0, SECOND)];
    let by_dimension = |freq_shift| -> Outcome<Vec<_>> {
        let wavelengths = Spec::new(512).freq_shift(freq_shift).wavelengths()?;
        Ok(wavelengths.enumerate().map(|(k, wavelength)| (2.0 * k as f64, wavelength)).collect())
    };

    let all = panel(&left, "All dimensions: from 2π to 10000 · 2π positions")?;
    let mut all = chart(&all, ("dimension", 0.0..512.0), ("wavelength (positions)", (1.0..300_000.0).log_scale()))?;
    for (freq_shift, colour) in shifts {
        curve(&mut all, by_dimension(freq_shift)?, colour, &format!("freq_shift {freq_shift}"))?;
    }
    for (bound, words, place) in [(TAU, "2π", 440.0), (LONGEST, "10000 · 2π", 0.0)] {
        line(&mut all, [(0.0, bound), (512.0, bound)], GREY)?;
        note(&all, (place, bound), words)?;
    }
    legend(&mut all, SeriesLabelPosition::MiddleRight)?;

    let last = panel(&right, "Last dimensions: only freq_shift 1 reaches the limit")?;
    let mut last = chart(&last, ("dimension", 490.0..512.0), ("wavelength (positions)", 40_000.0..66_000.0))?;
    for (freq_shift, colour) in shifts {
        let points = by_dimension(freq_shift)?.split_off(245);
        dots(&mut last, points.iter().map(|point| (*point, colour)))?;
        curve(&mut last, points, colour, &format!("freq_shift {freq_shift}"))?;
    }
    line(&mut last, [(490.0, LONGEST), (512.0, LONGEST)], GREY)?;
    note(&last, (490.0, LONGEST), "10000 · 2π")?;
    legend(&mut last, SeriesLabelPosition::LowerRight)
}

pub fn similarity<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Similarity of two positions: the dot product of their rows, divided by d/2")?;
    let (left, right) = columns(&canvas, 0.52);
    let mut chart = chart(
        &panel(&left, "It depends only on their distance")?,
        ("distance (positions)", -200.0..200.0),
        ("dot product / (d/2)", 0.0..1.05),
    )?;
    for (d_model, colour) in [(64, FIRST), (128, SECOND), (512, THIRD)] {
        let spec = Spec::new(d_model);
        let at = |distance| Ok((f64::from(distance), spec.dot_product(distance)? / spec.dot_product(0)?));
        curve(&mut chart, (-200..=200).map(at).collect::<Outcome<Vec<_>>>()?, colour, &format!("d = {d_model}"))?;
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)?;

    let scale = Scale { name: "dot product / (d/2)", range: 0.0..1.0, map: viridis };
    let right = with_bar(&panel(&right, "All pairs of 100 positions, d = 128")?, &scale)?;
    let table = Spec::new(128).table::<f64>(100)?;
    let (x, y) = (Side::new("position", 100), Side::new("position", 100).downwards());
    heat_map(&right, &x, &y, &scale, |a, b| dot(table.row(a), table.row(b)) / 64.0)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
