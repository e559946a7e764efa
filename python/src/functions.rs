//! The functions that make tables.

use posenc::{Packing, Spec};
use posenc_identify::Dtype;
use posenc_text::with_stored;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dtype::{dtype as read_dtype, float};
use crate::errors::{type_error, value_error};
use crate::keys::{numbers, size};
use crate::make::Maker;
use crate::requests::{self, Common, RotaryArguments};
use crate::table::{Table, allocated};

type Any<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Returns the sinusoidal table of the positions 0 to `seq_len` - 1, of shape `(seq_len, d_model)`.
///
/// With the defaults, this is the formula of Vaswani et al. 2017, section 3.5: columns 2k and 2k + 1 are the sine and the
/// cosine of p / 10000^(2k / d_model). Each entry is the exact value, rounded once.
///
/// Args:
///     seq_len: The number of rows, 0 or more.
///     d_model: The number of columns, from 1 to 2^24.
///     preset: The name of the preset whose parameters are the defaults, such as "whisper". `presets()` has all.
///     dtype: The type of the entries: a name such as "float32" (the default), "float64", "float16", "bfloat16", "q15"
///         or "i8(1/127, -1)" with a scale and a zero point, or a type of NumPy, PyTorch or JAX.
///     out: An array to write to instead of new memory: C-contiguous, writable, of the same shape and dtype.
///     progress: A function that is called with the number of bytes done and the number of all bytes, up to 20 times
///         per second and at the end.
///     **keys: The parameters, as the macro `sinusoidal_table!` has them: `base`, `freq_shift`, `freq_offset`,
///         `frequencies`, `scaling`, `frequency_dtype`, `layout`, `order`, `columns`, `pairing`, `repeat`, `odd`,
///         `scale`, `unit`, `amplitude`, `start`, `step` and `zero_row`. `None` stands for the default.
///
/// Returns:
///     The table, or `out` if it is given.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> posenc.sinusoidal(2, 4).tolist()
///     [[0.0, 1.0, 0.0, 1.0], [0.8414709568023682, 0.5403022766113281, 0.009999833069741726, 0.9999499917030334]]
///     >>> posenc.sinusoidal(512, 512, layout="halves", dtype="bfloat16").macro
///     'sinusoidal_table!(512, 512, layout = halves, dtype = bf16)'
#[pyfunction]
#[pyo3(signature = (seq_len, d_model, *, preset = None, dtype = None, out = None, progress = None, **keys))]
#[allow(clippy::too_many_arguments, reason = "the arguments in Python")]
pub(crate) fn sinusoidal<'py>(
    py: Python<'py>,
    seq_len: &Bound<'py, PyAny>,
    d_model: &Bound<'py, PyAny>,
    preset: Any<'_, 'py>,
    dtype: Any<'_, 'py>,
    out: Any<'_, 'py>,
    progress: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let common = Common { preset, dtype: read_dtype(dtype)?, keys };
    let request = requests::sinusoidal(size("seq_len", seq_len)?, d_model, &common)?;
    Maker { py, dtype: common.dtype, positions: None, out, progress }.one(&request)
}

/// Returns the rows of any positions, such as the timesteps of a sampler, of shape `(len(positions), d_model)`.
///
/// Args:
///     positions: A list of numbers, or an array of one axis. Integers are from -2^53 to 2^53, floats are finite.
///     d_model: The number of columns, from 1 to 2^24.
///     preset: The name of the preset whose parameters are the defaults, such as "adm". `presets()` has all.
///     dtype: The type of the entries: a name such as "float32" (the default), "float64", "float16", "bfloat16", "q15"
///         or "i8(1/127, -1)" with a scale and a zero point, or a type of NumPy, PyTorch or JAX.
///     out: An array to write to instead of new memory: C-contiguous, writable, of the same shape and dtype.
///     **keys: The parameters, as for `sinusoidal`, without `start`, `step` and `zero_row`.
///
/// Returns:
///     The table, or `out` if it is given.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> posenc.encode([999.5, 0], 4, preset="adm").tolist()
///     [[0.8899612426757812, -0.8417811393737793, 0.45603618025779724, -0.5398189425468445], [1.0, 1.0, 0.0, 0.0]]
#[pyfunction]
#[pyo3(signature = (positions, d_model, *, preset = None, dtype = None, out = None, **keys))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    d_model: &Bound<'py, PyAny>,
    preset: Any<'_, 'py>,
    dtype: Any<'_, 'py>,
    out: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let common = Common { preset, dtype: read_dtype(dtype)?, keys };
    let positions = read_positions(positions)?;
    let request = requests::sinusoidal(positions.len(), d_model, &common)?;
    Maker { py, dtype: common.dtype, positions: Some(&positions), out, progress: None }.one(&request)
}

