//! The statistics of one tree node: atomics only, so that workers share them without locks.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use super::proof::ProvedResult;
use super::win_rate::WinRate;
use crate::rules::Seat;

/// What stands for nobody where a seat could: a roll comes next.
const CHANCE: u8 = u8::MAX;

/// Whether a node has children yet.
const LEAF: u8 = 0;
const EXPANDING: u8 = 1;
const EXPANDED: u8 = 2;

/// One position of the tree. All rates are for seat 0, or with more than two seats for the one who chose the node.
#[derive(Debug, Default)]
pub(super) struct TreeNode {
    /// Sum of the rates of all visits.
    sum: AtomicU64,
    visits: AtomicU32,
    proof: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    /// The evaluator's opinion.
    prior: AtomicU16,
    /// The opinion backed up by best replies.
    minimax: AtomicU16,
    mover: AtomicU8,
    state: AtomicU8,
}

impl TreeNode {
    /// Makes this a fresh leaf. Nobody else may hold the node yet.
    pub(super) fn begin(&self, mover: Option<Seat>, prior: WinRate, proof: Option<ProvedResult>) {
        self.sum.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.proof.store(proof.map_or(0, ProvedResult::pack), Relaxed);
        self.prior.store(prior.0, Relaxed);
        self.minimax.store(prior.0, Relaxed);
        self.mover.store(mover.map_or(CHANCE, |seat| seat.0), Relaxed);
        self.state.store(LEAF, Release);
    }

    /// Who chooses among the children; nobody before a roll of the dice, and where the game is over.
    pub(super) fn mover(&self) -> Option<Seat> {
        let seat = self.mover.load(Relaxed);
        (seat != CHANCE).then_some(Seat(seat))
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(super) fn prior(&self) -> WinRate {
        WinRate(self.prior.load(Relaxed))
    }

    /// The mean of all visits, or the prior before the first.
    pub(super) fn mean(&self) -> WinRate {
        match self.visits() {
            0 => self.prior(),
            visits => WinRate((self.sum.load(Relaxed) / u64::from(visits)).min(u64::from(WinRate::ONE)) as u16),
        }
    }

    pub(super) fn minimax(&self) -> WinRate {
        WinRate(self.minimax.load(Relaxed))
    }

    /// Whether the value changed.
    pub(super) fn set_minimax(&self, rate: WinRate) -> bool {
        // Mostly nothing is new, and a look disturbs no other thread.
        self.minimax.load(Relaxed) != rate.0 && self.minimax.swap(rate.0, Relaxed) != rate.0
    }

    pub(super) fn proof(&self) -> Option<ProvedResult> {
        // Whoever sees a proof sees those that it comes from.
        ProvedResult::unpack(self.proof.load(Acquire))
    }

    /// Whether the proof is news.
    pub(super) fn set_proof(&self, proof: ProvedResult) -> bool {
        let word = proof.pack();
        self.proof.load(Relaxed) != word && self.proof.swap(word, Release) != word
    }

    /// Counts `visits` visits that look like `rate` until [`settle`](TreeNode::settle) corrects them.
    pub(super) fn enter(&self, visits: u32, rate: WinRate) {
        if visits > 0 {
            self.add(visits, sum_of(visits, rate));
        }
    }

    /// Replaces what [`enter`](TreeNode::enter) left behind by one visit that was worth `result`.
    pub(super) fn settle(&self, visits: u32, rate: WinRate, result: WinRate) {
        if visits > 1 {
            self.visits.fetch_sub(visits - 1, Relaxed);
        }
        // Wrapping is meant: the sum of all parts is never negative.
        self.sum.fetch_add(u64::from(result.0).wrapping_sub(sum_of(visits, rate)), Relaxed);
    }

    /// Takes back visits that were [entered](TreeNode::enter).
    pub(super) fn leave(&self, visits: u32, rate: WinRate) {
        if visits > 0 {
            self.visits.fetch_sub(visits, Relaxed);
            self.sum.fetch_sub(sum_of(visits, rate), Relaxed);
        }
    }

    /// Books `visits` visits whose results add up to `sum`.
    pub(super) fn add(&self, visits: u32, sum: u64) {
        self.visits.fetch_add(visits, Relaxed);
        self.sum.fetch_add(sum, Relaxed);
    }

    /// The block of children: index of the first, and how many; `None` for a leaf.
    pub(super) fn block(&self) -> Option<(u32, u16)> {
        (self.state.load(Acquire) == EXPANDED).then(|| (self.first_child.load(Relaxed), self.children.load(Relaxed)))
    }

    /// Claims the right to expand; at most one caller gets it.
    pub(super) fn claim(&self) -> bool {
        self.state.compare_exchange(LEAF, EXPANDING, Acquire, Relaxed).is_ok()
    }

    /// Publishes the children, which must be complete.
    pub(super) fn publish(&self, first: u32, count: u16) {
        self.first_child.store(first, Relaxed);
        self.children.store(count, Relaxed);
        self.state.store(EXPANDED, Release);
    }

    /// Makes the node a leaf again; its statistics stay.
    pub(super) fn forget_children(&self) {
        self.state.store(LEAF, Release);
    }
}

/// What so many visits worth `rate` each add up to.
fn sum_of(visits: u32, rate: WinRate) -> u64 {
    u64::from(visits) * u64::from(rate.0)
}
