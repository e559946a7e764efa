static PE: [[f32; 8]; 4] = posenc::grid_table!((2, 2), 8, preset = posenc::GridPreset::Mae);

fn main() {}
