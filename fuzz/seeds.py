#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets `call` and `files` to fuzz/corpus: python3 fuzz/seeds.py

The seeds of `call` are the calls of both macros in the README, the docs and the tests. The fuzzer found the seeds of
`spec`, whose bytes only the target can interpret.
"""

import io
import json
import re
import struct
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"


def calls(text):
    """Yields the arguments of each call of a macro, and of each item in it: the text between its delimiters."""
    begin = r"(?:(?:sinusoidal|rotary)_table!\s*|(?:static|const) \w+(?:: Aligned)? = )([(\[{])"
    for match in re.finditer(begin, text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += (text[end] in "([{") - (text[end] in ")]}")
            end += 1
        if depth == 0:
            # A doc comment ends with its line.
            yield "\n".join(line.strip() for line in text[match.end() : end - 1].strip().splitlines())


def all_calls():
    """Yields the calls that differ from earlier ones in more than a value.

    The target does not compute large tables, so they are cut to two rows.
    """
    kinds = set()
    patterns = ["README.md", "src/*.md", "tests/suite/entry_points_agree/rotary.rs", "tests/compiler/tests/ui/*.rs"]
    for path in (path for pattern in patterns for path in sorted(ROOT.glob(pattern))):
        for i, call in enumerate(calls(path.read_text())):
            call = re.sub(r"(^|= \()[\d_]{2,},", r"\g<1>2,", call)
            kind = re.sub(r"= [^,;()]+|[\d._]+", "", call)
            if call and len(call) < 300 and kind not in kinds:
                kinds.add(kind)
                yield f"{path.stem}-{i}", call.encode()


def npy(descr, shape, data, version=1, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape!r}, }}".encode()
    size = 10 if version == 1 else 12
    header += b" " * (-(size + len(header) + 1) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def safetensors(tensors, metadata=None):
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, (dtype, shape, entries) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(entries)]}
        data += entries
    header = json.dumps(header, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data


def archive(compression, files):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for name, content in files.items():
            # Its date is fixed, so the bytes stay.
            info = zipfile.ZipInfo(name)
            info.compress_type = compression
            file.writestr(info, content)
    return written.getvalue()


def files():
    def rows(code, order="<"):
        return struct.pack(f"{order}6{code}", 0.0, 1.0, 0.8414709848, 0.5403023059, 0.9092974268, -0.4161468365)

    bf16 = b"".join(rows("f")[i + 2 : i + 4] for i in range(0, 24, 4))
    yield "f4.npy", npy("<f4", (3, 2), rows("f"))
    yield "f8.npy", npy("<f8", (3, 2), rows("d"))
    yield "f2.npy", npy("<f2", (3, 2), rows("e"))
    yield "big-endian.npy", npy(">f4", (3, 2), rows("f", ">"))
    yield "by-columns.npy", npy("<f8", (2, 3), rows("d"), fortran=True)
    yield "version-2.npy", npy("<f4", (3, 2), rows("f"), version=2)
    yield "version-3.npy", npy("<f4", (1, 3, 2), rows("f"), version=3)
    yield "one-axis.npy", npy("<f4", (6,), rows("f"))
    yield "no-rows.npy", npy("<f4", (0, 2), b"")
    yield "raw.npy", npy("|V2", (3, 2), bf16)
    yield "records.npy", npy("<f4", (6,), rows("f")).replace(b"'<f4'", b"[('a','<f4')]")
    yield "integers.npy", npy("<i4", (3, 2), bytes(24))
    f4 = npy("<f4", (3, 2), rows("f"))
    yield "stored.npz", archive(zipfile.ZIP_STORED, {"pe.npy": f4})
    by_columns = npy("<f8", (2, 3), rows("d"), fortran=True)
    yield "deflated.npz", archive(zipfile.ZIP_DEFLATED, {"pe.npy": f4, "a.npy": by_columns})
    yield "bzip2.npz", archive(zipfile.ZIP_BZIP2, {"pe.npy": f4})
    yield "pickle.pt", archive(zipfile.ZIP_STORED, {"archive/data.pkl": b"\x80\x02."})
    yield "one.safetensors", safetensors({"pe": ("F32", [3, 2], rows("f"))}, {"format": "pt"})
    yield "f64.safetensors", safetensors({"pe": ("F64", [1, 3, 2], rows("d"))})
    yield "bf16.safetensors", safetensors({"a": ("BF16", [3, 2], bf16)})
    yield "two.safetensors", safetensors({"a": ("F16", [3, 2], rows("e")), "pe": ("F32", [3, 2], rows("f"))})
    yield "other.safetensors", safetensors({"a": ("I64", [3], bytes(24)), "b": ("F32", [3, 2], rows("f"))})
    yield "none.safetensors", safetensors({})
    configs = [
        {"model_type": "whisper", "d_model": 384, "max_source_positions": 1500},
        {"model_type": "marian", "d_model": 512, "max_position_embeddings": 512},
        {"model_type": "distilbert", "dim": 768, "max_position_embeddings": 512, "sinusoidal_pos_embds": True},
        {"model_type": "xlm", "emb_dim": 2048, "max_position_embeddings": 512, "sinusoidal_embeddings": True},
        {"model_type": "m2m_100", "d_model": 1024, "max_position_embeddings": 1024, "pad_token_id": 1},
        {"model_type": "seamless_m4t", "hidden_size": 1024, "max_position_embeddings": 1024, "pad_token_id": 0},
        {"model_type": "speech_to_text", "d_model": 256, "max_source_positions": 6000, "pad_token_id": 1},
        {"model_type": "fsmt", "d_model": 1024, "max_position_embeddings": 1024, "pad_token_id": 1},
        {"model_type": "musicgen", "decoder": {"hidden_size": 1024, "max_position_embeddings": 2048}},
        {"model_type": "musicgen_decoder", "hidden_size": 1024, "max_position_embeddings": 2048},
        {"model_type": "roformer", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 1536},
        {"model_type": "gptj", "rotary_dim": 64, "n_positions": 2048},
        {"model_type": "informer", "d_model": 64, "prediction_length": 24, "context_length": 48},
        {
            "model_type": "videomae",
            "hidden_size": 768,
            "num_frames": 16,
            "image_size": 224,
            "patch_size": 16,
            "tubelet_size": 2,
        },
        {"model_type": "transfo-xl", "d_model": 1024, "clamp_len": 1000},
        {"model_type": "llama", "hidden_size": 4096},
    ]
    for config in configs:
        yield f"{config['model_type']}.json", json.dumps(config).encode()


for target, seeds in [("call", all_calls()), ("files", files())]:
    directory = CORPUS / target
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    written = set()
    for name, seed in seeds:
        if seed not in written:
            written.add(seed)
            (directory / name).write_bytes(seed)
