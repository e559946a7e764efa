static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, start = 170_141_183_460_469_231_731_687_303_715_884_105_728);

fn main() {}
