//! The keys of a config that may change a table and that its reader does not understand.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::rope::config::json::is_rule;
use crate::rope::config::not_rotary::OF_ROTARY;
use crate::rope::config::parts::part;

/// A key that may change a table, by its path in the config, and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unread {
    pub(crate) path: String,
    value: String,
}

/// Returns the error sentence for keys that are not understood, or for a key that there is no reason to ignore.
pub(crate) fn not_understood(unread: &[Unread], ignored: &[String]) -> Option<String> {
    if let Some(key) = ignored.iter().find(|key| unread.iter().all(|unread| unread.path != **key)) {
        return Some(format!("the config has no key `{key}` that is not understood; do not ignore it"));
    }
    let left: Vec<_> = unread.iter().filter(|unread| !ignored.contains(&unread.path)).collect();
    let keys: Vec<_> = left.iter().map(|Unread { path, value }| format!("`{path}` {value}")).collect();
    let (verb, them) = if let [_] = left[..] { ("is", "it") } else { ("are", "them") };
    (!left.is_empty()).then(|| {
        format!(
            "the config has {}, which may change the table and {verb} not understood; ignore {them} with `ignore_key` or \
             --ignore-key if the table does not depend on {them}",
            keys.join(", ")
        )
    })
}

/// Returns the keys of the config of a language model that may change its table, apart from those that are read.
pub(super) fn of_text(config: &Value) -> Vec<Unread> {
    let mut found = Found { read: &[&OF_ROTARY, &READ], unread: Vec::new() };
    let mut path = String::new();
    let mut whole = config;
    // The keys beside a language model are other parts, and copies of its own keys.
    while let Some((key, model)) = part(whole) {
        for (key, value) in whole.as_object().into_iter().flatten() {
            if innermost(model).get(key.as_str()) != Some(value) {
                found.add(&path, key, value);
            }
        }
        path = format!("{path}{key}.");
        whole = model;
    }
    found.add_all(&path, whole);
    found.unread
}

/// Returns the keys of one part of a config that may change its table, apart from those that are read.
pub(crate) fn of_part(config: &Value, read: &[&str]) -> Vec<Unread> {
    let mut found = Found { read: &[read], unread: Vec::new() };
    found.add_all("", config);
    found.unread
}

/// Checks that a config has no key beside those that are read or ignored that may change its table, without its parts.
///
/// # Errors
///
/// Returns the sentence that names such keys, and how to ignore them.
///
/// # Examples
///
/// ```
/// # use posenc::reflection::check_unread_keys;
/// let config = serde_json::json!({ "model_type": "whisper", "d_model": 384, "rope_theta": 1e4 });
/// assert_eq!(
///     check_unread_keys(&config, &["d_model"], &[]).unwrap_err(),
///     "the config has `rope_theta` 10000.0, which may change the table and is not understood; ignore it with \
///      `ignore_key` or --ignore-key if the table does not depend on it",
/// );
/// assert!(check_unread_keys(&config, &["d_model"], &["rope_theta".to_owned()]).is_ok());
/// ```
pub fn check_unread_keys(config: &Value, read: &[&str], ignored: &[String]) -> Result<(), String> {
    let mut found = Found { read: &[read], unread: Vec::new() };
    let keys = config.as_object().into_iter().flatten();
    keys.filter(|(key, _)| !read.contains(&key.as_str())).for_each(|(key, value)| found.add("", key, value));
    not_understood(&found.unread, ignored).map_or(Ok(()), Err)
}

fn innermost(config: &Value) -> &Value {
    part(config).map_or(config, |(_, part)| innermost(part))
}

/// What the names of keys contain that may change a table.
const TELLING: [&str; 17] = [
    "alibi",
    "attn_factor",
    "interpolation_factor",
    "nope",
    "ntk",
    "per_layer",
    "pos_emb",
    "position_embedding",
    "position_encoding",
    "rope",
    "rotary",
    "scaling",
    "swa_",
    "theta",
    "use_mem",
    "wavelength",
    "yarn",
];

/// Whole names of keys that may change a table.
const TELLING_NAMES: [&str; 5] = ["base", "factor", "freq_base", "long_factor", "short_factor"];

/// Further names of the width of a head, which change nothing if they have the value of `head_dim`.
const WIDTHS: [&str; 6] = ["attention_head_size", "attn_head_dim", "d_head", "head_size", "n_rot", "swa_head_dim"];

