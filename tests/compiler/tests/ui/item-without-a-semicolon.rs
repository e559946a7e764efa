posenc::sinusoidal_table! {
    /// The encoding.
    static PE = (4, 8)
}

fn main() {}
