//! The answer of `posenc identify`.

use posenc_identify::Outcome;
use posenc_text::identified::Told;
use serde::{Serialize, Serializer};

/// What made a table.
#[derive(Serialize)]
pub(crate) struct Identified {
    #[serde(serialize_with = "name")]
    pub(crate) outcome: Outcome,
    rows: usize,
    columns: usize,
    dtype: &'static str,
    call: Option<String>,
    commands: Vec<String>,
    alternatives: Vec<String>,
    notes: Vec<String>,
    undetermined: Vec<DeterminedDigits>,
    facts: Vec<Fact>,
}

/// A parameter of which the entries determine only some digits.
#[derive(Serialize)]
struct DeterminedDigits {
    parameter: &'static str,
    digits: usize,
}

/// A further line of the text.
#[derive(Serialize)]
struct Fact {
    name: &'static str,
    text: String,
}

/// Returns the exit status. Several tables fit if none of them is clearly the most common, or digits are not determined.
pub(crate) fn status(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Identified => 0,
        Outcome::Nothing => 1,
        Outcome::Several => 3,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn name<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match outcome {
        Outcome::Identified => "identified",
        Outcome::Several => "several",
        Outcome::Nothing => "nothing",
    })
}

impl From<Told> for Identified {
    fn from(Told { outcome, undetermined, shape: [rows, columns], dtype, title, lines, .. }: Told) -> Self {
        let digits = |(parameter, digits)| DeterminedDigits { parameter, digits };
        let mut answer = Self {
            outcome,
            rows,
            columns,
            dtype,
            call: Some(title).filter(|_| outcome != Outcome::Nothing),
            commands: Vec::new(),
            alternatives: Vec::new(),
            notes: Vec::new(),
            undetermined: undetermined.into_iter().map(digits).collect(),
            facts: Vec::new(),
        };
        for (name, text) in lines {
            match name {
                "command" => answer.commands.push(text),
                "or" => answer.alternatives.push(text),
                "note" => answer.notes.push(text),
                _ => answer.facts.push(Fact { name, text }),
            }
        }
        answer
    }
}
