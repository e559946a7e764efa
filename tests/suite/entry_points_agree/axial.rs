//! Rotary tables of several axes from `rotary_table!`, from `AxialRope` and from its grids.

use posenc::{
    AxialNest, AxialPreset, AxialRest, AxialRope, CosSin, Element, Packing, Repeat, Scaling, Table, const_grid,
    rotary_table,
};

const HEIGHT: usize = 4;
const HEAD_DIM: usize = 64;
const FRAMES: [f64; 2] = [0.0, 7.5];

static QWEN: CosSin<[[f32; 40]; 24]> = rotary_table!((4, 6), 80, preset = qwen2_vl_vision, merge = 2);
static NAMED: CosSin<[[f32; 32]; 24]> = rotary_table!((HEIGHT, 6), HEAD_DIM, first = (w, h), base = 100);

rotary_table! {
    static LITERALS = ((4, 6), 64, first = (w, h), base = 100);
    static LLAMA4 = ((2, 3), 88, preset = llama4_vision, dtype = f64);
    static NAMED_ROWS = ((HEIGHT - 2, 3), 88, preset = llama4_vision, dtype = f64);
    static KIMI = ((2, 3), 72, preset = kimi_k25_vision, repeat = halves, packing = cos_sin);
    static NAMED_WIDTH = ((2, 3), HEAD_DIM + 8, preset = kimi_k25_vision, repeat = halves, packing = cos_sin);
    static COSMOS = ((2, 2, 3), 128, preset = cosmos, unit = (24/16, 1, 1), dtype = bf16_bits);
    static SPELLED = ((2, 2, 3), 128, widths = (44, 42, 42), scaling = (ntk(2), none, none), unit = (3/2, 1, 1), dtype = bf16_bits);
    static JEPA = ((2, 2, 3), 64, preset = vjepa2, repeat = axis_halves, packing = cos);
    static MINIMAX = ((2, 2, 4), 80, preset = minimax_m3_vision, merge = 2, packing = complex);
    static FRAMED = ((2, 2, 3), 64, widths = (16, 24, 24), positions = ([0, 7.5], [], []));
    static NAMED_FRAMES = ((2, 2, 3), 64, widths = (16, 24, 24), positions = (FRAMES, [], []));
    static FLUX2 = ((1, 2, 3, 1), 128, preset = flux2, packing = sin);
    static PARTIAL = ((2, 3), 64, partial_rotary_factor = 0.5, rest = identity_first, widths = (8, 16), identity_rows = 1);
    static NAMED_PARTIAL = ((2, 3), HEAD_DIM, rotary_dim = 32, rest = identity_first, widths = (8, 16), identity_rows = 1);
    const ONE_AXIS: Aligned = ((5,), 16, start = -2, dtype = i8(1/127));
}

#[track_caller]
fn one<T: Element + PartialEq, const D: usize>(table: &Table<T>, baked: &[[T; D]]) {
    assert!(table.rows().eq(baked.iter()));
}

#[track_caller]
fn both<T: Element + PartialEq, const D: usize, const N: usize, const A: usize>(
    rope: AxialRope<A>,
    baked: &CosSin<[[T; D]; N]>,
) {
    let CosSin { cos, sin } = rope.table::<T>().unwrap();
    one(&cos, &baked.cos);
    one(&sin, &baked.sin);
    assert_eq!(rope.columns_of_one(), D);
}

/// The width of a table.
trait ColumnsOfOne {
    fn columns_of_one(&self) -> usize;
}

impl<const A: usize> ColumnsOfOne for AxialRope<'_, A> {
    fn columns_of_one(&self) -> usize {
        self.packed(Packing::Cos).unwrap().d_model()
    }
}

