//! The structs of DLPack, as `dlpack.h` of version 1 declares them.
//!
//! Until version 1, they had neither a version nor flags. Capsules still have either of the two forms.

use std::ffi::{CStr, c_void};

/// Either form of a tensor and the function that frees it.
pub(super) trait Managed: Sized {
    /// The name of a capsule that owns the struct.
    const NAME: &'static CStr;
    /// The name of a capsule that gave the struct to a consumer.
    const USED_NAME: &'static CStr;
}

impl Managed for ManagedTensor {
    const NAME: &'static CStr = c"dltensor";
    const USED_NAME: &'static CStr = c"used_dltensor";
}

impl Managed for VersionedTensor {
    const NAME: &'static CStr = c"dltensor_versioned";
    const USED_NAME: &'static CStr = c"used_dltensor_versioned";
}

/// The flag of memory that a consumer must not change.
pub(super) const READ_ONLY: u64 = 1;
/// The flag of memory that was copied for the consumer.
pub(super) const IS_COPIED: u64 = 2;

/// The device of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Device {
    pub(super) kind: i32,
    pub(super) id: i32,
}

impl Device {
    /// The memory of the CPU.
    pub(super) const CPU: Self = Self { kind: 1, id: 0 };

    /// Returns whether the CPU can read the memory: it is its own, or its own pinned for CUDA.
    pub(super) const fn is_cpu(self) -> bool {
        matches!(self.kind, 1 | 3)
    }
}

/// The type of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct DataType {
    pub(super) code: u8,
    pub(super) bits: u8,
    pub(super) lanes: u16,
}

impl DataType {
    pub(super) const INT: u8 = 0;
    pub(super) const UINT: u8 = 1;
    pub(super) const FLOAT: u8 = 2;
    pub(super) const BFLOAT: u8 = 4;

    /// Returns the name of a type, for errors.
    pub(super) fn name(self) -> String {
        let Self { code, bits, lanes } = self;
        let name = match code {
            Self::INT => format!("int{bits}"),
            Self::UINT => format!("uint{bits}"),
            Self::FLOAT => format!("float{bits}"),
            Self::BFLOAT => format!("bfloat{bits}"),
            5 => format!("complex{bits}"),
            6 => "bool".to_owned(),
            _ => format!("{code} of DLPack with {bits} bits"),
        };
        if lanes == 1 { name } else { format!("{name} in vectors of {lanes}") }
    }
}

/// An array of `ndim` axes. The strides are in entries; if they are null, the array is contiguous.
#[repr(C)]
pub(super) struct Tensor {
    pub(super) data: *mut c_void,
    pub(super) device: Device,
    pub(super) ndim: i32,
    pub(super) dtype: DataType,
    pub(super) shape: *mut i64,
    pub(super) strides: *mut i64,
    pub(super) byte_offset: u64,
}

/// A tensor and the function that frees it, in the form without a version.
#[repr(C)]
pub(super) struct ManagedTensor {
    pub(super) tensor: Tensor,
    pub(super) context: *mut c_void,
    pub(super) deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
}

/// The version of the struct that it is part of. A consumer that does not know the major version may only free it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Version {
    pub(super) major: u32,
    pub(super) minor: u32,
}

impl Version {
    /// The version of the structs here.
    pub(super) const OURS: Self = Self { major: 1, minor: 0 };
}

/// A tensor and the function that frees it, in the form with a version.
#[repr(C)]
pub(super) struct VersionedTensor {
    pub(super) version: Version,
    pub(super) context: *mut c_void,
    pub(super) deleter: Option<unsafe extern "C" fn(*mut VersionedTensor)>,
    pub(super) flags: u64,
    pub(super) tensor: Tensor,
}

#[cfg(target_pointer_width = "64")]
const _: () =
    assert!(size_of::<Tensor>() == 48 && size_of::<ManagedTensor>() == 64 && size_of::<VersionedTensor>() == 80);
