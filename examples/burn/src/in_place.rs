//! A baked table as a tensor.

use burn_core::tensor::{AllocationProperty, Bytes, DType, Device, Tensor, TensorData};
use posenc::bytemuck;

/// The entries of a static as a tensor, without a copy.
///
/// burn's `Bytes` can wrap a `bytes::Bytes`, which can wrap a static. `AllocationProperty::Other` says that burn does
/// not own the memory. Tensors share it, and copy it before they write to it. The backend `flex` keeps the data it is
/// given. A GPU backend has to copy the data to the device.
pub fn in_place(entries: &'static [f32], shape: [usize; 3], device: &Device) -> Tensor<3> {
    let bytes = bytes::Bytes::from_static(bytemuck::cast_slice(entries));
    let bytes = Bytes::from_shared(bytes, AllocationProperty::Other);
    Tensor::from_data(TensorData::from_bytes(bytes, shape, DType::F32), device)
}