#[test]
fn what_is_baked_is_what_is_computed() {
    both(AxialRope::preset(AxialPreset::Qwen2VlVision, [4, 6], 80).merge(2), &QWEN);
    let gemma = AxialRope::preset(AxialPreset::Gemma4Vision, [4, 6], 64);
    both(gemma, &NAMED);
    both(gemma, &LITERALS);
    let llama = AxialRope::preset(AxialPreset::Llama4Vision, [2, 3], 88);
    both(llama, &LLAMA4);
    both(llama, &NAMED_ROWS);
    let kimi = AxialRope::new([2, 3], 72).first([1, 0]).nest(AxialNest::Frequencies).repeat(Repeat::Halves);
    one(&kimi.packed(Packing::CosSin).unwrap().table().unwrap(), &KIMI);
    assert!(KIMI == NAMED_WIDTH);
    let cosmos = AxialRope::preset(AxialPreset::Cosmos, [2, 2, 3], 128).unit([(3, 2), (1, 1), (1, 1)]);
    both(cosmos, &COSMOS);
    both(cosmos, &SPELLED);
    let jepa = AxialRope::new([2, 2, 3], 64).widths([20; 3]).rest(AxialRest::Identity).repeat(Repeat::AxisHalves);
    one(&jepa.packed(Packing::Cos).unwrap().table().unwrap(), &JEPA);
    let minimax = AxialRope::new([2, 2, 4], 80).rotary_dim(78).merge(2);
    one(&minimax.packed(Packing::Complex).unwrap().table().unwrap(), &MINIMAX);
    let framed = AxialRope::new([2, 2, 3], 64).widths([16, 24, 24]).positions([&FRAMES, &[], &[]]);
    both(framed, &FRAMED);
    both(framed, &NAMED_FRAMES);
    one(
        &AxialRope::preset(AxialPreset::Flux2, [1, 2, 3, 1], 128).packed(Packing::Sin).unwrap().table().unwrap(),
        &FLUX2,
    );
    let partial = AxialRope::new([2, 3], 64).rotary_dim(32).rest(AxialRest::IdentityFirst);
    let partial = partial.widths([8, 16]).identity_rows(1);
    both(partial, &PARTIAL);
    both(partial, &NAMED_PARTIAL);
    let line = AxialRope::new([5], 16).start([-2]).quantiser(posenc::Quantiser::quotient(1, 127));
    both(line, &ONE_AXIS.0);
}

/// A text that can be pasted makes the same tables.
#[test]
fn a_table_shows_itself_as_the_call_that_bakes_it() {
    let shown = |rope: &str, call: &str| assert_eq!(rope, format!("rotary_table!({call})"));
    let cosmos = AxialRope::preset(AxialPreset::Cosmos, [2, 2, 3], 128).unit([(3, 2), (1, 1), (1, 1)]);
    shown(
        &cosmos.to_string(),
        "(2, 2, 3), 128, widths = (44, 42, 42), scaling = (ntk(alpha = 2.0), none, none), unit = (3/2, 1, 1)",
    );
    let jepa = AxialRope::preset(AxialPreset::VJepa2, [2, 2, 3], 64).repeat(Repeat::AxisHalves).macro_call();
    shown(
        &jepa.packing(Packing::Cos).dtype::<f64>().to_string(),
        "(2, 2, 3), 64, widths = (20, 20, 20), rest = identity, repeat = axis_halves, packing = cos, dtype = f64",
    );
    let framed = AxialRope::new([2, 3], 64).rotary_dim(32).positions([&FRAMES, &[]]).merge(1).identity_rows_after(2);
    shown(&framed.to_string(), "(2, 3), 64, identity_rows_after = 2, positions = ([0.0, 7.5], []), rotary_dim = 32");
}

