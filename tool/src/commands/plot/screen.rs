//! The terminal: its size, and how it shows colours.

use std::fmt::Write as _;
use std::{env, io};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Color, Reset, RgbColor, Style};
use terminal_size::{Height, Width, terminal_size};

use super::scale::{Scale, Shade, character};

/// The size of output that is not a terminal.
const DEFAULT_SIZE: (u16, u16) = (80, 24);

/// How colours are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    /// 24 bits for a colour, and two pixels per character.
    Direct,
    /// One of the 256 colours of xterm, and two pixels per character.
    Palette,
    /// A character for a pixel.
    Plain,
}

/// What is known of the terminal.
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) paint: Paint,
}

impl Screen {
    /// Returns what stdout is. The variables `COLUMNS` and `LINES` override its size.
    pub(crate) fn of_stdout() -> Self {
        let (width, height) = match terminal_size() {
            // A terminal that does not know its size says 0.
            Some((Width(width @ 1..), Height(height @ 1..))) => (width, height),
            _ => DEFAULT_SIZE,
        };
        let given = |name| env::var(name).ok().and_then(|text| text.parse().ok()).filter(|&size| size > 0);
        Self {
            width: usize::from(given("COLUMNS").unwrap_or(width)),
            height: usize::from(given("LINES").unwrap_or(height)),
            paint: Paint::of_stdout(),
        }
    }
}

impl Paint {
    /// Returns how stdout shows colours, by the standard variables: `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`, `COLORTERM`.
    fn of_stdout() -> Self {
        let has_palette = env::var("TERM").is_ok_and(|term| term.contains("256color"));
        match AutoStream::choice(&io::stdout()) {
            ColorChoice::Never => Self::Plain,
            _ if anstyle_query::truecolor() => Self::Direct,
            _ if has_palette => Self::Palette,
            _ => Self::Plain,
        }
    }

    /// Returns the number of pixels in a character, one above the other.
    pub(crate) fn pixels(self) -> usize {
        if self == Self::Plain { 1 } else { 2 }
    }

    /// Returns a line with these pixels, the upper and the lower one of each character.
    pub(crate) fn line(self, scale: Scale, pixels: impl Iterator<Item = (Option<Shade>, Option<Shade>)>) -> String {
        if self == Self::Plain {
            return pixels.map(|(upper, _)| upper.map_or(' ', character)).collect();
        }
        let mut text = String::new();
        let mut last = Style::new();
        for (upper, lower) in pixels {
            let colour = |shade: Option<Shade>| shade.map(|shade| self.colour(scale, shade));
            let style = Style::new().fg_color(colour(upper)).bg_color(colour(lower));
            if style != last {
                write!(text, "{style}").expect("writing to a String succeeds");
                last = style;
            }
            text.push('▀');
        }
        if last != Style::new() {
            write!(text, "{Reset}").expect("writing to a String succeeds");
        }
        text
    }

    fn colour(self, scale: Scale, shade: Shade) -> Color {
        if self == Self::Palette {
            return Ansi256Color(scale.xterm_colour(shade)).into();
        }
        let [red, green, blue] = scale.colour(shade);
        RgbColor(red, green, blue).into()
    }
}
