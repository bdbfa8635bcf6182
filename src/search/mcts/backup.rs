//! Backpropagation from a leaf to the root: sums, proofs and best-reply values.

use super::arena::NodeArena;
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::proof::{self, ProvedResult};
use super::visits::{TreeStep, VisitRecorder};
use super::win_rate::WinRate;
use crate::rules::Seat;

/// What a backed-up iteration changed beyond sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BackupChange {
    SumsOnly,
    /// The leaf's proof or children are new.
    Leaf,
}

/// Books `result` on every node of the way. Returns whether a child of the root was proved.
pub(super) fn back_up<M: Copy, P: LeafValue>(
    arena: &NodeArena<M>,
    visits: &mut VisitRecorder,
    (steps, seats): (&[TreeStep], usize),
    mut result: P,
    change: BackupChange,
) -> bool {
    for step in steps.iter().rev() {
        result = step.secured.map_or(result, |seat| result.at_least_a_draw(seat, seats));
        visits.settle(arena, step, result.rate_for(step.chooser));
    }
    if change == BackupChange::SumsOnly {
        return false;
    }
    for (depth, step) in steps.iter().enumerate().rev() {
        let refreshed = refresh::<M, P>(arena, step, depth, seats);
        if depth == 1 && refreshed.proved {
            return true;
        }
        if !refreshed.changed && depth + 1 < steps.len() {
            return false;
        }
    }
    steps.len() == 1
}

struct Refreshed {
    changed: bool,
    proved: bool,
}

/// Brings a node in line with its children. The root never holds a proof: moves may be excluded there.
fn refresh<M: Copy, P: LeafValue>(arena: &NodeArena<M>, step: &TreeStep, depth: usize, seats: usize) -> Refreshed {
    let node = arena.node(step.node);
    let children = arena.children(node);
    if children.is_empty() {
        return Refreshed { changed: true, proved: node.proof().is_some() };
    }
    let proof = if depth > 0 { prove(node.mover(), children) } else { None };
    let news = proof.is_some_and(|proof| node.set_proof(proof));
    let rate = match proof {
        Some(proof) => P::of_proof(proof, 0, seats).rate_for(step.chooser),
        None if P::BACKS_UP_REPLIES => best_reply_value(node, children),
        None => node.prior(),
    };
    Refreshed { changed: node.set_minimax(rate) || news, proved: news }
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
