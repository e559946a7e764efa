//! Draws figures of positional encodings from posenc's tables, each as PNG and as SVG:
//!
//! ```text
//! cargo run --release --manifest-path examples/gallery/Cargo.toml -- [DIRECTORY]
//! cargo run --release --manifest-path examples/gallery/Cargo.toml -- --readme
//! cargo run --release --manifest-path examples/gallery/Cargo.toml -- --sizes FILE DIRECTORY
//! cargo run --release --manifest-path examples/gallery/Cargo.toml -- --matter FILE DIRECTORY
//! ```
//!
//! The default directory is `target/gallery`. With `--readme` the program redraws the pictures of the documentation:
//! `examples/gallery/pictures`, which the README files and the guide link to, and a file in `src/guide/pictures` for each
//! page of the guide, which embeds the same pictures in its docs. With `--sizes` it draws `cost_by_size.svg` from the
//! measured times in a file; `cargo xtask bench --picture` measures them and draws it. With `--matter` it draws the
//! pictures of `docs/does_it_matter.md` from the data of `examples/does_it_matter`.
//!
//! | figure | shows |
//! |---|---|
//! | `01_two_waves` | why a sine code for n positions needs a period of 2n |
//! | `02_closed_curve` | two sines as a curve in the plane: one closed, one open |
//! | `03_heat_map_long` | 1024 positions of the paper's table, 64 columns |
//! | `04_heat_map_and_row` | 64 positions, and one row as a curve |
//! | `05_slow_column` | a column that looks constant but is a wave |
//! | `06_wavelengths` | the wavelengths, from 2π to 10000 · 2π |
//! | `07_similarity` | the dot product of two rows, by distance and for all pairs of rows |
//! | `08_layouts` | the same numbers interleaved and in halves |
//! | `09_f32_errors` | where the usual f32 recipe is wrong, and by how much |
//! | `10_f32_error_by_position` | its largest error by position, up to 65,536 |
//! | `11_binary_code` | the bits of a position next to its sines and cosines |
//! | `12_rotary_wavelengths` | the wavelengths of a rotary cache after each scaling rule |
//! | `13_rotary_f32_error` | the largest error of a rotary cache in f32 by position, up to 131,072 |
//! | `14_rotary_axes` | which axis turns each pair of columns, for positions of three axes |
//! | `15_grid_orders` | columns of a grid as images, with the width first and with the height first |
//! | `16_grid_similarity` | how similar a patch is to all others |
//!
//! The encoding comes from Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017),
//! section 3.5. Many tutorials show heat maps of the encoding, and its similarity to binary numbers.

mod canvas;
mod costs;
mod errors;
mod grids;
mod matter;
mod palette;
mod relations;
mod rotary;
mod tables;
mod waves;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend, WHITE};

use canvas::{Canvas, Outcome};

