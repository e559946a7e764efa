use posenc::{Spec, const_table};

static PE: [[f32; 6]; 4] = const_table(Spec::new(8));
static ODD: [[f32; 7]; 4] = const_table(Spec::preset(posenc::Preset::Whisper, 7));

fn main() {}
