"""The stubs say what the package has."""

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
import typed_uses

import posenc

STUB = Path(posenc.__file__).with_name("_posenc.pyi")
TYPED_DICTS = {
    "sinusoidal": "_SinusoidalKeys",
    "rotary": "_RotaryKeys",
    "grid": "_GridKeys",
    "rotary_grid": "_AxialKeys",
}

needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")


def classes():
    return {
        node.name: node for node in ast.parse(STUB.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)
    }


@pytest.mark.parametrize("kind", TYPED_DICTS)
def test_the_keys(kind):
    stubs = [line.target.id for line in classes()[TYPED_DICTS[kind]].body if isinstance(line, ast.AnnAssign)]
    assert sorted(stubs) == sorted(posenc._posenc._keys(kind))


def test_kinds_of_keys():
    with pytest.raises(ValueError, match="unknown kind `axial`"):
        posenc._posenc._keys("axial")


def run(tmp_path, *arguments):
    ran = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@needs_mypy
def test_typed_uses(tmp_path):
    run(tmp_path, "mypy", "--strict", typed_uses.__file__)


WRONG = """
import posenc
posenc.sinusoidal("4", 8)
posenc.sinusoidal(4, 8, bases=1)
posenc.sinusoidal(4, 8, layout=3)
posenc.rotary(4, 8)[0].shape.append
posenc.rotary(4, 8, packing="cos")[0]
posenc.inv_freq(8, vector="wavelengths")
posenc.grid(4, 8)
posenc.Table()(3)
posenc.sinusoidal(4, 8).dtype_name = "x"
class Derived(posenc.Table): ...
"""


@needs_mypy
def test_wrong_uses_are_found(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    ran = subprocess.run([sys.executable, "-m", "mypy", "wrong.py"], capture_output=True, text=True, cwd=tmp_path)
    lines = {int(line.split(":")[1]) for line in ran.stdout.splitlines() if ": error: " in line}
    assert lines == set(range(3, 13)), ran.stdout


@needs_mypy
def test_stubtest(tmp_path):
    run(tmp_path, "mypy.stubtest", "posenc")


def test_typed_uses_run(tmp_path):
    np = pytest.importorskip("numpy")
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"head_dim": 8, "rope_theta": 100, "max_position_embeddings": 9}))
    tables = typed_uses.tables(np.zeros((4, 8), np.float32), path)
    assert len(tables) == 10
    assert all(isinstance(table, posenc.Table) for table in tables)
    assert typed_uses.answers(tables[0])[-1] == posenc.__version__
    assert typed_uses.attributes(tables[0])[0] == (4, 8)


def test_the_package_is_marked_as_typed():
    assert STUB.with_name("py.typed").exists()
