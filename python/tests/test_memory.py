"""The entries of a table in Python alone: buffers, DLPack, lists and bytes."""

import ctypes
import inspect
import struct
import sys

import pytest
from dlpack import (
    BFLOAT,
    FLOAT,
    IS_COPIED,
    NAMES,
    READ_ONLY,
    SIGNED,
    UNSIGNED,
    Managed,
    Versioned,
    consume,
    described,
    get_pointer,
    managed,
)

import posenc

# The dtype, its name, its format in the module `struct`, and its code in DLPack.
DTYPES = [
    ("float32", "float32", "f", FLOAT),
    ("float64", "float64", "d", FLOAT),
    ("float16", "float16", "e", FLOAT),
    ("bfloat16", "bfloat16", None, BFLOAT),
    ("q7", "q7", "b", SIGNED),
    ("q15", "q15", "h", SIGNED),
    ("q31", "q31", "i", SIGNED),
    ("i8(1/127)", "int8", "b", SIGNED),
    ("i16(1/32767)", "int16", "h", SIGNED),
    ("u8(1/127, 128)", "uint8", "B", UNSIGNED),
]
SIZES = {"f": 4, "d": 8, "e": 2, None: 2, "b": 1, "h": 2, "i": 4, "B": 1}

each_dtype = pytest.mark.parametrize(("dtype", "name", "layout", "code"), DTYPES)


def bfloat16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


@each_dtype
def test_sizes_and_lists(dtype, name, layout, code):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    assert (table.dtype_name, table.shape, table.ndim, table.size, len(table)) == (name, (5, 6), 2, 30, 5)
    assert table.nbytes == len(table.tobytes()) == 30 * SIZES[layout]
    entries = struct.unpack(f"={30}{layout or 'H'}", table.tobytes())
    numbers = [bfloat16(entry) for entry in entries] if layout is None else list(entries)
    assert sum(table.tolist(), []) == numbers
    assert {type(number) for number in numbers} == {float if code in (FLOAT, BFLOAT) else int}


@each_dtype
def test_memoryview(dtype, name, layout, code):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    if layout is None:
        with pytest.raises(BufferError, match=r"no bfloat16; use `\.bits\(\)`"):
            memoryview(table)
        return
    view = memoryview(table)
    assert (view.format, view.itemsize, view.shape, view.ndim) == (layout, SIZES[layout], (5, 6), 2)
    assert view.strides == (6 * view.itemsize, view.itemsize)
    assert view.readonly
    assert view.c_contiguous
    assert view.obj is table
    assert view.tobytes() == table.tobytes()
    with pytest.raises(TypeError, match="read-only"):
        view[0, 0] = 1


def test_buffers_share_the_memory_and_keep_it():
    table = posenc.sinusoidal(200, 64)
    views = [memoryview(table) for _ in range(3)]
    entries = table.tobytes()
    del table
    assert all(view.tobytes() == entries for view in views)
    views[0].release()
    assert views[1].tobytes() == entries


def address(view):
    """Returns the address of a read-only buffer."""
    pointer, size = ctypes.c_void_p(), ctypes.c_ssize_t()
    read = ctypes.pythonapi.PyObject_AsReadBuffer
    read(ctypes.py_object(view), ctypes.byref(pointer), ctypes.byref(size))
    return pointer.value


@pytest.mark.skipif(not hasattr(ctypes.pythonapi, "PyObject_AsReadBuffer"), reason="needs PyObject_AsReadBuffer")
def test_all_views_are_of_one_aligned_memory():
    table = posenc.sinusoidal(7, 5)
    shared = managed(table.__dlpack__(max_version=(1, 0)), Versioned).tensor.data
    assert address(table) == shared
    assert shared % 64 == 0


@pytest.mark.parametrize(("rows", "columns"), [(0, 4), (0, 1), (1, 1)])
def test_small_and_empty(rows, columns):
    table = posenc.sinusoidal(rows, columns)
    assert table.shape == memoryview(table).shape == (rows, columns)
    assert table.tolist() == memoryview(table).tolist() == [[0.0]] * rows
    assert table.tobytes() == bytes(4 * rows)
    assert len(table) == rows
    capsule = table.__dlpack__(max_version=(1, 0))
    assert described(managed(capsule, Versioned).tensor).shape == [rows, columns]


def test_a_vector_has_one_axis():
    vector = posenc.inv_freq(8, dtype="float64")
    assert (vector.shape, vector.ndim, vector.size, len(vector)) == ((4,), 1, 4, 4)
    assert vector.tolist() == memoryview(vector).tolist() == [1.0, 0.1, 0.01, 0.001]
    assert described(managed(vector.__dlpack__(max_version=(1, 0)), Versioned).tensor)[:2] == ([4], [1])


