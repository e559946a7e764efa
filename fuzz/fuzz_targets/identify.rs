//! Arbitrary numbers as a table in question, and tables of the formula with a few wrong bytes.
#![no_main]

use std::io;
use std::ops::Range;

use libfuzzer_sys::fuzz_target;
use posenc::Spec;
use posenc_identify::{Dtype, ElementType, FloatType, Found, Lists, Options, Outcome, Rows, identify, may_be_table};

/// The most entries, so that an input takes little time.
const MOST: usize = 512;

const TYPES: [ElementType; 8] = [
    ElementType::Float(FloatType::F32),
    ElementType::Float(FloatType::F64),
    ElementType::Float(FloatType::F16),
    ElementType::Float(FloatType::Bf16),
    ElementType::I8,
    ElementType::U8,
    ElementType::I16,
    ElementType::I32,
];

struct Raw {
    bytes: Vec<u8>,
    shape: [usize; 2],
    element: ElementType,
}

impl Rows for Raw {
    fn shape(&self) -> [usize; 2] {
        self.shape
    }

    fn element_type(&self) -> ElementType {
        self.element
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
        let (size, d_model) = (self.element.size(), self.shape[1]);
        assert!(rows.end <= self.shape[0] && columns.end <= d_model);
        let part = |row: usize| &self.bytes[(row * d_model + columns.start) * size..][..columns.len() * size];
        Ok(rows.flat_map(|row| part(row).to_vec()).collect())
    }
}

fuzz_target!(|input: &[u8]| {
    let [kind, width, tolerance, shape, bytes @ ..] = input else { return };
    let (element, d_model) = (TYPES[usize::from(kind % 8)], usize::from(width % 40) + 1);
    let seq_len = (bytes.len() / element.size()).min(MOST) / d_model;
    let mut bytes = bytes[..seq_len * d_model * element.size()].to_vec();
    // Half of the inputs are tables of `f32`, of which the bytes are the differences.
    if kind / 8 % 2 == 0 && element == ElementType::Float(FloatType::F32) {
        let Ok(table) = Spec::new(d_model).odd(posenc::Odd::LastSin).table::<f32>(seq_len) else { return };
        let exact = table.as_slice().iter().flat_map(|entry| entry.to_le_bytes());
        bytes.iter_mut().zip(exact).for_each(|(byte, exact)| *byte ^= exact);
    }
    let table = Raw { bytes, shape: [seq_len, d_model], element };
    let sides = [usize::from(shape % 8), usize::from(shape / 8)];
    let mut options = Options::default().tolerance(f64::from(tolerance % 4) / 1000.0);
    if shape % 3 == 0 {
        options = options.shape(&sides);
    }
    may_be_table(&table, 0.0).expect("all rows can be read");
    let lists = Lists::default();
    let Ok(answer) = identify(&table, &options, &lists) else {
        assert!(seq_len == 0);
        return;
    };
    assert_eq!(answer.candidates.is_empty(), answer.outcome == Outcome::Nothing);
    assert_eq!(answer.candidates.is_empty(), answer.miss.is_some());
    let Some(best) = answer.candidates.first() else { return };
    assert!(best.distance.entries == seq_len * d_model && best.distance.inexact <= best.distance.entries);
    // What is said to be identical is.
    if let (Found::Sinusoidal { spec, .. }, Dtype::Float(FloatType::F32), true) =
        (&best.found, best.dtype, best.distance.is_identical)
    {
        let exact = spec.table::<f32>(seq_len).expect("the spec is valid");
        assert!(exact.as_slice().iter().flat_map(|entry| entry.to_le_bytes()).eq(table.bytes.iter().copied()));
    }
});
