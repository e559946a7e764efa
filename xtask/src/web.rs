//! Builds the page that shows tables in the browser, serves it, and tests it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::built::posenc_command;
use crate::run::{Outcome, Run, ensure_available, find_program, has_program, remove, root, target_dir, unavailable};
use crate::{check, install};

const TARGET: &str = "wasm32-unknown-unknown";

/// The files that the page consists of.
const ENDINGS: [&str; 4] = ["css", "html", "js", "wasm"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only write the folder, which is ready to be published
    #[arg(long)]
    build: bool,
    /// The port on the loopback address
    #[arg(long, default_value_t = 8000, conflicts_with = "build")]
    port: u16,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let site = site()?;
    println!("web: the page is in {}", site.display());
    if arguments.build {
        return Ok(());
    }
    ensure_available(has_program("python3"), "there is no program `python3` to serve the page; serve the folder")?;
    println!("web: http://127.0.0.1:{}/, until Ctrl-C", arguments.port);
    let serve = Run::line("python3 -m http.server --bind 127.0.0.1 --directory");
    serve.arg(site).arg(arguments.port.to_string()).run()
}

/// The part of CI: lints, the sizes of the modules, their tests in Node, and the page in a browser.
pub(crate) fn test() -> Outcome {
    let site = site()?;
    check::clippy_of_separate("web", "--locked --workspace").run()?;
    install::programs(&["node"], &["nodejs"])?;
    script("sizes").arg(&site).run()?;
    script("wasm").arg(&site).run()?;

    let found = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find_program);
    let browser = found().or_else(|| install::debian(&["chromium"]).then(found).flatten());
    let browser = browser.ok_or_else(|| unavailable("the page is not tested: Chromium cannot be installed"))?;
    // The library that drives the browser.
    let modules = folder().join("modules");
    fs::create_dir_all(&modules)?;
    fs::copy(root().join("web/tests/package.json"), modules.join("package.json"))?;
    let installed = Run::line("npm install --silent --no-audit --no-fund --prefix").arg(&modules).run().is_ok();
    ensure_available(installed, "the page is not tested: npm cannot install playwright-core")?;
    let test = script("browser").arg(&site).arg(modules);
    test.env("CHROMIUM", browser).env("POSENC", posenc_command()?).run()
}

/// Builds the page in a folder of its own, which replaces an older one.
fn site() -> Outcome<PathBuf> {
    install::rustup("target", TARGET)?;
    install::dependencies("web/Cargo.toml", "--locked")?;
    // In a single build, each module would have the features of the other's dependencies, and be larger.
    for package in ["posenc-web", "posenc-web-files"] {
        let build = Run::line("cargo build --locked --release --manifest-path web/Cargo.toml --target").arg(TARGET);
        let build = build.args(["--package", package]).env("CARGO_TARGET_DIR", folder());
        build.env("CARGO_ENCODED_RUSTFLAGS", without_paths()).run()?;
    }
    let site = folder().join("site");
    remove(&site)?;
    fs::create_dir_all(&site)?;
    for from in [root().join("web"), folder().join(TARGET).join("release")] {
        for entry in fs::read_dir(from)? {
            let path = entry?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if let (true, Some(name)) = (ending.is_some_and(|ending| ENDINGS.contains(&ending)), path.file_name()) {
                fs::copy(&path, site.join(name))?;
            }
        }
    }
    Ok(site)
}

/// Returns flags of the compiler that keep the folders of this machine out of what is published.
fn without_paths() -> OsString {
    let home = |name, below| env::var_os(name).map(|home| Path::new(&home).join(below));
    let cargo = home("CARGO_HOME", "").or_else(|| home("HOME", ".cargo")).map(|folder| (folder, "cargo"));
    let folders = [(root().to_owned(), "posenc")].into_iter().chain(cargo);
    let flags = folders.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    // Cargo splits the flags at this character.
    flags.collect::<Vec<_>>().join("\x1f").into()
}

fn folder() -> PathBuf {
    target_dir("target").join("web")
}

fn script(name: &str) -> Run {
    Run::new("node").arg(format!("web/tests/{name}.mjs"))
}
