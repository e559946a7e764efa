//! Tensors that other packages export through DLPack.

use std::ptr::NonNull;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::dlpack::{DataType, Device, IS_COPIED, Managed, ManagedTensor, READ_ONLY, Tensor, Version, VersionedTensor};

/// The largest number of axes that is read, the limit of NumPy.
const MAX_AXES: usize = 64;

/// A tensor that belongs to this package, which frees it once.
pub(super) enum Owned {
    Legacy(NonNull<ManagedTensor>),
    Versioned(NonNull<VersionedTensor>),
}

// SAFETY: Nothing changes the struct while it is shared. `drop` attaches to the interpreter, as exporters expect.
unsafe impl Send for Owned {}

// SAFETY: As above.
unsafe impl Sync for Owned {}

impl Owned {
    /// Takes the tensor of a capsule, or returns `None` if the capsule is another one or gave it away before.
    pub(super) fn take(capsule: &Bound<'_, PyCapsule>) -> Option<Self> {
        take(capsule).map(Self::Versioned).or_else(|| take(capsule).map(Self::Legacy))
    }

    /// Returns the tensor and its flags, if it has any, or `None` if its version is unknown.
    fn tensor(&self) -> Option<(&Tensor, Option<u64>)> {
        match self {
            Self::Legacy(managed) => {
                // SAFETY: Capsules of its name have a pointer to this struct. It is valid until `drop` frees it.
                let managed = unsafe { managed.as_ref() };
                Some((&managed.tensor, None))
            }
            Self::Versioned(managed) => {
                // SAFETY: As above. The version is in the same place in all versions.
                let version = unsafe { (*managed.as_ptr()).version };
                if version.major != Version::OURS.major {
                    return None;
                }
                // SAFETY: As above. This is the struct of the version.
                let managed = unsafe { managed.as_ref() };
                Some((&managed.tensor, Some(managed.flags)))
            }
        }
    }

    /// Returns what the tensor is, or `None` if its version is unknown or its numbers make no sense.
    pub(super) fn description(&self) -> Option<Description> {
        let (tensor, flags) = self.tensor()?;
        let axes = usize::try_from(tensor.ndim).ok().filter(|&axes| axes <= MAX_AXES)?;
        let shape = NonNull::new(tensor.shape).or((axes == 0).then_some(NonNull::dangling()))?;
        // SAFETY: The exporter has as many numbers there as axes, until `drop`.
        let shape = unsafe { std::slice::from_raw_parts(shape.as_ptr(), axes) };
        let strides = NonNull::new(tensor.strides).map(|strides| {
            // SAFETY: As for the shape.
            unsafe { std::slice::from_raw_parts(strides.as_ptr(), axes) }
        });
        let narrow = |strides: &[i64]| strides.iter().map(|&stride| isize::try_from(stride)).collect();
        Some(Description {
            data: tensor.data.cast::<u8>().wrapping_add(usize::try_from(tensor.byte_offset).ok()?),
            device: tensor.device,
            dtype: tensor.dtype,
            shape: shape.iter().map(|&entries| usize::try_from(entries)).collect::<Result<_, _>>().ok()?,
            strides: strides.map(narrow).transpose().ok()?,
            flags,
        })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // If the interpreter ends, nobody is left for whom memory would have to be freed.
        let _: Option<()> = Python::try_attach(|_| match self {
            Self::Legacy(managed) => {
                // SAFETY: The struct is valid, and was not freed, as `take` made this its only owner.
                if let Some(delete) = unsafe { (*managed.as_ptr()).deleter } {
                    // SAFETY: As above. This is the function of the exporter for it.
                    unsafe { delete(managed.as_ptr()) };
                }
            }
            Self::Versioned(managed) => {
                // SAFETY: As above. All versions have the function in this place.
                if let Some(delete) = unsafe { (*managed.as_ptr()).deleter } {
                    // SAFETY: As above.
                    unsafe { delete(managed.as_ptr()) };
                }
            }
        });
    }
}

/// What a tensor is.
pub(super) struct Description {
    pub(super) data: *mut u8,
    pub(super) device: Device,
    pub(super) dtype: DataType,
    pub(super) shape: Vec<usize>,
    /// In entries. `None` means that they are contiguous.
    pub(super) strides: Option<Vec<isize>>,
    flags: Option<u64>,
}

impl Description {
    /// Returns whether the memory may be changed. `None` means that the tensor has no flags.
    pub(super) fn is_writable(&self) -> Option<bool> {
        self.flags.map(|flags| flags & READ_ONLY == 0)
    }

    /// Returns whether the memory is a copy of the exporter's array.
    pub(super) fn is_copy(&self) -> bool {
        self.flags.is_some_and(|flags| flags & IS_COPIED != 0)
    }
}

/// Takes the struct of a capsule that has the name of its form.
fn take<M: Managed>(capsule: &Bound<'_, PyCapsule>) -> Option<NonNull<M>> {
    let pointer = capsule.pointer_checked(Some(M::NAME)).ok()?.cast::<M>();
    // SAFETY: The argument is a capsule, and the name is static.
    let renamed = unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), M::USED_NAME.as_ptr()) };
    (renamed == 0 && pointer.is_aligned()).then_some(pointer)
}
