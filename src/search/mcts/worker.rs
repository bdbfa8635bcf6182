//! One thread's iterations: selection, expansion, evaluation, backpropagation.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::arena::NodeArena;
use super::backup::{BackupChange, TreeStep, back_up, prove};
use super::expand::Expander;
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::parameters::MctsSettings;
use super::proof::ProvedResult;
use super::select::{Selection, best_proved};
use super::tree::SearchTree;
use super::visits::VisitRecorder;
use super::win_rate::WinRate;
use crate::eval::Evaluator;
use crate::rules::{Game, Record, Seat, history_outcome};
use crate::search::SearchTask;

/// Iterations that a worker takes on at once; it looks for a reason to stop in between.
const BATCH: u64 = 64;

/// What the workers share from one report to the next.
pub(super) struct SearchPhase<'a, G: Game> {
    pub tree: &'a SearchTree<G>,
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
    record: &'a Record<G>,
    /// Plies below which no line is followed.
    depth_limit: usize,
    /// The way down that this iteration took so far, the root first.
    steps: Vec<TreeStep<G::Position>>,
    rng: ChaCha8Rng,
    /// What this iteration does to the tree.
    change: BackupChange,
    value_type: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: LeafValue> TreeWorker<'a, G, E, P> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, settings: &'a MctsSettings<E>, number: u64) -> Self {
        TreeWorker {
            expander: Expander::new(task, settings),
            selection: Selection::new(&settings.parameters, P::BACKS_UP_REPLIES),
            visits: VisitRecorder::new(settings.parameters.virtual_loss as u32, task.config.threads),
            record: task.record,
            depth_limit: task.limits.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
            steps: Vec::new(),
            rng: worker_rng(task.config.seed, task.record.plies(), number),
            change: BackupChange::SumsOnly,
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
        self.change = BackupChange::SumsOnly;
        let mut node = self.begin(phase.tree);
        let result = loop {
            if let Some(result) = self.leaf_result(node, arena) {
                break result;
            }
            match self.descend(node, phase.tree) {
                Some(child) => node = child,
                None => {
                    self.change = BackupChange::Leaf;
                    break self.settled(arena, node);
                }
            }
        };
        phase.deepen(self.depth() as u32);
        back_up(arena, &mut self.visits, (&self.steps, self.expander.game.seats()), result, self.change)
    }

    /// Enters the root.
    fn begin<'t>(&mut self, tree: &'t SearchTree<G>) -> &'t TreeNode {
        let node = tree.root_node();
        self.steps.clear();
        self.steps.push(TreeStep {
            visit: self.visits.enter(node, tree.root, WinRate::HALF),
            position: *self.record.position(),
            reversible: self.record.reversible_plies(),
            idle: self.record.idle_plies(),
            chooser: Seat::P1,
            secured: None,
        });
        node
    }

    /// Follows a child; `None` when the result here is settled.
    #[inline]
    fn descend<'t>(&mut self, node: &TreeNode, tree: &'t SearchTree<G>) -> Option<&'t TreeNode> {
        let block = node.block()?;
        let children = tree.arena.block(block);
        let depth = self.depth();
        let allowed = if depth == 0 { tree.allowed.as_slice() } else { &[] };
        let (index, virtual_rate) = match node.mover() {
            Some(seat) => {
                self.secure(best_proved(children, seat, allowed), seat)?;
                let perspective = P::perspective(seat);
                let average = P::average(node, children, perspective);
                let index = self.selection.most_urgent(node, children, (perspective, average), allowed)?;
                (index, WinRate(0).seen_by(perspective))
            }
            None => (self.expander.roll(&self.steps[depth].position, &mut self.rng)?, WinRate::HALF),
        };
        let (game, here, number) = (self.expander.game, &self.steps[depth], block.0 + index as u32);
        let (mv, child) = (tree.arena.mv(number)?, &children[index]);
        let count = |reset: bool, plies: u32| if reset { 0 } else { plies + 1 };
        self.steps.push(TreeStep {
            visit: self.visits.enter(child, number, virtual_rate),
            position: game.play_unchecked(&here.position, mv),
            reversible: count(game.is_irreversible(&here.position, mv), here.reversible),
            idle: count(game.is_progress(&here.position, mv), here.idle),
            // Nobody chooses a roll, so that the one who chose before is still the one.
            chooser: node.mover().unwrap_or(here.chooser),
            secured: None,
        });
        Some(child)
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
            None => P::of_settled(node, children, self.depth(), self.expander.game.seats()),
        }
    }

    /// What an exact result is worth here.
    #[inline]
    fn value_of(&self, proof: ProvedResult) -> P {
        P::of_proof(proof, self.depth(), self.expander.game.seats())
    }

    /// Ends the way down here with a result, or says `None` to go on below.
    #[inline]
    fn leaf_result(&mut self, node: &TreeNode, arena: &NodeArena<G::Move>) -> Option<P> {
        let depth = self.depth();
        if depth > 0
            && let Some(proof) = node.proof()
        {
            return Some(self.value_of(proof));
        }
        if node.block().is_some() && depth < self.depth_limit {
            return None;
        }
        if depth > 0
            && let Some(result) = self.history_result(node)
        {
            return Some(result);
        }
        let earlier = node.visits().saturating_sub(self.visits.virtual_loss);
        let ripe = depth == 0 || earlier >= self.expander.settings.parameters.expand_visits as u32;
        let TreeStep { position, idle, chooser, .. } = &self.steps[depth];
        if ripe && depth < self.depth_limit && self.expander.expand::<P>(arena, node, (position, *idle), *chooser) {
            self.change = BackupChange::Leaf;
            return None;
        }
        Some(self.evaluate(node))
    }

    /// Plies below the root.
    #[inline]
    fn depth(&self) -> usize {
        self.steps.len() - 1
    }

    /// What the history says about a leaf: an ending by the rules, which is proved, or else a guess at what they will
    /// say if the line goes round again, when this position has already stood on the line.
    fn history_result(&mut self, node: &TreeNode) -> Option<P> {
        let (here, line) = self.steps.split_last()?;
        let (rules, reversible) = (self.expander.game.history_rules(), here.reversible as usize);
        let on_line = line[line.len().saturating_sub(reversible)..].iter().map(|step| &step.position);
        let before_root = if reversible > line.len() { self.record.repeatable() } else { &[] };
        let is_here = |earlier: &&G::Position| **earlier == here.position;
        let occurrences = || 1 + on_line.clone().chain(before_root).filter(is_here).count();
        let proof = if let Some(outcome) = history_outcome(rules, occurrences, here.idle) {
            let proof = ProvedResult::of_outcome(outcome);
            node.set_proof(proof);
            self.change = BackupChange::Leaf;
            proof
        } else {
            let occurrences = || if on_line.clone().any(|earlier| is_here(&earlier)) { 3 } else { 1 };
            ProvedResult::of_outcome(history_outcome(rules, occurrences, 0)?)
        };
        Some(self.value_of(proof))
    }

    /// The opinion on a leaf that is not over.
    fn evaluate(&mut self, node: &TreeNode) -> P {
        let TreeStep { position, idle, .. } = &self.steps[self.steps.len() - 1];
        match self.expander.settings.parameters.rollout_plies {
            0 => P::of_leaf(node, || self.expander.opinion(position, *idle)),
            plies => self.expander.rollout(*position, plies as u32, &mut self.rng),
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
