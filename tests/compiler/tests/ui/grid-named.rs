// Mistakes in constants of a grid, on the names that have the values.

use posenc::grid_table;

const HEIGHT: usize = 2;
const WIDTHS: [usize; 2] = [4, 6];
const BASE: f64 = -1.0;
const ODD: usize = 7;
const EXTENT: i64 = 0;

static BASES: [[f32; 8]; 6] = grid_table!((HEIGHT, 3), 8, base = (10000, BASE));
static SUM: [[f32; 8]; 6] = grid_table!((HEIGHT, 3), 8, widths = (WIDTHS[0], WIDTHS[1]));
static D_MODEL: [[f32; 7]; 6] = grid_table!((HEIGHT, 3), ODD);
static AXES: [[f32; 16]; 232] = grid_table!((HEIGHT, 3), 16, preset = cogvideox);
static UNIT: [[f32; 8]; 6] = grid_table!((HEIGHT, 3), 8, extent = EXTENT);

fn main() {}
