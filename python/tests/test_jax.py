"""Tables and JAX."""

import pytest

import posenc

jax = pytest.importorskip("jax")
jnp = jax.numpy


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "q7", "q15", "q31", "u8(1/127, 128)"])
def test_from_dlpack(dtype):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    array = jax.dlpack.from_dlpack(table)
    assert array.shape == (5, 6)
    assert array.dtype.name == {"q7": "int8", "q15": "int16", "q31": "int32"}.get(table.dtype_name, table.dtype_name)
    assert array.tolist() == table.tolist()


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64, jnp.float16, jnp.bfloat16])
def test_types_of_jax_as_dtype(dtype):
    table = posenc.sinusoidal(5, 6, dtype=dtype)
    assert table.dtype_name == jnp.dtype(dtype).name


def test_asarray():
    table = posenc.sinusoidal(5, 6)
    array = jnp.asarray(table)
    assert array.dtype == jnp.float32
    assert array.tolist() == table.tolist()


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float16, jnp.bfloat16])
def test_arrays_of_jax_are_read(dtype):
    table = posenc.sinusoidal(40, 16, preset="whisper", dtype=dtype)
    array = jax.dlpack.from_dlpack(table)
    assert posenc.compare(array, table).identical
    assert "whisper" in posenc.identify(array)[0].presets
    assert posenc.encode(jnp.arange(3).astype(dtype), 4) == posenc.sinusoidal(3, 4)


def test_an_array_of_jax_is_not_written_to():
    with pytest.raises(ValueError, match="`out` is read-only"):
        posenc.sinusoidal(5, 6, out=jnp.zeros((5, 6), jnp.float32))
