//! Checks the numbers in the documents against what determines them: a file of the repository, or the document that has
//! the figures of a measurement.
//!
//! A row is a document and a sentence with the number that belongs there. `cargo xtask` checks the figures that its tasks
//! print.

use std::fs;

use posenc::reflection::SCALING_RULES;
use posenc::{AxialPreset, GridPreset, MAX_D_MODEL, MAX_POSITION, Preset, Q15, RopePreset, Spec};

use super::documents::{cells, check, constant, digits, read, root, rows, value, word};

const ARITHMETIC: &str = "docs/arithmetic.md";
const BENCHMARKS: &str = "BENCHMARKS.md";
const CHANGELOG: &str = "CHANGELOG.md";
const CONCEPTS: &str = "src/guide/concepts.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
const DECISIONS: &str = "docs/decisions.md";
const DESIGN: &str = "DESIGN.md";
const GRID: &str = "src/grid_table.md";
const GUIDE: &str = "src/guide.md";
const MACRO: &str = "docs/macro.md";
const PROOFS: &str = "docs/proofs.md";
const README: &str = "README.md";
const RECIPES: &str = "src/guide/recipes.md";
const ROTARY: &str = "src/guide/rotary.md";
const SINUSOIDAL: &str = "src/sinusoidal_table.md";
const SMALL_MACHINES: &str = "src/guide/small_machines.md";
const TIERS: &str = "docs/tiers.md";
const TOOL: &str = "tool/README.md";

/// The presets of all kinds.
const PRESETS: usize = Preset::ALL.len() + RopePreset::ALL.len() + AxialPreset::ALL.len() + GridPreset::ALL.len();

#[test]
fn tables_and_presets_are_counted() {
    let recorded = read("tests/hashes/recorded.txt");
    let hashes = recorded.lines().count();
    let large = recorded.lines().filter(|line| line.contains("past 64 MiB")).count();
    let models = read("tool/tests/models/index.json");
    let tables = models.matches("\"module\": ").count();
    let named = tables - models.matches("\"command\": null").count();
    let libraries = files("tool/tests/models") - 1; // the index
    let rules: Vec<_> = SCALING_RULES.all.iter().filter(|rule| **rule != "none").collect();
    check(&[
        (README, format!("{hashes} tables have the same hashes")),
        (README, format!("{} of them were also hashed on four other architectures and in WebAssembly", hashes - large)),
        (CONTRIBUTING, format!("hashes of {hashes} tables")),
        (PROOFS, format!("hashes of {hashes} tables from every entry point")),
        (PROOFS, format!("runs a program that hashes {hashes} tables")),
        (PROOFS, format!("the {} tables past 64 MiB are left out", word(&large))),
        (README, format!("{PRESETS} presets name the tables of models")),
        (README, format!("| tables of known models | {PRESETS} presets |")),
        (README, format!("| [{} sinusoidal]", Preset::ALL.len())),
        (CHANGELOG, format!("`Preset`: the tables of {} models", Preset::ALL.len())),
        (README, format!("| {} rotary |", RopePreset::ALL.len())),
        (README, format!("cosines and sines; {} scaling rules |", rules.len())),
        (README, format!("| {} axial |", AxialPreset::ALL.len())),
        (CHANGELOG, format!("`RopePreset`: {} presets", RopePreset::ALL.len())),
        (README, format!("| {} grid |", GridPreset::ALL.len())),
        (CHANGELOG, format!("`GridPreset`: {} presets", GridPreset::ALL.len())),
        (CHANGELOG, format!("that {libraries} libraries of models make")),
        (CHANGELOG, format!("`identify` names {named} of the {tables}.")),
        (
            TOOL,
            format!("makes {tables} tables of models with {libraries} libraries; the tests identify {named} of them."),
        ),
    ]);
}

#[test]
fn files_are_counted() {
    let figures = rows_of_docs("examples/gallery/src/main.rs", "//! | figure |");
    let pictures = files("examples/gallery/pictures");
    check(&[
        (GUIDE, format!("| {} figures, as PNG and SVG; {} of them", word(&figures), word(&pictures))),
        ("examples/gallery/README.md", format!("draws {} figures", word(&figures))),
        (MACRO, format!("builds one source in {} editions", word(&(files("tests/hygiene") - 1)))), // the source
    ]);
}

