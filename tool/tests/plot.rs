//! `posenc plot` and `posenc compare --plot`: what is drawn, as text and in files.

use std::fs::{self, File};
use std::io::BufReader;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use testkit::one_in;

use crate::common::{Folder, Ran, write_npy};

const DIRECT: [(&str, &str); 2] = [("CLICOLOR_FORCE", "1"), ("COLORTERM", "truecolor")];
const PALETTE: [(&str, &str); 2] = [("CLICOLOR_FORCE", "1"), ("TERM", "xterm-256color")];

/// Draws into this many columns and lines.
fn sized(folder: &Folder, size: [&str; 2], variables: &[(&str, &str)], line: &str) -> Ran {
    let size = ["COLUMNS", "LINES"].into_iter().zip(size);
    folder.posenc_with(line, &size.chain(variables.iter().copied()).collect::<Vec<_>>())
}

/// Three rows from the least entry to the greatest.
fn small(folder: &Folder) {
    write_npy(&folder.path("pe.npy"), &[3, 2], &[-2.0_f32, 2.0, 0.0, 1.0, -1.0, 0.0]);
}

/// `--size` is the room for the picture, whatever the terminal has.
#[test]
fn the_size_of_a_picture_is_given() {
    let folder = Folder::new();
    small(&folder);
    let told = sized(&folder, ["40", "12"], &[], "plot pe.npy").done().out();
    assert_eq!(sized(&folder, ["90", "30"], &[], "plot pe.npy --size 40x12").done().out(), told);
    folder.posenc("plot -n 300 -d 128 -o pe.png --size 64x100").done();
    let drawn = folder.posenc("plot -n 300 -d 128 -o pe.png --size 64x100 --json").done().out();
    assert!(drawn.contains("\"rows_per_pixel\": 3") && drawn.contains("\"columns_per_pixel\": 2"), "{drawn}");
    for wrong in ["0x9", "9", "9x8193", "axb", "9x9x9"] {
        folder
            .posenc(&format!("plot pe.npy --size {wrong}"))
            .refused("but must be a width and a height from 1 to 8192");
    }
}

#[test]
fn a_table_is_drawn_in_characters() {
    let folder = Folder::new();
    small(&folder);
    let ran = sized(&folder, ["40", "12"], &[], "plot pe.npy").done();
    let expected = "\
pe.npy: 3 x 2 f32
     column
row  0                1
  0  .................@@@@@@@@@@@@@@@@@
     .................@@@@@@@@@@@@@@@@@
     +++++++++++++++++#################
     +++++++++++++++++#################
  2  -----------------+++++++++++++++++
     -----------------+++++++++++++++++
     entry: -2 ..::--===+ 0 +***##%%@@ 2
";
    assert_eq!(ran.out(), expected);
}

