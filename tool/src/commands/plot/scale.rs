//! Colours, characters and labels for the values of pixels.

use super::pixels::{Fold, Pixels};

/// From blue through white to red: `RdBu` of `ColorBrewer` 2.0, by Cynthia Brewer, Mark Harrower and The Pennsylvania State
/// University, under the Apache-2.0 license. Equal distances from zero are about equally dark on both sides, and all
/// are distinguishable to the colour-blind.
///
/// With each colour is one of the 256 of xterm that is like it. The nearest by a formula has other hues in between.
const DIVERGING: [(Colour, u8); 11] = [
    ([5, 48, 97], 17),
    ([33, 102, 172], 25),
    ([67, 147, 195], 74),
    ([146, 197, 222], 110),
    ([209, 229, 240], 153),
    ([247, 247, 247], 231),
    ([253, 219, 199], 224),
    ([244, 165, 130], 216),
    ([214, 96, 77], 167),
    ([178, 24, 43], 124),
    ([103, 0, 31], 52),
];

/// From dark to light in perceptually even steps: viridis of Matplotlib, by Stéfan van der Walt and Nathaniel Smith, in
/// the public domain (CC0).
const SEQUENTIAL: [(Colour, u8); 10] = [
    ([68, 1, 84], 53),
    ([72, 40, 120], 54),
    ([62, 74, 137], 61),
    ([49, 104, 142], 24),
    ([38, 130, 142], 30),
    ([31, 158, 137], 36),
    ([53, 183, 121], 71),
    ([109, 205, 89], 77),
    ([180, 222, 44], 148),
    ([253, 231, 37], 220),
];

const GREY: (Colour, u8) = ([128, 128, 128], 244);
const MAGENTA: (Colour, u8) = ([255, 0, 255], 201);

/// Characters in place of colours, of more and more ink. Blank is for a zero on a logarithmic scale.
const CHARACTERS: [char; 9] = ['.', ':', '-', '=', '+', '*', '#', '%', '@'];

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shade {
    /// The share of the way along the scale, from 0 to 1.
    Share(f64),
    /// A zero, which a logarithmic scale does not contain.
    Zero,
    NotFinite,
}

/// The scale of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// From the negative number to the positive one, with zero in the middle.
    Linear(f64),
    /// From one positive number to another.
    Logarithmic(f64, f64),
}

impl Scale {
    /// Returns the scale for entries, or for absolute differences if pixels are the largest of them.
    pub(crate) fn of(pixels: &Pixels) -> Self {
        match pixels.fold {
            Fold::Mean if pixels.limit > 0.0 => Self::Linear(pixels.limit),
            Fold::Mean => Self::Linear(1.0),
            Fold::Largest => {
                let positive = pixels.values().iter().copied().filter(|&value| value > 0.0 && value.is_finite());
                // At least a power of ten, so that equal differences have a scale too.
                Self::Logarithmic(positive.fold(pixels.limit / 10.0, f64::min), pixels.limit)
            }
        }
    }

    pub(crate) fn shade(self, value: f64) -> Shade {
        match self {
            _ if !value.is_finite() => Shade::NotFinite,
            Self::Linear(limit) => Shade::Share((value / limit).midpoint(1.0)),
            Self::Logarithmic(..) if value <= 0.0 => Shade::Zero,
            // A tenth of the least number.
            Self::Logarithmic(0.0, _) => Shade::Share(1.0),
            Self::Logarithmic(low, high) => Shade::Share((value.ln() - low.ln()) / (high.ln() - low.ln())),
        }
    }

    /// Returns the colour of a shade.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a colour is from 0 to 255")]
    pub(crate) fn colour(self, shade: Shade) -> Colour {
        let (list, place) = self.place(shade);
        let first = place.floor() as usize;
        let (from, to) = (list[first].0, list[(first + 1).min(list.len() - 1)].0);
        let mix = |i: usize| {
            let part = place.fract();
            (f64::from(from[i]) * (1.0 - part) + f64::from(to[i]) * part).round() as u8
        };
        [0, 1, 2].map(mix)
    }

