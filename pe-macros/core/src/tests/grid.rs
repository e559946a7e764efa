//! Tests of `grid_table!`.

use posenc_runtime::reflection::TableKind;
use posenc_runtime::{Grid, GridPreset, Nest, Order, Rest};
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;
use testkit::properties;

use super::tokens;
use super::values::value;
use crate::arguments;
use crate::expand::expand;
use crate::grid::table;
use crate::names::keys;
use crate::read::Lists;
use crate::request::Source;

/// Returns the entries of a call without names, or its first error.
fn baked(call: &str) -> Result<Vec<u8>, String> {
    let input = call.strip_prefix("grid_table!(").and_then(|call| call.strip_suffix(')')).expect("a macro call");
    let first = |diagnostics: Vec<crate::diagnostic::Diagnostic>| diagnostics[0].sentence.clone();
    let arguments = arguments::arguments(tokens(input), TableKind::Grid).map_err(first)?;
    let mut lists = Lists::default();
    let request = table(&arguments, &quote!(facade), &mut lists).map_err(|refusal| first(refusal.diagnostics))?;
    let Source::Macro(_, table) = &request[0].source else { panic!("there are no names in it") };
    Ok(table.entries(false).expect("a checked grid"))
}

/// Compares the table of the call that a grid shows itself as with the table of the grid.
fn check<const A: usize>(grid: &Grid<A>) -> Result<(), TestCaseError> {
    let mut rows = vec![0f32; grid.rows() * grid.d_model()];
    let expected =
        grid.const_fill(0.., &mut rows).map(|()| rows.iter().flat_map(|entry| entry.to_le_bytes()).collect());
    prop_assert_eq!(baked(&grid.to_string()), expected.map_err(|error| error.to_string()));
    Ok(())
}

#[test]
fn every_preset_shows_itself_as_the_call_that_makes_its_table() {
    for &preset in GridPreset::ALL {
        let two = Grid::preset(preset, [3, 2], 16);
        let three = Grid::preset(preset, [2, 3, 4], 48);
        // Without an extent this one has no call.
        if preset != GridPreset::PixArt {
            check(&two).unwrap();
            check(&three).unwrap();
            check(&Grid::preset(preset, [5], 16)).unwrap();
            assert!(two.check::<f32>().is_ok() || three.check::<f32>().is_ok());
        }
    }
    check(&Grid::new([5], 8).start([2]).widths([6]).rest(Rest::Zero)).unwrap();
    check(&Grid::preset(GridPreset::PixArt, [3, 5], 8).extent(64, 2)).unwrap();
}

properties! {
    #![cases(256)]

    #[test]
    fn a_grid_shows_itself_as_the_call_that_makes_its_table(
        shape in [1usize..4, 1..4, 1..4],
        d_model in 1usize..20,
        first in Just([0, 1, 2]).prop_shuffle(),
        nest in select(Nest::ALL),
        rest in select(Rest::ALL),
        order in select(Order::ALL),
        widths in prop::option::of([1usize..5, 1..3, 1..3]),
        starts in [-5i64..5, 0..1, -5..5],
        units in prop::option::of([(1i64..9, 1i64..9), (1..2, 1..2), (1..9, 1..9)]),
        bases in prop::option::of([2.0..1e6, 2.0..3.0, 0.1..9.0]),
        zero_rows in 0usize..3,
        amplitude in select(vec![1.0, -0.5, 0.0]),
    ) {
        let mut grid = Grid::new(shape, d_model).first(first).nest(nest).rest(rest).order(order).start(starts);
        grid = grid.zero_rows(zero_rows).amplitude(amplitude);
        grid = widths.map_or(grid, |widths| grid.widths(widths.map(|width| 2 * width)));
        grid = units.map_or(grid, |units| grid.unit(units));
        check(&bases.map_or(grid, |bases| grid.base(bases)))?;
    }

    #[test]
    fn no_value_makes_the_macro_panic(key in select(keys(TableKind::Grid)), shape in "(\\([0-9N, ]{0,6}\\))|4", value in value()) {
        if let Ok(input) = format!("little (facade) {shape}, 8, {key} = {value}").parse() {
            let _ = expand(TableKind::Grid, input, None);
        }
    }
}

/// `$shape` in a `macro_rules!` that is called with `(2, 3)` as `$shape:expr`.
#[test]
fn a_shape_may_come_from_another_macro() {
    let shape = proc_macro2::Group::new(proc_macro2::Delimiter::None, quote!((2, 3)));
    let expansion = |shape| expand(TableKind::Grid, quote!(little (facade) #shape, 8), None).to_string();
    assert_eq!(expansion(quote!(#shape)), expansion(quote!((2, 3))));
}
