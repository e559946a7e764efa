//! Error messages that can be built at compile time too, because tables can be evaluated there.

use crate::float_bits::is_zero;
use crate::text::decimal::shortest;

/// A value that replaces one `{}` of a template.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Text(&'a str),
    Integer(i128),
    Unsigned(u128),
    Size(usize),
    /// Formatted as by `{:?}`.
    Float(f64),
}

/// A short text that a `const fn` can build.
pub struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
}

/// More than twice the longest message whose parts are numbers and names of this crate. A longer one is truncated.
const CAPACITY: usize = 1024;

impl Message {
    /// Returns `template` with each `{}` replaced by the next of `parts`.
    pub(crate) const fn new(template: &str, parts: &[Part]) -> Self {
        let template = template.as_bytes();
        let mut sentence = Self { bytes: [0; CAPACITY], len: 0 };
        let (mut i, mut next) = (0, 0);
        while i < template.len() {
            if template[i] == b'{' && template[i + 1] == b'}' {
                sentence.push_part(parts[next]);
                (i, next) = (i + 2, next + 1);
            } else {
                sentence.push(template[i]);
                i += 1;
            }
        }
        assert!(next == parts.len(), "a part without a placeholder");
        sentence
    }

    /// Returns the text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "a message truncated inside a character",
        }
    }

    const fn push_part(&mut self, part: Part) {
        match part {
            Part::Text(text) => self.push_text(text),
            Part::Integer(value) => self.push_integer(value),
            Part::Unsigned(value) => self.push_digits(value),
            Part::Size(value) => self.push_digits(value as u128),
            Part::Float(value) => self.push_float(value),
        }
    }

    const fn push(&mut self, byte: u8) {
        if self.len < CAPACITY {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    const fn push_text(&mut self, text: &str) {
        let mut i = 0;
        while i < text.len() {
            self.push(text.as_bytes()[i]);
            i += 1;
        }
    }

    const fn push_integer(&mut self, value: i128) {
        if value < 0 {
            self.push(b'-');
        }
        self.push_digits(value.unsigned_abs());
    }

    const fn push_digits(&mut self, value: u128) {
        self.push_places(value, if value == 0 { 1 } else { 10u128.pow(value.ilog10()) });
    }

    /// Writes the digits of `value` from that of the power of ten `first` on.
    const fn push_places(&mut self, value: u128, first: u128) {
        let mut power = first;
        while power > 0 {
            self.push(b'0' + (value / power % 10) as u8);
            power /= 10;
        }
    }

    const fn push_float(&mut self, value: f64) {
        if value.is_nan() {
            return self.push_text("NaN");
        }
        if value.is_sign_negative() {
            self.push(b'-');
        }
        let size = value.abs();
        if is_zero(size) {
            self.push_text("0.0");
        } else if size.is_infinite() {
            self.push_text("inf");
        } else if size >= 1e16 || size < 1e-4 {
            self.push_scientific(size);
        } else {
            self.push_positional(size);
        }
    }

    const fn push_scientific(&mut self, size: f64) {
        let (digits, exponent) = shortest(size);
        let (digits, after) = (digits as u128, digits.ilog10());
        let unit = 10u128.pow(after);
        self.push_digits(digits / unit);
        if after > 0 {
            self.push(b'.');
            self.push_places(digits % unit, unit / 10);
        }
        self.push(b'e');
        self.push_integer((exponent + after as i32) as i128);
    }

    const fn push_positional(&mut self, size: f64) {
        let (digits, exponent) = shortest(size);
        // At least one digit is after the point.
        let (digits, unit) = if exponent < 0 {
            (digits as u128, 10u128.pow(exponent.unsigned_abs()))
        } else {
            (digits as u128 * 10u128.pow(exponent as u32 + 1), 10)
        };
        self.push_digits(digits / unit);
        self.push(b'.');
        self.push_places(digits % unit, unit / 10);
    }
}

/// Implements [`Display`](core::fmt::Display) by the method `message`, [`Error`](core::error::Error), and conversions from the
/// errors that an error may hold.
///
/// It has no source, because its message is already the message of the error that it holds.
macro_rules! error_with_message {
    ($error:ty $(, $variant:ident($held:ty))*) => {
        impl core::fmt::Display for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.message().as_str())
            }
        }

        impl core::error::Error for $error {}

        $(
            impl From<$held> for $error {
                fn from(error: $held) -> Self {
                    Self::$variant(error)
                }
            }
        )*
    };
}

pub(crate) use error_with_message;

#[cfg(test)]
mod tests {
    use std::format;

    use proptest::prelude::*;

    use super::*;
    use crate::properties;

    fn float(value: f64) -> Message {
        Message::new("{}", &[Part::Float(value)])
    }

    #[test]
    fn numbers_of_every_kind_show_as_the_language_shows_them() {
        let powers =
            (-1074..1024).map(|exponent| 2f64.powi(exponent.max(-1022)) * 2f64.powi(exponent - exponent.max(-1022)));
        let tens = (-330..310).map(|exponent| format!("1e{exponent}").parse().unwrap());
        let others = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            -f64::INFINITY,
            0.1,
            0.3,
            9.5,
            99.99,
            9_007_199_254_740_993.0,
            f64::MAX,
        ];
        for value in powers.chain(tens).chain(others) {
            for value in [value, value.next_up(), value.next_down(), -value] {
                assert_eq!(float(value).as_str(), format!("{value:?}"));
            }
        }
        assert_eq!(Message::new("{}", &[Part::Unsigned(u128::MAX)]).as_str(), format!("{}", u128::MAX));
        for value in [0, 1, -1, 9, 10, -10, i128::MAX, i128::MIN, 999, 1000] {
            assert_eq!(Message::new("{}", &[Part::Integer(value)]).as_str(), format!("{value}"));
        }
    }

    properties! {
        #![cases(256)]

        #[test]
        fn any_float_shows_as_the_language_shows_it(bits: u64, digits in 0i64..1_000_000, exponent in -30..30) {
            let short = format!("{digits}e{exponent}").parse().unwrap();
            for value in [f64::from_bits(bits), short] {
                let sentence = float(value);
                prop_assert_eq!(sentence.as_str(), format!("{value:?}"));
            }
        }

        #[test]
        fn any_integer_shows_as_the_language_shows_it(value: i128, shift in 0u32..128) {
            let value = value >> shift;
            let sentence = Message::new("{}", &[Part::Integer(value)]);
            prop_assert_eq!(sentence.as_str(), format!("{value}"));
        }
    }

    #[test]
    fn parts_come_in_their_places_and_too_long_a_text_is_cut() {
        let sentence =
            const { Message::new("`{}` is {}, {}; é", &[Part::Text("base"), Part::Float(-1.5), Part::Size(7)]) };
        assert_eq!(sentence.as_str(), "`base` is -1.5, 7; é");
        let extremes = const { Message::new("{} {}", &[Part::Float(f64::MAX), Part::Float(5e-324)]) };
        assert_eq!(extremes.as_str(), "1.7976931348623157e308 5e-324");
        let long = "0123456789".repeat(200);
        assert_eq!(Message::new("{}", &[Part::Text(&long)]).as_str(), &long[..CAPACITY]);
    }
}