/// A figure, drawn by one generic function on both backends.
struct Figure {
    name: &'static str,
    size: (u32, u32),
    png: fn(&Canvas<BitMapBackend<'_>>) -> Outcome,
    svg: fn(&Canvas<SVGBackend<'_>>) -> Outcome,
    /// The page of the guide that shows it.
    page: Option<&'static str>,
}

/// Creates a `Figure` from a generic drawing function.
macro_rules! figure {
    ($name:literal, $size:expr, $draw:path) => {
        Figure { name: $name, size: $size, png: |canvas| $draw(canvas), svg: |canvas| $draw(canvas), page: None }
    };
}

impl Figure {
    const fn on(self, page: &'static str) -> Self {
        Self { page: Some(page), ..self }
    }

    fn png(&self) -> Outcome<Vec<u8>> {
        let (width, height) = self.size;
        let mut pixels = vec![0; (3 * width * height) as usize];
        let canvas = BitMapBackend::with_buffer(&mut pixels, self.size).into_drawing_area();
        canvas.fill(&WHITE)?;
        (self.png)(&canvas)?;
        canvas.present()?;
        drop(canvas);
        let indexed = palette::reduced(&pixels);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(indexed.palette);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter); // the next index says nothing about a colour
        encoder.write_header()?.write_image_data(&indexed.pixels)?;
        Ok(file)
    }

    fn svg(&self) -> Outcome<Vec<u8>> {
        svg(self.size, self.svg)
    }

    /// A Markdown link definition with the smaller of the two files.
    fn definition(&self) -> Outcome<String> {
        let (png, svg) = (self.png()?, self.svg()?);
        let (media, file) = if png.len() < svg.len() { ("png", png) } else { ("svg+xml", svg) };
        Ok(format!("[{}]: data:image/{media};base64,{}\n", self.name, BASE64_STANDARD.encode(file)))
    }
}

fn svg(size: (u32, u32), draw: impl FnOnce(&Canvas<SVGBackend<'_>>) -> Outcome) -> Outcome<Vec<u8>> {
    let mut text = String::new();
    let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
    canvas.fill(&WHITE)?;
    draw(&canvas)?;
    canvas.present()?;
    drop(canvas);
    // The backend's media type for images is invalid, and viewers that rely on it show nothing.
    Ok(text.replace("data:png;", "data:image/png;").into_bytes())
}

const FIGURES: [Figure; 16] = [
    figure!("01_two_waves", (1200, 600), waves::two_waves).on("concepts"),
    figure!("02_closed_curve", (1300, 620), waves::closed_curve).on("concepts"),
    figure!("03_heat_map_long", (1252, 623), tables::long),
    figure!("04_heat_map_and_row", (1200, 600), tables::map_and_row).on("concepts"),
    figure!("05_slow_column", (1200, 900), tables::slow_column).on("concepts"),
    figure!("06_wavelengths", (1200, 600), relations::wavelengths).on("concepts"),
    figure!("07_similarity", (1300, 600), relations::similarity).on("concepts"),
    figure!("08_layouts", (1300, 620), tables::layouts).on("which_table"),
    figure!("09_f32_errors", (1252, 656), errors::map),
    figure!("10_f32_error_by_position", (1200, 600), errors::by_position).on("concepts"),
    figure!("11_binary_code", (1200, 620), waves::binary_code).on("concepts"),
    figure!("12_rotary_wavelengths", (1300, 620), rotary::wavelengths).on("rotary"),
    figure!("13_rotary_f32_error", (1200, 600), rotary::f32_error).on("rotary"),
    figure!("14_rotary_axes", (1200, 520), rotary::axes).on("rotary"),
    figure!("15_grid_orders", (1500, 860), grids::orders).on("grids"),
    figure!("16_grid_similarity", (1500, 480), grids::similarity),
];

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let outcome = match &arguments[..] {
        [] => write_gallery(Path::new("target/gallery")),
        [flag] if flag == "--readme" => write_readme_pictures(),
        [flag, measured, directory] if flag == "--sizes" => write_costs(measured, directory),
        [flag, measured, directory] if flag == "--matter" => write_matter(measured, directory),
        [directory] if !directory.to_string_lossy().starts_with("--") => write_gallery(directory),
        _ => Err("expected a directory, `--readme`, `--sizes FILE DIRECTORY`, or `--matter FILE DIRECTORY`".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write_gallery(directory: &Path) -> Outcome {
    canvas::register_font()?;
    for figure in &FIGURES {
        write(directory, &format!("{}.png", figure.name), &figure.png()?)?;
        write(directory, &format!("{}.svg", figure.name), &figure.svg()?)?;
    }
    Ok(())
}

fn write_readme_pictures() -> Outcome {
    canvas::register_font()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The docs put the definitions of a page before the page itself, and the first definition of a name wins.
    let mut pages = BTreeMap::<&str, String>::new();
    for figure in &FIGURES {
        if let Some(page) = figure.page {
            write(&root.join("pictures"), &format!("{}.png", figure.name), &figure.png()?)?;
            *pages.entry(page).or_default() += &figure.definition()?;
        }
    }
    let folder = root.join("../../src/guide/pictures");
    pages.iter().try_for_each(|(page, definitions)| write(&folder, &format!("{page}.md"), definitions.as_bytes()))
}

fn write_costs(measured: &Path, directory: &Path) -> Outcome {
    canvas::register_font()?;
    let measured = read(measured)?;
    write(directory, "cost_by_size.svg", &svg((1300, 640), |canvas| costs::by_size(canvas, &measured))?)
}

fn write_matter(measured: &Path, directory: &Path) -> Outcome {
    canvas::register_font()?;
    let measured = read(measured)?;
    write(directory, "change_by_table.svg", &svg((1300, 720), |canvas| matter::by_table(canvas, &measured))?)?;
    write(directory, "score_by_position.svg", &svg((1200, 600), |canvas| matter::by_position(canvas, &measured))?)
}

fn read(file: &Path) -> Outcome<String> {
    std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()).into())
}

fn write(directory: &Path, name: &str, bytes: &[u8]) -> Outcome {
    let path = directory.join(name);
    let failed = |error| -> Box<dyn Error> { format!("cannot write {}: {error}", path.display()).into() };
    std::fs::create_dir_all(directory).and_then(|()| std::fs::write(&path, bytes)).map_err(failed)?;
    println!("{}", path.display());
    Ok(())
}
