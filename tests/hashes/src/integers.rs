//! Tables of integers.

use posenc::{Layout, Odd, Q7, Q15, Q31, Quantiser, Spec, const_table, sinusoidal_table};

use crate::bits::Bits;
use crate::digest::{add, flat};

pub(crate) fn all(lines: &mut String) {
    let spec = Spec::new(64);
    tables::<Q7>(lines, spec, "fixed point");
    tables::<Q15>(lines, spec, "fixed point");
    tables::<Q31>(lines, spec, "fixed point");
    let quotient = Quantiser::quotient(1, 100);
    tables::<i8>(lines, spec.quantiser(quotient.zero_point(-3)), "1/100, -3");
    tables::<i16>(lines, spec.quantiser(Quantiser::quotient(1, 32_767)), "1/32767");
    tables::<u8>(lines, spec.quantiser(Quantiser::new(0.007_843_138).zero_point(127)), "0.007843138, 127");
    evaluated(lines);
}

fn tables<T: Bits>(lines: &mut String, spec: Spec, of: &str) {
    for rows in [1, 3, 70, 1000] {
        add(lines, "table", of, &spec.table::<T>(rows).expect("a table"));
    }
    let other = spec.start(-20).layout(Layout::Halves).odd(Odd::Zero).zero_row(2).base(500_000.0);
    add(lines, "table", &format!("{of}, other parameters"), &other.table::<T>(50).expect("a table"));
    let positions: Vec<f64> = (0..40).map(|i| f64::from(i) * 0.37 - 3.0).collect();
    let mut rows = vec![T::default(); positions.len() * 64];
    spec.fill_positions(&positions, &mut rows).expect("rows");
    add(lines, "fill_positions", of, &flat(&rows, 320));
}

fn evaluated(lines: &mut String) {
    const I8: [[i8; 10]; 40] = const_table(Spec::new(10).quantiser(Quantiser::quotient(1, 127)));
    const Q31S: [[Q31; 10]; 40] = const_table(Spec::new(10));
    add(lines, "const_table", "1/127", &I8);
    add(lines, "const_table", "fixed point", &Q31S);
    let baked: [[i8; 10]; 40] = sinusoidal_table!(40, 10, dtype = i8(1 / 127));
    add(lines, "sinusoidal_table!", "1/127", &baked);
    add(lines, "sinusoidal_table!", "fixed point", &sinusoidal_table!(40, 10, dtype = q15));
}