/// Returns the cosines and the sines of a rotary embedding, each of shape `(seq_len, rotary_dim / 2)`.
///
/// Entry (p, k) is the cosine or the sine of p * w_k, where w_k is base^(-2k / rotary_dim) (Su et al. 2021, section 3.2.2),
/// changed by the scaling rule. With `repeat="halves"` the tables have `rotary_dim` columns, as in transformers.
///
/// Args:
///     seq_len: The number of rows. Default: the number of positions of the preset or the config.
///     head_dim: The number of columns of a head. Default: that of the preset or the config.
///     positions: The positions of the rows, instead of their number: a list of numbers, or an array of one axis.
///     preset: The name of the preset whose parameters are the defaults, such as "llama3_1". `presets()` has all.
///     config: The configuration of a model: a dict, a config of transformers, or the path of a `config.json`.
///     ignore_keys: Keys of the config to ignore that may change the table and are not understood, which is an error.
///     layers: Which layers of the config, if their caches differ, such as "full_attention".
///     packing: The columns of a single table: "cos_sin", "sin_cos", "complex", "cos" or "sin". Without it there are two.
///     dtype: The type of the entries: a name such as "float32" (the default), "float64", "float16", "bfloat16", "q15"
///         or "i8(1/127, -1)" with a scale and a zero point, or a type of NumPy, PyTorch or JAX.
///     out: An array, or a tuple of two, to write to instead of new memory: C-contiguous, writable, of the same shape and dtype.
///     progress: A function that is called with the number of bytes done and the number of all bytes, up to 20 times
///         per second and at the end.
///     **keys: The parameters, as the macro `rotary_table!` has them: `rotary_dim`, `partial_rotary_factor`, `base`,
///         `freq_offset`, `frequencies`, `scaling`, `frequency_dtype`, `repeat`, `start`, `step`, `scale`, `unit` and
///         `attention_factor`. `None` stands for the default.
///
/// Returns:
///     The tables of the cosines and of the sines, one table if `packing` is given, or `out` if it is given.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> cos, sin = posenc.rotary(4096, preset="llama3_1")
///     >>> cos.shape, sin.macro
///     ((4096, 64), 'rotary_table!(4096, 128, base = 500000.0, scaling = llama3(factor = 8.0, original_max_position_embeddings = 8192), packing = sin)')
///     >>> posenc.rotary(2, 4, base=500000.0, packing="cos_sin").tolist()
///     [[1.0, 1.0, 0.0, 0.0], [0.5403022766113281, 0.9999989867210388, 0.8414709568023682, 0.0014142130967229605]]
#[pyfunction]
#[pyo3(signature = (
    seq_len = None, head_dim = None, *, positions = None, preset = None, config = None, ignore_keys = None, layers = None,
    packing = None, dtype = None, out = None, progress = None, **keys
))]
#[allow(clippy::too_many_arguments, reason = "the arguments in Python")]
pub(crate) fn rotary<'py>(
    py: Python<'py>,
    seq_len: Any<'_, 'py>,
    head_dim: Any<'_, 'py>,
    positions: Any<'_, 'py>,
    preset: Any<'_, 'py>,
    config: Any<'_, 'py>,
    ignore_keys: Option<Vec<String>>,
    layers: Option<&str>,
    packing: Option<&str>,
    dtype: Any<'_, 'py>,
    out: Any<'_, 'py>,
    progress: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let common = Common { preset, dtype: read_dtype(dtype)?, keys };
    let ignore_keys = &ignore_keys.unwrap_or_default();
    let arguments = RotaryArguments { seq_len, head_dim, config, ignore_keys, layers };
    if seq_len.is_some() && positions.is_some() {
        return Err(type_error("`seq_len` and `positions` exclude each other; leave one of them out"));
    }
    let positions = positions.map(read_positions).transpose()?;
    let rows = positions.as_ref().map(Vec::len);
    let maker = Maker { py, dtype: common.dtype, positions: positions.as_deref(), out, progress };
    if let Some(packing) = requests::packing(packing)? {
        let [request] = requests::rotary(&arguments, [packing], rows, &common)?;
        return maker.one(&request);
    }
    maker.pair(&requests::rotary(&arguments, [Packing::Cos, Packing::Sin], rows, &common)?)
}

