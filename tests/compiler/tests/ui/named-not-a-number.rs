const NAME: &str = "ten";
const FLAG: bool = true;

static BASE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, base = NAME);
static START: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, start = FLAG);

fn main() {}