@each_dtype
def test_versioned_dlpack(dtype, name, layout, code):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    capsule = table.__dlpack__(max_version=(1, 0))
    tensor = managed(capsule, Versioned)
    assert tensor.version[0] == 1
    assert tensor.flags == READ_ONLY
    of = (code, 8 * SIZES[layout], 1)
    assert described(tensor.tensor) == ([5, 6], [6, 1], of, (1, 0), table.tobytes())
    assert table.__dlpack_device__() == (1, 0)


@each_dtype
def test_legacy_dlpack_is_a_copy(dtype, name, layout, code):
    """A legacy capsule cannot say that memory is read-only."""
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    for versions in ({}, {"max_version": None}, {"max_version": (0, 8)}):
        legacy = managed(table.__dlpack__(**versions), Managed).tensor
        shared = managed(table.__dlpack__(max_version=(1, 0)), Versioned).tensor
        assert described(legacy) == described(shared)
        assert legacy.data != shared.data
        ctypes.memset(legacy.data, 0xFF, table.nbytes)
        assert table.tobytes() == described(shared).entries != b"\xff" * table.nbytes


def test_copies_by_dlpack():
    table = posenc.sinusoidal(5, 6)
    shared = managed(table.__dlpack__(max_version=(1, 0), copy=False), Versioned)
    assert shared.flags == READ_ONLY
    copied = managed(table.__dlpack__(max_version=(1, 2), copy=True), Versioned)
    assert copied.flags == IS_COPIED
    assert copied.tensor.data != shared.tensor.data
    assert described(copied.tensor) == described(shared.tensor)
    with pytest.raises(BufferError, match="`copy` is False"):
        table.__dlpack__(copy=False)


@pytest.mark.parametrize("kind", [Managed, Versioned])
def test_a_tensor_outlives_its_table_and_its_capsule(kind):
    table = posenc.sinusoidal(100, 64)
    entries = table.tobytes()
    capsule = table.__dlpack__(max_version=(1, 0) if kind is Versioned else None)
    del table
    assert described(managed(capsule, kind).tensor).entries == entries
    consume(capsule, kind)
    with pytest.raises(ValueError, match="PyCapsule_GetPointer called with incorrect name"):
        get_pointer(capsule, NAMES[kind][0])


@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"stream": 1}, BufferError, "`stream` must be None"),
        ({"dl_device": (2, 0)}, BufferError, "`dl_device` is .*the CPU"),
        ({"dl_device": (1, 1)}, BufferError, "`dl_device`"),
        ({"dl_device": "cpu"}, TypeError, "dl_device"),
        ({"max_version": 1}, TypeError, "max_version"),
        ({"max_version": (1, 0, 0)}, (TypeError, ValueError), "max_version"),
        ({"max_version": (-1, 0)}, (TypeError, ValueError, OverflowError), "max_version"),
        ({"copy": "yes"}, TypeError, "copy"),
        ({"device": (1, 0)}, TypeError, "device"),
    ],
)
def test_what_dlpack_cannot_do(keywords, error, words):
    with pytest.raises(error, match=words):
        posenc.sinusoidal(2, 4).__dlpack__(**keywords)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 has `__buffer__`")
@pytest.mark.parametrize("table", [posenc.sinusoidal(2, 4), posenc.sinusoidal(0, 4), posenc.inv_freq(8)])
def test_buffers_with_less_than_everything(table):
    for flags in inspect.BufferFlags:
        if flags & inspect.BufferFlags.WRITABLE:
            with pytest.raises(BufferError, match="read-only"):
                table.__buffer__(flags)
        elif flags & ~inspect.BufferFlags.FULL_RO & ~inspect.BufferFlags.ANY_CONTIGUOUS:
            continue
        else:
            assert table.__buffer__(flags).tobytes() == table.tobytes()


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        ("float32", ["f32", "float32", "Float32", "torch.float32", "np.float32", None]),
        ("float64", ["f64", "float64", "torch.float64", float]),
        ("float16", ["f16", "float16", "fp16", "torch.float16"]),
        ("bfloat16", ["bf16", "bfloat16", "BF16", "torch.bfloat16"]),
        ("int8", ["i8(1/127)", "int8(1/127)", "i8( 1/127, 0 )", "i8(1/127,0)"]),
        ("q15", ["q15", "Q15"]),
    ],
)
def test_spellings_of_dtypes(name, spellings):
    table = posenc.sinusoidal(3, 4, dtype=spellings[0])
    assert table.dtype_name == name
    for spelling in spellings:
        assert posenc.sinusoidal(3, 4, dtype=spelling) == table
