//! The parameters: sizes, and the settings of `Spec` and of the macro.

use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
use posenc::{
    Amplitude, Columns, F16Bits, FrequencyDtype, Layout, MAX_D_MODEL, MAX_POSITION, Odd, Order, Pairing, Preset, Q7,
    Q15, Q31, Quantiser, Repeat, Scaling, Spec, SpecError, const_table, sinusoidal_table,
};

use crate::call::{Answer, in_one_line, or_panic};
use crate::document::{Document, code};
use crate::the_macro::{call, expanded};

pub(crate) fn write(document: &mut Document) {
    document.part(
        "Parameters",
        "The builder's methods accept any value. Errors are reported when a table is made. If a row shows both a spec and a call of the macro, \
         the answer is the result of `table::<f32>(2)`. The test checks that the macro call, `const_table`, `check_table`, `fill` and \
         `prepare` give the same message or the same bits, and for a parameter that is invalid by itself, every other method that uses \
         it. NaN and infinities have no literals, except for numbers that overflow. As named constants they go through `const_table`.",
    );
    sizes(document);
    rates(document);
    frequencies(document);
    rules(document);
    scaling(document);
    choices(document);
    positions(document);
    factors(document);
    quantisers(document);
    checks(document);
    comparisons(document);
}

/// Writes rows of a spec and the equivalent macro arguments, which are `None` if Rust has no literal for the value.
macro_rules! entry_points {
    ($document:ident, [$(($spec:expr, $arguments:expr)),* $(,)?]) => {
        $document.entry_points(vec![$((stringify!($spec), $arguments, at_all_entry_points(&$spec, $arguments))),*])
    };
}

impl Document {
    fn entry_points(&mut self, rows: Vec<(&str, Option<&str>, String)>) {
        let written = |arguments: Option<&str>| arguments.map(call).unwrap_or_default();
        self.remember(rows.iter().flat_map(|(spec, arguments, _)| [in_one_line(spec), written(*arguments)]));
        let line = |(spec, arguments, answer): (&str, Option<&str>, String)| {
            [code(&in_one_line(spec)), code(&written(arguments)), answer]
        };
        self.table(["spec", "macro", "answer"], rows.into_iter().map(line));
    }
}

/// Returns the answer for a table of two rows.
///
/// # Panics
///
/// If the entry points do not agree on it.
fn at_all_entry_points(spec: &Spec, arguments: Option<&str>) -> String {
    let table = spec.table::<f32>(2);
    let answer = table.told();
    let expected = table.as_ref().map(|table| bytes(table.as_slice())).map_err(ToString::to_string);
    let refusal = expected.as_ref().err().cloned();
    let checked = spec.check_table::<f32>(2, usize::MAX);
    assert_eq!(checked.err().map(|error| error.to_string()), refusal);
    if table.is_err() || spec.d_model() == 4 {
        let evaluated = or_panic(|| const_table::<f32, 2, 4>(*spec).told());
        assert_eq!(evaluated.trim_start_matches("panics: "), answer);
    }
    // These two accept a zero row beyond the rows that they compute.
    if !matches!(table, Err(SpecError::ZeroRow { .. })) {
        let mut rows = vec![0.0; 2 * spec.d_model().min(8)];
        let filled = spec.fill(0.., &mut rows).map(|()| bytes(&rows));
        assert_eq!(filled.map_err(|error| error.to_string()), expected);
        assert_eq!(spec.prepare::<f32>(2).err().map(|error| error.to_string()), refusal);
    }
    if let Err(error) = spec.check_parameters::<f32>() {
        assert_eq!(error.to_string(), answer);
        by_itself(spec, &answer);
    }
    if let Some(arguments) = arguments {
        assert_eq!(expanded(arguments), expected.map_err(|sentence| vec![sentence]), "{arguments}");
    }
    answer
}

fn bytes(entries: &[f32]) -> Vec<u8> {
    entries.iter().flat_map(|entry| entry.to_le_bytes()).collect()
}