/// Further names of the share of a head that is rotated, which change nothing if they have the value of
/// `partial_rotary_factor`.
const SHARES: [&str; 4] = ["rope_pct", "rope_percent", "rotary_emb_fraction", "rotary_percentage"];

/// The keys of a language model that are read, or whose values decide whether there is a rotary embedding, beside those
/// of [`OF_ROTARY`].
const READ: [&str; 7] = [
    "attn_rotary_emb",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "position_embedding_type",
    "position_embeddings_type",
    "swa_rope_theta",
    "use_mem_rope",
];

/// The keys of a scaling rule that are read, or that have no effect on the cache that all axes share.
const OF_RULE: [&str; 23] = [
    "alpha",
    "attention_factor",
    "beta_fast",
    "beta_slow",
    "factor",
    "high_freq_factor",
    "long_factor",
    "long_mscale",
    "low_freq_factor",
    "mrope_interleaved",
    "mrope_section",
    "mscale",
    "mscale_all_dim",
    "original_max_position_embeddings",
    "partial_rotary_factor",
    "rope_theta",
    "rope_type",
    "short_factor",
    "short_mscale",
    "truncate",
    "type",
    "xdrope_section",
    "finetuned", // how the rule was chosen
];

/// Parts of the names of keys that do not change a table, although their names are telling.
const WITHOUT_EFFECT: [&str; 24] = [
    "_2d_position",    // learned positions of layouts
    "conv_pos_emb",    // convolutions beside the table
    "heads_per_layer", // the widths of heads are keys of their own
    "interleave",      // the order of the columns of a head when the table is applied
    "llama_4_scaling", // it scales queries
    "log_scaling",     // it scales queries
    "logit_scaling",
    "logits_scaling",
    "loss_scaling",
    "max_position_embeddings", // the lengths of other parts
    "mrope_section",           // which axis turns a pair, when the table is applied
    "num_position_embeddings", // learned positions of images
    "per_layer_input",         // widths of further embeddings
    "position_embedding_size",
    "qk_nope_head_dim", // the columns of a head that are not rotated
    "no_rope_layer",    // which layers apply the table
    "nope_layer",
    "rope_dropout",
    "router_scaling",
    "routed_scaling",
    "swa_attention_sink",
    "swa_num_",       // numbers of heads
    "swa_v_head_dim", // values are not rotated
    "use_mem_eff",
];

/// A value with which a key does not change a table.
#[derive(Clone, Copy)]
enum Neutral {
    False,
    True,
    One,
}

impl Neutral {
    fn is(self, value: &Value) -> bool {
        match self {
            Self::False => *value == Value::Bool(false),
            Self::True => *value == Value::Bool(true),
            Self::One => value.as_f64() == Some(1.0),
        }
    }
}

/// Keys that do not change a table if they have this value.
const WITHOUT_EFFECT_IF: [(&str, Neutral); 22] = [
    ("alibi", Neutral::False),
    ("apply_yarn_scaling", Neutral::True),
    ("attn_factor", Neutral::One),
    ("extrapolation_factor", Neutral::One),
    ("mla_use_nope", Neutral::False),
    ("original_rope", Neutral::True), // which code is used
    ("rope", Neutral::True),
    ("rotary", Neutral::True),
    ("rotary_emb_fraction", Neutral::One),
    ("rotary_scaling_factor", Neutral::One),
    ("rotary_value", Neutral::False), // RoFormer then rotates queries and keys alone
    ("static_position_embeddings", Neutral::True),
    ("use_absolute_position_embeddings", Neutral::False),
    ("use_alibi", Neutral::False),
    ("use_dynamic_ntk", Neutral::False),
    ("use_layer3d_rope", Neutral::False),
    ("use_learned_position_embeddings", Neutral::False),
    ("use_mrope", Neutral::False),
    ("use_relative_position_embeddings", Neutral::False),
    ("use_rope", Neutral::True),
    ("use_rotary_embedding", Neutral::True),
    ("use_scaled_rope", Neutral::False),
];

/// What a `per_layer_config` may set for a layer without changing its table.
const WITHOUT_EFFECT_IN_A_LAYER: [&str; 5] =
    ["intermediate_size", "num_experts", "num_key_value_heads", "num_local_experts", "sliding_window"];

/// Returns whether a key sets nothing.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(keys) => keys.is_empty(),
        _ => false,
    }
}

fn is_telling(key: &str) -> bool {
    let key = key.to_lowercase();
    TELLING.iter().any(|part| key.contains(part)) || TELLING_NAMES.contains(&&key[..]) || WIDTHS.contains(&&key[..])
}

