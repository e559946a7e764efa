//! The element types that a table can be baked in.

use posenc_runtime::{Bf16Bits, F16Bits, Spec, SpecError};
use quote::ToTokens;

use crate::arguments::Value;
use crate::diagnostic::Diagnostic;
use crate::names::{DTYPES_ELSEWHERE, hint, listed};

/// The element type of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Dtype {
    F32,
    F64,
    F16,
    Bf16,
    F16Bits,
    Bf16Bits,
}

impl Dtype {
    const ALL: [Self; 6] = [Self::F32, Self::F64, Self::F16, Self::Bf16, Self::F16Bits, Self::Bf16Bits];

    /// The name as the key takes it, and the facade's private module has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F16Bits => "f16_bits",
            Self::Bf16Bits => "bf16_bits",
        }
    }

    pub(crate) fn read(value: &Value) -> Result<Self, Diagnostic> {
        let written = value.to_token_stream().to_string();
        match Self::ALL.into_iter().find(|dtype| dtype.name() == written) {
            Some(Self::F16 | Self::Bf16) if !cfg!(feature = "half") => Err(Diagnostic::at(
                value,
                format!(
                    "`dtype` is `{written}`, which needs posenc's feature `half`; enable it, or write `{written}_bits` for the \
                     same entries as bits"
                ),
            )),
            Some(dtype) => Ok(dtype),
            None => {
                let names = Self::ALL.map(Self::name);
                let (hint, names) = (hint(&written, &names, &DTYPES_ELSEWHERE), listed(&names));
                Err(Diagnostic::at(value, format!("`dtype` is `{written}`{hint}, but must be one of these: {names}")))
            }
        }
    }

    pub(crate) fn check_table(self, spec: &Spec, seq_len: usize, max_bytes: usize) -> Result<usize, SpecError> {
        match self {
            Self::F32 => spec.check_table::<f32>(seq_len, max_bytes),
            Self::F64 => spec.check_table::<f64>(seq_len, max_bytes),
            Self::F16 | Self::F16Bits => spec.check_table::<F16Bits>(seq_len, max_bytes),
            Self::Bf16 | Self::Bf16Bits => spec.check_table::<Bf16Bits>(seq_len, max_bytes),
        }
    }
}
