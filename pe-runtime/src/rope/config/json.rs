//! Reads the keys of a config.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::float_bits::is_zero;
use crate::limits::MAX_POSITION;
use crate::rope::config::cache::{Cache, ConfigRule, Factors, Rotated};
use crate::rope::config::classes::{Class, OF_LAYERS, SlidingRule, needed};
use crate::rope::config::not_rotary::{refusal, unknown, unknown_model};
use crate::rope::config::parts::{Model, text};
use crate::spec::names::Listed;
use crate::spec::scaling::{Linear, Llama3, Proportional, Scaling, Yarn};

/// Returns the number of positions that the model is made for. A wrong one is an error in each of the caches.
pub(super) fn max_position_embeddings(config: &Value) -> Option<usize> {
    Keys::of(config).whole("max_position_embeddings").ok().flatten()
}

/// Returns the cache of each type of layers, or one without a name.
pub(super) fn caches(model: Model) -> Vec<(String, Result<Cache, String>)> {
    if let Some(sentence) = refusal(model.config).or_else(|| unknown(model.config)) {
        return vec![(String::new(), Err(sentence))];
    }
    let keys = Keys { class: Class::of(model), ..Keys::of(model.config) };
    keys.by_layers().into_iter().map(|keys| (keys.layer_type.to_owned(), keys.cache())).collect()
}

/// The keys of one cache.
#[derive(Clone, Copy)]
struct Keys<'a> {
    config: &'a Value,
    /// The parameters of the rule.
    parameters: &'a Value,
    /// Empty if all layers share the cache.
    layer_type: &'a str,
    class: Class,
}

impl<'a> Keys<'a> {
    const fn of(config: &'a Value) -> Self {
        Self { config, parameters: &Value::Null, layer_type: "", class: Class::UNKNOWN }
    }

    /// Returns the keys of each cache.
    fn by_layers(self) -> Vec<Self> {
        // A rule that a user adds in the older spelling has priority.
        let set =
            |key: &&str| self.find(key).is_some_and(|value| value.as_object().is_none_or(|keys| !keys.is_empty()));
        let found = ["rope_scaling", "rope_parameters"].into_iter().find(set).and_then(|key| self.find(key));
        let parameters = found.unwrap_or(&Value::Null);
        let objects = parameters.as_object().into_iter().flatten().filter(|(_, value)| is_rule(value));
        let mut caches: Vec<_> =
            objects.map(|(layer_type, parameters)| Self { parameters, layer_type, ..self }).collect();
        if !caches.is_empty() {
            caches.sort_by_key(|keys| keys.layer_type);
            return caches;
        }
        // Before version 5: in most classes, local layers have a base of their own, and no rule.
        let has_rule = !parameters.is_null();
        let has_local_base = || LOCAL_BASES.iter().any(|key| self.find(key).is_some());
        if self.class.local_base.is_some() || has_local_base() || has_rule && self.class.sliding == SlidingRule::None {
            let full = Self { layer_type: "full_attention", parameters, ..self };
            let of_sliding = if self.class.sliding == SlidingRule::OfModel { parameters } else { &Value::Null };
            return vec![full, Self { layer_type: "sliding_attention", parameters: of_sliding, ..self }];
        }
        vec![Self { parameters, ..self }]
    }

    fn cache(self) -> Result<Cache, String> {
        self.whole("max_position_embeddings")?; // although not all rules use it
        self.check_one_rule()?;
        self.check_needed()?;
        let kind = self.kind()?;
        // The rule `proportional` has a share of its own, and the rotated part of a head has a width of its own.
        let has_share = kind != "proportional" && self.rotated_part()?.is_none();
        let share = if has_share { self.first_number(&["partial_rotary_factor", "rotary_pct"])? } else { Some(1.0) };
        // Bamba has the second name from its training code.
        let rotary_dim = self.whole("rotary_dim")?.or(self.whole("attn_rotary_emb")?);
        let columns = rotary_dim.or(self.class.columns.filter(|_| share.is_none()));
        let rotated = match (columns, share.or(self.class.share)) {
            (Some(columns), _) => Rotated::Columns(columns),
            (None, Some(share)) => Rotated::Share(share),
            (None, None) => Rotated::All,
        };
        let takes_factor = matches!(kind, "yarn" | "deepseek_yarn" | "longrope" | "su");
        Ok(Cache {
            head_dim: self.head_dim()?,
            rotated,
            base: self.base()?,
            rule: self.rule(kind)?,
            attention_factor: if takes_factor { self.optional("attention_factor")? } else { None },
            unknown_model: unknown_model(self.config).map(str::to_owned),
        })
    }

