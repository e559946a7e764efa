//! What the class of a model has for keys that its config lacks.

use crate::rope::config::parts::{Model, text};

/// What the class of a model has for keys that its config lacks, and what its keys mean.
#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) base: Option<f64>,
    pub(super) local_base: Option<f64>,
    pub(super) share: Option<f64>,
    /// The number of rotated columns, in place of a share.
    pub(super) columns: Option<usize>,
    pub(super) head_dim: Option<usize>,
    /// The width of the heads of layers with full attention, if it differs.
    pub(super) global_head_dim: Option<usize>,
    pub(super) sliding: SlidingRule,
}

/// The scaling rule of layers with sliding attention, if a config has one rule.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SlidingRule {
    /// These layers share the cache of the others.
    Shared,
    /// They have no rule.
    None,
    /// They have the rule too, but another base.
    OfModel,
}

impl Class {
    pub(super) const UNKNOWN: Self = Self {
        base: None,
        local_base: None,
        share: None,
        columns: None,
        head_dim: None,
        global_head_dim: None,
        sliding: SlidingRule::Shared,
    };
    const COMMON: Self = Self { base: Some(10_000.0), share: Some(1.0), ..Self::UNKNOWN };
    const HALF: Self = Self { share: Some(0.5), ..Self::COMMON };
    const QUARTER: Self = Self { share: Some(0.25), ..Self::COMMON };

    const fn with_head_dim(self, head_dim: usize) -> Self {
        Self { head_dim: Some(head_dim), ..self }
    }

    /// Returns the class of a model.
    pub(super) fn of(model: Model) -> Self {
        let of_type = |class: &str| CLASSES.iter().find(|(models, _)| models.contains(&class)).map(|(_, found)| *found);
        let own = text(model.config, "model_type").and_then(of_type);
        // A model of several parts may have other defaults for its language model than the class of that model.
        let whole = model.whole.filter(|whole| *whole == "mistral3").and_then(of_type);
        whole.or(own).unwrap_or(Self::UNKNOWN)
    }
}

/// The classes by `model_type`: their bases, the shares of a head that they rotate, and the widths of their heads, which
/// their configs may lack. `mistral3` is the type of the whole model.
///
/// Source: transformers 5.24, and for `chatglm` the code beside its configs.
#[rustfmt::skip]
const CLASSES: &[(&[&str], Class)] = &[
    (&["falcon", "llama"], Class::COMMON),
    (&["codegen", "gptj"], Class { columns: Some(64), ..Class::COMMON }),
    (&["gemma", "gemma2", "t5_gemma_module", "vaultgemma"], Class::COMMON.with_head_dim(256)),
    (
        &["gemma3_text", "gemma3n_text", "t5gemma2_decoder", "t5gemma2_text"],
        Class { base: Some(1e6), local_base: Some(10_000.0), ..Class::COMMON.with_head_dim(256) },
    ),
    (
        &["diffusion_gemma_text", "embedding_gemma2_text", "gemma4_text", "gemma4_unified_text"],
        Class { global_head_dim: Some(512), ..Class::UNKNOWN.with_head_dim(256) },
    ),
    (
        &["modernbert", "modernbert-decoder"],
        Class {
            base: Some(160_000.0), local_base: Some(10_000.0), sliding: SlidingRule::OfModel, ..Class::COMMON
        },
    ),
    (&["olmo3"], Class { base: Some(500_000.0), sliding: SlidingRule::None, ..Class::COMMON }),
    (&["gpt_neox", "stablelm"], Class::QUARTER),
    (&["qwen3_5_moe_text", "qwen3_5_text", "qwen3_next"], Class::QUARTER.with_head_dim(256)),
    (&["bamba", "chatglm", "glm4_moe", "glm4v_moe_text", "glmasr_encoder", "persimmon", "phi"], Class::HALF),
    (&["glm", "glm4", "nemotron"], Class::HALF.with_head_dim(128)),
    (&["recurrent_gemma"], Class::HALF.with_head_dim(256)),
    (
        &[
            "deepseek_v2", "deepseek_v3", "deepseek_v32", "glm_moe_dsa", "gpt_oss", "longcat_flash",
            "mistral_large4_text", "muse_spark_text", "neucodec", "openai_privacy_filter",
            "qwen2_5_omni_dit", "sarvam_moe", "voxtral_realtime_encoder", "xcodec2",
        ],
        Class::UNKNOWN.with_head_dim(64),
    ),
    (&["timesfm2_5"], Class::UNKNOWN.with_head_dim(80)),
    (
        &[
            "afmoe", "beam", "cosmos3_edge_text", "cwm", "dia_decoder", "dia_encoder", "ernie4_5",
            "flint", "helium", "higgs_audio_v2", "hrm_text", "hy_v3", "internlm3", "iquestcoder", "kolibri1", "laguna",
            "lara_mini", "lfm3", "llama4_text", "mellum", "minimax_m2", "minimax_m3_vl_text", "ministral3", "mistral3",
            "molmo2_text", "muse_glimmer_assistant", "muse_glimmer_text", "paddleocr_vl_text", "pe_audio_encoder",
            "pe_audio_video_encoder", "pe_video_encoder", "qwen2_5_omni_talker", "qwen3",
            "qwen3_omni_moe_talker_code_predictor", "qwen3_vl_text", "seed_oss", "solar_open", "step3p5", "zaya",
        ],
        Class::UNKNOWN.with_head_dim(128),
    ),
    (&["mimo_v2_flash"], Class::UNKNOWN.with_head_dim(192)),
    (&["dory", "qwen4_exp_text"], Class::UNKNOWN.with_head_dim(256)),
    (&["deepseek_v4"], Class { share: Some(64.0 / 512.0), ..Class::UNKNOWN.with_head_dim(512) }),
    (&["moonshine"], Class { share: Some(0.9), ..Class::UNKNOWN }),
    (&["musicflamingo"], Class { share: Some(0.2), ..Class::UNKNOWN }),
];

/// The keys that some classes have further defaults for, which are not known here: each with the types of the models.
/// Without the key there is no table. `rope_scaling` is needed in any spelling.
///
/// Source: transformers 5.24.
#[rustfmt::skip]
const NEEDED: &[(&str, &[&str])] = &[
    ("attention_head_dim", &["zamba2"]),
    ("kv_channels", &["jetmoe"]),
    (
        "partial_rotary_factor",
        &[
            "dots3_note_audio_encoder", "dots3_note_text", "laguna", "mimo_v2_flash", "moonshine_streaming",
            "nemotron3_5_transcribe_asr_audio", "nemotron3_5_transcribe_word_timestamp",
            "nemotron3_diarization_audio", "neomme", "zaya",
        ],
    ),
    (
        "qk_rope_head_dim",
        &[
            "axk1", "axk2", "bailing_hybrid", "glm4_moe_lite", "hy_v4", "hy_v4_vl_text", "minicpm3", "mistral4", "youtu",
        ],
    ),
    (
        "rope_scaling",
        &["apertus", "cwm", "gpt_oss", "higgs_audio_v2", "ministral3", "mistral4", "openai_privacy_filter"],
    ),
];

/// The classes whose layers of several types have caches of their own.
pub(super) const OF_LAYERS: [&str; 4] = ["deepseek_v4", "laguna", "mimo_v2_flash", "neomme"];

/// Returns the keys that the config of a model type needs.
pub(super) fn needed(model: &str) -> impl Iterator<Item = &'static str> {
    NEEDED.iter().filter(move |(_, models)| models.contains(&model)).map(|(key, _)| *key)
}
