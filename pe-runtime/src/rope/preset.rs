//! The rotary caches of known models by name, each with its source.

use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use crate::rope::Rope;
use crate::rope::factors::{PHI3_5_LONG, PHI3_5_SHORT};
use crate::spec::names::{NameError, Named, Names, Of, named};
use crate::spec::scaling::{Llama3, Scaling, Yarn};

/// Defines the presets: the columns of a head, what differs from [`Rope::new`], the rows, the models and the source.
macro_rules! rope_presets {
    ($(
        $(#[$doc:meta])*
        $preset:ident = $name:literal {
            $head_dim:literal, |$rope:ident| $made:expr, $rows:literal, $models:literal, $source:literal
        }
    )*) => {
        choice! {
            /// The rotary cache of a known model, as parameters.
            ///
            /// A preset describes the mathematical table. The model's own is computed in `f32`: for Llama 3.1 in candle, entries
            /// are off by up to 5.8e-4 within 8192 positions. Names alone mislead: models of one family differ
            /// in base and rule, so each preset says what it was read from.
            ///
            /// # Examples
            ///
            /// ```
            /// use posenc::{Rope, RopePreset};
            ///
            /// let rope = Rope::preset(RopePreset::Llama3_1);
            /// assert_eq!(
            ///     rope.to_string(),
            ///     "rotary_table!(seq_len, 128, base = 500000.0, \
            ///      scaling = llama3(factor = 8.0, original_max_position_embeddings = 8192))",
            /// );
            /// assert_eq!("llama3_1".parse(), Ok(RopePreset::Llama3_1));
            /// ```
            #[allow(non_camel_case_types, reason = "the names of the models")]
            RopePreset {
                $($(#[$doc])* $preset = $name,)*
            }
        }

        impl RopePreset {
            /// Returns the parameters.
            const fn rope(self) -> Rope<'static> {
                match self {
                    $(Self::$preset => {
                        let $rope = Rope::new($head_dim);
                        $made
                    })*
                }
            }

            /// Returns the number of positions that the model is made for.
            ///
            /// # Examples
            ///
            /// ```
            /// # use posenc::RopePreset;
            /// assert_eq!(RopePreset::Llama3_1.max_position_embeddings(), 131_072);
            /// ```
            #[must_use]
            pub const fn max_position_embeddings(self) -> usize {
                match self { $(Self::$preset => $rows,)* }
            }

            /// Returns the models, in one line.
            ///
            /// # Examples
            ///
            /// ```
            /// # use posenc::RopePreset;
            /// assert_eq!(RopePreset::GptJ.models(), "GPT-J");
            /// ```
            #[must_use]
            pub const fn models(self) -> &'static str {
                match self { $(Self::$preset => $models,)* }
            }

            /// Returns what the parameters were read from.
            ///
            /// # Examples
            ///
            /// ```
            /// # use posenc::RopePreset;
            /// assert_eq!(RopePreset::Yi.source(), "candle 2a13b0f `yi.rs`");
            /// ```
            #[must_use]
            pub const fn source(self) -> &'static str {
                match self { $(Self::$preset => $source,)* }
            }
        }
    };
}

impl Rope<'static> {
    /// Creates the cache of a known model.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, RopePreset};
    /// let rope = Rope::preset(RopePreset::Phi2);
    /// assert_eq!((rope.head_dim(), rope.pairs()), (80, 16));
    /// ```
    pub const fn preset(preset: RopePreset) -> Self {
        preset.rope()
    }
}

