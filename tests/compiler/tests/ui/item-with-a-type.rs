posenc::sinusoidal_table! {
    static PE: [[f32; 8]; 4] = (4, 8);
}

fn main() {}
