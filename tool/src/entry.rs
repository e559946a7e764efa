//! The element types of files.

use clap::ValueEnum;
use npyz::{AutoSerialize, DType, TypeStr};
use posenc_identify::ElementType;
use safetensors::Dtype as Tensor;

use crate::input::Matrix;
use crate::stored::Stored;

/// Calls a macro with the element types of files.
///
/// For each these are the Rust type, its name in a safetensors file, and its type in a .npy file, if there is one. Other
/// arguments of the macro come first.
macro_rules! for_each_entry {
    ($callback:ident $($before:tt)*) => {
        $callback! {
            $($before)*
            /// 32 bits, the default of most frameworks
            F32: f32, F32, Some(f32::default_dtype());
            /// 64 bits
            F64: f64, F64, Some(f64::default_dtype());
            /// 16 bits, IEEE half precision
            F16: posenc::half::f16, F16, Some(posenc::half::f16::default_dtype());
            /// 16 bits, bfloat16
            Bf16: posenc::half::bf16, BF16, None;
        }
    };
}

/// An element type of files.
pub trait Entry: Stored + posenc_identify::Entry {}

impl<T: Stored + posenc_identify::Entry> Entry for T {}

macro_rules! entries {
    ($($(#[$doc:meta])* $dtype:ident: $entry:ty, $tensor:ident, $npy:expr;)*) => {
        /// The name of an element type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum Dtype { $($(#[$doc])* $dtype,)* }

        impl Dtype {
            const ALL: &[Self] = &[$(Self::$dtype,)*];

            fn npy(self) -> Option<DType> {
                match self { $(Self::$dtype => <$entry>::npy(),)* }
            }

            fn tensor(self) -> Tensor {
                match self { $(Self::$dtype => <$entry>::TENSOR,)* }
            }

            /// Returns the name of the type in the macro.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$dtype => <$entry as posenc::Element>::DTYPE,)* }
            }
        }

        $(impl Stored for $entry {
            const TENSOR: Tensor = Tensor::$tensor;

            fn npy() -> Option<DType> {
                $npy
            }

            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        })*

        /// A table with one of the element types.
        pub enum Found { $($(#[$doc])* $dtype(Matrix<$entry>),)* }

        $(impl From<Matrix<$entry>> for Found {
            fn from(matrix: Matrix<$entry>) -> Self {
                Self::$dtype(matrix)
            }
        })*
    };
}

/// Evaluates an expression that is generic over the element type, for the given one.
macro_rules! with_entry {
    ($dtype:expr, $entry:ident => $what:expr) => {
        $crate::entry::for_each_entry!(with_entry @ ($dtype) $entry ($what))
    };
    (@ ($of:expr) $entry:ident ($what:expr) $($(#[$doc:meta])* $dtype:ident: $type:ty, $($fact:expr),*;)*) => {
        match $of { $($crate::entry::Dtype::$dtype => { type $entry = $type; $what })* }
    };
}

pub(crate) use {for_each_entry, with_entry};

for_each_entry!(entries);

/// The names of element types in frameworks and in C.
const ELSEWHERE: [(&str, &[&str]); 7] = [
    ("f32", &["float", "float32", "fp32"]),
    ("f64", &["double", "float64", "fp64"]),
    ("f16", &["half", "float16", "fp16"]),
    ("bf16", &["bfloat16"]),
    ("i8", &["int8", "qint8", "int8_t"]),
    ("i16", &["int16", "qint16", "int16_t"]),
    ("u8", &["uint8", "quint8", "uint8_t"]),
];

/// Returns the name here of an element type. It may be that of a framework, such as `torch.float16`.
pub(crate) fn type_name(written: &str) -> String {
    let lower = written.to_lowercase();
    let name = lower.rsplit('.').next().unwrap_or(&lower);
    let here = ELSEWHERE.iter().find(|(_, elsewhere)| elsewhere.contains(&name));
    here.map_or(name, |(here, _)| here).to_owned()
}

impl Dtype {
    /// Reads the name of a float type, here or in a framework.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        Self::from_str(&type_name(text), false).map_err(|_| "must be one of f32, f64, f16, bf16".to_owned())
    }

    /// Returns the type of the numbers of a file, if they are floats.
    pub(crate) fn of(element: ElementType) -> Option<Self> {
        Self::ALL.iter().copied().find(|dtype| dtype.name() == element.name())
    }

    /// Returns the type of the numbers in a file.
    pub(crate) fn element(self) -> ElementType {
        with_entry!(self, T => <T as posenc_identify::Entry>::ELEMENT_TYPE)
    }

    /// Finds the type of a .npy file's entries. The byte order does not matter.
    pub(crate) fn of_npy(entry: &TypeStr) -> Option<Self> {
        let kind = |entry: &TypeStr| (entry.type_char(), entry.size_field());
        let is_same = |known| matches!(known, DType::Plain(known) if kind(&known) == kind(entry));
        Self::ALL.iter().copied().find(|dtype| dtype.npy().is_some_and(is_same))
    }

    /// Finds the type of a safetensors file's entries.
    pub(crate) fn of_tensor(tensor: Tensor) -> Option<Self> {
        Self::ALL.iter().copied().find(|dtype| dtype.tensor() == tensor)
    }
}
