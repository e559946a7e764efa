"""The structures of DLPack, read with ctypes."""

import ctypes
from typing import NamedTuple


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    """What a capsule named `dltensor` holds."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Managed._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    """What a capsule named `dltensor_versioned` holds."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


READ_ONLY, IS_COPIED = 1, 2
FLOAT, SIGNED, UNSIGNED, BFLOAT = 2, 0, 1, 4

get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
set_name = ctypes.pythonapi.PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, ctypes.c_char_p]

# A capsule does not copy its name, so these live as long as the program.
NAMES = {Managed: (b"dltensor", b"used_dltensor"), Versioned: (b"dltensor_versioned", b"used_dltensor_versioned")}


def managed(capsule: object, kind: type) -> "Managed | Versioned":
    """Returns the structure of a capsule, which it keeps alive."""
    structure = kind.from_address(get_pointer(capsule, NAMES[kind][0]))
    structure.capsule = capsule
    return structure


def consume(capsule: object, kind: type) -> None:
    """Takes the tensor of a capsule, as a framework does, and frees it."""
    pointer = get_pointer(capsule, NAMES[kind][0])
    set_name(capsule, NAMES[kind][1])
    kind.from_address(pointer).deleter(pointer)


class Described(NamedTuple):
    shape: list[int]
    strides: list[int]
    dtype: tuple[int, int, int]
    device: tuple[int, int]
    entries: bytes


def described(tensor: Tensor) -> Described:
    shape, strides = tensor.shape[: tensor.ndim], tensor.strides[: tensor.ndim]
    length = tensor.bits // 8
    for size in shape:
        length *= size
    entries = ctypes.string_at(tensor.data + tensor.byte_offset, length)
    return Described(shape, strides, (tensor.code, tensor.bits, tensor.lanes), tuple(tensor.device), entries)