/// Checks that every method that needs an invalid parameter rejects it with the same message.
fn by_itself(spec: &Spec, expected: &str) {
    let mut row = vec![0.0f32; spec.d_model().min(8)];
    assert_eq!(spec.encode(0, &mut row).told(), expected);
    assert_eq!(spec.fill_positions(&[0.0], &mut row).told(), expected);
    assert_eq!(spec.const_fill(0.., &mut row).told(), expected);
    assert_eq!(spec.par_fill(0.., &mut row).told(), expected);
    assert_eq!(spec.par_table::<f32>(2).told(), expected);
    assert_eq!(spec.explain::<f32>(0, 0).told(), expected);
    assert_eq!(spec.add_rows(&mut row, &[[0.0; 4]; 0], 0..1).told(), expected);
    assert_eq!(spec.concat_rows(&[0.0; 4], 4, &[[0.0; 4]; 0], 0..1, &mut row).told(), expected);
    assert_eq!(spec.translation(0, &mut [[0.0f32; 2]; 2]).told(), expected);
    assert_eq!(spec.translate(&[[0.0f32; 2]; 2], &mut row).told(), expected);
    // These methods have no element type, so no amplitude is too large for them.
    if spec.check_parameters::<f64>().is_err() && !expected.starts_with("`amplitude`") {
        assert_eq!(spec.dot_product(0).told(), expected);
        assert_eq!(spec.wavelengths().map(Vec::from_iter).told(), expected);
        assert_eq!(spec.angular_frequencies().map(Vec::from_iter).told(), expected);
    }
}

fn sizes(document: &mut Document) {
    document.functions(
        &["Spec::new", "Spec::preset", "sinusoidal_table", "Spec::table", "Spec::par_table", "const_table"],
        "",
    );
    entry_points!(
        document,
        [
            (Spec::new(0), Some("2, 0")),
            (Spec::new(1), Some("2, 1")),
            (Spec::new(MAX_D_MODEL + 1), Some("2, 16777217")),
            (Spec::new(usize::MAX), Some("2, 18446744073709551615")),
            (Spec::preset(Preset::Mlx, 0), Some("2, 0, preset = mlx")),
            (Spec::preset(Preset::Whisper, 5), Some("2, 5, preset = whisper")),
            (Spec::preset(Preset::ConformerRel, 4), Some("2, 4, preset = conformer_rel")),
        ]
    );
    document.calls(calls![
        sinusoidal_table(0, 4),
        sinusoidal_table(0, MAX_D_MODEL),
        sinusoidal_table(usize::MAX, 4),
        sinusoidal_table(1 << 59, 4),
        // This exceeds the address space of any current machine, but not the largest number of bytes.
        sinusoidal_table(1 << 50, 512),
        Spec::new(1).table::<F16Bits>((1 << 53) + 2),
        Spec::new(4).par_table::<f64>(usize::MAX),
        const_table::<f32, 2, 4>(Spec::new(4).base(f64::NAN)),
        const_table::<f32, 2, 4>(Spec::new(6)),
        const_table::<f32, 0, 4>(Spec::new(4)),
    ]);
}

fn rates(document: &mut Document) {
    document.functions(&["Spec::base"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).base(0.0), Some("2, 4, base = 0.0")),
            (Spec::new(4).base(-0.0), Some("2, 4, base = -0.0")),
            (Spec::new(4).base(-10000.0), Some("2, 4, base = -1e4")),
            (Spec::new(4).base(f64::NAN), None),
            (Spec::new(4).base(f64::INFINITY), Some("2, 4, base = 1e999")),
            (Spec::new(4).base(1.0), Some("2, 4, base = 1")),
            (Spec::new(4).base(f64::from_bits(1)), Some("2, 4, base = 5e-324")),
            (Spec::new(4).base(f64::MAX), Some("2, 4, base = 1.7976931348623157e308")),
        ]
    );
    document.functions(
        &["Spec::freq_shift"],
        "With `d_model` 4 there are two frequencies, and a shift of 1.5 makes the last exponent 2. With a single frequency the shift has no effect.",
    );
    entry_points!(
        document,
        [
            (Spec::new(4).freq_shift(1.5), Some("2, 4, freq_shift = 1.5")),
            (Spec::new(4).freq_shift(1.75), Some("2, 4, freq_shift = 1.75")),
            (Spec::new(2).freq_shift(1.0), Some("2, 2, freq_shift = 1")),
            (Spec::new(4).freq_shift(-16_777_216.0), Some("2, 4, freq_shift = -16777216")),
            (Spec::new(4).freq_shift(-16_777_217.0), Some("2, 4, freq_shift = -16777217")),
            (Spec::new(4).freq_shift(f64::from_bits(1)), Some("2, 4, freq_shift = 5e-324")),
            (Spec::new(4).freq_shift(-0.0), Some("2, 4, freq_shift = -0.0")),
            (Spec::new(4).freq_shift(f64::NAN), None),
        ]
    );
}

