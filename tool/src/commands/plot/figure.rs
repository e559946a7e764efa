//! Lays out a picture for a file: the pixels, the axes and the colour bar.

use super::pixels::{Axis, Pixels};
use super::scale::{Colour, Scale, Shade};
use super::screen::Paint;
use super::text::{notes, shortened};

/// The size of a character, in pixels.
pub(crate) const CHARACTER: [usize; 2] = [7, 16];

/// The length that a picture has at least on each side, without labels.
const SIDE: usize = 512;

/// The width of the colour bar, and the number of its colours.
const BAR: [usize; 2] = [20, 256];

/// The longest title in characters.
const TITLE: usize = 120;

/// The distance between things.
const GAP: usize = 8;

/// The length of the line from an axis to a label.
const TICK: usize = 5;

/// A picture with everything around it, in pixels from the upper left corner, the horizontal coordinate first.
pub(crate) struct Figure {
    pub(crate) size: [usize; 2],
    pub(crate) images: Vec<Image>,
    pub(crate) lines: Vec<Line>,
    pub(crate) words: Vec<Words>,
}

/// Colours in rows.
pub(crate) struct Image {
    pub(crate) at: [usize; 2],
    /// The numbers of columns and rows of colours.
    pub(crate) cells: [usize; 2],
    /// The size of each cell in pixels.
    pub(crate) zoom: [usize; 2],
    pub(crate) colours: Vec<Colour>,
}

/// A horizontal or vertical line, one pixel wide.
pub(crate) struct Line {
    pub(crate) at: [usize; 2],
    pub(crate) size: [usize; 2],
}

/// A line of text.
pub(crate) struct Words {
    /// The middle of the left side.
    pub(crate) at: [usize; 2],
    pub(crate) text: String,
}

impl Words {
    fn width(&self) -> usize {
        self.text.chars().count() * CHARACTER[0]
    }
}

impl Figure {
    pub(crate) fn new(pixels: &Pixels, title: &str) -> Self {
        let [wide, high] = CHARACTER;
        let (rows, columns) = (pixels.rows.reaching(SIDE), pixels.columns.reaching(SIDE));
        let scale = Scale::of(pixels);
        let label_width = rows.len.saturating_sub(1).to_string().len().max(3) * wide;
        let corner = [GAP + label_width + GAP + TICK, GAP + 3 * (high + GAP) + TICK];
        let mut figure = Self { size: [0, 0], images: Vec::new(), lines: Vec::new(), words: Vec::new() };
        figure.write([GAP, GAP + high / 2], shortened(title, TITLE));
        figure.write([corner[0], GAP + high + GAP + high / 2], "column".to_owned());
        figure.write([GAP, GAP + 2 * (high + GAP) + high / 2], "row".to_owned());
        figure.images.push(map(pixels, scale, corner, [columns, rows]));
        figure.label_columns(columns, corner);
        figure.label_rows(rows, corner);
        figure.add_bar(scale, [corner[0] + columns.pixels() + 3 * GAP, corner[1]]);
        for (i, note) in notes(pixels, scale, Paint::Direct).into_iter().enumerate() {
            figure.write([corner[0], corner[1] + rows.pixels() + GAP + high / 2 + i * high], note);
        }
        figure.size = figure.extent().map(|end| end + GAP);
        figure
    }

    fn write(&mut self, at: [usize; 2], text: String) {
        self.words.push(Words { at, text });
    }

    fn label_columns(&mut self, columns: Axis, [left, top]: [usize; 2]) {
        let widest = (columns.len.to_string().len() + 3) * CHARACTER[0];
        for (column, pixel) in columns.ticks((columns.pixels() / widest).max(1)) {
            let (x, label) = (left + pixel + columns.zoom / 2, column.to_string());
            self.lines.push(Line { at: [x, top - TICK], size: [1, TICK] });
            self.write([x - label.len() * CHARACTER[0] / 2, top - TICK - CHARACTER[1] / 2], label);
        }
    }

    fn label_rows(&mut self, rows: Axis, [left, top]: [usize; 2]) {
        for (row, pixel) in rows.ticks((rows.pixels() / (3 * CHARACTER[1])).max(1)) {
            let (y, label) = (top + pixel + rows.zoom / 2, row.to_string());
            self.lines.push(Line { at: [left - TICK, y], size: [TICK, 1] });
            self.write([left - TICK - GAP / 2 - label.len() * CHARACTER[0], y], label);
        }
    }

    /// Adds the colour bar, with the greatest value at the top.
    fn add_bar(&mut self, scale: Scale, [left, top]: [usize; 2]) {
        let [width, height] = BAR;
        let (name, labels) = scale.labels();
        let share = |i: usize| Shade::Share(1.0 - i as f64 / (height - 1) as f64);
        let colours = (0..height).map(|i| scale.colour(share(i))).collect();
        self.images.push(Image { at: [left, top], cells: [1, height], zoom: [width, 1], colours });
        self.write([left, top - TICK - CHARACTER[1] / 2], name.to_owned());
        for (label, y) in labels.into_iter().zip([height - 1, (height - 1) / 2, 0]) {
            self.lines.push(Line { at: [left + width, top + y], size: [TICK, 1] });
            self.write([left + width + TICK + GAP / 2, top + y], label);
        }
    }

    /// Returns the ends of everything, to the right and below.
    fn extent(&self) -> [usize; 2] {
        let images = self.images.iter().map(|Image { at, cells, zoom, .. }| [0, 1].map(|i| at[i] + cells[i] * zoom[i]));
        let words = self.words.iter().map(|words| [words.at[0] + words.width(), words.at[1] + CHARACTER[1] / 2]);
        images.chain(words).fold([0, 0], |most, end| [most[0].max(end[0]), most[1].max(end[1])])
    }
}

fn map(pixels: &Pixels, scale: Scale, at: [usize; 2], [columns, rows]: [Axis; 2]) -> Image {
    let colours = pixels.values().iter().map(|&value| scale.colour(scale.shade(value))).collect();
    Image { at, cells: [columns.cells(), rows.cells()], zoom: [columns.zoom, rows.zoom], colours }
}
