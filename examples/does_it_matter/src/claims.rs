//! What `docs/does_it_matter.md` says, as conditions that the measurements fulfil.
//!
//! The bounds are wider than what one machine measures, because sines and sums differ a little from processor to
//! processor.

use crate::change::Change;
use crate::fallible::Fallible;
use crate::study::Study;
use crate::trial::{NOISE, Row, find};
use crate::{drift, timesteps, toy};

/// The page, whose summary consists of the claims.
const PAGE: &str = include_str!("../../../docs/does_it_matter.md");

struct Claim {
    /// A part of the page.
    sentence: &'static str,
    holds: bool,
}

/// Prints the claims, and returns an error if one of them is false or is not on the page.
pub fn check(study: &Study) -> Fallible {
    let page = PAGE.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut claims = harmless(study)?;
    claims.extend(decisive(study)?);
    claims.extend(bits_and_positions(study)?);
    let mut failed = Vec::new();
    for claim in claims {
        println!("{}: {}", if claim.holds { "true" } else { "FALSE" }, claim.sentence);
        if !claim.holds {
            failed.push(format!("false: {}", claim.sentence));
        }
        if !page.contains(claim.sentence) {
            failed.push(format!("not on the page: {}", claim.sentence));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// The models with the positions for which they are run.
fn models(study: &Study) -> [&[Row]; 3] {
    let [near, far] = &study.decoder;
    [&study.encoder.rows, &near.rows, &far.rows]
}

/// Whether a condition holds for the changes by a table and by the rounding of a network in bf16, for both sharpnesses.
fn for_all(models: &[&[Row]], table: &str, holds: impl Fn(Change, Change) -> bool) -> Fallible<bool> {
    for rows in models {
        let (own, bf16) = (find(rows, table)?, find(rows, "right table, network in bf16")?);
        if !own.changes.iter().zip(bf16.changes).all(|(own, bf16)| holds(*own, bf16)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn harmless(study: &Study) -> Fallible<Vec<Claim>> {
    let all = models(study);
    let (short, long) = all.split_at(2);
    let stored = for_all(&all, "stored as bf16", |own, bf16| own.rms < bf16.rms / 2.0)?
        && for_all(&all, "stored as i8", |own, bf16| own.rms < bf16.rms)?
        && for_all(&all, "stored as i16", |own, bf16| own.rms < bf16.rms / 100.0)?;
    let small = |own: Change, bf16: Change| own.flips < 0.01 && own.rms < bf16.rms / 10.0;
    Ok(vec![
        Claim {
            sentence: "An error of 1e-4 in every entry changes at most one predicted token in a hundred",
            holds: for_all(&all, NOISE, small)?,
        },
        Claim {
            sentence: "The f32 recipe of most tutorials changes next to none in a short text",
            holds: for_all(short, "f32 recipe", |own, bf16| own.flips < 0.003 && own.rms < bf16.rms / 100.0)?,
        },
        Claim {
            sentence: "Even at the end of a context of 131,072 positions, where that recipe is off by almost 1e-2, it \
                       changes the logits less than the rounding of a network in bf16",
            holds: for_all(long, "f32 recipe", |own, bf16| own.rms < bf16.rms / 2.0 && own.flips < 0.03)?
                && find(all[2], "f32 recipe")?.error.is_some_and(|error| (0.005..0.015).contains(&error)),
        },
        Claim { sentence: "So do exact tables stored as bf16 or as integers of 16 or 8 bits", holds: stored },
    ])
}

fn decisive(study: &Study) -> Fallible<Vec<Claim>> {
    let all = models(study);
    let preset = [(0, "exponents k/h, not k/(h-1)"), (0, "columns interleaved, not in halves")];
    let preset = preset.into_iter().chain([(1, "base 500,000, not 10,000"), (1, "adjacent columns, not halves")]);
    let mut wrong = true;
    for (model, table) in preset {
        let [even, sharp] = find(all[model], table)?.changes;
        wrong &= even.flips > 0.2 && sharp.flips > 0.6;
    }
    let [even, sharp] = find(all[2], "the rule forgotten")?.changes;
    let rule = even.flips < 0.05 && (0.1..0.5).contains(&sharp.flips);
    let swapped = study.images.iter().all(|row| row.changes[0].flips > 0.15 && row.changes[1].flips > 0.6);
    let bf16 = timesteps::find(&study.timesteps, "0, 1, ... 999 in bf16")?;
    let angles = toy::find(&study.toy, "bf16 angles")?.accuracies;
    Ok(vec![
        Claim {
            sentence: "Angles in bf16 change predictions of both the encoder and the decoder",
            holds: for_all(&all, "bf16 angles", |own, bf16| own.rms > 3.0 * bf16.rms && own.flips > 0.02)?,
        },
        Claim {
            sentence: "At the end of a long context, the decoder is about as wrong as without a rotation",
            holds: angles[2] > 0.95 && angles[3] < 0.2 && {
                let [lost, none] = [find(all[2], "bf16 angles")?, find(all[2], "no rotation")?];
                lost.changes.iter().zip(none.changes).all(|(lost, none)| lost.rms > 0.8 * none.rms)
            },
        },
        Claim { sentence: "A wrong preset changes between a fifth and nearly all of the predictions", holds: wrong },
        Claim { sentence: "A forgotten scaling rule changes fewer in a text of 512 tokens", holds: rule },
        Claim { sentence: "So do swapped axes of a square image", holds: swapped },
        Claim {
            sentence: "If timesteps are rounded to bf16, 1000 of them have only about 500 different embeddings",
            holds: (450..=550).contains(&bf16.different) && bf16.error > 1.0,
        },
    ])
}

fn bits_and_positions(study: &Study) -> Fallible<Vec<Claim>> {
    let frequencies = drift::find(&study.drift, "bf16 frequencies", drift::LAST)?;
    let late = toy::find(&study.toy, "one row too late")?.accuracies;
    Ok(vec![
        Claim {
            sentence: "The f32 recipe changes the bits of nearly all logits",
            holds: study.encoder.other_bits > 0.9,
        },
        Claim {
            sentence: "In a network with weights and activations in 8 bits, the f32 recipe changes about as many \
                       predictions as the rounding to 8 bits itself",
            holds: study.encoder.in_8_bits.iter().all(|network| {
                network.by_table > 0.02 && (0.25..1.5).contains(&(network.by_table / network.by_rounding))
            }),
        },
        Claim {
            sentence: "The largest error of a table does not predict its effect",
            holds: frequencies.error > 1.0 && frequencies.moved < 1e-6 && frequencies.wrong < 0.1,
        },
        Claim {
            sentence: "If a table is one row too late, a model that looks up positions predicts hardly better than by \
                       guessing, and a model that counts distances is not affected",
            holds: late[0] < 0.2 && late[1..].iter().all(|accuracy| *accuracy > 0.95),
        },
    ])
}