named! {
    RopePreset: Of::Things("preset"), &[
        ("llama", "`llama2`"),
        ("llama3_3", "`llama3_1`"),
        ("llama_3_1", "`llama3_1`"),
        ("llama31", "`llama3_1`"),
        ("gemma3", "`gemma3_global` and `gemma3_local`"),
        ("gemma4", "`gemma4_global`"),
        ("modernbert", "`modernbert_global` and `modernbert_local`"),
        ("phi3_5_mini", "`phi3_5_mini_short` or `phi3_5_mini_long`"),
        ("flux", "a cache per axis: `axis_and_pair`"),
        ("deepseek_r1", "`deepseek_v3`"),
        ("qwq", "`qwen2_5`"),
        ("qwen2_5_omni", "`qwen2_5_vl`"),
        ("gptj", "`gpt_j`"),
        ("gpt_neox", "`gpt_neox_20b`"),
        ("phi3", "`phi3_mini_4k`"),
    ];
}

rope_presets! {
    /// `LLaMA` 1 and 2. Source: transformers 5.23 `LlamaConfig`, `LitGPT` 2685705.
    Llama2 = "llama2" { 128, |rope| rope, 4096, "LLaMA 1 and 2", "transformers 5.23 `LlamaConfig`, LitGPT 2685705" }

    /// Code Llama. Source: `LitGPT` 2685705.
    CodeLlama = "codellama" { 128, |rope| rope.base(1e6), 16_384, "Code Llama", "LitGPT 2685705" }

    /// Llama 3 8B and 70B. Source: `LitGPT` 2685705, llama-models a9c89c4.
    Llama3 = "llama3" { 128, |rope| rope.base(500_000.0), 8192, "Llama 3 8B and 70B", "LitGPT 2685705, llama-models a9c89c4" }

    /// Llama 3.1 and 3.3. Source: llama-models a9c89c4 `apply_scaling`, `LitGPT` 2685705.
    Llama3_1 = "llama3_1" { 128, |rope| rope.base(500_000.0).scaling(Scaling::llama3(8.0, 8192)), 131_072, "Llama 3.1 and 3.3", "llama-models a9c89c4 `apply_scaling`, LitGPT 2685705" }

    /// Llama 3.2 1B. Source: `LitGPT` 2685705.
    Llama3_2_1B = "llama3_2_1b" { 64, |rope| rope.base(500_000.0).scaling(Scaling::llama3(32.0, 8192)), 131_072, "Llama 3.2 1B", "LitGPT 2685705" }

    /// Llama 3.2 3B. Source: `LitGPT` 2685705.
    Llama3_2_3B = "llama3_2_3b" { 128, |rope| rope.base(500_000.0).scaling(Scaling::llama3(32.0, 8192)), 131_072, "Llama 3.2 3B", "LitGPT 2685705" }

    /// Llama 4 Scout. Source: llama-models a9c89c4 `args.py`.
    ///
    /// Both frequency factors are 1, so the rule is a step. The reference code keeps complex numbers, in pairs.
    Llama4Scout = "llama4_scout" { 128, |rope| rope.base(500_000.0).scaling(Scaling::Llama3(Llama3 { high_freq_factor: 1.0, ..Llama3::new(16.0, 8192) })), 10_485_760, "Llama 4 Scout", "llama-models a9c89c4 `args.py`" }

    /// Llama 4 Maverick. Source: llama-models a9c89c4.
    ///
    /// Only Scout's frequencies are scaled. The number of rows is not from a file of the model.
    Llama4Maverick = "llama4_maverick" { 128, |rope| rope.base(500_000.0), 1_048_576, "Llama 4 Maverick", "llama-models a9c89c4" }

    /// Mistral 7B v0.1. Source: transformers 5.23 `MistralConfig`, `LitGPT` 2685705.
    ///
    /// Later versions have base 1000000: `mistral`.
    Mistral7bV0_1 = "mistral_7b_v0_1" { 128, |rope| rope, 32_768, "Mistral 7B v0.1", "transformers 5.23 `MistralConfig`, LitGPT 2685705" }

    /// Mistral 7B v0.2 and later. Source: `LitGPT` 2685705.
    Mistral = "mistral" { 128, |rope| rope.base(1e6), 32_768, "Mistral 7B v0.2 and later", "LitGPT 2685705" }

    /// Mixtral 8x7B. Source: transformers 5.23 `MixtralConfig`, `LitGPT` 2685705.
    Mixtral = "mixtral" { 128, |rope| rope.base(1e6), 32_768, "Mixtral 8x7B", "transformers 5.23 `MixtralConfig`, LitGPT 2685705" }

    /// Ministral 3. Source: transformers 5.23 `Ministral3Config`.
    ///
    /// The model also scales queries by their position, which is no part of the cache.
    Ministral3 = "ministral3" { 128, |rope| rope.base(1e6).scaling(Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(16.0, 16_384) })), 262_144, "Ministral 3", "transformers 5.23 `Ministral3Config`" }

    /// Qwen 2. Source: `LitGPT` 2685705.
    ///
    /// The 0.5B model has heads of 64. Qwen2.5-Math has base 10000.
    Qwen2 = "qwen2" { 128, |rope| rope.base(1e6), 32_768, "Qwen 2", "LitGPT 2685705" }

    /// Qwen 2.5, `QwQ`. Source: `LitGPT` 2685705.
    ///
    /// Qwen2.5-Math has base 10000, Qwen2.5-1M 10000000.
    Qwen2_5 = "qwen2_5" { 128, |rope| rope.base(1e6), 32_768, "Qwen 2.5, QwQ", "LitGPT 2685705" }

    /// Qwen 2.5 beyond 32768 positions. Source: Qwen's documentation.
    Qwen2_5Yarn = "qwen2_5_yarn" { 128, |rope| rope.base(1e6).scaling(Scaling::yarn(4.0, 32_768)), 131_072, "Qwen 2.5 beyond 32768 positions", "Qwen's documentation" }

    /// Qwen 3. Source: `LitGPT` 2685705.
    ///
    /// The models of July 2025 have another base: `qwen3_2507`.
    Qwen3 = "qwen3" { 128, |rope| rope.base(1e6), 40_960, "Qwen 3", "LitGPT 2685705" }

    /// Qwen 3 2507. Source: `LitGPT` 2685705.
    ///
    /// One model of that series has base 10000000.
    Qwen3_2507 = "qwen3_2507" { 128, |rope| rope.base(5e6), 262_144, "Qwen 3 2507", "LitGPT 2685705" }

    /// Qwen2-VL. Source: transformers 5.23 `Qwen2VLConfig`.
    ///
    /// One cache for three axes, whose pairs are 16, 24 and 24.
    Qwen2Vl = "qwen2_vl" { 128, |rope| rope.base(1e6), 32_768, "Qwen2-VL", "transformers 5.23 `Qwen2VLConfig`" }

    /// Qwen2.5-VL. Source: transformers 5.23 `Qwen2_5_VLConfig`.
    ///
    /// One cache for three axes, whose pairs are 16, 24 and 24.
    Qwen2_5Vl = "qwen2_5_vl" { 128, |rope| rope.base(1e6), 32_768, "Qwen2.5-VL", "transformers 5.23 `Qwen2_5_VLConfig`" }

    /// Qwen3-VL. Source: its config.json, quoted in several repositories.
    ///
    /// One cache for three axes, whose 24, 20 and 20 pairs alternate.
    Qwen3Vl = "qwen3_vl" { 128, |rope| rope.base(5e6), 262_144, "Qwen3-VL", "its config.json, quoted in several repositories" }

    /// Gemma. Source: transformers 5.23 `GemmaConfig`.
    Gemma = "gemma" { 256, |rope| rope, 8192, "Gemma", "transformers 5.23 `GemmaConfig`" }

    /// Gemma 2. Source: transformers 5.23 `Gemma2Config`.
    Gemma2 = "gemma2" { 256, |rope| rope, 8192, "Gemma 2", "transformers 5.23 `Gemma2Config`" }

    /// Gemma 3 4B to 27B, global layers. Source: `LitGPT` 2685705.
    ///
    /// The 1B model has no scaling, and heads of the 27B model have 128 columns.
    Gemma3Global = "gemma3_global" { 256, |rope| rope.base(1e6).scaling(Scaling::linear(8.0)), 131_072, "global layers of Gemma 3 4B to 27B", "LitGPT 2685705" }

    /// Gemma 3 and 3n, local layers. Source: transformers 5.23 `Gemma3TextConfig`, `LitGPT` 2685705.
    Gemma3Local = "gemma3_local" { 256, |rope| rope, 131_072, "local layers of Gemma 3 and 3n", "transformers 5.23 `Gemma3TextConfig`, LitGPT 2685705" }

    /// Gemma 4, global layers. Source: transformers 5.23 `Gemma4TextConfig`.
    ///
    /// The number of rows is not from a file of the model.
    Gemma4Global = "gemma4_global" { 512, |rope| rope.base(1e6).scaling(Scaling::proportional(0.25)), 262_144, "global layers of Gemma 4", "transformers 5.23 `Gemma4TextConfig`" }

    /// Phi-2. Source: `LitGPT` 2685705.
    Phi2 = "phi2" { 80, |rope| rope.rotary_dim(32), 2048, "Phi-2", "LitGPT 2685705" }

    /// Phi-3 mini 4k. Source: transformers 5.23 `Phi3Config`, `LitGPT` 2685705.
    Phi3Mini4k = "phi3_mini_4k" { 96, |rope| rope, 4096, "Phi-3 mini 4k", "transformers 5.23 `Phi3Config`, LitGPT 2685705" }

    /// Phi-3.5 mini up to 4096 positions. Source: its config.json, quoted in several repositories.
    Phi3_5MiniShort = "phi3_5_mini_short" { 96, |rope| rope.scaling(Scaling::longrope(&PHI3_5_SHORT, 32.0, 4096)), 4096, "Phi-3.5 mini up to 4096 positions", "its config.json, quoted in several repositories" }

    /// Phi-3.5 mini beyond 4096 positions. Source: its config.json, quoted in several repositories.
    Phi3_5MiniLong = "phi3_5_mini_long" { 96, |rope| rope.scaling(Scaling::longrope(&PHI3_5_LONG, 32.0, 4096)), 131_072, "Phi-3.5 mini beyond 4096 positions", "its config.json, quoted in several repositories" }

    /// Phi-4 14B. Source: `LitGPT` 2685705.
    Phi4 = "phi4" { 128, |rope| rope.base(250_000.0), 16_384, "Phi-4 14B", "LitGPT 2685705" }

    /// Phi-4 reasoning. Source: `LitGPT` 2685705.
    Phi4Reasoning = "phi4_reasoning" { 128, |rope| rope.base(500_000.0), 32_768, "Phi-4 reasoning", "LitGPT 2685705" }

    /// `DeepSeek` V2 and V2 Lite. Source: its config.json, quoted in several repositories.
    ///
    /// The attention factor is 1; the model scales its softmax instead.
    DeepSeekV2 = "deepseek_v2" { 64, |rope| rope.scaling(Scaling::Yarn(Yarn { mscale: 0.707, mscale_all_dim: 0.707, ..Yarn::new(40.0, 4096) })), 163_840, "DeepSeek V2 and V2 Lite", "its config.json, quoted in several repositories" }

    /// `DeepSeek` V3 and R1. Source: its config.json, quoted in several repositories.
    ///
    /// The attention factor is 1; the model scales its softmax instead.
    DeepSeekV3 = "deepseek_v3" { 64, |rope| rope.scaling(Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(40.0, 4096) })), 163_840, "DeepSeek V3 and R1", "its config.json, quoted in several repositories" }

    /// gpt-oss 20B and 120B. Source: transformers 5.23 `GptOssConfig`, gpt-oss 7b58334.
    GptOss = "gpt_oss" { 64, |rope| rope.base(150_000.0).scaling(Scaling::Yarn(Yarn { truncate: false, ..Yarn::new(32.0, 4096) })), 131_072, "gpt-oss 20B and 120B", "transformers 5.23 `GptOssConfig`, gpt-oss 7b58334" }

    /// GPT-`NeoX` 20B. Source: transformers 5.23 `GPTNeoXConfig`.
    GptNeox20b = "gpt_neox_20b" { 96, |rope| rope.rotary_dim(24), 2048, "GPT-NeoX 20B", "transformers 5.23 `GPTNeoXConfig`" }

    /// GPT-J. Source: transformers 5.23 `GPTJConfig`.
    ///
    /// Its own cache has the sines first: `packing = sin_cos`.
    GptJ = "gpt_j" { 256, |rope| rope.rotary_dim(64), 2048, "GPT-J", "transformers 5.23 `GPTJConfig`" }

    /// Falcon 7B. Source: transformers 5.23 `FalconConfig`, `LitGPT` 2685705.
    Falcon = "falcon" { 64, |rope| rope, 2048, "Falcon 7B", "transformers 5.23 `FalconConfig`, LitGPT 2685705" }

    /// Falcon 3. Source: `LitGPT` 2685705.
    Falcon3 = "falcon3" { 256, |rope| rope.base(1_000_042.0), 32_768, "Falcon 3", "LitGPT 2685705" }

    /// Yi. Source: candle 2a13b0f `yi.rs`.
    Yi = "yi" { 128, |rope| rope.base(5e6), 4096, "Yi", "candle 2a13b0f `yi.rs`" }

    /// GLM-4 9B. Source: its config.json (`rope_ratio` 500), quoted in several repositories.
    ///
    /// transformers' class has another default, 10000.
    Glm4_9b = "glm4_9b" { 128, |rope| rope.rotary_dim(64).base(5e6), 131_072, "GLM-4 9B", "its config.json (`rope_ratio` 500), quoted in several repositories" }

    /// `OLMo`. Source: transformers 5.23 `OlmoConfig`.
    Olmo = "olmo" { 128, |rope| rope, 2048, "OLMo", "transformers 5.23 `OlmoConfig`" }

    /// `OLMo` 2. Source: `LitGPT` 2685705.
    Olmo2 = "olmo2" { 128, |rope| rope.base(500_000.0), 4096, "OLMo 2", "LitGPT 2685705" }

    /// Command R. Source: its config.json, quoted in several repositories.
    ///
    /// transformers' class has another default, 500000. Its cache repeats pairs: `repeat = pairs`.
    CommandR = "command_r" { 128, |rope| rope.base(8e6), 131_072, "Command R", "its config.json, quoted in several repositories" }

    /// `ModernBERT`, global layers. Source: transformers 5.23 `ModernBertConfig`.
    ModernBertGlobal = "modernbert_global" { 64, |rope| rope.base(160_000.0), 8192, "global layers of ModernBERT", "transformers 5.23 `ModernBertConfig`" }

    /// `ModernBERT`, local layers. Source: transformers 5.23 `ModernBertConfig`.
    ModernBertLocal = "modernbert_local" { 64, |rope| rope, 8192, "local layers of ModernBERT", "transformers 5.23 `ModernBertConfig`" }

    /// Apertus. Source: transformers 5.23 `ApertusConfig`.
    Apertus = "apertus" { 128, |rope| rope.base(1.2e7).scaling(Scaling::llama3(8.0, 8192)), 65_536, "Apertus", "transformers 5.23 `ApertusConfig`" }

    /// `HunYuan` dense. Source: transformers 5.23 `ntk_alpha`, mistral.rs 9e92262.
    HunYuanDense = "hunyuan_dense" { 128, |rope| rope.scaling(Scaling::ntk(1000.0)), 32_768, "HunYuan dense", "transformers 5.23 `ntk_alpha`, mistral.rs 9e92262" }

    /// `SmolLM2` 1.7B. Source: `LitGPT` 2685705.
    SmolLm2 = "smollm2" { 64, |rope| rope.base(130_000.0), 8192, "SmolLM2 1.7B", "LitGPT 2685705" }
}
