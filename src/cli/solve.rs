//! `reynard solve`: puzzles solved exactly.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};
use std::time::Instant;

use clap::Args;
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::solver::{Answer, GaveUp, Proof, Puzzle, Solution, Wanted, WorkLimits};
use serde_json::{Value, json};

use super::exit::{Status, UsageError, announce, complain};
use super::interrupt;
use super::ruleset::RulesetOption;
use crate::tournament::report::wrapped;

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
    /// The pegs, and no others, that shall stand at the end; any_single_peg for one in whatever hole
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
        return solve_all(args, &stop, out);
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

/// The findings about one problem.
struct SolveReport {
    drawing: String,
    position: String,
    puzzle: Puzzle,
    answer: Answer,
    /// The moves of the solution, as the game writes them.
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
        proof.text(&|hole| self.puzzle.name(hole))
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}\n\n{}", self.drawing.trim_end(), self.position)?;
        match &self.answer {
            Answer::Solved(solution) => {
                let proved = if solution.minimal { " (no solution has fewer moves)" } else { "" };
                writeln!(out, "\nsolved in {} moves, {} jumps{proved}:", self.moves.len(), solution.jumps())?;
                write!(out, "{}", wrapped(&self.moves.join(" "), LINE_WIDTH))?;
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

/// No problem gets less memory than this as long as there are threads to give up.
const LEAST_BYTES: usize = 512 << 20;

/// The names of the vacancy and of the survivor's hole.
type SingleProblem = [String; 2];

/// Solves all problems, one in each thread, and writes those that were solved.
///
/// # Errors
/// A problem stayed open, or the output is closed.
fn solve_all(args: &SolveArgs, stop: &AtomicBool, out: &mut dyn Write) -> anyhow::Result<Status> {
    let began = Instant::now();
    let problems = problems(&choice(args))?;
    let max_bytes = max_bytes(args);
    let most_threads = (max_bytes / LEAST_BYTES).clamp(1, problems.len().max(1));
    let threads = available_parallelism().map_or(1, usize::from).min(most_threads);
    let asker = PuzzleAsker { args, stop, max_bytes: max_bytes / threads };
    let slots: Vec<(SingleProblem, OnceLock<SolveReport>)> =
        problems.into_iter().map(|problem| (problem, OnceLock::new())).collect();
    let (next, first_error) = (AtomicUsize::new(0), OnceLock::new());
    let work = || {
        while let Some((problem, slot)) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            match asker.report(&single_choice(args, problem)) {
                Ok(report) => {
                    // Long runs show that they live.
                    announce(&format!("{}: {:.1} s", problem.join(" to "), report.seconds));
                    let _ = slot.set(report);
                }
                Err(error) => {
                    let _ = first_error.set(error.context(problem.join(" to ")));
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut solved = slots.iter().filter_map(|(problem, slot)| Some((problem, slot.get()?)));
    if args.json {
        writeln!(out, "{}", solved.map(|(problem, report)| row(problem, report)).collect::<Value>())?;
    } else {
        solved.try_for_each(|(problem, report)| write_row(problem, report, out))?;
        writeln!(out, "{:.1} s", began.elapsed().as_secs_f64())?;
    }
    first_error.into_inner().map_or(Ok(Status::Done), Err)
}

fn single_choice(args: &SolveArgs, [vacancy, target]: &SingleProblem) -> RulesetChoice {
    let mut choice = choice(args);
    choice.switches.retain(|(key, _)| !["start", "vacancy", "target"].contains(&key.as_str()));
    choice.switches.extend([("vacancy", vacancy), ("target", target)].map(|(key, value)| (key.into(), value.clone())));
    choice
}

/// The problems of a board.
fn problems(choice: &RulesetChoice) -> anyhow::Result<Vec<SingleProblem>> {
    let session = registry::open(choice)?;
    let puzzle = puzzle(&*session)?;
    Ok(puzzle.single_problems().into_iter().map(|holes| holes.map(|hole| puzzle.name(hole))).collect())
}

fn row([vacancy, target]: &SingleProblem, report: &SolveReport) -> Value {
    let mut row = report.json();
    (row["vacancy"], row["survivor"]) = (json!(vacancy), json!(target));
    row
}

fn write_row([vacancy, target]: &SingleProblem, report: &SolveReport, out: &mut dyn Write) -> anyhow::Result<()> {
    write!(out, "{vacancy:>3} to {target:<3} ")?;
    match &report.answer {
        Answer::Solved(solution) => {
            let moves = &report.moves;
            writeln!(out, "{:>2} moves {} jumps  {}", moves.len(), solution.jumps(), moves.join(" "))?;
        }
        Answer::Impossible(proof) => writeln!(out, "no solution; {}", report.explanation(proof))?,
    }
    Ok(())
}
