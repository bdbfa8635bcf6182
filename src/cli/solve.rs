//! `reynard solve`: puzzles solved exactly.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};

use super::exit::{Status, UsageError, complain};
use super::interrupt;
use super::ruleset::RulesetOption;
use crate::engine::GameSupport;
use crate::engine::registry::{self, GameVisitor, RulesetChoice};
use crate::rules::Game;
use crate::solver::{Answer, GaveUp, Puzzle, Solution, WorkLimits};

/// Solve a peg solitaire problem, or prove that it has no solution.
///
/// Prints a solution, or why there is none: the position class, a pagoda function, or that everything was tried. Exit
/// code 0: there is a solution; 1: there is none.
#[derive(Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    ruleset: RulesetOption,
    /// The hole that is empty at the start, for example d4 or 17
    #[arg(long, value_name = "POINT", conflicts_with = "position")]
    vacancy: Option<String>,
    /// The pegs, and no others, that shall stand at the end
    #[arg(long, value_name = "POINT,...")]
    target: Option<String>,
    /// Solve from this position, for example "3/1P1/3P3/7/7/3/3 p"
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Find a solution with the fewest moves; jumps by one peg after another are one move
    #[arg(long)]
    shortest: bool,
    /// Count the solutions: sequences of jumps, two that differ in the order only are two
    #[arg(long)]
    count: bool,
    /// The fewest moves of every problem with one vacancy and one survivor, equal ones by symmetry once
    #[arg(long, conflicts_with_all = ["vacancy", "target", "position", "count"])]
    all_problems: bool,
    /// Print JSON: solvable, moves, move_count, jump_count, minimal, proof, solutions and more
    #[arg(long)]
    json: bool,
    /// Memory that tables may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

pub(super) fn run(args: &SolveArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let stop = interrupt::flag()?;
    registry::visit(&choice(args), Solver { args, stop, out })?
}

fn choice(args: &SolveArgs) -> RulesetChoice {
    let mut choice = args.ruleset.choice_or(registry::PUZZLE);
    for (key, value) in [("vacancy", &args.vacancy), ("target", &args.target)] {
        choice.switches.extend(value.iter().map(|value| (key.to_owned(), value.clone())));
    }
    choice
}

/// The same game with one vacancy and one survivor.
fn single_choice(args: &SolveArgs, vacancy: &str, target: &str) -> RulesetChoice {
    let mut choice = choice(args);
    choice.switches.retain(|(key, _)| !["start", "vacancy", "target"].contains(&key.as_str()));
    choice.switches.extend([("vacancy", vacancy), ("target", target)].map(|(key, value)| (key.into(), value.into())));
    choice
}

struct Solver<'a> {
    args: &'a SolveArgs,
    stop: Arc<AtomicBool>,
    out: &'a mut dyn Write,
}

impl GameVisitor for Solver<'_> {
    type Output = anyhow::Result<Status>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        let position = match &self.args.position {
            None => game.start(),
            Some(text) => game.parse_position(text).map_err(|error| UsageError(error.to_string()))?,
        };
        let Some(puzzle) = game.puzzle(&position) else {
            bail!(UsageError(format!("'{}' is no puzzle; solve needs a game of peg solitaire", game.name())));
        };
        let desk = Desk { args: self.args, stop: self.stop, names: names(&game), game };
        if self.args.all_problems {
            return desk.survey(&puzzle, self.out);
        }
        let report = desk.report(&position, &puzzle)?;
        if self.args.json {
            writeln!(self.out, "{}", report.json())?
        } else {
            desk.print(&position, &report, self.out)?
        }
        Ok(if report.answer.is_solved() { Status::Done } else { Status::Negative })
    }
}

/// A game and what is asked about it.
struct Desk<'a, G: Game> {
    args: &'a SolveArgs,
    stop: Arc<AtomicBool>,
    game: G,
    /// What the holes are called, in the order of the solver.
    names: Vec<String>,
}

/// What was found out about one problem.
struct Report {
    answer: Found,
    /// Outer `None`: not counted; inner: more than 128 bits.
    ways: Option<Option<u128>>,
    seconds: f64,
}

