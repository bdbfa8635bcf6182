//! One thread's iterations: down the tree, a look at the leaf, and back up.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rand_chacha::ChaCha8Rng;

use super::backup::{Change, Step, back_up, prove};
use super::expand::Expander;
use super::ledger::Ledger;
use super::node::{Mover, Node};
use super::parameters::MctsParameters;
use super::path::Path;
use super::payoff::Payoff;
use super::proof::Proof;
use super::rate::Rate;
use super::select::{Selection, in_hand};
use super::tree::Tree;
use crate::eval::Evaluator;
use crate::rules::{Game, Seat};

/// Iterations that a worker takes on at once; it looks for a reason to stop in between.
const BATCH: u64 = 64;

/// What the workers of one round share besides the tree.
pub(super) struct Round<'a> {
    pub root: u32,
    /// Which children of the root may be tried; empty for all.
    pub allowed: &'a [bool],
    /// Plies below which no line is followed.
    pub depth_limit: usize,
    /// Iterations of the search after which the round ends.
    pub target: u64,
    /// Iterations of the search taken on so far.
    pub taken: &'a AtomicU64,
    /// Plies of the longest line that an iteration followed.
    pub deepest: &'a AtomicU32,
    /// Set when something other than the target ends the round.
    pub ended: AtomicBool,
}

