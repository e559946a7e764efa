//! The file format of a table: its entries, row by row in the byte order of the target, and then what identifies it.
//!
//! The file ends with the macro call that makes the table, as text that closes with the [`WRITER`]; the length of that
//! text (4 bytes); the [`fingerprint`] (8); the checksum of all bytes before it (8); and [`MAGIC`] (8). The numbers are
//! little-endian.

use crate::axial::packed::AxialTable;
use crate::bake::checksum::Hash;
use crate::bake::const_table::{is_equal, refuse, value_or_refuse};
use crate::element::Element;
use crate::exact::format::{Format, Integers};
use crate::float_bits::is_zero;
use crate::grid::Grid;
use crate::grid::parameters::GridParameters;
use crate::grid::places::Places;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::FrequencyDtype;
use crate::spec::scaling::{Argument, Scaling};
use crate::spec::values::{Frequencies, Parameters};
use crate::text::message::{
    Message,
    Part::{Size, Text},
};

/// The last bytes of the file, which include the version of the format.
pub(crate) const MAGIC: [u8; 8] = *b"posenc 3";

/// The version of the arithmetic. It is the version of the crate, so every release rewrites the files.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The end of the text.
#[cfg(feature = "alloc")]
pub(crate) const WRITER: &str = concat!("posenc ", env!("CARGO_PKG_VERSION"), ")");

/// The number of bytes after the text.
pub(crate) const FIXED: usize = 4 + 8 + SEAL;

/// The number of bytes after those that the checksum covers.
pub(crate) const SEAL: usize = 8 + MAGIC.len();

/// Returns the entries of `file`, which must be the file of the first `seq_len` rows of `spec`.
///
/// `sinusoidal_table!` with the key `file` expands to a call of this function. `call` is that call, for the message.
///
/// # Panics
///
/// Panics with a message if it is not.
#[must_use]
#[track_caller]
pub const fn entries_of_file<'f, T: Element>(file: &'f [u8], spec: &Spec, seq_len: usize, call: &str) -> &'f [u8] {
    let bytes = value_or_refuse!(spec.check_table::<T>(seq_len, isize::MAX as usize));
    checked_entries(file, fingerprint(VERSION, spec, seq_len, T::FORMAT, cfg!(target_endian = "big")), bytes, call)
}

/// Returns the entries of `file`, which must be the file of the table of `grid`.
///
/// `grid_table!` with the key `file` expands to a call of this function. `call` is that call, for the message.
///
/// # Panics
///
/// Panics with a message if it is not.
#[must_use]
#[track_caller]
pub const fn entries_of_grid_file<'f, T: Element, const A: usize>(
    file: &'f [u8],
    grid: &Grid<A>,
    call: &str,
) -> &'f [u8] {
    let bytes = value_or_refuse!(grid.check_table::<T>(isize::MAX as usize));
    let fingerprint = grid_fingerprint(VERSION, grid, T::FORMAT, cfg!(target_endian = "big"));
    checked_entries(file, fingerprint, bytes, call)
}

/// Returns the entries of `file`, which must be the file of a table of an axial rotary embedding, or of the same grid.
///
/// # Panics
///
/// Panics with a message if it is not.
#[must_use]
#[track_caller]
pub const fn entries_of_axial_file<'f, T: Element, const A: usize>(
    file: &'f [u8],
    table: &AxialTable<A>,
    call: &str,
) -> &'f [u8] {
    entries_of_grid_file::<T, A>(file, &value_or_refuse!(table.grid()), call)
}

