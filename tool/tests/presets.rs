//! `posenc presets`: every preset is listed and described, and found by the names of models.

use posenc::{GridPreset, Preset, RopePreset};

use crate::common::Folder;

#[test]
fn every_preset_is_listed_and_told() {
    let folder = Folder::new();
    let list = folder.posenc("presets").done().out();
    let headings = ["Tables: posenc table", "Rotary caches: posenc rope", "Grids: posenc grid"];
    let places = headings.map(|heading| list.lines().position(|line| line == heading).unwrap());
    assert!(places.is_sorted());
    let tables = Preset::ALL.iter().map(|preset| (0, preset.name(), "table"));
    let ropes = RopePreset::ALL.iter().map(|preset| (1, preset.name(), "rope"));
    let grids = GridPreset::ALL.iter().map(|preset| (2, preset.name(), "grid"));
    for (kind, name, command) in tables.chain(ropes).chain(grids) {
        let mut below = list.lines().skip(places[kind]);
        let line = below.find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_else(|| panic!("{name}"));
        let models = line.split("  ").last().unwrap();
        assert!(kind > 0 || (models.len() > 2 && line.contains("10000^(-")), "{line}");
        let details = folder.posenc(&format!("presets {name}")).done().out();
        // The command in the output works.
        let mut commands = details.lines().filter_map(|line| line.trim().strip_prefix("command   posenc "));
        let line = commands.find(|line| line.starts_with(command)).unwrap();
        let line = line.replace("512 -o", "16 -o").replace("--seq-len 512", "--seq-len 20");
        folder.posenc(&line.replace("--seq-len 4096", "--seq-len 4").replace("13x30x45", "3x4x5")).done();
    }
    for (name, _) in Preset::ELSEWHERE {
        folder.posenc(&format!("presets {name}")).done().says(": use ");
    }
    folder.posenc("presets flux").done().says("--preset adm --seq-len 512 --d-model 512 --scale 1000");
    folder.posenc("presets wisper").refused("did you mean `whisper`?");
}

#[test]
fn names_are_found_in_other_spellings_and_by_models() {
    let folder = Folder::new();
    for (written, name) in [("HF-Marian", "hf_marian"), ("TransformerXL", "transformer_xl"), ("Llama-3.1", "llama3_1")]
    {
        folder.posenc(&format!("presets {written}")).done().says(&format!("{name}\n"));
    }
    for (model, preset) in [
        ("openai/whisper-tiny", "use `whisper` (posenc table)"),
        ("meta-llama/Llama-3.1-8B-Instruct", "use `llama3_1` (posenc rope)"),
        ("dit", "use `mae` (posenc grid)"),
    ] {
        folder.posenc(&format!("presets {model}")).done().says(preset);
    }
    // Another version may have another table: 32,000 positions of this one are divided by 8.
    let ran = folder.posenc("presets togethercomputer/LLaMA-2-7B-32K").status(3);
    ran.says("LLaMA-2-7B-32K: begins like `llama2` (posenc rope); another version may differ.\n\n");
    let json = folder.posenc("presets microsoft/Phi-4-mini-instruct --json").status(3).out();
    assert!(json.contains(r#""use": "`phi4`""#) && json.contains(r#""certain": false"#), "{json}");
    let refused = folder.posenc("rope --preset Qwen/Qwen2.5-Math-7B -n 2 -o x.npy");
    refused.refused("it begins like `qwen2_5`; another version may differ");
    folder.posenc("presets llama4").done().says("llama4_scout").says("llama4_maverick");
    folder.posenc("presets DINOv2").refused("unknown preset `DINOv2`; `posenc presets` lists all");
    folder.posenc("presets resnet").refused("unknown preset `resnet`; `posenc presets` lists all");
    folder.posenc("table --preset HFMarian --seq-len 2 --d-model 4 -o pe.npy").done();
    folder
        .posenc("table --preset openai/whisper-tiny --seq-len 2 --d-model 4 -o x.npy")
        .refused("did you mean `whisper`?");
}

#[test]
fn every_name_that_the_list_has_is_found() {
    let folder = Folder::new();
    for (name, preset) in [
        ("speech2text", "fairseq\n"),
        ("wav2vec2-conformer", "conformer_rel\n"),
        ("latent_diffusion", "adm\n"),
        ("qwen2_5_omni", "use `whisper` (posenc table)"),
        ("qwen2_5_omni", "use `qwen2_5_vl` (posenc rope)"),
    ] {
        folder.posenc(&format!("presets {name}")).done().says(preset);
    }
    let list = folder.posenc("presets").done().out();
    let models = list.lines().filter(|line| line.starts_with("  ")).filter_map(|line| line.split("  ").last());
    let names = models.flat_map(|models| models.split([',', ';', '(', ')'])).flat_map(|part| part.split(" and "));
    let names: Vec<_> = names.map(str::trim).filter(|name| name.len() > 3 && !name.contains('\'')).collect();
    assert!(names.len() > 90, "{names:?}");
    for name in names {
        folder.posenc(&format!("presets '{name}'")).done();
    }
    folder.posenc("presets vit").refused("unknown preset `vit`; this model uses learned positions");
}

#[test]
fn a_preset_of_another_command_is_told() {
    let folder = Folder::new();
    let table = |preset: &str| folder.posenc(&format!("table -n 2 -d 4 -o pe.npy --preset {preset}"));
    table("mae").refused("unknown preset `mae`; it is one of `posenc grid`\n");
    table("llama3_1").refused("unknown preset `llama3_1`; it is one of `posenc rope`\n");
    table("resnet").refused("unknown preset `resnet`; the presets are `paper`, ");
}
