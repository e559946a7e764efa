posenc::sinusoidal_table! {
    static PE = (4, 8, base = 0);
    static OTHER: Aligned = (4, 8);
}

static FIRST: &[f32; 8] = &PE[0];

fn main() {}
