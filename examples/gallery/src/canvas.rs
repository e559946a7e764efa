//! Panels, charts, lines, heat maps and colour bars, with the same look in all figures and on every backend.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// Line colours, which are also distinguishable to the colour-blind.
pub const FIRST: RGBColor = RGBColor(0, 90, 181);
pub const SECOND: RGBColor = RGBColor(220, 50, 32);
pub const THIRD: RGBColor = RGBColor(64, 140, 60);
pub const FOURTH: RGBColor = RGBColor(225, 160, 0);
pub const GREY: RGBColor = RGBColor(90, 90, 90);

const FONT: &str = "sans-serif";
/// The margin of charts at the top and on the right, where the last label of an axis sticks out.
const MARGIN: u32 = 14;
/// The margin of charts on the sides with labels.
const EDGE: u32 = 6;
const LEFT: u32 = 100;
const BOTTOM: u32 = 50;
const BAR: u32 = 108;
const BAR_LABELS: u32 = 70;
/// The maximum number of labels on an axis.
pub const LABELS: usize = 9;

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The backend of a figure. Its errors can be boxed.
pub trait Backend: DrawingBackend<ErrorType: 'static> {}

impl<T: DrawingBackend<ErrorType: 'static>> Backend for T {}

pub type Canvas<DB> = DrawingArea<DB, Shift>;

/// An axis of numbers, on any scale.
pub trait Axis: Ranged<ValueType = f64> + ValueFormatter<f64> {}

impl<T: Ranged<ValueType = f64> + ValueFormatter<f64>> Axis for T {}

pub type Chart<'a, DB, X, Y> = ChartContext<'a, DB, Cartesian2d<X, Y>>;

/// Registers the font of PNG files. SVG files use the viewer's font.
pub fn register_font() -> Outcome {
    let font = dejavu::sans::regular();
    plotters::style::register_font(FONT, FontStyle::Normal, font).map_err(|_| "the bundled font cannot be read".into())
}

/// Writes the title of a figure and returns the rest of the canvas.
pub fn figure<DB: Backend>(canvas: &Canvas<DB>, title: &str) -> Outcome<Canvas<DB>> {
    Ok(canvas.margin(8, 0, 0, 0).titled(title, (FONT, 28))?)
}

/// Writes the title of a panel and returns the rest of the canvas.
pub fn panel<DB: Backend>(canvas: &Canvas<DB>, title: &str) -> Outcome<Canvas<DB>> {
    Ok(canvas.margin(6, 0, 0, 0).titled(title, (FONT, 22))?)
}

/// Splits a canvas into a left and a right part. The left part takes `share` of the width.
pub fn columns<DB: Backend>(canvas: &Canvas<DB>, share: f64) -> (Canvas<DB>, Canvas<DB>) {
    const GAP: i32 = 24; // between the name of a colour bar and the name of the next axis
    let (left, right) = canvas.split_horizontally((share * 100.0).percent_width());
    (left, right.margin(0, 0, GAP, 0))
}

/// An empty chart with named axes.
pub fn chart<'a, DB, X, Y>(
    canvas: &Canvas<DB>,
    x: (&str, X),
    y: (&str, Y),
) -> Outcome<Chart<'a, DB, X::CoordDescType, Y::CoordDescType>>
where
    DB: Backend,
    X: AsRangedCoord<Value = f64, CoordDescType: Axis>,
    Y: AsRangedCoord<Value = f64, CoordDescType: Axis>,
{
    labelled_chart(canvas, x, y, (LABELS, LABELS))
}

/// An empty chart with named axes and at most the given numbers of labels.
pub fn labelled_chart<'a, DB, X, Y>(
    canvas: &Canvas<DB>,
    (x_name, x): (&str, X),
    (y_name, y): (&str, Y),
    (x_labels, y_labels): (usize, usize),
) -> Outcome<Chart<'a, DB, X::CoordDescType, Y::CoordDescType>>
where
    DB: Backend,
    X: AsRangedCoord<Value = f64, CoordDescType: Axis>,
    Y: AsRangedCoord<Value = f64, CoordDescType: Axis>,
{
    let mut builder = ChartBuilder::on(canvas);
    builder.margin(MARGIN).margin_left(EDGE).margin_bottom(EDGE).x_label_area_size(BOTTOM).y_label_area_size(LEFT);
    let mut chart = builder.build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(x_name).y_desc(y_name).x_labels(x_labels).y_labels(y_labels);
    mesh.axis_desc_style((FONT, 20)).label_style((FONT, 18));
    mesh.bold_line_style(BLACK.mix(0.15)).light_line_style(TRANSPARENT);
    mesh.x_label_formatter(&|value| number(*value)).y_label_formatter(&|value| number(*value)).draw()?;
    Ok(chart)
}

