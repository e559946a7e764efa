"""Tables as arrays of NumPy."""

import sys

import pytest
from test_memory import each_dtype

import posenc

np = pytest.importorskip("numpy")

needs_numpy_2 = pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2, reason="NumPy 1 has another `copy`")


@each_dtype
def test_numpy_shares_the_memory(dtype, name, layout, code):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    bits = table.bits()
    assert bits.dtype == np.dtype(f"uint{8 * bits.itemsize}")
    if layout is None:
        pytest.importorskip("ml_dtypes")
    arrays = [table.numpy(), np.asarray(table), table.__array__(), bits]
    if layout is not None and np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # Older ones ask for a copy.
        arrays.append(np.from_dlpack(table))
    for array in arrays:
        assert array.shape == (5, 6)
        assert array.tobytes() == table.tobytes()
        assert array.ctypes.data == bits.ctypes.data
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    for array in arrays[:3]:
        assert array.dtype.name == {"q7": "int8", "q15": "int16", "q31": "int32"}.get(name, name)


def test_arrays_outlive_the_table():
    def arrays():
        table = posenc.sinusoidal(200, 64)
        return table.tobytes(), [table.numpy(), table.bits(), np.asarray(table), np.from_dlpack(table)]

    entries, made = arrays()
    assert [array.tobytes() for array in made] == [entries] * 4


@needs_numpy_2
def test_copies_as_in_numpy_2():
    table = posenc.sinusoidal(5, 6)
    shared = table.numpy()
    for array in (
        np.array(table, copy=False),
        np.array(table, copy=None),
        np.asarray(table, dtype=np.float32, copy=False),
    ):
        assert np.shares_memory(array, shared)
        assert not array.flags.writeable
    for array in (
        np.array(table),
        np.array(table, copy=True),
        table.__array__(copy=True),
        np.from_dlpack(table, copy=True),
    ):
        assert not np.shares_memory(array, shared)
        assert array.flags.writeable
        assert (array == shared).all()
    assert np.shares_memory(table.__array__(), shared)


def test_conversions():
    table = posenc.sinusoidal(5, 6)
    for dtype in ("float64", np.float64, np.dtype("f8"), "float16", ">f4", "int32", "complex64"):
        for array in (np.asarray(table, dtype=dtype), table.__array__(dtype), table.__array__(dtype=np.dtype(dtype))):
            assert array.dtype == np.dtype(dtype)
            assert (array == table.numpy().astype(dtype)).all()
            assert array.flags.writeable
        with pytest.raises(ValueError, match="copy"):
            table.__array__(dtype, copy=False)
    with pytest.raises(TypeError):
        np.asarray(table, dtype="no such type")


def test_numpy_functions_take_tables():
    table = posenc.sinusoidal(5, 6)
    array = table.numpy()
    assert np.array_equal(np.add(table, 1), array + 1)
    assert np.stack([table, table]).shape == (2, 5, 6)
    assert np.allclose(array @ np.ones(6), np.matmul(table, np.ones(6, np.float32)))


def test_an_empty_table_is_an_array():
    table = posenc.sinusoidal(0, 6)
    for array in (table.numpy(), table.bits(), np.asarray(table), np.from_dlpack(table)):
        assert array.shape == (0, 6)


def test_a_vector_is_an_array():
    vector = posenc.inv_freq(8)
    for array in (vector.numpy(), vector.bits(), np.asarray(vector), np.from_dlpack(vector)):
        assert array.shape == (4,)
        assert array.tobytes() == vector.tobytes()


