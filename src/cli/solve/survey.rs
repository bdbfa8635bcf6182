//! `reynard solve --all-problems`: the fewest moves of every problem with one vacancy and one survivor.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};
use std::time::Instant;

use anyhow::Context;
use crossbeam_channel::{Receiver, Sender};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::solver::Answer;
use serde_json::{Value, json};

use super::{PuzzleAsker, SolveArgs, SolveReport, choice, max_bytes, puzzle};
use crate::cli::exit::{Status, say};

/// No problem gets less memory than this as long as there are threads to give up.
const LEAST_BYTES: usize = 512 << 20;

/// The names of the vacancy and of the survivor's hole.
type SingleProblem = [String; 2];

/// Solves all problems, one in each thread.
pub(super) fn run(args: &SolveArgs, stop: &AtomicBool, out: &mut dyn Write) -> anyhow::Result<Status> {
    let began = Instant::now();
    let problems = problems(&choice(args))?;
    let max_bytes = max_bytes(args);
    let most_threads = (max_bytes / LEAST_BYTES).clamp(1, problems.len().max(1));
    let threads = available_parallelism().map_or(1, usize::from).min(most_threads);
    let max_bytes = max_bytes / threads;
    let solve = |problem: &SingleProblem| {
        let report = PuzzleAsker { args, stop, max_bytes }.report(&single_choice(args, problem));
        report.with_context(|| problem.join(" to "))
    };
    let next = AtomicUsize::new(0);
    let (sender, reports) = crossbeam_channel::unbounded();
    let work = |sender: Sender<_>| {
        while let Some(problem) = problems.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Nobody listens any more after a problem that stayed open.
            let _ = sender.send(solve(problem).map(|report| (problem, report)));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        scope.spawn(|| work(sender));
        let told = tell(&problems, &reports, args.json, out);
        if told.is_err() {
            next.store(problems.len(), Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        }
        told
    })?;
    if !args.json {
        writeln!(out, "{:.1} s", began.elapsed().as_secs_f64())?;
    }
    Ok(Status::Done)
}

/// Writes the reports in the order of the problems, whichever comes first.
///
/// # Errors
/// A problem stayed open.
fn tell(
    problems: &[SingleProblem],
    reports: &Receiver<anyhow::Result<(&SingleProblem, SolveReport)>>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut early = BTreeMap::new();
    let mut rows = Vec::new();
    for problem in problems {
        let report = loop {
            match early.remove(problem) {
                Some(report) => break report,
                None => {
                    let (done, report) = reports.recv()??;
                    // Long runs show that they live.
                    let [vacancy, target] = done;
                    say(&format!("{vacancy} to {target}: {:.1} s", report.seconds));
                    early.insert(done, report);
                }
            }
        };
        match json {
            true => rows.push(row(problem, &report)),
            false => write_row(problem, &report, out)?,
        }
    }
    if json {
        writeln!(out, "{}", Value::Array(rows))?;
    }
    Ok(())
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
    Ok(out.flush()?)
}
