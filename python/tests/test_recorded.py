"""The recorded hashes of `tests/hashes`, from Python."""

import hashlib
import re
import sys
from collections import Counter

import pytest
from recorded_tables import RECIPES, WITHOUT_FUNCTION, recipes
from repository import RECORDED

DTYPES = "f32|f64|f16_bits|bf16_bits|q7|q15|q31|i8|i16|u8"
LINE = re.compile(rf"(\w{{64}}) (.+?) ({DTYPES}) (\d+)x(\d+) (.+)")
LINES = [LINE.fullmatch(line).groups() for line in RECORDED.read_text().splitlines()]
EXPRESSIBLE = [line for line in LINES if (line[1], line[5]) not in WITHOUT_FUNCTION]
SIZES = {"f64": 8, "f32": 4, "q31": 4, "i8": 1, "u8": 1, "q7": 1}


def little_endian(entries: bytes, size: int) -> bytes:
    if sys.byteorder == "little":
        return entries
    reversed_bytes = bytearray(len(entries))
    for i in range(size):
        reversed_bytes[i::size] = entries[size - 1 - i :: size]
    return bytes(reversed_bytes)


@pytest.mark.parametrize("line", EXPRESSIBLE, ids=lambda line: " ".join(line[1:]))
def test_a_line(line):
    digits, entry_point, dtype, rows, columns, of = line
    (recipe,) = recipes(entry_point, of)
    entries = recipe(dtype.removesuffix("_bits"), int(rows), int(columns))
    assert hashlib.sha256(little_endian(entries, SIZES.get(dtype, 2))).hexdigest() == digits


def test_every_line_is_made_or_listed():
    assert len(LINES) == 382
    assert len(EXPRESSIBLE) == 378
    listed = Counter(WITHOUT_FUNCTION[line[1], line[5]] for line in LINES if line not in EXPRESSIBLE)
    assert listed == {"wavelengths": 2, "dot products": 2}


def test_every_recipe_makes_a_line():
    made = [recipe for line in EXPRESSIBLE for recipe in recipes(line[1], line[5])]
    assert [recipe for *_, recipe in RECIPES if recipe not in made] == []
