//! The element types by name: the option `--dtype`.

use std::fmt::{self, Display, Formatter};

use npyz::{DType, TypeStr};
use posenc::Quantiser;
use posenc_identify::ElementType;
use safetensors::Dtype as Tensor;

use super::stored::{Stored, for_each_entry};

macro_rules! dtypes {
    ($($(#[$doc:meta])* $dtype:ident: $entry:ty, $tensor:ident, $npy:expr;)*) => {
        /// The name of a float type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    };
}

for_each_entry!(dtypes);

/// Evaluates an expression that is generic over the element type, for the given one.
macro_rules! with_entry {
    ($dtype:expr, $entry:ident => $what:expr) => {
        match $dtype {
            $crate::element::Dtype::F32 => {
                type $entry = f32;
                $what
            }
            $crate::element::Dtype::F64 => {
                type $entry = f64;
                $what
            }
            $crate::element::Dtype::F16 => {
                type $entry = posenc::half::f16;
                $what
            }
            $crate::element::Dtype::Bf16 => {
                type $entry = posenc::half::bf16;
                $what
            }
        }
    };
}

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
        let name = type_name(text);
        let found = Self::ALL.iter().copied().find(|dtype| dtype.name() == name);
        found.ok_or_else(|| "must be one of f32, f64, f16, bf16".to_owned())
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

/// The option `--dtype` of a table to write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredDtype {
    Float(Dtype),
    Q7,
    Q15,
    Q31,
    I8(Quantiser),
    I16(Quantiser),
    U8(Quantiser),
}

/// The default, for the help.
impl Display for StoredDtype {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(dtype) => f.write_str(dtype.name()),
            integers => write!(f, "{integers:?}"),
        }
    }
}

impl StoredDtype {
    /// Reads `f32`, `q15` or `i8(1/127, -1)`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if let Ok(dtype) = Dtype::read(text) {
            return Ok(Self::Float(dtype));
        }
        let (name, arguments) = match text.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(')')),
            None => (text, None),
        };
        let name = type_name(name);
        let scaled: fn(Quantiser) -> Self = match (name.as_str(), arguments) {
            ("q7", None) => return Ok(Self::Q7),
            ("q15", None) => return Ok(Self::Q15),
            ("q31", None) => return Ok(Self::Q31),
            ("i8", _) => Self::I8,
            ("i16", _) => Self::I16,
            ("u8", _) => Self::U8,
            _ => {
                let expected =
                    "f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale such as 'i8(1/127, -1)'";
                return Err(format!("must be one of {expected}"));
            }
        };
        let arguments = arguments.ok_or_else(|| format!("needs a scale, such as '{name}(1/127)'"))?;
        quantiser(arguments).map(scaled).ok_or_else(|| {
            format!("must be '{name}(scale)' or '{name}(scale, zero_point)', where the scale is a number or a quotient of integers")
        })
    }

    /// Returns the scale and the zero point of integers.
    pub(crate) fn quantiser(self) -> Option<Quantiser> {
        match self {
            Self::I8(quantiser) | Self::I16(quantiser) | Self::U8(quantiser) => Some(quantiser),
            _ => None,
        }
    }
}

/// Reads `scale` or `scale, zero_point`. The suffix of `0.1f32` counts as in the macro.
fn quantiser(arguments: &str) -> Option<Quantiser> {
    let (scale, zero_point) = match arguments.split_once(',') {
        Some((scale, zero_point)) => (scale.trim(), zero_point.trim().parse().ok()?),
        None => (arguments.trim(), 0),
    };
    let quantiser = match (scale.split_once('/'), scale.strip_suffix("f32")) {
        (Some((over, under)), _) => Quantiser::quotient(over.trim().parse().ok()?, under.trim().parse().ok()?),
        (None, Some(single)) => Quantiser::new(f64::from(single.parse::<f32>().ok()?)),
        (None, None) => Quantiser::new(scale.parse().ok()?),
    };
    Some(quantiser.zero_point(zero_point))
}

/// Evaluates an expression that is generic over the element type, for the given one.
macro_rules! with_stored {
    ($dtype:expr, $stored:ident => $what:expr) => {
        match $dtype {
            $crate::element::StoredDtype::Float(dtype) => $crate::element::with_entry!(dtype, $stored => $what),
            $crate::element::StoredDtype::Q7 => { type $stored = posenc::Q7; $what }
            $crate::element::StoredDtype::Q15 => { type $stored = posenc::Q15; $what }
            $crate::element::StoredDtype::Q31 => { type $stored = posenc::Q31; $what }
            $crate::element::StoredDtype::I8(_) => { type $stored = i8; $what }
            $crate::element::StoredDtype::I16(_) => { type $stored = i16; $what }
            $crate::element::StoredDtype::U8(_) => { type $stored = u8; $what }
        }
    };
}

pub(crate) use {with_entry, with_stored};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_with_their_scales() {
        let read = |text| StoredDtype::read(text).unwrap();
        assert_eq!((read("bf16"), read("q31")), (StoredDtype::Float(Dtype::Bf16), StoredDtype::Q31));
        assert_eq!(read("i8(1/127, -1)"), StoredDtype::I8(Quantiser::quotient(1, 127).zero_point(-1)));
        assert_eq!(
            (read("torch.float16"), read("BFLOAT16")),
            (StoredDtype::Float(Dtype::F16), StoredDtype::Float(Dtype::Bf16))
        );
        assert_eq!(read("int8(1/127, -1)"), read("i8(1/127, -1)"));
        assert_eq!(read("i16( 0.5 )"), StoredDtype::I16(Quantiser::new(0.5)));
        assert_eq!(read("u8(0.1f32,3)"), StoredDtype::U8(Quantiser::new(f64::from(0.1_f32)).zero_point(3)));
        for wrong in ["i8", "i8()", "i8(1/127", "i8(1/2/3)", "i8(a)", "i8(1, 2, 3)", "q15(1)", "int8", "f32(1)"] {
            assert!(StoredDtype::read(wrong).is_err(), "{wrong}");
        }
    }
}
