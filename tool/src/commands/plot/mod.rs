//! `posenc plot`: draws a table as a heat map, in the terminal or in a file.

mod figure;
mod pixels;
mod png;
mod scale;
mod screen;
mod svg;
mod text;
mod turn;

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use posenc::Element;
use posenc_files::element::Entry;
use posenc_files::input::Table;
use posenc_text::rows::Rows;
use posenc_text::with_entry;

use self::figure::Figure;
use self::pixels::{Fold, Pixels};
use self::screen::Screen;
use crate::answers::progress;
use crate::answers::{self, Drawn};
use crate::cli::{AnswerArgs, AnyTableArgs, PlotArgs};
use crate::commands::exact::{Exact, Known};
use crate::commands::table::Sizes;
use crate::files::input::open_table;
use crate::files::output::Target;
use crate::keys::values::NumberList;
use crate::text::failure::{Failure, Outcome, print};

pub(crate) use self::turn::draw as draw_turn;

/// The most rows and columns of blocks in a file.
const MOST: [usize; 2] = [8192; 2];

/// The most entries that are computed. This takes some seconds. Of a larger table, some of the rows are left out.
const WHOLE: usize = 1 << 30;

/// The most rows of a larger table that are computed for a pixel. Waves that are shorter than its block are then within
/// about a tenth of zero.
const SAMPLE: usize = 64;

/// The formats of files.
#[derive(Clone, Copy)]
enum PictureFormat {
    Png,
    Svg,
}

impl PictureFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }

    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        match ending.as_str() {
            "png" => Ok(Self::Png),
            "svg" => Ok(Self::Svg),
            _ => Err(Failure::new(format_args!(
                "the file name `{}` does not determine the format; use the extension .png or .svg",
                path.display()
            ))),
        }
    }
}

/// A table that has been divided into pixels.
struct Picture {
    pixels: Pixels,
    title: String,
    dtype: &'static str,
    /// The macro call of a table that does not come from a file.
    call: Option<String>,
}

pub(crate) fn run(args: &PlotArgs) -> Outcome {
    let format = args.output.as_deref().map(PictureFormat::of).transpose()?;
    if format.is_none() && (args.answer.json || args.answer.quiet) {
        return Err(Failure::new("the picture is printed to stdout, so --json and --quiet need --output"));
    }
    let mut screen = Screen::of_stdout();
    if let Some([width, height]) = args.size {
        (screen.width, screen.height) = (width, height);
    }
    let most = args.size.map_or(MOST, |[width, height]| [height, width]);
    let room = |seq_len| if format.is_some() { most } else { screen.room(seq_len) };
    let running = progress::time(args.answer.quiet);
    let show = |picture: Picture| {
        drop(running);
        match (&args.output, format) {
            (Some(path), Some(format)) => save(picture, format, path, &args.answer),
            _ => print(&screen.draw(&picture.pixels, &picture.title)).map(|()| ExitCode::SUCCESS),
        }
    };
    if let Some(file) = &args.file {
        let table = open_table(file, args.name.as_deref())?;
        let name = args.name.clone().unwrap_or_else(|| file.display().to_string());
        return show(with_entry!(table.float().map_err(Failure::new)?, T => of_file::<T>(&table, room, &name))?);
    }
    if args.is_empty() {
        return Err(Failure::new(
            "there is no table to draw; give a file, or the options of a table, such as --preset",
        ));
    }
    let positions = args.positions.as_ref().map(|NumberList(positions)| positions.as_slice());
    let sizes = Sizes { seq_len: args.seq_len, d_model: args.d_model, positions };
    let exact = Exact::of::<f32>(&args.table, Known { sizes, ..Known::default() })?;
    show(of_rows(&exact.rows()?, room)?)
}

impl PlotArgs {
    /// Returns whether no option for a table is given.
    fn is_empty(&self) -> bool {
        let AnyTableArgs { preset, config, shape, parameters, .. } = &self.table;
        let is_any = preset.is_none() && config.file().is_none() && shape.is_none() && parameters.is_empty();
        is_any && self.seq_len.is_none() && self.positions.is_none() && self.d_model.is_none()
    }
}

fn of_file<T: Entry>(table: &Table, room: impl Fn(usize) -> [usize; 2], name: &str) -> Result<Picture, Failure> {
    let [seq_len, d_model] = table.shape();
    let mut pixels = Pixels::new([seq_len, d_model], room(some_rows(seq_len)?), Fold::Mean);
    for rows in table.pieces() {
        for row in table.rows::<T>(rows).map_err(Failure::new)?.chunks_exact(d_model) {
            pixels.add_row(row);
        }
    }
    let (title, dtype) = (format!("{name}: {seq_len} x {d_model} {}", T::DTYPE), T::DTYPE);
    Ok(Picture { pixels, title, dtype, call: None })
}

