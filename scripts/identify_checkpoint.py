"""Measures how long `posenc identify` takes for a checkpoint of 10 GB, and checks that it finds the tables in it.

Needs NumPy, and 10 GB in the temporary folder, or in the folder of --folder. `cargo build --release --package posenc-cli`,
then `python3 scripts/identify_checkpoint.py`.

The tensors have the names, shapes and type of a decoder of 5 billion parameters, in four shards with an index. The weights
are random numbers, the same ones in every matrix. Beside them are tables of `posenc table`, `rope` and `grid`, and matrices of
other kinds: integers of 4 and 8 bits, zeros, masks and filter banks.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np

BINARY = pathlib.Path(__file__).resolve().parent.parent / "target/release/posenc"
LAYERS, WIDTH, HIDDEN, WORDS, SHARDS = 24, 4096, 11008, 32000, 4
TABLES = {
    "model.embed_positions.weight": "table --preset whisper --seq-len 1500 --d-model 1280 --dtype bf16",
    "model.rotary_emb.cos_cached": "rope --preset llama2 --seq-len 4096 --packing cos --repeat halves",
    "model.rotary_emb.sin_cached": "rope --preset llama2 --seq-len 4096 --packing sin --repeat halves",
    "vision.embeddings.position_embedding": "grid --preset mae --shape 24x24 --d-model 1024 --zero-rows 1",
    "quantised.pe": "table --seq-len 2048 --d-model 512 --dtype q7",
}


def weights():
    """The names and shapes of the weights, in the order of the file."""
    yield "model.embed_tokens.weight", (WORDS, WIDTH)
    for layer in range(LAYERS):
        of = f"model.layers.{layer}"
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            yield f"{of}.self_attn.{name}.weight", (WIDTH, WIDTH)
        yield f"{of}.mlp.gate_proj.weight", (HIDDEN, WIDTH)
        yield f"{of}.mlp.up_proj.weight", (HIDDEN, WIDTH)
        yield f"{of}.mlp.down_proj.weight", (WIDTH, HIDDEN)
        yield f"{of}.input_layernorm.weight", (WIDTH,)
    yield "lm_head.weight", (WORDS, WIDTH)


def others():
    """Matrices that are no tables: type, shape and bytes by name."""
    rng = np.random.default_rng(2)
    causal = np.tril(np.ones((2048, 2048), np.float32))
    bands = np.clip(1 - np.abs(np.arange(80)[:, None] * 2.5 - np.arange(201)) / 4, 0, None).astype(np.float32)
    matrices = {
        "lora.B": np.zeros((4096, 16), np.float32),
        "optimizer.state": np.zeros((4096, 4096), np.float32),
        "attention.bias": causal.astype(np.uint8),
        "attention.mask": np.where(causal > 0, np.float32(0), np.float32(-65504)),
        "mel_filters": bands,
        "ones": np.ones((1024, 1024), np.float32),
        "int4": rng.integers(-8, 8, (4096, 4096), np.int8),
        "int8": rng.normal(0, 30, (4096, 4096)).clip(-127, 127).astype(np.int8),
    }
    types = {np.dtype(np.float32): "F32", np.dtype(np.uint8): "U8", np.dtype(np.int8): "I8"}
    return {f"other.{name}": (types[matrix.dtype], matrix.shape, matrix.tobytes()) for name, matrix in matrices.items()}


def table(command, folder):
    """The type, shape and bytes of a table of the command."""
    file = folder / "table.safetensors"
    subprocess.run([BINARY, *command.split(), "-q", "--name", "pe", "-o", file], check=True)
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])["pe"]
    file.unlink()
    return header["dtype"], header["shape"], data[8 + length :]


def write(file, tensors, block):
    """Writes a shard. A tensor without bytes has those of the block, over and over."""
    header, end = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        size = len(data) if data is not None else 2 * int(np.prod(shape))
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    with file.open("wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for name, (_, _, data) in tensors.items():
            first, last = header[name]["data_offsets"]
            if data is not None:
                out.write(data)
                continue
            for place in range(first, last, len(block)):
                out.write(block[: last - place])
    return 8 + len(text) + end


def checkpoint(folder):
    """Writes the checkpoint, and returns its size in bytes and the number of its tensors."""
    rng = np.random.default_rng(1)
    block = (rng.normal(0, 0.02, 1 << 25).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).tobytes()
    tensors = {name: ("BF16", shape, None) for name, shape in weights()}
    tensors |= others() | {name: table(command, folder) for name, command in TABLES.items()}
    names = sorted(tensors)
    size, index = 0, {}
    for shard in range(SHARDS):
        file = f"model-{shard + 1:05}-of-{SHARDS:05}.safetensors"
        own = names[shard::SHARDS]
        size += write(folder / file, {name: tensors[name] for name in own}, block)
        index |= dict.fromkeys(own, file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
    return size, len(names)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", help="an existing folder for the checkpoint, which is removed afterwards")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        size, count = checkpoint(folder)
        index = folder / "model.safetensors.index.json"
        for what in (index, folder):
            started = time.monotonic()
            ran = subprocess.run([BINARY, "identify", what, "--json"], capture_output=True, text=True, check=False)
            took = time.monotonic() - started
            answer = json.loads(ran.stdout)
            told = {entry["name"] for entry in answer["tables"]}
            print(f"{what.name}: {size / 1e9:.1f} GB, {count} tensors, status {ran.returncode}, {took:.2f} s")
            if ran.returncode != 0 or told != TABLES.keys() or answer["tensors"] != count:
                sys.exit(f"expected {sorted(TABLES)}, found {sorted(told)}\n{ran.stderr}")


if __name__ == "__main__":
    main()
