//! `reynard match`: two configurations of the engine play each other.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use super::exit::{UsageError, Verdict};
use super::ruleset::RulesetOption;
use crate::engine::registry;
use crate::rules::Seat;
use crate::tournament::{self, Contestant, Count, GameReport, MatchError, MatchSpec, Pace, Tally, Venue};

/// Let two configurations of the engine, A and B, play games against each other.
///
/// They swap sides every game, and games 1 and 2, 3 and 4, ... start from the same random opening. The result is
/// printed overall and per side, because in these games the sides are far from equal.
#[derive(Args)]
#[command(group = ArgGroup::new("pace").multiple(false))]
pub struct MatchArgs {
    #[command(flatten)]
    ruleset: RulesetOption,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Options of player A, comma-separated, for example "Searcher=alphabeta,Hash=16"
    #[arg(long, value_name = "OPTIONS", default_value = "Searcher=alphabeta")]
    a: Options,
    /// Options of player B
    #[arg(long, value_name = "OPTIONS", default_value = "Searcher=mcts")]
    b: Options,
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
    clock: Option<Pace>,
    /// Random moves at the start of every game, so that the games differ
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=200))]
    openings_plies: u32,
    /// Seed of the openings and of the players' own random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A game of so many plies ends as a draw
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Run the players as two processes of their own that are spoken to in the text protocol (UGI)
    #[arg(long)]
    through_protocol: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Options that are not a player's own.
const RULE_OPTIONS: [&str; 4] = ["UCI_Variant", "Ruleset", "RuleSwitches", "RulesFile"];

/// A day.
const LONGEST_MS: u64 = 86_400_000;

/// `NAME=VALUE,...`
#[derive(Clone, Debug)]
struct Options {
    text: String,
    pairs: Vec<(String, String)>,
}

impl std::str::FromStr for Options {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = |item: &str| match item.split_once('=') {
            Some((name, _)) if RULE_OPTIONS.iter().any(|rule| rule.eq_ignore_ascii_case(name.trim())) => Err(format!(
                "'{}' changes the rules, which both players share: use --ruleset, --rules and --set",
                name.trim()
            )),
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
            _ => Err(format!("'{item}' is not NAME=VALUE; an example is Searcher=mcts,Hash=16")),
        };
        let items = text.split(',').filter(|item| !item.trim().is_empty());
        Ok(Options { text: text.to_owned(), pairs: items.map(pair).collect::<Result<_, _>>()? })
    }
}

impl std::fmt::Display for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_clock(text: &str) -> Result<Pace, String> {
    let refuse = || "expected milliseconds as BASE+INCREMENT, at most a day each, for example 10000+100".to_owned();
    let (base, increment) = text.split_once('+').ok_or_else(refuse)?;
    let time = |text: &str| match text.parse() {
        Ok(ms) if ms <= LONGEST_MS => Ok(Duration::from_millis(ms)),
        _ => Err(refuse()),
    };
    Ok(Pace::Clock { base: time(base)?, increment: time(increment)? })
}

impl MatchArgs {
    fn pace(&self) -> Pace {
        let time = Duration::from_millis(self.movetime.unwrap_or(100));
        self.clock.or(self.nodes.map(Pace::Nodes)).or(self.depth.map(Pace::Depth)).unwrap_or(Pace::MoveTime(time))
    }

    fn spec(&self) -> anyhow::Result<MatchSpec> {
        let venue = match self.through_protocol {
            true => Venue::Process(std::env::current_exe().context("cannot find the program itself")?),
            false => Venue::Session,
        };
        Ok(MatchSpec {
            ruleset: self.ruleset.choice(),
            contestants: [&self.a, &self.b].map(|options| Contestant { options: options.pairs.clone() }),
            games: self.games,
            paces: [self.pace(), self.nodes_b.map_or(self.pace(), Pace::Nodes)],
            opening_plies: self.openings_plies,
            seed: self.seed,
            max_plies: self.max_plies as usize,
            concurrency: self.concurrency as usize,
            venue,
        })
    }
}

