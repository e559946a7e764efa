"""The tables of grids for model_tables.py: rows of module, name, call, command of posenc, and why nothing is to fit.

A table has d columns; its sizes are t, h and w, or h alone if the model has squares only. Images have their channels first,
so the call moves them to the last axis.
"""

MAE = "grid --preset mae --shape {h}x{w}"
MAE_SQUARE = "grid --preset mae --shape {h}x{h}"
HF_2D = "grid --preset hf_2d --shape {h}x{w}"
MOCO = "grid --preset moco_v3 --shape {w}x{h} --zero-rows 0"
NORMALIZED = "grid --preset detr_normalized --shape {h}x{w}"

BASE_20 = "grid --preset detr_normalized --shape {h}x{w} --base 20"
ALTERNATING = "a pair of columns for the width and one for the height in turn, which no grid has"

VIT_MAE = "ViTMAEEmbeddings(ViTMAEConfig(hidden_size=d, image_size=h, patch_size=1))"
PIXART = "PatchEmbed(height=128, width=128, patch_size=2, embed_dim=d, interpolation_scale=2)"
AIMV2 = "Aimv2VisionEmbeddings(Aimv2VisionConfig(hidden_size=d, patch_size=1, num_channels=1, is_native=True))"


def hf(folder, call, command, name=None):
    return f"transformers.models.{folder}.modeling_{folder}", name or folder, call, command


def sine(folder, model, command, name=None, normalize=", normalize=True"):
    """A class that takes the shape of the image."""
    call = f"{model}SinePositionEmbedding(d // 2{normalize})((1, 1, h, w), 'cpu', torch.float32)[0].flatten(1).T"
    return hf(folder, call, command, name)


def masked(folder, module, command):
    """A class that takes a mask, which has no padding here."""
    return hf(folder, f"{module}(torch.zeros(1), torch.ones(1, h, w))[0].flatten(1).T", command)


ROWS = [
    hf("vit_mae", f"initialized({VIT_MAE}).position_embeddings", MAE_SQUARE + " --zero-rows 1"),
    hf("aimv2", f"zeroed({AIMV2})(torch.zeros(1, 1, h, w))", MAE),
    hf("granite_docling", "GraniteDoclingPositionEmbedding(d, h).pos_embed", MAE_SQUARE),
    hf("rt_detr", "RTDetrSinePositionEmbedding(d)(w, h, torch.device('cpu'), torch.float32)", HF_2D),
    hf("d_fine", "DFineSinePositionEmbedding(d)(w, h, torch.device('cpu'), torch.float32)", HF_2D),
    hf("pp_doclayout_v4", "PPDocLayoutV4SinePositionEmbedding(d)(w, h, torch.device('cpu'), torch.float32)", HF_2D),
    hf("omdet_turbo", "OmDetTurboHybridEncoder.build_2d_sincos_position_embedding(w, h, d)", MOCO),
    sine("detr", "Detr", "grid --preset detr --shape {h}x{w}", normalize=""),
    sine("detr", "Detr", NORMALIZED, "detr_normalized"),
    sine("conditional_detr", "ConditionalDetr", NORMALIZED),
    sine("maskformer", "MaskFormer", NORMALIZED),
    sine("oneformer", "OneFormer", NORMALIZED),
    sine("sam2", "Sam2", NORMALIZED, "hf_sam2"),
    sine("sam3", "Sam3", NORMALIZED),
    sine("deformable_detr", "DeformableDetr", "grid --preset deformable_detr --shape {h}x{w}"),
    masked("table_transformer", "TableTransformerSinePositionEmbedding(d // 2, normalize=True)", NORMALIZED),
    masked("dab_detr", "DabDetrSinePositionEmbedding(DabDetrConfig(hidden_size=d))", BASE_20),
    masked("grounding_dino", "GroundingDinoSinePositionEmbedding(GroundingDinoConfig(d_model=d))", BASE_20),
    ("sam2.modeling.position_encoding", "sam2",
     "PositionEmbeddingSine(d)(torch.zeros(1, 1, h, w))[0].flatten(1).T", NORMALIZED),
    ("diffusers.models.embeddings", "sincos_2d", "get_2d_sincos_pos_embed(d, (h, w))",
     "grid --preset pixart --shape {h}x{w} --extent 16"),
    ("diffusers.models.embeddings", "dit", "PatchEmbed(height=h, width=h, patch_size=1, embed_dim=d).pos_embed", MAE_SQUARE),
    ("diffusers.models.embeddings", "pixart",
     f"zeroed({PIXART})(torch.zeros(1, 3, 2 * h, 2 * w))",
     "grid --preset pixart --shape {h}x{w} --extent 32"),
    ("diffusers.models.embeddings", "sd3",
     "PatchEmbed(height=128, width=128, patch_size=2, embed_dim=d, pos_embed_max_size=192).cropped_pos_embed(2 * h, 2 * w)",
     "grid --preset sd3 --shape {h}x{w}"),
    ("diffusers.models.embeddings", "cogvideox",
     "CogVideoXPatchEmbed(embed_dim=d, sample_height=2 * h, sample_width=2 * w, sample_frames=4 * t - 3).pos_embedding",
     "grid --preset cogvideox --shape {t}x{h}x{w}"),
    ("vit_pytorch.simple_vit", "simple_vit", "posemb_sincos_2d(h, w, d)", "grid --preset simple_vit --shape {h}x{w}"),
    ("vit_pytorch.simple_vit_3d", "simple_vit_3d", "posemb_sincos_3d(torch.zeros(1, t, h, w, d))",
     "grid --preset simple_vit --shape {t}x{h}x{w}"),
    ("timm.layers.pos_embed_sincos", "timm", "build_sincos2d_pos_embed([h, w], d)", "grid --preset timm --shape {h}x{w}"),
    ("timm.layers.pos_embed_sincos", "timm_reversed", "build_sincos2d_pos_embed([h, w], d, reverse_coord=True)",
     "grid --preset timm --shape {w}x{h}"),
    ("timm.layers.pos_embed_sincos", "timm_interleaved", "build_sincos2d_pos_embed([h, w], d, interleave_sin_cos=True)",
     HF_2D),
    ("positional_encodings.torch_encodings", "tatp22_2d", "PositionalEncoding2D(d)(torch.zeros(1, h, w, d)).flatten(1, 2)",
     "grid --preset tatp22 --shape {h}x{w}"),
    ("positional_encodings.torch_encodings", "tatp22_3d", "PositionalEncoding3D(d)(torch.zeros(1, t, h, w, d)).flatten(1, 3)",
     "grid --preset tatp22 --shape {t}x{h}x{w}"),
    ("monai.networks.blocks.pos_embed_utils", "monai_2d", "build_sincos_position_embedding([h, w], d, 2)",
     "grid --preset monai --shape {h}x{w}"),
    ("monai.networks.blocks.pos_embed_utils", "monai_3d", "build_sincos_position_embedding([t, h, w], 3 * d, 3)",
     "grid --preset monai --shape {t}x{h}x{w}"),
    ("lightly.models.utils", "lightly", "get_2d_sine_cosine_positional_embedding(d, h)", MAE_SQUARE + " --zero-rows 1"),
    ("kornia.models.rt_detr.architecture.hybrid_encoder", "kornia_rt_detr", "AIFI.build_2d_sincos_pos_emb(w, h, d)[:, 0]",
     MOCO),
    ("kornia.feature.loftr.utils.position_encoding", "loftr", "PositionEncodingSine(d, (h, w)).pe[0].flatten(1).T",
     None, ALTERNATING),
]