fn frequencies(document: &mut Document) {
    document.functions(&["Spec::frequencies"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).frequencies(&[1.0]), Some("2, 4, frequencies = [1]")),
            (Spec::new(4).frequencies(&[1.0, f64::NAN]), None),
            (Spec::new(4).frequencies(&[f64::INFINITY, 1.0]), Some("2, 4, frequencies = [1e999, 1]")),
            (Spec::new(4).frequencies(&[0.0, -0.0]), Some("2, 4, frequencies = [0, -0.0]")),
            (Spec::new(4).frequencies(&[-1.0, f64::MAX]), Some("2, 4, frequencies = [-1, 1.7976931348623157e308]")),
            (Spec::new(4).frequencies(&[1.0, 0.5]).base(2.0), None),
            (Spec::new(4).frequencies(&[1.0, 0.5]).freq_shift(1.0), None),
        ]
    );
}

fn rules(document: &mut Document) {
    document.functions(
        &[
            "Scaling::linear",
            "Scaling::ntk",
            "Scaling::dynamic",
            "Scaling::yarn",
            "Scaling::llama3",
            "Scaling::longrope",
            "Scaling::proportional",
            "scaling::Linear::new",
            "scaling::Ntk::new",
            "scaling::Dynamic::new",
            "scaling::Yarn::new",
            "scaling::Llama3::new",
            "scaling::LongRope::new",
            "scaling::Proportional::new",
        ],
        "The rules accept any value, and so do their structs.",
    );
    document.calls(calls![
        Scaling::linear(f64::NAN),
        Scaling::ntk(0.0),
        Scaling::dynamic(2.0, 0, 8),
        Scaling::yarn(-4.0, 512),
        Scaling::llama3(4.0, 0),
        Scaling::longrope(&[], 4.0, 512),
        Scaling::proportional(1.5),
        Linear::new(f64::INFINITY),
        Ntk::new(-0.0),
        Dynamic::new(f64::NAN, usize::MAX, 0),
        Yarn::new(0.0, usize::MAX),
        Llama3::new(f64::NAN, 0),
        LongRope::new(&[f64::NAN], -1.0, 0),
        Proportional::new(f64::NEG_INFINITY),
    ]);
}

