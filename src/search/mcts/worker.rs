//! One thread's iterations: down the tree, a look at the leaf, and back up.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rand_chacha::ChaCha8Rng;

use super::arena::NodeArena;
use super::backup::{Change, back_up, prove};
use super::expand::Expander;
use super::leaf_value::LeafValue;
use super::node::{Mover, TreeNode};
use super::parameters::MctsParameters;
use super::proof::ProvedResult;
use super::select::{Selection, in_hand};
use super::visits::{Step, VisitRecorder};
use super::win_rate::WinRate;
use crate::eval::Evaluator;
use crate::rules::{Game, Record, Seat, history_outcome};

/// Iterations that a worker takes on at once; it looks for a reason to stop in between.
const BATCH: u64 = 64;

/// What the workers of one phase share besides the tree.
pub(super) struct Phase<'a> {
    pub root: u32,
    /// Which children of the root may be tried; empty for all.
    pub allowed: &'a [bool],
    /// Plies below which no line is followed.
    pub depth_limit: usize,
    /// Iterations of the search after which the phase ends.
    pub target: u64,
    /// Iterations of the search taken on so far.
    pub taken: &'a AtomicU64,
    /// Plies of the longest line that an iteration followed.
    pub deepest: &'a AtomicU32,
    /// Set when something other than the target ends the phase.
    pub ended: AtomicBool,
}

impl Phase<'_> {
    fn take(&self) -> u64 {
        let next = |taken: u64| (taken < self.target).then(|| (taken + BATCH).min(self.target));
        match self.taken.fetch_update(Relaxed, Relaxed, next) {
            Ok(before) => (self.target - before).min(BATCH),
            Err(_) => 0,
        }
    }

    /// Notes the length of a line. Records are rare, so that threads do not disturb each other by it.
    fn deepen(&self, plies: u32) {
        if plies > self.deepest.load(Relaxed) {
            self.deepest.fetch_max(plies, Relaxed);
        }
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }
}

/// How the look at a leaf came out.
struct Leaf<P> {
    result: P,
    change: Change,
}

