"""Tables that are written to the caller's memory."""

import array

import pytest

import posenc

np = pytest.importorskip("numpy")


def empty(rows, columns, dtype="float32"):
    return np.full((rows, columns), 7, dtype)


MAKERS = [
    lambda **keys: posenc.sinusoidal(3, 4, **keys),
    lambda **keys: posenc.encode([0, 1, 2], 4, **keys),
    lambda **keys: posenc.rotary(3, 4, packing="cos_sin", **keys),
    lambda **keys: posenc.grid((3,), 4, **keys),
    lambda **keys: posenc.rotary_grid((3,), 4, packing="complex", **keys),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("dtype", "of_numpy"),
    [
        ("float32", "float32"),
        ("float64", "float64"),
        ("float16", "float16"),
        ("q7", "int8"),
        ("q15", "int16"),
        ("q31", "int32"),
        ("i8(1/127)", "int8"),
        ("u8(1/127, 128)", "uint8"),
    ],
)
def test_an_array_of_numpy(make, dtype, of_numpy):
    out = empty(3, 4, of_numpy)
    assert make(dtype=dtype, out=out) is out
    assert out.tobytes() == make(dtype=dtype).tobytes()


def test_an_array_of_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    out = np.zeros((3, 4), ml_dtypes.bfloat16)
    posenc.sinusoidal(3, 4, dtype="bfloat16", out=out)
    assert out.tobytes() == posenc.sinusoidal(3, 4, dtype="bfloat16").tobytes()


def test_a_part_of_an_array():
    whole = empty(9, 4)
    part = whole[2:5]
    assert posenc.sinusoidal(3, 4, out=part) is part
    assert part.tobytes() == posenc.sinusoidal(3, 4).tobytes()
    assert (whole[:2] == 7).all()
    assert (whole[5:] == 7).all()


@pytest.mark.parametrize("memory", [bytearray(48), array.array("f", [7] * 12), np.zeros(12, "float32").data])
def test_a_memoryview(memory):
    out = memoryview(memory).cast("B").cast("f", (3, 4))
    assert posenc.sinusoidal(3, 4, out=out) is out
    assert out.tobytes() == posenc.sinusoidal(3, 4).tobytes()


def test_an_array_with_one_row_or_one_column():
    """The stride of an axis with one point does not matter."""
    row = np.zeros((4, 9), "float32", order="F")[:, :1].T
    assert row.shape == (1, 4)
    assert posenc.sinusoidal(1, 4, out=row).tolist() == posenc.sinusoidal(1, 4).tolist()
    column = np.zeros((1, 3), "float32").T
    assert posenc.sinusoidal(3, 1, out=column).tolist() == posenc.sinusoidal(3, 1).tolist()


def test_an_empty_array():
    out = empty(0, 4)
    assert posenc.sinusoidal(0, 4, out=out) is out


READ_ONLY = empty(3, 4)
READ_ONLY.flags.writeable = False
UNALIGNED = np.frombuffer(bytearray(49), np.uint8)[1:].view(np.float32).reshape(3, 4)

WRONG = [
    (empty(4, 3), ValueError, r"`out` has the shape \(4, 3\), but must have \(3, 4\)"),
    (empty(3, 4).reshape(12), ValueError, r"`out` has the shape \(12,\)"),
    (empty(3, 4)[None], ValueError, r"`out` has the shape \(1, 3, 4\)"),
    (empty(3, 4, "float64"), TypeError, "`out` has entries of the type float64.* float32"),
    (empty(3, 4, "uint32"), TypeError, "`out` has entries of the type uint32"),
    (empty(3, 4, ">f4"), ValueError, "`out` has the byte order of other machines"),
    (empty(3, 8)[:, ::2], ValueError, "`out` .*C-contiguous"),
    (empty(6, 4)[::2], ValueError, "`out` .*C-contiguous"),
    (empty(3, 4)[::-1], ValueError, "`out` .*C-contiguous"),
    (np.broadcast_to(np.zeros(4, "float32"), (3, 4)), ValueError, "`out`"),
    (empty(4, 3).T, ValueError, "`out` .*C-contiguous"),
    (READ_ONLY, ValueError, "`out` is read-only"),
    (UNALIGNED, ValueError, "`out` has an address"),
    (memoryview(bytes(48)).cast("f", (3, 4)), ValueError, "`out` is read-only"),
    (memoryview(bytearray(48)), (TypeError, ValueError), "`out` has entries of the type uint8"),
    (posenc.sinusoidal(3, 4), ValueError, "`out` is read-only"),
    (empty(3, 4).tolist(), TypeError, "`out` is a list"),
    ("out", TypeError, "`out` is a str"),
    (np.array(None), TypeError, "`out` cannot be read as an array"),
    (np.zeros((3, 4), "f4,f4"), TypeError, "`out` has entries of"),
]


