//! Draws a picture as text.

use super::pixels::{Axis, Fold, Pixels};
use super::scale::{Scale, Shade};
use super::screen::{Paint, Screen};

/// The lines above and below the pixels, and one for the prompt.
const OTHER_LINES: usize = 6;

/// Lines from one label of a row to the next, at least.
const LINES_PER_LABEL: usize = 3;

/// Characters of half of the colour bar, at most.
const HALF_BAR: usize = 12;

/// The least size that is drawn. In a smaller terminal lines are wrapped.
const LEAST: [usize; 2] = [2, 8];

impl Screen {
    /// Returns how many rows and columns of pixels there is room for in a picture of a table with so many rows.
    pub(crate) fn room(&self, seq_len: usize) -> [usize; 2] {
        let lines = self.height.saturating_sub(OTHER_LINES).max(LEAST[0]);
        // The last character is left free, because some terminals wrap after it.
        let width = self.width.saturating_sub(margin(seq_len) + 1).max(LEAST[1]);
        [lines * self.paint.pixels(), width]
    }

    /// Returns the picture as lines of text.
    pub(crate) fn draw(&self, pixels: &Pixels, title: &str) -> String {
        let [height, width] = self.room(pixels.rows.len);
        let (rows, columns) = (pixels.rows.filling(height), pixels.columns.filling(width));
        let scale = Scale::of(pixels);
        let margin = margin(rows.len);
        let mut text = format!("{}\n{:margin$}column\n", shortened(title, self.width), "");
        text += &format!("{:>1$}  ", "row", margin - 2);
        text += &column_labels(columns);
        let per_line = self.paint.pixels();
        let lines = rows.pixels().div_ceil(per_line);
        let mut labels = rows.ticks((lines / LINES_PER_LABEL).max(1)).peekable();
        for line in 0..lines {
            let label = labels.next_if(|(_, pixel)| pixel / per_line == line);
            let label = label.map(|(row, _)| row.to_string()).unwrap_or_default();
            text += &format!("{label:>0$}  ", margin - 2);
            let shade = |pixel: usize, column: usize| {
                let is_there = pixel < rows.pixels();
                is_there.then(|| scale.shade(pixels.at(pixel / rows.zoom, column / columns.zoom)))
            };
            let (upper, lower) = (line * per_line, line * per_line + per_line - 1);
            let shades = (0..columns.pixels()).map(|column| (shade(upper, column), shade(lower, column)));
            self.paint.append(scale, shades, &mut text);
            text.push('\n');
        }
        text + &self.legend(pixels, scale, margin)
    }

    /// Returns the colour bar and what the colours mean.
    fn legend(&self, pixels: &Pixels, scale: Scale, margin: usize) -> String {
        let (name, [low, middle, high]) = scale.labels();
        let mut text = format!("{:margin$}{name}", "");
        if pixels.limit > 0.0 || pixels.fold == Fold::Mean {
            let words = format!("{name}: {low}  {middle}  {high}").len() + margin;
            let half = (self.width.saturating_sub(words) / 2).clamp(1, HALF_BAR);
            let bar = |from: usize| {
                let share = |i: usize| Shade::Share((from + i) as f64 / (2 * half - 1) as f64);
                let mut bar = String::new();
                self.paint.append(scale, (0..half).map(|i| (Some(share(i)), Some(share(i)))), &mut bar);
                bar
            };
            text += &format!(": {low} {} {middle} {} {high}", bar(0), bar(half));
        }
        text.push('\n');
        let notes = notes(pixels, scale, self.paint);
        let line = notes.join("; ");
        let lines = if margin + line.len() <= self.width { vec![line] } else { notes };
        lines.iter().for_each(|line| text += &format!("{:margin$}{line}\n", ""));
        text
    }
}

/// Returns what has to be known of the pixels besides the colour bar.
pub(crate) fn notes(pixels: &Pixels, scale: Scale, paint: Paint) -> Vec<String> {
    let (rows, columns) = (pixels.rows.block, pixels.columns.block);
    let is_there = |shade| pixels.values().iter().any(|&value| scale.shade(value) == shade);
    let plain = paint == Paint::Plain;
    let mut notes = Vec::new();
    if rows > 1 || columns > 1 {
        let fold = match pixels.fold {
            Fold::Mean => "mean",
            Fold::Largest => "largest",
        };
        notes.push(format!("each pixel: {fold} of {rows} x {columns} entries"));
    }
    if is_there(Shade::Zero) {
        notes.push(format!("{}: 0", if plain { "blank" } else { "grey" }));
    }
    if is_there(Shade::NotFinite) {
        notes.push(format!("{}: not finite", if plain { "?" } else { "magenta" }));
    }
    notes
}

/// Returns the number of characters before the pixels: the label of a row and two blanks.
fn margin(seq_len: usize) -> usize {
    seq_len.saturating_sub(1).to_string().len().max("row".len()) + 2
}

/// Returns the labels of columns, each beginning at its column.
fn column_labels(columns: Axis) -> String {
    let widest = columns.len.to_string().len();
    let mut text = String::new();
    for (column, pixel) in columns.ticks((columns.pixels() / (widest + 3)).max(1)) {
        let label = column.to_string();
        let is_free = text.is_empty() || text.len() < pixel;
        if is_free && pixel + label.len() <= columns.pixels().max(1) {
            text += &format!("{:1$}{label}", "", pixel - text.len());
        }
    }
    text + "\n"
}

/// Returns a title that fits into a line.
pub(crate) fn shortened(title: &str, width: usize) -> String {
    // A name of a file must not control the terminal.
    let printable = title.chars().map(|c| if c.is_control() { ' ' } else { c });
    if title.chars().count() <= width {
        return printable.collect();
    }
    printable.take(width.saturating_sub(3)).chain("...".chars()).collect()
}
