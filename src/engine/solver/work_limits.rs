//! Bounds on the work of a solver: a stop flag, a number of positions, an amount of memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use thiserror::Error;

/// Why a question stayed open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GaveUp {
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// It looked at as many positions as it may.
    #[error("the limit of positions was reached")]
    Nodes,
    /// It would take more memory than it may.
    #[error("the memory allowed is too small")]
    Memory,
}

/// Bounds on the work of a solver; it also counts the work done.
pub struct WorkLimits<'a> {
    must_stop: &'a (dyn Fn() -> bool + Sync),
    /// Positions that may be looked at.
    pub max_nodes: u64,
    /// Memory that tables may take.
    pub max_bytes: usize,
    nodes: AtomicU64,
}

/// Positions between two looks at the stop flag.
const STEP: u64 = 1024;

impl<'a> WorkLimits<'a> {
    /// Bounded by a flag only.
    pub fn new(must_stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        WorkLimits { must_stop, max_nodes: u64::MAX, max_bytes: usize::MAX, nodes: AtomicU64::new(0) }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Counts a position.
    #[inline(always)]
    pub(super) fn step(&self) -> Result<(), GaveUp> {
        let nodes = self.nodes() + 1;
        self.nodes.store(nodes, Relaxed);
        if nodes.is_multiple_of(STEP) { self.look() } else { Ok(()) }
    }

    /// Counts positions that are looked at together, unless that would be too many.
    pub(super) fn steps(&self, count: usize) -> Result<(), GaveUp> {
        let nodes = self.nodes() + count as u64;
        if nodes > self.max_nodes {
            return Err(GaveUp::Nodes);
        }
        self.nodes.store(nodes, Relaxed);
        self.look()
    }

    /// Asks whether the work may go on.
    #[cold]
    pub(super) fn look(&self) -> Result<(), GaveUp> {
        if (self.must_stop)() {
            return Err(GaveUp::Stopped);
        }
        if self.nodes() > self.max_nodes { Err(GaveUp::Nodes) } else { Ok(()) }
    }

    /// Asks whether tables of this size are allowed.
    pub(super) fn hold(&self, bytes: usize) -> Result<(), GaveUp> {
        if bytes > self.max_bytes { Err(GaveUp::Memory) } else { Ok(()) }
    }
}
