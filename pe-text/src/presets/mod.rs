//! The descriptions of all presets.

mod formula;

use std::fmt::Write;

use posenc::reflection::{Facts, KnownTables, Named, Names, Value, axial_axis_names, axis_names, preset_facts};
use posenc::{AxialPreset, AxialRope, Extent, Grid, GridPreset, Preset, Rope, RopePreset, Spec};
use serde::Serialize;

use formula::formula;

/// The presets of a kind of table, by the command that writes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// 1-D tables.
    Table,
    /// Rotary caches.
    Rope,
    /// Grids.
    Grid,
    /// Rotary tables of several axes.
    #[serde(rename = "rope")]
    Axial,
}

/// What is said of a preset.
#[derive(Serialize)]
pub struct Described {
    #[serde(rename = "command")]
    /// The kind of table.
    pub kind: Kind,
    /// The name.
    pub name: &'static str,
    /// The formula and the columns, in short.
    pub table: String,
    /// The models and libraries, and a note.
    pub models: String,
    /// The keys that differ from the defaults, or the macro call of an example.
    pub parameters: String,
    /// Other presets with the same table.
    pub same: Vec<&'static str>,
    /// Names elsewhere.
    pub see_also: Vec<&'static str>,
    /// What the parameters were read from.
    pub source: Option<&'static str>,
    /// A command that writes a table of the preset.
    #[serde(rename = "example")]
    pub command: String,
}

/// What each kind of table computes for its presets: what it is, its parameters, and the options of an example.
struct Own {
    table: String,
    parameters: String,
    options: String,
}

impl Kind {
    /// All kinds, in the order of lists.
    pub const ALL: [Self; 4] = [Self::Table, Self::Rope, Self::Axial, Self::Grid];

    /// Returns the names of the presets.
    #[must_use]
    pub fn names(self) -> &'static Names {
        match self {
            Self::Table => Preset::NAMES,
            Self::Rope => RopePreset::NAMES,
            Self::Grid => GridPreset::NAMES,
            Self::Axial => AxialPreset::NAMES,
        }
    }

    fn facts(self) -> &'static [Facts] {
        match self {
            Self::Table => Preset::FACTS,
            Self::Rope => RopePreset::FACTS,
            Self::Grid => GridPreset::FACTS,
            Self::Axial => AxialPreset::FACTS,
        }
    }

    /// Returns the models and libraries that use preset `i`, and a note.
    #[must_use]
    pub fn models(self, i: usize) -> String {
        let Facts { models, note, .. } = self.facts()[i];
        [models, note].join(if note.is_empty() { "" } else { "; " })
    }

    /// Returns the heading of a list of the presets.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Table => {
                "Tables: posenc table\n\n\
                 d is --d-model, h is half of it, k is the index of a pair of columns and j the index of a column, both from 0."
            }
            Self::Rope => "Rotary caches: posenc rope",
            Self::Grid => "Grids: posenc grid",
            Self::Axial => "Rotary tables of several axes: posenc rope --shape",
        }
    }

    /// Returns the command that writes such a table.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::Table => "posenc table",
            Self::Rope | Self::Axial => "posenc rope",
            Self::Grid => "posenc grid",
        }
    }

    /// Describes all presets.
    pub fn presets(self) -> impl Iterator<Item = Described> {
        (0..self.names().all.len()).map(move |i| self.described(i, None))
    }

    /// Describes preset `i`. A name from elsewhere may stand for further keys, which the command then has.
    #[must_use]
    pub fn described(self, i: usize, elsewhere: Option<&str>) -> Described {
        match self {
            Self::Table => self.describe(i, elsewhere, of_table, |one, other| of(one).is_same_table(&of(other))),
            Self::Rope => self.describe(i, elsewhere, of_rope, |one, other| Rope::preset(one) == Rope::preset(other)),
            Self::Grid => self.describe(i, elsewhere, of_grid, |_, _| false),
            Self::Axial => self.describe(i, elsewhere, of_axial, has_same_table),
        }
    }

    fn describe<P: KnownTables + PartialEq>(
        self,
        i: usize,
        elsewhere: Option<&str>,
        own: fn(P) -> Own,
        is_same: fn(P, P) -> bool,
    ) -> Described {
        let (preset, name, facts) = (P::CHOICES[i], self.names().all[i], self.facts()[i]);
        let Own { table, parameters, options } = own(preset);
        let also = P::OTHER_NAMES.iter().filter(|other| other.presets.contains(&preset)).map(|other| other.name);
        let mut see_also: Vec<_> = facts.called.iter().copied().chain(also).collect();
        see_also.sort_unstable();
        let others = P::CHOICES.iter().zip(P::NAMES.all).filter(|(other, _)| **other != preset);
        let further =
            P::OTHER_NAMES.iter().find(|other| Some(other.name) == elsewhere).map_or(&[][..], |other| other.given);
        let given = if further.is_empty() { facts.given } else { further };
        let options = given
            .iter()
            .fold(options, |options, (key, value)| format!("{options} --{} {value}", key.replace('_', "-")));
        Described {
            kind: self,
            name,
            table,
            models: self.models(i),
            parameters,
            same: others.filter(|(other, _)| is_same(**other, preset)).map(|(_, name)| *name).collect(),
            see_also,
            source: Some(facts.source).filter(|source| !source.is_empty()),
            command: format!("{} --preset {name} {options} -o {}", self.command(), self.file()),
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Table => "pe.npy",
            Self::Rope | Self::Axial => "rope.npy",
            Self::Grid => "grid.npy",
        }
    }

    /// Returns the preset that a name from elsewhere means, or the likeliest of several.
    #[must_use]
    pub fn meant(self, elsewhere: &str) -> Option<usize> {
        match self {
            Self::Table => meant::<Preset>(elsewhere),
            Self::Rope => meant::<RopePreset>(elsewhere),
            Self::Grid => meant::<GridPreset>(elsewhere),
            Self::Axial => meant::<AxialPreset>(elsewhere),
        }
    }
}

