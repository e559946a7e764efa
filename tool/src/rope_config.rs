//! Reads the rotary embedding of a model from the config.json of Hugging Face, in the old and in the new spelling.
//!
//! The sources of these rules are `modeling_rope_utils.py` of transformers 5.23 and the configurations of its models.

use std::path::Path;

use serde_json::Value;

use crate::config::read_json;
use crate::failure::Failure;
use crate::scaling::{self, Rule};

/// The cache of a config.
#[derive(Default)]
pub(crate) struct Cache {
    pub(crate) head_dim: Option<usize>,
    pub(crate) rotary_dim: Option<usize>,
    pub(crate) base: Option<f64>,
    pub(crate) rule: Option<Rule>,
    pub(crate) attention_factor: Option<f64>,
    pub(crate) rows: Option<usize>,
}

/// Reads the config in a file. `layers` selects among caches for different layers, and `rows` is their number, if given.
pub(crate) fn read(path: &Path, layers: Option<&str>, rows: Option<usize>) -> Result<Cache, Failure> {
    let config = read_json(path)?;
    let named = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    cache(&config, layers, rows).map_err(named)
}

fn cache(config: &Value, layers: Option<&str>, rows: Option<usize>) -> Result<Cache, String> {
    // Models of several parts have a config for each.
    let config = config.get("text_config").filter(|text| text.is_object()).unwrap_or(config);
    let parameters = parameters(config, layers)?;
    let keys = Keys { config, parameters };
    let rows = rows.map_or_else(|| keys.whole("max_position_embeddings"), |rows| Ok(Some(rows)))?;
    let head_dim = keys.head_dim()?;
    let base = ["rope_theta", "rotary_emb_base"].into_iter().find_map(|key| keys.find(key));
    let base = base.map(|value| number("rope_theta", value)).transpose()?;
    let share = ["partial_rotary_factor", "rotary_pct"].into_iter().find_map(|key| keys.find(key));
    let share = share.map(|share| number("partial_rotary_factor", share)).transpose()?;
    let kind = keys.kind()?;
    let rotary_dim = match (keys.whole("rotary_dim")?, share, head_dim) {
        (Some(rotary_dim), ..) => Some(rotary_dim),
        // That rule has a share of its own.
        (None, Some(share), Some(head_dim)) if kind != "proportional" => {
            Some(posenc::Rope::new(head_dim).partial_rotary_factor(share).pairs() * 2)
        }
        _ => None,
    };
    let rule = keys.rule(&kind, rows)?.map(|text| scaling::rule(&text)).transpose()?;
    let attention_factor =
        keys.parameter("attention_factor").map(|value| number("attention_factor", value)).transpose()?;
    Ok(Cache { head_dim, rotary_dim, base, rule, attention_factor, rows })
}

/// Returns the parameters of the rule, or `Null` if there are none.
fn parameters<'a>(config: &'a Value, layers: Option<&str>) -> Result<&'a Value, String> {
    let found = ["rope_parameters", "rope_scaling"]
        .into_iter()
        .find_map(|key| config.get(key).filter(|value| !value.is_null()));
    let Some(found) = found else { return Ok(&Value::Null) };
    let kinds = found.as_object().into_iter().flatten().filter(|(_, value)| value.is_object());
    let kinds: Vec<&str> = kinds.map(|(key, _)| key.as_str()).collect();
    match (kinds.is_empty(), layers) {
        (true, _) => Ok(found),
        (false, Some(layers)) if kinds.contains(&layers) => Ok(&found[layers]),
        (false, _) => Err(format!("has caches for different layers; set --layers to one of {}", kinds.join(", "))),
    }
}

struct Keys<'a> {
    config: &'a Value,
    parameters: &'a Value,
}

