//! Bounds on the work of a solver: a stop flag, a number of positions, an amount of memory.

use std::cell::Cell;

use thiserror::Error;

/// Why a question stayed open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GaveUp {
    #[error("stopped")]
    Stopped,
    #[error("the limit of positions was reached")]
    Nodes,
    #[error("the memory allowed is too small")]
    Memory,
}

/// Bounds on the work of a solver; it also counts the work done.
pub struct WorkLimits<'a> {
    must_stop: &'a dyn Fn() -> bool,
    /// Positions that may be looked at.
    pub max_nodes: u64,
    /// Memory that tables may take.
    pub max_bytes: usize,
    nodes: Cell<u64>,
}

/// Positions between two looks at the stop flag.
const STEP: u64 = 1024;

impl<'a> WorkLimits<'a> {
    /// Bounded by a flag only.
    pub fn new(must_stop: &'a dyn Fn() -> bool) -> Self {
        WorkLimits { must_stop, max_nodes: u64::MAX, max_bytes: usize::MAX, nodes: Cell::new(0) }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Counts a position.
    #[inline(always)]
    pub(super) fn step(&self) -> Result<(), GaveUp> {
        let nodes = self.nodes.get() + 1;
        self.nodes.set(nodes);
        if nodes.is_multiple_of(STEP) { self.look() } else { Ok(()) }
    }

    /// Asks whether the work may go on.
    #[cold]
    pub(super) fn look(&self) -> Result<(), GaveUp> {
        if (self.must_stop)() {
            return Err(GaveUp::Stopped);
        }
        if self.nodes.get() > self.max_nodes { Err(GaveUp::Nodes) } else { Ok(()) }
    }

    /// Asks whether tables of this size are allowed.
    pub(super) fn hold(&self, bytes: usize) -> Result<(), GaveUp> {
        if bytes > self.max_bytes { Err(GaveUp::Memory) } else { Ok(()) }
    }
}
