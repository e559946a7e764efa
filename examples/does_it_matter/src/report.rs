//! Tables in Markdown.

use std::fmt::{Display, Formatter, Result};

pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(title: &str, names: &[&str]) -> Self {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.to_owned(), rows: vec![names] }
    }

    pub fn push(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.rows[0].len());
        self.rows.push(cells);
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "{}\n", self.title)?;
        for (i, row) in self.rows.iter().enumerate() {
            writeln!(f, "| {} |", row.join(" | "))?;
            if i == 0 {
                writeln!(f, "|{}", "---|".repeat(row.len()))?;
            }
        }
        Ok(())
    }
}

/// Two digits: `0`, `0.12`, `3.4e-5`.
pub fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        0.01..100.0 => format!("{value:.2}"),
        _ => format!("{value:.1e}"),
    }
}

/// A share, without a decimal from 10 % on.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0".to_owned(),
        10.0.. => format!("{percent:.0} %"),
        0.095.. => format!("{percent:.1} %"),
        _ => format!("{percent:.2} %"),
    }
}