fn meant<P: KnownTables + PartialEq>(elsewhere: &str) -> Option<usize> {
    P::FACTS.iter().position(|facts| facts.called.contains(&elsewhere)).or_else(|| {
        let other = P::OTHER_NAMES.iter().find(|other| other.name == elsewhere)?;
        P::CHOICES.iter().position(|choice| other.presets.first() == Some(choice))
    })
}

/// Returns the spec of a preset, for an even width.
fn of(preset: Preset) -> Spec<'static> {
    Spec::preset(preset, 8)
}

fn of_table(preset: Preset) -> Own {
    // A question mark stands for a value that the user sets.
    let text = |(key, value)| match value {
        Value::Open => format!("{key} = ?"),
        value => format!("{key} = {value}"),
    };
    let keys: Vec<_> = of(preset).keys().map(text).collect();
    Own {
        table: formula(&of(preset)),
        parameters: if keys.is_empty() { "none (the default)".to_owned() } else { keys.join(", ") },
        options: format!("--seq-len {} --d-model 512", preset_facts(preset).rows),
    }
}

fn of_rope(preset: RopePreset) -> Own {
    let rope = Rope::preset(preset);
    Own {
        table: format!("{} columns, {} positions", rope.head_dim(), preset.max_position_embeddings()),
        parameters: rope.to_string(),
        options: "--seq-len 4096".to_owned(),
    }
}

fn of_grid(preset: GridPreset) -> Own {
    let (images, videos) = (of_shape(preset, [14, 14], 768), of_shape(preset, [13, 30, 45], 1920));
    let axes: Vec<_> = [&images, &videos].into_iter().flatten().map(|example| example.table.as_str()).collect();
    let table = format!("axes {}", axes.join(" or "));
    Own { table, ..images.or(videos).expect("a preset has two or three axes") }
}

/// Returns an example of a grid, or `None` if the preset has another number of axes.
fn of_shape<const A: usize>(preset: GridPreset, shape: [usize; A], d_model: usize) -> Option<Own> {
    let grid = Grid::preset(preset, shape, d_model);
    let grid = if grid.parameters().extent == Extent::Missing { grid.extent(64, 2) } else { grid };
    grid.check::<f32>().ok()?;
    let shape = shape.map(|points| points.to_string()).join("x");
    Some(Own {
        table: axis_names(Some(preset), A).join(", "),
        parameters: grid.to_string(),
        options: format!("--shape {shape} --d-model {d_model}"),
    })
}

fn of_axial(preset: AxialPreset) -> Own {
    let examples = [example(preset, [24, 36]), example(preset, [13, 30, 52]), example(preset, [1, 32, 48, 1])];
    examples.into_iter().flatten().next().expect("a preset has from two to four axes")
}

/// Returns an example of a rotary table, or `None` if the preset has another number of axes.
fn example<const A: usize>(preset: AxialPreset, shape: [usize; A]) -> Option<Own> {
    let rope = AxialRope::preset(preset, shape, preset.head_dim());
    let rope = if rope.parameters().extent == Extent::Missing { rope.extent(16, 1) } else { rope };
    rope.check::<f32>().ok()?;
    let shape = shape.map(|points| points.to_string()).join("x");
    Some(Own {
        table: format!("axes {}", axial_axis_names(Some(preset), A).join(", ")),
        parameters: rope.to_string(),
        options: format!("--shape {shape} --head-dim {}", preset.head_dim()),
    })
}

/// Returns whether two presets have the same table for heads of the same width.
fn has_same_table(one: AxialPreset, other: AxialPreset) -> bool {
    fn same<const A: usize>(one: AxialPreset, other: AxialPreset, shape: [usize; A]) -> bool {
        let [one, other] = [one, other].map(|preset| AxialRope::preset(preset, shape, 96));
        one.check::<f32>().is_ok() && one.is_same_table(&other)
    }
    same(one, other, [24, 36]) || same(one, other, [13, 30, 52]) || same(one, other, [1, 32, 48, 1])
}

impl Described {
    /// Returns all that is said of it, a line for each thing.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.name);
        for (name, value) in [
            ("table", self.table.as_str()),
            ("models", &self.models),
            (if self.kind == Kind::Table { "keys" } else { "call" }, &self.parameters),
            ("same", &self.same.join(", ")),
            ("see also", &self.see_also.join(", ")),
            ("source", self.source.unwrap_or_default()),
            ("command", &self.command),
        ] {
            if !value.is_empty() {
                writeln!(text, "  {name:<10}{value}").expect("writing to a String succeeds");
            }
        }
        text
    }
}
