//! Backpropagation from a leaf to the root: sums, proofs and best-reply values.

use super::arena::NodeArena;
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::proof::{self, ProvedResult};
use super::visits::{Visit, VisitRecorder};
use super::win_rate::WinRate;
use crate::rules::Seat;

/// One step of the way down, root first.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeStep<B> {
    pub visit: Visit,
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

/// What a backed-up iteration changed beyond sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BackupChange {
    SumsOnly,
    /// The leaf's proof or children are new.
    Leaf,
}

/// Books `result` on every node of the way. Returns whether a child of the root was proved.
pub(super) fn back_up<M: Copy, B, P: LeafValue>(
    arena: &NodeArena<M>,
    visits: &mut VisitRecorder,
    (steps, seats): (&[TreeStep<B>], usize),
    mut result: P,
    change: BackupChange,
) -> bool {
    for step in steps.iter().rev() {
        result = step.secured.map_or(result, |seat| result.at_least_a_draw(seat, seats));
        visits.settle(arena, &step.visit, result.rate_for(step.chooser));
    }
    if change == BackupChange::SumsOnly {
        return false;
    }
    for (depth, step) in steps.iter().enumerate().rev() {
        let (has_changed, is_proved) = refresh::<M, B, P>(arena, step, depth, seats);
        if depth == 1 && is_proved {
            return true;
        }
        if !has_changed && depth + 1 < steps.len() {
            return false;
        }
    }
    steps.len() == 1
}

/// Brings a node in line with its children; whether it has changed, and whether it is proved by that. The root never
/// holds a proof: moves may be excluded there.
fn refresh<M: Copy, B, P: LeafValue>(
    arena: &NodeArena<M>,
    step: &TreeStep<B>,
    depth: usize,
    seats: usize,
) -> (bool, bool) {
    let node = arena.node(step.visit.node);
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
