"""Makes the rotary tables of images and videos with the libraries of the models, and compares those of posenc with them.

    python3 scripts/model_tables_axial.py                   records small ones in tool/tests/axial_models, for the tests
    python3 scripts/model_tables_axial.py --compare POSENC  makes them for real images and videos, and prints how far this
                                                            program's tables differ from them

A row has a module, a call that is evaluated with the names of that module, and the command of posenc that makes the exact
table. The classes and their defaults are those of the libraries, and so are the positions of most; `ids` has those that a
model's forward pass makes itself. No weights are needed.

Needs `pip install numpy torch transformers==5.23.0 diffusers==0.42.1 timm==1.0.31`.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import warnings
from typing import NamedTuple

import numpy as np

from model_tables import array, lines, version
from model_tables_import import imported

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tool/tests/axial_models"
INDEX = FOLDER / "index.json"
RECORDED = {"t": 2, "h": 4, "w": 6}
REAL = {"t": 5, "h": 24, "w": 36}


class Row(NamedTuple):
    """A table of a model. One that is computed in f64 and rounded once has the bits of the exact one."""

    module: str
    name: str
    call: str
    options: str
    is_exact: bool = False

    def command(self, sizes):
        return "rope " + self.options.format(**sizes)


def hf(folder, name, call, options):
    return Row(f"transformers.models.{folder}.modeling_{folder}", name, call, options)


def diffusers(file, name, call, options, is_exact=False):
    module = f"diffusers.models.{file}" if file == "embeddings" else f"diffusers.models.transformers.transformer_{file}"
    return Row(module, name, call, options, is_exact)


def image(preset, head_dim, more="--repeat halves"):
    return f"--preset {preset} --shape {{h}}x{{w}} --head-dim {head_dim} {more}"


def video(preset, head_dim=128, more="--repeat pairs", fourth=""):
    return f"--preset {preset} --shape {{t}}x{{h}}x{{w}}{fourth} --head-dim {head_dim} {more}"


SAM = "memory_attention_hidden_size=256, memory_attention_downsample_rate=1, memory_attention_num_attention_heads=1"
VIT = "rope_theta=100.0, hidden_size=384, num_attention_heads=6, image_size=224, patch_size=16"
LOFTR = (
    "rope_parameters={'rope_type': 'default', 'rope_theta': 10000.0, 'partial_rotary_factor': 4.0}, hidden_size=256, "
    "num_attention_heads=8, q_aggregation_kernel_size=4, q_aggregation_stride=4"
)
LLAMA4 = "image_size=14 * h, patch_size=14, hidden_size=1408, num_attention_heads=16, rope_parameters={'rope_theta': 10000.0}"
COMPLEX = "--packing complex"

ROWS = [
    hf("qwen2_vl", "qwen2_vl", "axial(Qwen2VLVisionRotaryEmbedding, 10000.0, 80, merged(h, w, 2))",
       image("qwen2_vl_vision", 80, "--repeat halves --merge 2")),
    hf("qwen3_vl", "qwen3_vl", "axial(Qwen3VLVisionRotaryEmbedding, 10000.0, 72, merged(h, w, 2))",
       image("qwen2_vl_vision", 72, "--repeat halves --merge 2")),
    hf("glm4v", "glm4v", "axial(Glm4vVisionRotaryEmbedding, 10000.0, 128, merged(h, w, 2))",
       image("qwen2_vl_vision", 128, "--repeat halves --merge 2")),
    hf("paddleocr_vl", "paddleocr_vl", "axial(PaddleOCRVisionRotaryEmbedding, 10000.0, 72, merged(h, w, 1))",
       image("qwen2_vl_vision", 72)),
    hf("lfm3_vl", "lfm3_vl", "axial(Lfm3VlVisionRotaryEmbedding, 1e6, 64, merged(h, w, 2))",
       image("lfm3_vl_vision", 64, "--repeat halves --merge 2")),
    hf("muse_glimmer", "muse", "axial(MuseGlimmerVisionRotaryEmbedding, 10000.0, 96, merged(h, w, 1).flip(-1) + 1)",
       image("muse_vision", 96)),
    hf("gemma4", "gemma4", "axial(Gemma4VisionRotaryEmbedding, 100.0, 64, ids(h, w).flip(-1)[None])",
       image("gemma4_vision", 64, "--repeat axis_halves")),
    hf("inkling2", "inkling2",
       "axial(Inkling2VisionRotaryEmbedding, 10000.0, 64, torch.cat([torch.zeros(1, 2).long(), merged(h, w, 2) + 1]))",
       image("inkling2_vision", 64, "--repeat pairs --merge 2")),
    hf("kimi_k25", "kimi_k25", "axial(Kimi_K25VisionRotaryEmbedding, 10000.0, 72, merged(h, w, 1))", image("kimi_k25_vision", 72)),
    hf("minimax_m3_vl", "minimax_m3",
       "axial(MiniMaxM3VLVisionRotaryEmbedding, 10000.0, 80, merged(h, w, 2, t=t, include_temporal=True))",
       video("minimax_m3_vision", 80, "--repeat halves --merge 2")),
    hf("pixtral", "pixtral", "axial(PixtralVisionRotaryEmbedding, 10000.0, 64, ids(h, w))", image("pixtral", 64)),
    hf("step3p7", "step", "axial(Step3p7VisionRotaryEmbedding, 10000.0, 96, merged(h, w, 1))", image("step_vision", 96)),
    hf("sam2_video", "sam2", f"axial(Sam2VideoVisionRotaryEmbedding, 10000.0, 64, ids(h, w).flip(-1), {SAM})",
       image("sam2_memory", 256, "--repeat pairs")),
    hf("sam3", "sam3_global", "axial(Sam3ViTRotaryEmbedding, 10000.0, 64, ids(h, h).flip(-1) * (24 / h))",
       "--preset sam3_global --shape {h}x{h} --head-dim 64 --repeat pairs"),
    hf("llama4", "llama4", f"Llama4VisionRotaryEmbedding._compute_freqs_ci(SimpleNamespace({LLAMA4}))",
       "--preset llama4_vision --shape {h}x{h} --head-dim 88 --packing complex"),
    hf("dinov3_vit", "dinov3",
       f"both(DINOv3ViTRopePositionEmbedding(SimpleNamespace({VIT})).eval()(torch.zeros(1, 3, 16 * h, 16 * w)))",
       image("dinov3", 64)),
    Row("timm.layers.pos_embed_sincos", "dinov3_bf16",
        "both(of_weights(RotaryEmbeddingDinoV3(64)).get_embed([h, w]).chunk(2, -1)[::-1])", image("dinov3_bf16", 64)),
    hf("vjepa2", "vjepa2", "turned(rotate_queries_or_keys, ids(t, h, w), 20, 4)", video("vjepa2", 64, "--repeat axis_halves")),
    hf("efficientloftr", "efficientloftr",
       f"both(EfficientLoFTRRotaryEmbedding(SimpleNamespace({LOFTR}))(torch.zeros(1, 1, 4 * h, 4 * w)))",
       image("efficientloftr", 256, "--repeat pairs")),
    Row("timm.layers.pos_embed_sincos", "eva02",
        "both(RotaryEmbeddingCat(64, in_pixels=False, feat_shape=[h, w], ref_feat_shape=[16, 16]).get_embed().chunk(2, -1)[::-1])",
        image("eva02", 64, "--repeat pairs --extent 16")),
    Row("timm.layers.pos_embed_sincos", "pe_vision",
        "both(RotaryEmbeddingCat(64, in_pixels=False, feat_shape=[h, w], ref_feat_shape=[h, w], grid_offset=1.0, "
        "grid_indexing='xy').get_embed().chunk(2, -1)[::-1])",
        image("pe_vision", 64, "--repeat pairs")),
    Row("timm.layers.pos_embed_sincos", "rope_vit",
        "both(RotaryEmbeddingCat(64, in_pixels=False, feat_shape=[h, w], temperature=100.0, "
        "grid_indexing='xy').get_embed().chunk(2, -1)[::-1])",
        image("rope_vit", 64, "--repeat pairs")),
    diffusers("flux", "flux", "both(FluxPosEmbed(10000, [16, 56, 56])(ids(t, h, w)))", video("flux"), True),
    diffusers("bria", "bria", "both(BriaEmbedND(10000, [16, 56, 56])(ids(t, h, w)))", video("flux"), True),
    diffusers("longcat_image", "longcat_image", "both(LongCatImagePosEmbed(10000, [16, 56, 56])(ids(t, h, w)))", video("flux"), True),
    diffusers("flux2", "flux2", "both(Flux2PosEmbed(2000, [32, 32, 32, 32])(ids(t, h, w, 3)))", video("flux2", fourth="x3"), True),
    diffusers("flux3", "flux3",
              "both(Flux3PosEmbed(10000, [32, 32, 32, 32])(ids(t, h, w, 3) * torch.tensor([1, 0.5, 0.5, 1])))",
              video("flux3", fourth="x3"), True),
    diffusers("krea2", "krea2", "both(Krea2RotaryPosEmbed(1000.0, [32, 48, 48])(ids(t, h, w)))", video("krea2"), True),
    diffusers("z_image", "z_image", "RopeEmbedder(256.0, [32, 48, 48], [1024, 512, 512])(ids(t, h, w))", video("z_image", more=COMPLEX)),
    diffusers("lumina2", "lumina2",
              "torch.cat([c[i] for c, i in zip(Lumina2RotaryPosEmbed(10000, (32, 32, 32), (300, 512, 512), 2).freqs_cis, "
              "ids(t, h, w).T)], -1).to(torch.complex64)",
              video("lumina2", 96, COMPLEX), True),
    diffusers("wan", "wan", "both(WanRotaryPosEmbed(128, (1, 1, 1), 1024)(torch.zeros(1, 1, t, h, w)))", video("wan"), True),
    diffusers("skyreels_v2", "skyreels_v2",
              "both(SkyReelsV2RotaryPosEmbed(128, (1, 1, 1), 1024)(torch.zeros(1, 1, t, h, w)))", video("wan"), True),
    diffusers("hunyuan_video", "hunyuan_video",
              "both(HunyuanVideoRotaryPosEmbed(1, 1, [16, 56, 56], 256.0)(torch.zeros(1, 1, t, h, w)))", video("hunyuan_video")),
    diffusers("motif_video", "motif_video",
              "both(MotifVideoRotaryPosEmbed(1, 1, [16, 56, 56], 256.0)(torch.zeros(1, 1, t, h, w)))", video("hunyuan_video"), True),
    diffusers("qwenimage", "qwen_image", "QwenEmbedRope(10000, [16, 56, 56], True)._compute_video_freqs(t, h + 1, w, 0)",
              "--preset qwen_image --shape {t}x{odd}x{w} --head-dim 128 --packing complex"),
    diffusers("cosmos", "cosmos", "both(CosmosRotaryPosEmbed(128, patch_size=(1, 1, 1))(torch.zeros(1, 1, t, h, w), fps=None))",
              video("cosmos", more="--repeat halves")),
    diffusers("cosmos", "cosmos_16_fps",
              "both(CosmosRotaryPosEmbed(128, patch_size=(1, 1, 1))(torch.zeros(1, 1, t, h, w), fps=16))",
              video("cosmos", more="--repeat halves --unit 3/2,1,1")),
    diffusers("embeddings", "cogvideox", "both(get_3d_rotary_pos_embed(64, ((0, 0), (30, 45)), (h, w), t))", video("cogvideox_5b", 64)),
    diffusers("kandinsky", "kandinsky5",
              "matrices(Kandinsky5RoPE3D([16, 24, 24])((1, t, h, w), [torch.arange(n) for n in (t, h, w)], (1.0, 2.0, 2.0)))",
              video("kandinsky5", 64, "--packing cos_sin")),
]


def helpers():
    """What the calls use besides the names of their modules."""
    torch = sys.modules["torch"]

    def ids(*shape):
        """The indices of all points, the last axis fastest."""
        return torch.cartesian_prod(*map(torch.arange, shape))

    def merged(h, w, merge, t=1, **others):
        """The indices that the vision towers of transformers make, in the order of merged patches."""
        return imported("transformers.vision_utils").get_vision_position_ids(torch.tensor([[t, h, w]]), merge, **others)

    def axial(model, theta, head_dim, positions, **others):
        """A class of `rope_type` axial."""
        rope = {"rope_type": "axial", "rope_theta": theta}
        return both(model(types.SimpleNamespace(rope_parameters=rope, head_dim=head_dim, **others))(torch.zeros(1), positions))

    def both(tables):
        """The cosines and the sines, side by side."""
        cos, sin = tables
        return torch.cat([cos.reshape(-1, cos.shape[-1]), sin.reshape(-1, sin.shape[-1])], -1)

    def of_weights(rope):
        """Gives a class of DINOv3 the periods that the published weights hold: those of the class in bf16."""
        rope.periods.copy_(rope._compute_periods(dtype=torch.bfloat16))
        return rope.eval()

    def turned(rotate, positions, width, rest):
        """The cosines and the sines that a function turns adjacent columns with, for each axis, and columns that it leaves."""

        def ones(first):
            columns = torch.zeros(len(positions), width)
            columns[:, first::2] = 1
            return torch.cat([rotate(columns[None, None], axis.float())[0, 0] for axis in positions.T], -1)

        even, odd = ones(0), ones(1)
        is_even = torch.arange(3 * width) % 2 == 0
        tables = torch.where(is_even, even, odd), torch.where(is_even, -odd, even)
        return both([torch.cat([table, torch.full((len(table), rest), left)], -1) for table, left in zip(tables, (1.0, 0.0))])

    def matrices(rotations):
        """The cosines and the sines of 2 x 2 matrices."""
        rotations = rotations.reshape(-1, *rotations.shape[-3:])
        return both((rotations[..., 0, 0], rotations[..., 1, 0]))

    return {"ids": ids, "merged": merged, "axial": axial, "both": both, "of_weights": of_weights, "turned": turned, "matrices": matrices,
            "torch": torch, "SimpleNamespace": types.SimpleNamespace}


def made(sizes):
    """The rows, with their tables and what a command needs."""
    warnings.simplefilter("ignore")
    imported("torch")
    sizes = {**sizes, "odd": sizes["h"] + 1}
    for row in ROWS:
        yield row, array(eval(row.call, {**vars(imported(row.module)), **helpers(), **sizes})), row.command(sizes)


def record():
    FOLDER.mkdir(exist_ok=True)
    tables, entries = {}, []
    for row, table, command in made(RECORDED):
        tables[row.name] = table
        entry = {"name": row.name, "module": row.module, "call": row.call, "dtype": str(table.dtype)}
        entries.append(entry | {"command": command, "is_exact": row.is_exact})
    np.savez_compressed(FOLDER / "tables.npz", **tables)
    libraries = [version(name) for name in ("transformers", "diffusers", "timm", "torch", "numpy")]
    parts = {"sizes": RECORDED, "libraries": libraries, "tables": entries}
    INDEX.write_text("{" + ",\n".join(f"{json.dumps(key)}: {lines(part)}" for key, part in parts.items()) + "}\n")


def compare(program):
    """Prints how far the program's tables differ. Returns whether one that is to have the same bits has others."""
    wrong, entries, differing, largest = 0, [0, 0], [0, 0], [0.0, 0.0]
    print("| table | entries | differ | by at most |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row, table, command in made(REAL):
            np.save(pathlib.Path(folder) / "table.npy", table)
            options = re.sub(r" --head-dim \d+", "", command.removeprefix("rope "))
            told = subprocess.run([program, "compare", "table.npy", "--json", *options.split()], cwd=folder, capture_output=True,
                                  text=True, check=False)
            if told.returncode > 1:
                wrong += 1
                print(f"{row.name}: {told.stderr}", flush=True)
                continue
            report = json.loads(told.stdout)
            share = 100 * report["differing"] / table.size
            wrong += row.is_exact and report["differing"] > 0
            entries[row.is_exact] += table.size
            differing[row.is_exact] += report["differing"]
            largest[row.is_exact] = max(largest[row.is_exact], report["max_abs_error"])
            print(f"| {row.name} | {table.size} | {share:.1f} % | {report['max_abs_error']:.1e} |", flush=True)
    for i, name in enumerate(["f32", "f64"]):
        print(f"computed in {name}: {differing[i]} of {entries[i]} entries differ, by at most {largest[i]:.1e}")
    return wrong > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compare", metavar="POSENC", help="compare the tables of this program with real ones")
    arguments = parser.parse_args()
    if arguments.compare:
        sys.exit(compare(pathlib.Path(arguments.compare).resolve()))
    record()


if __name__ == "__main__":
    main()