impl<'a> Keys<'a> {
    /// Returns a parameter of the rule that is not null.
    fn parameter(&self, key: &str) -> Option<&'a Value> {
        self.parameters.get(key).filter(|value| !value.is_null())
    }

    /// Returns a parameter of the rule, or of the config.
    fn find(&self, key: &str) -> Option<&'a Value> {
        self.parameter(key).or_else(|| self.config.get(key).filter(|value| !value.is_null()))
    }

    fn whole(&self, key: &str) -> Result<Option<usize>, String> {
        self.find(key).map(|value| whole(key, value)).transpose()
    }

    fn head_dim(&self) -> Result<Option<usize>, String> {
        for key in ["qk_rope_head_dim", "head_dim", "kv_channels"] {
            if let Some(head_dim) = self.whole(key)? {
                return Ok(Some(head_dim));
            }
        }
        let width = self.whole("hidden_size")?.or(self.whole("n_embd")?);
        let heads = self.whole("num_attention_heads")?.or(self.whole("n_head")?);
        Ok(width.zip(heads).and_then(|(width, heads)| width.checked_div(heads)))
    }

    fn kind(&self) -> Result<String, String> {
        match self.parameter("rope_type").or_else(|| self.parameter("type")) {
            None => Ok("default".to_owned()),
            Some(Value::String(kind)) => Ok(kind.clone()),
            Some(other) => Err(wrong("rope_type", other, "a name")),
        }
    }

    /// Returns the rule as text, or `None` if the frequencies are not changed.
    fn rule(&self, kind: &str, rows: Option<usize>) -> Result<Option<String>, String> {
        let needed = |key: &str| -> Result<f64, String> {
            let value = self.parameter(key).ok_or_else(|| format!("has no `{key}` in its `{kind}` parameters"))?;
            number(key, value)
        };
        Ok(Some(match kind {
            // For several axes the cache is the same.
            "default" | "mrope" => return Ok(None),
            "linear" => format!("linear({:?})", needed("factor")?),
            "dynamic" if self.parameter("alpha").is_some() => format!("ntk({:?})", needed("alpha")?),
            "dynamic" => {
                let trained = self.whole("max_position_embeddings")?.ok_or("has no `max_position_embeddings`")?;
                format!("dynamic({:?}, {trained}, {})", needed("factor")?, rows.unwrap_or(trained))
            }
            "yarn" => self.yarn(needed("factor")?)?,
            "llama3" => {
                let [low, high] = [needed("low_freq_factor")?, needed("high_freq_factor")?];
                format!("llama3({:?}, {}, {low:?}, {high:?})", needed("factor")?, self.original()?)
            }
            "longrope" | "su" => self.longrope(rows)?,
            "proportional" => {
                let factor = self.parameter("factor").map_or(Ok(1.0), |value| number("factor", value))?;
                format!("proportional({:?}, {factor:?})", needed("partial_rotary_factor")?)
            }
            other => {
                return Err(format!(
                    "has the rope type `{other}`, which posenc does not have; use --frequencies of `posenc table` for its list"
                ));
            }
        }))
    }

    fn yarn(&self, factor: f64) -> Result<String, String> {
        let mut arguments = vec![format!("{factor:?}"), self.original()?.to_string()];
        for key in ["beta_fast", "beta_slow", "mscale", "mscale_all_dim"] {
            // In transformers, 0 stands for the default of the first two.
            let value = self.parameter(key).map(|value| number(key, value)).transpose()?;
            if let Some(value) = value.filter(|&value| value != 0.0) {
                arguments.push(format!("{key} = {value:?}"));
            }
        }
        if let Some(value) = self.parameter("truncate") {
            let truncate = value.as_bool().ok_or_else(|| wrong("truncate", value, "true or false"))?;
            arguments.push(format!("truncate = {truncate}"));
        }
        Ok(format!("yarn({})", arguments.join(", ")))
    }

    fn longrope(&self, rows: Option<usize>) -> Result<String, String> {
        // The one of the model has priority: Phi-3 has both.
        let key = "original_max_position_embeddings";
        let own = self.config.get(key).filter(|value| !value.is_null());
        let original = own.map_or_else(|| self.original(), |value| whole(key, value))?;
        let longest = self.config.get("max_position_embeddings").and_then(Value::as_f64);
        let factor = self.parameter("factor").map(|value| number("factor", value)).transpose()?;
        let factor = factor.or(longest.map(|longest| longest / original as f64));
        let factor = factor.ok_or("has neither `factor` nor `max_position_embeddings`")?;
        let key = if rows.is_some_and(|rows| rows <= original) { "short_factor" } else { "long_factor" };
        let list = self.parameter(key).and_then(Value::as_array).ok_or_else(|| format!("has no list `{key}`"))?;
        let list = list.iter().map(|value| number(key, value)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("longrope({list:?}, {factor:?}, {original})"))
    }

    /// Returns the context that the model was trained with.
    fn original(&self) -> Result<usize, String> {
        let original = self.whole("original_max_position_embeddings")?.or(self.whole("max_position_embeddings")?);
        original.ok_or_else(|| "has no `original_max_position_embeddings`".to_owned())
    }
}

fn whole(key: &str, value: &Value) -> Result<usize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| wrong(key, value, "a whole number"))
}

fn number(key: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| wrong(key, value, "a number"))
}

fn wrong(key: &str, value: &Value, expected: &str) -> String {
    format!("has `{key}` {value}, which is not {expected}")
}

#[cfg(test)]
mod tests {
    use posenc::{Rope, RopePreset};
    use serde_json::json;

    use super::*;