pub fn run(args: &MatchArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let spec = args.spec()?;
    let ruleset = registry::open(&spec.ruleset)?.ruleset().to_owned();
    if !args.json {
        writeln!(out, "{ruleset}: A against B, {} game(s), {}", spec.games, paces_text(spec.paces))?;
        out.flush()?;
    }
    let start = Instant::now();
    let mut progress = Ok(());
    let tally = tournament::run(&spec, |report| {
        if !args.json && progress.is_ok() {
            progress = tell(report, out);
        }
    });
    let tally = tally.map_err(|error| match error {
        MatchError::Ruleset(error) => anyhow::Error::from(error),
        error => UsageError(error.to_string()).into(),
    })?;
    progress?;
    if args.json {
        let mut report = json_report(args, &tally);
        report["ruleset"] = json!(ruleset);
        report["seconds"] = json!(start.elapsed().as_secs_f64());
        writeln!(out, "{report}")?;
    } else {
        print_report(args, &tally, out)?;
    }
    Ok(Verdict::Done)
}

fn paces_text([a, b]: [Pace; 2]) -> String {
    if a == b { pace_text(a) } else { format!("A {}, B {}", pace_text(a), pace_text(b)) }
}

fn pace_text(pace: Pace) -> String {
    match pace {
        Pace::MoveTime(time) => format!("{} ms a move", time.as_millis()),
        Pace::Nodes(nodes) => format!("{nodes} nodes a move"),
        Pace::Depth(depth) => format!("depth {depth}"),
        Pace::Clock { base, increment } => format!("{} ms + {} ms a move", base.as_millis(), increment.as_millis()),
    }
}

/// One line as soon as a game is over.
fn tell(report: &GameReport, out: &mut dyn Write) -> io::Result<()> {
    let result = &report.result;
    let outcome = match result.winner {
        None => "draw".to_owned(),
        Some(seat) => format!("{} wins", ['A', 'B'][report.seating.contestant(seat)]),
    };
    writeln!(out, "game {}: {outcome} after {} plies, {}", report.index + 1, result.plies, result.ending.text())?;
    out.flush()
}

const SEATS: [Seat; 2] = [Seat::P1, Seat::P2];

fn print_report(args: &MatchArgs, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nA: {}\nB: {}\n", args.a, args.b)?;
    writeln!(out, "{:<24} {:>6} {:>6} {:>6} {:>6} {:>8}", "", "games", "won", "drawn", "lost", "score")?;
    for (contestant, letter) in ['A', 'B'].into_iter().enumerate() {
        print_count(&letter.to_string(), tally.total(contestant), out)?;
        for seat in SEATS {
            let label = format!("{letter} as {}", tally.side_name(seat));
            print_count(&label, tally.on_seat(contestant, seat), out)?;
        }
    }
    writeln!(out, "\nHow the games ended:")?;
    for (winner, reason, games) in tally.endings() {
        let outcome = winner.map_or("draw".to_owned(), |seat| format!("win for {}", tally.side_name(seat)));
        writeln!(out, "{games:>6}  {outcome}: {reason}")?;
    }
    writeln!(out, "Average length: {:.1} plies", tally.average_plies())
}

fn print_count(label: &str, count: Count, out: &mut dyn Write) -> io::Result<()> {
    let Count { won, drawn, lost } = count;
    let rate = count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    writeln!(out, "{label:<24} {:>6} {won:>6} {drawn:>6} {lost:>6} {rate:>8}", count.games())
}

fn json_report(args: &MatchArgs, tally: &Tally) -> Value {
    let player = |contestant: usize, options: &Options| {
        let sides = SEATS.map(|seat| (tally.side_name(seat).to_owned(), json_count(tally.on_seat(contestant, seat))));
        let mut object = json_count(tally.total(contestant));
        object["options"] = json!(options.text);
        object["sides"] = Value::Object(sides.into_iter().collect());
        object
    };
    let ending = |(winner, reason, games): (Option<Seat>, &str, u32)| json!({"winner": winner.map(|seat| tally.side_name(seat)), "reason": reason, "games": games});
    json!({
        "games": tally.games(),
        "a": player(0, &args.a),
        "b": player(1, &args.b),
        "endings": tally.endings().into_iter().map(ending).collect::<Vec<_>>(),
        "average_plies": tally.average_plies(),
    })
}

fn json_count(count: Count) -> Value {
    json!({"games": count.games(), "won": count.won, "drawn": count.drawn, "lost": count.lost, "score": count.rate()})
}
