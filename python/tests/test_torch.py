"""Tables and PyTorch."""

import pytest

import posenc

torch = pytest.importorskip("torch")

DTYPES = [
    ("float32", torch.float32),
    ("float64", torch.float64),
    ("float16", torch.float16),
    ("bfloat16", torch.bfloat16),
    ("q7", torch.int8),
    ("q15", torch.int16),
    ("q31", torch.int32),
    ("u8(1/127, 128)", torch.uint8),
]


@pytest.mark.parametrize(("dtype", "of_torch"), DTYPES)
def test_a_tensor_is_a_copy(dtype, of_torch):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    before = table.tobytes()
    for tensor in (table.torch(), table.torch("cpu"), table.torch(device=torch.device("cpu"))):
        assert tensor.dtype == of_torch
        assert tensor.shape == (5, 6)
        assert tensor.is_contiguous()
        assert tensor.tolist() == table.tolist()
        tensor.zero_()
    assert table.tobytes() == before


def test_a_tensor_outlives_its_table():
    table = posenc.sinusoidal(200, 64)
    entries = table.tolist()
    shared, copied = torch.from_dlpack(table), table.torch()
    del table
    assert shared.tolist() == copied.tolist() == entries


def test_another_device():
    assert posenc.sinusoidal(5, 6).torch("meta").device.type == "meta"
    with pytest.raises(RuntimeError):
        posenc.sinusoidal(5, 6).torch("no such device")


@pytest.mark.parametrize(("dtype", "of_torch"), DTYPES)
def test_from_dlpack(dtype, of_torch):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    tensor = torch.from_dlpack(table)
    assert tensor.dtype == of_torch
    assert tensor.tolist() == table.tolist()


def test_from_dlpack_shares_the_memory_if_torch_asks_for_a_version():
    import inspect

    if "max_version" not in inspect.getsource(torch.utils.dlpack.from_dlpack):
        pytest.skip("this PyTorch asks for no version")
    table = posenc.sinusoidal(5, 6)
    assert torch.from_dlpack(table).data_ptr() == torch.from_dlpack(table).data_ptr()


def test_a_vector_and_an_empty_table():
    assert posenc.inv_freq(8, dtype="float64").torch().tolist() == [1.0, 0.1, 0.01, 0.001]
    assert posenc.sinusoidal(0, 4).torch().shape == (0, 4)


@pytest.mark.parametrize(("dtype", "of_torch"), DTYPES)
def test_out(dtype, of_torch):
    out = torch.full((5, 6), 7, dtype=of_torch)
    assert posenc.sinusoidal(5, 6, dtype=dtype, out=out) is out
    assert out.tolist() == posenc.sinusoidal(5, 6, dtype=dtype).tolist()


def test_out_of_a_pair():
    out = torch.zeros(3, 4), torch.zeros(3, 4)
    assert posenc.rotary(3, 8, out=out) is out
    assert [tensor.tolist() for tensor in out] == [table.tolist() for table in posenc.rotary(3, 8)]


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (torch.zeros(6, 5), ValueError),
        (torch.zeros(6, 5).T, ValueError),
        (torch.zeros(5, 12)[:, ::2], ValueError),
        (torch.zeros(5, 6, dtype=torch.float64), TypeError),
        (torch.zeros(5, 6, device="meta"), (TypeError, ValueError)),
        (torch.zeros(5, 6, requires_grad=True), (TypeError, ValueError)),
        (torch.zeros(5, 6).to_sparse(), (TypeError, ValueError)),
        (torch.zeros(5, 6, dtype=torch.complex64), TypeError),
    ],
)
def test_what_out_cannot_be(out, error):
    with pytest.raises(error, match="`out`"):
        posenc.sinusoidal(5, 6, out=out)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_types_of_torch_as_dtype(dtype):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    assert table.dtype_name == str(dtype).removeprefix("torch.")
    assert table.torch().dtype == dtype


@pytest.mark.parametrize("dtype", [torch.int8, torch.bool, torch.complex64, torch.float8_e4m3fn, torch.long])
def test_types_of_torch_that_no_table_has(dtype):
    with pytest.raises((TypeError, ValueError), match="`dtype`"):
        posenc.sinusoidal(5, 6, dtype=dtype)


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int8]
)
def test_tensors_as_lists_of_numbers(dtype):
    assert posenc.encode(torch.arange(3).to(dtype), 4) == posenc.sinusoidal(3, 4)
    assert posenc.encode(torch.arange(6).to(dtype)[::2], 4) == posenc.sinusoidal(3, 4, step=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_compare_and_identify(dtype):
    table = posenc.sinusoidal(40, 16, preset="whisper", dtype=dtype)
    assert posenc.compare(table.torch(), table).identical
    assert posenc.compare(table.torch().T.contiguous().T, table).identical
    assert "whisper" in posenc.identify(table.torch())[0].presets


def test_a_parameter_with_a_gradient_is_compared():
    table = posenc.sinusoidal(40, 16)
    assert posenc.compare(torch.nn.Parameter(table.torch(), requires_grad=False), table).identical
    with pytest.raises((TypeError, ValueError), match="`found`"):
        posenc.compare(torch.nn.Parameter(table.torch()), table)
