//! The names of checkpoints.

use posenc::reflection::Names;

use crate::spelling::{letters, respelled};

/// What the name of a checkpoint begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Checkpoint {
    /// A name of which a preset covers every word.
    Covered(&'static str),
    /// A name, and words that it does not cover: another version may have another table.
    Begins(&'static str),
}

impl Checkpoint {
    /// Returns the name with which a checkpoint such as `openai/whisper-tiny` begins, in whole words, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::RopePreset;
    /// use posenc::reflection::Named;
    /// use posenc_text::checkpoints::Checkpoint;
    ///
    /// let of = |text| Checkpoint::of(RopePreset::NAMES, text);
    /// assert_eq!(of("meta-llama/Llama-3.1-8B-Instruct"), Some(Checkpoint::Covered("llama3_1")));
    /// assert_eq!(of("Qwen/Qwen3-4B-Instruct-2507"), Some(Checkpoint::Covered("qwen3_2507")));
    /// assert_eq!(of("deepseek-ai/DeepSeek-R1-Distill-Llama-8B"), Some(Checkpoint::Begins("deepseek_r1")));
    /// assert_eq!(of("meta-llama/Llama-5-8B"), None);
    /// ```
    #[must_use]
    pub fn of(names: &'static Names, text: &str) -> Option<Self> {
        let words = words(text.rsplit('/').next()?);
        let plain: Vec<_> = words.iter().map(String::as_str).filter(|word| !WITHOUT_EFFECT.contains(word)).collect();
        let beginning = |count: &usize| respelled(names, &plain[..*count].concat());
        let covered = (1..=plain.len()).rev().find_map(|count| {
            let name = beginning(&count)?;
            plain[count..].iter().all(|word| covers(names, name, word)).then_some(name)
        });
        // The words of some names are among others: qwen3_2507.
        let (sizes, others): (Vec<&str>, Vec<&str>) = plain.iter().copied().partition(|word| is_size(word));
        let among =
            || respelled(names, &others.concat()).filter(|name| sizes.iter().all(|size| covers(names, name, size)));
        if let Some(name) = covered.or_else(among).filter(|name| has_needed(name, &words)) {
            return Some(Self::Covered(name));
        }
        let (count, name) = (1..=plain.len()).rev().find_map(|count| Some((count, beginning(&count)?)))?;
        // A number is another generation.
        let is_number = |next: &&str| {
            next.starts_with(|c: char| c.is_ascii_digit()) && !is_size(next) && !covers(names, name, next)
        };
        (!plain.get(count).is_some_and(is_number)).then_some(Self::Begins(name))
    }
}

/// Returns the words of a name in lower case. A dot between digits does not end a word.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<_> = text.chars().flat_map(char::to_lowercase).collect();
    let is_digit = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(char::is_ascii_digit);
    let mut words = vec![String::new()];
    for (i, c) in chars.iter().enumerate() {
        let is_dot = *c == '.' && is_digit(i.checked_sub(1)) && is_digit(i.checked_add(1));
        match c {
            '-' | '_' | ' ' | '.' if !is_dot => words.push(String::new()),
            c => words.last_mut().expect("it has a word").push(*c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether a word is a number of parameters.
fn is_size(word: &str) -> bool {
    let number = word.strip_suffix(['b', 'm']).map(|number| number.strip_prefix('a').unwrap_or(number));
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Words for how a model was trained further, or how its weights are stored, which does not change its positions.
#[rustfmt::skip]
const WITHOUT_EFFECT: [&str; 17] = [
    "awq", "base", "bf16", "chat", "dpo", "fp16", "fp8", "gguf", "gptq", "hf", "instruct", "int4", "int8", "it",
    "preview", "sft", "thinking",
];

/// Returns whether the preset of a name covers the checkpoints with this word.
fn covers(names: &'static Names, name: &str, word: &str) -> bool {
    let elsewhere = names.elsewhere.iter().find(|(elsewhere, _)| *elsewhere == name);
    let preset = elsewhere.and_then(|(_, here)| here.split('`').nth(1)).unwrap_or(name);
    let found = COVERED.iter().find(|(covered, _)| *covered == preset);
    found.is_some_and(|(_, covered)| covered.split(' ').any(|covered| letters(covered) == letters(word)))
}

/// The presets that cover a checkpoint only if its name has one of these words.
const NEEDED: [(&str, &[&str]); 2] = [("glm4_9b", &["chat"]), ("mistral", &["v0.2", "v0.3"])];

/// Returns whether the name of a checkpoint has a word that the preset of its name needs, if it needs one.
fn has_needed(name: &str, words: &[String]) -> bool {
    let needed = NEEDED.iter().find(|(preset, _)| *preset == name);
    needed.is_none_or(|(_, needed)| words.iter().any(|word| needed.contains(&&word[..])))
}

/// The words of checkpoints with the table of a preset, beside its name.
///
/// Sources: `LitGPT` 2685705 for the language models, and the names of the checkpoints of the classes in transformers 5.24
/// and diffusers 0.42.1 for the others, whose tables depend on the class alone.
const COVERED: &[(&str, &str)] = &[
    ("adm", "v1 v1.5 2.1 xl 1.0"),
    ("codellama", "7b 13b 34b python"),
    ("cogvideox", "2b"),
    ("cogvideox_5b", "i2v"),
    ("deepseek_v2", "lite"),
    ("deepseek_v3", "0324 0528 zero"),
    ("dinov3", "vits16 vits16plus vitb16 vitl16 vith16plus vit7b16 pretrain lvd1689m sat493m"),
    ("fairseq", "418m 1.2b 600m 1.3b 3.3b 54b 200 distilled small medium large"),
    ("falcon", "7b 40b 180b"),
    ("falcon3", "1b 3b 7b 10b"),
    ("flux", "1 dev schnell"),
    ("flux2", "dev"),
    ("gemma", "2b 7b"),
    ("gemma2", "2b 9b"),
    ("gemma3_global", "4b 12b"),
    ("gemma3_local", "1b 4b 12b"),
    ("gpt_j", "6b"),
    ("gpt_oss", "20b 120b"),
    ("llama2", "7b 13b 30b 65b 70b"),
    ("llama3", "8b 70b"),
    ("llama3_1", "8b 70b 405b"),
    ("llama4_maverick", "17b 128e"),
    ("llama4_scout", "17b 16e"),
    ("mae", "large huge"),
    ("mistral", "7b v0.2 v0.3"),
    ("mixtral", "8x7b 8x22b v0.1"),
    ("musicgen", "small medium large melody stereo"),
    ("olmo", "1b 7b"),
    ("olmo2", "1124 7b 13b"),
    ("phi4_reasoning", "plus"),
    ("pixart", "alpha sigma xl 2 256 512 1024 ms"),
    ("qwen2", "1.5b 7b 72b"),
    ("qwen2_5", "1.5b 3b 7b 14b 32b 72b coder"),
    ("qwen2_5_vl", "3b 7b 32b 72b"),
    ("qwen2_vl", "2b 7b 72b"),
    ("qwen3", "0.6b 1.7b 4b 8b 14b 32b 30b a3b 235b a22b"),
    ("qwen3_2507", "4b 235b a22b"),
    ("qwen3_vl", "2b 4b 8b 32b 30b a3b 235b a22b"),
    ("sd3", "medium large turbo"),
    ("smollm2", "1.7b"),
    ("whisper", "tiny small medium large v2 v3 turbo en"),
    ("yi", "6b 34b"),
];

#[cfg(test)]
mod tests {
    use posenc::reflection::{KnownTables, Named};
    use posenc::{AxialPreset, GridPreset, Preset, RopePreset};

    use super::*;

    /// The answers of `LitGPT` 2685705, of the classes, and of the configurations beside the checkpoints.
    #[test]
    fn checkpoints_are_of_a_preset_if_it_covers_every_word() {
        for (text, preset) in [
            ("tiiuae/falcon-7b-instruct", "falcon"),
            ("tiiuae/Falcon3-1B-Base", "falcon3"),
            ("meta-llama/Llama-2-7b-chat-hf", "llama2"),
            ("meta-llama/Llama-3.1-8B-Instruct", "llama3_1"),
            ("meta-llama/Llama-3.2-1B", "llama3_2_1b"),
            ("meta-llama/Llama-3.3-70B-Instruct", "llama3_3"),
            ("meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama4_scout"),
            ("mistralai/Mistral-7B-Instruct-v0.1", "mistral_7b_v0_1"),
            ("mistralai/Mistral-7B-Instruct-v0.3", "mistral"),
            ("mistralai/Mixtral-8x22B-v0.1", "mixtral"),
            ("allenai/OLMo-2-1124-7B-SFT", "olmo2"),
            ("google/gemma-2-9b-it", "gemma2"),
            ("google/gemma-3-4b-it", "gemma3"),
            ("microsoft/Phi-3-mini-4k-instruct", "phi3_mini_4k"),
            ("microsoft/Phi-4-reasoning-plus", "phi4_reasoning"),
            ("Qwen/Qwen2.5-Coder-7B-Instruct", "qwen2_5"),
            ("Qwen/QwQ-32B-Preview", "qwq"),
            ("THUDM/glm-4-9b-chat", "glm4_9b"),
            ("Qwen/Qwen3-30B-A3B-Base", "qwen3"),
            ("Qwen/Qwen3-235B-A22B-Thinking-2507", "qwen3_2507"),
            ("HuggingFaceTB/SmolLM2-1.7B-Instruct", "smollm2"),
            ("deepseek-ai/DeepSeek-R1-0528", "deepseek_r1"),
            ("openai/gpt-oss-20b", "gpt_oss"),
            ("EleutherAI/gpt-neox-20b", "gpt_neox_20b"),
        ] {
            assert_eq!(Checkpoint::of(RopePreset::NAMES, text), Some(Checkpoint::Covered(preset)), "{text}");
        }
        for (text, name) in [
            ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek_r1"),
            ("togethercomputer/LLaMA-2-7B-32K", "llama2"),
            ("microsoft/Phi-4-mini-instruct", "phi4"),
            ("microsoft/Phi-3-mini-128k-instruct", "phi3"),
            ("google/gemma-3-1b-it", "gemma3"),
            ("codellama/CodeLlama-70b-Instruct-hf", "codellama"),
            ("THUDM/glm-4-9b", "glm4_9b"),
            ("mistral-7b-instruct", "mistral"),
            ("google/gemma-2-27b", "gemma2"),
            ("Qwen/Qwen2-0.5B", "qwen2"),
            ("Qwen/Qwen2.5-Math-7B", "qwen2_5"),
            ("Qwen/Qwen2.5-7B-Instruct-1M", "qwen2_5"),
            ("Qwen/Qwen3-Next-80B-A3B-Instruct", "qwen3"),
            ("Qwen/Qwen3-Coder-480B-A35B-Instruct", "qwen3"),
            ("Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3"),
            ("HuggingFaceTB/SmolLM2-360M", "smollm2"),
            ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", "mistral"),
            ("tiiuae/falcon-mamba-7b", "falcon"),
            ("tiiuae/falcon-rw-1b", "falcon"),
        ] {
            assert_eq!(Checkpoint::of(RopePreset::NAMES, text), Some(Checkpoint::Begins(name)), "{text}");
        }
        for text in [
            "meta-llama/Llama-3.2-11B-Vision",
            "Qwen/Qwen3.5-27B",
            "allenai/Olmo-3-7B",
            "google/gemma-3n-E2B",
            "CohereForAI/command-r-08-2024",
        ] {
            assert_eq!(Checkpoint::of(RopePreset::NAMES, text), None, "{text}");
        }
        let covered = |names, text| match Checkpoint::of(names, text) {
            Some(Checkpoint::Covered(name)) => Some(name),
            _ => None,
        };
        assert_eq!(covered(Preset::NAMES, "openai/whisper-large-v3-turbo"), Some("whisper"));
        assert_eq!(covered(Preset::NAMES, "openai/whisper-tiny.en"), Some("whisper"));
        assert_eq!(covered(GridPreset::NAMES, "facebook/vit-mae-base"), Some("vit_mae"));
        assert_eq!(covered(AxialPreset::NAMES, "black-forest-labs/FLUX.1-dev"), Some("flux"));
        assert_eq!(covered(AxialPreset::NAMES, "black-forest-labs/FLUX.2-dev"), Some("flux2"));
        assert_eq!(covered(AxialPreset::NAMES, "facebook/dinov2-base"), None);
    }

    #[test]
    fn covered_presets_exist() {
        let kinds = [Preset::NAMES, RopePreset::NAMES, GridPreset::NAMES, AxialPreset::NAMES];
        for (preset, _) in COVERED {
            assert!(kinds.iter().any(|names| names.all.contains(preset)), "{preset}");
        }
        assert!(COVERED.is_sorted());
        let called = RopePreset::FACTS.iter().flat_map(|facts| facts.called);
        assert!(called.into_iter().all(|name| !WITHOUT_EFFECT.contains(name)));
    }
}
