use posenc::{Columns, Spec, const_translation};

static SINES: [[f32; 2]; 4] = const_translation(Spec::new(8).columns(Columns::Sin), 1.0);
static HALF: [[f32; 2]; 4] = const_translation(Spec::new(6), 1.0);
static NOWHERE: [[f32; 2]; 4] = const_translation(Spec::new(8), f64::NAN);

fn main() {
    println!("{SINES:?} {HALF:?} {NOWHERE:?}");
}