/// Returns the entries of a file, which must have this fingerprint and be of this size.
#[track_caller]
const fn checked_entries<'f>(file: &'f [u8], fingerprint: u64, bytes: usize, call: &str) -> &'f [u8] {
    let Some((entries, text, found)) = parts(file) else {
        refuse(&Message::new(
            "the file ({} bytes) was not written by `posenc::build_script` of posenc {}, or is truncated; rebuild it with this \
             version",
            &[Size(file.len()), Text(VERSION)],
        ))
    };
    if found != fingerprint {
        let order = if cfg!(target_endian = "big") { "big" } else { "little" };
        refuse(&Message::new(
            "the file holds another table; the file holds: {}; this call asks for: {} ({}-endian, posenc {}); write the same \
             sizes, element type and parameters in the build script and in this call, and use the same version of posenc",
            &[Text(shortened(text)), Text(shortened(call.as_bytes())), Text(order), Text(VERSION)],
        ));
    }
    if entries.len() != bytes {
        refuse(&Message::new(
            "the file holds {} bytes of entries, but {} takes {}; rebuild it",
            &[Size(entries.len()), Text(shortened(text)), Size(bytes)],
        ));
    }
    entries
}

/// Returns a text, cut off if it is long.
const fn shortened(text: &[u8]) -> &str {
    const LONGEST: usize = 350;
    let mut len = if text.len() > LONGEST { LONGEST } else { text.len() };
    // Not within a character, of which all bytes but the first begin with the bits 10.
    while 0 < len && len < text.len() && text[len] >> 6 == 0b10 {
        len -= 1;
    }
    match core::str::from_utf8(text.split_at(len).0) {
        Ok(text) => text,
        Err(_) => "one with an unreadable description",
    }
}

/// Returns the entries, text and fingerprint of a file, or `None` if it is not one.
///
/// It does not verify the checksum, which would take constant evaluation too long: `inspect_file` does.
const fn parts(file: &[u8]) -> Option<(&[u8], &[u8], u64)> {
    if file.len() < FIXED {
        return None;
    }
    let (before, fixed) = file.split_at(file.len() - FIXED);
    let (numbers, seal) = fixed.split_at(FIXED - SEAL);
    let (len, fingerprint) = numbers.split_at(4);
    let len = little_endian(len) as usize;
    if !is_equal(seal.split_at(8).1, &MAGIC) || len > before.len() {
        return None;
    }
    let (entries, text) = before.split_at(before.len() - len);
    Some((entries, text, little_endian(fingerprint)))
}

pub(crate) const fn little_endian(bytes: &[u8]) -> u64 {
    let (mut value, mut i) = (0, bytes.len());
    while i > 0 {
        i -= 1;
        value = value << 8 | bytes[i] as u64;
    }
    value
}

/// Returns a hash of everything that a table depends on.
///
/// That is the version of the arithmetic, the parameters, the element type, the size and the byte order.
///
/// The numbers of the choices count the variants as the enums declare them, so these are part of the file format.
pub(crate) const fn fingerprint(version: &str, spec: &Spec, seq_len: usize, format: Format, big_endian: bool) -> u64 {
    // No `..` here: a new parameter must be hashed as well.
    let Parameters {
        d_model,
        frequencies,
        freq_offset,
        layout,
        order,
        columns,
        pairing,
        repeat,
        odd,
        start,
        step,
        scaling,
        frequency_dtype,
        scale,
        unit,
        amplitude,
        quantiser,
        zero_row,
    } = spec.parameters();
    let mut hash = Hash::new();
    hash.add(&entry_format(format));
    hash.add(&[big_endian as u64, seq_len as u64, d_model as u64, bits(scale), unit.0 as u64, unit.1 as u64]);
    hash.add(&[layout as u64, order as u64, columns as u64, pairing as u64, repeat as u64, odd as u64]);
    hash.add(&match start {
        Some(start) => [step as u64, 1, start as u64],
        None => [step as u64, 0, 0],
    });
    hash.add(&match zero_row {
        Some(row) => [1, row as u64],
        None => [0, 0],
    });
    hash.add(&match amplitude {
        Amplitude::Value(value) => [0, bits(value)],
        Amplitude::RsqrtD => [1, 0],
        Amplitude::Sqrt2OverD => [2, 0],
        Amplitude::AttentionFactor => [3, 0],
    });
    hash.add(&match quantiser {
        Some(quantiser) => quantiser.words(),
        // The words of a quantiser begin with 0 or 1.
        None => [2, 0, 0, 0],
    });
    add_scaling(&mut hash, &scaling);
    match frequencies {
        Frequencies::Geometric { base, freq_shift } => hash.add(&[0, bits(base), bits(freq_shift)]),
        Frequencies::Given(list) => add_list(&mut hash, 1, list),
    }
    if freq_offset.0 != 0 {
        hash.add(&[freq_offset.0 as u64, freq_offset.1 as u64]);
    }
    if !matches!(frequency_dtype, FrequencyDtype::Exact) {
        // An offset is below 2^32.
        hash.add(&[1 << 32, frequency_dtype as u64]);
    }
    let mut i = 0;
    while i < version.len() {
        hash.add(&[version.as_bytes()[i] as u64]);
        i += 1;
    }
    hash.finish(version.len() as u64)
}