impl Round<'_> {
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
pub(super) struct Worker<'a, G: Game, E, P> {
    expander: Expander<'a, G, E>,
    selection: Selection,
    ledger: Ledger,
    parameters: MctsParameters,
    path: Path<G>,
    way: Vec<Step>,
    rng: ChaCha8Rng,
    /// Whether this iteration expanded a node.
    grown: bool,
    seats: usize,
    payoff: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: Payoff> Worker<'a, G, E, P> {
    pub(super) fn new(
        expander: Expander<'a, G, E>,
        parameters: MctsParameters,
        ledger: Ledger,
        path: Path<G>,
        rng: ChaCha8Rng,
    ) -> Self {
        let selection = Selection::new(&parameters, P::BACKS_UP_REPLIES);
        let (seats, way, payoff) = (expander.game.seats(), Vec::new(), PhantomData);
        Worker { expander, selection, ledger, parameters, path, way, rng, grown: false, seats, payoff }
    }

    /// Iterates until the round's target or until `must_end` says so; `must_end` hears whether a move at the root
    /// was proved meanwhile.
    pub(super) fn run(&mut self, tree: &Tree<G::Move>, round: &Round<'_>, must_end: &dyn Fn(bool) -> bool) {
        while !round.ended.load(Relaxed) {
            let granted = round.take();
            let mut proved = false;
            for _ in 0..granted {
                proved |= self.iterate(tree, round);
            }
            self.ledger.pay(tree);
            if granted == 0 || must_end(proved) {
                return round.end();
            }
        }
    }

    /// One iteration. Returns whether it proved a child of the root.
    #[inline]
    fn iterate(&mut self, tree: &Tree<G::Move>, round: &Round<'_>) -> bool {
        self.path.return_to_root();
        self.way.clear();
        self.grown = false;
        let mut node = self.enter(tree, round.root, Rate::HALF, Seat::P1);
        let leaf = loop {
            if let Some(leaf) = self.look(tree, node, round) {
                break leaf;
            }
            match self.descend(tree, node, round) {
                Some(child) => node = child,
                None => break Leaf { result: self.settled(tree, node), change: Change::Leaf },
            }
        };
        let change = if self.grown { Change::Leaf } else { leaf.change };
        round.deepen(self.path.depth() as u32);
        back_up(tree, &mut self.ledger, (&self.way, self.seats), leaf.result, change)
    }

    #[inline]
    fn enter<'t>(&mut self, tree: &'t Tree<G::Move>, index: u32, pretended: Rate, chooser: Seat) -> &'t Node {
        let node = tree.node(index);
        self.way.push(Step { chooser, ..self.ledger.enter(node, index, pretended) });
        node
    }

    /// Follows a child; `None` when the result here is settled.
    #[inline]
    fn descend<'t>(&mut self, tree: &'t Tree<G::Move>, node: &Node, round: &Round<'_>) -> Option<&'t Node> {
        let block = node.block()?;
        let children = tree.block(block);
        let allowed = if self.path.depth() == 0 { round.allowed } else { &[] };
        let (index, pretended) = match node.mover() {
            Mover::Seat(seat) => {
                self.secure(in_hand(children, seat, allowed), seat)?;
                let view = P::view(seat);
                let usual = P::usual(node, children, view);
                let index = self.selection.most_urgent(node, children, (view, usual), allowed)?;
                (index, Rate(0).seen_by(view))
            }
            Mover::Chance => (self.expander.roll(self.path.position(), &mut self.rng)?, Rate::HALF),
        };
        let child = block.0 + index as u32;
        self.path.push(self.expander.game, tree.mv(child)?);
        let chooser = node.mover().chooser(self.chooser());
        Some(self.enter(tree, child, pretended, chooser))
    }

    /// Who chose the node in hand.
    #[inline]
    fn chooser(&self) -> Seat {
        self.way.last().map_or(Seat::P1, |step| step.chooser)
    }

    /// Notes a draw that `seat` can have here; `None` when it can win, which ends the matter.
    fn secure(&mut self, in_hand: Option<Proof>, seat: Seat) -> Option<()> {
        match in_hand {
            Some(proof) if proof.wins(seat) => return None,
            Some(Proof { winner: None, .. }) => self.way.last_mut()?.secured = Some(seat),
            _ => {}
        }
        Some(())
    }

    /// The value of a node that its children decide.
    fn settled(&self, tree: &Tree<G::Move>, node: &Node) -> P {
        let (children, depth) = (tree.children(node), self.path.depth());
        match prove(node.mover(), children) {
            Some(proof) => P::of_proof(proof, depth, self.seats),
            None => P::of_settled(node, children, depth, self.seats),
        }
    }

    /// Ends the way down here, or says `None` to go on below.
    #[inline]
    fn look(&mut self, tree: &Tree<G::Move>, node: &Node, round: &Round<'_>) -> Option<Leaf<P>> {
        let depth = self.path.depth();
        if depth > 0
            && let Some(proof) = node.proof()
        {
            return Some(Leaf { result: P::of_proof(proof, depth, self.seats), change: Change::SumsOnly });
        }
        if node.block().is_some() && depth < round.depth_limit {
            return None;
        }
        if depth > 0
            && let Some(leaf) = self.look_back(node, depth)
        {
            return Some(leaf);
        }
        let earlier = node.visits().saturating_sub(self.ledger.virtual_loss());
        let ripe = depth == 0 || earlier >= self.parameters.expand_visits as u32;
        let chooser = self.chooser();
        if ripe && depth < round.depth_limit && self.expander.expand::<P>(tree, node, &self.path, chooser) {
            self.grown = true;
            return None;
        }
        Some(Leaf { result: self.judge(node), change: Change::SumsOnly })
    }

    /// What the history says about a leaf.
    fn look_back(&self, node: &Node, depth: usize) -> Option<Leaf<P>> {
        let game = self.expander.game;
        if let Some(outcome) = self.path.history_outcome(game) {
            let proof = Proof::of_outcome(outcome);
            node.set_proof(proof);
            return Some(Leaf { result: P::of_proof(proof, depth, self.seats), change: Change::Leaf });
        }
        let winner = self.path.cycle_winner(game)?;
        let result = P::of_proof(Proof { winner, plies: 0 }, depth, self.seats);
        Some(Leaf { result, change: Change::SumsOnly })
    }

    /// The opinion on a leaf that is not over.
    fn judge(&mut self, node: &Node) -> P {
        match self.parameters.rollout_plies {
            0 => {
                let (position, idle) = (self.path.position(), self.path.idle_plies());
                P::of_leaf(node, || P::of_opinion(&self.expander, position, idle))
            }
            plies => self.expander.rollout(*self.path.position(), plies as u32, &mut self.rng),
        }
    }
}
