"""Uses of the package that a type checker accepts. `test_stubs.py` checks them, and runs them."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

import posenc


def tables(out: npt.NDArray[np.float32], path: Path) -> list[posenc.Table]:
    table: posenc.Table = posenc.sinusoidal(4, 8, preset="whisper", dtype=np.float32, base=500)
    written: npt.NDArray[np.float32] = posenc.sinusoidal(4, 8, out=out)
    encoded: posenc.Table = (
        posenc.encode([0.5, 1], 8, unit=Fraction(1, 3), zero_row=None or 0) if not written.size else table
    )
    cos, sin = posenc.rotary(4, 8, scaling="llama3(8, 8192)", attention_factor=1.5)
    pair: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]] = posenc.rotary(4, 16, out=(out, out.copy()))
    packed: posenc.Table = posenc.rotary(4, 8, packing="complex", frequencies=np.ones(4))
    of_config: posenc.Table = posenc.rotary(config=path, layers=None, packing="cos")
    grid: posenc.Table = posenc.grid((2, 3), 8, first=("w", "h"), base=(9, 8), positions=([1, 2], [3, 4, 5]))
    axes: tuple[posenc.Table, posenc.Table] = posenc.rotary_grid([2, 3], 8, widths=4, unit="1/2")
    vector: posenc.Table = posenc.inv_freq(8, vector="periods")
    return [table, encoded, cos, sin, packed, of_config, grid, *axes, vector] if pair else []


def answers(table: posenc.Table) -> list[str]:
    report: posenc.Report = posenc.compare(table.numpy(), table)
    at: tuple[int, int] | None = report.max_ulps_at
    answer: posenc.Answer = posenc.identify(table, shape=(2, 2), tolerance=0)
    names: list[str] = [name for match in answer for name in match.presets]
    command: str | None = answer[0].command if answer else None
    explanation: posenc.Explanation = posenc.explain(0.5, 1, 8, layout="halves")
    digits: str = explanation.value
    info: posenc.PresetInfo = posenc.presets("grid")["mae"]
    return [repr(at), *names, command or "", digits, info.models, posenc.__version__]


def attributes(table: posenc.Table) -> tuple[object, ...]:
    shape: tuple[int, ...] = table.shape
    macro: str | None = table.macro
    name: str = table.dtype_name
    entries: bytes = table.tobytes()
    array: npt.NDArray[np.float32] = np.asarray(table)
    bits: npt.NDArray[np.uint32] = table.bits()
    return shape, macro, name, entries, array, bits, len(table), hash(table), table == table
