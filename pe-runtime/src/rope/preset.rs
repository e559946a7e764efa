//! The rotary caches of known models by name, each with its source.

use crate::rope::Rope;
use crate::rope::factors::{PHI3_5_LONG, PHI3_5_SHORT};
use crate::spec::scaling::{Llama3, Scaling, Yarn};

presets! {
    /// The rotary cache of a known model, as parameters.
    ///
    /// A preset describes the mathematical table. The model's own table is computed in `f32`: for Llama 3.1 in candle,
    /// entries are off by up to 5.8e-4 within 8192 positions. A name alone can mislead: models of one family differ in
    /// base and scaling rule, so each preset names the source from which it was read.
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
    #[allow(non_camel_case_types, clippy::doc_markdown, reason = "the names of the models")]
    RopePreset(rope: Rope<'static>) {
        Llama2 = "llama2" | "llama" {
            rope: Rope::new(128),
            models: "LLaMA 1 and 2" from "transformers 5.23 `LlamaConfig`, LitGPT 2685705", rows: 4096
        }
        CodeLlama = "codellama" {
            rope: Rope::new(128).base(1e6), models: "Code Llama" from "LitGPT 2685705", rows: 16_384
        }
        Llama3 = "llama3" {
            rope: Rope::new(128).base(500_000.0),
            models: "Llama 3 8B and 70B" from "LitGPT 2685705, llama-models a9c89c4", rows: 8192
        }
        Llama3_1 = "llama3_1" | "llama3_3" | "llama_3_1" | "llama31" {
            rope: Rope::new(128).base(500_000.0).scaling(Scaling::llama3(8.0, 8192)),
            models: "Llama 3.1 and 3.3" from "llama-models a9c89c4 `apply_scaling`, LitGPT 2685705", rows: 131_072
        }
        Llama3_2_1B = "llama3_2_1b" {
            rope: Rope::new(64).base(500_000.0).scaling(Scaling::llama3(32.0, 8192)),
            models: "Llama 3.2 1B" from "LitGPT 2685705", rows: 131_072
        }
        Llama3_2_3B = "llama3_2_3b" {
            rope: Rope::new(128).base(500_000.0).scaling(Scaling::llama3(32.0, 8192)),
            models: "Llama 3.2 3B" from "LitGPT 2685705", rows: 131_072
        }
        /// Both frequency factors are 1, so the rule is a step. The reference code keeps complex numbers, and rotates
        /// adjacent pairs.
        Llama4Scout = "llama4_scout" {
            rope: Rope::new(128).base(500_000.0).scaling(Scaling::Llama3(Llama3 { high_freq_factor: 1.0, ..Llama3::new(16.0, 8192) })),
            models: "Llama 4 Scout" from "llama-models a9c89c4 `args.py`", rows: 10_485_760
        }
        /// Only Scout's frequencies are scaled. The number of rows does not come from a file of the model.
        Llama4Maverick = "llama4_maverick" {
            rope: Rope::new(128).base(500_000.0),
            models: "Llama 4 Maverick" from "llama-models a9c89c4", rows: 1_048_576
        }
        /// Later versions have base 1,000,000: `mistral`.
        Mistral7bV0_1 = "mistral_7b_v0_1" {
            rope: Rope::new(128),
            models: "Mistral 7B v0.1" from "transformers 5.23 `MistralConfig`, LitGPT 2685705", rows: 32_768
        }
        Mistral = "mistral" {
            rope: Rope::new(128).base(1e6), models: "Mistral 7B v0.2 and later" from "LitGPT 2685705", rows: 32_768
        }
        Mixtral = "mixtral" {
            rope: Rope::new(128).base(1e6),
            models: "Mixtral 8x7B" from "transformers 5.23 `MixtralConfig`, LitGPT 2685705", rows: 32_768
        }
        /// The model also scales queries by their position, which is not part of the cache.
        Ministral3 = "ministral3" {
            rope: Rope::new(128).base(1e6).scaling(Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(16.0, 16_384) })),
            models: "Ministral 3" from "transformers 5.23 `Ministral3Config`", rows: 262_144
        }
        /// The 0.5B model has heads of 64 columns. Qwen2.5-Math has base 10,000.
        Qwen2 = "qwen2" { rope: Rope::new(128).base(1e6), models: "Qwen 2" from "LitGPT 2685705", rows: 32_768 }
        /// Qwen2.5-Math has base 10,000, and Qwen2.5-1M has base 10,000,000.
        Qwen2_5 = "qwen2_5" | "qwq" {
            rope: Rope::new(128).base(1e6), models: "Qwen 2.5, QwQ" from "LitGPT 2685705", rows: 32_768
        }
        Qwen2_5Yarn = "qwen2_5_yarn" {
            rope: Rope::new(128).base(1e6).scaling(Scaling::yarn(4.0, 32_768)),
            models: "Qwen 2.5 beyond 32768 positions" from "Qwen's documentation", rows: 131_072
        }
        /// The models of July 2025 have another base: `qwen3_2507`.
        Qwen3 = "qwen3" { rope: Rope::new(128).base(1e6), models: "Qwen 3" from "LitGPT 2685705", rows: 40_960 }
        /// One model of this series has base 10,000,000.
        Qwen3_2507 = "qwen3_2507" {
            rope: Rope::new(128).base(5e6), models: "Qwen 3 2507" from "LitGPT 2685705", rows: 262_144
        }
        /// Three axes share one cache, with 16, 24 and 24 pairs.
        Qwen2Vl = "qwen2_vl" {
            rope: Rope::new(128).base(1e6), models: "Qwen2-VL" from "transformers 5.23 `Qwen2VLConfig`", rows: 32_768
        }
        /// Three axes share one cache, with 16, 24 and 24 pairs.
        Qwen2_5Vl = "qwen2_5_vl" | "qwen2_5_omni" {
            rope: Rope::new(128).base(1e6),
            models: "Qwen2.5-VL" from "transformers 5.23 `Qwen2_5_VLConfig`", rows: 32_768
        }
        /// Three axes share one cache, with 24, 20 and 20 pairs that alternate.
        Qwen3Vl = "qwen3_vl" {
            rope: Rope::new(128).base(5e6),
            models: "Qwen3-VL" from "its config.json, quoted in several repositories", rows: 262_144
        }
        Gemma = "gemma" { rope: Rope::new(256), models: "Gemma" from "transformers 5.23 `GemmaConfig`", rows: 8192 }
        Gemma2 = "gemma2" {
            rope: Rope::new(256), models: "Gemma 2" from "transformers 5.23 `Gemma2Config`", rows: 8192
        }
        /// The 1B model has no scaling, and heads of the 27B model have 128 columns.
        Gemma3Global = "gemma3_global" {
            rope: Rope::new(256).base(1e6).scaling(Scaling::linear(8.0)),
            models: "global layers of Gemma 3 4B to 27B" from "LitGPT 2685705", rows: 131_072
        }
        Gemma3Local = "gemma3_local" {
            rope: Rope::new(256),
            models: "local layers of Gemma 3 and 3n" from "transformers 5.23 `Gemma3TextConfig`, LitGPT 2685705", rows: 131_072
        }
        /// The number of rows does not come from a file of the model.
        Gemma4Global = "gemma4_global" {
            rope: Rope::new(512).base(1e6).scaling(Scaling::proportional(0.25)),
            models: "global layers of Gemma 4" from "transformers 5.23 `Gemma4TextConfig`", rows: 262_144
        }
        Phi2 = "phi2" { rope: Rope::new(80).rotary_dim(32), models: "Phi-2" from "LitGPT 2685705", rows: 2048 }
        Phi3Mini4k = "phi3_mini_4k" | "phi3" {
            rope: Rope::new(96),
            models: "Phi-3 mini 4k" from "transformers 5.23 `Phi3Config`, LitGPT 2685705", rows: 4096
        }
        Phi3_5MiniShort = "phi3_5_mini_short" {
            rope: Rope::new(96).scaling(Scaling::longrope(&PHI3_5_SHORT, 32.0, 4096)),
            models: "Phi-3.5 mini up to 4096 positions" from "its config.json, quoted in several repositories", rows: 4096
        }
        Phi3_5MiniLong = "phi3_5_mini_long" {
            rope: Rope::new(96).scaling(Scaling::longrope(&PHI3_5_LONG, 32.0, 4096)),
            models: "Phi-3.5 mini beyond 4096 positions" from "its config.json, quoted in several repositories", rows: 131_072
        }
        Phi4 = "phi4" { rope: Rope::new(128).base(250_000.0), models: "Phi-4 14B" from "LitGPT 2685705", rows: 16_384 }
        Phi4Reasoning = "phi4_reasoning" {
            rope: Rope::new(128).base(500_000.0), models: "Phi-4 reasoning" from "LitGPT 2685705", rows: 32_768
        }
        /// The attention factor is 1; the model scales its softmax instead.
        DeepSeekV2 = "deepseek_v2" {
            rope: Rope::new(64).scaling(Scaling::Yarn(Yarn { mscale: 0.707, mscale_all_dim: 0.707, ..Yarn::new(40.0, 4096) })),
            models: "DeepSeek V2 and V2 Lite" from "its config.json, quoted in several repositories", rows: 163_840
        }
        /// The attention factor is 1; the model scales its softmax instead.
        DeepSeekV3 = "deepseek_v3" | "deepseek_r1" {
            rope: Rope::new(64).scaling(Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(40.0, 4096) })),
            models: "DeepSeek V3 and R1" from "its config.json, quoted in several repositories", rows: 163_840
        }
        GptOss = "gpt_oss" {
            rope: Rope::new(64).base(150_000.0).scaling(Scaling::Yarn(Yarn { truncate: false, ..Yarn::new(32.0, 4096) })),
            models: "gpt-oss 20B and 120B" from "transformers 5.23 `GptOssConfig`, gpt-oss 7b58334", rows: 131_072
        }
        GptNeox20b = "gpt_neox_20b" | "gpt_neox" {
            rope: Rope::new(96).rotary_dim(24),
            models: "GPT-NeoX 20B" from "transformers 5.23 `GPTNeoXConfig`", rows: 2048
        }
        /// Its own cache has the sines first: `packing = sin_cos`.
        GptJ = "gpt_j" | "gptj" {
            rope: Rope::new(256).rotary_dim(64), models: "GPT-J" from "transformers 5.23 `GPTJConfig`", rows: 2048
        }
        Falcon = "falcon" {
            rope: Rope::new(64), models: "Falcon 7B" from "transformers 5.23 `FalconConfig`, LitGPT 2685705", rows: 2048
        }
        Falcon3 = "falcon3" {
            rope: Rope::new(256).base(1_000_042.0), models: "Falcon 3" from "LitGPT 2685705", rows: 32_768
        }
        Yi = "yi" { rope: Rope::new(128).base(5e6), models: "Yi" from "candle 2a13b0f `yi.rs`", rows: 4096 }
        /// The class in transformers has another default base, 10,000, and so does the model that is not the chat model.
        Glm4_9b = "glm4_9b" {
            rope: Rope::new(128).rotary_dim(64).base(5e6),
            models: "GLM-4 9B Chat" from "its config.json (`rope_ratio` 500), quoted in several repositories", rows: 131_072
        }
        Olmo = "olmo" { rope: Rope::new(128), models: "OLMo" from "transformers 5.23 `OlmoConfig`", rows: 2048 }
        Olmo2 = "olmo2" { rope: Rope::new(128).base(500_000.0), models: "OLMo 2" from "LitGPT 2685705", rows: 4096 }
        /// The class in transformers has another default base, 500,000. Its cache repeats pairs: `repeat = pairs`.
        CommandR = "command_r" {
            rope: Rope::new(128).base(8e6),
            models: "Command R" from "its config.json, quoted in several repositories", rows: 131_072
        }
        ModernBertGlobal = "modernbert_global" {
            rope: Rope::new(64).base(160_000.0),
            models: "global layers of ModernBERT" from "transformers 5.23 `ModernBertConfig`", rows: 8192
        }
        ModernBertLocal = "modernbert_local" {
            rope: Rope::new(64),
            models: "local layers of ModernBERT" from "transformers 5.23 `ModernBertConfig`", rows: 8192
        }
        Apertus = "apertus" {
            rope: Rope::new(128).base(1.2e7).scaling(Scaling::llama3(8.0, 8192)),
            models: "Apertus" from "transformers 5.23 `ApertusConfig`", rows: 65_536
        }
        HunYuanDense = "hunyuan_dense" {
            rope: Rope::new(128).scaling(Scaling::ntk(1000.0)),
            models: "HunYuan dense" from "transformers 5.23 `ntk_alpha`, mistral.rs 9e92262", rows: 32_768
        }
        SmolLm2 = "smollm2" {
            rope: Rope::new(64).base(130_000.0), models: "SmolLM2 1.7B" from "LitGPT 2685705", rows: 8192
        }
    }

    elsewhere {
        "gemma3" [Gemma3Global, Gemma3Local] => "`gemma3_global` and `gemma3_local`";
        "gemma4" [Gemma4Global] => "`gemma4_global`";
        "modernbert" [ModernBertGlobal, ModernBertLocal] => "`modernbert_global` and `modernbert_local`";
        "phi3_5_mini" [Phi3_5MiniShort, Phi3_5MiniLong] => "`phi3_5_mini_short` or `phi3_5_mini_long`";
    }
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

impl RopePreset {
    /// Returns the number of positions for which the model is made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopePreset;
    /// assert_eq!(RopePreset::Llama3_1.max_position_embeddings(), 131_072);
    /// ```
    #[must_use]
    pub const fn max_position_embeddings(self) -> usize {
        self.facts().rows
    }

    /// Returns the source from which the parameters were read.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopePreset;
    /// assert_eq!(RopePreset::Yi.source(), "candle 2a13b0f `yi.rs`");
    /// ```
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.facts().source
    }
}
