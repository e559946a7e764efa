//! A model of one attention head.

use candle_core::{D, DType, Result, Tensor, Var};
use candle_nn::ops::softmax;
use candle_nn::rotary_emb::{rope_i_slow, rope_slow};

use super::task::{BACK, Batch, Question, TOKENS, Task};
use crate::blocks::Positions;
use crate::random::Random;

/// The number of columns of the table, of embeddings and of the head.
pub const WIDTH: usize = 64;

pub struct Model {
    question: Question,
    embeddings: Var,
    query: Var,
    key: Var,
    value: Var,
    output: Var,
    /// Learned queries if the question is `At`; otherwise the bias of queries.
    asked: Var,
    /// The bias of keys.
    bias: Var,
}

impl Model {
    pub fn new(task: &Task, random: &mut Random) -> Result<Self> {
        let mut weights = |rows, columns, deviation| {
            Var::from_tensor(&random.matrix(rows, columns, deviation)?.to_dtype(DType::F32)?)
        };
        let asked = if task.question == Question::At { task.length } else { 1 };
        let bias = if task.rotary { 1.0 } else { 0.0 };
        let square = (1.0 / WIDTH as f64).sqrt();
        Ok(Self {
            question: task.question,
            embeddings: weights(TOKENS, WIDTH, 0.5)?,
            query: weights(WIDTH, WIDTH, square)?,
            key: weights(WIDTH, WIDTH, square)?,
            value: weights(WIDTH, WIDTH, square)?,
            output: weights(WIDTH, TOKENS, square)?,
            asked: weights(asked, WIDTH, if asked == 1 { bias } else { 1.0 })?,
            bias: weights(1, WIDTH, bias)?,
        })
    }

    pub fn weights(&self) -> Vec<Var> {
        let Self { embeddings, query, key, value, output, asked, bias, .. } = self;
        [embeddings, query, key, value, output, asked, bias].map(Var::clone).to_vec()
    }

    /// Returns the logits of all answers that there are.
    pub fn logits(&self, batch: &Batch, table: &Positions) -> Result<Tensor> {
        let (texts, length) = batch.tokens.dims2()?;
        let mut x = self.embeddings.embedding(&batch.tokens.flatten_all()?)?.reshape((texts, length, WIDTH))?;
        if let Positions::Added(table) = table {
            x = x.broadcast_add(&rows(table, batch.start, length)?)?;
        }
        let first = match self.question {
            Question::At => 0,
            Question::Back => BACK,
        };
        let query = match self.question {
            Question::At => self.asked.broadcast_left(texts)?,
            Question::Back => times(&x, &self.query)?.broadcast_add(&self.asked)?,
        };
        let query = rotated(&query, table, batch.start)?.narrow(1, first, length - first)?.contiguous()?;
        let key = rotated(&times(&x, &self.key)?.broadcast_add(&self.bias)?, table, batch.start)?;
        let scores = (query.matmul(&key.t()?)? / (WIDTH as f64).sqrt())?;
        times(&softmax(&scores, D::Minus1)?.matmul(&times(&x, &self.value)?)?, &self.output)
    }
}

fn times(x: &Tensor, weights: &Var) -> Result<Tensor> {
    x.broadcast_matmul(weights)
}

/// Returns the rows of a text, in `f32`.
fn rows(table: &Tensor, start: usize, length: usize) -> Result<Tensor> {
    table.narrow(0, start, length)?.to_dtype(DType::F32)
}

fn rotated(x: &Tensor, table: &Positions, start: usize) -> Result<Tensor> {
    let rows = |table| rows(table, start, x.dim(1)?);
    let heads = x.unsqueeze(1)?;
    let rotated = match table {
        Positions::Added(_) => return Ok(x.clone()),
        Positions::Halves([sin, cos]) => rope_slow(&heads, &rows(cos)?, &rows(sin)?),
        Positions::Adjacent([sin, cos]) => rope_i_slow(&heads, &rows(cos)?, &rows(sin)?),
    };
    rotated?.squeeze(1)
}
