# %% [markdown]
# # Which table is in the checkpoint, and is it right?
#
# A Whisper encoder stores its table, and a Llama model computes its rotary cache as it starts. This script makes both
# with transformers, compares them with the correctly rounded tables, and draws `docs/pictures/python_*.png`. It trains
# nothing and downloads nothing. `pip install ./python torch transformers matplotlib`, then run it, or open it as a
# notebook: editors and Jupyter (with jupytext) read `# %%` as cells.

# %%
import datetime
import pathlib
import platform
import sys

import matplotlib
import numpy as np
import posenc
import torch
import transformers
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.whisper.modeling_whisper import sinusoids

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

BLUE, RED, GREEN = "#005ab5", "#dc3220", "#408c3c"  # the colours of examples/gallery
PICTURES = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2] / "docs/pictures"
plt.rcParams.update({"font.size": 13, "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True})

print(f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()};", end=" ")
print(f"posenc {posenc.__version__}, PyTorch {torch.__version__}, transformers {transformers.__version__}")


def figure(title):
    """Returns two panels of a picture of 1200 x 500 pixels."""
    figure, panels = plt.subplots(1, 2, figsize=(12, 5), dpi=100, layout="constrained")
    figure.suptitle(title, fontsize=17)
    figure.get_layout_engine().set(wspace=0.06)
    return figure, *panels


def wrong_by_row(found, expected):
    """Returns the share of the entries in each row that differ in a bit."""
    found, expected = (table.view(torch.int32 if table.itemsize == 4 else torch.int16) for table in (found, expected))
    return (found != expected).float().mean(-1)


def blocks(values, reduce):
    """Returns one value for each block of rows, with 16 blocks per octave."""
    edges = np.unique(np.geomspace(1, len(values), 16 * int(np.log2(len(values))) + 1).astype(int))
    return edges[:-1], [reduce(values[a:b]) for a, b in zip(edges, edges[1:])]


# %% [markdown]
# ## Whisper: a table in the weights
#
# `model.encoder.embed_positions.weight` is what this function returns when transformers initialises the model.

# %%
weight = sinusoids(1500, 384)
answer = posenc.identify(weight)
print(f"\n{answer}\n")

# %% [markdown]
# The presets that it names make the same table, so any of them will do. How far is the weight from that table?

# %%
exact = posenc.sinusoidal(1500, 384, preset="whisper")
report = posenc.compare(weight, exact)
print(report)
correct = report.histogram[0][2] / report.entries
print(f"{100 * (1 - correct):.1f} % of the entries are not correctly rounded. Their distances in ulps:")
for least, most, count in report.histogram[1:]:
    if most <= 64:
        print(f"  {f'{least} to {most}' if least < most else least}: {100 * count / report.entries:.1f} %")
beyond = sum(count for least, _, count in report.histogram if least > 64)
print(f"  more than 64: {100 * beyond / report.entries:.1f} %")

# %%
picture, left, right = figure("Whisper's table in transformers, 1500 x 384, and the correctly rounded one")
names = ["0"] + [f"≤ {most}" for _, most, _ in report.histogram[1:13]] + ["more"]
counts = [count for *_, count in report.histogram]
shares = 100 * np.array(counts[:13] + [sum(counts[13:])]) / report.entries
left.bar(names, shares, color=[GREEN] + [BLUE] * 13)
left.tick_params(axis="x", labelrotation=60)
left.set(xlabel="distance in ulps (green: the same bits)", ylabel="entries in %", ylim=(0, 20), yticks=range(0, 21, 5))
right.plot(100 * wrong_by_row(weight, torch.from_dlpack(exact)), color=BLUE, linewidth=1.2)
right.set(xlabel="position", ylabel="entries that differ in %", ylim=(0, 100), xlim=(0, 1500))
picture.savefig(PICTURES / "python_whisper.png")

# %% [markdown]
# ## Llama 3.1: a cache from a config

# %%
CONFIG = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 131072,
    "rope_parameters": {
        "rope_type": "llama3",
        "rope_theta": 500000.0,
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
module = LlamaRotaryEmbedding(LlamaConfig.from_dict(CONFIG))
print(f"\n{posenc.identify(module.inv_freq)}\n")

# %%
wrong, largest = {}, {}
for dtype in [torch.float32, torch.bfloat16]:
    found = torch.cat(module(torch.empty(1, dtype=dtype), torch.arange(131072)[None]), dim=-1)[0]
    exact = posenc.rotary(config=CONFIG, repeat="halves", packing="cos_sin", dtype=dtype)
    report = posenc.compare(found, exact)
    rows = torch.from_dlpack(exact)
    wrong[dtype] = wrong_by_row(found, rows)
    largest[dtype] = (found.double() - rows.double()).abs().amax(-1)
    print(f"{dtype}: {100 * report.differing / report.entries:.1f} % of the entries of {exact.shape} differ,", end=" ")
    print(f"by at most {report.max_abs_error:.1e}; first at position {int(wrong[dtype].nonzero()[0])}")
    for end in [8192, 131072]:
        print(f"  the {end // 2} positions before {end}: {100 * wrong[dtype][end // 2 : end].mean():.1f} %")
first = int((largest[torch.float32] > 1e-3).nonzero()[0])
print(f"the first error above 1e-3 in float32 is at position {first}")

# %%
picture, left, right = figure("Llama 3.1's cache in transformers, 131,072 positions, and the correctly rounded one")
for dtype, colour in [(torch.float32, BLUE), (torch.bfloat16, RED)]:
    left.plot(*blocks(100 * wrong[dtype], torch.mean), color=colour, linewidth=2, label=str(dtype)[6:])
left.set(xscale="log", xlabel="position", ylabel="entries that differ in %", ylim=(0, 100))
left.legend(loc="upper left")
right.plot(*blocks(largest[torch.float32], torch.max), color=BLUE, linewidth=2, label="float32: largest of a block")
right.plot([1, first, first], [1e-3, 1e-3, 1e-8], color=RED, label=f"0.001: first exceeded at position {first}")
right.axhline(2.0**-25, color=GREEN, linewidth=2, label="posenc in float32: at most 2^-25")
right.set(xscale="log", yscale="log", xlabel="position", ylabel="largest error in the row", ylim=(1e-8, 1))
right.legend(loc="upper left")
for axis in [left.xaxis, right.xaxis, right.yaxis]:
    axis.set_major_formatter("{x:g}")
picture.savefig(PICTURES / "python_llama.png")

# %% [markdown]
# ## The same bits in Rust

# %%
print("\nstatic PE: [[f32; 384]; 1500] =", f"{answer[0].macro};")
print("static ROPE: [[Bf16Bits; 256]; 131072] =", f"{exact.macro.replace('bf16', 'bf16_bits')};")
