//! Frozen grids: small tables of every preset in decimals, which show the places of axes, functions and frequencies.
//!
//! All sizes are different, so that an exchange of axes shows. The bits are among the hashes of `tests/hashes`.

use std::fmt::Write;

use posenc::{Grid, GridPreset};

/// Writes the call, and a line for each row: its point, and its entries.
fn write<const A: usize>(preset: GridPreset, grid: &Grid<A>, text: &mut String) {
    let table = grid.table::<f32>().unwrap();
    let points = grid.shape().iter().product::<usize>();
    // Of the rows of zeros for a text, the last two show enough.
    let (zeros, shown) = (grid.rows() - points, (grid.rows() - points).min(2));
    writeln!(text, "{preset}\n{grid}").unwrap();
    for (i, row) in table.rows().enumerate().skip(zeros - shown) {
        let name = i.checked_sub(zeros).map_or_else(|| "zeros".to_owned(), |i| point(i, grid.shape()));
        let entries: Vec<_> = row.iter().map(|entry| format!("{entry:7.4}")).collect();
        writeln!(text, "{name:5} {}", entries.join(" ")).unwrap();
    }
    text.push('\n');
}

/// Returns the indices of a point in the order of the shape, of which the last changes fastest.
fn point<const A: usize>(mut i: usize, shape: [usize; A]) -> String {
    let mut indices = shape;
    for (index, size) in indices.iter_mut().zip(shape).rev() {
        *index = i % size;
        i /= size;
    }
    indices.map(|index| index.to_string()).join(",")
}

#[test]
fn grids() {
    let mut text = String::new();
    for &preset in GridPreset::ALL {
        let image = Grid::preset(preset, [2, 3], 12);
        let image = if preset == GridPreset::PixArt { image.extent(4, 1) } else { image };
        // 14 columns are not a multiple of 6, so some are zeros or left out.
        let d_model = match preset {
            GridPreset::CogVideoX | GridPreset::VJepa => 16,
            GridPreset::Monai => 12,
            _ => 14,
        };
        let video = Grid::preset(preset, [2, 3, 4], d_model);
        let both = [image.check::<f32>().is_ok(), video.check::<f32>().is_ok()];
        assert!(both.contains(&true), "{preset}");
        if both[0] {
            write(preset, &image, &mut text);
        }
        if both[1] {
            write(preset, &video, &mut text);
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}
