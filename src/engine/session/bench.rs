//! The reproducible node count: the same search of every ruleset on every machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::door::{SearchSession, search_and_wait, search_until};
use super::event::Event;
use super::job::{Work, WorkKind};
use super::options::Options;
use super::registry::{self, RulesetChoice};
use super::request::GoRequest;
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

/// The benchmark: `Count` events, then one `BenchTotal`.
pub fn work() -> Work {
    Work::new(Instant::now(), WorkKind::Bench, run)
}

/// Searches every catalog ruleset's start position to a fixed depth on one thread, in order, and returns the last
/// event; a control that stops it ends the search under way, whose nodes then do not count.
fn run(control: &Control, sink: &mut dyn FnMut(Event)) -> Event {
    let mut total = 0;
    for ruleset in registry::ruleset_names() {
        let searched = search(ruleset, &control.stop_flag());
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

/// Nodes of the default searcher with default options, from the first choice on; `None` for a ruleset that cannot be
/// opened, or where the dice decide everything.
fn search(ruleset: &str, stop: &Arc<AtomicBool>) -> Option<u64> {
    let mut session = registry::open(&RulesetChoice::catalog(ruleset)).ok()?;
    let mut options = registry::default_options();
    options.set("Hash", Some(HASH_MIB)).ok()?;
    reach_choice(&mut *session, &options)?;
    let mut request = GoRequest::default();
    (request.limits.depth, request.limits.nodes) = (Some(DEPTH), Some(MAX_NODES));
    let (info, _) = search_until(&mut *session, &request, &options, Arc::clone(stop)).ok()?;
    info.map(|info| info.nodes)
}

/// Rolls the dice, by the seed of the options, until a player is to move.
fn reach_choice(session: &mut dyn SearchSession, options: &Options) -> Option<()> {
    for _ in 0..MOST_ROLLS {
        match session.turn() {
            Turn::Player(_) => return Some(()),
            Turn::Over(_) => return None,
            Turn::Chance => {
                let (_, roll) = search_and_wait(session, &GoRequest::default(), options).ok()?;
                session.play(&roll?.best).ok()?;
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