@pytest.mark.parametrize(("out", "error", "words"), WRONG)
@pytest.mark.parametrize("make", MAKERS)
def test_what_out_cannot_be(make, out, error, words):
    before = out.tobytes() if isinstance(out, np.ndarray) and out.dtype != object else None
    with pytest.raises(error, match=words):
        make(out=out)
    assert before is None or out.tobytes() == before


def test_bits_are_not_written_to_integers():
    with pytest.raises(TypeError, match="`out` has entries of the type uint16.* bfloat16"):
        posenc.sinusoidal(3, 4, dtype="bfloat16", out=empty(3, 4, "uint16"))


def test_an_error_leaves_out_unchanged():
    out = empty(3, 4)
    for keys in ({"base": 0}, {"preset": "nothing"}, {"layout": "halve"}, {"zero_row": 3}, {"bases": 1}):
        with pytest.raises((ValueError, TypeError)):
            posenc.sinusoidal(3, 4, out=out, **keys)
    assert (out == 7).all()


def cos_and_sin():
    return empty(3, 4), empty(3, 4)


@pytest.mark.parametrize(
    "make", [lambda **out: posenc.rotary(3, 8, **out), lambda **out: posenc.rotary_grid((3,), 8, **out)]
)
def test_a_pair(make):
    out = cos_and_sin()
    assert make(out=out) is out
    assert [each.tobytes() for each in out] == [table.tobytes() for table in make()]


def test_what_a_pair_cannot_be():
    cos, sin = cos_and_sin()
    for out, error, words in (
        (cos, TypeError, "`out` is of type `ndarray`, but must be a tuple of two arrays"),
        ([cos, sin], TypeError, "`out` is of type `list`, but must be a tuple of two arrays"),
        ((cos,), TypeError, "`out` is .*a tuple of two arrays"),
        ((cos, sin, sin), TypeError, "`out` is .*a tuple of two arrays"),
        ((cos, None), TypeError, r"`out\[1\]`"),
        ((cos, empty(3, 4, "float64")), TypeError, r"`out\[1\]` has entries of the type float64"),
        ((empty(3, 3), sin), ValueError, r"`out\[0\]` has the shape"),
        ((cos, READ_ONLY), ValueError, r"`out\[1\]` is read-only"),
        ((cos, cos), ValueError, "`out` has two arrays that share memory"),
    ):
        with pytest.raises(error, match=words):
            posenc.rotary(3, 8, out=out)
        assert (cos == 7).all()
        assert (sin == 7).all()
    overlapping = empty(5, 4)
    with pytest.raises(ValueError, match="share memory"):
        posenc.rotary(3, 8, out=(overlapping[:3], overlapping[2:]))
    beside = empty(6, 4)
    posenc.rotary(3, 8, out=(beside[3:], beside[:3]))
    assert beside.tobytes() == b"".join(table.tobytes() for table in posenc.rotary(3, 8)[::-1])


def test_a_tuple_is_no_single_array():
    with pytest.raises(TypeError, match="`out` is a tuple"):
        posenc.rotary(3, 8, packing="cos", out=cos_and_sin())


def test_no_other_function_writes_to_out():
    for call in (posenc.inv_freq, posenc.explain):
        with pytest.raises(TypeError, match="`out`"):
            call(*([8] if call is posenc.inv_freq else [1, 1, 8]), out=empty(3, 4))