/// The shortest readable form of a number: `0.25`, `1000`, `1e-8`.
fn number(value: f64) -> String {
    match value.abs() {
        size @ (1e-12..1e-3 | 1e6..) if size.is_finite() => format!("{value:.0e}"),
        _ => format!("{}", (value * 1e6).round() / 1e6 + 0.0), // adding 0 turns -0 into 0
    }
}

/// Draws a line with a name for the legend.
pub fn curve<'a, DB: Backend + 'a, X: Axis, Y: Axis>(
    chart: &mut Chart<'a, DB, X, Y>,
    points: impl IntoIterator<Item = (f64, f64)>,
    colour: RGBColor,
    name: &str,
) -> Outcome {
    let style = colour.stroke_width(2);
    let line = chart.draw_series(LineSeries::new(points, style))?;
    line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
    Ok(())
}

/// Draws a line without a name.
pub fn line<DB: Backend, X: Axis, Y: Axis>(
    chart: &mut Chart<'_, DB, X, Y>,
    points: impl IntoIterator<Item = (f64, f64)>,
    colour: RGBColor,
) -> Outcome {
    chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
    Ok(())
}

/// Draws a dot for every point.
pub fn dots<DB: Backend, X: Axis, Y: Axis>(
    chart: &mut Chart<'_, DB, X, Y>,
    points: impl IntoIterator<Item = ((f64, f64), RGBColor)>,
) -> Outcome {
    chart.draw_series(points.into_iter().map(|(point, colour)| Circle::new(point, 5, colour.filled())))?;
    Ok(())
}

/// Draws a legend that names the lines drawn so far.
pub fn legend<'a, DB: Backend + 'a, X: Axis, Y: Axis>(
    chart: &mut Chart<'a, DB, X, Y>,
    position: SeriesLabelPosition,
) -> Outcome {
    let mut labels = chart.configure_series_labels();
    labels.position(position).margin(12).legend_area_size(32).label_font((FONT, 18));
    labels.background_style(WHITE.mix(0.9)).border_style(BLACK.mix(0.3)).draw()?;
    Ok(())
}

/// Writes text in a chart, with its lower left corner at `point`.
pub fn note<DB: Backend, X: Axis, Y: Axis>(chart: &Chart<'_, DB, X, Y>, point: (f64, f64), words: &str) -> Outcome {
    let above = EmptyElement::at(point) + Text::new(words.to_owned(), (6, -24), (FONT, 18));
    chart.plotting_area().draw(&above)?;
    Ok(())
}

/// The colours of numbers, and the name and range on the colour bar.
pub struct Scale {
    pub name: &'static str,
    pub range: Range<f64>,
    /// The colour of a number from 0 to 1.
    pub map: fn(f64) -> RGBColor,
}

impl Scale {
    /// The scale of the entries of a table.
    pub const ENTRIES: Self = Self { name: "entry", range: -1.0..1.0, map: diverging };

    /// Returns the colour of a number, or white if it is not finite, such as the logarithm of zero.
    pub fn colour(&self, value: f64) -> RGBColor {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        if share.is_finite() { (self.map)(share.clamp(0.0, 1.0)) } else { WHITE }
    }
}

/// From blue through white to red.
pub fn diverging(share: f64) -> RGBColor {
    let colours = [(5, 48, 97), (67, 147, 195), (247, 247, 247), (214, 96, 77), (103, 0, 31)];
    DerivedColorMap::new(&colours.map(|(r, g, b)| RGBColor(r, g, b))).get_color(share)
}

/// Once around the hues, so that both ends have the same colour.
pub fn cyclic(share: f64) -> RGBColor {
    let (r, g, b) =
        DerivedColorMap::new(&[HSLColor(0.0, 0.75, 0.45), HSLColor(1.0, 0.75, 0.45)]).get_color(share).rgb();
    RGBColor(r, g, b)
}

