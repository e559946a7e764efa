//! What models have for positions, by the `model_type` of their configs.

use core::fmt::{self, Display, Formatter};

/// What a model has for positions.
///
/// # Examples
///
/// ```
/// use posenc::reflection::ModelPositions;
///
/// assert_eq!(ModelPositions::of_model("whisper"), Some(ModelPositions::Sinusoidal));
/// assert_eq!(ModelPositions::Alibi.to_string(), "attention biases (ALiBi)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPositions {
    /// Learned positions.
    Learned,
    /// A table computed from a formula.
    Sinusoidal,
    /// Either learned positions or a table computed from a formula, depending on the config.
    LearnedOrSinusoidal,
    /// Attention biases that are linear in the distance.
    Alibi,
    /// Learned attention biases or keys, by the distance.
    Relative,
    /// A rotary embedding.
    Rotary,
    /// Nothing. The order of the tokens is known from recurrent layers.
    Absent,
}

impl ModelPositions {
    /// Returns the positions of a model type, or `None` if it is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::reflection::ModelPositions;
    /// assert_eq!(ModelPositions::of_model("bert"), Some(ModelPositions::Learned));
    /// assert_eq!(ModelPositions::of_model("llama"), Some(ModelPositions::Rotary));
    /// assert_eq!(ModelPositions::of_model("unknown"), None);
    /// ```
    #[must_use]
    pub fn of_model(model_type: &str) -> Option<Self> {
        MODELS.iter().find(|(models, _)| models.iter().any(|model| is_same(model, model_type))).map(|(_, what)| *what)
    }

    /// Returns whether the model may have a table computed from a formula.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::reflection::ModelPositions;
    /// assert!(ModelPositions::LearnedOrSinusoidal.may_be_sinusoidal() && !ModelPositions::Alibi.may_be_sinusoidal());
    /// ```
    #[must_use]
    pub fn may_be_sinusoidal(self) -> bool {
        matches!(self, Self::Sinusoidal | Self::LearnedOrSinusoidal)
    }
}

/// Returns whether two model types differ at most in dashes and underscores.
#[inline(never)] // otherwise it would be compiled again for each list
fn is_same(one: &str, other: &str) -> bool {
    let joined = |byte| if byte == b'-' { b'_' } else { byte };
    one.bytes().map(joined).eq(other.bytes().map(joined))
}

impl Display for ModelPositions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learned => "learned positions",
            Self::Sinusoidal => "sinusoidal positions",
            Self::LearnedOrSinusoidal => "learned or sinusoidal positions",
            Self::Alibi => "attention biases (ALiBi)",
            Self::Relative => "learned relative positions",
            Self::Rotary => "rotary positions",
            Self::Absent => "no position embedding",
        })
    }
}

/// Models with learned positions, with underscores in place of dashes.
#[rustfmt::skip]
pub(crate) const LEARNED: [&str; 56] = [
    "albert", "bart", "beit", "bert", "bert_generation", "big_bird", "bigbird_pegasus", "biogpt", "blenderbot",
    "blenderbot_small", "blip", "blip_text_model", "camembert", "canine", "clip", "clip_text_model",
    "clip_vision_model", "convbert", "data2vec_text", "decision_transformer", "deit", "electra", "ernie", "git",
    "gpt2", "gpt_bigcode", "gpt_neo", "ibert", "imagegpt", "layoutlm", "led", "longformer", "luke", "mbart",
    "megatron_bert", "mobilebert", "mvp", "nystromformer", "openai_gpt", "opt", "plbart", "prophetnet", "rembert",
    "roberta", "roberta_prelayernorm", "siglip", "siglip_text_model", "siglip_vision_model", "squeezebert", "trocr",
    "vilt", "visual_bert", "vit", "xlm_roberta", "xlm_roberta_xl", "xmod",
];

