//! Rotary caches from `rotary_table!`, from `Rope` and from its specs.

use posenc::{Bf16Bits, Columns, CosSin, Element, Packing, Repeat, Rope, RopePreset, Scaling, Table, rotary_table};

const ROWS: usize = 40;
const HEAD_DIM: usize = 96;
const FACTOR: f64 = 8.0;
const LIST: [f64; 4] = [1.0, 1.5, 4.0, 8.0];

static LLAMA: CosSin<[[f32; 64]; 40]> = rotary_table!(40, 128, preset = llama3_1);
static NAMED: CosSin<[[f32; 48]; ROWS]> = rotary_table!(ROWS, HEAD_DIM, base = 5e5, scaling = llama3(FACTOR, 8192));

rotary_table! {
    static LITERALS = (40, 96, base = 5e5, scaling = llama3(8, original_max_position_embeddings = 8192));
    static BASE_OF_CONFIGS = (40, 96, rope_theta = 5e5, scaling = llama3(8, 8192), packing = cos);
    static LONG = (40, 8, scaling = longrope(LIST, 32, 4096), repeat = halves);
    static LISTED = (40, 8, scaling = longrope([1, 1.5, 4, 8], 32, 4096), repeat = halves);
    static PARTIAL = (40, 80, partial_rotary_factor = 0.4);
    static PRESET = (40, 80, preset = phi2);
    static OTHER_HEAD = (40, 160, preset = phi2, dtype = bf16_bits);
    static JOINED = (40, 64, packing = cos_sin, start = 3, step = -2);
    static GPT_J = (40, 256, preset = gpt_j, packing = sin_cos);
    static COMPLEX = (40, 64, packing = complex, dtype = f64, scaling = yarn(40, 4096, mscale = 1, mscale_all_dim = 1));
    static BURN = (40, 64, packing = complex, repeat = pairs);
    static OVERRIDDEN = (40, 64, preset = gpt_oss, attention_factor = 1, base = 1e4, scaling = none);
    static NAMED_WIDTH = (40, 2 * HEAD_DIM, rotary_dim = HEAD_DIM / 2, packing = sin);
    static NAMED_REPEATED = (40, HEAD_DIM, packing = cos_sin, repeat = halves);
    const GIVEN: Aligned = (40, 4, frequencies = [1, 0.25], scale = 0.5);
}

fn same<T: Element + PartialEq, const D: usize>(table: &Table<T>, baked: &[[T; D]]) -> bool {
    table.rows().eq(baked.iter())
}

fn both<T: Element + PartialEq, const D: usize>(rope: Rope, baked: &CosSin<[[T; D]; 40]>) {
    let CosSin { cos, sin } = rope.table::<T>(40).unwrap();
    assert!(same(&cos, &baked.cos) && same(&sin, &baked.sin), "{rope}");
}

#[test]
fn what_is_baked_is_what_is_computed() {
    let llama3 = Rope::new(96).base(5e5).scaling(Scaling::llama3(8.0, 8192));
    let long = Rope::new(8).scaling(Scaling::longrope(&LIST, 32.0, 4096)).repeat(Repeat::Halves);
    both(Rope::preset(RopePreset::Llama3_1), &LLAMA);
    both(llama3, &NAMED);
    both(llama3, &LITERALS);
    assert!(BASE_OF_CONFIGS == NAMED.cos);
    both(long, &LONG);
    both(long, &LISTED);
    both(Rope::new(80).rotary_dim(32), &PARTIAL);
    both(Rope::preset(RopePreset::Phi2), &PRESET);
    both::<Bf16Bits, 32>(Rope::new(160).rotary_dim(64), &OTHER_HEAD);
    both(Rope::new(64), &OVERRIDDEN);
    both(Rope::new(4).frequencies(&[1.0, 0.25]).scale(0.5), &GIVEN.0);
}

/// A `Rope` shows itself as the call that bakes its tables, also if its factor is the default of a `Spec`.
#[test]
fn a_rope_shows_its_attention_factor() {
    let yarn = Rope::new(8).scaling(Scaling::yarn(4.0, 4096));
    let call = "rotary_table!(seq_len, 8, scaling = yarn(factor = 4.0, original_max_position_embeddings = 4096)";
    assert_eq!(yarn.to_string(), format!("{call})"));
    assert_eq!(yarn.attention_factor(1.0).to_string(), format!("{call}, attention_factor = 1.0)"));
    assert_eq!(yarn.attention_factor(-0.5).to_string(), format!("{call}, attention_factor = -0.5)"));
}

