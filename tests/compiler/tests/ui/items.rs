// Tables as items, and calls in which something comes from elsewhere.

use posenc::sinusoidal_table;

sinusoidal_table! {
    static OF_ANOTHER_KIND = (4, 8);
    fn pe() {}
}

sinusoidal_table! {
    pub static mut THAT_CHANGES = (4, 8);
}

sinusoidal_table! {
    static WITH_A_TYPE: [[f32; 8]; 4] = (4, 8);
}

sinusoidal_table! {
    static WITH_ANOTHER_WRAPPER: Aligned<[[f32; 8]; 4]> = (4, 8);
}

sinusoidal_table! {
    /// The encoding.
    static WITHOUT_A_SEMICOLON = (4, 8)
}

sinusoidal_table! {
    static WITHOUT_PARENTHESES = 4, 8;
}

// The type of the table is known despite the error, so there is no error about its use.
sinusoidal_table! {
    static WITH_A_MISTAKE = (4, 8, base = 0);
    static OTHER: Aligned = (4, 8);
}
static FIRST: &[f32; 8] = &WITH_A_MISTAKE[0];

macro_rules! table {
    ($d_model:expr) => {
        sinusoidal_table!(4, $d_model)
    };
}
static FROM_A_FRAGMENT: [[f32; 8]; 4] = table!(0);

mod config {
    pub const PRESET: posenc::Preset = posenc::Preset::Whisper;
}
static PRESET_A_CONSTANT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = config::PRESET);

fn main() {}
