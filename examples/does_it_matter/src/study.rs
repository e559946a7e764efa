//! All measurements, as Markdown and as data for pictures.

use std::fmt::Write;

use crate::decoder::Text;
use crate::fallible::Fallible;
use crate::report::percent;
use crate::{decoder, drift, encoder, images, timesteps, toy, trial};

pub struct Study {
    pub encoder: encoder::Results,
    /// Llama 2 at its first positions, and Llama 3.1 at its last.
    pub decoder: [Text; 2],
    pub images: Vec<trial::Row>,
    pub drift: Vec<drift::Point>,
    pub timesteps: Vec<timesteps::Row>,
    pub toy: Vec<toy::Row>,
}

impl Study {
    pub fn run() -> Fallible<Self> {
        Ok(Self {
            encoder: encoder::run()?,
            decoder: decoder::run()?,
            images: images::run()?,
            drift: drift::run()?,
            timesteps: timesteps::run()?,
            toy: toy::run()?,
        })
    }

    pub fn print(&self) {
        println!("{}", trial::table("Encoder, 750 positions, added table of Whisper:", &self.encoder.rows));
        println!("Logits in f32 with other bits, with the f32 recipe: {:.1} %\n", 100.0 * self.encoder.other_bits);
        for (attention, network) in ["even", "sharp"].iter().zip(&self.encoder.in_8_bits) {
            let [rounding, table] = [network.by_rounding, network.by_table].map(percent);
            println!(
                "In 8 bits, {attention}: rounding changes {rounding} of the predictions, the f32 recipe {table}\n"
            );
        }
        for text in &self.decoder {
            println!("{}", trial::table(&text.title, &text.rows));
        }
        println!("{}", trial::table("Encoder, 14 x 14 patches of an image:", &self.images));
        println!("{}\n{}\n{}", drift::table(&self.drift), timesteps::table(&self.timesteps), toy::table(&self.toy));
    }

    /// Returns the points of the two pictures, with tabs: the picture, the table, its position, and the change.
    pub fn data(&self) -> Fallible<String> {
        let mut data = String::new();
        for point in &self.drift {
            writeln!(data, "score\t{}\t{}\t{}", point.recipe, point.position, point.wrong)?;
        }
        let [_, far] = &self.decoder;
        for (model, rows) in [("encoder", &self.encoder.rows), ("decoder", &far.rows)] {
            for row in rows {
                writeln!(data, "logits in the {model}\t{}\t0\t{}", row.name, row.changes[1].rms)?;
            }
        }
        Ok(data)
    }
}
