use alloc::format;
use alloc::string::ToString;

use serde_json::{Value, json};

use super::RopeConfig;
use crate::rope::Rope;
use crate::rope::preset::RopePreset;

fn config(value: &Value) -> RopeConfig {
    RopeConfig::of(value)
}

#[track_caller]
fn assert_is(value: &Value, preset: RopePreset) {
    assert_eq!(config(value).rope(8192), Ok(Rope::preset(preset)));
}

#[test]
fn configs_of_both_spellings_are_read() {
    let old = json!({
        "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131_072, "rope_theta": 500_000.0,
        "rope_scaling": {
            "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192, "rope_type": "llama3",
        },
    });
    assert_is(&old, RopePreset::Llama3_1);
    let new = json!({
        "head_dim": 64, "max_position_embeddings": 131_072,
        "rope_parameters": {
            "rope_type": "yarn", "rope_theta": 150_000, "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0,
            "truncate": false, "original_max_position_embeddings": 4096,
        },
    });
    assert_is(&new, RopePreset::GptOss);
    let deepseek = json!({
        "qk_rope_head_dim": 64, "hidden_size": 7168, "num_attention_heads": 128, "rope_theta": 10_000,
        "rope_scaling": {
            "type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0,
            "mscale_all_dim": 1.0, "beta_fast": 0, "beta_slow": null,
        },
    });
    assert_is(&deepseek, RopePreset::DeepSeekV3);
    let neox = json!({ "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10_000 });
    assert_is(&neox, RopePreset::GptNeox20b);
    let mrope = json!({
        "text_config": {
            "head_dim": 128, "rope_theta": 1e6, "rope_scaling": { "type": "mrope", "mrope_section": [16, 24, 24] },
        },
    });
    assert_is(&mrope, RopePreset::Qwen2Vl);
    let gptj = json!({ "model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64 });
    assert_is(&gptj, RopePreset::GptJ);
    let hunyuan = json!({ "head_dim": 128, "rope_theta": 1e4, "rope_scaling": { "type": "dynamic", "alpha": 1000.0, "factor": 1.0 } });
    assert_is(&hunyuan, RopePreset::HunYuanDense);
    // The factor follows from the lengths.
    let qwen = json!({
        "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 131_072,
        "rope_scaling": { "type": "yarn", "factor": null, "original_max_position_embeddings": 32_768 },
    });
    assert_is(&qwen, RopePreset::Qwen2_5Yarn);
}

#[test]
fn layers_of_several_types_have_their_own_caches() {
    let old = json!({
        "text_config": {
            "head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4,
            "rope_scaling": { "rope_type": "linear", "factor": 8.0 },
        },
    });
    let new = json!({
        "head_dim": 256,
        "rope_parameters": {
            "full_attention": { "rope_type": "linear", "factor": 8.0, "rope_theta": 1e6 },
            "sliding_attention": { "rope_type": "default", "rope_theta": 1e4 },
        },
    });
    for gemma3 in [config(&old), config(&new)] {
        let of = |layer_type| gemma3.rope_of_layers(layer_type, 4096);
        assert_eq!(of("full_attention"), Ok(Rope::preset(RopePreset::Gemma3Global)));
        assert_eq!(of("sliding_attention"), Ok(Rope::preset(RopePreset::Gemma3Local)));
        assert!(of("main").unwrap_err().to_string().ends_with("for layers of type `main`"));
        let sentence =
            "the config has caches for layers of several types; choose one of `full_attention`, `sliding_attention`";
        assert_eq!(gemma3.rope(4096).unwrap_err().to_string(), sentence);
    }
    let modernbert = config(&json!({ "head_dim": 64, "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0 }));
    assert_eq!(modernbert.rope_of_layers("full_attention", 1), Ok(Rope::preset(RopePreset::ModernBertGlobal)));
    let gemma4 = config(&json!({
        "head_dim": 256, "global_head_dim": 512,
        "rope_parameters": {
            "full_attention": { "rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6 },
            "sliding_attention": { "rope_type": "fope" },
        },
    }));
    assert_eq!(gemma4.rope_of_layers("full_attention", 1), Ok(Rope::preset(RopePreset::Gemma4Global)));
    assert!(gemma4.rope_of_layers("sliding_attention", 1).is_err());
}

#[test]
fn classes_have_defaults() {
    let gemma3 = config(&json!({
        "text_config": {
            "model_type": "gemma3_text", "hidden_size": 3840, "num_attention_heads": 16, "rope_scaling": { "rope_type": "linear", "factor": 8.0 },
        },
    }));
    assert_eq!(gemma3.rope_of_layers("full_attention", 1), Ok(Rope::preset(RopePreset::Gemma3Global)));
    assert_eq!(gemma3.rope_of_layers("sliding_attention", 1), Ok(Rope::preset(RopePreset::Gemma3Local)));
    let glm4 = json!({ "model_type": "chatglm", "kv_channels": 128, "hidden_size": 4096, "rope_ratio": 500 });
    assert_is(&glm4, RopePreset::Glm4_9b);
    let neox = json!({ "model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64 });
    assert_is(&neox, RopePreset::GptNeox20b);
    assert_is(&json!({ "model_type": "llama", "head_dim": 128 }), RopePreset::Llama2);
}

/// As transformers resolves them.
#[test]
fn keys_that_contradict_each_other_have_an_order() {
    let added = json!({
        "head_dim": 128, "max_position_embeddings": 131_072,
        "rope_parameters": { "rope_type": "default", "rope_theta": 1e6 },
        "rope_scaling": { "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768 },
    });
    assert_is(&added, RopePreset::Qwen2_5Yarn);
    let mut two = added.clone();
    two["rope_parameters"] = json!({ "rope_type": "linear", "factor": 4.0, "rope_theta": 1e6 });
    let sentence =
        "the config has a rule in `rope_scaling` and another one in `rope_parameters`; leave one of them out";
    assert_eq!(config(&two).rope(9).unwrap_err().to_string(), sentence);
    two["rope_parameters"] = two["rope_scaling"].clone();
    two["rope_parameters"]["rope_theta"] = json!(1e6);
    assert_is(&two, RopePreset::Qwen2_5Yarn);
    two["rope_parameters"]["beta_fast"] = json!(16.0);
    assert_eq!(config(&two).rope(9).unwrap_err().to_string(), sentence);
    let bases = |other: f64| config(&json!({ "head_dim": 128, "rope_theta": 1e6, "rotary_emb_base": other }));
    assert_eq!(
        bases(1e4).rope(9).unwrap_err().to_string(),
        "the config has `rope_theta` 1000000.0 and `rotary_emb_base` 10000.0, which mean the same; leave one of them out"
    );
    assert!(bases(1e6).rope(9).is_ok());
    let empty = json!({ "head_dim": 128, "rope_theta": 1e6, "rope_scaling": {}, "rope_parameters": null });
    assert_is(&empty, RopePreset::Qwen2);
    let parts = json!({ "head_dim": 128, "qk_rope_head_dim": 64, "partial_rotary_factor": 0.5, "rope_theta": 1e4 });
    assert_eq!(config(&parts).rope(1).unwrap().pairs(), 32);
    let factor = json!({ "type": "linear", "factor": 8.0, "attention_factor": 0.5 });
    assert_is(&json!({ "head_dim": 256, "rope_theta": 1e6, "rope_scaling": factor }), RopePreset::Gemma3Global);
    let zamba2 = json!({ "attention_head_dim": 160, "kv_channels": 80, "rope_theta": 1e4 });
    assert_eq!(config(&zamba2).rope(1).unwrap().head_dim(), 160);
    let float = json!({ "head_dim": 64.0, "rope_theta": 1e4 });
    assert_eq!(config(&float).rope(1), Ok(Rope::new(64)));
}

#[test]
fn rules_may_depend_on_the_length() {
    let phi3 = config(&json!({
        "head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 131_072, "original_max_position_embeddings": 4096,
        "rope_scaling": {
            "type": "su", "short_factor": [1, 1.5], "long_factor": [2, 3], "short_mscale": 1.25, "long_mscale": 1.5,
        },
    }));
    let of = |seq_len| phi3.rope(seq_len).unwrap().to_string();
    assert_eq!(
        of(4096),
        "rotary_table!(seq_len, 4, scaling = longrope(factors = [1.0, 1.5], factor = 32.0, \
         original_max_position_embeddings = 4096), attention_factor = 1.25)"
    );
    assert!(of(4097).contains("factors = [2.0, 3.0]") && of(4097).contains("attention_factor = 1.5"));

    let dynamic = json!({ "type": "dynamic", "factor": 2.0 });
    let dynamic = config(&json!({
        "head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 2048, "rope_scaling": dynamic,
    }));
    let rule = "dynamic(factor = 2.0, max_position_embeddings = 2048, seq_len = 8192)";
    assert!(dynamic.rope(8192).unwrap().to_string().contains(rule));
}

#[test]
fn numbers_are_read_exactly() {
    // Fast parsers of JSON are an ulp off for this one.
    let config: RopeConfig = serde_json::from_str(r#"{ "head_dim": 8, "rope_theta": 31.245270191439438 }"#).unwrap();
    assert_eq!(config.rope(1), Ok(Rope::new(8).base(31.245_270_191_439_438)));
}

#[test]
fn what_is_not_expressible_is_refused() {
    #[track_caller]
    fn refused(value: &Value, sentence: &str) {
        assert_eq!(config(value).rope(2048).unwrap_err().to_string(), sentence);
    }
    let of = |scaling: Value| json!({ "head_dim": 64, "max_position_embeddings": 2048, "rope_scaling": scaling });
    let fope = config(&of(json!({ "type": "fope" }))).rope(1).unwrap_err().to_string();
    assert!(fope.starts_with("the config has the rope type `fope`, but must have one of `default`, `mrope`, `linear`"));
    refused(&of(json!({ "type": "linear" })), "the config has no `factor` in its `linear` parameters");
    refused(&of(json!({ "type": 3 })), "the config has `rope_type` 3, which is not a name");
    refused(&of(json!({ "type": "longrope" })), "the config has no list `short_factor`");
    let list = json!({ "type": "longrope", "factor": 2.0, "short_factor": 3 });
    refused(&of(list), "the config has `short_factor` 3, which is not a list");
    let yarn = json!({ "type": "yarn", "factor": 2.0, "truncate": "no" });
    refused(&of(yarn), "the config has `truncate` \"no\", which is not true or false");
    refused(&json!({ "head_dim": 64.5 }), "the config has `head_dim` 64.5, which is not an integer of 0 or more");
    let rows = json!({ "head_dim": 64, "max_position_embeddings": "many" });
    refused(&rows, "the config has `max_position_embeddings` \"many\", which is not an integer of 0 or more");
    refused(&json!({}), "the config has no `head_dim`; set it with `with_head_dim` or --head-dim");
    let no_heads = json!({ "hidden_size": 64, "num_attention_heads": 0, "rope_theta": 1e4 });
    refused(&no_heads, "the config has 0 heads; set `num_attention_heads` to at least 1, or `head_dim`");
    let mistral = json!({ "model_type": "mistral", "hidden_size": 768, "num_attention_heads": 12 });
    refused(&mistral, "the config has no `rope_theta`; set it with `with_base` or --base");
    let rotary = json!({ "model_type": "unknown", "head_dim": 64, "rotary_pct": 0.5 });
    let sentence = "the config has no `rope_theta`, and the base of the model type `unknown` is not known; give the \
                    parameters themselves in place of the config";
    refused(&rotary, sentence);
    // A base makes no rotary embedding of what may be another kind of model.
    let unknown = json!({ "model_type": "unknown", "hidden_size": 768, "num_attention_heads": 12 });
    let sentence = "the config has no key of a rotary embedding, and the model type `unknown` is not known to have one; if \
                    it has one, give the parameters themselves in place of the config";
    refused(&unknown, sentence);
    assert_eq!(config(&unknown).with_base(1e4).rope(9).unwrap_err().to_string(), sentence);
    assert!(serde_json::from_str::<RopeConfig>("[]").is_err());
}

#[test]
fn models_without_a_rotary_embedding_are_refused() {
    #[track_caller]
    fn refused(value: &Value, positions: &str) {
        let config = config(value).with_head_dim(64).with_base(1e4);
        let error = config.rope(2048).unwrap_err().to_string();
        assert!(error.ends_with(&format!(" uses {positions}")), "{error}");
    }
    let of = |model: &str| json!({ "model_type": model, "hidden_size": 768, "num_attention_heads": 12, "rope_scaling": null });
    let none = "and has no rotary embedding";
    for model in ["gpt2", "bert", "xlm-roberta", "openai-gpt", "opt"] {
        refused(&of(model), &format!("learned positions {none}"));
    }
    for (model, positions) in [("bloom", "attention biases (ALiBi)"), ("mpt", "attention biases (ALiBi)")] {
        refused(&of(model), &format!("{positions} {none}"));
    }
    refused(&of("t5"), &format!("learned relative positions {none}"));
    let table = "and has no rotary embedding; use `sinusoidal_table!`, `Spec` or `posenc table --config`";
    refused(&of("whisper"), &format!("sinusoidal positions {table}"));
    refused(&of("nllb-moe"), &format!("sinusoidal positions {table}"));
    refused(&of("distilbert"), &format!("learned or sinusoidal positions {table}"));
    refused(&json!({ "text_config": of("clip_text_model") }), &format!("learned positions {none}"));
    let falcon = json!({ "model_type": "falcon", "alibi": true, "hidden_size": 64, "num_attention_heads": 1, "rope_theta": 1e4 });
    refused(&falcon, &format!("attention biases (ALiBi) {none}"));
    let jina = json!({ "model_type": "bert", "position_embedding_type": "alibi" });
    refused(&jina, &format!("attention biases (ALiBi) {none}"));
    let sentence = "the config is for the model type `gpt2`, which uses learned positions and has no rotary embedding";
    assert_eq!(config(&of("gpt2")).rope_of_layers("", 9).unwrap_err().to_string(), sentence);

    // What sets a key of a rotary embedding has one.
    for (key, value) in [
        ("rope_theta", json!(1e4)),
        ("rope_parameters", json!({ "rope_theta": 1e4 })),
        ("position_embedding_type", json!("rotary")),
        ("attn_config", json!({ "rope": true })),
    ] {
        let mut bert = of("bert");
        bert[key] = value;
        assert!(config(&bert).with_base(1e4).rope(9).is_ok(), "{key}");
    }
}

#[test]
fn switches_say_that_there_is_no_rotary_embedding() {
    let of = |model: &str, key: &str, value: Value| {
        let width = "attention_head_dim"; // which Zamba2 needs
        config(&json!({ "model_type": model, "head_dim": 64, width: 64, "rope_theta": 1e4, key: value }))
    };
    for (model, key, off, on) in [
        ("granitemoehybrid", "position_embedding_type", json!("nope"), json!("rope")),
        ("granitemoehybrid", "position_embedding_type", json!(null), json!("rope")),
        ("esm", "position_embedding_type", json!("absolute"), json!("rotary")),
        ("wav2vec2-bert", "position_embeddings_type", json!("relative_key"), json!("rotary")),
        ("zamba2", "use_mem_rope", json!(false), json!(true)),
        ("kimi_linear", "mla_use_nope", json!(true), json!(false)),
        ("some", "position_embedding_type", json!("absolute"), json!("rope")),
        ("some", "position_embeddings_type", json!("relative"), json!("rotary")),
    ] {
        let error = of(model, key, off).rope(9).unwrap_err().to_string();
        assert!(error.contains("rotary embedding") && error.contains(key), "{error}");
        assert_eq!(of(model, key, on).rope(9), Ok(Rope::new(64)), "{model}");
    }
    // Configs of rotary models may have this from BERT.
    let modernbert = of("modernbert", "position_embedding_type", json!("absolute"));
    assert!(modernbert.rope_of_layers("full_attention", 9).is_ok());
    for (model, words) in [
        ("nemotron_h", "which uses no position embedding and has no rotary embedding"),
        ("llama4_vision_model", "a rotary table of several axes; use `AxialConfig` or --shape"),
    ] {
        let error = of(model, "head_dim", json!(64)).rope(9).unwrap_err().to_string();
        assert!(error.ends_with(words), "{error}");
    }
}

/// Each of these keys was once ignored, and the table was another one than the model's.
#[test]
fn keys_that_are_not_understood_are_refused() {
    let of = |key: &str, value: &Value| json!({ "head_dim": 64, "rope_theta": 1e4, key: value });
    let rule = |key: &str, value: Value| json!({ "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096, key: value });
    for (key, value, path) in [
        ("per_layer_config", json!({ "05": { "head_dim": 512 } }), "per_layer_config"),
        ("compress_rope_theta", json!(160_000), "compress_rope_theta"),
        ("layer_rope_theta", json!([5e5, 0.0]), "layer_rope_theta"),
        ("swa_rope_parameters", json!({ "rope_theta": 1e4 }), "swa_rope_parameters"),
        ("swa_head_dim", json!(128), "swa_head_dim"),
        ("use_scaled_rope", json!(true), "use_scaled_rope"),
        ("yarn", json!({ "factor": 16 }), "yarn"),
        ("rope_pct", json!(0.25), "rope_pct"),
        ("rotary_emb_fraction", json!(0.5), "rotary_emb_fraction"),
        ("rotary_scaling_factor", json!(2), "rotary_scaling_factor"),
        ("use_dynamic_ntk", json!(true), "use_dynamic_ntk"),
        ("rope_ntk_alpha", json!(1), "rope_ntk_alpha"),
        ("attn_config", json!({ "rope_theta": 5e5 }), "attn_config.rope_theta"),
        ("ROPE_SCALING", json!({ "type": "linear" }), "ROPE_SCALING"),
        ("use_alibi", json!(true), "use_alibi"),
        ("pos_emb", json!("alibi"), "pos_emb"),
        ("seq_len_interpolation_factor", json!(4.0), "seq_len_interpolation_factor"),
        ("freq_base", json!(1e6), "freq_base"),
        ("head_size", json!(32), "head_size"),
        ("lm_config", json!({ "rope_theta": 5e5 }), "lm_config.rope_theta"),
        ("rope_scaling", rule("meta", json!({ "factor": 2 })), "rope_scaling.meta"),
        ("rope_scaling", rule("head_dim", json!(32)), "rope_scaling.head_dim"),
        (
            "rope_parameters",
            json!({ "full_attention": { "rope_theta": 1e6 }, "factor": 4.0 }),
            "rope_parameters.factor",
        ),
        ("rope_scaling", json!("linear"), "rope_scaling"),
        ("rope_scaling", rule("attn_factor", json!(0.8)), "rope_scaling.attn_factor"),
        ("rope_scaling", rule("apply_yarn_scaling", json!(false)), "rope_scaling.apply_yarn_scaling"),
        ("rope_parameters", json!({ "full_attention": rule("new", json!(1)) }), "rope_parameters.full_attention.new"),
    ] {
        let config = config(&of(key, &value));
        let layers = config.layer_types().next().unwrap().to_string();
        let error = config.rope_of_layers(&layers, 9).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the config has `{path}` ")), "{error}");
        assert!(error.contains("may change the table and is not understood; ignore it with `ignore_key`"), "{error}");
        assert!(config.clone().ignore_key(path).rope_of_layers(&layers, 9).is_ok(), "{path}");
    }
    // A copy of a key of the language model beside it has no effect; another value has.
    let parts = config(&json!({ "text_config": of("rope_pct", &json!(0.5)), "rope_theta": 1e4, "rope_ratio": 2 }));
    let error = parts.rope(9).unwrap_err().to_string();
    assert!(error.starts_with("the config has `rope_ratio` 2, `text_config.rope_pct` 0.5, which may"), "{error}");
    let error = parts.ignore_key("rope_theta").rope(9).unwrap_err().to_string();
    assert_eq!(error, "the config has no key `rope_theta` that is not understood; do not ignore it");
}

#[test]
fn keys_without_effect_are_no_errors() {
    let many = config(&json!({
        "head_dim": 64, "rope_theta": 1e4, "rope_scaling": null, "swa_head_dim": 64, "swa_num_attention_heads": 8,
        "qk_nope_head_dim": 128, "routed_scaling_factor": 2.5, "rope_interleave": true, "no_rope_layers": [1, 0],
        "use_dynamic_ntk": false, "rotary_emb_fraction": 1.0, "alibi": false, "rotary": true, "original_rope": true,
        "head_size": 64, "partial_rotary_factor": 1.0, "rope_percent": 1.0, "rotary_scaling_factor": 1.0, "rotary_emb_scale_base": null, "per_layer_config": {},
        "vision_config": { "rope_theta": 100.0 }, "codec_config": { "rope_parameters": { "rope_theta": 1e5 } },
    }));
    assert_eq!(many.rope(9), Ok(Rope::new(64).partial_rotary_factor(1.0)));
    let sliding = json!({ "01": { "sliding_window": 1024 } });
    let by_layer = config(&json!({ "head_dim": 64, "rope_theta": 1e4, "per_layer_config": sliding }));
    assert_eq!(by_layer.rope(9), Ok(Rope::new(64)));
}

/// Whether the rule of a config without types of layers is also that of sliding layers depends on the class.
#[test]
fn a_rule_may_be_of_some_layers() {
    let linear = json!({ "rope_type": "linear", "factor": 2.0 });
    let of = |model: &str| config(&json!({ "model_type": model, "head_dim": 64, "rope_scaling": linear }));
    let call = |model: &str, layers: &str| of(model).rope_of_layers(layers, 9).unwrap().to_string();
    let scaled = "rotary_table!(seq_len, 64, base = 500000.0, scaling = linear(factor = 2.0))";
    assert_eq!(call("olmo3", "full_attention"), scaled);
    assert_eq!(call("olmo3", "sliding_attention"), "rotary_table!(seq_len, 64, base = 500000.0)");
    let sliding = "rotary_table!(seq_len, 64, scaling = linear(factor = 2.0))";
    assert_eq!(call("modernbert", "sliding_attention"), sliding);
    assert!(call("modernbert", "full_attention").starts_with("rotary_table!(seq_len, 64, base = 160000.0, scaling"));
    let plain = config(&json!({ "model_type": "olmo3", "head_dim": 64, "rope_theta": 5e5 }));
    assert_eq!(plain.rope(9), Ok(Rope::new(64).base(5e5)));
}

/// A default that is not known is not guessed.
#[test]
fn keys_that_some_classes_need_are_asked_for() {
    let of = |model: &str, more: Value| {
        let mut keys = json!({ "model_type": model, "head_dim": 64, "rope_theta": 1e4 });
        keys.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        config(&keys).rope(9).map(|rope| rope.pairs()).map_err(|error| error.to_string())
    };
    for (model, key, value) in [
        ("moonshine_streaming", "partial_rotary_factor", json!(0.5)),
        ("youtu", "qk_rope_head_dim", json!(64)),
        ("jetmoe", "kv_channels", json!(64)),
        ("zamba2", "attention_head_dim", json!(64)),
    ] {
        let switch = json!({ "use_mem_rope": true });
        assert!(of(model, switch).unwrap_err().contains(&format!("has no `{key}`; the default")), "{model}");
        assert!(of(model, json!({ "use_mem_rope": true, key: value })).is_ok(), "{model}");
    }
    assert!(
        of("gpt_oss", json!({})).unwrap_err().ends_with("has no `rope_scaling`; the default of its class is not known")
    );
    assert!(of("deepseek_v4", json!({})).unwrap_err().contains("no `rope_parameters` for each type of layers"));
    assert_eq!(of("gptj", json!({ "head_dim": 256 })), Ok(32));
    // Latent attention may be switched off, and a width of 0 is none.
    let off = json!({ "qk_rope_head_dim": 32, "use_mla": false });
    assert_eq!((of("deepseek_v2", off), of("deepseek_v2", json!({ "qk_rope_head_dim": 0 }))), (Ok(32), Ok(32)));
    let both = json!({ "rope_scaling": { "type": "dynamic", "factor": 4.0, "alpha": 2.0 } });
    assert!(of("llama", both).unwrap_err().contains("both `alpha` and a `factor`"));
    let ratio = |vocabulary: usize| of("chatglm", json!({ "rope_ratio": 4, "padded_vocab_size": vocabulary }));
    assert!(ratio(65_024).unwrap_err().contains("`rope_ratio` means different things") && ratio(151_552).is_ok());
}

#[test]
fn classes_have_widths() {
    let of = |whole: &str, model: &str| {
        let text = json!({ "model_type": model, "hidden_size": 2560, "num_attention_heads": 32, "rope_theta": 1e4 });
        config(&json!({ "model_type": whole, "text_config": text })).rope(9).unwrap().head_dim()
    };
    assert_eq!([of("mistral3", "mistral"), of("qwen3_vl", "qwen3_vl_text"), of("llava", "mistral")], [128, 128, 80]);
    let gemma4 = config(&json!({
        "model_type": "gemma4_text",
        "rope_parameters": { "full_attention": { "rope_theta": 1e6 }, "sliding_attention": { "rope_theta": 1e4 } },
    }));
    let width = |layers| gemma4.rope_of_layers(layers, 9).unwrap().head_dim();
    assert_eq!([width("full_attention"), width("sliding_attention")], [512, 256]);
}

/// As transformers moves it into the rule, unless there is a rule for each type of layers.
#[test]
fn the_original_context_of_the_model_has_priority() {
    let yarn = json!({ "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024 });
    let llama3 = json!({
        "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 1024,
    });
    let longrope = json!({
        "rope_type": "longrope", "short_factor": [1, 1], "long_factor": [2, 2], "original_max_position_embeddings": 1024,
    });
    let of = |rule: &Value, key: &str| {
        json!({
            "head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 65_536, "original_max_position_embeddings": 4096,
            key: rule,
        })
    };
    for rule in [&yarn, &llama3, &longrope] {
        for key in ["rope_scaling", "rope_parameters"] {
            let config = config(&of(rule, key));
            let call = config.rope(9).unwrap().to_string();
            assert!(call.contains("original_max_position_embeddings = 4096"), "{call}");
        }
        let layers = config(&of(&json!({ "full_attention": rule }), "rope_parameters"));
        let call = layers.rope_of_layers("full_attention", 9).unwrap().to_string();
        assert!(call.contains("original_max_position_embeddings = 1024"), "{call}");
    }
    // Such a rule without one has the positions of the model.
    let layers = config(&of(&json!({ "full_attention": { "rope_type": "yarn", "factor": 4.0 } }), "rope_parameters"));
    let call = layers.rope_of_layers("full_attention", 9).unwrap().to_string();
    assert!(call.contains("original_max_position_embeddings = 65536"), "{call}");
}
