//! The arithmetic of an iteration: the choice of the most urgent child, and the updates with a result on the way back
//! to the root.
//!
//! The child with the highest upper confidence bound is picked (UCT; Kocsis and Szepesvári, 2006) with first-play
//! urgency (Gelly and Wang, 2006) and progressive bias (Chaslot and others, 2008), the mean mixed with the best-reply
//! value (implicit minimax backups; Lanctot and others, 2014).

use super::MctsParameters;
use super::arena::{TreeArena, TreeNode};
use super::leaf_value::LeafValue;
use super::value::{self, ProvedResult, WinRate};
use crate::eval::share;
use crate::rules::{Counters, Game, Record, Seat};

/// The parameters of the selection as factors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    exploration: f32,
    first_play_reduction: f32,
    bias: f32,
    minimax_share: f32,
}

impl Selection {
    /// The factors for these parameters; with `backs_up_replies` off, nodes hold no best-reply values.
    pub(super) fn new(parameters: &MctsParameters, backs_up_replies: bool) -> Self {
        let factor = |thousandths| share(thousandths) as f32;
        let plays_out = parameters.rollout_plies > 0;
        let exploration = if plays_out { parameters.rollout_exploration } else { parameters.exploration };
        Selection {
            exploration: factor(exploration),
            first_play_reduction: factor(parameters.first_play_urgency),
            bias: factor(parameters.bias),
            minimax_share: if backs_up_replies { factor(parameters.minimax_share) } else { 0.0 },
        }
    }

    /// The most urgent choice at `node` for `seat`, whose mean there is `average`; `None` if nothing allowed is open.
    /// An empty `allowed` allows all. Proved children are left out, since a visit would teach nothing more.
    #[inline]
    pub(super) fn most_urgent<M: Copy>(
        &self,
        arena: &TreeArena<M>,
        node: &TreeNode,
        seat: Seat,
        average: f32,
        allowed: &[u32],
    ) -> Option<Choice> {
        let spread = self.exploration * binary_log(node.visits().saturating_add(1)).sqrt();
        let urgency = |visits: u32, prior: WinRate, mean: f32, minimax: WinRate| {
            let tries = visits.saturating_add(1) as f32;
            let bias = self.bias * (prior.of(seat) - average) / tries;
            let value = mean + self.minimax_share * (minimax.of(seat) - mean);
            value + bias + spread / tries.sqrt()
        };
        let first_play = average - self.first_play_reduction;
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        // Among those not tried yet, the next one has the best prior.
        if let Some(next) = arena.untried(node).next().filter(|_| !arena.is_full()) {
            highest = urgency(0, next.prior, first_play, next.prior);
            best = Some(Choice::Untried);
        }
        for (index, child) in arena.children(node) {
            if child.proof().is_some() || (!allowed.is_empty() && !allowed.contains(&index)) {
                continue;
            }
            let visits = child.visits();
            let mean = if visits == 0 { first_play } else { child.mean().of(seat) };
            let urgency = urgency(visits, child.prior(), mean, child.minimax());
            if urgency > highest {
                highest = urgency;
                best = Some(Choice::Child(index));
            }
        }
        best
    }
}

/// Where the way down goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// To the child with this index.
    Child(u32),
    /// To the next reply that was not tried yet.
    Untried,
}

/// The best result for `seat` among the allowed children that are proved.
#[inline]
pub(super) fn best_proved<M: Copy>(
    arena: &TreeArena<M>,
    node: &TreeNode,
    seat: Seat,
    allowed: &[u32],
) -> Option<ProvedResult> {
    let may = |index: u32| allowed.is_empty() || allowed.contains(&index);
    let proved = arena.children(node).filter_map(|(index, child)| child.proof().filter(|_| may(index)));
    proved.max_by_key(|proof| proof.rank(seat))
}

/// The logarithm to base 2, linear between powers of two: the same bits on every machine.
fn binary_log(number: u32) -> f32 {
    let exponent = number.max(1).ilog2();
    exponent as f32 + (number as f32 / (1_u64 << exponent) as f32 - 1.0)
}