/// Returns the same hash for a grid. One whose widths are wrong has no file.
pub(crate) const fn grid_fingerprint<const A: usize>(
    version: &str,
    grid: &Grid<A>,
    format: Format,
    big_endian: bool,
) -> u64 {
    let mut hash = Hash::new();
    let Ok(widths) = grid.resolved_widths() else { return hash.finish(0) };
    // No `..` here: a new parameter must be hashed as well.
    let Places { axes, widths, shape, first, filled_axes, d_model, zero_rows, identity_rows, rows, runs, order } =
        grid.places(widths);
    hash.add(&[axes as u64, d_model as u64, zero_rows as u64, rows as u64, runs as u64]);
    let GridParameters { positions, .. } = grid.parameters();
    let mut i = 0;
    while i < A {
        let axis = grid.axis_of_width(i, widths[i]);
        hash.add(&[first[i] as u64, fingerprint(version, &axis, shape[i], format, big_endian)]);
        if !positions[i].is_empty() {
            add_list(&mut hash, 2 + i as u64, positions[i]);
        }
        i += 1;
    }
    if filled_axes < axes || axes > A {
        hash.add(&[filled_axes as u64, widths[axes - 1] as u64]);
    }
    if order.merge > 1 || identity_rows[0] > 0 || identity_rows[1] > 0 {
        hash.add(&[order.merge as u64, identity_rows[0] as u64, identity_rows[1] as u64]);
    }
    hash.finish(A as u64)
}

/// Returns words that identify the numbers of an element type.
const fn entry_format(Format { width, precision, integers, .. }: Format) -> [u64; 5] {
    let (least, greatest, fraction_bits) = match integers {
        Some(Integers { least, greatest, fraction_bits: Some(bits), .. }) => (least, greatest, bits as u64),
        Some(Integers { least, greatest, fraction_bits: None, .. }) => (least, greatest, u64::MAX),
        None => (0, 0, 0),
    };
    [width as u64, precision as u64, least as u64, greatest as u64, fraction_bits]
}

/// Adds a scaling rule.
const fn add_scaling(hash: &mut Hash, scaling: &Scaling) {
    let (name, arguments) = (scaling.name().as_bytes(), scaling.arguments());
    let mut i = 0;
    while i < name.len() {
        hash.add(&[name[i] as u64]);
        i += 1;
    }
    let mut i = 0;
    while i < arguments.len() {
        match arguments[i] {
            Argument::Number(number) => hash.add(&[0, bits(number)]),
            Argument::Length(length) => hash.add(&[1, length as u64]),
            Argument::Flag(flag) => hash.add(&[2, flag as u64]),
            Argument::Numbers(numbers) => add_list(hash, 3, numbers),
        }
        i += 1;
    }
}

/// Adds a list of numbers after a tag and the length of the list.
const fn add_list(hash: &mut Hash, tag: u64, numbers: &[f64]) {
    hash.add(&[tag, numbers.len() as u64]);
    let mut i = 0;
    while i < numbers.len() {
        hash.add(&[bits(numbers[i])]);
        i += 1;
    }
}

