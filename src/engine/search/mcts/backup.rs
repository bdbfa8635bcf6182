//! Backpropagation from a leaf to the root: sums, proofs and best-reply values.

use super::arena::NodeArena;
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::proof::{self, ProvedResult};
use super::win_rate::WinRate;
use crate::rules::Seat;

/// One step of the way down, root first.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeStep<B> {
    pub node: u32,
    /// What a visit looks like to others before it is settled: lost for whoever chose the node.
    pub virtual_rate: WinRate,
    pub position: B,
    /// Plies since the last irreversible move, the game before the root included.
    pub reversible: u32,
    /// Plies without progress, likewise.
    pub idle: u32,
    /// Who chose the node; below a roll, who chose to roll.
    pub chooser: Seat,
    /// Who can have a proved draw here, so that nothing worse counts for that seat.
    pub secured: Option<Seat>,
}

impl<B> TreeStep<B> {
    /// What a result from below is worth here.
    #[inline]
    pub(super) fn guaranteed<P: LeafValue>(&self, result: P, seats: usize) -> P {
        self.secured.map_or(result, |seat| result.at_least_a_draw(seat, seats))
    }
}

/// What an iteration changed beyond sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BackupChange {
    SumsOnly,
    /// The leaf's proof or children are new.
    Leaf,
}

/// How far news went up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum News {
    /// Some node stayed as it was.
    Ended,
    /// The highest node was reached.
    AtTheTop,
    /// A child of the root is proved.
    RootMoveProved,
}

/// Books `result`, the worth of the last step's node, on the nodes of all steps, each of which was entered
/// `virtual_loss` times for it. Returns its worth at the first.
pub(super) fn settle<M: Copy, B, P: LeafValue>(
    arena: &NodeArena<M>,
    virtual_loss: u32,
    (steps, seats): (&[TreeStep<B>], usize),
    mut result: P,
) -> P {
    for step in steps.iter().rev() {
        result = step.guaranteed(result, seats);
        arena.node(step.node).settle(virtual_loss, step.virtual_rate, result.rate_for(step.chooser));
    }
    result
}

/// Brings the nodes of the steps from `first` on in line with their children: the last one, whose children have changed,
/// and those above it as far as there is news. The steps begin at the root.
pub(super) fn refresh_up_to<M: Copy, B, P: LeafValue>(
    first: usize,
    arena: &NodeArena<M>,
    (steps, seats): (&[TreeStep<B>], usize),
) -> News {
    for (depth, step) in steps.iter().enumerate().skip(first).rev() {
        let (has_changed, is_proved) = refresh::<M, B, P>(arena, step, depth, seats);
        if depth == 1 && is_proved {
            return News::RootMoveProved;
        }
        if !has_changed && depth + 1 < steps.len() {
            return News::Ended;
        }
    }
    News::AtTheTop
}

/// Brings a node in line with its children; whether it has changed, and whether it is proved by that. The root never
/// holds a proof: moves may be excluded there.
fn refresh<M: Copy, B, P: LeafValue>(
    arena: &NodeArena<M>,
    step: &TreeStep<B>,
    depth: usize,
    seats: usize,
) -> (bool, bool) {
    let node = arena.node(step.node);
    let children = arena.children(node);
    if children.is_empty() {
        return (true, node.proof().is_some());
    }
    let proof = if depth > 0 { prove(node.mover(), children) } else { None };
    let news = proof.is_some_and(|proof| node.set_proof(proof));
    let rate = match proof {
        Some(proof) => P::of_proof(proof, 0, seats).rate_for(step.chooser),
        None if P::BACKS_UP_REPLIES => best_reply_value(node, children),
        None => node.prior(),
    };
    (node.set_minimax(rate) || news, news)
}

/// The exact result of a node, if those of its children settle it.
#[inline]
pub(super) fn prove(mover: Option<Seat>, children: &[TreeNode]) -> Option<ProvedResult> {
    let results = children.iter().map(TreeNode::proof);
    match mover {
        Some(seat) => proof::choose(seat, results),
        None => proof::average(results),
    }
}

#[inline]
fn best_reply_value(node: &TreeNode, children: &[TreeNode]) -> WinRate {
    let value = |child: &TreeNode| child.proof().map_or(child.minimax(), |proof| proof.rate(0));
    match node.mover() {
        Some(seat) => children
            .iter()
            .map(|child| value(child).seen_by(seat))
            .max()
            .map_or(node.prior(), |best| best.seen_by(seat)),
        None => node.mean(),
    }
}
