posenc::sinusoidal_table! {
    static PE = (4, 8);
    fn pe() {}
}

fn main() {}
