//! What models without a rotary embedding have for positions, by the `model_type` of their configs.

use core::fmt::{self, Display, Formatter};

/// What a model without a rotary embedding has for positions.
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
}

impl ModelPositions {
    /// Returns the positions of a model type, or `None` if it is unknown or may have a rotary embedding.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::reflection::ModelPositions;
    /// assert_eq!(ModelPositions::of_model("bert"), Some(ModelPositions::Learned));
    /// assert_eq!(ModelPositions::of_model("llama"), None);
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

/// The one list of models without a rotary embedding. Source: transformers 5.23.
pub const MODELS: [(&[&str], ModelPositions); 5] = [
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
        assert_eq!(["llama", "falcon", ""].map(of), [None, None, None]);
    }

    #[test]
    fn some_models_may_have_the_table_of_a_formula() {
        let may = |model| ModelPositions::of_model(model).is_some_and(ModelPositions::may_be_sinusoidal);
        assert_eq!(["whisper", "flaubert", "bert", "bloom", "t5"].map(may), [true, true, false, false, false]);
    }

    /// A model in two lists would have the answer of the first.
    #[test]
    fn every_model_is_listed_once() {
        let mut all = std::collections::BTreeSet::new();
        assert!(MODELS.iter().flat_map(|(models, _)| *models).all(|model| all.insert(model) && !model.contains('-')));
    }
}
