// Mistakes in the keys of a rotary cache, on the tokens that are wrong.

use posenc::{CosSin, rotary_table};

static WIDTH: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, rotary_dim = 3);
static KEY: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, layout = halves);
static PRESET: CosSin<[[f32; 64]; 2]> = rotary_table!(2, 128, preset = lama3_1);
static FACTOR: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, attention_factor = rsqrt_d);
static RULE: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, scaling = linear(0));

rotary_table! {
    static ITEM = (2, 8, base = 0);
}

fn main() {
    let _: &CosSin<[[f32; 4]; 2]> = &ITEM;
}
