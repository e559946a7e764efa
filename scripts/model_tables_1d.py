"""The 1-D tables for model_tables.py: rows of module, name, call, command of posenc, and why nothing is to fit.

A table has n rows and d columns, and `last` is n - 1. A width of d + 1 is odd.
"""

FAIRSEQ = "table --preset fairseq --zero-row 1"
SEAMLESS = "table --preset fairseq --zero-row 0"
PAPER = "table --preset paper"
DISTILBERT = "table --preset distilbert"
HF_MARIAN = "table --preset hf_marian"
WHISPER = "table --preset whisper"
MUSICGEN = "table --preset musicgen"
TENSOR2TENSOR = "table --preset tensor2tensor"
DDPM = "table --preset ddpm"
ADM = "table --preset adm"
CONFORMER = "table --preset conformer_rel --start {last}"

NO_SIGN = "the sines are those of the distance without its sign"


def hf(folder, call, command, name=None):
    return f"transformers.models.{folder}.modeling_{folder}", name or folder, call, command


XLNET = "XLNetModel(XLNetConfig(d_model=d, n_layer=0, n_head=1, vocab_size=1))"
WAV2VEC2 = "Wav2Vec2ConformerConfig(hidden_size=d, max_source_positions=n)"
FASTSPEECH2 = "FastSpeech2ConformerConfig(hidden_size=d), {'positional_dropout_rate': 0}"
FLORENCE2 = "SimpleNamespace(vision_config=SimpleNamespace(embed_dim=[d], max_temporal_embeddings=n))"
VIBEVOICE = "SimpleNamespace(frequency_embedding_size=d, diffusion_max_period=10000)"
BROS = "SimpleNamespace(dim_bbox_sinusoid_emb_1d=d)"
SEAMLESS_CONFORMER = "SeamlessM4TConfig(hidden_size=d, max_source_positions=n)"
KIMI = "SimpleNamespace(hidden_size=d, pos_emb_time=n, pos_emb_height=1, pos_emb_width=1)"