/// Any rows, single points and constants have the bits of the whole table.
#[test]
fn every_entry_point_has_the_same_rows() {
    const ROPE: AxialRope<3> = AxialRope::preset(AxialPreset::Wan, [2, 3, 5], 24).identity_rows(1);
    static CONSTANT: [[f32; 12]; 31] = const_grid(match ROPE.packed(Packing::Cos) {
        Ok(grid) => grid,
        Err(_) => panic!("24 is a multiple of 6"),
    });
    let CosSin { cos, sin } = ROPE.table::<f32>().unwrap();
    one(&cos, &CONSTANT);
    for first in 0..31 {
        let (mut some, mut others) = (vec![7.0f32; (31 - first) * 12], vec![7.0f32; (31 - first) * 12]);
        ROPE.fill(first..31, &mut some, &mut others).unwrap();
        assert_eq!((&some[..], &others[..]), (&cos.as_slice()[first * 12..], &sin.as_slice()[first * 12..]));
    }
    let points: Vec<[f64; 3]> = (0..30).map(|i| [i / 15, i / 5 % 3, i % 5].map(f64::from)).collect();
    let (mut some, mut others) = (vec![7.0f32; 30 * 12], vec![7.0f32; 30 * 12]);
    ROPE.fill_points(&points, &mut some, &mut others).unwrap();
    assert_eq!((&some[..], &others[..]), (&cos.as_slice()[12..], &sin.as_slice()[12..]));
    for (i, point) in points.into_iter().enumerate() {
        let (mut some, mut others) = ([7.0f32; 12], [7.0f32; 12]);
        ROPE.encode(point, &mut some, &mut others).unwrap();
        assert_eq!((&some[..], &others[..]), (&cos[1 + i], &sin[1 + i]));
    }
}

#[test]
fn what_is_refused_writes_nothing() {
    let good = AxialRope::new([2, 3], 8);
    let yarn = Scaling::yarn(4.0, 4096);
    for rope in [
        AxialRope::new([2, 3], 6),
        AxialRope::new([2, 3], 7),
        AxialRope::new([2, 3], 0),
        good.rotary_dim(12),
        good.widths([3, 5]),
        good.widths([4, 2]),
        good.widths([0, 0]),
        good.widths([6, 4]).rest(AxialRest::Identity),
        good.widths([6, 2]).nest(AxialNest::Frequencies),
        good.nest(AxialNest::Frequencies).repeat(Repeat::AxisHalves),
        good.widths([2, 2]).rest(AxialRest::Identity).nest(AxialNest::Frequencies),
        good.merge(2),
        good.merge(0),
        good.first([0, 0]),
        good.positions([&[1.0], &[]]),
        good.positions([&[f64::INFINITY, 1.0], &[]]),
        good.scaling([yarn, Scaling::None]),
        good.freq_offset([(1, 1), (0, 1)]),
        good.freq_offset([(1, 2), (0, 1)]).scaling([Scaling::ntk(2.0); 2]),
        good.base([-1.0, 1.0]),
        AxialRope::preset(AxialPreset::Wan, [2, 3], 8),
        AxialRope::preset(AxialPreset::Flux, [2, 3], 8),
        AxialRope::preset(AxialPreset::Eva02, [2, 3], 8),
    ] {
        let error = rope.check::<f32>().unwrap_err();
        let (mut cos, mut sin) = ([7.0f32; 24], [7.0f32; 24]);
        assert_eq!(rope.fill(0.., &mut cos, &mut sin), Err(error));
        assert_eq!(rope.fill_points(&[[0.0; 2]; 6], &mut cos, &mut sin), Err(error));
        assert_eq!(rope.encode([0, 0], &mut cos, &mut sin), Err(error));
        assert_eq!(rope.table::<f32>().unwrap_err(), error);
        assert_eq!((cos, sin), ([7.0; 24], [7.0; 24]), "{rope}");
        assert!(!error.to_string().is_empty() && rope.is_same_table(&rope) == (rope == rope));
    }
    let (mut cos, mut sin) = ([7.0f32; 24], [7.0f32; 20]);
    assert!(good.fill(0.., &mut cos, &mut sin).is_err() && good.fill(2..9, &mut cos, &mut [7.0; 24]).is_err());
    assert_eq!(cos, [7.0; 24]);
}
