//! A block of Qwen2-VL's vision tower, with a baked rotary table of heights and widths.
//!
//! The towers in candle-transformers (`models/qwen3_vl/vision.rs`, `models/paddleocr_vl/vision.rs`) compute the table
//! for each image. To use the exact table, copy such a file and put these two tensors where it makes its cosines and
//! sines. For shapes that are known only at run time, `AxialRope` makes the same bits.

use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::rotary_emb::rope;
use candle_nn::{LayerNorm, LayerNormConfig, Linear, Module, VarBuilder, VarMap, layer_norm, linear, ops::softmax};
use posenc::{CosSin, compare, rotary_table};

use crate::fallible::Fallible;

/// The sizes of the tower of Qwen2-VL.
const HEADS: usize = 16;
const HEAD_DIM: usize = 80;
const WIDTH: usize = HEADS * HEAD_DIM;
const MERGE: usize = 2;

/// An image of 336 x 504 pixels, which is not square: a table with swapped axes would be another one.
const H: usize = 24;
const W: usize = 36;

static ROPE: CosSin<[[f32; HEAD_DIM / 2]; H * W]> = rotary_table!((24, 36), 80, preset = qwen2_vl_vision, merge = 2);

/// Shows how far the tower's own table is from the exact one, and how far the output of a block is.
pub(crate) fn show(device: &Device) -> Fallible<()> {
    let tensor =
        |table: &[[f32; HEAD_DIM / 2]]| Tensor::from_slice(table.as_flattened(), (H * W, HEAD_DIM / 2), device);
    let exact = CosSin { cos: tensor(&ROPE.cos)?, sin: tensor(&ROPE.sin)? };
    let own = table_of_tower(device)?;
    println!("\nthe rotary table of Qwen2-VL's vision tower, {H} x {W} patches, compared with the exact one:");
    for (name, own, exact) in [("cosines", &own.cos, &ROPE.cos), ("sines", &own.sin, &ROPE.sin)] {
        let report = compare(&own.to_vec2::<f32>()?, exact)?;
        let (differing, entries) = (report.differing(), report.entries());
        println!("  {name}: {differing} of {entries} entries differ, by up to {:.1e}", report.max_abs_error());
        // Another order of axes or of rows would be off by about 2.
        assert!(differing > 0 && report.max_abs_error() < 1e-5);
    }
    let weights = VarMap::new();
    let block = Block::load(&VarBuilder::from_varmap(&weights, DType::F32, device))?;
    let patches = Tensor::randn(0f32, 1f32, (H * W, WIDTH), device)?;
    let (ours, theirs) = (block.forward(&patches, &exact)?, block.forward(&patches, &own)?);
    let report = compare(&ours.to_vec2::<f32>()?, &theirs.to_vec2::<f32>()?)?;
    let share = 100.0 * report.differing() as f64 / report.entries() as f64;
    println!(
        "  a block with random weights: {share:.0} % of its outputs differ, by up to {:.1e}",
        report.max_abs_error()
    );
    assert!(report.differing() > 0 && report.max_abs_error() < 1e-4);
    Ok(())
}

/// The table as the tower computes it in `f32`: a row for each patch. Patches that are merged follow each other.
fn table_of_tower(device: &Device) -> Result<CosSin<Tensor>> {
    const AXIS: usize = HEAD_DIM / 2;
    let frequencies: Vec<f32> = (0..AXIS).step_by(2).map(|i| 1. / 10_000f32.powf(i as f32 / AXIS as f32)).collect();
    let blocks = (0..H / MERGE).flat_map(|h| (0..W / MERGE).map(move |w| [h, w]));
    let in_block =
        |[h, w]: [usize; 2]| (0..MERGE).flat_map(move |i| (0..MERGE).map(move |j| [h * MERGE + i, w * MERGE + j]));
    let angles: Vec<f32> = blocks
        .flat_map(in_block)
        .flatten()
        .flat_map(|position| frequencies.iter().map(move |frequency| position as f32 * frequency))
        .collect();
    let angles = Tensor::from_vec(angles, (H * W, AXIS), device)?;
    Ok(CosSin { cos: angles.cos()?, sin: angles.sin()? })
}

/// Attention and a perceptron, each added to its input.
struct Block {
    norms: [LayerNorm; 2],
    qkv: Linear,
    projection: Linear,
    perceptron: [Linear; 2],
}

impl Block {
    fn load(builder: &VarBuilder) -> Result<Self> {
        let norm = |name| layer_norm(WIDTH, LayerNormConfig::default(), builder.pp(name));
        Ok(Self {
            norms: [norm("norm1")?, norm("norm2")?],
            qkv: linear(WIDTH, 3 * WIDTH, builder.pp("attn.qkv"))?,
            projection: linear(WIDTH, WIDTH, builder.pp("attn.proj"))?,
            perceptron: [
                linear(WIDTH, 4 * WIDTH, builder.pp("mlp.fc1"))?,
                linear(4 * WIDTH, WIDTH, builder.pp("mlp.fc2"))?,
            ],
        })
    }

    fn forward(&self, patches: &Tensor, table: &CosSin<Tensor>) -> Result<Tensor> {
        let patches = (patches + self.attention(&self.norms[0].forward(patches)?, table)?)?;
        let [up, down] = &self.perceptron;
        &patches + down.forward(&up.forward(&self.norms[1].forward(&patches)?)?.gelu()?)?
    }

    fn attention(&self, patches: &Tensor, table: &CosSin<Tensor>) -> Result<Tensor> {
        let rows = patches.dim(0)?;
        // Queries, keys and values of one image, with a matrix for each head.
        let qkv = self.qkv.forward(patches)?.reshape((rows, 3, HEADS, HEAD_DIM))?.permute((1, 2, 0, 3))?;
        let part = |i: usize| qkv.narrow(0, i, 1)?.contiguous();
        let [q, k] = [part(0)?, part(1)?].map(|heads| rope(&heads, &table.cos, &table.sin));
        let scores = (q?.matmul(&k?.t()?.contiguous()?)? / (HEAD_DIM as f64).sqrt())?;
        let mixed = softmax(&scores, D::Minus1)?.matmul(&part(2)?)?;
        self.projection.forward(&mixed.squeeze(0)?.transpose(0, 1)?.reshape((rows, WIDTH))?)
    }
}