/// An answer in texts of the game.
enum Found {
    Solved { moves: Vec<String>, jumps: usize, minimal: bool },
    Impossible { proof: &'static str, explanation: String },
}

impl Found {
    fn is_solved(&self) -> bool {
        matches!(self, Found::Solved { .. })
    }
}

impl<G: Game> Desk<'_, G> {
    /// # Errors
    /// Stopped, or the memory does not suffice even for any solution.
    fn report(&self, position: &G::Position, puzzle: &Puzzle) -> anyhow::Result<Report> {
        let must_stop = || self.stop.load(Ordering::Relaxed);
        let limits = self.limits(&must_stop);
        let start = Instant::now();
        let mut answer = open_if_stopped(puzzle.solve(&limits))?;
        if let (Answer::Solved(_), true) = (&answer, self.args.shortest) {
            match puzzle.shortest(&limits) {
                Ok(shortest) => answer = shortest,
                Err(reason) => complain(&format_args!("the moves below may not be the fewest: {reason}")),
            }
        }
        let count = || match answer {
            Answer::Impossible(_) => Ok(Some(0)),
            Answer::Solved(_) => open_if_stopped(puzzle.count(&limits)),
        };
        let ways = self.args.count.then(count).transpose()?;
        Ok(Report { answer: self.in_words(position, &answer), ways, seconds: start.elapsed().as_secs_f64() })
    }

    fn in_words(&self, position: &G::Position, answer: &Answer) -> Found {
        match answer {
            Answer::Solved(solution) => {
                let (jumps, minimal) = (solution.jumps(), solution.minimal);
                Found::Solved { moves: self.texts(position, solution), jumps, minimal }
            }
            Answer::Impossible(proof) => {
                Found::Impossible { proof: proof.kind(), explanation: proof.text(|hole| self.hole(hole)) }
            }
        }
    }

    fn hole(&self, hole: u8) -> String {
        self.names.get(usize::from(hole)).cloned().unwrap_or_default()
    }

    /// The moves as the game writes them.
    fn texts(&self, position: &G::Position, solution: &Solution) -> Vec<String> {
        let mut position = *position;
        let mut texts = Vec::with_capacity(solution.moves.len());
        for holes in &solution.moves {
            let names: Vec<String> = holes.iter().map(|&hole| self.hole(hole)).collect();
            let Ok(mv) = self.game.parse_move(&position, &names.join("x")) else { break };
            texts.push(self.game.move_text(&position, mv));
            position = self.game.play_unchecked(&position, mv);
        }
        texts
    }

    fn print(&self, position: &G::Position, report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}\n\n{}", self.game.draw(position).trim_end(), self.game.position_text(position))?;
        match &report.answer {
            Found::Solved { moves, jumps, minimal } => {
                let proved = if *minimal { " (no solution has fewer moves)" } else { "" };
                writeln!(out, "\nsolved in {} moves, {jumps} jumps{proved}:", moves.len())?;
                write_wrapped(moves, out)?;
            }
            Found::Impossible { explanation, .. } => writeln!(out, "\nno solution; {explanation}")?,
        }
        if let Some(ways) = &report.ways {
            let ways = ways.map_or_else(|| "more than 2^128".to_owned(), |ways| ways.to_string());
            writeln!(out, "{ways} sequences of jumps lead from the start to the target")?;
        }
        writeln!(out, "{:.3} s", report.seconds)?;
        Ok(())
    }

    /// Every problem with one vacancy and one survivor.
    fn survey(&self, puzzle: &Puzzle, out: &mut dyn Write) -> anyhow::Result<Status> {
        let mut rows = Vec::new();
        let began = Instant::now();
        for problem in puzzle.single_problems() {
            let (vacancy, target) = (self.hole(problem.vacancy), self.hole(problem.survivor));
            let surveyor = Surveyor { args: self.args, stop: self.stop.clone() };
            let report = registry::visit(&single_choice(self.args, &vacancy, &target), surveyor)??;
            // Long runs show that they live.
            let _ = writeln!(std::io::stderr(), "{vacancy} to {target}: {:.1} s", report.seconds);
            if self.args.json {
                let mut row = report.json();
                (row["vacancy"], row["survivor"]) = (json!(vacancy), json!(target));
                rows.push(row);
            } else {
                write_row(&vacancy, &target, &report, out)?;
            }
        }
        if self.args.json {
            writeln!(out, "{}", Value::Array(rows))?;
        } else {
            writeln!(out, "{:.1} s", began.elapsed().as_secs_f64())?;
        }
        Ok(Status::Done)
    }

    /// The fewest moves of a problem.
    fn shortest(&self, start: &G::Position, puzzle: &Puzzle) -> anyhow::Result<Report> {
        let must_stop = || self.stop.load(Ordering::Relaxed);
        let limits = self.limits(&must_stop);
        let began = Instant::now();
        let answer = open_if_stopped(puzzle.shortest(&limits))?;
        Ok(Report { answer: self.in_words(start, &answer), ways: None, seconds: began.elapsed().as_secs_f64() })
    }

    fn limits<'a>(&self, must_stop: &'a dyn Fn() -> bool) -> WorkLimits<'a> {
        let mut limits = WorkLimits::new(must_stop);
        limits.max_bytes = usize::try_from(self.args.memory << 20).unwrap_or(usize::MAX);
        limits
    }
}

