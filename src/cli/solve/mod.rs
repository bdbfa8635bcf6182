//! `reynard solve`: puzzles solved exactly.

mod survey;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::solver::{Answer, GaveUp, Proof, Puzzle, Solution, Wanted, WorkLimits};
use serde_json::{Value, json};

use super::exit::{Status, UsageError, complain};
use super::interrupt;
use super::ruleset::RulesetOption;

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
    /// Memory that tables may take, in MiB; problems that are solved at the same time share it
    #[arg(long, value_name = "MIB", default_value_t = 8192, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

pub(super) fn run(args: &SolveArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let stop = interrupt::flag()?;
    if args.all_problems {
        return survey::run(args, &stop, out);
    }
    let report = PuzzleAsker { args, stop: &stop, max_bytes: max_bytes(args) }.report(&choice(args))?;
    if args.json {
        writeln!(out, "{}", report.json())?;
    } else {
        report.print(out)?;
    }
    Ok(if matches!(report.answer, Answer::Solved(_)) { Status::Done } else { Status::Negative })
}

fn max_bytes(args: &SolveArgs) -> usize {
    usize::try_from(args.memory << 20).unwrap_or(usize::MAX)
}

fn choice(args: &SolveArgs) -> RulesetChoice {
    let mut choice = args.ruleset.choice_or(registry::PUZZLE);
    for (key, value) in [("vacancy", &args.vacancy), ("target", &args.target)] {
        choice.switches.extend(value.iter().map(|value| (key.to_owned(), value.clone())));
    }
    choice
}

/// Asks the solver about a position, as the arguments want it.
struct PuzzleAsker<'a> {
    args: &'a SolveArgs,
    stop: &'a AtomicBool,
    /// Memory that its tables may take.
    max_bytes: usize,
}

impl PuzzleAsker<'_> {
    /// # Errors
    /// The ruleset or the position is refused, or the question stays open.
    fn report(&self, choice: &RulesetChoice) -> anyhow::Result<SolveReport> {
        let mut session = registry::open(choice)?;
        session.set_position(self.args.position.as_deref(), &[]).map_err(|error| UsageError(error.to_string()))?;
        let puzzle = puzzle(&*session)?;
        let began = Instant::now();
        let (answer, ways) = self.ask(&puzzle)?;
        let seconds = began.elapsed().as_secs_f64();
        let (drawing, position) = (session.draw(), session.position_text());
        let moves = match &answer {
            Answer::Solved(solution) => move_texts(&mut *session, &puzzle, solution),
            Answer::Impossible(_) => Vec::new(),
        };
        Ok(SolveReport { drawing, position, puzzle, answer, moves, ways, seconds })
    }

    /// The answer and the number of solutions, if that is asked for.
    ///
    /// # Errors
    /// Stopped, or the memory does not suffice even for any solution.
    fn ask(&self, puzzle: &Puzzle) -> anyhow::Result<(Answer, Option<Option<u128>>)> {
        let must_stop = || self.stop.load(Ordering::Relaxed);
        let mut limits = WorkLimits::new(&must_stop);
        limits.max_bytes = self.max_bytes;
        if self.args.all_problems {
            return Ok((open_if_stopped(puzzle.solve(Wanted::FewestMoves, &limits))?, None));
        }
        let mut answer = open_if_stopped(puzzle.solve(Wanted::Any, &limits))?;
        if let (Answer::Solved(_), true) = (&answer, self.args.shortest) {
            match puzzle.solve(Wanted::FewestMoves, &limits) {
                Ok(shortest) => answer = shortest,
                Err(reason) => complain(&format_args!("the moves below may not be the fewest: {reason}")),
            }
        }
        let count = || match answer {
            Answer::Impossible(_) => Ok(Some(0)),
            Answer::Solved(_) => open_if_stopped(puzzle.count(&limits)),
        };
        let ways = self.args.count.then(count).transpose()?;
        Ok((answer, ways))
    }
}

fn puzzle(session: &dyn Session) -> anyhow::Result<Puzzle> {
    let refuse =
        || UsageError(format!("'{}' is no puzzle; solve needs a game of peg solitaire", session.game().ruleset));
    Ok(session.puzzle().ok_or_else(refuse)?)
}

fn open_if_stopped<T>(result: Result<T, GaveUp>) -> anyhow::Result<T> {
    result.map_err(|reason| anyhow::anyhow!("the question stays open: {reason}"))
}

/// What was found out about one problem.
struct SolveReport {
    drawing: String,
    position: String,
    puzzle: Puzzle,
    answer: Answer,
    /// Those of the solution, as the game writes them.
    moves: Vec<String>,
    /// Outer `None`: not counted; inner: more than 128 bits.
    ways: Option<Option<u128>>,
    seconds: f64,
}

/// Plays the solution; the moves as the game writes them.
fn move_texts(session: &mut dyn Session, puzzle: &Puzzle, solution: &Solution) -> Vec<String> {
    for holes in &solution.moves {
        let path: Vec<String> = holes.iter().map(|&hole| puzzle.name(hole)).collect();
        if session.play(&path.join("x")).is_err() {
            break;
        }
    }
    session.moves()
}

impl SolveReport {
    fn explanation(&self, proof: &Proof) -> String {
        proof.text(|hole| self.puzzle.name(hole))
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}\n\n{}", self.drawing.trim_end(), self.position)?;
        match &self.answer {
            Answer::Solved(solution) => {
                let proved = if solution.minimal { " (no solution has fewer moves)" } else { "" };
                writeln!(out, "\nsolved in {} moves, {} jumps{proved}:", self.moves.len(), solution.jumps())?;
                write_wrapped(&self.moves, out)?;
            }
            Answer::Impossible(proof) => writeln!(out, "\nno solution; {}", self.explanation(proof))?,
        }
        if let Some(ways) = &self.ways {
            let ways = ways.map_or_else(|| "more than 2^128".to_owned(), |ways| ways.to_string());
            writeln!(out, "{ways} sequences of jumps lead from the start to the target")?;
        }
        writeln!(out, "{:.3} s", self.seconds)?;
        Ok(())
    }

    fn json(&self) -> Value {
        let solutions = self.ways.flatten().map(|ways| ways.to_string());
        let seconds = self.seconds;
        match &self.answer {
            Answer::Solved(solution) => json!({
                "solvable": true, "moves": self.moves, "move_count": self.moves.len(),
                "jump_count": solution.jumps(), "minimal": solution.minimal,
                "proof": solution.minimal.then_some("search"), "solutions": solutions, "seconds": seconds,
            }),
            Answer::Impossible(proof) => json!({
                "solvable": false, "moves": [], "move_count": null, "jump_count": null, "minimal": false,
                "proof": proof.kind(), "explanation": self.explanation(proof), "solutions": solutions,
                "seconds": seconds,
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
