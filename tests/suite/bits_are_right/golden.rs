//! Checks the golden entries, which `scripts/golden.py` computed, to the bit.

use std::str::FromStr;

use posenc::{Amplitude, Bf16Bits, Columns, F16Bits, Grid, GridPreset, Layout, Odd, Order, Pairing, Preset, Spec};

use testkit::Bits;

macro_rules! golden_files {
    ($($name:ident: $file:literal;)*) => { $(
        #[test]
        fn $name() {
            check($file, include_str!(concat!("golden/", $file)));
        }
    )* };
}

golden_files! {
    whole_tables_are_golden: "grid.txt";
    scattered_entries_are_golden: "scattered.txt";
    entries_beside_a_number_or_a_midpoint_are_golden: "exact_angles.txt";
    entries_near_quarter_turns_are_golden: "near_zeros.txt";
    entries_nearest_to_midpoints_are_golden: "hardest.txt";
    entries_of_extreme_bases_are_golden: "extremes.txt";
    entries_of_every_parameter_are_golden: "parameters.txt";
}

#[test]
fn small_tables_of_every_preset_are_golden() {
    let text = include_str!("golden/presets.txt");
    check("presets.txt", text);
    for preset in Preset::ALL {
        assert!(text.contains(&format!("spec preset={} ", preset.name())), "{preset:?} is not among them");
    }
}

/// The file has the rows of each table, by `scripts/golden_grids.py`. All axes have different sizes, because a square grid
/// hides an exchange of its axes.
#[test]
fn small_grids_of_every_preset_are_golden() {
    let text = include_str!("golden/grids.txt");
    let mut lines = text.lines().skip(1);
    let mut seen = Vec::new();
    while let Some(head) = lines.next() {
        let [preset, shape, d_model, zeros] = head.split(' ').collect::<Vec<_>>().try_into().expect("a head");
        seen.push(preset.parse::<GridPreset>().expect("a preset"));
        let sizes: Vec<usize> = shape.split(',').map(number).collect();
        let points: usize = sizes.iter().product();
        let wanted: Vec<_> = lines.by_ref().take(2 * points).collect();
        let found = match *sizes {
            [h, w] => grid_rows(Grid::preset(seen[seen.len() - 1], [h, w], number(d_model)), number(zeros)),
            [t, h, w] => grid_rows(Grid::preset(seen[seen.len() - 1], [t, h, w], number(d_model)), number(zeros)),
            _ => panic!("{head}"),
        };
        assert_eq!(found.len(), wanted.len(), "{head}");
        found.iter().zip(wanted).for_each(|(found, wanted)| assert_eq!(found, wanted, "{head}"));
    }
    assert!(GridPreset::ALL.iter().all(|preset| seen.contains(preset)), "{seen:?}");
}

/// Returns the bits of the rows after so many of zeros, as `f32` and then as `f64`.
fn grid_rows<const A: usize>(grid: Grid<A>, zeros: usize) -> Vec<String> {
    fn rows<T: Bits, const A: usize>(grid: &Grid<A>, zeros: usize) -> Vec<String> {
        let mut rows = vec![T::default(); grid.rows() * grid.d_model()];
        grid.fill(0.., &mut rows).expect("rows");
        let (zeros, points) = rows.split_at(zeros * grid.d_model());
        assert!(zeros.iter().all(|entry| entry.bits() == 0), "{grid}");
        let line = |row: &[T]| row.iter().map(|entry| format!("{:x}", entry.bits())).collect::<Vec<_>>().join(" ");
        points.chunks_exact(grid.d_model()).map(line).collect()
    }
    // The extent of `PixArt` at 1024 x 1024 is the only parameter that a preset asks for.
    let grid = if matches!(grid.check::<f32>(), Err(posenc::GridError::NoExtent)) { grid.extent(64, 2) } else { grid };
    [rows::<f32, A>(&grid, zeros), rows::<f64, A>(&grid, zeros)].concat()
}

/// One entry of a golden file.
struct Entry {
    line: usize,
    /// The parameters, as `key=value` separated by spaces.
    spec: String,
    dtype: String,
    /// `p` and a position, or `r` and a row.
    at: String,
    column: usize,
    bits: u64,
}