#[test]
fn versions_are_those_of_the_manifests() {
    let [library, tests, tool] = ["Cargo.toml", "tests/suite/Cargo.toml", "tool/Cargo.toml"]
        .map(|manifest| value(manifest, "rust-version = \"", '"'));
    assert_eq!(tests, tool);
    check(&[
        (README, format!("MSRV: {library} ({tests} for the tests and the command-line tool)")),
        (CONTRIBUTING, format!("The first two need Rust {tests} or newer")),
        (PROOFS, format!("| rustc {library}.1, the oldest supported |")),
        (README, format!("`half`, ndarray {}", value("pe-runtime/Cargo.toml", "\nndarray = { version = \"", '"'))),
        (CHANGELOG, format!("format {} of the files", value("pe-runtime/src/bake/file_format.rs", "*b\"posenc ", '"'))),
    ]);
}

#[test]
fn limits_are_those_of_the_code() {
    let own_file = constant("pe-macros/core/src/table_folder.rs", "LEAST_BYTES") >> 10;
    let kept = constant("pe-macros/core/src/table_folder.rs", "MOST_BYTES") >> 30;
    let script = constant("pe-runtime/src/bake/build_script.rs", "MAX_BYTES") >> 30;
    let literal = constant("pe-macros/core/src/request.rs", "DEFAULT_MAX_BYTES");
    let default = format!("| `max_bytes` | `{literal}` ({} MiB)", literal >> 20);
    let (width, position) = (MAX_D_MODEL.ilog2(), MAX_POSITION.ilog2());
    let whole = constant("tool/src/commands/plot/mod.rs", "WHOLE").ilog2();
    let axes = word(&value("pe-runtime/src/grid/mod.rs", "A >= 1 && A <= ", ','));
    let digits = constant("pe-runtime/src/inspect/explain/stages.rs", "DIGITS");
    let picture = value("tool/src/commands/plot/mod.rs", "const MOST: [usize; 2] = [", ';');
    check(&[
        (RECIPES, format!("A table below {own_file} KiB is computed")),
        (CHANGELOG, format!("puts tables of {own_file} KiB and more into files")),
        (SINUSOIDAL, format!("keeps a table of {own_file} KiB or more in a file")),
        (GRID, format!("keeps a table of {own_file} KiB or more in a file")),
        (BENCHMARKS, format!("writes tables of {own_file} KiB and more to files")),
        (MACRO, format!("A table of {own_file} KiB or more goes to a file")),
        (DESIGN, format!("table_folder from {own_file} KiB on:")),
        (MACRO, format!("until the folder takes at most {kept} GiB")),
        (MACRO, format!("**{script} GiB at most, unless a limit is given.**")),
        (SINUSOIDAL, format!("A table of more than {script} GiB is an error in the build script")),
        (CHANGELOG, format!("refuse tables of more than {script} GiB")),
        (SINUSOIDAL, default.clone()),
        (GRID, default),
        (DECISIONS, format!("| `d_model` up to 2^{width} |")),
        (DECISIONS, format!("| Integer positions up to 2^{position} |")),
        (SINUSOIDAL, format!("must be within ±2^{position} ([`MAX_POSITION`])")),
        (README, format!("| up to {axes} axes, any resolution |")),
        (RECIPES, format!("Grids have at most {axes} axes")),
        (DESIGN, format!("A grid has up to {axes} axes")),
        (CHANGELOG, format!("other grids of up to {axes} axes")),
        (GRID, format!("a tuple of one to {axes} sizes")),
        (RECIPES, format!("the exact value to {digits} digits")),
        (CHANGELOG, format!("every stage, with {digits} digits")),
        (TOOL, format!("every entry of up to {picture} rows and {picture} columns")),
        (TOOL, format!("Beyond 2^{whole} entries, `plot` computes only a sample")),
        (CHANGELOG, format!("parameters with more than 2^{whole} entries")),
        (TOOL, format!("mean of up to {} rows at random places", constant("tool/src/commands/plot/mod.rs", "SAMPLE"))),
        (TOOL, format!("tensors of fewer than {} rows", constant("pe-identify/src/recurrence.rs", "ROWS"))),
        (TOOL, format!("or {} columns, constant", constant("pe-identify/src/recurrence.rs", "LEAST_COLUMNS"))),
    ]);
}

