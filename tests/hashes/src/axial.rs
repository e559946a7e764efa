//! Hashes rotary tables of several axes from their entry points.

use posenc::{AxialPreset, AxialRope, Bf16Bits, F16Bits, Packing, Q15, Repeat, const_grid, rotary_table};

use crate::bits::Bits;
use crate::digest::{add, flat};

/// Hashes tables of several element types.
pub(crate) fn all(lines: &mut String) {
    run_time::<f32>(lines);
    run_time::<f64>(lines);
    run_time::<F16Bits>(lines);
    run_time::<Bf16Bits>(lines);
    run_time::<Q15>(lines);
    baked(lines);
}

fn run_time<T: Bits>(lines: &mut String) {
    let qwen = AxialRope::preset(AxialPreset::Qwen2VlVision, [12, 20], 80).merge(2).repeat(Repeat::Halves);
    let table = qwen.table::<T>().expect("a table");
    add(lines, "axial, cos", "qwen2_vl_vision, 12 x 20 in blocks", &table.cos);
    add(lines, "axial, sin", "qwen2_vl_vision, 12 x 20 in blocks", &table.sin);
    let wan = AxialRope::preset(AxialPreset::Wan, [5, 15, 26], 128).packed(Packing::CosSin).expect("a table");
    add(lines, "axial, par_table", "wan, 5 x 15 x 26", &wan.par_table::<T>().expect("a table"));
    let dinov3 = AxialRope::preset(AxialPreset::DinoV3, [14, 20], 64).packed(Packing::Complex).expect("a table");
    let mut buffer = vec![T::default(); 100 * 64];
    dinov3.const_fill(30.., &mut buffer).expect("rows");
    add(lines, "axial, const_fill", "dinov3, 14 x 20 from row 30", &flat(&buffer, 64));
    let points: Vec<[f64; 2]> = (0..100).map(|i| [0.25 * f64::from(i), 1e6 / f64::from(i + 1)]).collect();
    let kimi = AxialRope::preset(AxialPreset::KimiK25Vision, [1, 1], 72);
    let (mut cos, mut sin) = (vec![T::default(); 100 * 36], vec![T::default(); 100 * 36]);
    kimi.fill_points(&points, &mut cos, &mut sin).expect("points");
    add(lines, "axial, fill_points", "kimi_k25_vision", &flat(&sin, 36));
}

/// Hashes tables of the macro and of the compiler.
fn baked(lines: &mut String) {
    rotary_table! {
        static LLAMA4 = ((6, 8), 88, preset = llama4_vision, packing = complex);
        static JEPA = ((2, 6, 8), 64, preset = vjepa2, repeat = axis_halves, packing = cos, dtype = f64);
    }
    static PIXTRAL: [[Bf16Bits; 32]; 48] =
        const_grid(match AxialRope::preset(AxialPreset::Pixtral, [6, 8], 64).packed(Packing::Sin) {
            Ok(grid) => grid,
            Err(_) => panic!("64 is a multiple of 4"),
        });
    add(lines, "axial, macro", "llama4_vision, 6 x 8", &LLAMA4);
    add(lines, "axial, macro", "vjepa2, 2 x 6 x 8", &JEPA);
    add(lines, "axial, const_grid", "pixtral, 6 x 8", &PIXTRAL);
}
