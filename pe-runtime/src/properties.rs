//! Tests of properties with random values, declared as with `proptest!`.
//!
//! That macro compiles proptest's runner anew for each test. Here it is compiled once for all tests of a crate.
//!
//! `tests/testkit` includes this file for the tests of the other packages.

#![allow(unreachable_pub, reason = "the macro names them from any crate")]

use std::boxed::Box;
use std::fmt::{self, Debug, Formatter};

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, TestCaseResult, TestRunner};

use crate::effort;

pub use proptest;

/// A test of a property.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The path of the function.
    pub name: &'static str,
    /// The file of the function.
    pub file: &'static str,
    /// The number of cases at an effort of 1.
    pub cases: u32,
}

/// Random values, and the property that they must have.
trait Case: Debug {
    fn check(self: Box<Self>) -> TestCaseResult;
}

struct Drawn<V> {
    names: &'static str,
    values: V,
    property: fn(V) -> TestCaseResult,
}

impl<V: Debug> Debug for Drawn<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({}) = {:?}", self.names.trim_end_matches(", "), self.values)
    }
}

impl<V: Debug> Case for Drawn<V> {
    fn check(self: Box<Self>) -> TestCaseResult {
        (self.property)(self.values)
    }
}

/// Checks a property of values that a strategy makes. The names are theirs.
pub fn check<S: Strategy + 'static>(
    test: Test,
    strategy: S,
    names: &'static str,
    property: fn(S::Value) -> TestCaseResult,
) {
    run(
        test,
        &strategy.prop_map(move |values| -> Box<dyn Case> { Box::new(Drawn { names, values, property }) }).boxed(),
    );
}

fn run(Test { name, file, cases }: Test, strategy: &BoxedStrategy<Box<dyn Case>>) {
    let config = Config { test_name: Some(name), source_file: Some(file), ..Config::with_cases(effort::cases(cases)) };
    let mut runner = TestRunner::new(config);
    if let Err(error) = runner.run(strategy, Case::check) {
        panic!("{error}\n{runner}");
    }
}

/// Declares tests of properties: `#![cases(100)]`, and functions whose parameters are random values, as with `proptest!`.
#[macro_export]
macro_rules! properties {
    (#![cases($cases:expr)] $($(#[$attribute:meta])* fn $name:ident($($parameters:tt)*) $body:block)*) => { $(
        $(#[$attribute])*
        fn $name() {
            $crate::property!([$name, $cases] [] [] [] $body $($parameters)*);
        }
    )* };
}

/// Checks a property whose parameters are the last arguments: `value in strategy` or `value: Type`.
#[doc(hidden)]
#[macro_export]
macro_rules! property {
    ($test:tt [$($value:pat,)*] [$($strategy:expr,)*] [$($name:tt)*] $body:block $next:pat in $from:expr $(, $($rest:tt)*)?) => {
        $crate::property!(
            $test [$($value,)* $next,] [$($strategy,)* $from,] [$($name)* stringify!($next), ", ",] $body $($($rest)*)?
        )
    };
    ($test:tt $values:tt $strategies:tt $names:tt $body:block $next:ident: $type:ty $(, $($rest:tt)*)?) => {
        $crate::property!(
            $test $values $strategies $names $body
            $next in $crate::properties::proptest::arbitrary::any::<$type>() $(, $($rest)*)?
        )
    };
    ([$name:ident, $cases:expr] [$($value:pat,)*] [$($strategy:expr,)*] [$($names:tt)*] $body:block) => {
        $crate::properties::check(
            $crate::properties::Test { name: concat!(module_path!(), "::", stringify!($name)), file: file!(), cases: $cases },
            ($($strategy,)*),
            concat!($($names)*),
            |($($value,)*)| -> $crate::properties::proptest::test_runner::TestCaseResult {
                let () = $body;
                Ok(())
            },
        )
    };
}
