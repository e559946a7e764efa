//! Reads the keys of a config.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

use crate::float_bits::is_zero;
use crate::rope::config::cache::{Cache, Factors, Rotated, Rule};
use crate::spec::scaling::{Linear, Llama3, Proportional, Scaling, Yarn};

/// Returns the config of the language model, if the model has several parts.
pub(super) fn text_model(config: &Value) -> &Value {
    config.get("text_config").filter(|text| text.is_object()).unwrap_or(config)
}

/// Returns the number of positions that the model is made for. A wrong one is an error in each of the caches.
pub(super) fn max_position_embeddings(config: &Value) -> Option<usize> {
    Keys::of(config).whole("max_position_embeddings").ok().flatten()
}

/// Returns the cache of each type of layers, or one without a name.
pub(super) fn caches(config: &Value) -> Vec<(String, Result<Cache, String>)> {
    Keys::of(config).by_layers().into_iter().map(|keys| (keys.layer_type.to_owned(), keys.cache())).collect()
}

/// The keys of one cache.
#[derive(Clone, Copy)]
struct Keys<'a> {
    config: &'a Value,
    /// The parameters of the rule.
    parameters: &'a Value,
    /// Empty if all layers share the cache.
    layer_type: &'a str,
}

impl<'a> Keys<'a> {
    const fn of(config: &'a Value) -> Self {
        Self { config, parameters: &Value::Null, layer_type: "" }
    }

    /// Returns the keys of each cache.
    fn by_layers(self) -> Vec<Self> {
        let found = ["rope_parameters", "rope_scaling"].into_iter().find_map(|key| self.find(key));
        let parameters = found.unwrap_or(&Value::Null);
        let objects = parameters.as_object().into_iter().flatten().filter(|(_, value)| value.is_object());
        let caches: Vec<_> = objects.map(|(layer_type, parameters)| Self { parameters, layer_type, ..self }).collect();
        if !caches.is_empty() {
            return caches;
        }
        // Gemma 3 and ModernBERT before version 5: local layers have a base of their own, and no rule.
        if LOCAL_BASES.iter().any(|key| self.find(key).is_some()) {
            let full = Self { layer_type: "full_attention", parameters, ..self };
            return vec![full, Self { layer_type: "sliding_attention", ..self }];
        }
        vec![Self { parameters, ..self }]
    }

    fn cache(self) -> Result<Cache, String> {
        self.whole("max_position_embeddings")?; // although not all rules use it
        let kind = self.kind()?;
        let share = self.first_number(&["partial_rotary_factor", "rotary_pct"])?;
        let rotated = match (self.whole("rotary_dim")?, share) {
            (Some(columns), _) => Rotated::Columns(columns),
            // The rule `proportional` has a share of its own.
            (None, Some(share)) if kind != "proportional" => Rotated::Share(share),
            _ => Rotated::All,
        };
        let local = if self.layer_type == "sliding_attention" { self.first_number(LOCAL_BASES)? } else { None };
        Ok(Cache {
            head_dim: self.head_dim()?,
            rotated,
            base: local.or(self.first_number(&["rope_theta", "rotary_emb_base", "global_rope_theta"])?),
            rule: self.rule(kind)?,
            attention_factor: self.optional("attention_factor")?,
        })
    }

    /// Returns a parameter of the rule that is not null.
    fn parameter(self, key: &str) -> Option<&'a Value> {
        self.parameters.get(key).filter(|value| !value.is_null())
    }

    /// Returns a parameter of the rule, or of the config.
    fn find(self, key: &str) -> Option<&'a Value> {
        self.parameter(key).or_else(|| self.config.get(key).filter(|value| !value.is_null()))
    }

    fn whole(self, key: &str) -> Result<Option<usize>, String> {
        self.find(key).map(|value| whole(key, value)).transpose()
    }

    /// Returns the number of the first key that there is, of the rule or of the config.
    fn first_number(self, keys: &[&str]) -> Result<Option<f64>, String> {
        let found = keys.iter().find_map(|key| Some((key, self.find(key)?)));
        found.map(|(key, value)| number(key, value)).transpose()
    }

    /// Returns a parameter of the rule.
    fn optional(self, key: &str) -> Result<Option<f64>, String> {
        self.parameter(key).map(|value| number(key, value)).transpose()
    }

    fn head_dim(self) -> Result<Option<usize>, String> {
        let own = if self.layer_type == "full_attention" { "global_head_dim" } else { "head_dim" };
        for key in ["qk_rope_head_dim", own, "head_dim", "kv_channels"] {
            if let Some(head_dim) = self.whole(key)? {
                return Ok(Some(head_dim));
            }
        }
        let width = self.whole("hidden_size")?.or(self.whole("n_embd")?);
        let heads = self.whole("num_attention_heads")?.or(self.whole("n_head")?);
        Ok(width.zip(heads).and_then(|(width, heads)| width.checked_div(heads)))
    }

    fn kind(self) -> Result<&'a str, String> {
        match self.parameter("rope_type").or_else(|| self.parameter("type")) {
            None => Ok("default"),
            Some(Value::String(kind)) => Ok(kind),
            Some(other) => Err(wrong("rope_type", other, "a name")),
        }
    }

    fn rule(self, kind: &str) -> Result<Rule, String> {
        let needed = |key: &str| -> Result<f64, String> {
            self.optional(key)?.ok_or_else(|| format!("the config has no `{key}` in its `{kind}` parameters"))
        };
        let scaling = match kind {
            // For several axes the cache is the same.
            "default" | "mrope" => Scaling::None,
            "linear" => Scaling::Linear(Linear { factor: needed("factor")? }),
            "dynamic" | "xdrope" if self.parameter("alpha").is_some() => Scaling::ntk(needed("alpha")?),
            "dynamic" => {
                let trained = self.whole("max_position_embeddings")?;
                let trained = trained.ok_or("the config has no `max_position_embeddings`")?;
                return Ok(Rule::Dynamic { factor: needed("factor")?, trained });
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
                return Err(format!(
                    "the config has the rope type `{other}`, which posenc does not have; \
                     if it is a list of frequencies, set `frequencies`"
                ));
            }
        };
        Ok(Rule::Fixed(scaling))
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

    fn longrope(self) -> Result<Rule, String> {
        // The one of the model has priority: Phi-3 has both.
        let key = "original_max_position_embeddings";
        let own = self.config.get(key).filter(|value| !value.is_null());
        let original = own.map_or_else(|| self.original(), |value| whole(key, value))?;
        let factors = |key: &str, attention_factor: &str| -> Result<Factors, String> {
            let list = self.parameter(key).and_then(Value::as_array);
            let list = list.ok_or_else(|| format!("the config has no list `{key}`"))?;
            Ok(Factors {
                divisors: list.iter().map(|value| number(key, value)).collect::<Result<_, _>>()?,
                attention_factor: self.optional(attention_factor)?,
            })
        };
        Ok(Rule::LongRope {
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
    fn original(self) -> Result<usize, String> {
        let original = self.whole("original_max_position_embeddings")?.or(self.whole("max_position_embeddings")?);
        original.ok_or_else(|| "the config has no `original_max_position_embeddings`".to_owned())
    }
}

/// The base of local layers, by its names before version 5.
const LOCAL_BASES: &[&str] = &["rope_local_base_freq", "local_rope_theta"];

fn whole(key: &str, value: &Value) -> Result<usize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| wrong(key, value, "a whole number"))
}

fn number(key: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| wrong(key, value, "a number"))
}

fn wrong(key: &str, value: &Value, expected: &str) -> String {
    format!("the config has `{key}` {value}, which is not {expected}")
}