#[test]
fn thresholds_are_those_of_the_tiers() {
    const BOUNDS: &str = "pe-runtime/src/error_bounds.rs";
    const FAST: &str = "pe-runtime/src/engine/fast/all_rows.rs";
    const FREQUENCIES: &str = "pe-runtime/src/engine/float_frequencies.rs";
    let rows_for_sums = constant("pe-runtime/src/engine/dispatch.rs", "ROWS_FOR_SUMS");
    let (least, amplitude) = (constant(BOUNDS, "MIN_ROWS"), constant(BOUNDS, "MAX_AMPLITUDE_EXPONENT"));
    let [panel, strip, wide, fine] =
        ["PANEL_ROWS", "STRIP", "WIDE_STRIP", "MAX_FINE_LEVELS"].map(|name| constant(FAST, name));
    let past_caches: u32 =
        value(FAST, "PAST_CACHES: usize = if cfg!(test) { 1 << 14 } else { 1 << ", ' ').parse().unwrap();
    let [short, long] =
        ["MIN_TURNS", "MAX_TURNS"].map(|name| value(BOUNDS, &format!("{name}: f64 = power_of_two("), ')'));
    let prepare = |before: &str, after| {
        let condition = value("pe-runtime/src/engine/fast/prepare.rs", "let pays = ", '\n');
        condition.split_once(before).unwrap().1.split([after, ')']).next().unwrap().to_owned()
    };
    let bound = |name: &str| value(BOUNDS, &format!("{name}: f64 = "), '.');
    for (name, row) in [("DIRECT_PHASE", ""), ("DIRECT_ONE_FLOAT", ", with the last rounding")] {
        assert_eq!(cells(PROOFS, "| bound | unit |", &format!("`{name}`{row}"))[3], bound(name));
    }
    let limbs = |file, name| 64 * constant(file, name);
    let (narrow, for_floats) =
        (limbs("pe-runtime/src/exact/limbs.rs", "NARROW"), limbs("pe-runtime/src/exact/limbs.rs", "FOR_FLOATS"));
    let coefficients = |name: &str| -> u64 {
        let length = value("pe-runtime/src/engine/polynomials.rs", &format!("const {name}: ["), ']');
        length.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let pairs = coefficients("PRECISE_SINE");
    let widest = limbs("pe-runtime/src/exact/constants.rs", "LIMBS");
    check(&[
        (TIERS, format!("for fewer than {rows_for_sums} rows and for lists")),
        (DESIGN, format!("the fast tier, for at least {rows_for_sums} equally spaced rows")),
        (DESIGN, format!("for at least {least} equally spaced rows, otherwise in the exact tier")),
        (DESIGN, format!("an amplitude within 2^±{amplitude}")),
        (TIERS, format!("Amplitudes outside 2^-{amplitude} to 2^{amplitude} are left")),
        (RECIPES, format!("amplitudes beyond 2^±{amplitude}")),
        (DESIGN, format!("({} if wider than 2^{} columns)", prepare(">= ", ' '), prepare("<= 1 << ", ';'))),
        (TIERS, format!("Angles between 2^{short} and 2^{long} turns")),
        (TIERS, format!("`{} 2^-53` and", bound("DIRECT_ONE_FLOAT"))),
        (TIERS, format!("`B` is at most {} for a table.", 1 << fine)),
        (TIERS, format!("a strip of {strip} blocks in {panel} rows")),
        (TIERS, format!("written in strips of {wide} blocks")),
        (TIERS, format!("of {} MiB and more with stores that do not read", (1 << past_caches) >> 20)),
        (TIERS, format!("Runs have {} rows.", constant("pe-runtime/src/engine/const_eval/one_float.rs", "ROWS"))),
        (TIERS, format!("The ratio has {for_floats} bits")),
        (
            TIERS,
            format!(
                "powers have {} bits, and every {}th of the first kind",
                limbs(FREQUENCIES, "SHORT"),
                constant(FREQUENCIES, "RUN")
            ),
        ),
        (TIERS, format!("The {narrow} bits of the exact tier")),
        (TIERS, format!("{} coefficients for elements of up to 32 bits", coefficients("SINE"))),
        (TIERS, format!("and {}, the first {} of", pairs + coefficients("PRECISE_SINE_TAIL"), word(&pairs))),
        (ARITHMETIC, format!("exponential, in {narrow} bits")),
        (ARITHMETIC, format!("Turns are compared in {for_floats} bits")),
        (ARITHMETIC, format!("in 512, 1024, 2048 and {widest} bits")),
        (ARITHMETIC, format!("why the last step has {widest} bits")),
        (ARITHMETIC, format!("by {} bits for `llama3`", constant(BOUNDS, "BAND_ERROR_BITS"))),
    ]);
}

#[test]
fn times_of_the_checks_are_their_budgets() {
    let parts = read("xtask/src/ci/parts.rs");
    // `part(0, "effort", 120, || test::effort(3)).sample("3 times as many", 300, || test::effort(10)),`
    let parts = parts.split("part(").filter_map(|text| {
        let mut words = text.split(", ");
        let (lane, name, budget) = (words.next()?.parse::<u8>().ok()?, words.next()?.trim_matches('"'), words.next()?);
        let full = text.split_once(".sample(").and_then(|(_, sample)| sample.split_once("\",")?.1.split(',').next());
        Some((lane, name, budget.parse().ok()?, full.map_or(budget, str::trim).parse().ok()?))
    });
    let parts: Vec<(u8, &str, u64, u64)> = parts.collect();
    let budget = |name| parts.iter().find(|part| part.1 == name).unwrap().2;
    let lanes = [0, 1].map(|lane| parts.iter().filter(move |part| part.0 == lane));
    let [sample, full] = [|part: &(u8, &str, u64, u64)| part.2, |part: &(u8, &str, u64, u64)| part.3]
        .map(|budget| lanes.clone().map(|lane| lane.map(budget).sum::<u64>()).into_iter().max().unwrap().div_ceil(60));
    check(&[
        (CONTRIBUTING, format!("| that it works | at most {} seconds |", budget("quickstart"))),
        (CONTRIBUTING, format!("| that it is right | at most {} seconds |", budget("test"))),
        (CONTRIBUTING, format!("apt-get and rustup | at most {sample} minutes |")),
        (CONTRIBUTING, format!("as before a release | at most {full} minutes |")),
        ("xtask/src/main.rs", format!("or some of them ({sample} min; with --full {full} min)")),
    ]);
}

#[test]
fn entries_that_were_compared_are_added_up() {
    let counted = ["| entries | f32 |", "| entries | each float |"].map(|table| {
        let rows = rows(PROOFS, table);
        let (head, rows) = rows.split_first().unwrap();
        let counts =
            |row: &Vec<String>| head.iter().zip(row).skip(1).map(|(kind, cell)| compared(kind, cell)).sum::<u64>();
        rows[1..].iter().map(counts).sum::<u64>()
    });
    let billions = counted.iter().sum::<u64>() / 1_000_000_000;
    let days = "2026-11-21 to 2026-11-23";
    check(&[(README, format!("more than {billions} billion comparisons with GNU MPFR ({days}) no entry differed"))]);
}

/// A table of `Q15` that is made from a correctly rounded one of `f32`.
#[test]
#[expect(clippy::cast_possible_truncation, reason = "the number is rounded and in range")]
fn entries_that_are_rounded_twice_are_counted() {
    let spec = Spec::new(512);
    let (mut once, mut floats) = (vec![Q15::from_bits(0); 512 * 512], vec![0f32; 512 * 512]);
    spec.fill(0.., &mut once).unwrap();
    spec.fill(0.., &mut floats).unwrap();
    let twice = |entry: f32| (entry * 32_768.0).round_ties_even().min(32_767.0) as i16;
    let wrong = once.iter().zip(floats).filter(|&(once, entry)| once.to_bits() != twice(entry)).count();
    check(&[(
        ARITHMETIC,
        format!("if a 512 x 512 table of Q15 is made from a correctly rounded `f32` table, {wrong} entries are wrong"),
    )]);
}

/// The first position at which the recipe of most tutorials, in `f32`, is wrong by more than 1e-3.
#[test]
fn the_recipe_of_tutorials_is_wrong_where_the_picture_says() {
    const WIDTH: usize = 512;
    let mut exact = vec![[0f32; WIDTH]; 20_000];
    Spec::new(WIDTH).fill(0.., exact.as_flattened_mut()).unwrap();
    let frequencies: Vec<f32> =
        (0..WIDTH / 2).map(|pair| (-((2 * pair) as f32) * (10_000f32.ln() / WIDTH as f32)).exp()).collect();
    let is_wrong = |position: usize, row: &[f32; WIDTH]| {
        row.chunks_exact(2).zip(&frequencies).any(|(pair, frequency)| {
            let (sin, cos) = (position as f32 * frequency).sin_cos();
            (sin - pair[0]).abs() > 1e-3 || (cos - pair[1]).abs() > 1e-3
        })
    };
    let first = exact.iter().enumerate().position(|(position, row)| is_wrong(position, row)).unwrap();
    let picture = format!("The largest error of the f32 recipe by position, first above 1e-3 at {first}");
    check(&[(CONCEPTS, picture.clone()), ("examples/gallery/README.md", picture)]);
}

/// The same recipe in `f64`. The entries depend on the machine's mathematical library, so the README has a bound.
#[test]
#[cfg(feature = "inspect")]
#[expect(clippy::cast_possible_truncation, reason = "the entries are narrowed")]
fn few_entries_are_wrong_if_the_recipe_is_in_f64() {
    const WIDTH: usize = 512;
    const MOST: u64 = 10;
    let frequencies: Vec<f64> =
        (0..WIDTH / 2).map(|pair| (-((2 * pair) as f64) * (10_000f64.ln() / WIDTH as f64)).exp()).collect();
    let pairs = (0..4096).flat_map(|position| frequencies.iter().map(move |w| (f64::from(position) * w).sin_cos()));
    let entries: Vec<f32> = pairs.flat_map(|(sin, cos)| [sin as f32, cos as f32]).collect();
    let report = Spec::new(WIDTH).compare(&posenc::Flat::new(&entries, WIDTH).unwrap()).unwrap();
    assert!(report.differing() < MOST && report.max_ulps() == 1, "{report}");
    let table = format!("the paper's table of 4096 x {WIDTH}, each off by a unit in the last place");
    check(&[(README, format!("fewer than {MOST} of the 2,097,152 in {table}"))]);
}

/// Returns the number of entries in a cell, at least. There are four types of floats.
fn compared(kind: &str, cell: &str) -> u64 {
    assert!(kind != "differ" || cell == "0", "entries differ");
    let (least, _) = cell.split_once(" to ").unwrap_or((cell, ""));
    if kind == "each float" { 4 * digits(least) } else { digits(least) }
}

/// The flash and the stack of programs are in docs/tiers.md.
#[test]
fn sizes_of_programs_are_quoted_alike() {
    let programs = ["`Spec::encode`", "`Spec::fill`"];
    let rows = programs.map(|program| {
        let row = |program: &str| cells(TIERS, "| a program that calls |", program);
        [row(program), row(&format!("{program}, with the feature `scaling`"))]
    });
    let flash = rows.each_ref().map(|rows| rows.each_ref().map(|row| digits(&row[0])));
    let stack = rows.map(|rows| rows.map(|row| format!("{:.1} kB", digits(&row[2]) as f64 / 1e3)));
    let kilo = |bytes: u64| (bytes + 500) / 1000;
    let [[encode, encode_rules], [fill, fill_rules]] = flash.map(|flash| flash.map(kilo));
    let rules = kilo(flash[0][1] - flash[0][0]);
    let chip = cells(SMALL_MACHINES, "| processor | target |", "Cortex-M0");
    check(&[
        (README, format!("computing rows at run time adds {encode} to {fill} kB of flash")),
        (README, format!("dtype = q15)` takes {} of flash", chip[1])),
        (README, format!("(examples/microcontroller/src/main.rs) takes {}.", chip[2])),
        (README, format!("and needs {} to {} of stack", stack[0][0].trim_end_matches(" kB"), stack[1][0])),
        (README, format!("and the scaling rules of rotary embeddings take another {rules} kB of flash")),
        ("src/lib.rs", format!("about {rules} kB less flash memory")),
        (
            SMALL_MACHINES,
            format!("| {encode} kB; {encode_rules} kB with the feature `scaling` | {} |", stack[0].join("; ")),
        ),
        (SMALL_MACHINES, format!("| {fill} kB; {fill_rules} kB | {} |", stack[1].join("; "))),
    ]);
}

#[test]
fn measurements_are_quoted_alike() {
    let error = |code| cells(BENCHMARKS, "| code | entries |", code)[1].clone();
    let recipe = error("the recipe of most tutorials");
    let (candle, burn) =
        (error("candle 0.11.1, Llama 3.1's rotary cache"), error("burn 0.22.1, Llama 3.1's `RotaryEncoding`"));
    let row = |contender| cells(BENCHMARKS, "| f32, one row, d_model 512 |", contender)[0].clone();
    let middle = |contender| cells(BENCHMARKS, "| f32, 512 x 512, existing memory |", contender)[0].clone();
    let (once, prepared) = (row("posenc, `Spec::encode`"), row("posenc, `prepare(0)` once, then `encode`"));
    let set_up = digits(&once) as f64 / digits(&prepared) as f64 - 1.0;
    let [single, double] = ["f32", "f64"].map(|dtype| {
        let each = |group: &str, contender| {
            cells(BENCHMARKS, &format!("| {dtype}, {group} |"), contender)[1].parse::<f64>().unwrap()
        };
        each("1000 fractional positions x 320", "posenc, `Spec::fill_positions`") / each("4096 x 1024", "`Spec::fill`")
    });
    check(&[
        (README, format!("wrong, by up to {recipe}, and by more")),
        (CONCEPTS, format!("wrong, by up to {recipe} in the first 4096 rows")),
        (GUIDE, format!("table for Whisper differs by up to {}, and", error("candle 0.11.1, Whisper's `sinusoids`"))),
        (GUIDE, format!("and its rotary cache by up to {candle} in 8192 positions")),
        (ROTARY, format!("For Llama 3.1, candle's cache differs by up to {candle} within 8192 positions")),
        (GUIDE, format!("from which burn's own differs by up to {burn} in 2048 positions")),
        (README, format!("differs by up to {}, and", error("candle 0.11.1, Whisper's `sinusoids`"))),
        (README, format!("for Llama 3.1 by up to {candle} in 8192 positions")),
        (README, format!("`Spec::encode` of 512 columns takes {once}, because it computes the frequencies first")),
        (
            README,
            format!(
                "A loop in `f32` takes {}, or {} if it is given the frequencies.",
                row("a loop in `f32`"),
                row("a loop in `f32`, frequencies given")
            ),
        ),
        (README, format!("a row then takes {}.", row("posenc, `prepare` once, then `encode_row`"))),
        (README, format!("a copy of a finished table takes {}, and", middle("a copy of a finished table"))),
        (README, format!("computing it {}.", middle("posenc, `Spec::fill`"))),
        (RECIPES, format!("takes about {set_up:.1} times as long as the row")),
        (
            RECIPES,
            format!(
                "take {} to {} times as long per entry",
                word(&format!("{single:.0}")),
                word(&format!("{double:.0}"))
            ),
        ),
    ]);
}

/// The README's table has rows of BENCHMARKS.md, and names the machine and the day.
#[test]
fn run_times_are_copied() {
    let run = run("bench --peers");
    let parts: Vec<_> = run.split(&[',', ';']).map(str::trim).collect();
    let [date, processor, python] = [parts[0], parts[1], parts[2]];
    let bench = self::run("bench");
    assert!(bench.starts_with(&format!("{date}, {processor},")) && bench.contains(" fma avx512f"), "{bench}");
    check(&[(README, format!("({processor} with AVX-512, {python}, {date})"))]);
    let rows = rows(README, "| | time | ns per entry | ratio |");
    assert!(rows.len() > 5);
    for row in &rows[2..] {
        assert_eq!(cells(BENCHMARKS, "| 4096 x 1024, existing memory |", &row[0]), row[1..], "{}", row[0]);
    }
}

/// The README quotes the study of `docs/does_it_matter.md`.
#[test]
fn the_study_is_quoted_alike() {
    const STUDY: &str = "docs/does_it_matter.md";
    let study = read(STUDY);
    // The last cells of a row: what changes, and the same with sharp attention.
    let row = |section: &str, table: &str| {
        let (_, after) = study.split_once(section).unwrap_or_else(|| panic!("{STUDY} has no {section}"));
        let line = after.lines().find(|line| line.starts_with(&format!("| {table} |")));
        let cells: Vec<_> = line.unwrap_or_else(|| panic!("{section}: {table}")).split('|').map(str::trim).collect();
        cells.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let flips = |section, table| [5, 8].map(|cell| row(section, table)[cell].replace(" %", ""));
    let recipe = flips("Decoder with Llama 3.1's base and rule", "f32 recipe");
    let [exponents, sharp] = flips("Encoder with Whisper's table", "exponents k/h, not k/(h-1)");
    let axes = ["added, axes swapped", "rotary, axes swapped"].map(|table| flips("Encoder on 14 x 14", table));
    let percent = |cell: &String| cell.parse::<u32>().unwrap();
    let (least, most) =
        (axes.iter().flatten().map(percent).min().unwrap(), axes.iter().flatten().map(percent).max().unwrap());
    let [_, angles] = flips("Decoder with Llama 3.1's base and rule", "bf16 angles");
    let embeddings = &row("## Timesteps", "0, 1, ... 999 in bf16")[2];
    let logits = value(STUDY, "With the network in `f32`, ", '%');
    let eight_bits = value(STUDY, "255 steps per row), the f32 recipe changes ", '%');
    let sharp_eight_bits = value(STUDY, "% of the predictions, and ", '%');
    let rounding = value(STUDY, "The rounding to 8 bits itself changes ", ':');
    check(&[
        (README, format!("this changes at most {} % of the predicted tokens", recipe[1])),
        (README, format!("wrong exponents of Whisper's table change {exponents} to {sharp} %")),
        (README, format!("swapped axes of a square image {least} to {most} %")),
        (README, format!("angles in bf16 up to {angles} %")),
        (README, format!("1000 timesteps have only {embeddings} different embeddings")),
        (README, format!("{logits} % of the logits differ in a bit")),
        (README, format!("in 8 bits predict other tokens at {eight_bits} to {sharp_eight_bits} % of the positions")),
        (README, format!("The rounding to 8 bits itself changes {rounding}.")),
    ]);
}

/// Returns the line with the date and the machine above the figures of a task.
fn run(task: &str) -> String {
    value(BENCHMARKS, &format!("<!-- cargo xtask {task} -->\n\n"), '\n')
}

#[test]
fn build_times_are_copied() {
    let sizes = ["| 16 MiB:", "| 128 MiB:"];
    let build = |size, row: &str| cells(BENCHMARKS, size, row)[1].clone();
    let [literal, included] =
        ["`sinusoidal_table!`, as a literal", "`include_bytes!` of the finished bytes"].map(|row| build(sizes[0], row));
    let memory = &cells(BENCHMARKS, sizes[1], "`sinusoidal_table!`, as a literal")[3];
    let first = |row: &str| {
        ["dev", "release"]
            .map(|profile| cells(BENCHMARKS, &format!("| first build, {profile} profile"), row)[0].clone())
    };
    let [[table, in_release], [serde, serde_in_release]] =
        ["posenc, one `sinusoidal_table!(128, 64)`", "serde with `derive`"].map(first);
    check(&[
        (README, format!("with a table takes {table} s, and {serde} s with serde's `derive` instead")),
        (README, format!("in the release profile, {in_release} s and {serde_in_release} s.")),
        (MACRO, format!("With a literal of 16 MiB a build takes {literal} s, and with `include_bytes!`")),
        (MACRO, format!("of the same bytes {included} s")),
        (MACRO, format!("a literal of 128 MiB the compiler needs {memory} MiB of memory")),
    ]);
}

fn files(folder: &str) -> usize {
    fs::read_dir(root().join(folder)).unwrap().count()
}

/// Returns the number of rows of a table in the docs of a source file.
fn rows_of_docs(file: &str, table: &str) -> usize {
    let text = read(file);
    let rows = text.lines().skip_while(|line| !line.starts_with(table)).take_while(|line| line.starts_with("//! |"));
    rows.count() - 2
}