/// A thread's own things, in cache lines of their own: workers stand side by side in memory.
#[repr(align(128))]
pub(super) struct TreeWorker<'a, G: Game, E, P> {
    expander: Expander<'a, G, E>,
    selection: Selection,
    visits: VisitRecorder,
    parameters: MctsParameters,
    record: Record<G>,
    root_plies: usize,
    way: Vec<Step>,
    rng: ChaCha8Rng,
    /// Whether this iteration expanded a node.
    grown: bool,
    seats: usize,
    value_type: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: LeafValue> TreeWorker<'a, G, E, P> {
    pub(super) fn new(
        expander: Expander<'a, G, E>,
        parameters: MctsParameters,
        visits: VisitRecorder,
        record: Record<G>,
        rng: ChaCha8Rng,
    ) -> Self {
        let selection = Selection::new(&parameters, P::BACKS_UP_REPLIES);
        let (seats, root_plies) = (expander.game.seats(), record.plies());
        TreeWorker {
            expander,
            selection,
            visits,
            parameters,
            record,
            root_plies,
            way: Vec::new(),
            rng,
            grown: false,
            seats,
            value_type: PhantomData,
        }
    }

    /// Iterates until the phase's target or until `must_end` says so; `must_end` hears whether a move at the root
    /// was proved meanwhile.
    pub(super) fn run(&mut self, arena: &NodeArena<G::Move>, phase: &Phase<'_>, must_end: &dyn Fn(bool) -> bool) {
        while !phase.ended.load(Relaxed) {
            let granted = phase.take();
            let mut proved = false;
            for _ in 0..granted {
                proved |= self.iterate(arena, phase);
            }
            self.visits.flush(arena);
            if granted == 0 || must_end(proved) {
                return phase.end();
            }
        }
    }

    /// One iteration. Returns whether it proved a child of the root.
    #[inline]
    fn iterate(&mut self, arena: &NodeArena<G::Move>, phase: &Phase<'_>) -> bool {
        self.record.undo_to(self.root_plies);
        self.way.clear();
        self.grown = false;
        let mut node = self.enter(arena, phase.root, WinRate::HALF, Seat::P1);
        let leaf = loop {
            if let Some(leaf) = self.look(arena, node, phase) {
                break leaf;
            }
            match self.descend(arena, node, phase) {
                Some(child) => node = child,
                None => break Leaf { result: self.settled(arena, node), change: Change::Leaf },
            }
        };
        let change = if self.grown { Change::Leaf } else { leaf.change };
        phase.deepen(self.depth() as u32);
        back_up(arena, &mut self.visits, (&self.way, self.seats), leaf.result, change)
    }

    #[inline]
    fn enter<'t>(
        &mut self,
        arena: &'t NodeArena<G::Move>,
        index: u32,
        pretended: WinRate,
        chooser: Seat,
    ) -> &'t TreeNode {
        let node = arena.node(index);
        self.way.push(Step { chooser, ..self.visits.enter(node, index, pretended) });
        node
    }

    /// Follows a child; `None` when the result here is settled.
    #[inline]
    fn descend<'t>(
        &mut self,
        arena: &'t NodeArena<G::Move>,
        node: &TreeNode,
        phase: &Phase<'_>,
    ) -> Option<&'t TreeNode> {
        let block = node.block()?;
        let children = arena.block(block);
        let allowed = if self.depth() == 0 { phase.allowed } else { &[] };
        let (index, pretended) = match node.mover() {
            Mover::Seat(seat) => {
                self.secure(in_hand(children, seat, allowed), seat)?;
                let view = P::view(seat);
                let usual = P::usual(node, children, view);
                let index = self.selection.most_urgent(node, children, (view, usual), allowed)?;
                (index, WinRate(0).seen_by(view))
            }
            Mover::Chance => (self.expander.roll(self.record.position(), &mut self.rng)?, WinRate::HALF),
        };
        let child = block.0 + index as u32;
        self.record.play(self.expander.game, arena.mv(child)?);
        let chooser = node.mover().chooser(self.chooser());
        Some(self.enter(arena, child, pretended, chooser))
    }

    /// Who chose the node in hand.
    #[inline]
    fn chooser(&self) -> Seat {
        self.way.last().map_or(Seat::P1, |step| step.chooser)
    }

    /// Notes a draw that `seat` can have here; `None` when it can win, which ends the matter.
    fn secure(&mut self, in_hand: Option<ProvedResult>, seat: Seat) -> Option<()> {
        match in_hand {
            Some(proof) if proof.wins(seat) => return None,
            Some(ProvedResult { winner: None, .. }) => self.way.last_mut()?.secured = Some(seat),
            _ => {}
        }
        Some(())
    }

    /// The value of a node that its children decide.
    fn settled(&self, arena: &NodeArena<G::Move>, node: &TreeNode) -> P {
        let (children, depth) = (arena.children(node), self.depth());
        match prove(node.mover(), children) {
            Some(proof) => P::of_proof(proof, depth, self.seats),
            None => P::of_settled(node, children, depth, self.seats),
        }
    }

    /// Ends the way down here, or says `None` to go on below.
    #[inline]
    fn look(&mut self, arena: &NodeArena<G::Move>, node: &TreeNode, phase: &Phase<'_>) -> Option<Leaf<P>> {
        let depth = self.depth();
        if depth > 0
            && let Some(proof) = node.proof()
        {
            return Some(Leaf { result: P::of_proof(proof, depth, self.seats), change: Change::SumsOnly });
        }
        if node.block().is_some() && depth < phase.depth_limit {
            return None;
        }
        if depth > 0
            && let Some(leaf) = self.look_back(node, depth)
        {
            return Some(leaf);
        }
        let earlier = node.visits().saturating_sub(self.visits.virtual_loss());
        let ripe = depth == 0 || earlier >= self.parameters.expand_visits as u32;
        let chooser = self.chooser();
        if ripe && depth < phase.depth_limit && self.expander.expand::<P>(arena, node, &self.record, chooser) {
            self.grown = true;
            return None;
        }
        Some(Leaf { result: self.judge(node), change: Change::SumsOnly })
    }

    /// Plies below the root.
    #[inline]
    fn depth(&self) -> usize {
        self.record.plies() - self.root_plies
    }

    /// Who would win (`Some(None)`: nobody) if the line went round again, when this position has already
    /// stood on the line below the root: a guess at what the rules will say, not a proof.
    fn cycle_winner(&self) -> Option<Option<Seat>> {
        let earlier = self.record.repeatable();
        let below_root = &earlier[earlier.len().saturating_sub(self.depth())..];
        let occurrences = || if below_root.contains(self.record.position()) { 3 } else { 1 };
        history_outcome(self.expander.game.history_rules(), occurrences, 0).map(|outcome| outcome.winner)
    }

    /// What the history says about a leaf.
    fn look_back(&self, node: &TreeNode, depth: usize) -> Option<Leaf<P>> {
        let game = self.expander.game;
        if let Some(outcome) = self.record.history_outcome(game) {
            let proof = ProvedResult::of_outcome(outcome);
            node.set_proof(proof);
            return Some(Leaf { result: P::of_proof(proof, depth, self.seats), change: Change::Leaf });
        }
        let winner = self.cycle_winner()?;
        let result = P::of_proof(ProvedResult { winner, plies: 0 }, depth, self.seats);
        Some(Leaf { result, change: Change::SumsOnly })
    }

    /// The opinion on a leaf that is not over.
    fn judge(&mut self, node: &TreeNode) -> P {
        match self.parameters.rollout_plies {
            0 => {
                let (position, idle) = (self.record.position(), self.record.idle_plies());
                P::of_leaf(node, || self.expander.opinion(position, idle))
            }
            plies => self.expander.rollout(*self.record.position(), plies as u32, &mut self.rng),
        }
    }
}
