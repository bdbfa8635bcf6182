//! The benchmark: a search of every ruleset of the catalog, the same on every machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, Builder};

use super::door::{Session, search_and_wait};
use super::job::{Event, STACK_BYTES, Work, WorkKind};
use super::options::Options;
use super::registry::{self, RulesetChoice};
use super::request::GoRequest;
use crate::rules::Turn;
use crate::search::{Control, SearchLimits};

/// The depth in plies at which the search of a ruleset ends.
const DEPTH: u32 = 9;

/// The node count at which the search of a ruleset ends, if that comes first.
const MAX_NODES: u64 = 250_000;

/// The size of the table of each search in MiB; a larger one would only take time to clear.
const HASH_MIB: &str = "16";

/// The number of rolls in a row after which a game counts as one without choices.
const MOST_ROLLS: u32 = 20;

/// The benchmark: `Count` events, then one `BenchTotal`.
pub fn bench() -> Work {
    Work::new(WorkKind::Bench, run_bench)
}

/// Searches every catalog ruleset on this thread, in order, and returns the last event. A stop ends the search under
/// way, whose nodes then do not count.
fn run_bench(control: &Control, sink: &mut dyn FnMut(Event)) -> Event {
    let mut total = 0;
    for ruleset in registry::ruleset_names() {
        let searched = search(ruleset, &control.stopped);
        if control.is_stopped() {
            return Event::BenchTotal { nodes: None, elapsed: control.elapsed() };
        }
        if let Some(nodes) = searched {
            total += nodes;
            sink(Event::Count { part: ruleset.to_owned(), nodes });
        }
    }
    Event::BenchTotal { nodes: Some(total), elapsed: control.elapsed() }
}

/// The nodes of a search with default options from the first position where a player is to move; `None` for a ruleset
/// that cannot be opened, or in which the dice decide everything.
fn search(ruleset: &str, stop: &Arc<AtomicBool>) -> Option<u64> {
    let mut session = registry::open(&RulesetChoice::catalog(ruleset)).ok()?;
    let mut options = registry::default_options();
    options.set("Hash", Some(HASH_MIB)).ok()?;
    reach_choice(&mut *session, &options)?;
    let limits = SearchLimits { depth: Some(DEPTH), nodes: Some(MAX_NODES), ..SearchLimits::default() };
    let request = GoRequest { limits, ..GoRequest::default() };
    let work = session.prepare(&request, &options).ok()?;
    let mut nodes = None;
    let count = || {
        work.run(stop, &mut |event| {
            if let Event::Info(info) = event {
                nodes = Some(info.nodes);
            }
        });
    };
    // The stack of the caller may be too small for a deep search.
    thread::scope(|scope| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, count).ok()?.join().ok())?;
    nodes
}

/// Rolls the dice, by the seed of the options, until a player is to move.
fn reach_choice(session: &mut dyn Session, options: &Options) -> Option<()> {
    for _ in 0..MOST_ROLLS {
        match session.turn() {
            Turn::Player(_) => return Some(()),
            Turn::Over(_) => return None,
            Turn::Chance => {
                let roll = search_and_wait(session, &GoRequest::default(), options).ok()?.answer?;
                session.play(&roll.best).ok()?;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_the_search_under_way() {
        let stopped = Arc::new(AtomicBool::new(true));
        let nodes = search("great-siege", &stopped).unwrap_or(0);
        assert!(nodes < MAX_NODES / 10, "{nodes} nodes after the stop");
    }
}