fn scaling(document: &mut Document) {
    document.functions(
        &[
            "Spec::scaling",
            "Spec::repeat",
        ],
        "Here `of(rule)` is `Spec::new(8).scaling(rule)`, `yarn` is `Yarn::new(4.0, 512)`, `llama3` is `Llama3::new(4.0, 512)` and \
         `list` is `[1.0, 2.0, 4.0, 8.0]`. With base 10000 and `d_model` 8, the four pairs make 81.5, 8.15, 0.815 and 0.0815 turns in \
         512 positions.",
    );
    let yarn = Yarn::new(4.0, 512);
    let llama3 = Llama3::new(4.0, 512);
    let list = [1.0, 2.0, 4.0, 8.0];
    let of = |scaling| Spec::new(8).scaling(scaling);
    entry_points!(
        document,
        [
            (of(Scaling::linear(0.5)), Some("2, 8, scaling = linear(0.5)")),
            (of(Scaling::linear(f64::NAN)), None),
            (of(Scaling::linear(65_537.0)), Some("2, 8, scaling = linear(65537)")),
            (of(Scaling::ntk(0.0)), Some("2, 8, scaling = ntk(0)")),
            (of(Scaling::dynamic(2.0, 0, 8)), Some("2, 8, scaling = dynamic(2, 0, 8)")),
            (of(Scaling::llama3(4.0, 0)), Some("2, 8, scaling = llama3(4, 0)")),
            (of(Scaling::yarn(-4.0, 512)), Some("2, 8, scaling = yarn(-4, 512)")),
            (of(Scaling::yarn(4.0, 0)), Some("2, 8, scaling = yarn(4, 0)")),
            (of(Scaling::Yarn(Yarn { beta_fast: 0.0, ..yarn })), Some("2, 8, scaling = yarn(4, 512, beta_fast = 0)")),
            (of(Scaling::Yarn(Yarn { beta_slow: 33.0, ..yarn })), Some("2, 8, scaling = yarn(4, 512, beta_slow = 33)")),
            (
                of(Scaling::Yarn(Yarn { beta_fast: 99.0, beta_slow: 90.0, ..yarn })),
                Some("2, 8, scaling = yarn(4, 512, beta_fast = 99, beta_slow = 90)")
            ),
            (of(Scaling::yarn(4.0, 1 << 40)).base(1.5), Some("2, 8, base = 1.5, scaling = yarn(4, 1099511627776)")),
            (of(Scaling::Yarn(Yarn { mscale: -1.0, ..yarn })), Some("2, 8, scaling = yarn(4, 512, mscale = -1)")),
            (of(Scaling::Yarn(yarn)).base(0.5), Some("2, 8, base = 0.5, scaling = yarn(4, 512)")),
            (
                of(Scaling::Yarn(Yarn { truncate: false, beta_fast: 99.0, ..yarn })),
                Some("2, 8, scaling = yarn(4, 512, beta_fast = 99, truncate = false)")
            ),
            (
                of(Scaling::Yarn(Yarn { truncate: false, beta_fast: 1.5, ..yarn })),
                Some("2, 8, scaling = yarn(4, 512, beta_fast = 1.5, truncate = false)")
            ),
            (
                of(Scaling::Llama3(Llama3 { low_freq_factor: 5.0, ..llama3 })),
                Some("2, 8, scaling = llama3(4, 512, low_freq_factor = 5)")
            ),
            (
                of(Scaling::Llama3(Llama3 { high_freq_factor: 1.001, ..llama3 })),
                Some("2, 8, scaling = llama3(4, 512, 1, 1.001)")
            ),
            (of(Scaling::longrope(&list[..3], 4.0, 512)), Some("2, 8, scaling = longrope([1, 2, 4], 4, 512)")),
            (
                of(Scaling::longrope(&[1.0, 2.0, 0.0, 8.0], 4.0, 512)),
                Some("2, 8, scaling = longrope([1, 2, 0, 8], 4, 512)")
            ),
            (of(Scaling::longrope(&list, 4.0, 1)), Some("2, 8, scaling = longrope([1, 2, 4, 8], 4, 1)")),
            (of(Scaling::proportional(0.2)), Some("2, 8, scaling = proportional(0.2)")),
            (of(Scaling::proportional(1.5)), Some("2, 8, scaling = proportional(1.5)")),
            (
                Spec::new(4).frequencies(&[1.0, 0.5]).scaling(Scaling::linear(2.0)),
                Some("2, 4, frequencies = [1, 0.5], scaling = linear(2)")
            ),
            (of(Scaling::linear(2.0)).freq_shift(1.0), Some("2, 8, freq_shift = 1, scaling = linear(2)")),
            (
                of(Scaling::linear(2.0)).pairing(Pairing::Unpaired),
                Some("2, 8, pairing = unpaired, scaling = linear(2)")
            ),
            (Spec::new(7).scaling(Scaling::linear(2.0)), Some("2, 7, scaling = linear(2)")),
            (Spec::new(6).repeat(Repeat::Pairs), Some("2, 6, repeat = pairs")),
            (Spec::new(3).columns(Columns::Sin).repeat(Repeat::Halves), Some("2, 3, columns = sin, repeat = halves")),
            (
                Spec::new(8).pairing(Pairing::Unpaired).repeat(Repeat::Halves),
                Some("2, 8, pairing = unpaired, repeat = halves")
            ),
        ]
    );
}

fn choices(document: &mut Document) {
    document.functions(&["Spec::layout", "Spec::order", "Spec::columns", "Spec::pairing", "Spec::odd"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).layout(Layout::Halves).columns(Columns::Sin), Some("2, 4, layout = halves, columns = sin")),
            (Spec::new(4).order(Order::CosSin).columns(Columns::Cos), Some("2, 4, order = cos_sin, columns = cos")),
            (
                Spec::new(4).pairing(Pairing::Unpaired).columns(Columns::Sin),
                Some("2, 4, pairing = unpaired, columns = sin")
            ),
            (Spec::new(5).odd(Odd::Zero).columns(Columns::Sin), Some("2, 5, odd = zero, columns = sin")),
            (Spec::new(5).order(Order::CosSin), Some("2, 5, order = cos_sin")),
            (Spec::new(5).odd(Odd::Reject), Some("2, 5, odd = reject")),
            (Spec::new(1).odd(Odd::Zero), Some("2, 1, odd = zero")),
            (Spec::new(1).columns(Columns::Cos), Some("2, 1, columns = cos")),
        ]
    );
}