    fn base(self) -> Result<Option<f64>, String> {
        let class = self.class;
        if self.layer_type == "sliding_attention" {
            let local = self.parameter("rope_theta").map(|value| number("rope_theta", value)).transpose()?;
            if let Some(base) = local.or(self.first_number(LOCAL_BASES)?).or(class.local_base) {
                return Ok(Some(base));
            }
        }
        let base =
            self.first_number(&["rope_theta", "rotary_emb_base", "global_rope_theta", "rotary_embedding_base"])?;
        let ratio = self.first_number(&["rope_ratio"])?;
        // ChatGLM2 divides the positions by it, and ChatGLM3, with the same vocabulary, multiplies the base.
        if !matches!(ratio, None | Some(1.0)) && self.whole("padded_vocab_size")? == Some(65_024) {
            return Err(
                "the config is for ChatGLM2 or ChatGLM3, in which `rope_ratio` means different things; give the \
                        parameters themselves in place of the config"
                    .to_owned(),
            );
        }
        Ok(base.or(ratio.map(times_10_000)).or(class.base))
    }

    /// Returns a parameter of the rule that is not null.
    fn parameter(self, key: &str) -> Option<&'a Value> {
        self.parameters.get(key).filter(|value| !value.is_null())
    }

    /// Returns a parameter of the rule, or of the config.
    fn find(self, key: &str) -> Option<&'a Value> {
        let own = || self.config.get(key).filter(|value| !value.is_null());
        // A rule in the older spelling may be beside parameters in the newer one.
        let newer = || self.config.get("rope_parameters")?.get(key).filter(|value| !value.is_null());
        self.parameter(key).or_else(own).or_else(newer)
    }

    fn whole(self, key: &str) -> Result<Option<usize>, String> {
        self.find(key).map(|value| whole(key, value)).transpose()
    }

    /// Returns the number of keys that mean the same, of the rule or of the config. Those that are set must agree.
    fn first_number(self, keys: &[&str]) -> Result<Option<f64>, String> {
        let mut first: Option<(&str, f64)> = None;
        for key in keys {
            let Some(value) = self.find(key) else { continue };
            let value = number(key, value)?;
            match first {
                None => first = Some((key, value)),
                Some((of, other)) if other.to_bits() != value.to_bits() => {
                    return Err(format!(
                        "the config has `{of}` {other:?} and `{key}` {value:?}, which mean the same; leave one of them out"
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(first.map(|(_, value)| value))
    }

    /// Returns a parameter of the rule.
    fn optional(self, key: &str) -> Result<Option<f64>, String> {
        self.parameter(key).map(|value| number(key, value)).transpose()
    }

    /// Checks that the two spellings of the rule agree, if both are set.
    fn check_one_rule(self) -> Result<(), String> {
        let rule = |key| self.config.get(key).and_then(Value::as_object);
        let of_type = |rule: &Map<String, Value>| rule.get("rope_type").or_else(|| rule.get("type")).cloned();
        if let (Some(older), Some(newer)) = (rule("rope_scaling"), rule("rope_parameters")) {
            let is_set = of_type(newer).is_some_and(|kind| kind != "default");
            let is_same = |(key, value): (&String, &Value)| key == "type" || newer.get(key) == Some(value);
            let is_of_both =
                |key: &String| older.contains_key(key) || ["rope_type", "rope_theta"].contains(&key.as_str());
            let agree = of_type(older) == of_type(newer) && older.iter().all(is_same) && newer.keys().all(is_of_both);
            if is_set && !agree {
                let rules = "a rule in `rope_scaling` and another one in `rope_parameters`";
                return Err(format!("the config has {rules}; leave one of them out"));
            }
        }
        Ok(())
    }

    /// Checks that the config has the keys whose defaults in the class are not known.
    fn check_needed(self) -> Result<(), String> {
        let model = text(self.config, "model_type").unwrap_or_default();
        let has = |key: &str| match key {
            "rope_scaling" => self.parameter("rope_type").or(self.parameter("type")).is_some(),
            key => self.find(key).is_some(),
        };
        if let Some(key) = needed(model).find(|key| !has(key)) {
            return Err(format!(
                "the config of the model type `{model}` has no `{key}`; the default of its class is not known"
            ));
        }
        if OF_LAYERS.contains(&model) && self.layer_type.is_empty() {
            return Err(format!(
                "the config of the model type `{model}` has no `rope_parameters` for each type of layers, whose tables differ"
            ));
        }
        Ok(())
    }

    /// Returns the width of the part of a head that is rotated, with multi-head latent attention.
    fn rotated_part(self) -> Result<Option<usize>, String> {
        if self.config.get("use_mla") == Some(&Value::Bool(false)) {
            return Ok(None);
        }
        Ok(self.whole(ROTATED_PART)?.filter(|width| *width > 0))
    }

    fn head_dim(self) -> Result<Option<usize>, String> {
        if let Some(head_dim) = self.rotated_part()? {
            return Ok(Some(head_dim));
        }
        if self.layer_type == "full_attention" {
            if let Some(head_dim) = self.whole("global_head_dim")?.or(self.class.global_head_dim) {
                return Ok(Some(head_dim));
            }
        }
        for key in ["head_dim", "attention_head_dim", "kv_channels"] {
            if let Some(head_dim) = self.whole(key)? {
                return Ok(Some(head_dim));
            }
        }
        if let Some(head_dim) = self.class.head_dim {
            return Ok(Some(head_dim));
        }
        let width = self.whole("hidden_size")?.or(self.whole("n_embd")?);
        let heads = self.whole("num_attention_heads")?.or(self.whole("n_head")?);
        width_of_head(width, heads)
    }

    fn kind(self) -> Result<&'a str, String> {
        match self.parameter("rope_type").or_else(|| self.parameter("type")) {
            None => Ok("default"),
            Some(Value::String(kind)) => Ok(kind),
            Some(other) => Err(wrong("rope_type", other, "a name")),
        }
    }

    fn rule(self, kind: &str) -> Result<ConfigRule, String> {
        let needed = |key: &str| -> Result<f64, String> {
            self.optional(key)?.ok_or_else(|| format!("the config has no `{key}` in its `{kind}` parameters"))
        };
        let scaling = match kind {
            // For several axes the cache is the same.
            "default" | "mrope" => Scaling::None,
            "linear" => Scaling::Linear(Linear { factor: needed("factor")? }),
            "dynamic" | "xdrope" if self.parameter("alpha").is_some() => {
                if !matches!(self.optional("factor")?, None | Some(1.0)) {
                    return Err(
                        "the config has both `alpha` and a `factor` in its rule; leave one of them out".to_owned()
                    );
                }
                Scaling::ntk(needed("alpha")?)
            }
            "dynamic" => {
                let trained = self.whole("max_position_embeddings")?;
                let trained = trained.ok_or("the config has no `max_position_embeddings`")?;
                return Ok(ConfigRule::Dynamic { factor: needed("factor")?, trained });
            }
            "longrope" | "su" => return self.longrope(),
            // Phi-3 used this name for its lists.
            "yarn" if self.parameter("short_factor").is_some() => return self.longrope(),
            "yarn" | "deepseek_yarn" => Scaling::Yarn(self.yarn()?),
            "llama3" => Scaling::Llama3(Llama3 {
                low_freq_factor: needed("low_freq_factor")?,
                high_freq_factor: needed("high_freq_factor")?,
                ..Llama3::new(needed("factor")?, self.original()?)
            }),
            "proportional" => Scaling::Proportional(Proportional {
                factor: self.optional("factor")?.unwrap_or(1.0),
                ..Proportional::new(needed("partial_rotary_factor")?)
            }),
            other => {
                return Err(format!("the config has the rope type `{other}`, but must have one of {}", Listed(&KINDS)));
            }
        };
        Ok(ConfigRule::Fixed(scaling))
    }

    fn yarn(self) -> Result<Yarn, String> {
        let original = self.original()?;
        let mut yarn = Yarn::new(self.factor(original)?, original);
        for (key, field) in [
            ("beta_fast", &mut yarn.beta_fast),
            ("beta_slow", &mut yarn.beta_slow),
            ("mscale", &mut yarn.mscale),
            ("mscale_all_dim", &mut yarn.mscale_all_dim),
        ] {
            // In transformers, 0 stands for the default.
            if let Some(value) = self.optional(key)?.filter(|&value| !is_zero(value)) {
                *field = value;
            }
        }
        if let Some(value) = self.parameter("truncate") {
            yarn.truncate = value.as_bool().ok_or_else(|| wrong("truncate", value, "true or false"))?;
        }
        Ok(yarn)
    }

    fn longrope(self) -> Result<ConfigRule, String> {
        let original = self.original()?;
        let factors = |key: &str, attention_factor: &str| -> Result<Factors, String> {
            let value = self.parameter(key).ok_or_else(|| format!("the config has no list `{key}`"))?;
            let list = value.as_array().ok_or_else(|| wrong(key, value, "a list"))?;
            Ok(Factors {
                divisors: list.iter().map(|value| number(key, value)).collect::<Result<_, _>>()?,
                attention_factor: self.optional(attention_factor)?,
            })
        };
        Ok(ConfigRule::LongRope {
            factor: self.factor(original)?,
            original,
            short: factors("short_factor", "short_mscale")?,
            long: factors("long_factor", "long_mscale")?,
        })
    }

    /// Returns the factor, which may be left to follow from the lengths.
    #[allow(clippy::float_arithmetic, reason = "the quotient that Python computes")]
    fn factor(self, original: usize) -> Result<f64, String> {
        let longest = self.config.get("max_position_embeddings").and_then(Value::as_f64);
        let factor = self.optional("factor")?.or(longest.map(|longest| longest / original as f64));
        factor.ok_or_else(|| "the config has neither `factor` nor `max_position_embeddings`".to_owned())
    }

    /// Returns the context that the model was trained with.
    ///
    /// The context of the model has priority over the context of its rule (Phi-3 has both), but does not apply to rules
    /// for types of layers.
    fn original(self) -> Result<usize, String> {
        let key = "original_max_position_embeddings";
        let of_model = || self.config.get(key).filter(|value| !value.is_null());
        let original = if self.layer_type.is_empty() { of_model().or(self.find(key)) } else { self.parameter(key) };
        let original = original.map(|value| whole(key, value)).transpose()?.or(self.whole("max_position_embeddings")?);
        original.ok_or_else(|| "the config has no `original_max_position_embeddings`".to_owned())
    }
}

/// The base of local layers, by its names before version 5.
const LOCAL_BASES: &[&str] = &["rope_local_base_freq", "local_rope_theta", "swa_rope_theta"];

/// Returns whether a value is the rule of a type of layers.
pub(super) fn is_rule(value: &Value) -> bool {
    let keys = ["rope_type", "type", "rope_theta", "partial_rotary_factor"];
    keys.iter().any(|key| value.get(key).is_some())
}

/// The width of the part of a head that is rotated, in models with multi-head latent attention.
const ROTATED_PART: &str = "qk_rope_head_dim";

/// The rope types, without those that are other names of one of them.
const KINDS: [&str; 8] = ["default", "mrope", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional"];

/// Returns the base of a `rope_ratio`.
#[allow(clippy::float_arithmetic, reason = "the product that Python computes")]
fn times_10_000(ratio: f64) -> f64 {
    10_000.0 * ratio
}

/// Returns the width of a head, if the width of all heads and their number are known.
pub(crate) fn width_of_head(width: Option<usize>, heads: Option<usize>) -> Result<Option<usize>, String> {
    match (width, heads) {
        (_, Some(0)) => {
            Err("the config has 0 heads; set `num_attention_heads` to at least 1, or `head_dim`".to_owned())
        }
        (width, heads) => Ok(width.zip(heads).map(|(width, heads)| width / heads)),
    }
}

pub(crate) fn whole(key: &str, value: &Value) -> Result<usize, String> {
    // A float such as 131072.0 is one too.
    let float = || value.as_f64().filter(|&float| float <= MAX_POSITION as f64 && float as u64 as f64 == float);
    let number = value.as_u64().or_else(|| Some(float()? as u64)).and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| wrong(key, value, "an integer of 0 or more"))
}

pub(crate) fn number(key: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| wrong(key, value, "a number"))
}

pub(crate) fn wrong(key: &str, value: &Value, expected: &str) -> String {
    format!("the config has `{key}` {value}, which is not {expected}")
}
