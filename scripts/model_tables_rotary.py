"""The rotary caches for model_tables.py: rows of module, name, call, command of posenc, and why nothing is to fit.

The parameters are those of the model: the defaults of its class, or of its config.json where these are others. Most rows
have the sines alone, which tell frequencies apart in fewer rows than cosines do.
"""

LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
LLAMA3_1 = {**LLAMA3, "factor": 8.0}
LLAMA3_2 = {**LLAMA3, "factor": 32.0}
LLAMA4 = {**LLAMA3, "factor": 16.0, "high_freq_factor": 1.0}
QWEN_YARN = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32768}
DEEPSEEK = {
    "rope_type": "yarn",
    "rope_theta": 10000.0,
    "factor": 40.0,
    "original_max_position_embeddings": 4096,
    "beta_fast": 32,
    "beta_slow": 1,
}
GEMMA3 = {
    "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
}
PHI3_5 = "max_position_embeddings=131072, original_max_position_embeddings=4096, rope_parameters=phi3_5"
HUNYUAN = {"rope_type": "dynamic", "rope_theta": 10000.0, "alpha": 1000.0, "factor": 1.0}


def base(theta, **others):
    return {"rope_type": "default", "rope_theta": theta, **others}


def mscale(number):
    return {**DEEPSEEK, "mscale": number, "mscale_all_dim": number}


def hf(folder, model, preset, rope=None, config="", packing="sin", repeat="halves", more="", text=""):
    """A cache of transformers. It is the table of the preset, packed and repeated as the model has it."""
    arguments = ", ".join(filter(None, [config, rope and f"rope_parameters={rope}"]))
    call = f"{packing}({model}{text}RotaryEmbedding({model}{text}Config({arguments})){more})"
    name = preset if packing == "sin" or packing == "complex" else f"{preset}_{packing}"
    command = f"rope --preset {preset} --packing {packing}" + (f" --repeat {repeat}" if repeat else "")
    return f"transformers.models.{folder}.modeling_{folder}", name, call, command


def of_base(folder, model, head_dim, base, text="", **others):
    """A cache of transformers whose base no preset has."""
    module, name, call, _ = hf(folder, model, folder, text=text, **others)
    return module, name, call, f"rope --head-dim {head_dim} --base {base} --packing sin --repeat halves"


def of_rule(folder, model, options, text="", **others):
    """A cache of transformers with a rule, or a base, that no preset has."""
    module, name, call, _ = hf(folder, model, folder, text=text, **others)
    return module, name, call, f"rope {options} --packing sin --repeat halves"


def litgpt(model, preset, layer=""):
    """A cache of LitGPT, which has the parameters of the model by its name."""
    call = f"GPT.rope_cache(SimpleNamespace(config=Config.from_name({model!r}), max_seq_length=n))[1]{layer}"
    return "litgpt.model", f"litgpt_{preset}", call, f"rope --preset {preset} --packing sin --repeat halves"


