"""Hostile input: each error is of the right class, names the argument and is one sentence."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import pytest

import posenc

HUGE = [2**63, 2**64, 2**70, 10**30, 10**50, 10**5000]
NOT_INTEGERS = [
    True,
    False,
    2.0,
    2.5,
    nan,
    inf,
    "2",
    b"2",
    None,
    [2],
    (2,),
    {},
    object(),
    2 + 0j,
    Fraction(4, 2),
    Decimal(2),
]
NOT_NUMBERS = [True, "1", b"1", [1.0], (), {}, object(), 1j, print]
NOT_NAMES = [3, 0.5, True, b"halves", ["halves"], object()]


def error_of(call, *classes):
    """Returns the text of an error, and checks that it is one sentence."""
    with pytest.raises(classes or (ValueError, TypeError)) as raised:
        call()
    text = " ".join([str(raised.value), *getattr(raised.value, "__notes__", ())])
    assert text
    assert "\n" not in text
    assert not text.endswith(".")
    assert not any(word in text for word in ("panicked", "unwrap", "Rust", "PyErr", "::"))
    return text


# Every place for an integer: its name and a call with it.
INTEGERS = {
    "seq_len": lambda value: posenc.sinusoidal(value, 4),
    "d_model": lambda value: posenc.sinusoidal(2, value),
    "start": lambda value: posenc.sinusoidal(2, 4, start=value),
    "step": lambda value: posenc.sinusoidal(2, 4, step=value),
    "zero_row": lambda value: posenc.sinusoidal(2, 4, zero_row=value),
    "rotary_dim": lambda value: posenc.rotary(2, 8, rotary_dim=value),
    "head_dim": lambda value: posenc.rotary(2, value),
    "shape": lambda value: posenc.grid((2, value), 8),
    "zero_rows": lambda value: posenc.grid((2, 2), 8, zero_rows=value),
    "identity_rows": lambda value: posenc.rotary_grid((2, 2), 8, identity_rows=value),
    "merge": lambda value: posenc.grid((2, 2), 8, merge=value),
    "column": lambda value: posenc.explain(1, value, 4),
}


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("value", NOT_INTEGERS, ids=repr)
def test_what_is_no_integer(name, value):
    # Of these, `None` means that it is not given.
    if value is None and name not in ("seq_len", "d_model", "shape", "column", "head_dim"):
        INTEGERS[name](value)
    else:
        assert f"`{name}` is" in error_of(lambda: INTEGERS[name](value), TypeError)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("value", HUGE, ids=lambda value: f"{value:.0e}" if value < 10**300 else "10**5000")
@pytest.mark.parametrize("sign", [1, -1])
def test_huge_integers(name, value, sign):
    text = error_of(lambda: INTEGERS[name](sign * value), ValueError, MemoryError)
    assert any(word in text for word in (name, "position of a row", "a table of", "a grid of", "the rotary width"))


def test_negative_sizes():
    for name in set(INTEGERS) - {"start", "step"}:
        assert name in error_of(lambda name=name: INTEGERS[name](-1), ValueError) or name == "rotary_dim"


NUMBERS = {
    "base": lambda value: posenc.sinusoidal(2, 4, base=value),
    "freq_shift": lambda value: posenc.sinusoidal(2, 4, freq_shift=value),
    "scale": lambda value: posenc.sinusoidal(2, 4, scale=value),
    "partial_rotary_factor": lambda value: posenc.rotary(2, 8, partial_rotary_factor=value),
    "attention_factor": lambda value: posenc.rotary(2, 8, attention_factor=value),
    "position": lambda value: posenc.explain(value, 0, 4),
    "tolerance": lambda value: posenc.identify(posenc.sinusoidal(40, 8), tolerance=value),
    "frequencies": lambda value: posenc.sinusoidal(2, 4, frequencies=[1, value]),
    "positions": lambda value: posenc.encode([1, value], 4),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_is_no_number(name, value):
    assert f"`{name}` is" in error_of(lambda: NUMBERS[name](value), TypeError)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_numbers_that_are_not_finite(name, value):
    if name == "tolerance" and value == inf:
        return
    text = error_of(lambda: NUMBERS[name](value), ValueError)
    names = {"partial_rotary_factor": "the rotary width is", "position": "the position is"}
    assert names.get(name, name) in text


@pytest.mark.parametrize("name", NUMBERS)
def test_integers_that_are_no_floats(name):
    for value in (2**53 + 1, -(2**53) - 1, 10**400):
        assert f"`{name}` is" in error_of(lambda value=value: NUMBERS[name](value), ValueError)


CHOICES = {
    "layout": lambda value: posenc.sinusoidal(2, 4, layout=value),
    "odd": lambda value: posenc.sinusoidal(2, 5, odd=value),
    "scaling": lambda value: posenc.sinusoidal(2, 4, scaling=value),
    "frequency_dtype": lambda value: posenc.rotary(2, 8, frequency_dtype=value),
    "packing": lambda value: posenc.rotary(2, 8, packing=value),
    "layers": lambda value: posenc.rotary(2, 8, layers=value),
    "nest": lambda value: posenc.grid((2, 2), 8, nest=value),
    "rest": lambda value: posenc.rotary_grid((2, 2), 8, rest=value),
    "first": lambda value: posenc.grid((2, 2), 8, first=value),
    "preset": lambda value: posenc.sinusoidal(2, 4, preset=value),
    "dtype": lambda value: posenc.sinusoidal(2, 4, dtype=value),
    "vector": lambda value: posenc.inv_freq(8, vector=value),
    "kind": lambda value: posenc.presets(value),
}


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("value", NOT_NAMES, ids=repr)
def test_what_is_no_name(name, value):
    if name == "dtype" and value is object:
        return
    classes = (TypeError, ValueError) if name == "first" else (TypeError,)
    assert name in error_of(lambda: CHOICES[name](value), *classes)


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize(
    "value", ["", " ", "x" * 100_000, "häl\u200bves", "\0", "halves\0", "(", "a(b", "🦀", "\udc80", "1e400"]
)
def test_names_that_are_unknown(name, value):
    text = error_of(lambda: CHOICES[name](value), TypeError if name == "layers" else ValueError, ValueError)
    assert len(text) < 200_000
    if value != "\udc80":
        assert name in text


@pytest.mark.parametrize(
    ("call", "key", "hint"),
    [
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "bases", "did you mean `base`?"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "strat", "did you mean `start`?"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "theta", "use `base`"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "bäse", "did you mean `base`?"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "padding_idx", "use `zero_row`"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "max_len", "`seq_len`"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "device", ".torch(device)"),
        (lambda **keys: posenc.sinusoidal(2, 4, **keys), "positions", "`posenc.encode`"),
        (lambda **keys: posenc.encode([1], 4, **keys), "strat", "did you mean `start`?"),
        (lambda **keys: posenc.rotary(2, 8, **keys), "rope_theta", "use `base`"),
        (lambda **keys: posenc.rotary(2, 8, **keys), "layout", "use `packing`"),
        (lambda **keys: posenc.grid((2, 2), 8, **keys), "layout", "use `nest`"),
        (lambda **keys: posenc.rotary_grid((2, 2), 8, **keys), "axes_dim", "use `widths`"),
        (lambda **keys: posenc.rotary_grid((2, 2), 8, **keys), "zero_rows", "use `identity_rows`"),
        (lambda **keys: posenc.inv_freq(8, **keys), "theta", "use `base`"),
        (lambda **keys: posenc.explain(1, 1, 4, **keys), "layouts", "did you mean `layout`?"),
    ],
)
def test_unknown_keys(call, key, hint):
    text = error_of(lambda: call(**{key: 1}), TypeError)
    assert text.startswith(f"unknown key `{key}`; ")
    assert hint in text


def test_unknown_keys_of_any_text():
    for key in ("", " ", "a b", "base\0", "🦀", "x" * 100_000):
        assert error_of(lambda key=key: posenc.sinusoidal(2, 4, **{key: 1}), TypeError).startswith("unknown key")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: posenc.sinusoidal(2, 4, preset="mae"), "unknown preset `mae`; it is one of `posenc.grid`"),
        (lambda: posenc.sinusoidal(2, 4, preset="llama2"), "unknown preset `llama2`; it is one of `posenc.rotary`"),
        (lambda: posenc.rotary(2, preset="wan"), "unknown preset `wan`; it is one of `posenc.rotary_grid`"),
        (lambda: posenc.grid((2, 2), 8, preset="paper"), "unknown preset `paper`; it is one of `posenc.sinusoidal`"),
        (lambda: posenc.sinusoidal(2, 4, preset="wisper"), "did you mean `whisper`?"),
        (lambda: posenc.sinusoidal(2, 4, preset="bert"), "this model uses learned positions"),
        (lambda: posenc.rotary(2, 4, preset="lama2"), "did you mean `llama2`?"),
    ],
)
def test_unknown_presets(call, words):
    assert words in error_of(call, ValueError)


@pytest.mark.parametrize("name", ["HF-Marian", "hf_marian", "HFMarian"])
def test_other_spellings_of_presets(name):
    assert posenc.sinusoidal(2, 4, preset=name) == posenc.sinusoidal(2, 4, preset="hf_marian")


CONFIG = {"head_dim": 8, "rope_theta": 100, "max_position_embeddings": 9}


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: posenc.rotary(2, 8, preset="llama2", config=CONFIG), ["preset", "config"]),
        (lambda: posenc.rotary_grid((2, 2), 8, preset="pixtral", config={}), ["preset", "config"]),
        (lambda: posenc.rotary(2, 8, rotary_dim=4, partial_rotary_factor=0.5), ["rotary_dim", "partial_rotary_factor"]),
        (lambda: posenc.rotary(2, 8, positions=[1]), ["seq_len", "positions"]),
        (lambda: posenc.rotary(head_dim=8, positions=[1, 2], start=1), ["start", "positions"]),
        (lambda: posenc.rotary(2, 8, layers="full_attention"), ["layers", "config"]),
        (lambda: posenc.sinusoidal(2, 4, frequencies=[1, 2], base=3), ["frequencies", "base"]),
        (lambda: posenc.sinusoidal(2, 4, frequencies=[1, 2], scaling="linear(2)"), ["frequencies", "scaling"]),
        (lambda: posenc.grid((2, 2), 8, extent=4, unit=2), ["extent", "unit"]),
        (lambda: posenc.encode([1], 4, start=3), ["start", "positions"]),
        (lambda: posenc.encode([1], 4, step=3), ["step", "positions"]),
        (lambda: posenc.encode([1], 4, zero_row=0), ["zero_row", "positions"]),
        (lambda: posenc.inv_freq(8, start=3), ["start"]),
        (lambda: posenc.inv_freq(8, attention_factor=3), ["attention_factor"]),
        (lambda: posenc.explain(1, 1, 4, start=3), ["start"]),
        (lambda: posenc.rotary(2), ["head_dim"]),
        (lambda: posenc.rotary(head_dim=8), ["seq_len"]),
        (lambda: posenc.rotary_grid((2, 2)), ["head_dim"]),
        (lambda: posenc.inv_freq(), ["head_dim"]),
    ],
)
def test_arguments_that_exclude_or_need_each_other(call, names):
    text = error_of(call)
    assert all(f"`{name}" in text or f" {name}" in text for name in names)


@pytest.mark.parametrize(
    "call",
    [
        lambda: posenc.sinusoidal(2**40, 1000),
        lambda: posenc.sinusoidal(2**45, 1000, dtype="float64"),
        lambda: posenc.rotary(2**40, 2000),
        lambda: posenc.rotary(2**40, 2000, packing="cos"),
        lambda: posenc.grid((2**20, 2**20), 1024),
        lambda: posenc.rotary_grid((2**20, 2**20), 1024),
        lambda: posenc.grid((2, 2), 8, zero_rows=2**50),
    ],
)
def test_memory_that_cannot_be_allocated(call):
    text = error_of(call, MemoryError)
    assert "which cannot be allocated" in text
    assert " bytes" in text


def test_an_error_of_the_callers_object_passes():
    class Bad:
        def __index__(self):
            raise ZeroDivisionError

        def __float__(self):
            raise ZeroDivisionError

        def __repr__(self):
            raise ZeroDivisionError

        def __str__(self):
            raise ZeroDivisionError

    for call in (
        lambda: posenc.sinusoidal(Bad(), 4),
        lambda: posenc.sinusoidal(2, 4, base=Bad()),
        lambda: posenc.sinusoidal(2, 4, layout=Bad()),
        lambda: posenc.sinusoidal(2, 4, dtype=Bad()),
        lambda: posenc.sinusoidal(2, 4, preset=Bad()),
        lambda: posenc.rotary(2, 4, config=Bad()),
        lambda: posenc.encode(Bad(), 4),
        lambda: posenc.compare(Bad(), Bad()),
        lambda: posenc.identify(Bad()),
    ):
        with pytest.raises((ZeroDivisionError, TypeError, ValueError)):
            call()


def test_integers_of_other_types():
    class Two:
        def __index__(self):
            return 2

    assert posenc.sinusoidal(Two(), 4) == posenc.sinusoidal(2, 4)
    assert posenc.sinusoidal(2, 4, start=Two()) == posenc.sinusoidal(2, 4, start=2)


@pytest.mark.parametrize("name", ["base", "scale", "frequencies"])
def test_numbers_of_other_types(name):
    class Half:
        def __float__(self):
            return 0.5

        def __eq__(self, other):
            return other == 0.5

        __hash__ = None

    for value in (Half(), Fraction(1, 2), Decimal("0.5")):
        assert NUMBERS[name](value) == NUMBERS[name](0.5)


@pytest.mark.parametrize("name", ["base", "scale", "frequencies"])
def test_numbers_that_are_no_floats_are_refused(name):
    """A number between two floats would be another number in silence."""

    class Unknown:
        def __float__(self):
            return 0.5

    for value in (Fraction(1, 3), Decimal("0.1"), Unknown()):
        with pytest.raises(ValueError, match="which is not exactly a float; write `float"):
            NUMBERS[name](value)
    with pytest.raises(ValueError, match=r"integers must be from -2\^53 to 2\^53"):
        NUMBERS[name](2**53 + 1)


def test_positions_that_are_no_floats_are_refused():
    for position in (Fraction(100, 3), Fraction(2**60 + 1), 2**53 + 1):
        with pytest.raises(ValueError, match=r"exactly a float|2\^53"):
            posenc.encode([position], 2)
    assert posenc.encode([Fraction(1, 2), Fraction(3)], 2) == posenc.encode([0.5, 3], 2)


def test_units_of_presets_do_not_multiply_positions():
    positions = ([0, 1], [6, 10, 14, 18], [4.5 * i for i in range(10)])
    with pytest.raises(ValueError, match="multiplied by the `unit` 30/4 of the preset; set `unit` too"):
        posenc.rotary_grid((2, 4, 10), 64, preset="cogvideox_5b", positions=positions)
    with pytest.raises(ValueError, match="multiplied by the `unit` 64/192 of the preset; set `unit` too"):
        posenc.grid((2, 2), 8, preset="sd3", positions=([0, 1], [0, 1]))
    posenc.rotary_grid((2, 4, 10), 64, preset="cogvideox_5b", positions=positions, unit=1)
    # No unit multiplies these.
    posenc.rotary_grid((2, 3), 8, preset="qwen2_vl_vision", positions=([0, 7], []))


def test_the_wrong_list_of_an_axis_is_named():
    with pytest.raises(TypeError, match="`positions` is `None`, but must be a list of numbers"):
        posenc.rotary_grid((2, 3), 8, positions=([0, 7], None))
    with pytest.raises(TypeError, match="`positions` is `'x'`, but must be"):
        posenc.rotary_grid((2, 3), 8, positions=([0, 7], "x"))
    posenc.rotary_grid((2, 3), 8, positions=([0, 7], ()))


def test_scales_without_a_step_are_refused():
    with pytest.raises(ValueError, match="all i8 entries would be 0 .* 1/127 fits -1 to 1 into `i8`"):
        posenc.sinusoidal(2, 4, dtype="i8(127)")
