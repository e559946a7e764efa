// Mistakes in the keys of a grid, on the tokens that are wrong.

use posenc::grid_table;

static SHAPE: [[f32; 8]; 14] = grid_table!(14, 8);
static KEY: [[f32; 8]; 6] = grid_table!((2, 3), 8, cls_token = 1);
static PRESET: [[f32; 8]; 6] = grid_table!((2, 3), 8, preset = dit);
static AXES: [[f32; 16]; 232] = grid_table!((2, 3), 16, preset = cogvideox);
static FIRST: [[f32; 8]; 6] = grid_table!((2, 3), 8, first = (w, t));
static COUNT: [[f32; 8]; 6] = grid_table!((2, 3), 8, start = (1, 2, 3));
static ONE_OF_TWO: [[f32; 8]; 6] = grid_table!((2, 3), 8, base = (1e4, -1));
static WIDTHS: [[f32; 8]; 6] = grid_table!((2, 3), 8, widths = (4, 6));
static UNEVEN: [[f32; 10]; 6] = grid_table!((2, 3), 10);
static EXTENT: [[f32; 8]; 6] = grid_table!((2, 3), 8, preset = pixart);
static BOTH: [[f32; 8]; 6] = grid_table!((2, 3), 8, extent = 64/2, unit = 1/2);
static LIST: [[f32; 8]; 6] = grid_table!((2, 3), 8, frequencies = ([1, 0.5], [1]));

// The keys of an image model.
static MAE: [[f32; 768]; 196] = grid_table!((14, 14), 768, preset = mae, img_size = 224, patch_size = 16);
static PAIRS: [[f32; 768]; 196] = grid_table!((14, 14), 768, interleaved = true);

grid_table! {
    static LARGE = ((1 << 20, 1 << 20), 8);
}

fn main() {}
