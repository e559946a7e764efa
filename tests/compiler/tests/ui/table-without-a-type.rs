// The compiler's own error, which the guide explains.

use posenc::sinusoidal_table;

static PE = sinusoidal_table!(4, 8);

fn main() {}
