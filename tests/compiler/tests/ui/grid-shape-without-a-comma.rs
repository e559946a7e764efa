static PE: [[f32; 16]; 32] = posenc::grid_table!((4 8), 16);

fn main() {}
