//! The answer of `posenc identify`.

use serde::Serialize;

/// What made a table.
#[derive(Serialize)]
pub(crate) struct Identified {
    outcome: Identification,
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

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Identification {
    Identified,
    Several,
    Nothing,
}

impl Identification {
    /// Returns the exit status. Several tables fit if none of them is clearly the most common, or digits are not determined.
    pub(crate) fn status(self) -> u8 {
        match self {
            Self::Identified => 0,
            Self::Nothing => 1,
            Self::Several => 3,
        }
    }
}

/// A further line of the text.
#[derive(Serialize)]
struct Fact {
    name: &'static str,
    text: String,
}

impl Identified {
    /// Returns the answer with these lines of text.
    pub(crate) fn new(
        outcome: Identification,
        [rows, columns]: [usize; 2],
        dtype: &'static str,
        call: Option<String>,
        lines: Vec<(&'static str, String)>,
    ) -> Self {
        let mut answer = Self {
            outcome,
            rows,
            columns,
            dtype,
            call,
            commands: Vec::new(),
            alternatives: Vec::new(),
            notes: Vec::new(),
            undetermined: Vec::new(),
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

    /// Sets the parameters of which the entries determine only so many digits.
    pub(crate) fn with_undetermined(self, parameters: Vec<(&'static str, usize)>) -> Self {
        let undetermined = parameters.into_iter().map(|(parameter, digits)| DeterminedDigits { parameter, digits });
        Self { undetermined: undetermined.collect(), ..self }
    }

    pub(crate) fn outcome(&self) -> Identification {
        self.outcome
    }
}
