//! One thread's iterations: selection, expansion, evaluation, backpropagation.
//!
//! With little exploration a tree search follows the same line again and again. So a worker walks down the *trunk*, the
//! busy nodes of its line, once for a batch of iterations below the last of them, the base, and books the whole batch
//! on the trunk at once. That saves the walk, and threads do not spend their time on moving the same nodes between
//! their caches. Meanwhile the iterations of a batch look like losses of the base to other threads, which sends them
//! elsewhere.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rand_chacha::ChaCha8Rng;

use super::MctsSettings;
use super::arena::{Reply, Stretch, TreeArena, TreeNode};
use super::leaf_value::LeafValue;
use super::tree::SearchTree;
use super::uct::{Choice, Selection, TreeStep, add_up, best_proved, book, prove, refresh_up_to, settle};
use super::value::{ProvedResult, WinRate};
use crate::eval::Evaluator;
use crate::rules::random::stream;
use crate::rules::{Game, Record, Seat, history_outcome};
use crate::search::{SearchTask, TableProber};

/// Iterations granted to a worker at once; between grants it looks for a reason to stop.
const GRANT: u64 = 64;
/// The visits from which on a node is busy.
const BUSY_VISITS: u32 = 128;
/// A batch has at most the visits of its base divided by this.
const BATCH_PART: u32 = 16;
/// The most iterations of a batch, however busy its base is.
const MOST_IN_BATCH: u32 = 16;

/// The data that workers share until the search ends or the tree is full.
pub(super) struct SearchPhase<'a, G: Game> {
    pub tree: &'a SearchTree<G>,
    /// The number of iterations of the search after which it ends.
    pub target: u64,
    /// The number of iterations of the search taken on so far.
    pub taken: &'a AtomicU64,
    /// Plies of the longest line that an iteration followed.
    pub deepest: &'a AtomicU32,
    /// Set by the first worker that sees a reason to end.
    pub ended: AtomicBool,
}

impl<G: Game> SearchPhase<'_, G> {
    /// Takes on some iterations and returns their number; 0 when `until` iterations of the search have been taken on.
    fn take(&self, until: u64) -> u64 {
        let until = until.min(self.target);
        let next = |taken: u64| (taken < until).then(|| (taken + GRANT).min(until));
        self.taken.fetch_update(Relaxed, Relaxed, next).map_or(0, |before| (until - before).min(GRANT))
    }

    fn is_done(&self) -> bool {
        self.taken.load(Relaxed) >= self.target
    }

    /// Records the length of a line. New longest lines are rare, so threads seldom write here.
    fn deepen(&self, plies: u32) {
        if plies > self.deepest.load(Relaxed) {
            self.deepest.fetch_max(plies, Relaxed);
        }
    }
}

