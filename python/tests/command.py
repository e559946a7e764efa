"""The command `posenc`, and the files that it writes."""

import ast
import json
import os
import shlex
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

PROGRAM = os.environ.get("POSENC")

needs_command = pytest.mark.skipif(PROGRAM is None, reason="POSENC is not set to the path of the command")


class Written(NamedTuple):
    """A table in a file: its shape, its little-endian entries, and the macro call."""

    shape: tuple[int, ...]
    entries: bytes
    macro: str


def written(line: str, file: Path) -> Written:
    """Returns what a command line writes."""
    ran = subprocess.run([PROGRAM, *shlex.split(line), "-o", file], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said = ran.stderr.splitlines()[-1]
    shape, entries = (read_npy if file.suffix == ".npy" else read_safetensors)(file.read_bytes())
    return Written(shape, entries, said.split(" bytes: ")[1])


def read_npy(content: bytes) -> tuple[tuple[int, ...], bytes]:
    assert content[:8] == b"\x93NUMPY\x01\x00"
    (length,) = struct.unpack("<H", content[8:10])
    header = ast.literal_eval(content[10 : 10 + length].decode())
    assert header["descr"][0] in "<|"
    assert not header["fortran_order"]
    return header["shape"], content[10 + length :]


def read_safetensors(content: bytes) -> tuple[tuple[int, ...], bytes]:
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    (tensor,) = (value for name, value in header.items() if name != "__metadata__")
    begin, end = (8 + length + offset for offset in tensor["data_offsets"])
    assert end == len(content)
    return tuple(tensor["shape"]), content[begin:end]
