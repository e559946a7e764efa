posenc::sinusoidal_table! {
    pub static mut PE = (4, 8);
}

fn main() {}