/// One step of the way down the tree: a node and what the way back needs to know about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeStep<B> {
    pub node: u32,
    /// The rate of a virtual visit: a loss for the seat that chose the node.
    pub virtual_rate: WinRate,
    pub position: B,
    /// Counters of the whole game, plies before the root included.
    pub counters: Counters,
    /// The seat that chose the node; below a roll, the seat that rolled.
    pub chooser: Seat,
    /// A seat that can have a proved draw here, so that results below count no less for it.
    pub secured: Option<Seat>,
}

impl<B: Copy> TreeStep<B> {
    /// The step at the root, whose node stands for the last position of the record.
    pub(super) fn root<G: Game<Position = B>>(node: u32, record: &Record<G>) -> Self {
        TreeStep {
            node,
            virtual_rate: WinRate::HALF,
            position: *record.position(),
            counters: record.counters(),
            chooser: Seat::P1,
            secured: None,
        }
    }

    /// A result from below as it counts at this step, where a seat may have a draw instead.
    #[inline]
    fn guaranteed<P: LeafValue>(&self, result: P) -> P {
        self.secured.map_or(result, |seat| result.at_least_a_draw(seat))
    }
}

/// Books `result`, the value of the last step's node, on the nodes of all steps; each has `virtual_loss` virtual visits
/// for it, which are replaced. Returns the value at the first step.
pub(super) fn settle<M: Copy, B: Copy, P: LeafValue>(
    arena: &TreeArena<M>,
    virtual_loss: u32,
    steps: &[TreeStep<B>],
    mut result: P,
) -> P {
    for step in steps.iter().rev() {
        result = step.guaranteed(result);
        arena.node(step.node).settle(virtual_loss, step.virtual_rate, result.rate_for(step.chooser));
    }
    result
}

/// Adds the value of an iteration at the base of a batch to `sums`, which has one sum of rates for each step above.
#[inline]
pub(super) fn add_up<B: Copy, P: LeafValue>(steps: &[TreeStep<B>], mut result: P, sums: &mut [u64]) {
    for (step, sum) in steps.iter().zip(sums).rev() {
        result = step.guaranteed(result);
        *sum += u64::from(result.rate_for(step.chooser).0);
    }
}

/// Books a whole batch of iterations on the nodes above its base.
#[inline]
pub(super) fn book<M: Copy, B>(arena: &TreeArena<M>, steps: &[TreeStep<B>], iterations: u32, sums: &[u64]) {
    for (step, &sum) in steps.iter().zip(sums) {
        arena.node(step.node).add(iterations, sum);
    }
}

/// Updates nodes from their children: the node of the last step, whose children have changed, and the nodes above it,
/// down to index `first`, as long as they change too. Returns whether the change reached the node of `first`. The steps
/// begin at the root.
pub(super) fn refresh_up_to<M: Copy, B: Copy, P: LeafValue>(
    first: usize,
    arena: &TreeArena<M>,
    steps: &[TreeStep<B>],
    seats: usize,
) -> bool {
    for (depth, step) in steps.iter().enumerate().skip(first).rev() {
        let has_changed = refresh::<M, B, P>(arena, step, depth, seats);
        if !has_changed && depth + 1 < steps.len() {
            return false;
        }
    }
    true
}

/// Updates the best-reply value and the proof of a node from its children. Returns whether it has changed. The root
/// never holds a proof, because some of its moves may be excluded.
fn refresh<M: Copy, B: Copy, P: LeafValue>(
    arena: &TreeArena<M>,
    step: &TreeStep<B>,
    depth: usize,
    seats: usize,
) -> bool {
    let node = arena.node(step.node);
    if !node.is_expanded() {
        return true;
    }
    let proof = if depth > 0 { prove(arena, node) } else { None };
    let is_proved_now = proof.is_some_and(|proof| node.set_proof(proof));
    let rate = match proof {
        Some(proof) => P::of_proof(proof, 0, seats).rate_for(step.chooser),
        None if P::BACKS_UP_REPLIES => best_reply_value(arena, node),
        None => node.prior(),
    };
    node.set_minimax(rate) || is_proved_now
}

/// The exact result of a node, if the results of its replies settle it.
#[inline]
pub(super) fn prove<M: Copy>(arena: &TreeArena<M>, node: &TreeNode) -> Option<ProvedResult> {
    // Asked before the children are looked at: a child that is adopted later is then unknown, not forgotten.
    let unknown = node.is_open().then_some(None);
    let results = arena.children(node).map(|(_, child)| child.proof()).chain(unknown);
    match node.mover() {
        Some(seat) => value::choose(seat, results),
        None => value::average(results),
    }
}