/// One thread of a search, aligned to cache lines of its own, since workers are neighbours in memory.
#[repr(align(128))]
pub(super) struct TreeWorker<'a, G: Game, E, P> {
    pub(super) game: &'a G,
    pub(super) settings: &'a MctsSettings<E>,
    pub(super) tables: Option<&'a TableProber<'a, G>>,
    /// Nodes of the arena reserved for this worker.
    pub(super) stretch: Stretch,
    pub(super) moves: Vec<G::Move>,
    pub(super) replies: Vec<Reply>,
    pub(super) outcomes: Vec<(G::Move, f64)>,
    selection: Selection,
    /// The virtual losses that a pending iteration leaves on each node.
    virtual_loss: u32,
    /// The virtual losses on the base of a batch for each iteration to come; 0 if there are no other threads to keep
    /// off.
    batch_loss: u32,
    /// The sums of rates that a batch has brought to the nodes above its base, the root first.
    trunk_sums: Vec<u64>,
    record: &'a Record<G>,
    /// The most plies of a line.
    depth_limit: usize,
    /// The way down of this iteration so far, the root first.
    steps: Vec<TreeStep<G::Position>>,
    pub(super) rng: ChaCha8Rng,
    /// Whether this iteration changed more than sums: the proof or the children of its last node are new.
    leaf_has_changed: bool,
    value_type: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: LeafValue> TreeWorker<'a, G, E, P> {
    /// The worker with this number, which takes new nodes from `stretch` first.
    pub(super) fn new(
        task: &'a SearchTask<'a, G>,
        settings: &'a MctsSettings<E>,
        number: u64,
        stretch: Stretch,
    ) -> Self {
        let virtual_loss = settings.parameters.virtual_loss as u32;
        TreeWorker {
            game: task.game,
            settings,
            tables: task.tables,
            stretch,
            moves: Vec::new(),
            replies: Vec::new(),
            outcomes: Vec::new(),
            selection: Selection::new(&settings.parameters, P::BACKS_UP_REPLIES),
            virtual_loss,
            batch_loss: if task.config.threads > 1 { virtual_loss } else { 0 },
            trunk_sums: Vec::new(),
            record: task.record,
            depth_limit: task.limits.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
            steps: Vec::new(),
            rng: worker_rng(task.config.seed, task.record.plies(), number),
            leaf_has_changed: false,
            value_type: PhantomData,
        }
    }

    /// Iterates until `until` iterations of the search have been taken on or the phase ends, by its target or because
    /// `must_end` returns true.
    pub(super) fn run(&mut self, phase: &SearchPhase<'_, G>, until: u64, must_end: &dyn Fn() -> bool) {
        while !phase.ended.load(Relaxed) {
            let granted = phase.take(until);
            let mut left = granted as u32;
            while left > 0 {
                left -= self.batch(phase, left);
            }
            if phase.is_done() || must_end() {
                return phase.ended.store(true, Relaxed);
            }
            if granted == 0 {
                return;
            }
        }
    }

    /// Runs a batch of at most `most` iterations. Returns their number.
    #[inline]
    fn batch(&mut self, phase: &SearchPhase<'_, G>, most: u32) -> u32 {
        let arena = &phase.tree.arena;
        let seats = self.game.seats();
        let base = self.follow_trunk(phase.tree);
        let above = self.depth();
        let planned = batch_size(base).min(most);
        // The mean of a chance node counts as its value meanwhile, so there are no virtual losses.
        let losses = if base.mover().is_some() { (planned - 1) * self.batch_loss } else { 0 };
        let rate = self.steps[above].virtual_rate;
        base.enter(losses, rate);
        self.trunk_sums.clear();
        self.trunk_sums.resize(above, 0);
        let mut iterations = 0;
        let mut base_has_changed = false;
        for _ in 0..planned {
            iterations += 1;
            self.steps.truncate(above + 1);
            base.enter(self.virtual_loss, rate);
            let result = self.iterate(base, phase);
            let result = settle(arena, self.virtual_loss, &self.steps[above..], result);
            add_up(&self.steps[..above], result, &mut self.trunk_sums);
            if self.leaf_has_changed {
                base_has_changed |= refresh_up_to::<_, _, P>(above, arena, &self.steps, seats);
            }
            if above > 0 && base.proof().is_some() {
                break;
            }
        }
        base.leave(losses, rate);
        book(arena, &self.steps[..above], iterations, &self.trunk_sums);
        if base_has_changed {
            refresh_up_to::<_, _, P>(0, arena, &self.steps[..above], seats);
        }
        iterations
    }

    /// Walks down along busy nodes to the base of the next batch, and returns the base.
    #[inline]
    fn follow_trunk<'t>(&mut self, tree: &'t SearchTree<G>) -> &'t TreeNode {
        self.steps.clear();
        self.steps.push(TreeStep::root(tree.root, self.record));
        let mut base = tree.root_node();
        // Every iteration rolls for itself: below a roll, one roll would count for a whole batch.
        while is_busy(base)
            && base.mover().is_some()
            && let Some(child) = self.descend(base, tree)
        {
            let goes_on = child.is_expanded() && child.proof().is_none() && self.depth() < self.depth_limit;
            if !(goes_on && is_busy(child)) {
                self.steps.pop();
                break;
            }
            base = child;
        }
        base
    }

    /// Runs one iteration from a node on. Returns the value of the leaf where it ends.
    #[inline]
    fn iterate<'t>(&mut self, base: &'t TreeNode, phase: &SearchPhase<'t, G>) -> P {
        let arena = &phase.tree.arena;
        self.leaf_has_changed = false;
        let mut node = base;
        let result = loop {
            if let Some(result) = self.leaf_result(node, arena) {
                break result;
            }
            match self.descend(node, phase.tree) {
                Some(child) => {
                    child.enter(self.virtual_loss, self.steps[self.depth()].virtual_rate);
                    node = child;
                }
                None => {
                    self.leaf_has_changed = true;
                    break self.settled(arena, node);
                }
            }
        };
        phase.deepen(self.depth() as u32);
        result
    }

    /// Goes on to a child, chosen or rolled; `None` when the result at `node` is settled.
    #[inline]
    fn descend<'t>(&mut self, node: &TreeNode, tree: &'t SearchTree<G>) -> Option<&'t TreeNode> {
        if !node.is_expanded() {
            return None;
        }
        let arena = &tree.arena;
        let depth = self.depth();
        let allowed = if depth == 0 { tree.allowed.as_slice() } else { &[] };
        let here = self.steps[depth];
        let index = match node.mover() {
            Some(seat) => match self.choose(arena, node, seat, allowed)? {
                Choice::Child(index) => index,
                Choice::Untried => match self.begin_next(arena, node, &here) {
                    Some(index) => index,
                    // Another worker was faster, or there is no room.
                    None => match self.choose(arena, node, seat, allowed)? {
                        Choice::Child(index) => index,
                        Choice::Untried => return None,
                    },
                },
            },
            None => arena.children(node).nth(self.roll(&here.position)?)?.0,
        };
        let lost_for = |seat| WinRate(0).seen_by(P::perspective(seat));
        let game = self.game;
        let mv = arena.mv(index)?;
        self.steps.push(TreeStep {
            node: index,
            virtual_rate: node.mover().map_or(WinRate::HALF, lost_for),
            position: game.play_unchecked(&here.position, mv),
            counters: here.counters.after(game, &here.position, mv),
            // A roll is no choice: below it the seat that chose before stays the chooser.
            chooser: node.mover().unwrap_or(here.chooser),
            secured: None,
        });
        Some(arena.node(index))
    }

    /// The most urgent choice for `seat`, the mover at the last step; `None` if it has a proved win or nothing is open.
    /// A draw that the seat can have is noted in the step.
    #[inline]
    fn choose(&mut self, arena: &TreeArena<G::Move>, node: &TreeNode, seat: Seat, allowed: &[u32]) -> Option<Choice> {
        match best_proved(arena, node, seat, allowed) {
            Some(proof) if proof.wins(seat) => return None,
            Some(ProvedResult { winner: None, .. }) => {
                let depth = self.depth();
                self.steps[depth].secured = Some(seat);
            }
            _ => {}
        }
        let perspective = P::perspective(seat);
        let average = P::average(arena, node, perspective);
        self.selection.most_urgent(arena, node, perspective, average, allowed)
    }

    /// The value of a node that its children decide.
    fn settled(&self, arena: &TreeArena<G::Move>, node: &TreeNode) -> P {
        match prove(arena, node) {
            Some(proof) => self.value_of(proof),
            None => P::of_settled(arena, node, self.depth(), self.game.seats()),
        }
    }

    /// The value of an exact result at the end of the way down.
    #[inline]
    fn value_of(&self, proof: ProvedResult) -> P {
        P::of_proof(proof, self.depth(), self.game.seats())
    }

    /// The value with which the way down ends at this node; `None` to go on below it.
    #[inline]
    fn leaf_result(&mut self, node: &TreeNode, arena: &TreeArena<G::Move>) -> Option<P> {
        let depth = self.depth();
        if depth > 0
            && let Some(proof) = node.proof()
        {
            return Some(self.value_of(proof));
        }
        if node.is_expanded() && depth < self.depth_limit {
            return None;
        }
        if depth > 0
            && let Some(result) = self.history_result(node)
        {
            return Some(result);
        }
        let earlier = node.visits().saturating_sub(self.virtual_loss);
        let is_ripe = depth == 0 || earlier >= self.settings.parameters.expand_visits as u32;
        let here = self.steps[depth];
        if is_ripe && depth < self.depth_limit && self.expand(arena, node, &here) {
            self.leaf_has_changed = true;
            return None;
        }
        Some(match self.settings.parameters.rollout_plies {
            0 => P::of_leaf(node, || self.opinion(&here.position, here.counters.idle)),
            plies => self.rollout(here.position, plies as u32),
        })
    }

    /// The plies from the root to the last step.
    #[inline]
    fn depth(&self) -> usize {
        self.steps.len() - 1
    }

    /// The value of a leaf by the history: an ending by the rules, which is proved; or, if this position is already on
    /// the line, a guess at the ending when the line goes round again.
    fn history_result(&mut self, node: &TreeNode) -> Option<P> {
        let (here, line) = self.steps.split_last()?;
        let rules = self.game.history_rules();
        let reversible = here.counters.reversible as usize;
        let on_line = line[line.len().saturating_sub(reversible)..].iter().map(|step| &step.position);
        let before_root =
            || if reversible > line.len() { self.record.earlier(self.game.key(&here.position)) } else { 0 };
        let is_here = |earlier: &&G::Position| **earlier == here.position;
        let occurrences = || 1 + on_line.clone().filter(is_here).count() + before_root();
        let proof = if let Some(outcome) = history_outcome(rules, occurrences, here.counters.idle) {
            let proof = ProvedResult::of_outcome(outcome);
            node.set_proof(proof);
            self.leaf_has_changed = true;
            proof
        } else {
            let occurrences = || if on_line.clone().any(|earlier| is_here(&earlier)) { 3 } else { 1 };
            ProvedResult::of_outcome(history_outcome(rules, occurrences, 0)?)
        };
        Some(self.value_of(proof))
    }
}

#[inline]
fn is_busy(node: &TreeNode) -> bool {
    node.visits() >= BUSY_VISITS
}

/// The number of iterations that a batch below a node may have.
#[inline]
fn batch_size(base: &TreeNode) -> u32 {
    match base.visits() {
        ..BUSY_VISITS => 1,
        visits => (visits / BATCH_PART).min(MOST_IN_BATCH),
    }
}

/// The random stream of one worker for one search.
fn worker_rng(seed: u64, plies_played: usize, worker: u64) -> ChaCha8Rng {
    let mut rng = stream(seed, worker);
    // Searches at other moves of the same game continue elsewhere in the same stream.
    rng.set_word_pos((plies_played as u128) << 40);
    rng
}
