//! Builds the searcher that the options choose.

use super::options::{Options, SearcherKind};
use super::strength::level;
use super::support::GameSupport;
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::baseline::Baseline;
use crate::search::mcts::Mcts;
use crate::search::weakened::Weakened;

/// The most players that alpha-beta searches for; mcts searches for more.
const ALPHABETA_SEATS: usize = 2;

/// A remark for searches of a game that has too many players for the searcher that the options name.
pub(super) fn notice<G: Game>(game: &G, options: &Options) -> Option<String> {
    let is_replaced = options.searcher() == SearcherKind::AlphaBeta && game.seats() > ALPHABETA_SEATS;
    is_replaced.then(|| "alphabeta is for one or two players: mcts plays".to_owned())
}

/// A searcher with the values of the options that it was built from; a change of them asks for a new one.
pub(super) struct ConfiguredSearcher<G: Game> {
    settings: Vec<String>,
    pub searcher: Box<dyn Searcher<G>>,
}

impl<G: GameSupport> ConfiguredSearcher<G> {
    pub(super) fn new(game: &G, options: &Options, evaluator: G::Evaluator) -> Self {
        let alphabeta = |parameters| AlphaBeta::new(evaluator.clone(), parameters);
        // As when the levels were rated.
        let unpruned = || AlphaBetaParameters { futility_depth: 0, ..options.parameters() };
        let searcher: Box<dyn Searcher<G>> = match (options.searcher(), level::<G>(options)) {
            (SearcherKind::Random, _) => Box::new(Baseline::Random),
            (SearcherKind::Greedy, _) => Box::new(Baseline::Greedy),
            (_, Some(level)) => Box::new(Weakened { searcher: alphabeta(unpruned()), level }),
            (kind, None) => match kind.may_solve().then(G::solver).flatten() {
                Some(solver) => solver,
                None if kind.tree_search() == Some(SearcherKind::Mcts) || game.seats() > ALPHABETA_SEATS => {
                    Box::new(Mcts::new(evaluator, options.parameters()))
                }
                None => Box::new(alphabeta(options.parameters())),
            },
        };
        ConfiguredSearcher { settings: options.searcher_settings().map(str::to_owned).collect(), searcher }
    }

    /// Whether these options ask for the same searcher.
    pub(super) fn fits(&self, options: &Options) -> bool {
        self.settings.iter().map(String::as_str).eq(options.searcher_settings())
    }
}
