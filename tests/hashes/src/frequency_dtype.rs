//! Hashes tables whose frequencies are rounded before they are used.

use posenc::{AxialPreset, AxialRope, Bf16Bits, FrequencyDtype, Rope, Scaling, Spec, const_table, sinusoidal_table};

use crate::bits::Bits;
use crate::digest::{add, flat};

/// Hashes tables of several element types.
pub(crate) fn all(lines: &mut String) {
    run_time::<f32>(lines);
    run_time::<f64>(lines);
    run_time::<Bf16Bits>(lines);
    baked(lines);
}

fn run_time<T: Bits>(lines: &mut String) {
    let pi05 = Rope::new(256).frequency_dtype(FrequencyDtype::Bf16).table::<T>(500).expect("a table");
    add(lines, "table", "cosines, frequencies in bf16", &pi05.cos);
    // The last frequencies are subnormal numbers, and zeros.
    let spec = Spec::new(64).base(1e9).frequency_dtype(FrequencyDtype::F16).scaling(Scaling::ntk(8.0)).start(-5);
    let mut buffer = vec![T::default(); 200 * 64];
    spec.const_fill(0.., &mut buffer).expect("rows");
    add(lines, "const_fill", "ntk, frequencies in f16", &flat(&buffer, 64));
    let dinov3 = AxialRope::preset(AxialPreset::DinoV3Bf16, [14, 20], 64).table::<T>().expect("a table");
    add(lines, "axial, sin", "dinov3_bf16, 14 x 20", &dinov3.sin);
}

fn baked(lines: &mut String) {
    static MACRO: [[f32; 32]; 24] = sinusoidal_table!(24, 32, scaling = yarn(4, 4096), frequency_dtype = f16);
    add(lines, "macro", "yarn, frequencies in f16", &MACRO);
    static COMPILER: [[f64; 12]; 20] =
        const_table(Spec::new(12).freq_offset(1, 3).frequency_dtype(FrequencyDtype::Bf16Period));
    add(lines, "const_table", "periods in bf16", &COMPILER);
}
