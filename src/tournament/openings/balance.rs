//! How far from a draw a position is.

use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::registry::{self, OpenError, RulesetChoice};
use crate::engine::{Event, GoRequest, Options, Session};
use crate::tournament::spec::Balance;

/// A session that judges positions, each afresh: what it says of one does not depend on those before.
pub(super) struct Scale {
    session: Box<dyn Session>,
    options: Options,
    most: u32,
    nodes: u64,
}

impl Scale {
    /// # Errors
    /// The ruleset does not open.
    pub fn new(choice: &RulesetChoice, balance: &Balance) -> Result<Self, OpenError> {
        let (most, nodes) = match *balance {
            Balance::Evaluation { max_cp, nodes } => (max_cp, nodes),
            // No table exists; a spec that asks for one has been refused.
            Balance::Table => (0, 1),
        };
        let mut options = registry::default_options();
        // A small table is emptied quickly, and these searches are small. The name and value are ours.
        let _ = options.set("Hash", Some("1"));
        Ok(Scale { session: registry::open(choice)?, options, most, nodes })
    }

    /// The most that counts as balanced, in hundredths of a piece.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The distance from 0 in hundredths of a piece after these moves.
    pub fn weigh(&mut self, moves: &[String]) -> u32 {
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.session.clear_search();
        if self.session.set_position(None, &texts).is_err() {
            return u32::MAX;
        }
        let score = Arc::new(Mutex::new(None));
        let last = Arc::clone(&score);
        let sink = Box::new(move |event| {
            if let Event::Info(info) = event {
                let line = info.lines.first().map(|line| line.score.0);
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                *last = line.or(*last);
            }
        });
        if self.session.start(&GoRequest::nodes(self.nodes), &self.options, sink).is_err() {
            return u32::MAX;
        }
        self.session.wait();
        score.lock().unwrap_or_else(PoisonError::into_inner).map_or(u32::MAX, i32::unsigned_abs)
    }
}
