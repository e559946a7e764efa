// The keys of an image model.

use posenc::grid_table;

static MAE: [[f32; 768]; 196] = grid_table!((14, 14), 768, preset = mae, img_size = 224, patch_size = 16);
static PAIRS: [[f32; 768]; 196] = grid_table!((14, 14), 768, interleaved = true);

fn main() {}