/// Models with the table of a formula.
#[rustfmt::skip]
const SINUSOIDAL: [&str; 23] = [
    "autoformer", "fsmt", "informer", "m2m_100", "marian", "musicgen", "musicgen_decoder", "musicgen_melody",
    "nllb_moe", "pegasus", "pegasus_x", "qwen2_audio_encoder", "seamless_m4t", "seamless_m4t_v2", "speech_to_text",
    "speecht5", "time_series_transformer", "timesfm", "transfo_xl", "videomae", "whisper", "xglm", "xlnet",
];

/// Models with a rotary embedding. Some of them have one only if a key of their configs says so.
#[rustfmt::skip]
const ROTARY: [&str; 217] = [
    "afmoe", "apertus", "apertus1p5_text", "arcee", "aria_text", "axk1", "axk2", "bailing_hybrid", "bamba", "beam",
    "bitnet", "blt", "blt_global_transformer", "blt_local_decoder", "blt_local_encoder", "blt_patcher", "chameleon",
    "chatglm", "codegen", "cohere", "cohere2", "cohere2_moe", "cosmos3_edge_text", "csm", "csm_depth_decoder_model",
    "cwm", "dbrx", "deepseek_ocr2_encoder", "deepseek_ocr2_text", "deepseek_v2", "deepseek_v3", "deepseek_v32",
    "deepseek_v4", "dia_decoder", "dia_encoder", "diffllama", "diffusion_gemma_text", "doge", "dory", "dots1",
    "dots3_note_audio_encoder", "dots3_note_text", "embedding_gemma2_text", "emu3_text_model", "ernie4_5",
    "ernie4_5_moe", "ernie4_5_vl_moe_text", "esm", "esmc", "eurobert", "evolla", "exaone", "exaone4", "exaone_moe",
    "falcon", "falcon_h1", "flex_olmo", "flint", "gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n",
    "gemma3n_text", "gemma4", "gemma4_text", "gemma4_unified_text", "glm", "glm4", "glm4_moe", "glm4_moe_lite",
    "glm4v_moe_text", "glm4v_text", "glm_image_text", "glm_moe_dsa", "glm_ocr_text", "glmasr_encoder", "gpt_neox",
    "gpt_neox_japanese", "gpt_oss", "gptj", "gradium_phonon_tts", "granite", "granite4_vision_text",
    "granite_docling_text", "granite_swa", "granitemoe", "granitemoe_swa", "granitemoehybrid", "granitemoeshared",
    "gte", "helium", "higgs_audio_v2", "hrm_text", "hunyuan_v1_dense", "hunyuan_v1_moe", "hunyuan_vl_text", "hy_v3",
    "hy_v4", "hy_v4_vl_text", "hyperclovax", "idefics", "internlm3", "iquestcoder", "jais2", "jetmoe",
    "jina_embeddings_v3", "kolibri1", "kyutai_speech_to_text", "laguna", "lara_mini", "lasr_encoder", "lfm2",
    "lfm2_moe", "lfm3", "llama", "llama4", "llama4_text", "longcat_flash", "mellum", "mimi", "mimi_decoder",
    "mimi_encoder", "mimo_v2_flash", "minicpm3", "minimax", "minimax_m2", "minimax_m3_vl_text", "ministral",
    "ministral3", "mistral", "mistral3", "mistral4", "mistral_large4_text", "mixtral", "mllama_text_model",
    "modernbert", "modernbert_decoder", "molmo2_text", "moonshine", "moonshine_streaming", "moshi",
    "muse_glimmer_assistant", "muse_glimmer_text", "muse_spark_text", "musicflamingo", "nanochat", "nemotron",
    "nemotron3_5_transcribe_asr_audio", "nemotron3_5_transcribe_word_timestamp", "nemotron3_diarization_audio",
    "neomme", "neucodec", "nomic_bert", "olmo", "olmo2", "olmo3", "olmo_hybrid", "olmoe", "openai_privacy_filter",
    "paddleocr_vl_text", "pe_audio_encoder", "pe_audio_video_encoder", "pe_video_encoder", "persimmon", "phi",
    "phi3", "phi4_multimodal", "phimoe", "pocket_tts", "pocket_tts_audio_tokenizer",
    "pocket_tts_audio_tokenizer_decoder", "pocket_tts_audio_tokenizer_encoder", "qwen", "qwen2", "qwen2_5_omni_dit",
    "qwen2_5_omni_talker", "qwen2_5_omni_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_moe", "qwen2_vl",
    "qwen2_vl_text", "qwen3", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_moe", "qwen3_next",
    "qwen3_omni_moe_talker_code_predictor", "qwen3_omni_moe_talker_text", "qwen3_omni_moe_text", "qwen3_vl",
    "qwen3_vl_moe_text", "qwen3_vl_text", "qwen4_exp_text", "recurrent_gemma", "sarvam_mla", "sarvam_moe",
    "seed_oss", "smollm3", "solar_open", "stablelm", "starcoder2", "step3p5", "t5_gemma_module", "t5gemma2_decoder",
    "t5gemma2_text", "timesfm2_5", "ultrabert", "unlimited_ocr_text", "vaultgemma", "voxtral_realtime_encoder",
    "voxtral_realtime_text", "xcodec2", "youtu", "zamba2", "zaya",
];