/// Parses a golden file.
///
/// Its lines are `dtype base d_model position column bits`, or `dtype at column bits` below a line `spec key=value ...`
/// that applies to them.
fn entries(file: &str, text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut group = String::new();
    for (text, line) in text.lines().zip(1..) {
        let (spec, dtype, at, column, bits) = match *text.split(' ').collect::<Vec<_>>() {
            ["#", ..] => continue,
            ["spec", ref keys @ ..] => {
                group = keys.join(" ");
                continue;
            }
            [dtype, base, d_model, position, column, bits] => {
                (format!("d_model={d_model} base={base}"), dtype, format!("p{position}"), column, bits)
            }
            [dtype, at, column, bits] => (group.clone(), dtype, at.to_owned(), column, bits),
            _ => panic!("{file}:{line}: {text}"),
        };
        let bits = u64::from_str_radix(bits, 16).unwrap_or_else(|_| panic!("{file}:{line}: {bits}"));
        entries.push(Entry { line, spec, dtype: dtype.into(), at, column: number(column), bits });
    }
    assert!(!entries.is_empty(), "{file} is empty");
    entries
}

impl Entry {
    fn shares_row_with(&self, other: &Self) -> bool {
        (&self.spec, &self.dtype, &self.at) == (&other.spec, &other.dtype, &other.at)
    }

    /// Returns the bits of the whole row that contains this entry.
    fn row(&self) -> Vec<u64> {
        match self.dtype.as_str() {
            "f16" => self.encode::<F16Bits>(),
            "bf16" => self.encode::<Bf16Bits>(),
            "f32" => self.encode::<f32>(),
            "f64" => self.encode::<f64>(),
            other => panic!("line {}: no element type {other}", self.line),
        }
    }

    fn encode<T: Bits>(&self) -> Vec<u64> {
        let frequencies = self.frequencies();
        let spec = self.spec(frequencies.as_deref());
        let mut row = vec![T::default(); spec.d_model()];
        match self.at.split_at(1) {
            ("p", position) => match position.parse::<i64>() {
                Ok(position) => spec.encode(position, &mut row),
                Err(_) => spec.encode(number::<f64>(position), &mut row),
            },
            (_, index) => spec.fill(number(index).., &mut row),
        }
        .unwrap_or_else(|error| panic!("line {}: {spec}: {error}", self.line));
        row.into_iter().map(T::bits).collect()
    }

    fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.spec.split(' ').map(|setting| setting.split_once('=').unwrap_or_else(|| panic!("{setting}")))
    }

    fn frequencies(&self) -> Option<Vec<f64>> {
        let (_, list) = self.keys().find(|(key, _)| *key == "frequencies")?;
        Some(list.split(',').map(number).collect())
    }

    fn spec<'a>(&self, frequencies: Option<&'a [f64]>) -> Spec<'a> {
        let (_, d_model) = self.keys().find(|(key, _)| *key == "d_model").expect("d_model");
        let mut spec: Spec<'a> = Spec::new(number(d_model));
        for (key, value) in self.keys() {
            spec = match key {
                "d_model" => spec,
                "preset" => Spec::preset(choice(Preset::ALL, Preset::name, value), spec.d_model()),
                "base" => spec.base(number(value)),
                "freq_shift" => spec.freq_shift(number(value)),
                "frequencies" => spec.frequencies(frequencies.expect("a list")),
                "layout" => spec.layout(choice(Layout::ALL, Layout::name, value)),
                "order" => spec.order(choice(Order::ALL, Order::name, value)),
                "columns" => spec.columns(choice(Columns::ALL, Columns::name, value)),
                "pairing" => spec.pairing(choice(Pairing::ALL, Pairing::name, value)),
                "odd" => spec.odd(choice(Odd::ALL, Odd::name, value)),
                "start" => spec.start(number(value)),
                "step" => spec.step(number(value)),
                "scale" => spec.scale(number(value)),
                "unit" => {
                    let (numerator, denominator) = value.split_once('/').expect("a quotient");
                    spec.unit(number(numerator), number(denominator))
                }
                "amplitude" => spec.amplitude(match value {
                    "rsqrt_d" => Amplitude::RsqrtD,
                    "sqrt_2_over_d" => Amplitude::Sqrt2OverD,
                    value => Amplitude::Value(number(value)),
                }),
                "zero_row" => spec.zero_row(number(value)),
                other => panic!("line {}: no parameter {other}", self.line),
            };
        }
        spec
    }
}

fn choice<T: Copy>(all: &[T], name: fn(T) -> &'static str, value: &str) -> T {
    all.iter().copied().find(|&choice| name(choice) == value).unwrap_or_else(|| panic!("no {value}"))
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number of the type asked for"))
}

fn check(file: &str, text: &str) {
    let entries = entries(file, text);
    let mut different = Vec::new();
    for group in entries.chunk_by(Entry::shares_row_with) {
        let row = group[0].row();
        for Entry { line, column, bits, .. } in group {
            if row[*column] != *bits {
                different.push(format!("{file}:{line}: got {:x}, wanted {bits:x}", row[*column]));
            }
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), entries.len(), different.join("\n"));
}
