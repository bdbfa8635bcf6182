//! The numbers that shape the tree search.

use crate::eval::parameters;

parameters! {
    /// Tunable numbers of the Monte Carlo tree search.
    pub struct MctsParameters {
        /// Weight of the exploration term, in hundredths of a win.
        exploration: "MctsExploration" = 6, 0..=500;
        /// The same where random playouts judge the leaves: their results scatter more than opinions do.
        rollout_exploration: "MctsRolloutExploration" = 70, 0..=500;
        /// How far below its parent's mean a move that was never tried is taken to be, in hundredths of a win.
        first_play_urgency: "MctsFirstPlayUrgency" = 10, -100..=100;
        /// Weight of the evaluator's opinion of a move; it fades with the visits of the move, in hundredths.
        bias: "MctsBias" = 100, 0..=1000;
        /// Share of the best-reply value in a move's value, the rest being the mean of its visits, in hundredths.
        minimax_share: "MctsMinimaxShare" = 30, 0..=100;
        /// Idle plies after which an opinion counts half, so that whoever is ahead makes progress; 0: it always counts.
        idle_fade: "MctsIdleFade" = 60, 0..=1000;
        /// Visits that a leaf has before the next one expands it.
        expand_visits: "MctsExpandVisits" = 1, 0..=1000;
        /// Longest random playout in plies; 0 evaluates the leaf instead.
        rollout_plies: "MctsRolloutPlies" = 0, 0..=10000;
        /// Visits, counted as losses, that a worker leaves behind on its way down to keep the others off it.
        virtual_loss: "MctsVirtualLoss" = 1, 1..=100;
    }
}

/// What stays the same from search to search.
pub(super) struct MctsSettings<E> {
    pub(super) evaluator: E,
    pub(super) parameters: MctsParameters,
}
