//! Writes figures as SVG.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::figure::{CHARACTER, Figure, Image};
use super::png;

/// Writes a figure. Its pixels are an image in it, because a rectangle for each would make large files.
pub(crate) fn write(figure: &Figure, mut file: impl Write) -> io::Result<()> {
    let [width, height] = figure.size;
    writeln!(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    )?;
    for image in &figure.images {
        write_image(image, &mut file)?;
    }
    writeln!(file, "<g fill=\"black\">")?;
    for line in &figure.lines {
        let ([x, y], [width, height]) = (line.at, line.size);
        writeln!(file, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")?;
    }
    writeln!(file, "</g>\n<g font-family=\"monospace\" font-size=\"12\" dominant-baseline=\"central\">")?;
    for words in &figure.words {
        let ([x, y], text) = (words.at, escaped(&words.text));
        // The text has the width of the layout in every font.
        let length = words.text.chars().count() * CHARACTER[0];
        writeln!(file, "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\">{text}</text>")?;
    }
    writeln!(file, "</g>\n</svg>")
}

fn write_image(image: &Image, file: &mut impl Write) -> io::Result<()> {
    let [width, height] = [0, 1].map(|i| image.cells[i] * image.zoom[i]);
    let [x, y] = image.at;
    let mut bytes = Vec::new();
    png::encode(image.cells, &image.colours, &mut bytes)?;
    writeln!(
        file,
        "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
        STANDARD.encode(bytes)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
