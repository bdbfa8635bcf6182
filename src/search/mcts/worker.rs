//! One thread's iterations: selection, expansion, evaluation, backpropagation.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::arena::NodeArena;
use super::backup::{BackupChange, back_up, prove};
use super::expand::Expander;
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::parameters::MctsSettings;
use super::proof::ProvedResult;
use super::select::{Selection, best_proved};
use super::tree::SearchTree;
use super::visits::{TreeStep, VisitRecorder};
use super::win_rate::WinRate;
use crate::eval::Evaluator;
use crate::rules::{Game, Record, Seat, history_outcome};
use crate::search::SearchTask;

/// Iterations that a worker takes on at once; it looks for a reason to stop in between.
const BATCH: u64 = 64;

/// What the workers share from one report to the next.
pub(super) struct SearchPhase<'a, G: Game> {
    pub tree: &'a SearchTree<G>,
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

impl<G: Game> SearchPhase<'_, G> {
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
}

/// A thread's own things, in cache lines of their own: workers stand side by side in memory.
#[repr(align(128))]
pub(super) struct TreeWorker<'a, G: Game, E, P> {
    expander: Expander<'a, G, E>,
    selection: Selection,
    visits: VisitRecorder,
    record: Record<G>,
    root_plies: usize,
    steps: Vec<TreeStep>,
    rng: ChaCha8Rng,
    /// What this iteration does to the tree.
    change: BackupChange,
    seats: usize,
    value_type: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: LeafValue> TreeWorker<'a, G, E, P> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, settings: &'a MctsSettings<E>, number: u64) -> Self {
        TreeWorker {
            expander: Expander::new(task, settings),
            selection: Selection::new(&settings.parameters, P::BACKS_UP_REPLIES),
            visits: VisitRecorder::new(settings.parameters.virtual_loss as u32, task.config.threads),
            record: task.record.clone(),
            root_plies: task.record.plies(),
            steps: Vec::new(),
            rng: worker_rng(task.config.seed, task.record.plies(), number),
            change: BackupChange::SumsOnly,
            seats: task.game.seats(),
            value_type: PhantomData,
        }
    }

    /// Iterates until the phase's target or until `must_end` says so; `must_end` hears whether a move at the root
    /// was proved meanwhile.
    pub(super) fn run(&mut self, phase: &SearchPhase<'_, G>, must_end: &dyn Fn(bool) -> bool) {
        while !phase.ended.load(Relaxed) {
            let granted = phase.take();
            let mut proved = false;
            for _ in 0..granted {
                proved |= self.iterate(phase);
            }
            self.visits.flush(&phase.tree.arena);
            if granted == 0 || must_end(proved) {
                return phase.ended.store(true, Relaxed);
            }
        }
    }

    /// One iteration. Returns whether it proved a child of the root.
    #[inline]
    fn iterate(&mut self, phase: &SearchPhase<'_, G>) -> bool {
        let arena = &phase.tree.arena;
        self.record.undo_to(self.root_plies);
        self.steps.clear();
        self.change = BackupChange::SumsOnly;
        let mut node = self.enter(arena, phase.tree.root, WinRate::HALF, Seat::P1);
        let result = loop {
            if let Some(result) = self.leaf_result(node, phase) {
                break result;
            }
            match self.descend(node, phase) {
                Some(child) => node = child,
                None => {
                    self.change = BackupChange::Leaf;
                    break self.settled(arena, node);
                }
            }
        };
        phase.deepen(self.depth() as u32);
        back_up(arena, &mut self.visits, (&self.steps, self.seats), result, self.change)
    }

    #[inline]
    fn enter<'t>(
        &mut self,
        arena: &'t NodeArena<G::Move>,
        index: u32,
        virtual_rate: WinRate,
        chooser: Seat,
    ) -> &'t TreeNode {
        let node = arena.node(index);
        self.steps.push(TreeStep { chooser, ..self.visits.enter(node, index, virtual_rate) });
        node
    }

    /// Follows a child; `None` when the result here is settled.
    #[inline]
    fn descend<'t>(&mut self, node: &TreeNode, phase: &SearchPhase<'t, G>) -> Option<&'t TreeNode> {
        let arena = &phase.tree.arena;
        let block = node.block()?;
        let children = arena.block(block);
        let allowed = if self.depth() == 0 { phase.tree.allowed.as_slice() } else { &[] };
        let (index, virtual_rate) = match node.mover() {
            Some(seat) => {
                self.secure(best_proved(children, seat, allowed), seat)?;
                let perspective = P::perspective(seat);
                let average = P::average(node, children, perspective);
                let index = self.selection.most_urgent(node, children, (perspective, average), allowed)?;
                (index, WinRate(0).seen_by(perspective))
            }
            None => (self.expander.roll(self.record.position(), &mut self.rng)?, WinRate::HALF),
        };
        let child = block.0 + index as u32;
        self.record.play(self.expander.game, arena.mv(child)?);
        let chooser = node.mover().unwrap_or(self.chooser());
        Some(self.enter(arena, child, virtual_rate, chooser))
    }

    /// Who chose the node in hand. Nobody chooses a roll, so that the one who chose before is still the one.
    #[inline]
    fn chooser(&self) -> Seat {
        self.steps.last().map_or(Seat::P1, |step| step.chooser)
    }

    /// Notes a draw that `seat` can have here; `None` when it can win, which ends the matter.
    fn secure(&mut self, best_proved: Option<ProvedResult>, seat: Seat) -> Option<()> {
        match best_proved {
            Some(proof) if proof.wins(seat) => return None,
            Some(ProvedResult { winner: None, .. }) => self.steps.last_mut()?.secured = Some(seat),
            _ => {}
        }
        Some(())
    }

    /// The value of a node that its children decide.
    fn settled(&self, arena: &NodeArena<G::Move>, node: &TreeNode) -> P {
        let children = arena.children(node);
        match prove(node.mover(), children) {
            Some(proof) => self.value_of(proof),
            None => P::of_settled(node, children, self.depth(), self.seats),
        }
    }

    /// What an exact result is worth here.
    #[inline]
    fn value_of(&self, proof: ProvedResult) -> P {
        P::of_proof(proof, self.depth(), self.seats)
    }

    /// Ends the way down here with a result, or says `None` to go on below.
    #[inline]
    fn leaf_result(&mut self, node: &TreeNode, phase: &SearchPhase<'_, G>) -> Option<P> {
        let depth = self.depth();
        if depth > 0
            && let Some(proof) = node.proof()
        {
            return Some(self.value_of(proof));
        }
        if node.block().is_some() && depth < phase.depth_limit {
            return None;
        }
        if depth > 0
            && let Some(result) = self.history_result(node)
        {
            return Some(result);
        }
        let earlier = node.visits().saturating_sub(self.visits.virtual_loss());
        let ripe = depth == 0 || earlier >= self.expander.settings.parameters.expand_visits as u32;
        let (arena, chooser) = (&phase.tree.arena, self.chooser());
        if ripe && depth < phase.depth_limit && self.expander.expand::<P>(arena, node, &self.record, chooser) {
            self.change = BackupChange::Leaf;
            return None;
        }
        Some(self.evaluate(node))
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
    fn history_result(&mut self, node: &TreeNode) -> Option<P> {
        let Some(outcome) = self.record.history_outcome(self.expander.game) else {
            return self.cycle_winner().map(|winner| self.value_of(ProvedResult { winner, plies: 0 }));
        };
        let proof = ProvedResult::of_outcome(outcome);
        node.set_proof(proof);
        self.change = BackupChange::Leaf;
        Some(self.value_of(proof))
    }

    /// The opinion on a leaf that is not over.
    fn evaluate(&mut self, node: &TreeNode) -> P {
        match self.expander.settings.parameters.rollout_plies {
            0 => {
                let (position, idle) = (self.record.position(), self.record.idle_plies());
                P::of_leaf(node, || self.expander.opinion(position, idle))
            }
            plies => self.expander.rollout(*self.record.position(), plies as u32, &mut self.rng),
        }
    }
}

/// The random numbers of one worker for one search.
fn worker_rng(seed: u64, plies_played: usize, worker: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(worker);
    // Another move of the same game continues elsewhere in the same stream.
    rng.set_word_pos((plies_played as u128) << 40);
    rng
}