/// From dark to light, in perceptually even steps.
pub fn viridis(share: f64) -> RGBColor {
    ViridisRGB.get_color(share)
}

/// One side of a heat map.
pub struct Side<'a> {
    name: &'a str,
    cells: usize,
    range: Range<f64>,
}

impl<'a> Side<'a> {
    /// Cells numbered from 0, from left to right or upwards, with each number at the middle of its cell.
    pub fn new(name: &'a str, cells: usize) -> Self {
        Self { name, cells, range: -0.5..cells as f64 - 0.5 }
    }

    /// Makes the numbers run from the top down.
    pub fn downwards(self) -> Self {
        Self { range: self.range.end..self.range.start, ..self }
    }

    /// Makes every cell cover `size` numbers, beginning at 0.
    pub fn blocks(self, size: usize) -> Self {
        Self { range: 0.0..(self.cells * size) as f64, ..self }
    }

    /// Limits the labels to the number of cells, because more would fall between the numbers.
    fn labels(&self) -> usize {
        self.cells.min(LABELS)
    }

    /// The cell at a fraction of the way along the axis.
    fn cell(&self, share: f64) -> usize {
        let share = if self.range.start < self.range.end { share } else { 1.0 - share };
        (share * self.cells as f64) as usize
    }
}

/// Draws a heat map of `value(cell of x, cell of y)`.
pub fn heat_map<DB: Backend>(
    canvas: &Canvas<DB>,
    x: &Side,
    y: &Side,
    scale: &Scale,
    value: impl Fn(usize, usize) -> f64,
) -> Outcome {
    let labels = (x.labels(), y.labels());
    let chart = labelled_chart(canvas, (x.name, x.range.clone()), (y.name, y.range.clone()), labels)?;
    let plot = chart.plotting_area().strip_coord_spec();
    paint(&plot, |across, up| scale.colour(value(x.cell(across), y.cell(up))))
}

/// Draws the colour bar of `scale` at the right end of a canvas, and returns the rest for a heat map.
pub fn with_bar<DB: Backend>(canvas: &Canvas<DB>, scale: &Scale) -> Outcome<Canvas<DB>> {
    let (left, right) = canvas.split_horizontally(canvas.dim_in_pixel().0 - BAR);
    let mut builder = ChartBuilder::on(&right);
    builder.margin_top(MARGIN).margin_bottom(EDGE + BOTTOM).right_y_label_area_size(BAR_LABELS).margin_right(MARGIN);
    let mut chart = builder.build_cartesian_2d(0.0..1.0, scale.range.clone())?;
    let mut mesh = chart.configure_mesh();
    // Labels with the same number of decimals have the same width and are aligned.
    let decimals = usize::from(scale.range.end - scale.range.start <= 2.0);
    let label = |value: &f64| format!("{:.decimals$}", value + 0.0);
    mesh.disable_mesh().y_desc(scale.name).y_labels(LABELS).y_label_formatter(&label);
    mesh.set_tick_mark_size(LabelAreaPosition::Right, 5);
    mesh.axis_desc_style((FONT, 20)).label_style((FONT, 18)).draw()?;
    paint(&chart.plotting_area().strip_coord_spec(), |_, up| (scale.map)(up))?;
    Ok(left)
}

/// Colours every pixel by its position, as fractions of the width from the left and of the height from the bottom.
fn paint<DB: Backend>(canvas: &Canvas<DB>, colour: impl Fn(f64, f64) -> RGBColor) -> Outcome {
    let (width, height) = canvas.dim_in_pixel();
    let mut pixels = Vec::with_capacity((3 * width * height) as usize);
    for y in 0..height {
        for x in 0..width {
            let RGBColor(r, g, b) =
                colour((f64::from(x) + 0.5) / f64::from(width), 1.0 - (f64::from(y) + 0.5) / f64::from(height));
            pixels.extend([r, g, b]);
        }
    }
    let image = BitMapElement::with_owned_buffer((0, 0), (width, height), pixels);
    canvas.draw(&image.ok_or("a heat map has no pixels")?)?;
    let corner = (width.cast_signed() - 1, height.cast_signed() - 1);
    canvas.draw(&Rectangle::new([(0, 0), corner], BLACK.mix(0.5)))?;
    Ok(())
}