/// Returns the cosines and the sines of a rotary embedding of several axes, a row for each point of the shape.
///
/// Vision towers and image and video models have such tables: each axis turns its own share of the columns.
///
/// Args:
///     shape: The number of points along each of 1 to 4 axes, such as `(24, 36)` patches.
///     head_dim: The number of columns of a head. Default: that of the config.
///     preset: The name of the preset whose parameters are the defaults, such as "qwen2_vl_vision". `presets()` has all.
///     config: The configuration of a model: a dict, a config of transformers, or the path of a `config.json`.
///     ignore_keys: Keys of the config to ignore that may change the table and are not understood, which is an error.
///     packing: The columns of a single table: "cos_sin", "sin_cos", "complex", "cos" or "sin". Without it there are two.
///     dtype: The type of the entries: a name such as "float32" (the default), "float64", "float16", "bfloat16", "q15"
///         or "i8(1/127, -1)" with a scale and a zero point, or a type of NumPy, PyTorch or JAX.
///     out: An array, or a tuple of two, to write to instead of new memory: C-contiguous, writable, of the same shape and dtype.
///     progress: A function that is called with the number of bytes done and the number of all bytes, up to 20 times
///         per second and at the end.
///     **keys: The parameters, as the macro `rotary_table!` with a shape has them: `first`, `nest`, `widths`, `rest`,
///         `identity_rows`, `identity_rows_after`, `merge`, `positions`, `extent`, `rotary_dim`,
///         `partial_rotary_factor`, `base`, `freq_offset`, `frequencies`, `scaling`, `frequency_dtype`, `repeat`,
///         `start`, `step`, `scale` and `unit`. Those that may differ by axis have one value for all, or a tuple.
///
/// Returns:
///     The tables of the cosines and of the sines, one table if `packing` is given, or `out` if it is given.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> cos, sin = posenc.rotary_grid((24, 36), 80, preset="qwen2_vl_vision", merge=2)
///     >>> cos.shape
///     (864, 40)
#[pyfunction]
#[pyo3(signature = (
    shape, head_dim = None, *, preset = None, config = None, ignore_keys = None, packing = None, dtype = None,
    out = None, progress = None, **keys
))]
#[allow(clippy::too_many_arguments, reason = "the arguments in Python")]
pub(crate) fn rotary_grid<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    head_dim: Any<'_, 'py>,
    preset: Any<'_, 'py>,
    config: Any<'_, 'py>,
    ignore_keys: Option<Vec<String>>,
    packing: Option<&str>,
    dtype: Any<'_, 'py>,
    out: Any<'_, 'py>,
    progress: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let common = Common { preset, dtype: read_dtype(dtype)?, keys };
    let maker = Maker { py, dtype: common.dtype, positions: None, out, progress };
    let ignored = &ignore_keys.unwrap_or_default();
    if let Some(packing) = requests::packing(packing)? {
        let [request] = requests::axial(shape, head_dim, (config, ignored), [packing], &common)?;
        return maker.one(&request);
    }
    maker.pair(&requests::axial(shape, head_dim, (config, ignored), [Packing::Cos, Packing::Sin], &common)?)
}

/// Returns the table of a grid of several axes, a row for each point of the shape.
///
/// Args:
///     shape: The number of points along each of 1 to 4 axes, such as `(14, 14)` patches.
///     d_model: The number of columns, from 1 to 2^24.
///     preset: The name of the preset whose parameters are the defaults, such as "mae". `presets()` has all.
///     dtype: The type of the entries: a name such as "float32" (the default), "float64", "float16", "bfloat16", "q15"
///         or "i8(1/127, -1)" with a scale and a zero point, or a type of NumPy, PyTorch or JAX.
///     out: An array to write to instead of new memory: C-contiguous, writable, of the same shape and dtype.
///     progress: A function that is called with the number of bytes done and the number of all bytes, up to 20 times
///         per second and at the end.
///     **keys: The parameters, as the macro `grid_table!` has them: `first`, `nest`, `widths`, `rest`, `zero_rows`,
///         `identity_rows`, `identity_rows_after`, `merge`, `positions`, `extent`, `base`, `freq_shift`, `freq_offset`,
///         `frequencies`, `scaling`, `frequency_dtype`, `order`, `columns`, `repeat`, `start`, `step`, `scale`, `unit`
///         and `amplitude`. Those that may differ by axis have one value for all, or a tuple with one for each.
///
/// Returns:
///     The table, or `out` if it is given.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> posenc.grid((14, 14), 768, preset="mae", zero_rows=1)
///     <posenc.Table 197 x 768 float32: grid_table!((14, 14), 768, first = (w, h), zero_rows = 1)>
#[pyfunction]
#[pyo3(signature = (shape, d_model, *, preset = None, dtype = None, out = None, progress = None, **keys))]
#[allow(clippy::too_many_arguments, reason = "the arguments in Python")]
pub(crate) fn grid<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    d_model: &Bound<'py, PyAny>,
    preset: Any<'_, 'py>,
    dtype: Any<'_, 'py>,
    out: Any<'_, 'py>,
    progress: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let common = Common { preset, dtype: read_dtype(dtype)?, keys };
    let request = requests::grid(shape, d_model, &common)?;
    Maker { py, dtype: common.dtype, positions: None, out, progress }.one(&request)
}