#[test]
fn a_table_is_drawn_in_colours() {
    let folder = Folder::new();
    small(&folder);
    let drawn = |variables: &[_]| sized(&folder, ["11", "8"], variables, "plot pe.npy").done().out();
    let expected = "\
pe.npy: ...
     column
row  0   1
  0  \x1b[38;2;5;48;97m\x1b[48;2;247;247;247m▀▀▀▀\x1b[38;2;103;0;31m\x1b[48;2;229;131;104m▀▀▀▀\x1b[0m
     \x1b[38;2;107;172;209m▀▀▀▀\x1b[38;2;247;247;247m▀▀▀▀\x1b[0m
     entry: -2 \x1b[38;2;5;48;97m\x1b[48;2;5;48;97m▀\x1b[0m 0 \x1b[38;2;103;0;31m\x1b[48;2;103;0;31m▀\x1b[0m 2
";
    assert_eq!(drawn(&DIRECT), expected);
    let expected = "\
pe.npy: ...
     column
row  0   1
  0  \x1b[38;5;17m\x1b[48;5;231m▀▀▀▀\x1b[38;5;52m\x1b[48;5;167m▀▀▀▀\x1b[0m
     \x1b[38;5;110m▀▀▀▀\x1b[38;5;231m▀▀▀▀\x1b[0m
     entry: -2 \x1b[38;5;17m\x1b[48;5;17m▀\x1b[0m 0 \x1b[38;5;52m\x1b[48;5;52m▀\x1b[0m 2
";
    assert_eq!(drawn(&PALETTE), expected);
}

#[test]
fn colours_are_left_out_on_request() {
    let folder = Folder::new();
    for refusal in [("NO_COLOR", "1"), ("CLICOLOR_FORCE", ""), ("COLORTERM", "")] {
        let variables = [&DIRECT[..], &[refusal]].concat();
        let ran = folder.posenc_with("plot --seq-len 9 --d-model 8", &variables).done();
        assert!(ran.out().is_ascii(), "{refusal:?}");
    }
}

#[test]
fn the_size_is_respected() {
    let folder = Folder::new();
    for (columns, lines) in [(60, 20), (80, 24), (120, 40), (200, 50)] {
        for (next, variables) in [&DIRECT[..], &PALETTE, &[]].into_iter().enumerate() {
            let tables = ["--seq-len 1500 --d-model 384", "--seq-len 7 --d-model 3", "--seq-len 100000 --d-model 1"];
            for table in tables.into_iter().skip(next % one_in(3)).step_by(one_in(3)) {
                let size = [columns, lines].map(|size| size.to_string());
                let ran = sized(&folder, [&size[0], &size[1]], variables, &format!("plot {table}")).done();
                let out = ran.out();
                let widths = out.lines().map(|line| without_colours(line).chars().count());
                assert!(widths.max().unwrap() <= columns && out.lines().count() < lines, "{table}\n{out}");
                // Nothing that follows a line has its colours.
                let left = out.lines().filter(|line| line.contains('\x1b') && !line.contains("\x1b[0m"));
                assert_eq!(left.count(), 0, "{table}");
            }
        }
    }
}

fn without_colours(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

#[test]
fn a_long_table_is_drawn_in_means() {
    let folder = Folder::new();
    let entries: Vec<f32> = (0..6000).map(|i| if i / 100 < 30 { 1.0 } else { (i % 2) as f32 * 2.0 - 1.0 }).collect();
    write_npy(&folder.path("pe.npy"), &[60, 100], &entries);
    let ran = sized(&folder, ["56", "16"], &[], "plot pe.npy").done();
    let out = ran.out();
    let (ones, zeros) = (format!("  {}\n", "@".repeat(50)), format!("  {}\n", "+".repeat(50)));
    assert_eq!((out.matches(&ones).count(), out.matches(&zeros).count()), (5, 5), "{out}");
    assert!(out.contains("each pixel: mean of 6 x 2 entries"), "{out}");
}

/// The columns on the right, whose waves are longer than a block, are those of a table with fewer rows at a larger step.
#[test]
fn a_sample_of_a_very_long_table_is_drawn() {
    let folder = Folder::new();
    let drawn = |line: &str| {
        let out = sized(&folder, ["100", "24"], &[], &format!("plot -d 64 --base 1e16 {line}")).done().out();
        let lines: Vec<_> = out.lines().map(str::to_owned).collect();
        let right: Vec<_> = lines[3..21].iter().map(|line| line[line.len() - 10..].to_owned()).collect();
        (right, lines.last().unwrap().trim().to_owned())
    };
    let (sampled, told) = drawn("-n 100000000000000");
    assert_eq!(told, "each pixel: mean of 64 x 1 of 5555555555556 x 1 entries");
    let (whole, told) = drawn("-n 100000 --step 1000000000");
    assert_eq!(told, "each pixel: mean of 5556 x 1 entries");
    assert_eq!(sampled, whole);
    assert!(whole.concat().contains('.') && whole.concat().contains('@'), "{whole:?}");
}

#[test]
fn entries_that_are_not_finite_are_marked() {
    let folder = Folder::new();
    write_npy(&folder.path("pe.npy"), &[2, 2], &[f64::NAN, 1e308, f64::NEG_INFINITY, -1e308]);
    let ran = sized(&folder, ["13", "8"], &[], "plot pe.npy").done();
    ran.says("  0  ????@@@@\n     ????....\n").says("-1e308").says("?: not finite");
    let ran = sized(&folder, ["80", "8"], &DIRECT, "plot pe.npy").done();
    ran.says("[38;2;255;0;255m").says("magenta: not finite");
}

#[test]
fn the_table_may_be_that_of_a_config_or_of_positions() {
    let folder = Folder::new();
    folder.write("config.json", r#"{"model_type": "whisper", "d_model": 384, "max_source_positions": 1500}"#);
    let given = folder.posenc("plot --preset whisper -n 1500 -d 384").done().out();
    assert_eq!(folder.posenc("plot --config config.json").done().out(), given);
    folder.posenc("table --preset whisper -n 1500 -d 384 -o pe.npy").done();
    let of_file = folder.posenc("plot pe.npy").done().out();
    let entries = |out: String| out.split_once('\n').unwrap().1.to_owned();
    assert_eq!(entries(of_file), entries(given));
    let (first, listed) = ("plot -n 3 -d 4 --start 5", "plot --positions 5,6,7 -d 4");
    assert_eq!(entries(folder.posenc(listed).done().out()), entries(folder.posenc(first).done().out()));
}

#[test]
fn differences_are_drawn_after_the_report() {
    let folder = Folder::new();
    let exact = posenc::Spec::new(4).table::<f32>(6).unwrap();
    let mut entries = exact.into_vec();
    write_npy(&folder.path("same.npy"), &[6, 4], &entries);
    let report = folder.posenc("compare same.npy").done().out();
    assert_eq!(folder.posenc("compare --plot same.npy").done().out(), report);
    entries[2] += 1.0;
    entries[7] -= 1e-4;
    entries[23] = f32::INFINITY;
    write_npy(&folder.path("pe.npy"), &[6, 4], &entries);
    let report = folder.posenc("compare pe.npy").status(1).out();
    let ran = sized(&folder, ["80", "12"], &[], "compare --plot pe.npy").status(1);
    let blank = |n: usize| " ".repeat(18 * n);
    let expected = format!(
        "{report}
|difference|, the largest: 6 x 4 f32
     column
row  0{0}1{0}2{0}3
  0  {1}{2}{3}
     {4}{5}
     {6}
     {6}
     {6}
  5  {4}{7}
     |difference|, logarithmic: 1e-4 ..:::---===+ 0.01 +***###%%%@@ 1
     blank: 0; ?: not finite
",
        &blank(1)[1..],
        blank(2),
        "@".repeat(18),
        blank(1),
        blank(3),
        ".".repeat(18),
        blank(4),
        "?".repeat(18)
    );
    assert_eq!(ran.out(), expected);
}

/// Reads a PNG as its width and its pixels.
fn read_png(bytes: impl std::io::BufRead + std::io::Seek) -> (usize, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(bytes).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width as usize, pixels.as_chunks().0.to_vec())
}

#[test]
fn a_png_has_the_colours_of_the_entries() {
    let folder = Folder::new();
    small(&folder);
    folder.posenc("plot pe.npy -o pe.PNG").done();
    let (width, pixels) = read_png(BufReader::new(File::open(folder.path("pe.PNG")).unwrap()));
    // The map is where its first colour is, and each side is at least 512 pixels long.
    let first = pixels.iter().position(|&pixel| pixel == [5, 48, 97]).unwrap();
    let at = |row: usize, column: usize| pixels[first + (row * 171 + 170) * width + column * 256 + 255];
    assert_eq!([at(0, 0), at(0, 1)], [[5, 48, 97], [103, 0, 31]]);
    assert_eq!([at(1, 0), at(1, 1)], [[247, 247, 247], [229, 131, 104]]);
    assert_eq!([at(2, 0), at(2, 1)], [[107, 172, 209], [247, 247, 247]]);
    // The title is dark on white, and the axes are black.
    let title = &pixels[..28 * width];
    assert!(title.iter().any(|&[red, ..]| red < 100) && title.contains(&[255; 3]));
    assert!(pixels[28 * width..first].contains(&[0; 3]));
    let ran = folder.posenc("plot --seq-len 1000 --d-model 8 -o long.png").done();
    assert!(ran.err().starts_with("long.png: ") && ran.out().is_empty(), "{}", ran.err());
}

#[test]
fn an_svg_has_the_pixels_as_an_image() {
    let folder = Folder::new();
    write_npy(&folder.path("a<&>b.npy"), &[3, 2], &[-2.0_f32, 2.0, 0.0, 1.0, -1.0, 0.0]);
    folder.posenc("plot 'a<&>b.npy' -o pe.svg").done();
    let svg = fs::read_to_string(folder.path("pe.svg")).unwrap();
    assert_eq!(open_elements(&svg), Vec::<String>::new());
    assert!(svg.contains(">a&lt;&amp;&gt;b.npy: 3 x 2 f32</text>"), "{svg}");
    assert!(svg.contains("width=\"512\" height=\"513\" preserveAspectRatio"), "{svg}");
    let encoded = svg.split("base64,").nth(1).unwrap().split('"').next().unwrap();
    let (width, pixels) = read_png(std::io::Cursor::new(STANDARD.decode(encoded).unwrap()));
    let colours = [[5, 48, 97], [103, 0, 31], [247, 247, 247], [229, 131, 104], [107, 172, 209], [247, 247, 247]];
    assert_eq!((width, &pixels[..]), (2, &colours[..]));
}

/// Returns the elements of an XML document that are not closed. Panics if one is closed that is not open.
fn open_elements(xml: &str) -> Vec<String> {
    let mut open = Vec::new();
    for part in xml.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        assert!(tag.matches('"').count().is_multiple_of(2) && !text.contains('>'), "{part}");
        let name = tag.split_whitespace().next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    open
}

#[test]
fn mistakes_leave_nothing_behind() {
    let folder = Folder::new();
    let refused = |line: &str, words: &str| folder.posenc(&format!("plot {line}")).refused(words);
    let ending = "does not determine the format; use the extension .png or .svg";
    for file in ["pe", "pe.pdf", "-"] {
        refused(&format!("--seq-len 2 --d-model 2 -o {file}"), &format!("the file name `{file}` {ending}"));
    }
    refused("--seq-len 2", "--d-model is missing; set it, or use --config");
    refused("-o pe.png", "there is no table to draw; give a file, or the options of a table, such as --preset");
    refused("--seq-len 0 --d-model 2 -o pe.png", "the table has no rows, but must have at least 1 to be drawn");
    refused("--seq-len 2 --d-model 0 -o pe.png", "`d_model` is 0");
    refused("pe.npy", "`pe.npy` cannot be opened");
    refused("pe.npy --seq-len 2", "cannot be used with '--seq-len <N>'");
    refused("pe.npy --base 2", "cannot be used with '--base <X,..>'");
    refused("--name pe --seq-len 2 --d-model 2", "cannot be used with");
    refused("--seq-len 2 --d-model 2 -o none/pe.png", "cannot write `none/pe.png`");
    assert!(folder.names().is_empty());
    folder.write("pe.txt", "0.0 1.0");
    refused("pe.txt", "`pe.txt` is neither a .npy");
    write_npy::<f32>(&folder.path("none.npy"), &[0, 4], &[]);
    refused("none.npy", "the table has no rows");
}
