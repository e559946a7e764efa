//! The roundings of [`ziv`](crate::engine::ziv) for the compiler's interpreter, which takes long for calls.
//!
//! Each macro returns the element, or the value of its last expression if it is undecided.

macro_rules! f32_or {
    ($value:expr, $error:expr, $undecided:expr) => {{
        let entry = ($value + $error) as f32;
        if ($value - $error) as f32 == entry { entry } else { $undecided }
    }};
}

/// `$least` is [`least`](crate::engine::ziv::least) of the error.
macro_rules! f16_bits_or {
    ($value:expr, $least:expr, $undecided:expr) => {{
        let x = $value as f32;
        let bits = x.to_bits();
        if bits & 0x1fff != 0x1000 && (x >= $least || x <= -$least) {
            $crate::element::F16Bits(
                ((bits >> 31 << 15) | ((bits & 0x7fff_ffff) - $crate::engine::ziv::F16_BIAS) >> 13) as u16,
            )
        } else {
            $undecided
        }
    }};
}

/// See [`f16_bits_or`].
macro_rules! bf16_bits_or {
    ($value:expr, $least:expr, $undecided:expr) => {{
        let x = $value as f32;
        let bits = x.to_bits();
        if bits & 0xffff != 0x8000 && (x >= $least || x <= -$least) {
            $crate::element::Bf16Bits(((bits + 0x8000) >> 16) as u16)
        } else {
            $undecided
        }
    }};
}

/// The bound is the error and the [rounder](crate::float_bits::rounder). The cast saturates, as it should.
macro_rules! integer_or {
    ($integer:ident, $value:expr, $bound:expr, $undecided:expr) => {{
        let high = ($value + $bound.0) + $bound.1;
        if ($value - $bound.0) + $bound.1 == high {
            (high - $crate::float_bits::ROUNDER) as core::primitive::$integer
        } else {
            $undecided
        }
    }};
}

macro_rules! i8_or {
    ($value:expr, $bound:expr, $undecided:expr) => {
        $crate::engine::const_eval::rounding::integer_or!(i8, $value, $bound, $undecided)
    };
}

macro_rules! u8_or {
    ($value:expr, $bound:expr, $undecided:expr) => {
        $crate::engine::const_eval::rounding::integer_or!(u8, $value, $bound, $undecided)
    };
}

macro_rules! i16_or {
    ($value:expr, $bound:expr, $undecided:expr) => {
        $crate::engine::const_eval::rounding::integer_or!(i16, $value, $bound, $undecided)
    };
}

macro_rules! q31_or {
    ($value:expr, $bound:expr, $undecided:expr) => {{
        let high = ($value + $bound.0) + $bound.1;
        if ($value - $bound.0) + $bound.1 == high {
            $crate::element::Q31((high - $crate::float_bits::ROUNDER) as core::primitive::i32)
        } else {
            $undecided
        }
    }};
}

pub(crate) use {bf16_bits_or, f16_bits_or, f32_or, i8_or, i16_or, integer_or, q31_or, u8_or};
