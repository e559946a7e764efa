// A rule as the config.json of a model has it, and other keys of models.

use posenc::{CosSin, rotary_table};

static SCALING: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_scaling = { "type": "linear", "factor": 8 });
static LLAMA: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, scaling = {
    "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192, "rope_type": "llama3"
});
static MISSING: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_parameters = { "rope_type": "yarn", "factor": 4 });
static UNKNOWN: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_scaling = { "type": "fope" });
static PARTIAL: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_parameters = {
    "rope_type": "linear", "factor": 8.0, "partial_rotary_factor": 0.5, "attention_factor": null
});
static OTHER: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_scaling = { "type": "linear", "factor": 8, "mrope_section": [16, 24, 24] });
static TYPE: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, rope_type = "llama3");
static PAIRS: CosSin<[[f32; 64]; 512]> = rotary_table!(512, 128, interleaved = true);

fn main() {}
