//! The reproducible node count: the same search of every ruleset on every machine.

use std::sync::Arc;
use std::time::Instant;

use super::event::{Event, Sink};
use super::job::{Job, Terms};
use super::options::Options;
use super::registry::{self, RulesetChoice};
use super::request::GoRequest;
use super::session::{Session, StartError};
use crate::rules::Turn;
use crate::search::Control;

/// Plies of the search of each ruleset.
pub(crate) const DEPTH: u32 = 9;

/// Nodes after which a search ends before that.
const MAX_NODES: u64 = 250_000;

/// MiB of table for each search; more would only take time to clear.
const HASH_MIB: &str = "16";

/// So many rolls without a choice are a game without any.
const MOST_ROLLS: u32 = 20;

/// Runs the benchmark in the background.
pub(super) fn start(sink: Sink) -> Result<Job<()>, StartError> {
    let start = Instant::now();
    let control = Control::new(move || start.elapsed());
    Job::spawn(Terms::count(control), sink, |control, sink| ((), run(control, sink)))
        .map_err(|error| StartError::Thread(error.to_string()))
}

/// Searches every catalog ruleset's start position to a fixed depth on one thread, in order, and returns the last
/// event; stops between rulesets when the control says so.
pub(crate) fn run(control: &Control, sink: &mut Sink) -> Event {
    let mut total = 0;
    for ruleset in registry::ruleset_names() {
        if control.is_stopped() {
            return Event::BenchTotal { nodes: None, elapsed: control.elapsed() };
        }
        if let Some(nodes) = search(ruleset) {
            total += nodes;
            sink(Event::Bench { ruleset: ruleset.to_owned(), nodes });
        }
    }
    Event::BenchTotal { nodes: Some(total), elapsed: control.elapsed() }
}

/// Nodes of the default searcher with default options, from the first choice on; `None` for a ruleset that cannot be
/// opened, or where the dice decide everything.
fn search(ruleset: &str) -> Option<u64> {
    let mut session = registry::open(&RulesetChoice::catalog(ruleset)).ok()?;
    let mut options = registry::default_options();
    options.set("Hash", Some(HASH_MIB)).ok()?;
    reach_choice(&mut *session, &options)?;
    let (sender, events) = crossbeam_channel::unbounded();
    let mut request = GoRequest::default();
    (request.limits.depth, request.limits.nodes) = (Some(DEPTH), Some(MAX_NODES));
    let forward: Sink = Box::new(move |event| {
        // The receiver outlives the search.
        let _ = sender.send(event);
    });
    session.start(&request, &options, forward).ok()?;
    session.wait();
    let nodes = |event| match event {
        Event::Info(info) => Some(info.nodes),
        _ => None,
    };
    events.try_iter().filter_map(nodes).last()
}

/// Rolls the dice, by the seed of the options, until a player is to move.
fn reach_choice(session: &mut dyn Session, options: &Options) -> Option<()> {
    for _ in 0..MOST_ROLLS {
        match session.turn() {
            Turn::Player(_) => return Some(()),
            Turn::Over(_) => return None,
            Turn::Chance => roll(session, options)?,
        }
    }
    None
}

fn roll(session: &mut dyn Session, options: &Options) -> Option<()> {
    let mut rolled = None;
    let mut listen = |event| {
        if let Event::Done(answer) = event {
            rolled = answer.best;
        }
    };
    session.search(&GoRequest::default(), options, &Arc::default(), &mut listen).ok()?;
    session.play(&rolled?).ok()
}
