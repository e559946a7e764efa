//! `posenc presets`: lists the presets, or tells about one.

use std::fmt::Write;
use std::process::ExitCode;

use posenc::__private::Value;
use posenc::__private::names::{Unknown, named};
use posenc::{Amplitude, Columns, Frequencies, Layout, Order, Pairing, Parameters, Preset, Spec, Suggestion};

use crate::args::{self, PresetsArgs};
use crate::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let text = match &args.name {
        None => all(),
        Some(name) => one(name)?,
    };
    print(&text).map(|()| ExitCode::SUCCESS)
}

/// The models and libraries of a preset, in a line.
fn models(preset: Preset) -> &'static str {
    match preset {
        Preset::Paper => "the paper, PyTorch's tutorial, Annotated Transformer, ESPnet, wenet, SpeechBrain, burn",
        Preset::Tensor2Tensor => "tensor2tensor (the paper's code), TensorFlow models, AllenNLP, MaxText, TimesFM",
        Preset::Fairseq => "fairseq, M2M100, XGLM, NLLB, Speech2Text, FSMT, SeamlessM4T; give --zero-row",
        Preset::Whisper => "Whisper's encoder (1500 rows), Qwen-Omni's audio",
        Preset::Distilbert => "DistilBERT, XLM, FlauBERT, VideoMAE",
        Preset::HfMarian => "Marian in Hugging Face, Pegasus, RoFormer, Informer, Autoformer",
        Preset::MarianNmt => "Marian itself",
        Preset::OpennmtTf => "OpenNMT-tf, CTranslate2",
        Preset::Musicgen => "MusicGen, audiocraft",
        Preset::Ddpm => "DDPM, diffusers' get_timestep_embedding by default",
        Preset::Adm => "guided-diffusion, latent diffusion, DiT, Stable Diffusion, ggml; Flux with --scale 1000",
        Preset::NemoFixed => "NeMo's FixedPositionalEncoding",
        Preset::XTransformers => "x-transformers; its amplitude is learned",
        Preset::Mlx => "MLX",
        Preset::KerasHub => "Keras Hub",
        Preset::TransformerXl => "Transformer-XL, XLNet; give --start",
        Preset::ConformerRel => "Conformer (ESPnet, NeMo), Wav2Vec2-Conformer; give --start n-1 and 2n-1 rows",
        Preset::Omega0 => "notebooks that write omega_0 for 1 / base",
        Preset::SineCodes => "notebooks with sines alone",
        Preset::Unpaired => "texts that give each column an exponent of its own",
        Preset::ListForm => "a well-known PyTorch port that makes a list of quotients",
        _ => "",
    }
}

/// The macro's keys that make the preset, those that differ from the paper's; a question mark is to be given.
fn keys(preset: Preset) -> String {
    let text = |(key, value)| match value {
        Value::Open => format!("{key} = ?"),
        value => format!("{key} = {value}"),
    };
    posenc::__private::keys(&Spec::preset(preset, 2)).map(text).collect::<Vec<_>>().join(", ")
}

/// The frequencies, the order of the columns, and what multiplies them.
fn formula(preset: Preset) -> String {
    let Parameters { frequencies, layout, order, columns, pairing, start, step, amplitude, .. } =
        Spec::preset(preset, 2).parameters();
    let shifted = matches!(frequencies, Frequencies::Geometric { freq_shift: 1.0, .. });
    let frequencies = if pairing == Pairing::Unpaired || columns != Columns::Both {
        "10000^(-j/d)"
    } else if shifted {
        "10000^(-k/(h-1))"
    } else {
        "10000^(-k/h)"
    };
    let columns = match (columns, layout, order) {
        (Columns::Sin, ..) => "sines",
        (_, Layout::Halves, Order::SinCos) => "sines, then cosines",
        (_, Layout::Halves, Order::CosSin) => "cosines, then sines",
        (_, Layout::Interleaved, Order::SinCos) => "s0 c0 s1 c1 ...",
        (_, Layout::Interleaved, Order::CosSin) => "c0 s0 c1 s1 ...",
    };
    let further = [
        (amplitude == Amplitude::RsqrtD, ", times d^(-1/2)"),
        (amplitude == Amplitude::Sqrt2OverD, ", times (2/d)^(1/2)"),
        (step == -1, ", positions descending"),
        (start == Some(1), ", from position 1"),
    ];
    let further: String = further.into_iter().filter(|(has, _)| *has).map(|(_, text)| text).collect();
    format!("{frequencies}, {columns}{further}")
}

fn all() -> String {
    let mut text = String::from("d is --d-model, h half of it, k counts pairs of columns and j columns, from 0.\n\n");
    for &preset in Preset::ALL {
        let line = writeln!(text, "{:<15}{:<58}{}", preset.name(), formula(preset), models(preset));
        line.expect("a String takes everything");
    }
    text + "\n`posenc presets NAME` tells more, and where the tables of other names are."
}

fn one(name: &str) -> Result<String, Failure> {
    let written = args::plain(name);
    match named(&written) {
        Ok(preset) => Ok(details(preset)),
        // A model's name is what most people have.
        Err(Unknown { suggestion: Some(Suggestion::Here(here)), .. }) => {
            Ok(format!("{written}: here that is {here}.\n\n{}", first_named(here, &written)))
        }
        Err(unknown) => Err(Failure::new(Unknown { written: name, ..unknown })),
    }
}

/// The details of the first preset named between backquotes, with the options that `elsewhere` has beside it.
fn first_named(text: &str, elsewhere: &str) -> String {
    let named = text.split('`').find_map(|word| word.parse().ok());
    let further = match elsewhere {
        "flux" => " --scale 1000",
        // One higher than Transformer-XL's.
        "xlnet" => " --start 512",
        _ => "",
    };
    named.map_or(String::new(), |preset| details_with(preset, further))
}

fn details(preset: Preset) -> String {
    details_with(preset, "")
}

fn details_with(preset: Preset, further: &str) -> String {
    let keys = keys(preset);
    let keys = if keys.is_empty() { "none, it is the default" } else { &keys };
    let mut text = format!("{}\n\n  table     {}\n  models    {}\n", preset.name(), formula(preset), models(preset));
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            writeln!(text, "  {name:<10}{value}").expect("a String takes everything");
        }
    };
    line("keys", keys.to_owned());
    line("same", same(preset).join(", "));
    let called = format!("`{}`", preset.name());
    let elsewhere = Preset::ELSEWHERE.iter().filter(|(_, here)| here.contains(&called)).map(|(name, _)| *name);
    line("see also", elsewhere.collect::<Vec<_>>().join(", "));
    line("command", command(preset, further));
    text
}

/// The presets with the same numbers, at an even width.
fn same(preset: Preset) -> Vec<&'static str> {
    const WIDTH: usize = 8;
    let is_same = |other| Spec::preset(other, WIDTH).is_same_table(&Spec::preset(preset, WIDTH));
    let others = Preset::ALL.iter().filter(|&&other| other != preset && is_same(other));
    others.map(|other| other.name()).collect()
}

fn command(preset: Preset, further: &str) -> String {
    let further = match preset {
        _ if !further.is_empty() => further,
        Preset::Fairseq => " --zero-row 1",
        Preset::TransformerXl => " --start 511",
        Preset::ConformerRel => " --start 256",
        _ => "",
    };
    let rows = if preset == Preset::Whisper { 1500 } else { 512 };
    format!("posenc table --preset {} --seq-len {rows} --d-model 512{further} -o pe.npy", preset.name())
}