    /// Returns the colour of a shade among the 256 of xterm.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of a list")]
    pub(crate) fn xterm_colour(self, shade: Shade) -> u8 {
        let (list, place) = self.place(shade);
        list[place.round() as usize].1
    }

    /// Returns a list of colours, and the place of a shade between the first, 0, and the last.
    fn place(self, value: Shade) -> (&'static [(Colour, u8)], f64) {
        let (list, share): (&[_], f64) = match (value, self) {
            (Shade::Share(along), Self::Linear(_)) => (&DIVERGING, along),
            (Shade::Share(along), Self::Logarithmic(..)) => (&SEQUENTIAL, along),
            (Shade::Zero, _) => (&[GREY], 0.0),
            (Shade::NotFinite, _) => (&[MAGENTA], 0.0),
        };
        (list, share.clamp(0.0, 1.0) * (list.len() - 1) as f64)
    }

    /// Returns what a picture is called, the two ends of the scale and its middle.
    pub(crate) fn labels(self) -> (&'static str, [String; 3]) {
        match self {
            Self::Linear(limit) => ("entry", [-limit, 0.0, limit].map(number)),
            Self::Logarithmic(low, high) => {
                ("|difference|, logarithmic", [low, low.ln().midpoint(high.ln()).exp(), high].map(number))
            }
        }
    }
}

/// Returns the character in place of a colour.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is from 0 to 1")]
pub(crate) fn character(value: Shade) -> char {
    let last = CHARACTERS.len() - 1;
    match value {
        Shade::Share(share) => CHARACTERS[((share * last as f64).round() as usize).min(last)],
        Shade::Zero => ' ',
        Shade::NotFinite => '?',
    }
}

/// Returns a number with three significant digits.
fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().expect("a float that was written can be read");
    match rounded.abs() {
        0.0 | 0.001..1e6 => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fold, Pixels, Scale, Shade, character, number};

    #[test]
    fn zero_is_in_the_middle_of_the_colours() {
        let scale = Scale::Linear(2.0);
        let colours = [-2.0, 0.0, 2.0].map(|value| scale.colour(scale.shade(value)));
        assert_eq!(colours, [[5, 48, 97], [247, 247, 247], [103, 0, 31]]);
        assert_eq!([-2.0, 0.0, 2.0].map(|value| scale.xterm_colour(scale.shade(value))), [17, 231, 52]);
        assert_eq!([-2.0, 0.0, 2.0, f64::NAN].map(|value| character(scale.shade(value))), ['.', '+', '@', '?']);
    }

    #[test]
    fn a_logarithmic_scale_has_no_zero() {
        let scale = Scale::Logarithmic(1e-8, 1.0);
        assert_eq!(scale.shade(0.0), Shade::Zero);
        assert_eq!([1e-8, 1.0].map(|value| scale.shade(value)), [0.0, 1.0].map(Shade::Share));
        // Machines differ in the last bits of logarithms.
        assert!(matches!(scale.shade(1e-4), Shade::Share(0.499_999..0.500_001)));
        assert_eq!(Scale::Logarithmic(0.0, f64::from_bits(1)).shade(f64::from_bits(1)), Shade::Share(1.0));
    }

    #[test]
    fn equal_differences_have_a_scale() {
        let mut pixels = Pixels::new([1, 3], [1, 3], Fold::Largest);
        pixels.add([0.0, 2.0, 2.0]);
        assert_eq!(Scale::of(&pixels), Scale::Logarithmic(0.2, 2.0));
    }

    #[test]
    fn numbers_have_three_digits() {
        let texts = [0.0, -1.0, 0.999_999_9, 0.123_45, 1.63e-4, 123_456.0, 1e300].map(number);
        assert_eq!(texts, ["0", "-1", "1", "0.123", "1.63e-4", "123000", "1e300"]);
    }
}