fn positions(document: &mut Document) {
    document
        .functions(&["Spec::start", "Spec::step"], "The position of every row must be within ±2^53 (`MAX_POSITION`).");
    entry_points!(
        document,
        [
            (Spec::new(2).start(MAX_POSITION - 1), Some("2, 2, start = 9007199254740991")),
            (Spec::new(2).start(MAX_POSITION), Some("2, 2, start = 9007199254740992")),
            (Spec::new(2).start(-MAX_POSITION), Some("2, 2, start = -9007199254740992")),
            (Spec::new(2).start(-MAX_POSITION).step(-1), Some("2, 2, start = -9007199254740992, step = -1")),
            (Spec::new(2).start(i64::MAX), Some("2, 2, start = 9223372036854775807")),
            (Spec::new(2).step(0), Some("2, 2, step = 0")),
            (Spec::new(2).step(MAX_POSITION), Some("2, 2, step = 9007199254740992")),
            (Spec::new(2).step(i64::MIN), Some("2, 2, step = -9223372036854775808")),
        ]
    );
    document.functions(&["Spec::zero_row"], "");
    entry_points!(
        document,
        [
            (Spec::new(2).zero_row(0), Some("2, 2, zero_row = 0")),
            (Spec::new(2).zero_row(2), Some("2, 2, zero_row = 2")),
            (Spec::new(2).zero_row(usize::MAX), Some("2, 2, zero_row = 18446744073709551615")),
        ]
    );
}

/// The other types of a table have no quantiser, so these rows check what the macro's arguments of the type do too.
fn quantisers(document: &mut Document) {
    document.functions(
        &["Spec::quantiser", "Quantiser::new", "Quantiser::quotient", "Quantiser::zero_point"],
        "Integers need a scale. The amplitude may exceed their range by one step, which is clamped.",
    );
    document.calls(calls![
        Quantiser::new(0.0).zero_point(i32::MIN),
        Quantiser::quotient(1, 0).zero_point(5),
        Spec::new(4).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(0.5)).table::<f32>(2),
        Spec::new(4).quantiser(Quantiser::new(0.5)).table::<Q15>(2),
        Spec::new(4).quantiser(Quantiser::new(0.0)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(-0.5)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(f64::NAN)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(f64::INFINITY)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(f64::MAX)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::new(f64::from_bits(1))).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(0, 127)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, -127)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(i64::MAX, 1)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(128)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(i32::MIN)).table::<u8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(1)).table::<i16>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, 128)).table::<i8>(2),
        Spec::new(4).quantiser(Quantiser::quotient(1, 129)).table::<i8>(2),
        Spec::new(4).amplitude(Amplitude::Value(2.0)).table::<Q15>(2),
        Spec::new(4).amplitude(Amplitude::Value(f64::INFINITY)).table::<Q31>(2),
        Spec::new(4).amplitude(Amplitude::Value(f64::MAX)).table::<Q7>(2),
        Spec::new(4).amplitude(Amplitude::Value(0.0)).quantiser(Quantiser::new(1e-9)).table::<i8>(2),
    ]);
}