/// Returns the frequencies of a rotary embedding, in radians per position, of shape `(rotary_dim / 2,)`.
///
/// Args:
///     head_dim: The number of columns of a head. Default: that of the preset or the config.
///     preset: The name of the preset whose parameters are the defaults, such as "llama3_1".
///     config: The configuration of a model: a dict, a config of transformers, or the path of a `config.json`.
///     ignore_keys: Keys of the config to ignore that may change the table and are not understood, which is an error.
///     layers: Which layers of the config, if their caches differ, such as "full_attention".
///     seq_len: The number of positions, on which some scaling rules depend.
///     vector: "inv_freq", "periods" (their reciprocals) or "frequency_factors" (of the scaling rule).
///     dtype: A type of floats. Default: float32.
///     **keys: The parameters of the frequencies, as for `rotary`.
///
/// Raises:
///     TypeError: A key is unknown, or a value has a wrong type.
///     ValueError: A value is out of range, or two keys exclude each other.
///     MemoryError: The table does not fit in memory.
///
/// Example:
///     >>> import posenc
///     >>> posenc.inv_freq(8).tolist()
///     [1.0, 0.10000000149011612, 0.009999999776482582, 0.0010000000474974513]
#[pyfunction]
#[pyo3(signature = (
    head_dim = None, *, preset = None, config = None, ignore_keys = None, layers = None, seq_len = None, vector = "inv_freq",
    dtype = None, **keys
))]
#[allow(clippy::too_many_arguments, reason = "the arguments in Python")]
pub(crate) fn inv_freq<'py>(
    py: Python<'py>,
    head_dim: Any<'_, 'py>,
    preset: Any<'_, 'py>,
    config: Any<'_, 'py>,
    ignore_keys: Option<Vec<String>>,
    layers: Option<&str>,
    seq_len: Any<'_, 'py>,
    vector: &str,
    dtype: Any<'_, 'py>,
    keys: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = Dtype::Float(float(dtype)?);
    let common = Common { preset, dtype, keys };
    let ignore_keys = &ignore_keys.unwrap_or_default();
    let arguments = RotaryArguments { seq_len, head_dim, config, ignore_keys, layers };
    // Few rules depend on the number of rows.
    let [request] = requests::rotary(&arguments, [Packing::CosSin], Some(1), &common)?;
    for key in ["packing", "repeat", "start", "step", "scale", "unit", "attention_factor"] {
        if request.given.has(key) {
            return Err(type_error(format!("`{key}` does not apply to frequencies; leave it out")));
        }
    }
    let rope = request.rope().map_err(value_error)?;
    with_stored!(dtype, T => {
        let made = match vector {
            "inv_freq" => py.detach(|| rope.inv_freq::<T>()),
            "periods" => py.detach(|| rope.periods()),
            "frequency_factors" => py.detach(|| rope.frequency_factors()),
            _ => {
                return Err(value_error(format!(
                    "`vector` is `{vector}`, but must be one of `inv_freq`, `periods`, `frequency_factors`"
                )));
            }
        };
        let entries = made.map_err(value_error)?;
        let mut memory = allocated(&[entries.len()], size_of_val(entries.as_slice()), dtype)?;
        memory.entries_mut::<T>().copy_from_slice(&entries);
        Table::described(memory, vec![entries.len()], dtype, format!("{vector} of {rope}")).into_bound_py_any(py)
    })
}

/// Reads positions and checks each.
fn read_positions(positions: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let positions = numbers("positions", positions)?;
    if positions.iter().all(|position| position.is_finite()) {
        return Ok(positions);
    }
    // The library names the first one that is not, before it writes anything.
    let filled = Spec::new(2).fill_positions(&positions, &mut vec![0.0_f32; 2 * positions.len()]);
    Err(value_error(filled.expect_err("a position is not finite")))
}
