//! `reynard match`: two configurations of the engine play each other.

mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;
use clap::{ArgGroup, Args};
use serde_json::json;

use super::exit::{Status, UsageError};
use super::ruleset::RulesetOption;
use crate::engine::options::is_rules_option;
use crate::engine::registry::{self, RulesetChoice, RulesetSource};
use crate::rules::Turn;
use crate::tournament::TournamentSpec;
use crate::tournament::fixture::Next;
use crate::tournament::mistakes::Assessor;
use crate::tournament::record::FinishedGame;
use crate::tournament::runner::{self, Director, RunError};
use crate::tournament::schedule::Schedule;
use crate::tournament::spec::{
    EngineSpec, Format, Limits, LoadedSpec, Openings, ProgramSpec, RulesetObject, RulesetSpec, defaults,
};
use crate::tournament::standings::Standings;

/// Let two configurations of the engine, A and B, play games against each other.
///
/// They swap sides every game, and games 1 and 2, 3 and 4, ... start from the same random opening. The result is
/// printed overall and per side, because in these games the sides are far from equal.
#[derive(Args)]
#[command(group = ArgGroup::new("pace").multiple(false))]
pub(super) struct MatchArgs {
    #[command(flatten)]
    ruleset: RulesetOption,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Options of player A, comma-separated, for example "Searcher=alphabeta,Hash=16"
    #[arg(long, value_name = "OPTIONS", default_value = "Searcher=alphabeta")]
    a: MatchOptions,
    /// Options of player B
    #[arg(long, value_name = "OPTIONS", default_value = "Searcher=mcts")]
    b: MatchOptions,
    /// Time for every move, in milliseconds [default: 100]
    #[arg(long, value_name = "MS", group = "pace", value_parser = clap::value_parser!(u64).range(1..=LONGEST_MS))]
    movetime: Option<u64>,
    /// Nodes (for mcts: iterations) for every move, instead of a time; makes the match reproducible
    #[arg(long, value_name = "N", group = "pace", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Nodes for every move of player B, when it is to get more or less than A
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes_b: Option<u64>,
    /// Plies of search depth for every move, instead of a time
    #[arg(long, value_name = "N", group = "pace", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// A clock for the whole game: milliseconds at the start and gained with every move, for example 10000+100
    #[arg(long, value_name = "MS+MS", group = "pace", value_parser = parse_clock)]
    clock: Option<Limits>,
    /// Random moves at the start of every game, so that the games differ
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=200))]
    openings_plies: u32,
    /// Seed of the openings and of the players' own random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A game of so many plies ends as a draw, a puzzle as not solved [default: 400; with dice, whose rolls are plies
    /// too, 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: Option<u32>,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Folder of tables of perfect play, by which the players' mistakes are counted; the players get tables of their
    /// own by their option TablePath
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Run the players as two processes of their own that are spoken to in the text protocol (UGI)
    #[arg(long)]
    through_protocol: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// A day.
const LONGEST_MS: u64 = 86_400_000;

/// `NAME=VALUE,...`
#[derive(Clone, Debug)]
struct MatchOptions {
    text: String,
    pairs: Vec<(String, String)>,
}

impl std::str::FromStr for MatchOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = |item: &str| match item.split_once('=') {
            Some((name, _)) if is_rules_option(name.trim()) => Err(format!(
                "'{}' changes the rules, which both players share: use --ruleset, --rules and --set",
                name.trim()
            )),
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
            _ => Err(format!("'{item}' is not NAME=VALUE; an example is Searcher=mcts,Hash=16")),
        };
        let items = text.split(',').filter(|item| !item.trim().is_empty());
        Ok(MatchOptions { text: text.to_owned(), pairs: items.map(pair).collect::<Result<_, _>>()? })
    }
}

fn parse_clock(text: &str) -> Result<Limits, String> {
    let refuse = || "expected milliseconds as BASE+INCREMENT, at most a day each, for example 10000+100".to_owned();
    let (base, increment) = text.split_once('+').ok_or_else(refuse)?;
    let time = |text: &str| text.parse().ok().filter(|&ms: &u64| ms <= LONGEST_MS).ok_or_else(refuse);
    Ok(Limits { clock_ms: Some(time(base)?), increment_ms: Some(time(increment)?), ..Limits::default() })
}

/// How late a move may be that has its own time: these players are not to lose by the load of the machine.
const MOVETIME_MARGIN_MS: u64 = 10_000;

impl MatchArgs {
    fn limits(&self) -> Limits {
        let MatchArgs { nodes, depth, .. } = *self;
        let is_untimed = nodes.is_some() || depth.is_some();
        let movetime_ms = self.movetime.or((!is_untimed).then_some(100));
        self.clock.unwrap_or(Limits { nodes, depth, movetime_ms, ..Limits::default() })
    }

    /// What A and B may spend.
    fn both_limits(&self) -> [Limits; 2] {
        let nodes_b = self.nodes_b.map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
        [self.limits(), nodes_b.unwrap_or(self.limits())]
    }