fn of_rows(rows: &Rows<f32>, room: impl Fn(usize) -> [usize; 2]) -> Result<Picture, Failure> {
    let shape @ [seq_len, d_model] = rows.shape();
    let mut pixels = Pixels::new(shape, room(some_rows(seq_len)?), Fold::Mean);
    if seq_len.saturating_mul(d_model) <= WHOLE {
        let Ok(()) = rows.for_each_piece(|piece| {
            piece.chunks_exact(d_model).for_each(|row| pixels.add_row(row));
            Ok::<_, Infallible>(())
        });
    } else {
        // Of wide rows there are fewer.
        let most = WHOLE / d_model / pixels.rows.cells();
        if most == 0 {
            return Err(too_wide(shape, pixels.rows.cells()));
        }
        pixels = pixels.sampled(most.min(SAMPLE));
        let mut row = vec![0.0; d_model];
        for i in pixels.sampled_rows() {
            rows.fill(i, &mut row);
            pixels.add_row(&row);
        }
    }
    let call = rows.call();
    Ok(Picture { pixels, title: call.clone(), dtype: <f32 as Element>::DTYPE, call: Some(call) })
}

/// Returns the failure of a picture of which a row for each line of blocks is too much.
fn too_wide([seq_len, d_model]: [usize; 2], lines: usize) -> Failure {
    Failure::new(format_args!(
        "a picture of {seq_len} x {d_model} entries needs {} of them, but the limit is {WHOLE}; use fewer columns, or at most {} \
         rows, such as every n-th with --step",
        lines * d_model,
        WHOLE / d_model
    ))
}

/// Returns the number of rows if there are any.
fn some_rows(seq_len: usize) -> Result<usize, Failure> {
    match seq_len {
        0 => Err(Failure::new("the table has no rows, but must have at least 1 to be drawn")),
        _ => Ok(seq_len),
    }
}

/// Prints where a table differs from the table of a spec.
pub(crate) fn print_differences<T: Entry>(found: &Table, exact_rows: &Rows<T>) -> Result<(), Failure> {
    let shape @ [seq_len, d_model] = found.shape();
    let screen = Screen::of_stdout();
    let mut pixels = Pixels::new(shape, screen.room(seq_len), Fold::Largest);
    for rows in found.pieces() {
        let there = found.rows::<T>(rows.clone()).map_err(Failure::new)?;
        let mut exact = vec![T::default(); there.len()];
        exact_rows.fill(rows.start, &mut exact);
        for (there, exact) in there.chunks_exact(d_model).zip(exact.chunks_exact(d_model)) {
            pixels.add(there.iter().zip(exact).map(|(&there, &exact)| (there.into() - exact.into()).abs()));
        }
    }
    let title = format!("|difference|, the largest: {seq_len} x {d_model} {}", T::DTYPE);
    print(&format!("\n{}", screen.draw(&pixels, &title)))
}

/// Writes a picture to a file, and says so.
fn save(picture: Picture, format: PictureFormat, path: &Path, answer: &AnswerArgs) -> Outcome {
    let Picture { pixels, title, dtype, call } = picture;
    let figure = Figure::new(&pixels, &title);
    let mut bytes = Vec::new();
    let made = match format {
        PictureFormat::Png => png::write(&figure, &mut bytes),
        PictureFormat::Svg => svg::write(&figure, &mut bytes),
    };
    made.map_err(Failure::new)?;
    let file = path.display().to_string();
    let mut target = Target::open(path)?;
    target.write_all(&bytes).map_err(|error| target.failure(&file, &error))?;
    target.finish()?;
    let ([width, height], bytes) = (figure.size, bytes.len());
    if answer.json {
        answers::print(&Drawn {
            file,
            format: format.name(),
            width,
            height,
            bytes,
            rows: pixels.rows.len,
            columns: pixels.columns.len,
            dtype,
            rows_per_pixel: pixels.rows.block,
            columns_per_pixel: pixels.columns.block,
            sampled_rows_per_pixel: pixels.sample,
            call,
        })?;
    } else if !answer.quiet {
        // The picture is complete by now, so a closed stderr is not a failure.
        let _ = writeln!(io::stderr(), "{file}: {width} x {height} pixels, {bytes} bytes");
    }
    Ok(ExitCode::SUCCESS)
}