macro_rules! with_rule {
    ($rule:path, $factor:expr, $name:ident) => {
        [
            rotary_table!(2, 8, scaling = $rule(8), packing = cos),
            rotary_table!(2, 8, scaling = $name($factor), packing = cos),
            rotary_table!(2, 8, r#scaling = r#linear(r#factor = 8), packing = cos),
        ]
    };
}

#[test]
fn rules_may_come_from_macros() {
    let [one, two, three]: [[[f32; 4]; 2]; 3] = with_rule!(linear, 8, linear);
    assert!(one == two && two == three);
    assert_eq!(one[1][0], 0.992_197_7); // cos(1/8)
}

#[test]
fn packings_are_arrangements_of_the_two_tables() {
    let rope = Rope::new(64).start(3).step(-2);
    assert!(same(&rope.packed(Packing::CosSin).unwrap().table(40).unwrap(), &JOINED));
    let CosSin { cos, sin } = rope.table::<f32>(40).unwrap();
    for (row, (cos, sin)) in JOINED.iter().zip(cos.rows().zip(sin.rows())) {
        assert_eq!((&row[..32], &row[32..]), (cos, sin));
    }

    let CosSin { cos, sin } = Rope::preset(RopePreset::GptJ).table::<f32>(40).unwrap();
    for (row, (cos, sin)) in GPT_J.iter().zip(cos.rows().zip(sin.rows())) {
        assert_eq!((&row[..32], &row[32..]), (sin, cos));
    }

    let CosSin { cos, sin } = Rope::preset(RopePreset::DeepSeekV3).table::<f64>(40).unwrap();
    for (row, (cos, sin)) in COMPLEX.iter().zip(cos.rows().zip(sin.rows())) {
        assert!(row.chunks(2).zip(cos.iter().zip(sin)).all(|(pair, (cos, sin))| pair == [*cos, *sin]));
    }

    let CosSin { cos, sin } = Rope::new(64).table::<f32>(40).unwrap();
    for (row, (cos, sin)) in BURN.iter().zip(cos.rows().zip(sin.rows())) {
        assert!(row.chunks(4).zip(cos.iter().zip(sin)).all(|(pair, (c, s))| pair == [*c, *s, *c, *s]));
    }

    let sines = Rope::new(192).rotary_dim(48).spec(Columns::Sin).unwrap();
    assert!(same(&sines.table(40).unwrap(), &NAMED_WIDTH));
    let repeated = Rope::new(HEAD_DIM).repeat(Repeat::Halves).packed(Packing::CosSin).unwrap();
    assert!(same::<f32, { 2 * HEAD_DIM }>(&repeated.table(40).unwrap(), &NAMED_REPEATED));
}

/// Each method of `Rope` writes the same rows.
#[test]
fn all_methods_write_the_same_rows() {
    for preset in [RopePreset::Llama3_1, RopePreset::GptOss, RopePreset::Phi3_5MiniLong, RopePreset::Gemma4Global] {
        let rope = Rope::preset(preset);
        let CosSin { cos, sin } = rope.table::<f32>(300).unwrap();
        let d = rope.pairs();
        let (mut filled_cos, mut filled_sin) = (vec![0.0; 300 * d], vec![0.0; 300 * d]);
        rope.fill(0..300, &mut filled_cos, &mut filled_sin).unwrap();
        assert!(cos.as_slice() == filled_cos && sin.as_slice() == filled_sin, "{preset}");

        let encoders = rope.prepare::<f32>(300).unwrap();
        let mut constant = vec![0.0; 300 * d];
        rope.spec(Columns::Cos).unwrap().const_fill(0.., &mut constant).unwrap();
        assert!(cos.as_slice() == constant, "{preset}");
        for i in [0, 1, 17, 299] {
            let (mut one, mut other) = (vec![0.0; d], vec![0.0; d]);
            rope.encode(i, &mut one, &mut other).unwrap();
            assert!(cos[i] == one && sin[i] == other, "{preset}, {i}");
            encoders.cos.encode_row(i, &mut one).unwrap();
            encoders.sin.encode(i, &mut other).unwrap();
            assert!(cos[i] == one && sin[i] == other, "{preset}, {i}");
        }
    }
}
