//! The command line: one file per subcommand.
//!
//! Exit codes: 0 done, 1 a negative answer, 2 wrong usage, 3 an internal failure.

mod analyse;
mod bench;
#[cfg(unix)]
mod compliance;
mod exit;
mod goose;
#[cfg(feature = "gui")]
mod gui;
mod interrupt;
pub(crate) mod live;
mod matches;
mod output;
mod pairs;
mod params;
mod perft;
mod play;
mod rules;
mod ruleset;
mod schema;
mod solve;
mod table;
mod tournament;
mod tune;

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use exit::Status;
use output::{Escaped, escaped};
use reynard_engine::protocol;
use reynard_engine::session::Engine;
use reynard_engine::session::options_file::OptionsFile;

/// An engine for Fox & Geese and its family, peg solitaire, The Game (1971) and the Game of the Goose.
///
/// Without a subcommand reynard is an engine: it reads commands (UGI, UCI or XBoard) from standard input and answers
/// on standard output, as graphical programs and tournament managers expect. Type `help` there to see the commands.
#[derive(Parser)]
#[command(name = "reynard", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  reynard gui                              the board in your browser
  reynard play                             play the geese of masters-15 against the engine
  reynard rules list --all                 every game it knows
  reynard rules show siege                 the rules and the board of one of them
  reynard match --games 4                  let the two search methods meet
  reynard tournament run first.json        a tournament from a file, with statistics per side
  reynard perft masters-15 6               count the positions six plies ahead
  reynard table build bell-13 --geese 7    solve every position with up to seven geese";

#[derive(Subcommand)]
enum Command {
    /// Play a game against the engine in this terminal
    Play(play::PlayArgs),
    /// Play, analyse and watch games on a board in your browser
    #[cfg(feature = "gui")]
    Gui(gui::GuiArgs),
    /// Look at the games: list them, show one, check a file of your own
    Rules(rules::RulesArgs),
    /// Count the leaves of the game tree, the standard check of a move generator
    Perft(perft::PerftArgs),
    /// Annotate the games of a file with values, marks and better moves
    Analyse(analyse::AnalyseArgs),
    /// Solve a peg solitaire problem, prove that it cannot be solved, or count the solutions
    Solve(solve::SolveArgs),
    /// Let two configurations of the engine play games against each other
    Match(Box<matches::MatchArgs>),
    /// Search better values for the engine's numeric options, or learn its evaluation
    Tune(tune::TuneArgs),
    /// Chances of the Game of the Goose: length, winners, visits, hazards
    Goose(goose::GooseArgs),
    /// Let engines and configurations play tournaments, with statistics per side
    Tournament(tournament::TournamentArgs),
    /// Tables of perfect play: build, verify, count, ask, and see who wins
    Table(table::TableArgs),
    /// Count the nodes of a fixed search, or measure the speed of this machine
    Bench(bench::BenchArgs),
    /// Check step by step whether a program keeps to the protocol, UGI or UCI
    #[cfg(unix)]
    Compliance(compliance::ComplianceArgs),
    /// List the parameters of the searchers and of the evaluation, with their ranges
    Params(params::ParamsArgs),
    /// Print the JSON Schema of specs and rulesets, by which editors check and complete them
    Schema(schema::SchemaArgs),
    /// Print a script that lets your shell complete reynard's subcommands and options
    Completions(CompletionsArgs),
}

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupt::outlive_full_files();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Commands as whole arguments, as OpenBench gives them.
    let words = arguments.get(1..).unwrap_or_default().iter().map(|argument| argument.to_str().unwrap_or_default());
    if let [command, "quit"] | [command] = words.collect::<Vec<_>>()[..]
        && command.starts_with("genfens")
    {
        return exit::code(tournament::openings::genfens(command, &mut io::stdout().lock()));
    }
    let arguments = match matches::cutechess::in_our_words(arguments) {
        Ok(arguments) => arguments,
        Err(refusal) => return exit::code(Err(refusal.into())),
    };
    match Cli::try_parse_from(arguments) {
        Ok(cli) => exit::code(answer(cli)),
        Err(refusal) => {
            let text = refusal.render().to_string();
            // A closed pipe is no reason to complain.
            let _ = match escaped(&text) {
                plain if plain == text => refusal.print(),
                escaped => write!(io::stderr(), "{escaped}"),
            };
            ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(exit::USAGE))
        }
    }
}

fn answer(cli: Cli) -> anyhow::Result<Status> {
    let Some(command) = cli.command else { return serve(&cli.engine) };
    let out = &mut Escaped(BufWriter::new(io::stdout().lock()));
    let status = dispatch(command, out)?;
    out.flush()?;
    Ok(status)
}

fn dispatch(command: Command, out: &mut dyn Write) -> anyhow::Result<Status> {
    match command {
        Command::Rules(args) => rules::run(&args, out),
        Command::Play(args) => play::run(&args),
        #[cfg(feature = "gui")]
        Command::Gui(args) => gui::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Analyse(args) => analyse::run(&args, out),
        Command::Solve(args) => solve::run(&args, out),
        Command::Goose(args) => goose::run(&args, out),
        Command::Tournament(args) => tournament::run(&args, out),
        Command::Match(args) => matches::run(&args, out),
        Command::Table(args) => table::run(&args, out),
        Command::Tune(args) => tune::run(&args, out),
        #[cfg(unix)]
        Command::Compliance(args) => compliance::run(&args, out),
        Command::Params(args) => params::run(&args, out),
        Command::Schema(args) => schema::run(&args, out),
        Command::Completions(args) => write_completions(args.shell, out),
    }
}

#[derive(Args)]
struct EngineArgs {
    /// Start the engine with the game of this ruleset file
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Start the engine with the settings of this file, for example one that a tuning has written
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
}

const GREETING: &str = concat!(
    "reynard ",
    env!("CARGO_PKG_VERSION"),
    ": this is the engine, it waits for commands. Type 'help' for a list, 'quit' to leave, or start 'reynard play'."
);

/// The engine that speaks a text protocol over standard input and output.
fn serve(args: &EngineArgs) -> anyhow::Result<Status> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it sets a number. Otherwise the memory of each thread takes 64 MiB of a limited address space.
    unsafe {
        nix::libc::mallopt(nix::libc::M_ARENA_MAX, 1)
    };
    let mut engine = Engine::new()?;
    if let Some(path) = &args.options {
        let file = OptionsFile::read(path)?;
        engine.load(&file).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.rules {
        let path = path.to_str().context("the name of the ruleset file is not valid UTF-8")?;
        engine.set_option("RulesFile", Some(path))?;
    }
    let mut out = io::stdout();
    if io::stdin().is_terminal() && out.is_terminal() {
        writeln!(out, "{GREETING}")?;
    }
    protocol::serve(io::stdin(), &mut out, engine);
    Ok(Status::Done)
}

/// Print a script that lets your shell complete reynard's subcommands and options.
///
/// For bash: reynard completions bash > ~/.local/share/bash-completion/completions/reynard
#[derive(Args)]
struct CompletionsArgs {
    /// The shell that will read the script
    shell: Shell,
}

fn write_completions(shell: Shell, out: &mut dyn Write) -> anyhow::Result<Status> {
    // The generator panics when a pipe is closed, so it writes into memory first.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "reynard", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}