/// Models whose attention knows no positions: their other layers are recurrent.
const RECURRENT: [&str; 6] = ["falcon_mamba", "jamba", "mamba", "mamba2", "nemotron_h", "zamba"];

/// The one list of models by what they have for positions. Source: transformers 5.24.
pub const MODELS: [(&[&str], ModelPositions); 7] = [
    (&ROTARY, ModelPositions::Rotary),
    (&RECURRENT, ModelPositions::Absent),
    (&LEARNED, ModelPositions::Learned),
    (&SINUSOIDAL, ModelPositions::Sinusoidal),
    (&["distilbert", "flaubert", "xlm"], ModelPositions::LearnedOrSinusoidal),
    (&["bloom", "mpt"], ModelPositions::Alibi),
    (
        &["deberta", "deberta_v2", "longt5", "mt5", "pop2piano", "switch_transformers", "t5", "umt5"],
        ModelPositions::Relative,
    ),
];

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_model_is_found_however_its_words_are_joined() {
        let of = |model| ModelPositions::of_model(model).map(|found| found.to_string());
        assert_eq!(of("gpt2").as_deref(), Some("learned positions"));
        assert_eq!(of("xlm-roberta").as_deref(), Some("learned positions"));
        assert_eq!(of("m2m-100").as_deref(), Some("sinusoidal positions"));
        assert_eq!(of("distilbert").as_deref(), Some("learned or sinusoidal positions"));
        assert_eq!(of("mpt").as_deref(), Some("attention biases (ALiBi)"));
        assert_eq!(of("switch-transformers").as_deref(), Some("learned relative positions"));
        assert_eq!(of("nemotron-h").as_deref(), Some("no position embedding"));
        assert_eq!(of("falcon").as_deref(), Some("rotary positions"));
        assert_eq!(["resnet", ""].map(of), [None, None]);
    }

    #[test]
    fn some_models_may_have_the_table_of_a_formula() {
        let may = |model| ModelPositions::of_model(model).is_some_and(ModelPositions::may_be_sinusoidal);
        assert_eq!(
            ["whisper", "flaubert", "bert", "bloom", "t5", "llama"].map(may),
            [true, true, false, false, false, false]
        );
    }

    /// A model in two lists would have the answer of the first.
    #[test]
    fn every_model_is_listed_once() {
        let mut all = std::collections::BTreeSet::new();
        assert!(MODELS.iter().flat_map(|(models, _)| *models).all(|model| all.insert(model) && !model.contains('-')));
    }
}
