static TORCH: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = torch.bfloat16);
static PATH: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = half::bf16);
static F8: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = f8);

fn main() {}
