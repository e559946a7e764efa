//! Programs whose processor treats subnormal numbers as zeros get the same bits.

use std::hint::black_box;

use posenc::scaling::Yarn;
use posenc::{Amplitude, Bf16Bits, F16Bits, Grid, Quantiser, Scaling, Spec};

use testkit::Bits;

const LEAST: f64 = 5e-324;

/// Positions of which some are subnormal. If these were zero, the first list would be equally spaced integers.
const POSITIONS: [f64; 5] = [LEAST, 1.0, 2.0, 3.0, 4.0];
const OTHERS: [f64; 5] = [-LEAST, 1e-310, -0.0, 2e-308, 1e-300];
const SINGLE: [f32; 3] = [1e-45, -1e-40, 3.0];

/// Restores the processor's mode when dropped.
struct NoSubnormals(u64);

impl NoSubnormals {
    /// Makes the processor read subnormal operands as zeros and flush subnormal results to zero.
    fn begin() -> Self {
        let before = mode();
        set_mode(before | if cfg!(target_arch = "x86_64") { 0x8040 } else { 1 << 24 });
        assert_eq!(black_box(1e-310) * black_box(1.0), 0.0, "the mode is on");
        Self(before)
    }
}

impl Drop for NoSubnormals {
    fn drop(&mut self) {
        set_mode(self.0);
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the floating-point mode is a register")]
fn mode() -> u64 {
    let mut mode = 0u32;
    // SAFETY: this stores the register in a variable of its size.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mode, options(nostack)) };
    mode.into()
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the floating-point mode is a register")]
fn set_mode(mode: u64) {
    let mode = u32::try_from(mode).expect("32 bits");
    // SAFETY: the mode was read before; the two added bits mask no exception and do not change the rounding.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack, readonly)) };
}

#[cfg(target_arch = "aarch64")]
#[expect(unsafe_code, reason = "the floating-point mode is a register")]
fn mode() -> u64 {
    let mode;
    // SAFETY: this only reads a register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) mode, options(nostack, nomem)) };
    mode
}

#[cfg(target_arch = "aarch64")]
#[expect(unsafe_code, reason = "the floating-point mode is a register")]
fn set_mode(mode: u64) {
    // SAFETY: the mode was read before; the added bit does not change the rounding.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) mode, options(nostack, nomem)) };
}

/// Returns the bits of everything that computes rows, frequencies or wavelengths, concatenated.
///
/// It is not inlined, so that nothing is computed before the mode is set.
#[inline(never)]
fn everything<T: Bits>(spec: &Spec) -> Vec<u64> {
    const ROWS: usize = 5;
    let d_model = spec.d_model();
    let mut rows = vec![T::default(); ROWS * d_model];
    let mut all = Vec::new();
    let mut add = |rows: &[T]| all.extend(rows.iter().map(|&entry| entry.bits()));
    spec.fill(0.., &mut rows).unwrap();
    add(&rows);
    spec.fill(7.., &mut rows[..d_model]).unwrap();
    add(&rows);
    spec.const_fill(0.., &mut rows).unwrap();
    add(&rows);
    for positions in [POSITIONS, OTHERS] {
        let rows = &mut rows[..5 * d_model];
        spec.fill_positions(&positions, rows).unwrap();
        add(rows);
        for (row, position) in rows.chunks_exact_mut(d_model).zip(positions) {
            spec.encode(position, row).unwrap();
        }
        add(rows);
    }
    for position in SINGLE {
        spec.encode(position, &mut rows[..d_model]).unwrap();
        add(&rows[..d_model]);
    }
    #[cfg(feature = "alloc")]
    {
        add(spec.table::<T>(ROWS).unwrap().as_slice());
        let encoder = spec.prepare::<T>(ROWS).unwrap();
        for (i, row) in rows.chunks_exact_mut(d_model).enumerate() {
            encoder.encode_row(i, row).unwrap();
        }
        add(&rows);
    }
    #[cfg(feature = "inspect")]
    all.extend(spec.angular_frequencies().unwrap().chain(spec.wavelengths().unwrap()).map(f64::to_bits));
    all
}

fn check<T: Bits>(spec: &Spec) {
    let usual = everything::<T>(spec);
    let found = {
        let _mode = NoSubnormals::begin();
        everything::<T>(black_box(spec))
    };
    let different = usual.iter().zip(&found).filter(|(usual, found)| usual != found).count();
    assert_eq!(different, 0, "of {} entries of {}, {spec}", usual.len(), T::DTYPE);
}

#[test]
fn subnormal_parameters_keep_their_meaning_if_the_processor_ignores_subnormal_numbers() {
    let list = [LEAST, -1e-310, 1.0, 0.0];
    let specs = [
        Spec::new(8),
        Spec::new(8).amplitude(Amplitude::Value(1e-310)),
        Spec::new(8).amplitude(Amplitude::Value(-LEAST)),
        Spec::new(8).scale(5e-320),
        Spec::new(8).scale(-LEAST).amplitude(Amplitude::Value(1000.0)),
        Spec::new(8).scale(1e300).amplitude(Amplitude::Value(1e-310)),
        Spec::new(8).frequencies(&list),
        Spec::new(8).base(1e-320),
        Spec::new(8).start(-10).scale(1e-310),
    ];
    for spec in specs {
        check::<f32>(&spec);
        check::<f64>(&spec);
        check::<F16Bits>(&spec);
        check::<Bf16Bits>(&spec);
    }
}

#[test]
fn what_is_refused_stays_refused_if_the_processor_ignores_subnormal_numbers() {
    let list = [1.0; 4];
    let yarn = Yarn::new(4.0, 4096);
    let rules = [
        Scaling::Yarn(Yarn { mscale: -1e-310, ..yarn }),
        Scaling::Yarn(Yarn { mscale_all_dim: -LEAST, ..yarn }),
        Scaling::Yarn(Yarn { beta_slow: -LEAST, ..yarn }),
        Scaling::longrope(&list, -1e-310, 4096),
        Scaling::longrope(&[1.0, 1.0, 1.0, -LEAST], 2.0, 4096),
        Scaling::proportional(LEAST),
        Scaling::linear(LEAST),
    ];
    let specs = [
        Spec::new(8).freq_shift(LEAST),
        Spec::new(8).frequencies(&list).freq_shift(1e-310),
        Spec::new(8).base(-LEAST),
        Spec::new(8).freq_shift(LEAST).scaling(Scaling::linear(2.0)),
    ];
    for spec in specs.into_iter().chain(rules.map(|rule| Spec::new(8).scaling(rule))) {
        let usual = spec.check_parameters::<f32>().unwrap_err().to_string();
        let _mode = NoSubnormals::begin();
        let found = black_box(spec).check_parameters::<f32>().map_err(|error| error.to_string());
        assert_eq!(found, Err(usual));
    }
    let scale = Spec::new(8).quantiser(Quantiser::new(-LEAST));
    let usual = scale.check_parameters::<i8>().unwrap_err().to_string();
    let _mode = NoSubnormals::begin();
    assert_eq!(black_box(scale).check_parameters::<i8>().map_err(|error| error.to_string()), Err(usual));
}

#[test]
fn tables_stay_different_if_the_processor_ignores_subnormal_numbers() {
    let lists = [[LEAST; 4], [0.0; 4]];
    let pairs = [
        (Spec::new(8).scale(LEAST), Spec::new(8).scale(0.0)),
        (Spec::new(8).scale(LEAST), Spec::new(8).scale(1e-310)),
        (Spec::new(8).amplitude(Amplitude::Value(LEAST)), Spec::new(8).amplitude(Amplitude::Value(0.0))),
        (Spec::new(8).frequencies(&lists[0]), Spec::new(8).frequencies(&lists[1])),
    ];
    for (one, other) in pairs {
        let _mode = NoSubnormals::begin();
        assert!(!black_box(one).is_same_table(black_box(&other)));
    }
}

/// The tables of two axes are one only if their parameters are the same.
#[test]
fn axes_with_different_subnormal_bases_stay_different_if_the_processor_ignores_subnormal_numbers() {
    let grid = Grid::new([3, 3], 8).base([1e-310, 1e-320]);
    let bits = || {
        let mut rows = [0.0f64; 9 * 8];
        black_box(grid).fill(0.., &mut rows).unwrap();
        rows.map(f64::to_bits)
    };
    let expected = bits();
    let mode = NoSubnormals::begin();
    let found = bits();
    drop(mode);
    assert_eq!(found, expected);
}
