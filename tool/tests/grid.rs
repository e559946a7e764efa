//! `posenc grid`: its files are read back, and mistakes are told in the library's sentences.

use std::fs;

use posenc::{Element, Grid, GridPreset, Nest, Order, Rest};

use crate::common::Folder;

/// Runs `posenc grid` with these options, and checks the file against a grid of the library.
#[track_caller]
fn check<T: Element + npyz::Deserialize, const A: usize>(folder: &Folder, options: &str, grid: &Grid<A>) {
    let ran = folder.posenc(&format!("grid {options} -o grid.npy")).done();
    let npy = npyz::NpyFile::new(fs::File::open(folder.path("grid.npy")).unwrap()).unwrap();
    assert_eq!(npy.shape(), [grid.rows() as u64, grid.d_model() as u64], "{options}");
    let equal = npy.into_vec::<T>().unwrap() == grid.table::<T>().unwrap().into_vec();
    assert!(equal, "{options}: {grid}\n{}", ran.err());
    // The call is that of the grid, with the type unless it is `f32`.
    let call = grid.to_string();
    assert!(ran.err().contains(call.strip_suffix(')').unwrap()), "{options}: {grid}\n{}", ran.err());
}

#[test]
fn grids_are_read_back() {
    let folder = Folder::new();
    let mae = Grid::preset(GridPreset::Mae, [3, 4], 16);
    check::<f32, 2>(&folder, "--shape 3x4 --d-model 16 --preset mae", &mae);
    check::<f64, 2>(&folder, "--shape 3,4 --d-model 16 --preset MAE --zero-rows 1 --dtype f64", &mae.zero_rows(1));
    let pixart = Grid::preset(GridPreset::PixArt, [6, 2], 8).extent(64, 2);
    check::<f32, 2>(&folder, "--preset pixart --shape 6x2 --d-model 8 --extent 64/2", &pixart);
    let moco = Grid::preset(GridPreset::MocoV3, [3, 2], 8).first([1, 0]);
    check::<f32, 2>(&folder, "--preset moco-v3 --shape 3x2 --d-model 8 --first h,w", &moco);
    check::<f32, 1>(&folder, "--shape 5 --d-model 6 --start -2", &Grid::new([5], 6).start([-2]));
}

#[test]
fn every_option_is_that_of_the_library() {
    let folder = Folder::new();
    let video = Grid::new([2, 3, 4], 20)
        .widths([4, 6, 8])
        .rest(Rest::Zero)
        .first([0, 2, 1])
        .unit([(1, 1), (8, 15), (8, 15)])
        .start([-1, 2, 0])
        .step([1, 1, 3])
        .base([100.0, 20.0, 20.0]);
    let options = "--shape 2x3x4 --d-model 20 --widths 4,6,8 --rest zero --first t,w,h --unit 1,8/15,8/15 \
        --start -1,2,0 --step 1,1,3 --base 100,20,20";
    check::<f32, 3>(&folder, options, &video);
    let scaled = Grid::new([2, 3, 2, 2], 16)
        .nest(Nest::Frequencies)
        .order(Order::CosSin)
        .scale(0.5)
        .amplitude(-2.0)
        .step([2; 4])
        .freq_shift([1.0; 4]);
    let options = "--shape 2,3,2,2 --d-model 16 --nest frequencies --order cos-sin --scale 0.5 --amplitude -2 --step 2 \
        --freq-shift 1";
    check::<f32, 4>(&folder, options, &scaled);
}

#[test]
fn other_files_are_written_too() {
    let folder = Folder::new();
    folder.posenc("grid --shape 2x2 --d-model 4 --dtype bf16 -o grid.safetensors").done();
    let file = fs::read(folder.path("grid.safetensors")).unwrap();
    assert!(String::from_utf8_lossy(&file).contains("grid_table!((2, 2), 4, dtype = bf16)"));
    folder.posenc("grid --shape 2x2 --d-model 4 -o grid.h").done();
    let file = fs::read_to_string(folder.path("grid.h")).unwrap();
    assert!(file.contains("grid_table!((2, 2), 4)"), "{file}");
}

#[test]
fn mistakes_leave_nothing_behind() {
    let folder = Folder::new();
    let refused = |options: &str, words: &str| folder.posenc(&format!("grid {options} -o x.npy")).refused(words);
    refused("--shape 14xy --d-model 8", "`y` is not a number");
    refused("--shape 1x1x1x1x1 --d-model 8", "must be at most 4 sizes");
    refused(
        "--shape 14x14 --d-model 10",
        "`d_model` is 10, but 2 axes need a multiple of 4; use 8 or 12, or set `rest = zero` or `rest = cut`",
    );
    refused("--shape 2x2 --d-model 8 --preset cogvideox", "the axes of `preset = cogvideox` are t, h, w");
    refused("--shape 2x2 --d-model 8 --preset pixart", "`extent` is missing");
    refused("--shape 2x2 --d-model 8 --extent 2 --unit 1/2", "an extent sets the unit of each axis");
    refused("--shape 2x2 --d-model 8 --widths 2,2,4", "`widths` has 3 values, but must have 2");
    refused("--shape 2x2 --d-model 8 --first h,h", "must name each axis once: `h,w` is the order of the shape");
    refused("--shape 2x2 --d-model 8 --preset moea", "did you mean `mae`?");
    refused("--shape 2x2 --d-model 8 --preset dit", "`mae`");
    refused("--shape 2x2 --d-model 8 --base 0", "`base` is 0.0, but must be finite");
    assert!(folder.names().is_empty());
}