/// Returns the bits of a parameter, without the sign if it is zero.
const fn bits(value: f64) -> u64 {
    if is_zero(value) { 0 } else { value.to_bits() }
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;
    use crate::element::kernel::HasFormat;
    use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
    use crate::{Bf16Bits, F16Bits, Nest, Preset, Q7, Q15, Quantiser};

    /// Each spec, and so its table, differs from all others in at least one parameter.
    #[test]
    fn no_two_tables_have_the_same_fingerprint() {
        let plain = Spec::new(6);
        let specs = [
            plain,
            Spec::new(8),
            plain.base(9999.0),
            plain.freq_shift(1.0),
            plain.freq_shift(-1.0),
            plain.scale(2.0),
            plain.unit(8, 15),
            plain.unit(8, 16),
            plain.unit(15, 8),
            plain.unit(1, 2),
            plain.unit(2, 1),
            plain.layout(Layout::Halves),
            plain.order(Order::CosSin),
            plain.columns(Columns::Sin),
            plain.columns(Columns::Cos),
            plain.pairing(Pairing::Unpaired),
            plain.odd(Odd::Zero),
            plain.odd(Odd::Reject),
            plain.start(1),
            plain.start(-1),
            plain.step(2),
            plain.zero_row(0),
            plain.zero_row(1),
            plain.amplitude(Amplitude::Value(2.0)),
            plain.amplitude(Amplitude::RsqrtD),
            plain.amplitude(Amplitude::Sqrt2OverD),
            plain.amplitude(Amplitude::AttentionFactor),
            plain.repeat(Repeat::Halves),
            plain.repeat(Repeat::Pairs),
            plain.scaling(Scaling::linear(2.0)),
            plain.scaling(Scaling::linear(3.0)),
            plain.scaling(Scaling::ntk(2.0)),
            plain.scaling(Scaling::yarn(2.0, 64)),
            plain.scaling(Scaling::yarn(2.0, 65)),
            plain
                .scaling(Scaling::Yarn(crate::scaling::Yarn { truncate: false, ..crate::scaling::Yarn::new(2.0, 64) })),
            plain.scaling(Scaling::longrope(&[1.0, 2.0, 3.0], 2.0, 64)),
            plain.scaling(Scaling::longrope(&[1.0, 2.0, 4.0], 2.0, 64)),
            plain.frequencies(&[1.0, 0.5, 0.25]),
            plain.frequencies(&[1.0, 0.5, 0.125]),
            plain.frequencies(&[1.0, 0.25, 0.25]),
            plain.frequencies(&[0.5, 0.5, 0.25]),
            Spec::preset(Preset::ConformerRel, 6),
        ];
        let mut all = std::collections::BTreeSet::new();
        let mut add = |fingerprint, spec| assert!(all.insert(fingerprint), "{spec}");
        for spec in specs {
            for rows in [4, 5] {
                for big_endian in [false, true] {
                    add(fingerprint(VERSION, &spec, rows, f32::FORMAT, big_endian), spec);
                    add(fingerprint(VERSION, &spec, rows, f64::FORMAT, big_endian), spec);
                    add(fingerprint(VERSION, &spec, rows, F16Bits::FORMAT, big_endian), spec);
                    add(fingerprint(VERSION, &spec, rows, Bf16Bits::FORMAT, big_endian), spec);
                }
            }
        }
    }

    /// The quantiser and the integers of the type count as well.
    #[test]
    fn no_two_tables_of_integers_have_the_same_fingerprint() {
        let scales = [Quantiser::new(0.5), Quantiser::new(0.25), Quantiser::quotient(1, 3), Quantiser::quotient(3, 1)];
        let mut all = std::collections::BTreeSet::new();
        let mut add = |fingerprint, what| assert!(all.insert(fingerprint), "{what}");
        for spec in [Spec::new(6), Spec::new(8)] {
            for quantiser in scales.into_iter().flat_map(|scale| [0, 1, -1, 2].map(|zero| scale.zero_point(zero))) {
                let spec = spec.quantiser(quantiser);
                add(fingerprint(VERSION, &spec, 4, i8::FORMAT, false), format!("{spec} i8"));
                add(fingerprint(VERSION, &spec, 4, u8::FORMAT, false), format!("{spec} u8"));
                add(fingerprint(VERSION, &spec, 4, i16::FORMAT, false), format!("{spec} i16"));
            }
            add(fingerprint(VERSION, &spec, 4, Q7::FORMAT, false), format!("{spec} Q7"));
            add(fingerprint(VERSION, &spec, 4, Q15::FORMAT, false), format!("{spec} Q15"));
        }
    }

    /// Each grid, and so its table, differs from all others in its shape or in at least one parameter.
    #[test]
    fn no_two_grids_have_the_same_fingerprint() {
        fn of<const A: usize>(grid: &Grid<A>) -> [u64; 3] {
            let of_f32 = |big_endian| grid_fingerprint(VERSION, grid, f32::FORMAT, big_endian);
            [of_f32(false), of_f32(true), grid_fingerprint(VERSION, grid, f64::FORMAT, false)]
        }
        let plain = Grid::new([2, 3], 8);
        let grids = [
            plain,
            Grid::new([3, 2], 8),
            Grid::new([2, 4], 8),
            Grid::new([2, 3], 16),
            plain.zero_rows(1),
            plain.first([1, 0]),
            plain.nest(Nest::Phases),
            plain.nest(Nest::Frequencies),
            plain.order(Order::CosSin),
            plain.scale(2.0),
            plain.widths([6, 2]),
            plain.widths([2, 6]),
        ];
        let mut all: std::vec::Vec<_> = grids.iter().flat_map(of).collect();
        all.extend(of(&Grid::new([6], 8)));
        all.extend(of(&Grid::new([1, 2, 3], 12)));
        let one_short = grid_fingerprint("0.1", &plain, f32::FORMAT, false);
        all.push(one_short);
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    /// The hash was computed in Python, with the numbers that the format assigns to the choices.
    #[test]
    fn the_fingerprint_is_that_of_the_format() {
        let spec = Spec::new(6).frequencies(&[1.0, 0.5, 0.25]).scale(2.0).start(-3).step(7).zero_row(2);
        let spec = spec.layout(Layout::Halves).order(Order::CosSin).columns(Columns::Cos);
        let spec = spec.pairing(Pairing::Unpaired).odd(Odd::Reject).amplitude(Amplitude::Sqrt2OverD);
        assert_eq!(fingerprint("0.1.0", &spec, 5, f32::FORMAT, false), 0xe64a_ba17_a6b1_777b);
    }

    /// A release that changes bits must rewrite the files.
    #[test]
    fn every_version_has_its_own_fingerprints() {
        let of = |version| fingerprint(version, &Spec::new(6), 4, f32::FORMAT, false);
        assert_eq!(of(VERSION), fingerprint(env!("CARGO_PKG_VERSION"), &Spec::new(6), 4, f32::FORMAT, false));
        assert_eq!(std::collections::BTreeSet::from(["0.1.0", "0.1.1", "0.1.10", "0.1.0-rc.1"].map(of)).len(), 4);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened(b"short"), "short");
        assert_eq!(shortened("x".repeat(351).as_bytes()), "x".repeat(350));
        assert_eq!(shortened(format!("x{}", "é".repeat(400)).as_bytes()), format!("x{}", "é".repeat(174)));
        assert_eq!(shortened(&[0x80; 400]), "");
        assert_eq!(shortened(&[0xff; 400]), "one with an unreadable description");
    }

    #[test]
    fn zeros_of_two_signs_are_the_same_parameter() {
        let of = |spec: Spec| fingerprint(VERSION, &spec, 4, f32::FORMAT, false);
        assert_eq!(of(Spec::new(6).freq_shift(-0.0)), of(Spec::new(6)));
        assert_eq!(of(Spec::new(4).frequencies(&[0.0, 1.0])), of(Spec::new(4).frequencies(&[-0.0, 1.0])));
    }
}
