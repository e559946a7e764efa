"""The extension module, written in Rust."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Final, Literal, Self, TypeAlias, TypedDict, TypeVar, Unpack, final, overload

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found,unused-ignore]

__all__ = [
    "Answer",
    "Explanation",
    "Match",
    "PresetInfo",
    "Report",
    "Table",
    "__version__",
    "_keys",
    "_restore",
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

__version__: Final[str]

# A name such as "float32", "bf16", "q15" or "i8(1/127, -1)", or what NumPy, PyTorch and JAX call it: `torch.bfloat16`.
_DType: TypeAlias = Any
# Any array: an object with the buffer protocol, `__dlpack__` or `__array__`.
_Array: TypeAlias = Any
_Quotient: TypeAlias = int | Fraction | str
_Numbers: TypeAlias = Sequence[float] | _Array
_Amplitude: TypeAlias = float | Literal["rsqrt_d", "sqrt_2_over_d", "attention_factor"]
# Called with the number of bytes that are done and of all bytes.
_Progress: TypeAlias = Callable[[int, int], object]
_Config: TypeAlias = Mapping[str, Any] | str | PathLike[str]

_Out = TypeVar("_Out")
_Other = TypeVar("_Other")

class _SinusoidalKeys(TypedDict, total=False):
    base: float
    freq_shift: float
    freq_offset: _Quotient
    frequencies: _Numbers
    scaling: str
    frequency_dtype: str
    layout: str
    order: str
    columns: str
    pairing: str
    repeat: str
    odd: str
    scale: float
    unit: _Quotient
    amplitude: _Amplitude
    start: int
    step: int
    zero_row: int

class _RotaryKeys(TypedDict, total=False):
    rotary_dim: int
    partial_rotary_factor: float
    base: float
    freq_offset: _Quotient
    frequencies: _Numbers
    scaling: str
    frequency_dtype: str
    repeat: str
    start: int
    step: int
    scale: float
    unit: _Quotient
    attention_factor: float

# A key that differs by axis has one value for all axes, or a tuple with one for each.
class _GridKeys(TypedDict, total=False):
    first: str | Sequence[str]
    nest: str
    widths: int | Sequence[int]
    rest: str
    zero_rows: int
    identity_rows: int
    identity_rows_after: int
    merge: int
    positions: _Numbers | Sequence[_Numbers]
    extent: _Quotient
    base: float | Sequence[float]
    freq_shift: float | Sequence[float]
    freq_offset: _Quotient | Sequence[_Quotient]
    frequencies: _Numbers | Sequence[_Numbers]
    scaling: str | Sequence[str]
    frequency_dtype: str
    order: str
    columns: str
    repeat: str
    start: int | Sequence[int]
    step: int | Sequence[int]
    scale: float
    unit: _Quotient | Sequence[_Quotient]
    amplitude: float

class _AxialKeys(TypedDict, total=False):
    first: str | Sequence[str]
    nest: str
    widths: int | Sequence[int]
    rest: str
    identity_rows: int
    identity_rows_after: int
    merge: int
    positions: _Numbers | Sequence[_Numbers]
    extent: _Quotient
    rotary_dim: int
    partial_rotary_factor: float
    base: float | Sequence[float]
    freq_offset: _Quotient | Sequence[_Quotient]
    frequencies: _Numbers | Sequence[_Numbers]
    scaling: str | Sequence[str]
    frequency_dtype: str
    repeat: str
    start: int | Sequence[int]
    step: int | Sequence[int]
    scale: float
    unit: _Quotient | Sequence[_Quotient]

@final
class Table:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def dtype_name(self) -> str: ...
    @property
    def macro(self) -> str | None: ...
    def numpy(self) -> npt.NDArray[Any]: ...
    def bits(self) -> npt.NDArray[Any]: ...
    def torch(self, device: torch.device | str | int | None = None) -> torch.Tensor: ...
    def tolist(self) -> list[Any]: ...
    def tobytes(self) -> bytes: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...
    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Report:
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def differing(self) -> int: ...
    @property
    def not_finite(self) -> int: ...
    @property
    def identical(self) -> bool: ...
    @property
    def max_ulps(self) -> int: ...
    @property
    def max_abs_error(self) -> float: ...
    @property
    def mean_abs_error(self) -> float: ...
    @property
    def max_ulps_at(self) -> tuple[int, int] | None: ...
    @property
    def max_error_at(self) -> tuple[int, int] | None: ...
    @property
    def first_not_finite(self) -> tuple[int, int] | None: ...
    @property
    def histogram(self) -> list[tuple[int, int, int]]: ...

@final
class Match:
    @property
    def kind(self) -> str: ...
    @property
    def presets(self) -> list[str]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def macro(self) -> str: ...
    @property
    def command(self) -> str | None: ...
    @property
    def same_table(self) -> bool: ...
    @property
    def max_abs_error(self) -> float: ...
    @property
    def inexact(self) -> int: ...

@final
class Answer:
    @property
    def outcome(self) -> Literal["identified", "several", "nothing"]: ...
    @property
    def matches(self) -> list[Match]: ...
    @property
    def lines(self) -> list[tuple[str, str]]: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Match]: ...
    def __getitem__(self, index: int, /) -> Match: ...

@final
class Explanation:
    @property
    def position(self) -> float: ...
    @property
    def column(self) -> int: ...
    @property
    def d_model(self) -> int: ...
    @property
    def dtype(self) -> str: ...
    @property
    def function(self) -> Literal["sine", "cosine"] | None: ...
    @property
    def formula(self) -> str | None: ...
    @property
    def frequency(self) -> str | None: ...
    @property
    def angle(self) -> str | None: ...
    @property
    def value(self) -> str: ...
    @property
    def below(self) -> float: ...
    @property
    def above(self) -> float: ...
    @property
    def result(self) -> float: ...
    @property
    def rounded(self) -> Literal["down", "exact", "up"]: ...

@final
class PresetInfo:
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["sinusoidal", "rotary", "grid", "rotary_grid"]: ...
    @property
    def table(self) -> str: ...
    @property
    def models(self) -> str: ...
    @property
    def source(self) -> str | None: ...
    @property
    def parameters(self) -> str: ...
    @property
    def same(self) -> list[str]: ...
    @property
    def see_also(self) -> list[str]: ...
    @property
    def command(self) -> str: ...

@overload
def sinusoidal(
    seq_len: int,
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_SinusoidalKeys],
) -> Table: ...
@overload
def sinusoidal(
    seq_len: int,
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: _Out,
    progress: _Progress | None = None,
    **keys: Unpack[_SinusoidalKeys],
) -> _Out: ...
@overload
def encode(
    positions: _Numbers,
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: None = None,
    **keys: Unpack[_SinusoidalKeys],
) -> Table: ...
@overload
def encode(
    positions: _Numbers,
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: _Out,
    **keys: Unpack[_SinusoidalKeys],
) -> _Out: ...
@overload
def rotary(
    seq_len: int | None = None,
    head_dim: int | None = None,
    *,
    positions: _Numbers | None = None,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    layers: str | None = None,
    packing: None = None,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_RotaryKeys],
) -> tuple[Table, Table]: ...
@overload
def rotary(
    seq_len: int | None = None,
    head_dim: int | None = None,
    *,
    positions: _Numbers | None = None,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    layers: str | None = None,
    packing: None = None,
    dtype: _DType | None = None,
    out: tuple[_Out, _Other],
    progress: _Progress | None = None,
    **keys: Unpack[_RotaryKeys],
) -> tuple[_Out, _Other]: ...
@overload
def rotary(
    seq_len: int | None = None,
    head_dim: int | None = None,
    *,
    positions: _Numbers | None = None,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    layers: str | None = None,
    packing: str,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_RotaryKeys],
) -> Table: ...
@overload
def rotary(
    seq_len: int | None = None,
    head_dim: int | None = None,
    *,
    positions: _Numbers | None = None,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    layers: str | None = None,
    packing: str,
    dtype: _DType | None = None,
    out: _Out,
    progress: _Progress | None = None,
    **keys: Unpack[_RotaryKeys],
) -> _Out: ...
@overload
def rotary_grid(
    shape: Sequence[int],
    head_dim: int | None = None,
    *,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    packing: None = None,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_AxialKeys],
) -> tuple[Table, Table]: ...
@overload
def rotary_grid(
    shape: Sequence[int],
    head_dim: int | None = None,
    *,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    packing: None = None,
    dtype: _DType | None = None,
    out: tuple[_Out, _Other],
    progress: _Progress | None = None,
    **keys: Unpack[_AxialKeys],
) -> tuple[_Out, _Other]: ...
@overload
def rotary_grid(
    shape: Sequence[int],
    head_dim: int | None = None,
    *,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    packing: str,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_AxialKeys],
) -> Table: ...
@overload
def rotary_grid(
    shape: Sequence[int],
    head_dim: int | None = None,
    *,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    packing: str,
    dtype: _DType | None = None,
    out: _Out,
    progress: _Progress | None = None,
    **keys: Unpack[_AxialKeys],
) -> _Out: ...
@overload
def grid(
    shape: Sequence[int],
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: None = None,
    progress: _Progress | None = None,
    **keys: Unpack[_GridKeys],
) -> Table: ...
@overload
def grid(
    shape: Sequence[int],
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    out: _Out,
    progress: _Progress | None = None,
    **keys: Unpack[_GridKeys],
) -> _Out: ...
def inv_freq(
    head_dim: int | None = None,
    *,
    preset: str | None = None,
    config: _Config | None = None,
    ignore_keys: Sequence[str] | None = None,
    layers: str | None = None,
    seq_len: int | None = None,
    vector: Literal["inv_freq", "periods", "frequency_factors"] = "inv_freq",
    dtype: _DType | None = None,
    **keys: Unpack[_RotaryKeys],
) -> Table: ...
def compare(found: _Array, expected: Table | _Array) -> Report: ...
def identify(found: _Array, *, shape: Sequence[int] | None = None, tolerance: float | None = None) -> Answer: ...
def explain(
    position: float,
    column: int,
    d_model: int,
    *,
    preset: str | None = None,
    dtype: _DType | None = None,
    **keys: Unpack[_SinusoidalKeys],
) -> Explanation: ...
def presets(kind: str | None = None) -> dict[str, PresetInfo]: ...

# What the tests compare the stubs with.
def _keys(kind: str) -> list[str]: ...
def _restore(dtype: str, shape: Sequence[int], text: str, is_macro: bool, entries: bytes) -> Table: ...
