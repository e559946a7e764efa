//! Draws a picture as text.

use std::iter;

use super::pixels::{Axis, Fold, Pixels};
use super::scale::{Scale, Shade};
use super::screen::{Paint, Screen};
use posenc_text::words::printable;

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
        let labelled = |label: &str, line: &str| format!("{label:>0$}  {line}\n", margin - 2);
        let mut lines = vec![format!("{}\n", shortened(title, self.width)), labelled("", "column")];
        lines.push(labelled("row", &column_labels(columns)));
        let per_line = self.paint.pixels();
        let count = rows.pixels().div_ceil(per_line);
        let mut labels = rows.ticks((count / LINES_PER_LABEL).max(1)).peekable();
        for upper in (0..count).map(|line| line * per_line) {
            let lower = upper + per_line - 1;
            let label = labels.next_if(|&(_, pixel)| pixel <= lower).map(|(row, _)| row.to_string());
            let shade = |pixel: usize, column: usize| {
                let is_there = pixel < rows.pixels();
                is_there.then(|| scale.shade(pixels.at(pixel / rows.zoom, column / columns.zoom)))
            };
            let shades = (0..columns.pixels()).map(|column| (shade(upper, column), shade(lower, column)));
            lines.push(labelled(&label.unwrap_or_default(), &self.paint.line(scale, shades)));
        }
        lines.extend(self.legend(pixels, scale, margin).iter().map(|line| labelled("", line)));
        lines.concat()
    }

    /// Returns the colour bar and what the colours mean.
    fn legend(&self, pixels: &Pixels, scale: Scale, margin: usize) -> Vec<String> {
        let (name, [low, middle, high]) = scale.labels();
        let words = format!("{name}: {low}  {middle}  {high}").len();
        let half = (self.width.saturating_sub(margin + words) / 2).clamp(1, HALF_BAR);
        let bar = |from: usize| {
            let share = |i: usize| Shade::Share((from + i) as f64 / (2 * half - 1) as f64);
            self.paint.line(scale, (0..half).map(|i| (Some(share(i)), Some(share(i)))))
        };
        let mut lines = Vec::new();
        // The differences of tables that differ only in what is not finite have no scale.
        if pixels.limit > 0.0 || pixels.fold == Fold::Mean {
            lines.push(format!("{name}: {low} {} {middle} {} {high}", bar(0), bar(half)));
        }
        let notes = notes(pixels, scale, self.paint);
        let line = notes.join("; ");
        lines.extend(if margin + line.len() <= self.width { vec![line] } else { notes });
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// Returns what has to be known of the pixels besides the colour bar.
pub(crate) fn notes(pixels: &Pixels, scale: Scale, paint: Paint) -> Vec<String> {
    let (rows, columns, sample) = (pixels.rows.block, pixels.columns.block, pixels.sample);
    let is_there = |shade| pixels.values().iter().any(|&value| scale.shade(value) == shade);
    let plain = paint == Paint::Plain;
    let mut notes = Vec::new();
    if rows > 1 || columns > 1 {
        let fold = match pixels.fold {
            Fold::Mean => "mean",
            Fold::Largest => "largest",
        };
        let sampled = if sample < rows { format!("{sample} x {columns} of ") } else { String::new() };
        notes.push(format!("each pixel: {fold} of {sampled}{rows} x {columns} entries"));
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
        if is_free && pixel + label.len() <= columns.pixels() {
            text.extend(iter::repeat_n(' ', pixel - text.len()));
            text.push_str(&label);
        }
    }
    text
}

/// Returns a title that fits into a line.
pub(crate) fn shortened(title: &str, width: usize) -> String {
    // A name of a file must not control the terminal.
    let title = printable(title);
    if title.chars().count() <= width {
        return title;
    }
    title.chars().take(width.saturating_sub(3)).chain("...".chars()).collect()
}
