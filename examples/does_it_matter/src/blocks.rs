//! A Transformer with random weights, with positions that are added or rotate queries and keys.

use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::ops::softmax;
use candle_nn::rotary_emb::{rope, rope_i};

use crate::random::Random;

/// What a model does with positions.
pub enum Positions {
    /// Rows that are added to the embeddings.
    Added(Tensor),
    /// Sines and cosines, for pairs of columns half a head apart.
    Halves([Tensor; 2]),
    /// The same for adjacent columns.
    Adjacent([Tensor; 2]),
}

/// The arithmetic of the network, apart from the table.
#[derive(Clone, Copy, PartialEq)]
pub enum Arithmetic {
    F64,
    F32,
    /// Weights and the results of all operations are rounded to bf16, and sums are in `f32`.
    Bf16,
    /// Likewise with 8 bits: each row is rounded to 255 multiples of a step, of which the largest is its largest entry.
    I8,
}

impl Arithmetic {
    fn dtype(self) -> DType {
        if self == Self::F64 { DType::F64 } else { DType::F32 }
    }

    /// Converts and rounds what an operation or a table returns.
    fn store(self, tensor: &Tensor) -> Result<Tensor> {
        let tensor = tensor.to_dtype(self.dtype())?;
        match self {
            Self::F64 | Self::F32 => Ok(tensor),
            Self::Bf16 => tensor.to_dtype(DType::BF16)?.to_dtype(self.dtype()),
            Self::I8 => {
                let step = ((tensor.abs()?.max_keepdim(D::Minus1)? / 127.0)? + f64::from(f32::MIN_POSITIVE))?;
                tensor.broadcast_div(&step)?.round()?.broadcast_mul(&step)
            }
        }
    }
}

#[derive(Clone, Copy)]
pub enum Style {
    /// As Whisper's encoder: layer norms, GELU, and all positions see each other.
    Encoder,
    /// As Llama: norms by the root mean square, `SiLU` with a gate, and positions see only those before them.
    Decoder,
}

#[derive(Clone, Copy)]
pub struct Sizes {
    pub style: Style,
    pub width: usize,
    pub heads: usize,
    pub layers: usize,
    pub vocabulary: usize,
    /// The standard deviation of the attention's scores before the softmax, about.
    pub sharpness: f64,
}

struct Layer {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    up: Tensor,
    gate: Tensor,
    down: Tensor,
}

pub struct Network {
    sizes: Sizes,
    layers: Vec<Layer>,
    head: Tensor,
}

impl Network {
    /// Draws weights by the rule of Xavier and Glorot.
    pub fn new(sizes: Sizes, random: &mut Random) -> Result<Self> {
        let width = sizes.width;
        let hidden = match sizes.style {
            Style::Encoder => 4 * width,
            Style::Decoder => width * 11 / 4,
        };
        let mut weights = |rows, columns| random.matrix(rows, columns, (2.0 / (rows + columns) as f64).sqrt());
        let mut layer = || {
            let sharp = sizes.sharpness.sqrt();
            Ok(Layer {
                query: (weights(width, width)? * sharp)?,
                key: (weights(width, width)? * sharp)?,
                value: weights(width, width)?,
                output: weights(width, width)?,
                up: weights(width, hidden)?,
                gate: weights(width, hidden)?,
                down: weights(hidden, width)?,
            })
        };
        let layers = (0..sizes.layers).map(|_| layer()).collect::<Result<_>>()?;
        Ok(Self { sizes, layers, head: weights(width, sizes.vocabulary)? })
    }

    /// Returns the logits of a text of embeddings: a row for each position.
    pub fn logits(&self, embeddings: &Tensor, positions: &Positions, arithmetic: Arithmetic) -> Result<Tensor> {
        Pass { sizes: self.sizes, positions, arithmetic }.run(self, embeddings)
    }
}

/// What stays the same from layer to layer.
struct Pass<'a> {
    sizes: Sizes,
    positions: &'a Positions,
    arithmetic: Arithmetic,
}

impl Pass<'_> {
    fn run(&self, network: &Network, embeddings: &Tensor) -> Result<Tensor> {
        let mut x = self.store(embeddings)?;
        if let Positions::Added(table) = self.positions {
            x = self.store(&(x + self.store(table)?)?)?;
        }
        for layer in &network.layers {
            x = self.store(&(&x + self.attention(layer, &self.norm(&x)?)?)?)?;
            x = self.store(&(&x + self.perceptron(layer, &self.norm(&x)?)?)?)?;
        }
        self.times(&self.norm(&x)?, &network.head)
    }

    fn store(&self, tensor: &Tensor) -> Result<Tensor> {
        self.arithmetic.store(tensor)
    }

    fn times(&self, x: &Tensor, weights: &Tensor) -> Result<Tensor> {
        self.store(&x.matmul(&self.store(weights)?)?)
    }

    fn norm(&self, x: &Tensor) -> Result<Tensor> {
        let x = match self.sizes.style {
            Style::Encoder => x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?,
            Style::Decoder => x.clone(),
        };
        let size = (x.sqr()?.mean_keepdim(D::Minus1)? + 1e-5)?.sqrt()?;
        self.store(&x.broadcast_div(&size)?)
    }

    fn perceptron(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let up = self.times(x, &layer.up)?;
        let hidden = match self.sizes.style {
            Style::Encoder => up.gelu()?,
            Style::Decoder => (self.times(x, &layer.gate)?.silu()? * up)?,
        };
        self.times(&self.store(&hidden)?, &layer.down)
    }

    fn attention(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let (rows, width) = x.dims2()?;
        let head_dim = width / self.sizes.heads;
        let heads = |weights| {
            self.times(x, weights)?.reshape((1, rows, self.sizes.heads, head_dim))?.transpose(1, 2)?.contiguous()
        };
        let query = self.rotated(&heads(&layer.query)?)?;
        let key = self.rotated(&heads(&layer.key)?)?;
        let mut scores = (query.matmul(&key.t()?.contiguous()?)? / (head_dim as f64).sqrt())?;
        if matches!(self.sizes.style, Style::Decoder) {
            scores = scores.broadcast_add(&mask(rows)?.to_dtype(self.arithmetic.dtype())?)?;
        }
        let shares = self.store(&softmax(&self.store(&scores)?, D::Minus1)?)?;
        let mixed = self.store(&shares.matmul(&heads(&layer.value)?)?)?;
        self.times(&mixed.squeeze(0)?.transpose(0, 1)?.reshape((rows, width))?, &layer.output)
    }

    fn rotated(&self, heads: &Tensor) -> Result<Tensor> {
        match self.positions {
            Positions::Added(_) => Ok(heads.clone()),
            Positions::Halves([sin, cos]) => self.store(&rope(heads, &self.store(cos)?, &self.store(sin)?)?),
            Positions::Adjacent([sin, cos]) => self.store(&rope_i(heads, &self.store(cos)?, &self.store(sin)?)?),
        }
    }
}

/// Returns minus infinity for the keys after a query.
fn mask(rows: usize) -> Result<Tensor> {
    let entry = |query, key| if key > query { f64::NEG_INFINITY } else { 0.0 };
    let entries: Vec<_> = (0..rows).flat_map(|query| (0..rows).map(move |key| entry(query, key))).collect();
    Tensor::from_vec(entries, (rows, rows), &Device::Cpu)
}
