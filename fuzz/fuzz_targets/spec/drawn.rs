//! A spec from the bytes of the fuzzer.

use posenc::{MAX_D_MODEL, Preset, Spec};
use testkit::Lcg;
use testkit::case::Case;
use testkit::random_case::{Angles, Drawn as Parameters, PARAMETERS};

/// A spec with the parameters of a case.
pub(crate) struct Drawn {
    case: Case,
    /// The preset that the case changes. It is mostly `paper`, which is the default.
    preset: Preset,
    /// The largest frequency, at least 1.
    fastest: f64,
}

/// The widest spec for which entries are computed.
pub(crate) const WIDEST: usize = 65;

impl Drawn {
    /// Draws a case: valid, with one wrong parameter or width, or wild. It may change a preset.
    pub(crate) fn new(random: &mut Lcg) -> Self {
        let mut case = match random.below(4) {
            0 => Case::wild(random),
            1 => Case::valid(random, 80),
            _ => {
                let drawn = Parameters::one_in(3, &PARAMETERS, random);
                Case::random::<f32>(random, &drawn, WIDEST, Angles::Any)
            }
        };
        if random.one_in(2) {
            case.spoil(random);
        }
        if random.one_in(16) {
            let limits = [WIDEST - 1, WIDEST, 1 << 10, MAX_D_MODEL - 1, MAX_D_MODEL, MAX_D_MODEL + 1, usize::MAX];
            case.d_model = random.of(limits);
        }
        let preset = if random.one_in(4) { random.of(Preset::ALL) } else { Preset::Paper };
        let mut drawn = Self { case, preset, fastest: 1.0 };
        if drawn.case.d_model <= WIDEST {
            let frequencies = drawn.spec().angular_frequencies();
            drawn.fastest = frequencies.map_or(1.0, |all| all.map(f64::abs).fold(1.0, f64::max));
        }
        drawn
    }

    pub(crate) fn spec(&self) -> Spec<'_> {
        self.case.over(Spec::preset(self.preset, self.case.d_model))
    }

    /// Returns whether row `first + i` is the row of zeros.
    pub(crate) fn is_zero_row(&self, first: usize, i: usize) -> bool {
        self.case.zero_row.is_some_and(|row| first.checked_add(i) == Some(row))
    }

    /// Returns how many entries may be computed at a time, at positions up to `farthest` in magnitude.
    ///
    /// If the angles have hundreds of integer bits, an entry takes microseconds to milliseconds.
    pub(crate) fn budget(&self, farthest: f64) -> usize {
        if self.case.d_model > WIDEST {
            return 0;
        }
        match self.fastest.log2() + farthest.abs().max(1.0).log2() {
            ..200.0 => 1024,
            ..600.0 => 64,
            _ => 16,
        }
    }
}

/// Draws a position.
pub(crate) fn position(random: &mut Lcg) -> f64 {
    if random.one_in(4) { random.wild() } else { random.float_position(false) }
}

/// Draws the index of a row, or a number of rows that is not computed.
pub(crate) fn size(random: &mut Lcg) -> usize {
    match random.below(6) {
        0..4 => random.index(256),
        4 => random.of([usize::MAX, usize::MAX - 1, isize::MAX.unsigned_abs(), 1 << 53, (1 << 53) + 1, 1 << 32]),
        _ => random.wild_length(),
    }
}

/// Checks that the spec displays as a macro call, and that its `Debug` output is not empty.
pub(crate) fn check_display(spec: &Spec) {
    let shown = spec.to_string();
    assert!(shown.starts_with("sinusoidal_table!(seq_len, ") && shown.ends_with(')'), "{shown}");
    assert!(!format!("{spec:?}").is_empty());
}
