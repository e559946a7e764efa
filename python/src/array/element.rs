//! The types of the entries of arrays.

use std::ffi::CStr;

use bytemuck::Pod;
use posenc::half::{bf16, f16};
use posenc::{Q7, Q15, Q31};
use posenc_identify::{ElementType, FloatType};

use super::dlpack::DataType;

/// The type of the entries of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementKind {
    F32,
    F64,
    F16,
    Bf16,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl ElementKind {
    /// All types.
    pub(crate) const ALL: [Self; 12] = [
        Self::F32,
        Self::F64,
        Self::F16,
        Self::Bf16,
        Self::I8,
        Self::U8,
        Self::I16,
        Self::U16,
        Self::I32,
        Self::U32,
        Self::I64,
        Self::U64,
    ];

    /// The types for which [`element_type`](Self::element_type) is not `None`.
    pub(crate) const OF_TABLES: [Self; 8] =
        [Self::F32, Self::F64, Self::F16, Self::Bf16, Self::I8, Self::U8, Self::I16, Self::I32];

    /// Returns the size of an entry in bytes.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::F16 | Self::Bf16 | Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }

    /// Returns NumPy's name, such as `float32`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
            Self::I8 => "int8",
            Self::U8 => "uint8",
            Self::I16 => "int16",
            Self::U16 => "uint16",
            Self::I32 => "int32",
            Self::U32 => "uint32",
            Self::I64 => "int64",
            Self::U64 => "uint64",
        }
    }

    /// Returns the format in the buffer protocol, or `None` for `bfloat16`, which has none.
    pub(crate) const fn format(self) -> Option<&'static CStr> {
        Some(match self {
            Self::F32 => c"f",
            Self::F64 => c"d",
            Self::F16 => c"e",
            Self::Bf16 => return None,
            Self::I8 => c"b",
            Self::U8 => c"B",
            Self::I16 => c"h",
            Self::U16 => c"H",
            Self::I32 => c"i",
            Self::U32 => c"I",
            Self::I64 => c"q",
            Self::U64 => c"Q",
        })
    }

    /// Returns the type in DLPack.
    pub(super) const fn data_type(self) -> DataType {
        let code = match self {
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => DataType::INT,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => DataType::UINT,
            Self::F16 | Self::F32 | Self::F64 => DataType::FLOAT,
            Self::Bf16 => DataType::BFLOAT,
        };
        let bits = match self.size() {
            1 => 8,
            2 => 16,
            4 => 32,
            _ => 64,
        };
        DataType { code, bits, lanes: 1 }
    }

    /// Returns the type that `posenc_identify` reads, or `None` if it does not read such entries.
    pub(crate) const fn element_type(self) -> Option<ElementType> {
        Some(match self {
            Self::F32 => ElementType::Float(FloatType::F32),
            Self::F64 => ElementType::Float(FloatType::F64),
            Self::F16 => ElementType::Float(FloatType::F16),
            Self::Bf16 => ElementType::Float(FloatType::Bf16),
            Self::I8 => ElementType::I8,
            Self::U8 => ElementType::U8,
            Self::I16 => ElementType::I16,
            Self::I32 => ElementType::I32,
            Self::U16 | Self::U32 | Self::I64 | Self::U64 => return None,
        })
    }

    /// Returns the names of types, such as `float32, float64 or int8`.
    pub(super) fn names(kinds: &[Self]) -> String {
        let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// A type of Rust that is an entry of an array.
pub(crate) trait Entry: Pod {
    /// The type of the array.
    const KIND: ElementKind;
}

macro_rules! entries {
    ($($entry:ident is $kind:ident,)*) => { $(
        impl Entry for $entry {
            const KIND: ElementKind = ElementKind::$kind;
        }
        const _: () = assert!(size_of::<$entry>() == ElementKind::$kind.size());
    )* };
}

entries! {
    f32 is F32,
    f64 is F64,
    f16 is F16,
    bf16 is Bf16,
    i8 is I8,
    u8 is U8,
    i16 is I16,
    u16 is U16,
    i32 is I32,
    u32 is U32,
    i64 is I64,
    u64 is U64,
    Q7 is I8,
    Q15 is I16,
    Q31 is I32,
}