fn factors(document: &mut Document) {
    document.functions(&["Spec::scale"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).scale(0.0), Some("2, 4, scale = 0")),
            (Spec::new(4).scale(f64::from_bits(1)), Some("2, 4, scale = 5e-324")),
            (Spec::new(4).scale(f64::MAX), Some("2, 4, scale = 1.7976931348623157e308")),
            (Spec::new(4).scale(f64::NAN), None),
            (Spec::new(4).scale(f64::INFINITY), Some("2, 4, scale = 1e999")),
        ]
    );
    document.functions(&["Spec::unit"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).unit(0, 15), Some("2, 4, unit = 0/15")),
            (Spec::new(4).unit(8, 0), Some("2, 4, unit = 8/0")),
            (Spec::new(4).unit(-8, 15), Some("2, 4, unit = -8/15")),
            (Spec::new(4).unit(8, MAX_POSITION), Some("2, 4, unit = 8/9007199254740992")),
            (Spec::new(4).unit(MAX_POSITION + 1, 1), None),
        ]
    );
    document.functions(&["Spec::freq_offset"], "");
    entry_points!(
        document,
        [
            (Spec::new(4).freq_offset(1, 1), Some("2, 4, freq_offset = 1/1")),
            (Spec::new(4).freq_offset(-1, 2), Some("2, 4, freq_offset = -1/2")),
            (Spec::new(4).freq_offset(0, 0), Some("2, 4, freq_offset = 0/0")),
            (Spec::new(4).freq_offset(1, 1025), Some("2, 4, freq_offset = 1/1025")),
            (Spec::new(4).freq_offset(1, 2).freq_shift(1.0), Some("2, 4, freq_offset = 1/2, freq_shift = 1")),
            (
                Spec::new(4).freq_offset(1, 2).frequencies(&[1.0, 2.0]),
                Some("2, 4, freq_offset = 1/2, frequencies = [1, 2]")
            ),
            (
                Spec::new(4).freq_offset(1, 2).scaling(Scaling::ntk(2.0)),
                Some("2, 4, freq_offset = 1/2, scaling = ntk(2)")
            ),
        ]
    );
    document.functions(&["Spec::frequency_dtype"], "");
    entry_points!(
        document,
        [
            (
                Spec::new(4).base(1e-6).freq_shift(1.0).frequency_dtype(FrequencyDtype::F16),
                Some("2, 4, base = 1e-6, freq_shift = 1, frequency_dtype = f16")
            ),
            (
                Spec::new(2).frequencies(&[1e39]).frequency_dtype(FrequencyDtype::Bf16),
                Some("2, 2, frequencies = [1e39], frequency_dtype = bf16")
            ),
            (
                Spec::new(2).frequencies(&[1e41]).frequency_dtype(FrequencyDtype::Bf16Period),
                Some("2, 2, frequencies = [1e41], frequency_dtype = bf16_period")
            ),
            // Zeros.
            (
                Spec::new(2).frequencies(&[1e-8]).frequency_dtype(FrequencyDtype::F16),
                Some("2, 2, frequencies = [1e-8], frequency_dtype = f16")
            ),
            (
                Spec::new(2).frequencies(&[1e-39]).frequency_dtype(FrequencyDtype::Bf16Period),
                Some("2, 2, frequencies = [1e-39], frequency_dtype = bf16_period")
            ),
        ]
    );
    document.functions(&["Spec::amplitude"], "");
    entry_points!(
        document,
        [
            (Spec::new(2).amplitude(Amplitude::Value(0.0)), Some("2, 2, amplitude = 0")),
            (Spec::new(2).amplitude(Amplitude::Value(f64::from_bits(1))), Some("2, 2, amplitude = 5e-324")),
            (
                Spec::new(2).amplitude(Amplitude::Value(f32::MIN.into())),
                Some("2, 2, amplitude = -3.4028234663852886e38")
            ),
            (Spec::new(2).amplitude(Amplitude::Value(3.403e38)), Some("2, 2, amplitude = 3.403e38")),
            (Spec::new(2).amplitude(Amplitude::Value(f64::NAN)), None),
        ]
    );
    document.calls(calls![
        Spec::new(2).amplitude(Amplitude::Value(f64::MAX)).table::<f64>(2),
        Spec::new(2).amplitude(Amplitude::Value(65504.0)).table::<F16Bits>(2),
        Spec::new(2).amplitude(Amplitude::Value(65505.0)).table::<F16Bits>(2),
    ]);
}

fn checks(document: &mut Document) {
    document.functions(&["Spec::check_parameters", "Spec::check_table"], "");
    document.calls(calls![
        Spec::new(0).check_parameters::<f32>(),
        Spec::new(4).start(i64::MAX).zero_row(usize::MAX).check_parameters::<f32>(),
        Spec::new(4).check_table::<f32>(0, 0),
        Spec::new(4).check_table::<f32>(2, 31),
        Spec::new(4).check_table::<f32>(2, 32),
        Spec::new(4).check_table::<f32>(usize::MAX, usize::MAX),
        Spec::new(4).zero_row(0).check_table::<f32>(0, 0),
    ]);
}

fn comparisons(document: &mut Document) {
    document.functions(&["Spec::is_same_table", "Spec::macro_call"], "");
    document.calls(calls![
        Spec::new(0).is_same_table(&Spec::new(0)),
        Spec::new(0).is_same_table(&Spec::new(0).odd(Odd::Zero)),
        Spec::new(4).base(f64::NAN).is_same_table(&Spec::new(4).base(f64::NAN)),
        Spec::new(4).frequencies(&[0.0; 2]).is_same_table(&Spec::new(4).scale(-0.0)),
        Spec::new(4).macro_call(usize::MAX),
        Spec::new(0).base(f64::NAN).macro_call(0).dtype::<f64>(),
        Spec::preset(Preset::ConformerRel, 4).macro_call(2),
    ]);
}
