//! Builds the searcher that the options ask for, of the strength that they ask for.

use super::families::GameSupport;
use super::options::Options;
use super::strength::{FULL_SKILL, SearcherKind, level_of};
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::levels::{Baseline, Level, Weakened};
use crate::search::mcts::Mcts;

/// The most players that alpha-beta searches for; mcts searches for more.
const ALPHABETA_SEATS: usize = 2;

/// A remark for searches of a game that has too many players for the searcher that the options name.
pub(super) fn seats_notice<G: Game>(game: &G, options: &Options) -> Option<String> {
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
        // The levels were rated without this pruning.
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

/// The level of play that the options ask for; `None` for full strength, and in games that have no levels.
pub(super) fn level<G: GameSupport>(options: &Options) -> Option<Level> {
    let scale = G::LEVEL_SCALE?;
    if options.is_limited() {
        return Some(level_of(options.elo(), scale));
    }
    scale.places.get(usize::from(options.skill_level())).copied().map(Level)
}

/// A remark for options that ask for a level that the game does not have.
pub(super) fn level_notice<G: GameSupport>(options: &Options) -> Option<String> {
    let is_ignored = G::LEVEL_SCALE.is_none() && (options.is_limited() || options.skill_level() < FULL_SKILL);
    is_ignored.then(|| "this game has no levels of play: the engine plays as well as it can".to_owned())
}
