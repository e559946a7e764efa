//! An explanation as text.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use core::cmp::Ordering;
use core::fmt::{Display, Formatter, Result as FmtResult};

use crate::element::Element;
use crate::inspect::entry::to_bits;
use crate::inspect::explain::Explanation;
use crate::inspect::explain::formula::plain;
use crate::inspect::explain::neighbours::Neighbour;
use crate::inspect::explain::stages::{Scaled, Stages};

impl<T: Element> Display for Explanation<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let Self { d_model, column, value, result, .. } = self;
        write!(f, "column {column} of {d_model}")?;
        if let Some(axis) = self.axis {
            write!(f, ", of axis {axis},")?;
        }
        write!(f, " at position {}: ", plain(self.position))?;
        match &self.stages {
            None => writeln!(f, "zero in every row")?,
            Some(stages) => stages.fmt(f)?,
        }
        writeln!(f, "value           {value}")?;
        let rounded = self.rounded();
        if rounded != Ordering::Equal {
            for (name, neighbour) in [("below", &self.below), ("above", &self.above)] {
                let Neighbour { value, decimal, distance } = neighbour;
                writeln!(f, "{name:<15} {decimal} ({})", Bits(*value))?;
                writeln!(f, "                {distance} of the gap away")?;
            }
            writeln!(f, "middle          {} of the gap away", self.from_middle)?;
        }
        let rounded = match rounded {
            Ordering::Less => "rounded down",
            Ordering::Greater => "rounded up",
            Ordering::Equal => "exact",
        };
        write!(f, "result          {result:?} ({}), {rounded}", Bits(*result))
    }
}

impl Stages {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let Self { function, formula, frequency, frequency_in_turns, angle, .. } = self;
        let Self { phase, quadrant, unscaled, amplitude, .. } = self;
        writeln!(f, "the {function} of frequency {}", self.frequency_index)?;
        writeln!(f, "formula         {formula}")?;
        if let Some(Scaled { rule, divisor, turns }) = &self.scaled {
            writeln!(f, "scaling         {rule}")?;
            match divisor {
                1.0 => f.write_str("                kept")?,
                divisor => write!(f, "                divided by {divisor}")?,
            }
            match turns {
                Some((turns, length)) => writeln!(f, ": {turns:.3} turns in {length} positions")?,
                None => writeln!(f)?,
            }
        }
        writeln!(f, "frequency       {frequency} radians per position")?;
        writeln!(f, "                {frequency_in_turns} turns per position")?;
        match &self.wavelength {
            Some(wavelength) => writeln!(f, "wavelength      {wavelength} positions")?,
            None => writeln!(f, "wavelength      none")?,
        }
        writeln!(f, "angle           {angle} radians")?;
        writeln!(f, "whole turns     {}", abridged(&self.whole_turns.to_string()))?;
        writeln!(f, "phase           {phase} turns, quadrant {quadrant}")?;
        if !amplitude.is_one() {
            writeln!(f, "{function:<15} {unscaled}")?;
            writeln!(f, "amplitude       {amplitude}")?;
        }
        Ok(())
    }
}

/// The element type of an entry and its bits.
struct Bits<T>(T);

impl<T: Element> Display for Bits<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let digits = T::FORMAT.width as usize / 4;
        write!(f, "{} 0x{:0digits$x}", T::DTYPE, to_bits(self.0))
    }
}

/// Returns the digits, with the middle ones left out if there are hundreds.
fn abridged(digits: &str) -> Cow<'_, str> {
    match digits.len() {
        ..=60 => digits.into(),
        len => format!("{}...{} ({len} characters)", &digits[..20], &digits[len - 20..]).into(),
    }
}