#[inline]
fn best_reply_value<M: Copy>(arena: &TreeArena<M>, node: &TreeNode) -> WinRate {
    let Some(seat) = node.mover() else { return node.mean() };
    let value = |(_, child): (u32, &TreeNode)| child.proof().map_or(child.minimax(), |proof| proof.rate(0));
    let next = arena.untried(node).next().map(|reply| reply.prior);
    let best = arena.children(node).map(value).chain(next).map(|rate| rate.seen_by(seat)).max();
    best.map_or(node.prior(), |best| best.seen_by(seat))
}

#[cfg(test)]
mod tests {
    use super::super::arena::{Reply, Stretch};
    use super::super::leaf_value::SeatRates;
    use super::*;

    /// A line of five nodes with seats choosing in turn; the third node has a certain draw.
    fn line(arena: &TreeArena<u32>, seats: u8) -> Vec<TreeStep<()>> {
        let mut stretch = Stretch::default();
        let step = |number: u32| {
            let node = arena.allocate(&mut stretch).unwrap();
            arena.node(node).begin(None, WinRate::HALF, None);
            let chooser = Seat(number as u8 % seats);
            let (virtual_rate, secured) = (WinRate(7), (number == 2).then_some(chooser));
            TreeStep { node, virtual_rate, position: (), counters: Counters::default(), chooser, secured }
        };
        (0..5).map(step).collect()
    }

    fn books_as_single_visits<P: LeafValue>(results: &[P], seats: u8) {
        let arena = TreeArena::<u32>::with_memory(1 << 20);
        let (single, batched) = (line(&arena, seats), line(&arena, seats));
        let mut sums = [0; 5];
        for &result in results {
            single.iter().for_each(|step| arena.node(step.node).enter(3, step.virtual_rate));
            settle(&arena, 3, &single, result);
            add_up(&batched, result, &mut sums);
        }
        book(&arena, &batched, results.len() as u32, &sums);
        let booked = |steps: &[TreeStep<()>]| -> Vec<_> {
            steps.iter().map(|step| (arena.node(step.node).visits(), arena.node(step.node).mean())).collect()
        };
        assert_eq!(booked(&batched), booked(&single));
        assert!(booked(&single).iter().all(|&(visits, _)| visits == results.len() as u32));
        assert!(booked(&single)[4] != booked(&single)[1], "the sure draw counts above it");
    }

    #[test]
    fn a_batch_books_what_its_visits_would_have() {
        books_as_single_visits(&[WinRate(50), WinRate(60_000), WinRate(40_000), WinRate(3)], 2);
        let won_by = |seat| ProvedResult { winner: Some(Seat(seat)), plies: 4 };
        books_as_single_visits(&[0, 1, 2, 1, 1].map(|seat| SeatRates::of_proof(won_by(seat), 3, 3)), 3);
    }

    #[test]
    fn a_reply_that_another_worker_is_making_a_node_is_not_proved() {
        let arena = TreeArena::<u32>::with_memory(1 << 20);
        let mut stretch = Stretch::default();
        let lost = ProvedResult { winner: Some(Seat(1)), plies: 4 };
        let begin = |stretch: &mut Stretch, mover, proof| {
            let index = arena.allocate(stretch).unwrap();
            arena.node(index).begin(mover, WinRate::HALF, proof);
            index
        };
        let node = arena.node(begin(&mut stretch, Some(Seat(0)), None));
        let replies = [0, 1].map(|index| Reply { index, prior: WinRate::HALF });
        node.publish(arena.list(&mut stretch, &replies).unwrap(), replies.len());
        let children = replies.map(|_| {
            arena.try_next(node).unwrap();
            begin(&mut stretch, Some(Seat(1)), Some(lost))
        });
        assert_eq!(arena.untried(node).count(), 0);
        for child in children {
            assert_eq!(prove(&arena, node), None);
            arena.adopt(node, child);
        }
        assert_eq!(prove(&arena, node).and_then(|proof| proof.winner), Some(Seat(1)));
    }

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two_and_rises() {
        assert_eq!(binary_log(1), 0.0);
        assert_eq!(binary_log(1024), 10.0);
        assert!((1..5000).all(|n| binary_log(n) < binary_log(n + 1)));
    }
}