/// Opens the game of one problem of the survey and finds its fewest moves.
struct Surveyor<'a> {
    args: &'a SolveArgs,
    stop: Arc<AtomicBool>,
}

impl GameVisitor for Surveyor<'_> {
    type Output = anyhow::Result<Report>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        let position = game.start();
        let Some(puzzle) = game.puzzle(&position) else { bail!("'{}' is no puzzle", game.name()) };
        Desk { args: self.args, stop: self.stop, names: names(&game), game }.shortest(&position, &puzzle)
    }
}

fn names<G: Game>(game: &G) -> Vec<String> {
    let board = game.board_json();
    let name = |point: &Value| point["name"].as_str().unwrap_or("?").to_owned();
    board["points"].as_array().into_iter().flatten().map(name).collect()
}

fn open_if_stopped<T>(result: Result<T, GaveUp>) -> anyhow::Result<T> {
    result.map_err(|reason| anyhow::anyhow!("the question stays open: {reason}"))
}

impl Report {
    fn json(&self) -> Value {
        let solutions = self.ways.flatten().map(|ways| ways.to_string());
        let seconds = self.seconds;
        match &self.answer {
            Found::Solved { moves, jumps, minimal } => json!({
                "solvable": true, "moves": moves, "move_count": moves.len(), "jump_count": jumps, "minimal": minimal,
                "proof": minimal.then_some("search"), "solutions": solutions, "seconds": seconds,
            }),
            Found::Impossible { proof, explanation } => json!({
                "solvable": false, "moves": [], "move_count": null, "jump_count": null, "minimal": false,
                "proof": proof, "explanation": explanation, "solutions": solutions, "seconds": seconds,
            }),
        }
    }
}

const LINE_WIDTH: usize = 80;

fn write_wrapped(moves: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut width = 0;
    for text in moves {
        if width > 0 && width + 1 + text.len() > LINE_WIDTH {
            writeln!(out)?;
            width = 0;
        }
        let blank = if width > 0 { " " } else { "" };
        write!(out, "{blank}{text}")?;
        width += blank.len() + text.len();
    }
    writeln!(out)?;
    Ok(())
}

fn write_row(vacancy: &str, target: &str, report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    match &report.answer {
        Found::Solved { moves, jumps, .. } => {
            writeln!(out, "{vacancy:>3} to {target:<3} {:>2} moves {jumps} jumps  {}", moves.len(), moves.join(" "))?;
        }
        Found::Impossible { explanation, .. } => {
            writeln!(out, "{vacancy:>3} to {target:<3} no solution; {explanation}")?
        }
    }
    out.flush()?;
    Ok(())
}