ROWS = [
    hf("llama", "Llama", "llama2"),
    hf("llama", "Llama", "codellama", base(1e6)),
    hf("llama", "Llama", "llama3", base(5e5)),
    hf("llama", "Llama", "llama3_1", LLAMA3_1),
    hf("llama", "Llama", "llama3_1", LLAMA3_1, packing="cos"),
    hf("llama", "Llama", "llama3_2_1b", LLAMA3_2, "head_dim=64"),
    hf("llama", "Llama", "llama3_2_3b", LLAMA3_2),
    hf("llama", "Llama", "falcon3", base(1000042.0), "head_dim=256"),
    hf("llama", "Llama", "yi", base(5e6)),
    hf("llama", "Llama", "smollm2", base(130000.0), "head_dim=64"),
    hf("llama4", "Llama4", "llama4_scout", LLAMA4, packing="complex", repeat="", text="Text"),
    hf("llama4", "Llama4", "llama4_maverick", base(5e5), packing="complex", repeat="", text="Text"),
    hf("mistral", "Mistral", "mistral_7b_v0_1"),
    hf("mistral", "Mistral", "mistral", base(1e6)),
    hf("mixtral", "Mixtral", "mixtral"),
    hf("ministral3", "Ministral3", "ministral3"),
    hf("qwen2", "Qwen2", "qwen2", base(1e6)),
    hf("qwen2", "Qwen2", "qwen2_5_yarn", QWEN_YARN),
    hf("qwen2", "Qwen2", "qwen2_5_yarn", QWEN_YARN, packing="cos"),
    hf("qwen3", "Qwen3", "qwen3", base(1e6)),
    hf("qwen3", "Qwen3", "qwen3_2507", base(5e6)),
    (
        "transformers.models.qwen2_vl.modeling_qwen2_vl",
        "qwen2_vl",
        "sin(Qwen2VLRotaryEmbedding(Qwen2VLTextConfig()))",
        "rope --preset qwen2_vl --packing sin --repeat halves",
    ),
    (
        "transformers.models.qwen2_5_vl.modeling_qwen2_5_vl",
        "qwen2_5_vl",
        "sin(Qwen2_5_VLRotaryEmbedding(Qwen2_5_VLTextConfig()))",
        "rope --preset qwen2_5_vl --packing sin --repeat halves",
    ),
    hf("qwen3_vl", "Qwen3VL", "qwen3_vl", base(5e6, mrope_section=[24, 20, 20]), text="Text"),
    hf("gemma", "Gemma", "gemma"),
    hf("gemma2", "Gemma2", "gemma2"),
    (
        "transformers.models.gemma3.modeling_gemma3",
        "gemma3_global",
        f"sin(Gemma3RotaryEmbedding(Gemma3TextConfig(rope_parameters={GEMMA3})), layer_type='full_attention')",
        "rope --preset gemma3_global --packing sin --repeat halves",
    ),
    (
        "transformers.models.gemma3.modeling_gemma3",
        "gemma3_local",
        f"sin(Gemma3RotaryEmbedding(Gemma3TextConfig(rope_parameters={GEMMA3})), layer_type='sliding_attention')",
        "rope --preset gemma3_local --packing sin --repeat halves",
    ),
    hf("gemma4", "Gemma4", "gemma4_global", more=", layer_type='full_attention'", text="Text"),
    hf("phi", "Phi", "phi2", base(10000.0, partial_rotary_factor=0.4), "hidden_size=2560"),
    hf("phi3", "Phi3", "phi3_mini_4k"),
    hf("phi3", "Phi3", "phi4", base(250000.0), "hidden_size=5120, num_attention_heads=40"),
    hf("phi3", "Phi3", "phi4_reasoning", base(500000.0), "hidden_size=5120, num_attention_heads=40"),
    hf("phi3", "Phi3", "phi3_5_mini_short", config=PHI3_5),
    # With a position beyond 4096 the model takes the other divisors for all positions.
    hf("phi3", "Phi3", "phi3_5_mini_long", config=PHI3_5, more=", positions=4097"),
    hf("deepseek_v2", "DeepseekV2", "deepseek_v2", mscale(0.707), packing="complex", repeat=""),
    hf("deepseek_v3", "DeepseekV3", "deepseek_v3", mscale(1.0)),
    hf("gpt_oss", "GptOss", "gpt_oss", repeat=""),
    hf("gpt_oss", "GptOss", "gpt_oss", packing="cos", repeat=""),
    hf("gpt_neox", "GPTNeoX", "gpt_neox_20b"),
    (
        "transformers.models.gptj.modeling_gptj",
        "gpt_j",
        "create_sinusoidal_positions(n, 64)",
        "rope --preset gpt_j --packing sin_cos",
    ),
    hf("falcon", "Falcon", "falcon"),
    hf("glm", "Glm", "glm4_9b", base(5e6, partial_rotary_factor=0.5)),
    hf("olmo", "Olmo", "olmo"),
    hf("olmo2", "Olmo2", "olmo2", base(5e5)),
    hf("cohere", "Cohere", "command_r", base(8e6), repeat="pairs"),
    hf("modernbert", "ModernBert", "modernbert_global", more=", layer_type='full_attention'"),
    hf("modernbert", "ModernBert", "modernbert_local", more=", layer_type='sliding_attention'"),
    hf("apertus", "Apertus", "apertus"),
    hf("hunyuan_v1_dense", "HunYuanDenseV1", "hunyuan_dense", HUNYUAN, "head_dim=128"),
    of_base("bailing_hybrid", "BailingHybrid", 64, 6000000),
    of_base("cosmos3_edge", "Cosmos3Edge", 128, 100000000, text="Text"),
    of_base("dots3_note", "Dots3Note", 64, 50000, text="Text", more=", layer_type='sliding_attention'"),
    of_base("helium", "Helium", 128, 100000),
    of_base("jina_embeddings_v3", "JinaEmbeddingsV3", 64, 20000),
    of_base("longcat_flash", "LongcatFlash", 64, 10000000),
    of_base("nomic_bert", "NomicBert", 64, 1000),
    of_base("smollm3", "SmolLM3", 128, 2000000),
    of_base("ultrabert", "Ultrabert", 128, 2560000, more=", layer_type='full_attention'"),
    of_rule("cwm", "Cwm", "--head-dim 128 --base 1000000 --scaling llama3(16,8192)"),
    of_rule(
        "lfm3",
        "Lfm3",
        "--head-dim 128 --base 1000000 --scaling proportional(0.5)",
        more=", layer_type='full_attention'",
    ),
    of_rule("mistral4", "Mistral4", "--head-dim 64 --scaling yarn(128,8192,mscale=1,mscale_all_dim=1)"),
    of_rule(
        "mistral_large4",
        "MistralLarge4",
        "--head-dim 64 --scaling yarn(2048,512,mscale=1,mscale_all_dim=1)",
        text="Text",
    ),
    litgpt("Llama-3.1-8B", "llama3_1"),
    litgpt("Llama-3.2-1B", "llama3_2_1b"),
    litgpt("Qwen2.5-7B", "qwen2_5"),
    litgpt("Qwen3-4B-Instruct-2507", "qwen3_2507"),
    litgpt("Gemma-3-4b-it", "gemma3_global", "[..., 0]"),
    litgpt("Gemma-3-4b-it", "gemma3_local", "[..., 1]"),
    litgpt("phi-2", "phi2"),
    litgpt("phi-4", "phi4"),
    litgpt("Falcon3-7B-Base", "falcon3"),
    litgpt("OLMo-2-1124-7B", "olmo2"),
    (
        "llama_models.llama3.model",
        "meta_llama3_1",
        "precompute_freqs_cis(128, n, 500000.0, use_scaled=True)",
        "rope --preset llama3_1 --packing complex",
    ),
    (
        "llama_models.llama4.model",
        "meta_llama4_scout",
        "precompute_freqs_cis(128, n, 500000.0, True, 16.0, 1.0)",
        "rope --preset llama4_scout --packing complex",
    ),
    (
        "torchtune.modules.position_embeddings",
        "torchtune_llama2",
        "RotaryPositionalEmbeddings(128, n).cache.flatten(1)",
        "rope --preset llama2 --packing complex",
    ),
    (
        "torchtune.models.llama3_1._position_embeddings",
        "torchtune_llama3_1",
        "Llama3ScaledRoPE(128, n, base=500_000).cache.flatten(1)",
        "rope --preset llama3_1 --packing complex",
    ),
    (
        "torchtune.models.phi3._position_embeddings",
        "torchtune_phi3",
        "Phi3RotaryPositionalEmbeddings(96, n).cache",
        "rope --preset phi3_mini_4k --repeat halves",
    ),
    # It has no cache: it rotates 1 in place of each pair.
    (
        "rotary_embedding_torch.rotary_embedding_torch",
        "rotary_embedding_torch",
        "RotaryEmbedding(64).rotate_queries_or_keys(torch.tensor([1.0, 0.0]).repeat(n, 32))",
        "rope --head-dim 64 --base 10000 --packing complex",
    ),
    (
        "diffusers.models.embeddings",
        "rotary_pairs",
        "get_1d_rotary_pos_embed(64, n, use_real=True)[1]",
        "rope --head-dim 64 --base 10000 --packing sin --repeat pairs",
    ),
    (
        "diffusers.models.embeddings",
        "rotary_complex",
        "get_1d_rotary_pos_embed(64, n)",
        "rope --head-dim 64 --base 10000 --packing complex",
    ),
    (
        "speechbrain.nnet.attention",
        "speechbrain_rope_cos",
        "PrecomputedRoPESinusoids(n, 64, torch.float32, 'cpu').cosines",
        "rope --head-dim 64 --base 10000 --packing cos --repeat pairs",
    ),
    (
        "speechbrain.nnet.attention",
        "speechbrain_rope_sin",
        "PrecomputedRoPESinusoids(n, 64, torch.float32, 'cpu').sines",
        None,
        "every other column has the opposite sign, for its product with the swapped pairs",
    ),
    (
        "torchscale.architecture.retnet",
        "retnet",
        "RetNetRelPos(SimpleNamespace(decoder_embed_dim=64, decoder_retention_heads=1, recurrent_chunk_size=1))(n)[0][0]",
        "table --columns sin --repeat pairs --freq-shift 1",
    ),
]