def test_bfloat16_without_ml_dtypes(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    table = posenc.sinusoidal(5, 6, dtype="bfloat16")
    for convert in (table.numpy, lambda: np.asarray(table), table.__array__):
        with pytest.raises(TypeError, match=r"install ml_dtypes, or use `\.bits\(\)`"):
            convert()
    assert table.bits().dtype == np.uint16
    values = (table.bits().astype(np.uint32) << 16).view(np.float32)
    assert values.tolist() == table.tolist()


def test_bfloat16_with_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = posenc.sinusoidal(5, 6, dtype=ml_dtypes.bfloat16).numpy()
    assert array.dtype == ml_dtypes.bfloat16
    assert array.astype(np.float32).tolist() == posenc.sinusoidal(5, 6, dtype="bf16").tolist()


def test_without_numpy(monkeypatch):
    """What needs NumPy says so; the rest does not."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    table = posenc.sinusoidal(2, 4)
    for convert in (table.numpy, table.bits):
        with pytest.raises(ImportError, match="numpy"):
            convert()
    assert memoryview(table).tolist() == table.tolist()
    assert posenc.compare(table, table).identical
    assert posenc.encode([0, 1], 4) == table


@pytest.mark.parametrize("dtype", [np.float32, np.dtype("float32"), np.dtype(np.float64), np.float16, "float16"])
def test_types_of_numpy_as_dtype(dtype):
    table = posenc.sinusoidal(2, 4, dtype=dtype)
    assert table.dtype_name == np.dtype(dtype).name


@pytest.mark.parametrize("dtype", [np.dtype(">f4"), np.complex64, np.int8, np.bool_, np.dtype("O"), np.dtype("i4,f4")])
def test_types_of_numpy_that_no_table_has(dtype):
    with pytest.raises((TypeError, ValueError), match="dtype"):
        posenc.sinusoidal(2, 4, dtype=dtype)


@pytest.mark.parametrize(
    "positions",
    [
        np.array([0.5, 2, -3], np.float64),
        np.array([0.5, 2, -3], np.float32),
        np.array([0.5, 2, -3], np.float16),
        np.array([0.5, 2, -3], ">f8"),
        np.array([0.5, 9, 2, 9, -3, 9])[::2],
        np.array([-3, 2, 0.5])[::-1],
        [np.float32(0.5), np.int64(2), np.float64(-3)],
        (0.5, 2, -3),
        posenc.encode([], 1).tolist() + [0.5, 2, -3.0],
    ],
)
def test_arrays_as_lists_of_numbers(positions):
    assert posenc.encode(positions, 4) == posenc.encode([0.5, 2.0, -3.0], 4)
    values = [float(position) for position in positions]
    assert posenc.sinusoidal(3, 6, frequencies=positions) == posenc.sinusoidal(3, 6, frequencies=values)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "<i8", ">i2"])
def test_arrays_of_integers_as_lists_of_numbers(dtype):
    assert posenc.encode(np.arange(3, dtype=dtype), 4) == posenc.sinusoidal(3, 4)


@pytest.mark.parametrize(
    ("positions", "error"),
    [
        (np.zeros((2, 2)), ValueError),
        (np.zeros(()), (TypeError, ValueError)),
        (np.array(["a"]), TypeError),
        (np.array([1j]), TypeError),
        (np.array([None]), TypeError),
        (np.array([2**53 + 1]), ValueError),
        (np.array([np.nan]), ValueError),
        (np.array([np.inf], np.float32), ValueError),
        (np.array([True]), TypeError),
        ([[0.0], [1.0]], TypeError),
        ("01", TypeError),
        ({0, 1}, TypeError),
        (3, TypeError),
        (None, TypeError),
    ],
)
def test_what_is_not_a_list_of_numbers(positions, error):
    with pytest.raises(error, match="positions"):
        posenc.encode(positions, 4)


def test_numbers_of_numpy():
    for value in (np.float32(0.5), np.float16(0.5), np.longdouble(0.5)):
        assert posenc.sinusoidal(2, 4, base=value) == posenc.sinusoidal(2, 4, base=0.5)
        assert posenc.encode([value], 4) == posenc.encode([0.5], 4)
    assert posenc.sinusoidal(2, 4, base=np.int64(500)) == posenc.sinusoidal(2, 4, base=500)
    wide = np.longdouble(1) + np.longdouble(2) ** -60
    refused = [np.int64(2**53 + 1), np.uint64(2**63 + 1), *([wide] if wide != 1 else [])]
    for value in refused:
        with pytest.raises(ValueError, match=r"exactly a float|2\^53"):
            posenc.encode([value], 4)
        with pytest.raises(ValueError, match=r"exactly a float|2\^53"):
            posenc.sinusoidal(2, 4, base=value)
    with pytest.raises(TypeError, match="`base` is `.*True.*`, but must be a number"):
        posenc.sinusoidal(2, 4, base=np.bool_(True))


def test_positions_of_axes_may_be_arrays():
    lists = ([0, 7], [1, 2, 3])
    for arrays in (tuple(map(np.array, lists)), (np.array(lists[0], np.float32), lists[1])):
        assert posenc.rotary_grid((2, 3), 8, positions=arrays) == posenc.rotary_grid((2, 3), 8, positions=lists)
