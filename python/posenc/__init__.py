"""Positional-encoding tables, correctly rounded, with the same bits as in Rust.

Every entry is the exact value of the formula, rounded once to the element type. So a table has the same bits as the
table that the Rust macros bake into a binary, on every machine.

    >>> import posenc
    >>> posenc.sinusoidal(1500, 384, preset="whisper")
    <posenc.Table 1500 x 384 float32: sinusoidal_table!(1500, 384, freq_shift = 1.0, layout = halves, odd = reject)>
"""

from posenc._posenc import (
    Answer,
    Explanation,
    Match,
    PresetInfo,
    Report,
    Table,
    __version__,
    compare,
    encode,
    explain,
    grid,
    identify,
    inv_freq,
    presets,
    rotary,
    rotary_grid,
    sinusoidal,
)

__all__ = [
    "Answer",
    "Explanation",
    "Match",
    "PresetInfo",
    "Report",
    "Table",
    "__version__",
    "compare",
    "encode",
    "explain",
    "grid",
    "identify",
    "inv_freq",
    "presets",
    "rotary",
    "rotary_grid",
    "sinusoidal",
]