TRANSFORMERS = [
    hf("m2m_100", "M2M100SinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("xglm", "XGLMSinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("nllb_moe", "NllbMoeSinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("speech_to_text", "Speech2TextSinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("speecht5", "SpeechT5SinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("kosmos2_5", "Kosmos2_5TextSinusoidalPositionalEmbedding(n, d, 1).weights", FAIRSEQ),
    hf("seamless_m4t", "SeamlessM4TSinusoidalPositionalEmbedding(n, d, 0).weights", SEAMLESS),
    hf("seamless_m4t_v2", "SeamlessM4Tv2SinusoidalPositionalEmbedding(n, d, 0).weights", SEAMLESS),
    hf("fsmt", "SinusoidalPositionalEmbedding.get_embedding(n, d, 1)", FAIRSEQ),
    hf("fsmt", "SinusoidalPositionalEmbedding.get_embedding(n, d + 1, None)", "table --preset fairseq", "fsmt_odd"),
    hf("whisper", "sinusoids(n, d)", WHISPER, "hf_whisper"),
    hf("qwen2_5_omni", "SinusoidsPositionEmbedding(n, d).positional_embedding", WHISPER),
    hf("qwen3_omni_moe", "SinusoidsPositionEmbedding(n, d).positional_embedding", WHISPER),
    hf("qwen2_5_omni", "SinusPositionEmbedding(d)(torch.arange(float(n)))", DDPM + " --scale 1000",
       "qwen2_5_omni_timesteps"),
    hf("pegasus_x", "PegasusXSinusoidalPositionalEmbedding(d)(torch.zeros(1, n, d))", WHISPER),
    hf("gemma4", "Gemma4AudioRelPositionalEncoding(Gemma4AudioConfig(hidden_size=d))(torch.zeros(1))",
       "table --preset whisper --start 12 --step -1", "gemma4_audio"),
    hf("distilbert", "create_sinusoidal_embeddings(n, d, torch.empty(n, d))", DISTILBERT),
    hf("xlm", "create_sinusoidal_embeddings(n, d, torch.empty(n, d))", DISTILBERT),
    hf("flaubert", "create_sinusoidal_embeddings(n, d, torch.empty(n, d))", DISTILBERT),
    hf("videomae", "get_sinusoid_encoding_table(n, d)", DISTILBERT),
    hf("florence2", f"Florence2VisionPositionalEmbeddingCosine1D({FLORENCE2}).pos_idx_to_embed", PAPER),
    hf("marian", "MarianSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("marian", "MarianSinusoidalPositionalEmbedding(n, d + 1).create_weight()", HF_MARIAN, "marian_odd"),
    hf("pegasus", "PegasusSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("roformer", "RoFormerSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("informer", "InformerSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("autoformer", "AutoformerSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("time_series_transformer", "TimeSeriesSinusoidalPositionalEmbedding(n, d).create_weight()", HF_MARIAN),
    hf("codegen", "create_sinusoidal_positions(n, d)", HF_MARIAN),
    hf("videoprism", "create_sinusoidal_positions(n, d)", HF_MARIAN),
    hf("bros", f"BrosPositionalEmbedding1D({BROS})(torch.arange(n).view(1, 1, n))", HF_MARIAN),
    # Its row of zeros comes before position 0, and is the preset of no model.
    hf("kimi_k25", f"Kimi_K25VisionPositionEmbeddings({KIMI}).time_position_embeddings",
       "table --layout halves --start -1 --zero-row 0"),
    hf("canary", "CanaryPositionalEmbedding(n, d)(torch.arange(n))", "table --preset x_transformers"),
    hf("musicgen", "MusicgenSinusoidalPositionalEmbedding(n, d).weights", MUSICGEN),
    hf("musicgen", "MusicgenSinusoidalPositionalEmbedding(n, d + 1).weights", MUSICGEN, "musicgen_odd"),
    hf("musicgen_melody", "MusicgenMelodySinusoidalPositionalEmbedding(n, d).weights", MUSICGEN),
    hf("timesfm", "TimesFmPositionalEmbedding(TimesFmConfig(hidden_size=d))(n)", TENSOR2TENSOR),
    hf("xlnet", f"{XLNET}.relative_positional_encoding(n, n)", "table --preset transformer_xl --start {n}"),
    hf("wav2vec2_conformer", f"Wav2Vec2ConformerRelPositionalEmbedding({WAV2VEC2}).pe", CONFORMER),
    hf("seamless_m4t", f"SeamlessM4TConformerRelPositionalEmbedding({SEAMLESS_CONFORMER}).pe", CONFORMER,
       "seamless_m4t_conformer"),
    hf("fastspeech2_conformer", f"FastSpeech2ConformerRelPositionalEncoding({FASTSPEECH2})(torch.zeros(1, n, d))[1]",
       CONFORMER),
    hf("parakeet", "ParakeetEncoderRelPositionalEncoding(ParakeetEncoderConfig(hidden_size=d))(torch.zeros(1, n, d))",
       CONFORMER),
    hf("vibevoice", f"VibeVoiceDiffusionHeadSinusoidalEmbedding({VIBEVOICE})(torch.arange(n))", ADM),
]

DIFFUSERS = [("diffusers.models.embeddings", *row) for row in [
    ("ddpm", "get_timestep_embedding(torch.arange(n), d)", DDPM),
    ("ddpm_odd", "get_timestep_embedding(torch.arange(n), d + 1)", DDPM),
    ("unet", "Timesteps(d, flip_sin_to_cos=True, downscale_freq_shift=0)(torch.arange(n))", ADM),
    ("scaled", "Timesteps(d, flip_sin_to_cos=True, downscale_freq_shift=0, scale=1000)(torch.arange(n))",
     ADM + " --scale 1000"),
    ("animatediff", "SinusoidalPositionalEmbedding(d, n).pe", PAPER),
    ("sincos_1d", "get_1d_sincos_pos_embed_from_grid(d, torch.arange(n))", HF_MARIAN),
]]

OTHERS = [
    ("whisper.model", "whisper", "sinusoids(n, d)", WHISPER),
    ("x_transformers.x_transformers", "x_transformers", "ScaledSinusoidalEmbedding(d)(torch.zeros(1, n, d))",
     "table --preset x_transformers"),
    ("mlx.nn.layers.positional_encoding", "mlx", "SinusoidalPositionalEncoding(d)(mx.arange(n))", "table --preset mlx"),
    ("mlx.nn.layers.positional_encoding", "mlx_256", "SinusoidalPositionalEncoding(256)(mx.arange(n))",
     "table --preset mlx"),
    ("mlx.nn.layers.positional_encoding", "mlx_turns",
     "SinusoidalPositionalEncoding(d, cos_first=True, full_turns=True, scale=1)(mx.arange(n))",
     "table --preset musicgen --scale 6.283185307179586"),
    ("keras_hub.src.layers.modeling.sine_position_encoding", "keras_hub", "SinePositionEncoding()(ops.zeros((1, n, d)))",
     "table --preset keras_hub"),
    ("keras_hub.src.layers.modeling.sine_position_encoding", "keras_hub_start",
     "SinePositionEncoding(max_wavelength=1000)(ops.zeros((1, n, d)), start_index=5)",
     "table --preset keras_hub --base 1000 --start 5"),
    ("opennmt.layers.position", "opennmt_tf", "SinusoidalPositionEncoder()(tf.zeros((1, n, d)))", "table --preset opennmt_tf"),
    ("onmt.modules.embeddings", "onmt", "PositionalEncoding(d, 'SinusoidalInterleaved', n).pe", PAPER),
    ("onmt.modules.embeddings", "onmt_concat", "PositionalEncoding(d, 'SinusoidalConcat', n).pe", WHISPER),
    ("tensor2tensor.layers.common_attention", "tensor2tensor", "get_timing_signal_1d(n, d)", TENSOR2TENSOR),
    ("tensor2tensor.layers.common_attention", "tensor2tensor_odd", "get_timing_signal_1d(n, d + 1)", TENSOR2TENSOR),
    ("tensor2tensor.layers.common_attention", "tensor2tensor_timescale", "get_timing_signal_1d(n, d, min_timescale=2.0)",
     TENSOR2TENSOR + " --scale 2 --base 5000"),
    ("audiocraft.modules.transformer", "audiocraft", "create_sin_embedding(torch.arange(n).view(1, n, 1), d)", MUSICGEN),
    ("fairseq2.nn.position_encoder", "fairseq2", "SinusoidalPositionEncoder(d, n).freqs",
     "table --preset fairseq --start -1 --zero-row 0"),
    ("fairseq2.nn.position_encoder", "fairseq2_legacy", "SinusoidalPositionEncoder(d, n, _legacy_pad_idx=1).freqs",
     "table --preset fairseq --start 1 --zero-row 0"),
    ("espnet.nets.pytorch_backend.transformer.embedding", "espnet", "PositionalEncoding(d, 0, n).pe", PAPER),
    ("espnet.nets.pytorch_backend.transformer.embedding", "espnet_conformer", "RelPositionalEncoding(d, 0, n).pe", CONFORMER),
    ("espnet.nets.pytorch_backend.transformer.embedding", "espnet_legacy", "LegacyRelPositionalEncoding(d, 0, n).pe",
     CONFORMER),
    ("speechbrain.lobes.models.transformer.Transformer", "speechbrain", "PositionalEncoding(d, n).pe", PAPER),
    ("speechbrain.nnet.attention", "speechbrain_rel", "RelPosEncXL(d).make_pe(n)", None, NO_SIGN),
    ("nemo.collections.asr.modules.transformer.transformer_modules", "nemo_fixed", "FixedPositionalEncoding(d, n).pos_enc",
     "table --preset nemo_fixed"),
    ("denoising_diffusion_pytorch.denoising_diffusion_pytorch", "denoising_diffusion", "SinusoidalPosEmb(d)(torch.arange(n))",
     DDPM),
    ("labml_nn.transformers.positional_encoding", "labml", "get_positional_encoding(d, n)", PAPER),
    ("monai.networks.nets.diffusion_model_unet", "monai_timesteps", "get_timestep_embedding(torch.arange(n), d)", ADM),
    ("positional_encodings.torch_encodings", "tatp22_1d", "PositionalEncoding1D(d)(torch.zeros(1, n, d))", PAPER),
    # The first columns of the table that is one wider. An odd width has these frequencies with base 10000^(33/34), 7626.986.
    ("positional_encodings.torch_encodings", "tatp22_1d_odd", "PositionalEncoding1D(33)(torch.zeros(1, n, 33))",
     PAPER + " --base 7627"),
    ("vit_pytorch.simple_vit_1d", "simple_vit_1d", "posemb_sincos_1d(torch.zeros(1, n, d))", WHISPER),
    ("torchscale.component.xpos_relative_position", "xpos", "fixed_pos_embedding(torch.zeros(n, d))[0]",
     "table --preset sine_codes"),
]

ROWS = TRANSFORMERS + DIFFUSERS + OTHERS
