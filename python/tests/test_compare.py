"""Comparing tables with what other programs computed."""

import math

import pytest

import posenc

np = pytest.importorskip("numpy")


def recipe(rows, columns, dtype):
    """Returns the common recipe for Whisper's table, computed in one type."""
    half = columns // 2
    exponent = dtype(-math.log(10_000) / (half - 1)) * np.arange(half, dtype=dtype)
    angle = np.arange(rows, dtype=dtype)[:, None] * np.exp(exponent)[None]
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1).astype(dtype)


WHISPER = posenc.sinusoidal(1500, 384, preset="whisper")


def test_the_recipe_in_float32_differs():
    report = posenc.compare(recipe(1500, 384, np.float32), WHISPER)
    assert (report.rows, report.columns, report.entries) == (1500, 384, 576_000)
    assert 0.5 < report.differing / report.entries < 0.95
    assert 1e-5 < report.max_abs_error < 5e-4
    assert 0 < report.mean_abs_error < 1e-5
    assert not report.identical
    assert report.not_finite == 0
    assert report.first_not_finite is None


def test_a_report_has_the_numbers_of_numpy():
    found, expected = recipe(100, 64, np.float32), posenc.sinusoidal(100, 64, preset="whisper")
    report = posenc.compare(found, expected)
    errors = np.abs(found.astype(np.float64) - expected.numpy().astype(np.float64))
    assert report.differing == np.count_nonzero(found != expected.numpy())
    assert report.max_abs_error == errors.max()
    assert report.mean_abs_error == pytest.approx(errors.mean())
    assert errors[report.max_error_at] == errors.max()
    ordered = [
        np.where(bits < 0, -(2**31) - bits, bits)
        for bits in (table.view(np.int32).astype(np.int64) for table in (found, expected.numpy()))
    ]
    ulps = np.abs(ordered[0] - ordered[1])
    assert report.max_ulps == ulps.max()
    assert ulps[report.max_ulps_at] == ulps.max()
    assert sum(count for *_, count in report.histogram) in (report.entries, report.differing)


def test_the_histogram_counts_distances():
    expected = posenc.sinusoidal(10, 8)
    found = expected.numpy().copy()
    bits = found.view(np.uint32)
    bits[1, 1] += 1
    bits[2, 2] += 5
    bits[3, 3] -= 5
    report = posenc.compare(found, expected)
    assert (report.differing, report.max_ulps, report.max_ulps_at) == (3, 5, (2, 2))
    counted = {(first, last): count for first, last, count in report.histogram if count}
    assert sum(counted.values()) in (3, 80)
    assert [count for (first, last), count in counted.items() if first <= 5 <= last] == [2]
    assert [count for (first, last), count in counted.items() if first <= 1 <= last] == [1]


def test_float64_rounded_to_float32_hardly_differs():
    found = recipe(1500, 384, np.float64).astype(np.float32)
    report = posenc.compare(found, WHISPER)
    assert report.differing < 100
    assert report.max_abs_error < 1e-7


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "q7", "q15", "q31", "i8(1/127)", "u8(1/127, 128)"])
def test_a_table_is_identical_with_itself(dtype):
    table = posenc.sinusoidal(20, 16, dtype=dtype)
    for found in (table, table.numpy(), table.numpy().copy(), memoryview(table)):
        report = posenc.compare(found, table)
        assert report.identical
        assert (report.differing, report.max_ulps, report.max_abs_error, report.max_ulps_at) == (0, 0, 0.0, None)
        assert posenc.compare(table, found).identical


def test_bfloat16_is_compared():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    table = posenc.sinusoidal(20, 16, dtype="bfloat16")
    assert posenc.compare(table.numpy(), table).identical
    rounded = posenc.sinusoidal(20, 16, dtype="float64").numpy().astype(np.float32).astype(ml_dtypes.bfloat16)
    assert posenc.compare(rounded, table).max_ulps <= 1


EXPECTED = posenc.sinusoidal(20, 16)
ARRAY = EXPECTED.numpy()


@pytest.mark.parametrize(
    "found",
    [
        ARRAY,
        np.asfortranarray(ARRAY),
        np.ascontiguousarray(ARRAY.T).T,
        np.repeat(ARRAY, 2, axis=1)[:, ::2],
        np.repeat(ARRAY, 3, axis=0)[::3],
        ARRAY[::-1][::-1],
        ARRAY.astype(">f4"),
        np.asfortranarray(ARRAY).astype(">f4"),
        ARRAY[None],
        ARRAY[None, None],
        np.asfortranarray(ARRAY)[None],
        memoryview(EXPECTED),
        np.frombuffer(b"\0" + ARRAY.tobytes(), np.uint8)[1:].view(np.float32).reshape(20, 16),
    ],
)
def test_arrays_of_any_layout(found):
    assert posenc.compare(found, EXPECTED).identical
    assert posenc.compare(EXPECTED, found).identical


def test_arrays_of_any_layout_are_read_right():
    """The same entries in another order differ."""
    square = posenc.sinusoidal(16, 16)
    assert not posenc.compare(square.numpy().T, square).identical
    assert not posenc.compare(square.numpy()[::-1], square).identical


@pytest.mark.parametrize(
    ("found", "error", "words"),
    [
        (ARRAY.T, ValueError, "`found` has the shape"),
        (ARRAY[:19], ValueError, "`found` has the shape"),
        (ARRAY[0], ValueError, "`found` has the shape"),
        (np.stack([ARRAY, ARRAY]), ValueError, "`found` has the shape"),
        (ARRAY.astype(np.float64), TypeError, "`found` has the dtype float64"),
        (ARRAY.astype(np.complex64), TypeError, "`found` has entries of the type complex64"),
        (ARRAY.astype(object), TypeError, "`found`"),
        (ARRAY.tolist(), TypeError, "`found` is a list"),
        (None, TypeError, "`found` is"),
        ("table", TypeError, "`found` is a str"),
        (np.float32(1), (TypeError, ValueError), "`found`"),
    ],
)
def test_what_cannot_be_compared(found, error, words):
    with pytest.raises(error, match=words):
        posenc.compare(found, EXPECTED)
    with pytest.raises(error, match="`expected`|`found`"):
        posenc.compare(EXPECTED, found)


def test_entries_that_are_not_finite():
    found = ARRAY.copy()
    found[3, 4], found[5, 6] = math.nan, math.inf
    report = posenc.compare(found, EXPECTED)
    assert (report.not_finite, report.first_not_finite, report.differing) == (2, (3, 4), 2)
    assert not report.identical
    same = posenc.compare(found, found)
    assert (same.not_finite, same.differing) == (2, 0)


def test_zeros_of_both_signs_differ():
    report = posenc.compare(np.array([[-0.0]], np.float32), np.array([[0.0]], np.float32))
    assert (report.differing, report.identical, report.max_abs_error) == (1, False, 0.0)


def test_tables_without_entries():
    report = posenc.compare(posenc.sinusoidal(0, 4), posenc.sinusoidal(0, 4))
    assert (report.rows, report.entries, report.identical) == (0, 0, True)


def test_a_vector_is_compared():
    vector = posenc.inv_freq(8)
    assert posenc.compare(vector, vector).identical
    assert posenc.compare(vector.numpy().copy(), vector).identical


def test_text():
    report = posenc.compare(recipe(1500, 384, np.float32), WHISPER)
    assert str(report).startswith(f"differing: {report.differing} of 1500 x 384 f32 entries")
    assert "largest distance" in str(report)
