//! The element types of files.

use clap::ValueEnum;
use npyz::AutoSerialize;
use posenc::Element;
use posenc::half::{bf16, f16};
use safetensors::Dtype as Tensor;

/// The name of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dtype {
    /// 32 bits, the default of most frameworks
    F32,
    /// 64 bits
    F64,
    /// 16 bits, IEEE half precision
    F16,
    /// 16 bits, bfloat16
    Bf16,
}

/// An element type that files have.
pub trait Entry: Element + Into<f64> {
    /// Its name in a safetensors file.
    const TENSOR: Tensor;
    /// Half the distance from 1 to the next number.
    const ROUNDING: f64;

    /// Its type in a .npy file, if there is one.
    fn npy() -> Option<npyz::DType>;

    /// Appends its bytes in little-endian order, that of all files written here.
    fn append(self, bytes: &mut Vec<u8>);

    /// All entries that stand in `bytes`, in little-endian order.
    fn decode(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! entries {
    ($($entry:ty = $tensor:ident, $rounding:expr, $npy:expr;)*) => { $(
        impl Entry for $entry {
            const TENSOR: Tensor = Tensor::$tensor;
            const ROUNDING: f64 = $rounding;

            fn npy() -> Option<npyz::DType> {
                $npy
            }

            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn decode(bytes: &[u8]) -> Vec<Self> {
                let (entries, _) = bytes.as_chunks();
                entries.iter().map(|&entry| Self::from_le_bytes(entry)).collect()
            }
        }
    )* };
}

entries! {
    f32 = F32, f32::EPSILON as f64 / 2.0, Some(f32::default_dtype());
    f64 = F64, f64::EPSILON / 2.0, Some(f64::default_dtype());
    f16 = F16, 1.0 / 2048.0, Some(f16::default_dtype());
    bf16 = BF16, 1.0 / 256.0, None;
}

/// Calls a function that is generic over the element type, for the one named.
macro_rules! with_entry {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::entry::Dtype::F32 => $function::<f32>($($argument),*),
            $crate::entry::Dtype::F64 => $function::<f64>($($argument),*),
            $crate::entry::Dtype::F16 => $function::<posenc::half::f16>($($argument),*),
            $crate::entry::Dtype::Bf16 => $function::<posenc::half::bf16>($($argument),*),
        }
    };
}

pub(crate) use with_entry;
