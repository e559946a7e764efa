//! The help: examples as they are written, man pages, and the completions of shells.

use std::process::ExitCode;

use clap::CommandFactory;
use clap::builder::{Resettable, StyledStr};

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::files::output;
use crate::text::failure::{Failure, Outcome, print};

/// Returns the command line, with examples that are as long as they are in a narrow terminal too.
///
/// clap wraps all of a help except its template.
pub(crate) fn command() -> clap::Command {
    with_examples_as_written(Cli::command()).mut_subcommands(with_examples_as_written)
}

fn with_examples_as_written(command: clap::Command) -> clap::Command {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let Some((before, examples)) = after.split_once("Examples:\n") else { return command };
    let (usage, rest) = ("{about-with-newline}\n{usage-heading} {usage}", "{all-args}{after-help}");
    let command = command.help_template(format!("{usage}\n\n{rest}\n\nExamples:\n{examples}"));
    command.after_help(Resettable::from((!before.is_empty()).then(|| StyledStr::from(before.trim_end().to_owned()))))
}

pub(crate) fn print_completions(args: &CompletionsArgs) -> Outcome {
    let mut code = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "posenc", &mut code);
    print(&String::from_utf8_lossy(&code)).map(|()| ExitCode::SUCCESS)
}

pub(crate) fn write_man_pages(args: &ManArgs) -> Outcome {
    let folder = &args.folder;
    let cannot =
        |why: &dyn std::fmt::Display| Failure::new(format_args!("cannot write to `{}`: {why}", folder.display()));
    output::check_folder(folder).map_err(|why| cannot(&why))?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(|error| cannot(&error))?;
    Ok(ExitCode::SUCCESS)
}
