//! What a config says of a table.

use alloc::format;
use alloc::vec::Vec;

use crate::axial::preset::AxialPreset;
use crate::rope::config::ConfigError;

/// What a config says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) preset: AxialPreset,
    pub(super) head_dim: Option<usize>,
    pub(super) base: Option<f64>,
    pub(super) widths: Option<ByAxis<usize>>,
    pub(super) merge: usize,
    /// The factors of `ntk`.
    pub(super) alphas: Option<ByAxis<f64>>,
    /// Whether the positions count points, whatever the preset says.
    pub(super) counts_points: bool,
}

/// A key with a value for each axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ByAxis<V> {
    pub(super) key: &'static str,
    pub(super) values: Vec<V>,
}

/// Returns the values of the axes, of which there are as many as in the shape.
pub(super) fn by_axis<V: Copy, const A: usize>(ByAxis { key, values }: &ByAxis<V>) -> Result<[V; A], ConfigError> {
    values.as_slice().try_into().map_err(|_| {
        let count = values.len();
        ConfigError::new(format!("`{key}` of the config has {count} axes, but the length of the shape is {A}"))
    })
}
