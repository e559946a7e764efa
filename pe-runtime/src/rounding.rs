//! The single rounding: from an enclosure of the exact value to the bits of a binary format, nearest, ties to even.

/// An IEEE 754 binary interchange format, or one built like them. Values below `2^127` in size are all it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Significant bits, the implicit one included.
    pub precision: u32,
    /// The smallest positive number is `2^min_quantum`.
    pub min_quantum: i32,
    /// Bits in memory.
    pub width: u32,
}

impl Format {
    /// The format of `f32`.
    pub const F32: Self = Self { precision: 24, min_quantum: -149, width: 32 };
    /// The format of `f64`.
    pub const F64: Self = Self { precision: 53, min_quantum: -1074, width: 64 };
}

/// `mantissa 2^exponent`, exactly.
#[derive(Clone, Copy)]
pub(crate) struct Magnitude {
    pub(crate) mantissa: u128,
    pub(crate) exponent: i32,
}

impl Magnitude {
    pub(crate) const ONE: Self = Self { mantissa: 1, exponent: 0 };

    /// The bits of the nearest number of `format`, ties to even.
    pub(crate) const fn round(self, format: Format) -> u64 {
        let Self { mantissa, exponent } = self;
        if mantissa == 0 {
            return 0;
        }
        // The last place of the result: `precision` bits below the first one, but never below that of the subnormals.
        let first = exponent + 127 - mantissa.leading_zeros() as i32;
        let normal = first - (format.precision as i32 - 1);
        let quantum = if normal > format.min_quantum { normal } else { format.min_quantum };

        let kept = match quantum - exponent {
            shift @ ..=0 => mantissa << -shift,
            shift @ 1..=128 => {
                let half = 1 << (shift - 1);
                let kept = if shift == 128 { 0 } else { mantissa >> shift };
                let dropped = mantissa & (half | (half - 1));
                let up = dropped > half || (dropped == half && kept & 1 == 1);
                kept + up as u128
            }
            _ => 0,
        };
        // The implicit bit of `kept` adds the one that makes the exponent field of a normal number, and so does a carry.
        (((quantum - format.min_quantum) as u64) << (format.precision - 1)) + kept as u64
    }
}

/// A number known to lie between two others of the same sign.
#[derive(Clone, Copy)]
pub(crate) struct Enclosure {
    negative: bool,
    low: Magnitude,
    high: Magnitude,
}

impl Enclosure {
    /// Nothing known: rounds to no bits.
    pub(crate) const UNKNOWN: Self = Self::new(Magnitude { mantissa: 0, exponent: 0 }, Magnitude::ONE);

    /// A positive number with `low <= number <= high`.
    pub(crate) const fn new(low: Magnitude, high: Magnitude) -> Self {
        Self { negative: false, low, high }
    }

    pub(crate) const fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    /// Ziv's test: rounding never reverses an order, so if both ends round to the same bits, the number does too.
    pub(crate) const fn round(&self, format: Format) -> Option<u64> {
        // An enclosure that touches zero does not even tell the sign.
        if self.low.mantissa == 0 {
            return None;
        }
        let low = self.low.round(format);
        if low == self.high.round(format) { Some(self.signed(low, format)) } else { None }
    }

    /// The bits of the lower end, decided or not.
    pub(crate) const fn round_low(&self, format: Format) -> u64 {
        self.signed(self.low.round(format), format)
    }

    const fn signed(&self, bits: u64, format: Format) -> u64 {
        (self.negative as u64) << (format.width - 1) | bits
    }
}
