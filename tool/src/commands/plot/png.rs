//! Writes figures as PNG.

use std::io::{self, Write};

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};
use png::{BitDepth, ColorType, Encoder};

use super::figure::{CHARACTER, Figure, Image, Line, Words};
use super::scale::Colour;

const BLACK: Colour = [0; 3];
const WHITE: Colour = [255; 3];

/// Writes a figure.
pub(crate) fn write(figure: &Figure, file: impl Write) -> io::Result<()> {
    let [width, height] = figure.size;
    let mut canvas = Canvas { width, colours: vec![WHITE; width * height] };
    figure.images.iter().for_each(|image| canvas.paint(image));
    figure.lines.iter().for_each(|line| canvas.draw(line));
    figure.words.iter().for_each(|words| canvas.write(words));
    encode(figure.size, &canvas.colours, file)
}

/// Encodes rows of colours.
pub(crate) fn encode(size: [usize; 2], colours: &[Colour], file: impl Write) -> io::Result<()> {
    let [width, height] = size.map(|side| u32::try_from(side).expect("the sides of a figure are limited"));
    let mut encoder = Encoder::new(file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(colours.as_flattened())?;
    Ok(writer.finish()?)
}

/// Pixels in rows.
struct Canvas {
    width: usize,
    colours: Vec<Colour>,
}

impl Canvas {
    fn at(&mut self, x: usize, y: usize) -> &mut Colour {
        &mut self.colours[y * self.width + x]
    }

    fn paint(&mut self, image: &Image) {
        let [width, height] = [0, 1].map(|i| image.cells[i] * image.zoom[i]);
        for y in 0..height {
            for x in 0..width {
                let cell = y / image.zoom[1] * image.cells[0] + x / image.zoom[0];
                *self.at(image.at[0] + x, image.at[1] + y) = image.colours[cell];
            }
        }
    }

    fn draw(&mut self, line: &Line) {
        for y in 0..line.size[1] {
            for x in 0..line.size[0] {
                *self.at(line.at[0] + x, line.at[1] + y) = BLACK;
            }
        }
    }

    /// Writes text. The font has only the characters of ASCII.
    fn write(&mut self, words: &Words) {
        let raster = |c| get_raster(c, FontWeight::Regular, RasterHeight::Size16);
        let rasters = words.text.chars().map(|c| raster(c).or_else(|| raster('?')).expect("the font has `?`"));
        for (i, raster) in rasters.enumerate() {
            for (y, row) in raster.raster().iter().enumerate() {
                for (x, ink) in row.iter().enumerate() {
                    let [left, top] = [words.at[0] + i * CHARACTER[0], words.at[1] - CHARACTER[1] / 2];
                    *self.at(left + x, top + y) = [255 - ink; 3];
                }
            }
        }
    }
}
