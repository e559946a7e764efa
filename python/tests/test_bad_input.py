"""The sentences of `docs/bad_input.md`, from Python: every macro call that Python can express."""

import struct
from collections import Counter

import pytest
from macro_calls import NotInPythonError, called, python_call, rows

MACROS = [row for row in rows() if row.call.split("!")[0] in ("sinusoidal_table", "grid_table", "rotary_table")]

# Sentences about what Python writes in another way: names without quotes, tuples, integers of any size, element types.
IN_PYTHON = {
    "sinusoidal_table!(18446744073709551615, 4)": (
        "a table of 18446744073709551615 x 4 f32 entries takes 295147905179352825840 bytes, but the limit is "
        "9223372036854775807; reduce `seq_len` or `d_model`"
    ),
    "rotary_table!(2)": "`head_dim` is missing; set it, or use `preset`, or `config` of a model",
    "rotary_table!(2, 8, attention_factor = large)": "`attention_factor` is `'large'`, but must be a number",
    "rotary_table!(2, 8, attention_factor = rsqrt_d)": "`attention_factor` is `'rsqrt_d'`, but must be a number",
    "rotary_table!(2, 8, rope_theta = 0)": "unknown key `rope_theta`; use `base`",
    "grid_table!((2, 3))": "grid() missing 1 required positional argument: 'd_model'",
    "grid_table!(6, 8)": "`shape` is `6`, but must be a tuple of the points along each axis",
    "grid_table!((), 8)": "`shape` has 0 sizes, but must have from 1 to 4, one for each axis",
    "grid_table!((2, 3, 4, 5, 6), 8)": "`shape` has 5 sizes, but must have from 1 to 4, one for each axis",
    "grid_table!((2, 3), 8, first = w)": "`first` is `w`, but must name each axis once: `h,w` is the order of the shape",
    "grid_table!((2, 3), 8, first = (w, t))": "`first` is `w,t`, but must name each axis once: `h,w` is the order of the shape",
    "grid_table!((2, 3), 8, first = (w, w))": "`first` is `w,w`, but must name each axis once: `h,w` is the order of the shape",
    "grid_table!((2, 3), 8, frequency_dtype = (bf16, f16))": "`frequency_dtype` is `('bf16', 'f16')`, but must be a name such as `exact`",
    "grid_table!((2, 3), 8, extent = 0.5)": '`extent` is `0.5`, but must be an int, a Fraction, or text such as "8/15"',
    "grid_table!((2, 3), 8, amplitude = rsqrt_d)": "`amplitude` is `'rsqrt_d'`, but must be a number",
    "grid_table!((2, 3), 8, dtype = i8)": "`dtype` is `i8`, but needs a scale, such as 'i8(1/127)'",
    "rotary_table!((2, 3))": "`head_dim` is missing; set it to the columns of a head",
    "rotary_table!((2, 3, 4, 5, 6), 8)": "`shape` has 5 sizes, but must have from 1 to 4, one for each axis",
    "rotary_table!((2, 3), 8, preset = llama2)": "unknown preset `llama2`; it is one of `posenc.rotary`",
    "rotary_table!((2, 3), 8, first = (w, w))": "`first` is `w,w`, but must name each axis once: `h,w` is the order of the shape",
    "rotary_table!((2, 3), 8, dtype = i8)": "`dtype` is `i8`, but needs a scale, such as 'i8(1/127)'",
    "sinusoidal_table!()": "sinusoidal() missing 2 required positional arguments: 'seq_len' and 'd_model'",
    "sinusoidal_table!(2)": "sinusoidal() missing 1 required positional argument: 'd_model'",
    "sinusoidal_table!(2, 4, 8)": "sinusoidal() takes 2 positional arguments but 3 were given",
    'sinusoidal_table!("2", 4)': "`seq_len` is `'2'`, but must be an integer",
    "sinusoidal_table!(2, 4, base = 9007199254740993)": "`base` is `9007199254740993`, but integers must be from -2^53 to 2^53; write a float",
    "sinusoidal_table!(2, 4, unit = 0.5)": '`unit` is `0.5`, but must be an int, a Fraction, or text such as "8/15"',
    "sinusoidal_table!(2, 4, unit = 8/15/2)": "`unit` is `8/15/2`, but must be an integer or a quotient of two, such as `8/15`",
    "sinusoidal_table!(2, 4, unit = [8, 15])": '`unit` is `[8, 15]`, but must be an int, a Fraction, or text such as "8/15"',
    "sinusoidal_table!(2, 4, start = 170141183460469231731687303715884105728)": "`start` is out of range: integers must be from -170141183460469231731687303715884105727 to 170141183460469231731687303715884105727",
    "sinusoidal_table!(2, 4, frequencies = 1.0)": "`frequencies` is `1.0`, but must be a list of numbers, or an array of one axis",
    'sinusoidal_table!(2, 4, frequencies = [1.0, "2"])': "`frequencies` is `'2'`, but must be a list of numbers",
    "sinusoidal_table!(2, 4, scaling = linear(0.1f32))": "`factor` for `scaling = linear`: `0.1f32` is not a number",
    "sinusoidal_table!(2, 4, base = true)": "`base` is `True`, but must be a number",
    "sinusoidal_table!(2, 4, dtype = int8)": "`dtype` is `int8`, but needs a scale, such as 'i8(1/127)'",
    "sinusoidal_table!(2, 4, dtype = i8)": "`dtype` is `i8`, but needs a scale, such as 'i8(1/127)'",
    "sinusoidal_table!(2, 4, dtype = i8())": "`dtype` is `i8()`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = i8(1.5/127))": "`dtype` is `i8(1.5/127)`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = i8(0.1f16))": "`dtype` is `i8(0.1f16)`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = i8(1/127, 0.5))": "`dtype` is `i8(1/127, 0.5)`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = i8(1/127, 5000000000))": "`dtype` is `i8(1/127, 5000000000)`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = i8(1/127, 0, 1))": "`dtype` is `i8(1/127, 0, 1)`, but must be 'i8(scale)' or 'i8(scale, zero_point)', where the scale is a number or a quotient of integers",
    "sinusoidal_table!(2, 4, dtype = q15(1/2))": "`dtype` is `q15(1/2)`, but must be one of f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale such as 'i8(1/127, -1)'",
    "sinusoidal_table!(2, 4, dtype = f32(1/2))": "`dtype` is `f32(1/2)`, but must be one of f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale such as 'i8(1/127, -1)'",
    "sinusoidal_table!(2, 4, pairing = 1)": "`pairing` is `1`, but must be a name such as `paired`",
    "sinusoidal_table!(2, 4, scaling = linear(8, 2))": "`2`: too many arguments for `linear`; its parameters are `factor`",
    "sinusoidal_table!(2, 4, scaling = linear(faktor = 8))": "`faktor = 8`: `linear` has no parameter `faktor`; its parameters are `factor`",
    "sinusoidal_table!(2, 4, scaling = linear(8, factor = 2))": "`factor = 2`: duplicate parameter `factor`",
    "sinusoidal_table!(2, 4, scaling = yarn(factor = 8, 4096))": "`4096`: arguments without a name must come before arguments with one",
}

