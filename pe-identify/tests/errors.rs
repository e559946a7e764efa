//! What cannot be identified is an error.
//!
//! The unit tests do not call `identify`, because all of it would be compiled for them once more.

#![forbid(unsafe_code)]

use std::io;
use std::ops::Range;

use posenc::Spec;
use posenc_identify::{ElementType, FloatType, Lists, Options, Rows, Slice, distance, identify};

/// With any of these, every table would fit, or none.
#[test]
fn what_is_not_identified_is_an_error() {
    let told = |rows: &dyn Rows, options: Options| identify(rows, &options, &Lists::default()).unwrap_err().to_string();
    let plain = Options::default();
    assert!(told(&Slice::new(&[0.0_f32; 0], 4), plain).contains("has no rows"));
    assert!(told(&Slice::new(&[0.0_f32; 4], 5), plain).contains("has no rows"));
    for wrong in [f64::NAN, -1e-9, f64::NEG_INFINITY] {
        assert!(told(&Slice::new(&[0.0_f32; 4], 2), plain.tolerance(wrong)).contains("must be 0 or more"));
    }
}

/// A table that is read wrongly is not identified as another one.
#[test]
fn rows_of_another_length_are_an_error() {
    struct Short;
    impl Rows for Short {
        fn shape(&self) -> [usize; 2] {
            [8, 8]
        }

        fn element_type(&self) -> ElementType {
            ElementType::Float(FloatType::F32)
        }

        fn read(&self, _: Range<usize>, _: Range<usize>) -> io::Result<Vec<u8>> {
            Ok(vec![0; 7])
        }
    }
    let told = identify(&Short, &Options::default(), &Lists::default()).unwrap_err().to_string();
    assert_eq!(told, "rows 0 to 8 were read as 7 bytes, but have 256");
}

#[test]
fn integers_have_no_distance() {
    let told = distance(&Spec::new(2), &Slice::new(&[0_i8; 4], 2)).unwrap_err().to_string();
    assert_eq!(told, "the table has entries of type i8, but must have floats");
}
