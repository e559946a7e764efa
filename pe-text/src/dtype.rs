//! The element types by name, here and in frameworks.

use posenc::Quantiser;
use posenc_identify::{Dtype, FloatType};

/// Evaluates an expression that is generic over the element type, for the given type of floats.
///
/// # Examples
///
/// ```
/// # use posenc_identify::FloatType;
/// assert_eq!(posenc_text::with_entry!(FloatType::Bf16, T => size_of::<T>()), 2);
/// ```
#[macro_export]
macro_rules! with_entry {
    ($float:expr, $entry:ident => $what:expr) => {
        match $float {
            posenc_identify::FloatType::F32 => {
                type $entry = f32;
                $what
            }
            posenc_identify::FloatType::F64 => {
                type $entry = f64;
                $what
            }
            posenc_identify::FloatType::F16 => {
                type $entry = posenc::half::f16;
                $what
            }
            posenc_identify::FloatType::Bf16 => {
                type $entry = posenc::half::bf16;
                $what
            }
        }
    };
}

/// Evaluates an expression that is generic over the element type, for the given one.
///
/// # Examples
///
/// ```
/// # use posenc_identify::Dtype;
/// assert_eq!(posenc_text::with_stored!(Dtype::Q15, T => size_of::<T>()), 2);
/// ```
#[macro_export]
macro_rules! with_stored {
    ($dtype:expr, $stored:ident => $what:expr) => {
        match $dtype {
            posenc_identify::Dtype::Float(float) => $crate::with_entry!(float, $stored => $what),
            posenc_identify::Dtype::Q7 => { type $stored = posenc::Q7; $what }
            posenc_identify::Dtype::Q15 => { type $stored = posenc::Q15; $what }
            posenc_identify::Dtype::Q31 => { type $stored = posenc::Q31; $what }
            posenc_identify::Dtype::I8(_) => { type $stored = i8; $what }
            posenc_identify::Dtype::I16(_) => { type $stored = i16; $what }
            posenc_identify::Dtype::U8(_) => { type $stored = u8; $what }
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

/// Returns our name of an element type, which may be given by the name of a framework, such as `torch.float16`.
#[must_use]
pub fn type_name(written: &str) -> String {
    let lower = written.to_lowercase();
    let name = lower.rsplit('.').next().unwrap_or(&lower);
    let here = ELSEWHERE.iter().find(|(_, elsewhere)| elsewhere.contains(&name));
    here.map_or(name, |(here, _)| here).to_owned()
}

/// Reads the name of a float type, here or in a framework.
///
/// # Errors
///
/// Returns what it must be.
pub fn read_float(text: &str) -> Result<FloatType, String> {
    let name = type_name(text);
    let found = FloatType::ALL.into_iter().find(|float| float.name() == name);
    found.ok_or_else(|| "must be one of f32, f64, f16, bf16".to_owned())
}

/// Returns what to use instead of a type that no table has, if a sentence says it.
#[must_use]
pub fn instead(written: &str) -> Option<&'static str> {
    let is_float_of_8 = ["f8", "fp8", "float8", "float8_e4m3fn", "float8_e5m2"].contains(&type_name(written).as_str());
    is_float_of_8.then_some("`bf16`, or `i8` with a scale: floats of 8 bits are not supported")
}

/// Reads `f32`, `q15` or `i8(1/127, -1)`.
///
/// # Errors
///
/// Returns what it must be, as the end of a sentence.
pub fn read_dtype(text: &str) -> Result<Dtype, String> {
    if let Ok(float) = read_float(text) {
        return Ok(Dtype::Float(float));
    }
    let (name, arguments) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(')')),
        None => (text, None),
    };
    let name = type_name(name);
    let scaled: fn(Quantiser) -> Dtype = match (name.as_str(), arguments) {
        ("q7", None) => return Ok(Dtype::Q7),
        ("q15", None) => return Ok(Dtype::Q15),
        ("q31", None) => return Ok(Dtype::Q31),
        ("i8", _) => Dtype::I8,
        ("i16", _) => Dtype::I16,
        ("u8", _) => Dtype::U8,
        _ => {
            let expected = "f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale such as 'i8(1/127, -1)'";
            return Err(format!("must be one of {expected}"));
        }
    };
    let arguments = arguments.ok_or_else(|| format!("needs a scale, such as '{name}(1/127)'"))?;
    quantiser(arguments).map(scaled).ok_or_else(|| {
        format!("must be '{name}(scale)' or '{name}(scale, zero_point)', where the scale is a number or a quotient of integers")
    })
}

/// Returns the text from which [`read_dtype`] reads the type.
#[must_use]
pub fn dtype_text(dtype: Dtype) -> String {
    let name = with_stored!(dtype, T => <T as posenc::Element>::DTYPE);
    dtype.quantiser().map_or_else(|| name.to_owned(), |quantiser| format!("{name}({quantiser})"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_with_their_scales() {
        let read = |text| read_dtype(text).unwrap();
        assert_eq!((read("bf16"), read("q31")), (Dtype::Float(FloatType::Bf16), Dtype::Q31));
        assert_eq!(read("i8(1/127, -1)"), Dtype::I8(Quantiser::quotient(1, 127).zero_point(-1)));
        assert_eq!(
            (read("torch.float16"), read("BFLOAT16")),
            (Dtype::Float(FloatType::F16), Dtype::Float(FloatType::Bf16))
        );
        assert_eq!(read("int8(1/127, -1)"), read("i8(1/127, -1)"));
        assert_eq!(read("i16( 0.5 )"), Dtype::I16(Quantiser::new(0.5)));
        assert_eq!(read("u8(0.1f32,3)"), Dtype::U8(Quantiser::new(f64::from(0.1_f32)).zero_point(3)));
        for wrong in ["i8", "i8()", "i8(1/127", "i8(1/2/3)", "i8(a)", "i8(1, 2, 3)", "q15(1)", "int8", "f32(1)"] {
            assert!(read_dtype(wrong).is_err(), "{wrong}");
        }
    }
}