# Calls that Python accepts: its limits are those of memory, and it has more spellings of names and lists.
LARGE = {"sinusoidal_table!(16777217, 4)", "sinusoidal_table!(16, 4096, dtype = f64, scale = 1e300)"}
ACCEPTED = LARGE | {
    "sinusoidal_table!(2, 4, dtype = float32)",
    "rotary_table!(2, 8, preset = llama_3_1)",
    "grid_table!((2, 3), 8, base = [1e4, 20])",
}


def expressible():
    for row in MACROS:
        try:
            call = python_call(row.call)
        except NotInPythonError:
            continue
        if row.call not in ACCEPTED:
            yield pytest.param(call, IN_PYTHON.get(row.call, row.answer), id=row.call)


def single(number):
    """Returns a number as float32, whose shortest digits the document has."""
    return struct.unpack("f", struct.pack("f", float(number)))[0]


@pytest.mark.parametrize(("call", "answer"), list(expressible()))
def test_a_call(call, answer):
    if answer.startswith("`[["):
        digits = answer.strip("`[]").split("], [")
        assert called(*call).tolist() == [[single(number) for number in row.split(", ")] for row in digits]
    elif answer.startswith("a table of") and answer.endswith(" bytes"):
        assert called(*call).nbytes == int(answer.split()[3])
    else:
        with pytest.raises((ValueError, TypeError)) as raised:
            called(*call)
        assert str(raised.value) == answer


def test_calls_that_are_accepted():
    for call in ACCEPTED - LARGE:
        called(*python_call(call))


def test_every_call_is_made_or_listed():
    reasons = Counter()
    for row in MACROS:
        try:
            python_call(row.call)
            own = "in Python's words" if row.call in IN_PYTHON else "in the same words"
            reasons["accepted" if row.call in ACCEPTED else own] += 1
        except NotInPythonError as reason:
            reasons[str(reason)] += 1
    assert set(IN_PYTHON) | ACCEPTED <= {row.call for row in MACROS}
    assert reasons["in the same words"] >= 220
    assert set(reasons) == {
        "in the same words",
        "in Python's words",
        "accepted",
        "an expression of Rust",
        "a float that Python rounds to 0 itself",
        "items of Rust",
        "keys of the macros alone",
        "the syntax of calls, which Python checks itself",
        "the syntax of macros",
    }
