//! The reproducible node count: the same search of every ruleset on every machine.

use std::time::Instant;

use super::event::{Event, Sink};
use super::job::{Job, Terms};
use super::registry::{self, RulesetChoice};
use super::request::GoRequest;
use super::session::StartError;
use crate::search::Control;

/// Plies of the search of each ruleset.
pub const DEPTH: u32 = 9;

/// Nodes after which a search ends before that.
const MAX_NODES: u64 = 250_000;

/// MiB of table for each search; more would only take time to clear.
const HASH_MIB: &str = "16";

/// Runs the benchmark in the background.
pub(super) fn start(sink: Sink) -> Result<Job<()>, StartError> {
    let start = Instant::now();
    let control = Control::new(move || start.elapsed());
    Job::spawn(Terms::count(control), sink, |control, sink| ((), run(control, sink)))
        .map_err(|error| StartError::Thread(error.to_string()))
}

/// Searches every catalog ruleset's start position to a fixed depth on one thread, in order, and returns the last
/// event; stops between rulesets when the control says so.
pub fn run(control: &Control, sink: &mut Sink) -> Event {
    let mut total = 0;
    for ruleset in registry::ruleset_names() {
        if control.is_stopped() {
            return Event::BenchTotal { nodes: None, elapsed: control.elapsed() };
        }
        let nodes = search(ruleset);
        total += nodes;
        sink(Event::Bench { ruleset: ruleset.to_owned(), nodes });
    }
    Event::BenchTotal { nodes: Some(total), elapsed: control.elapsed() }
}

/// Nodes of the default searcher with default options; 0 for a ruleset that cannot be opened.
fn search(ruleset: &str) -> u64 {
    let Ok(mut session) = registry::open(&RulesetChoice::catalog(ruleset)) else { return 0 };
    let mut options = registry::default_options();
    if options.set("Hash", Some(HASH_MIB)).is_err() {
        return 0;
    }
    let (sender, events) = crossbeam_channel::unbounded();
    let mut request = GoRequest::default();
    (request.limits.depth, request.limits.nodes) = (Some(DEPTH), Some(MAX_NODES));
    let forward: Sink = Box::new(move |event| {
        // The receiver outlives the search.
        let _ = sender.send(event);
    });
    if session.start(&request, &options, forward).is_err() {
        return 0;
    }
    session.wait();
    let nodes = |event| match event {
        Event::Info(info) => Some(info.nodes),
        _ => None,
    };
    events.try_iter().filter_map(nodes).last().unwrap_or(0)
}
