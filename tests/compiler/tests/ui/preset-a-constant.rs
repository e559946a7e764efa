mod config {
    pub const PRESET: posenc::Preset = posenc::Preset::Whisper;
}

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, preset = config::PRESET);

fn main() {}