    /// The match as a tournament; `has_dice` makes for longer games.
    fn spec(&self, has_dice: bool) -> TournamentSpec {
        // This program, in processes of its own.
        let program = ProgramSpec { command: "reynard".into(), ..ProgramSpec::default() };
        let program = self.through_protocol.then_some(program);
        let [limits_a, limits_b] = self.both_limits();
        let engine = |name: &str, options: &MatchOptions, limits: Limits| EngineSpec {
            name: name.to_owned(),
            program: program.clone(),
            options: options.pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect(),
            limits: Some(limits),
            ..EngineSpec::default()
        };
        // A game of which the opening is the whole is over when the players would begin.
        let max_plies = self.max_plies.unwrap_or(if has_dice { 10_000 } else { defaults::max_plies() });
        let ruleset = RulesetSpec::Choice(ruleset_object(self.ruleset.choice()));
        let engines = vec![engine("A", &self.a, limits_a), engine("B", &self.b, limits_b)];
        TournamentSpec {
            name: "match".to_owned(),
            openings: match self.openings_plies.min(max_plies - 1) {
                0 => Openings::None,
                plies => Openings::Random { plies, balance: None },
            },
            tables: self.tables.clone(),
            time_margin_ms: if self.clock.is_some() { 0 } else { MOVETIME_MARGIN_MS },
            seed: self.seed,
            max_plies,
            concurrency: self.concurrency as usize,
            ..TournamentSpec::new(vec![ruleset], engines, Format::Match, u64::from(self.games.div_ceil(2)))
        }
    }
}

fn ruleset_object(choice: RulesetChoice) -> RulesetObject {
    let (name, file) = match choice.source {
        RulesetSource::Catalog(name) => (Some(name), None),
        RulesetSource::File(path) => (None, Some(path)),
    };
    let set = choice.switches.into_iter().map(|(key, value)| (key, json!(value))).collect();
    RulesetObject { name, file, set }
}

/// Refuses options before any game: players in processes would only lose by them.
fn check_options(args: &MatchArgs) -> Result<(), UsageError> {
    for (player, options) in [("A", &args.a), ("B", &args.b)] {
        let mut known = registry::default_options();
        for (name, value) in &options.pairs {
            known.set(name, Some(value)).map_err(|error| UsageError(format!("player {player}: {error}")))?;
        }
    }
    Ok(())
}

pub(super) fn run(args: &MatchArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let session = registry::open(&args.ruleset.choice())?;
    let (ruleset, has_dice) = (session.ruleset().to_owned(), session.turn() == Turn::Chance);
    check_options(args)?;
    let loaded = LoadedSpec::new(args.spec(has_dice), Path::new("."), "match");
    let loaded = loaded.map_err(|error| UsageError(error.to_string()))?;
    let (resolved, header) = loaded.resolve().map_err(|error| UsageError(error.to_string()))?;
    if !args.json {
        let limits = match args.both_limits() {
            [a, b] if a == b => a.to_string(),
            [a, b] => format!("A {a}, B {b}"),
        };
        writeln!(out, "{ruleset}: A against B, {} game(s), {limits}", args.games)?;
        out.flush()?;
    }
    let start = Instant::now();
    let mut schedule = Schedule::of(&header)?;
    let mut director = MatchDirector {
        // A match has no rounds: who won does not matter for what comes.
        fixtures: (0..u64::from(args.games)).map(|game| schedule.fixture(game)),
        standings: Standings::new(&header),
        assessor: resolved.tables.as_ref().map(|folder| Assessor::new(&header, folder)).transpose()?,
        out: (!args.json).then_some(&mut *out),
    };
    let concurrency = loaded.spec.concurrency.min(args.games as usize);
    runner::run(&resolved, concurrency, &AtomicBool::new(false), &mut director).map_err(|error| match error {
        RunError::Director(error) => error,
        other => anyhow!("{other}"),
    })?;
    let summary = director.standings.summary();
    if args.json {
        let mut report = report::json([&args.a.text, &args.b.text], &summary);
        report["ruleset"] = json!(ruleset);
        report["seconds"] = json!(start.elapsed().as_secs_f64());
        writeln!(out, "{report}")?;
    } else {
        report::print([&args.a.text, &args.b.text], &summary, out)?;
    }
    Ok(Status::Done)
}

/// Plays fixtures and tells of each game as soon as it is over.
struct MatchDirector<'a, F> {
    fixtures: F,
    standings: Standings,
    /// Counts mistakes.
    assessor: Option<Assessor>,
    out: Option<&'a mut dyn Write>,
}

impl<F: Iterator<Item = Next>> Director for MatchDirector<'_, F> {
    type Error = anyhow::Error;

    fn next(&mut self) -> Next {
        self.fixtures.next().unwrap_or(Next::End)
    }

    fn finished(&mut self, games: Vec<FinishedGame>) -> anyhow::Result<()> {
        for game in games {
            self.standings.add(&game.record, &game.times.move_us);
            let assessment =
                self.assessor.as_mut().map(|assessor| assessor.assess(&game.record)).transpose()?.flatten();
            if let Some(assessment) = assessment {
                self.standings.add_assessment(&game.record, &assessment);
            }
            if let Some(out) = &mut self.out {
                report::tell(&game.record, *out)?;
            }
        }
        Ok(())
    }
}