fn has_effect(key: &str, value: &Value) -> bool {
    if key == "per_layer_config" {
        let of_layers = value.as_object().into_iter().flat_map(Map::values);
        let mut keys = of_layers.flat_map(|layer| layer.as_object().into_iter().flat_map(Map::keys));
        return keys.any(|key| !WITHOUT_EFFECT_IN_A_LAYER.contains(&key.as_str()));
    }
    let is_neutral = |(other, neutral): &(&str, Neutral)| *other == key && neutral.is(value);
    !WITHOUT_EFFECT.iter().any(|part| key.contains(part)) && !WITHOUT_EFFECT_IF.iter().any(is_neutral)
}

/// The keys found so far.
struct Found<'a> {
    read: &'a [&'a [&'a str]],
    unread: Vec<Unread>,
}

impl Found<'_> {
    /// Adds the keys of a model.
    fn add_all(&mut self, path: &str, config: &Value) {
        let no_keys = Map::new();
        let keys = config.as_object().unwrap_or(&no_keys);
        let equals = |value: &Value, key: &str| keys.get(key) == Some(value);
        let is_same = |key: &str, value: &Value| {
            WIDTHS.contains(&key) && equals(value, "head_dim")
                || SHARES.contains(&key) && equals(value, "partial_rotary_factor")
        };
        for (key, value) in keys.iter().filter(|(_, value)| !is_empty(value)) {
            let is_read = self.read.iter().any(|keys| keys.contains(&key.as_str()));
            match value {
                Value::Object(_) if is_read => self.add_rule(&format!("{path}{key}."), value),
                _ if is_read && RULES.contains(&key.as_str()) => self.push(path, key, value),
                _ if is_read || is_same(key, value) => {}
                _ if is_telling(key) => self.add(path, key, value),
                _ if !is_other_part(key) => self.add_inside(&format!("{path}{key}."), value),
                _ => {}
            }
        }
    }

    /// Adds the keys of a scaling rule, or of rules by the types of layers.
    fn add_rule(&mut self, path: &str, rule: &Value) {
        let keys = || rule.as_object().into_iter().flatten().filter(|(_, value)| !is_empty(value));
        // Beside rules by the types of layers there is no other rule.
        let is_by_layers = keys().any(|(_, value)| is_rule(value));
        for (key, value) in keys() {
            let is_read = match &key[..] {
                "rope_theta" | "mrope_section" | "mrope_interleaved" => true,
                "rope_type" | "type" => !is_by_layers || value == "default",
                key => !is_by_layers && OF_RULE.contains(&key),
            };
            if is_rule(value) {
                self.add_rule(&format!("{path}{key}."), value);
            } else if !is_read && has_effect(key, value) {
                self.push(path, key, value);
            }
        }
    }

    /// Adds telling keys of what no reader looks into.
    fn add_inside(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(keys) => {
                for (key, value) in keys.iter().filter(|(_, value)| !is_empty(value)) {
                    if is_telling(key) {
                        self.add(path, key, value);
                    } else {
                        self.add_inside(&format!("{path}{key}."), value);
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.add_inside(path, value)),
            _ => {}
        }
    }

    /// Adds a key if its name is telling and it has an effect.
    fn add(&mut self, path: &str, key: &str, value: &Value) {
        if is_telling(key) && !is_empty(value) && has_effect(key, value) {
            self.push(path, key, value);
        }
    }

    fn push(&mut self, path: &str, key: &str, value: &Value) {
        const LONGEST: usize = 60;
        let (path, mut value) = (format!("{path}{key}"), value.to_string());
        if let Some((cut, _)) = value.char_indices().nth(LONGEST) {
            value.truncate(cut);
            value.push_str("...");
        }
        if self.unread.iter().all(|unread| unread.path != path) {
            self.unread.push(Unread { path, value });
        }
    }
}

/// The keys of scaling rules, which are objects.
const RULES: [&str; 2] = ["rope_parameters", "rope_scaling"];

/// Returns whether a key has the config of another part of a model, which has no effect on its table.
fn is_other_part(key: &str) -> bool {
    #[rustfmt::skip]
    const PARTS: [&str; 15] = [
        "audio", "code2wav", "codec", "depth_decoder", "image", "projector", "protein", "quantization", "semantic",
        "speech", "talker", "tower", "video", "vision", "visual",
    ];
    PARTS.iter().any(|part| key.contains(part))
}