    fn rope(config: &Value, rows: Option<usize>) -> String {
        let Cache { head_dim, rotary_dim, base, rule, attention_factor, .. } = cache(config, None, rows).unwrap();
        let rule = rule.as_ref().map_or(posenc::Scaling::None, Rule::scaling);
        let rope = Rope::new(head_dim.unwrap()).base(base.unwrap_or(10_000.0)).scaling(rule);
        let rope = rotary_dim.into_iter().fold(rope, Rope::rotary_dim);
        attention_factor.into_iter().fold(rope, Rope::attention_factor).to_string()
    }

    #[test]
    fn configs_of_both_spellings_are_read() {
        let preset = |preset| Rope::preset(preset).to_string();
        let old = json!({
            "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131_072, "rope_theta": 500_000.0,
            "rope_scaling": {
                "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192, "rope_type": "llama3",
            },
        });
        assert_eq!(rope(&old, None), preset(RopePreset::Llama3_1));
        let new = json!({
            "head_dim": 64, "max_position_embeddings": 131_072,
            "rope_parameters": {
                "rope_type": "yarn", "rope_theta": 150_000, "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0,
                "truncate": false, "original_max_position_embeddings": 4096,
            },
        });
        assert_eq!(rope(&new, None), preset(RopePreset::GptOss));
        let deepseek = json!({
            "qk_rope_head_dim": 64, "hidden_size": 7168, "num_attention_heads": 128, "rope_theta": 10_000,
            "rope_scaling": {
                "type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0,
                "mscale_all_dim": 1.0, "beta_fast": 0, "beta_slow": null,
            },
        });
        assert_eq!(rope(&deepseek, None), preset(RopePreset::DeepSeekV3));
        let neox =
            json!({ "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10_000 });
        assert_eq!(rope(&neox, None), preset(RopePreset::GptNeox20b));
        let gemma4 = json!({
            "head_dim": 512,
            "rope_parameters": { "rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6 },
        });
        assert_eq!(rope(&gemma4, None), preset(RopePreset::Gemma4Global));
        let mrope = json!({
            "text_config": { "head_dim": 128, "rope_theta": 1e6, "rope_scaling": { "type": "mrope", "mrope_section": [16, 24, 24] } },
        });
        assert_eq!(rope(&mrope, None), preset(RopePreset::Qwen2Vl));
    }

    #[test]
    fn the_list_of_longrope_depends_on_the_rows() {
        let phi3 = json!({
            "head_dim": 4, "max_position_embeddings": 131_072, "original_max_position_embeddings": 4096,
            "rope_scaling": { "type": "su", "short_factor": [1, 1.5], "long_factor": [2, 3] },
        });
        let of = |rows| rope(&phi3, rows);
        assert!(
            of(Some(4096))
                .contains("longrope(factors = [1.0, 1.5], factor = 32.0, original_max_position_embeddings = 4096)")
        );
        assert!(of(Some(4097)).contains("factors = [2.0, 3.0]"));
        assert!(of(None).contains("factors = [2.0, 3.0]"));
    }

    #[test]
    fn dynamic_rules_are_told_the_length() {
        let config =
            |scaling: Value| json!({ "head_dim": 64, "max_position_embeddings": 2048, "rope_scaling": scaling });
        let dynamic = config(json!({ "type": "dynamic", "factor": 2.0 }));
        assert!(
            rope(&dynamic, Some(8192))
                .contains("dynamic(factor = 2.0, max_position_embeddings = 2048, seq_len = 8192)")
        );
        assert!(rope(&config(json!({ "type": "dynamic", "alpha": 1000.0 })), None).contains("ntk(alpha = 1000.0)"));
    }

    #[test]
    fn what_is_not_expressible_is_refused() {
        let refused = |config: Value, layers| cache(&config, layers, None).err().unwrap();
        let of = |scaling: Value| json!({ "head_dim": 64, "max_position_embeddings": 2048, "rope_scaling": scaling });
        assert!(refused(of(json!({ "type": "fope" })), None).starts_with("has the rope type `fope`"));
        assert_eq!(refused(of(json!({ "type": "linear" })), None), "has no `factor` in its `linear` parameters");
        assert_eq!(refused(of(json!({ "type": 3 })), None), "has `rope_type` 3, which is not a name");
        let layers = json!({
            "head_dim": 64,
            "rope_parameters": { "full_attention": { "rope_theta": 1e6 }, "sliding_attention": { "rope_theta": 1e4 } },
        });
        let sentence = "has caches for different layers; set --layers to one of full_attention, sliding_attention";
        assert_eq!(refused(layers.clone(), None), sentence);
        assert_eq!(cache(&layers, Some("sliding_attention"), None).unwrap().base, Some(1e4));
    }
}
