"""Explaining entries."""

from decimal import Decimal, getcontext
from math import pi

import pytest

import posenc

getcontext().prec = 60


def test_a_known_entry():
    """As in the README of the command."""
    entry = posenc.explain(4095, 17, 512)
    assert (entry.position, entry.column, entry.d_model, entry.dtype) == (4095.0, 17, 512, "float32")
    assert (entry.function, entry.formula, entry.rounded) == ("cosine", "w = 10000^(-16/512)", "down")
    assert entry.frequency == "0.7498942093324558273021842756151364384419"
    assert entry.angle == "3070.816787216406612802444608643983715419"
    assert entry.value == "-0.08991008860191881434204101643781298830412"
    assert (entry.below, entry.above) == (-0.089910089969635009765625, -0.089910082519054412841796875)
    assert entry.result == entry.below


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize(
    "keys", [{}, {"preset": "musicgen"}, {"base": 500, "scaling": "ntk(4)"}, {"unit": "8/15", "scale": -3}]
)
def test_results_are_the_entries(dtype, keys):
    table = posenc.sinusoidal(7, 10, dtype=dtype, **keys).tolist()
    for i in (0, 3, 6):
        for j in range(10):
            entry = posenc.explain(i, j, 10, dtype=dtype, **keys)
            assert entry.dtype == dtype
            assert entry.result == table[i][j]
            assert entry.below <= Decimal(entry.value) <= entry.above or entry.rounded == "exact"
            assert entry.result in (entry.below, entry.above)
            exact = {"down": entry.result < Decimal(entry.value), "up": entry.result > Decimal(entry.value)}
            assert exact.get(entry.rounded, entry.result == Decimal(entry.value))


def test_the_angle_is_the_position_times_the_frequency():
    entry = posenc.explain(0.75, 3, 8, base=100)
    assert float(Decimal(entry.frequency) * Decimal("0.75")) == float(entry.angle)
    assert float(entry.frequency) == 100 ** (-2 / 8)


def test_positions_that_are_no_integers():
    for position in (0.1, -3.5, 1e300, 5e-324, 2**53):
        entry = posenc.explain(position, 0, 4)
        assert entry.result == posenc.encode([position], 4).tolist()[0][0]
    assert posenc.explain(pi, 0, 4).position == pi


def test_columns_of_zeros_and_exact_entries():
    zeros = posenc.explain(1, 4, 5, odd="zero")
    assert (zeros.function, zeros.formula, zeros.frequency, zeros.angle) == (None, None, None, None)
    assert (zeros.value, zeros.result, zeros.rounded) == ("0", 0.0, "exact")
    one = posenc.explain(0, 1, 4)
    assert (one.function, one.value, one.result, one.below, one.above) == ("cosine", "1", 1.0, 1.0, 1.0)


def test_text():
    lines = str(posenc.explain(4095, 17, 512)).splitlines()
    assert lines[0] == "column 17 of 512 at position 4095: the cosine of frequency 8"
    assert lines[-1].endswith("rounded down")


@pytest.mark.parametrize(
    ("arguments", "keys", "error", "words"),
    [
        ((1, 4, 4), {}, ValueError, "`column` is 4, but must be from 0 to 3"),
        ((1, -1, 4), {}, ValueError, "`column` is -1"),
        ((1, 0, 0), {}, ValueError, "`d_model` is 0"),
        ((1, 0, 4), {"dtype": "q15"}, ValueError, "`dtype` is `q15`"),
        ((1, 0, 5), {"preset": "whisper"}, ValueError, "`odd = reject`"),
        ((1, 0, 4), {"start": 1}, TypeError, "`start` does not change the entry"),
        ((1, 0, 4), {"zero_row": 1}, TypeError, "`zero_row` does not change the entry"),
        ((1, 0.0, 4), {}, TypeError, "`column` is 0.0, but must be an integer"),
    ],
)
def test_errors(arguments, keys, error, words):
    with pytest.raises(error, match=words):
        posenc.explain(*arguments, **keys)
