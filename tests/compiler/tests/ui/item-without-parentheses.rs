posenc::sinusoidal_table! {
    static PE = 4, 8;
}

fn main() {}
