//! The tasks, and random texts with the right answers.

use candle_core::{Device, Result, Tensor};

use crate::random::Random;

/// The different tokens of a text. A guess is right for one in so many.
pub const TOKENS: usize = 16;

/// The distance of the token that is asked for, if it is asked for by distance.
pub const BACK: usize = 3;

const BATCH: usize = 16;

#[derive(Clone, Copy, PartialEq)]
pub enum Question {
    /// Which token is at position 0, 1, and so on? Each is asked by a learned query.
    At,
    /// Which token is `BACK` positions back? Each position asks.
    Back,
}

pub struct Task {
    pub question: Question,
    pub length: usize,
    /// Texts begin at a random position below this number.
    pub starts: usize,
    /// Queries and keys have a bias only with rotary embeddings, which need one to ask for a position alone.
    pub rotary: bool,
    pub steps: usize,
}

pub const RECALL: Task = Task { question: Question::At, length: 128, starts: 1, rotary: false, steps: 400 };
pub const BACK_ADDED: Task = Task { question: Question::Back, length: 64, starts: 960, rotary: false, steps: 500 };
pub const ROTARY: Task = Task { question: Question::Back, length: 64, starts: 1, rotary: true, steps: 150 };

/// Texts with a common first position.
pub struct Batch {
    pub start: usize,
    pub tokens: Tensor,
    /// The right answers, to the questions that have one.
    pub targets: Tensor,
}

impl Batch {
    pub fn draw(task: &Task, random: &mut Random) -> Result<Self> {
        let start = random.below(task.starts);
        let tokens: Vec<_> = (0..BATCH * task.length).map(|_| random.below(TOKENS) as u32).collect();
        let tokens = Tensor::from_vec(tokens, (BATCH, task.length), &Device::Cpu)?;
        let targets = match task.question {
            Question::At => tokens.clone(),
            Question::Back => tokens.narrow(1, 0, task.length - BACK)?,
        };
        Ok(Self { start, tokens, targets: targets.contiguous()? })
    }
}
