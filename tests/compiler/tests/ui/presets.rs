// Presets that are others, or of another kind of table.

use posenc::{grid_table, sinusoidal_table};

static PRESET_AS_A_PATH_IN_RUST: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = Preset::Whisper);
static PRESET_LEARNED: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = bert);
static PRESET_OF_A_GRID_AS_A_PATH_IN_RUST: [[f32; 8]; 4] = grid_table!((2, 2), 8, preset = posenc::GridPreset::Mae);
static PRESET_OF_A_GRID: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = mae);
static PRESET_OF_ANOTHER_NAME: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = dit);
static PRESET_OF_EVEN_WIDTHS: [[f32; 7]; 4] = sinusoidal_table!(4, 7, preset = whisper);
static PRESET_OF_ROTARY_EMBEDDINGS: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = llama);
static PRESET_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = wisper);
static PRESET_WITH_A_SCALE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = flux);
static PRESET_WITHOUT_ITS_START: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = transformer_xl);

fn main() {}
