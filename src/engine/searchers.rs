//! Builds the searcher that the options choose.

use super::options::{Options, SearcherKind};
use super::support::GameSupport;
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBeta;
use crate::search::baseline::Baseline;
use crate::search::mcts::Mcts;

/// A searcher with the values of the options that it was built from; a change of them asks for a new one.
pub(super) struct ConfiguredSearcher<G: Game> {
    settings: Vec<String>,
    pub searcher: Box<dyn Searcher<G>>,
}

impl<G: GameSupport> ConfiguredSearcher<G> {
    pub(super) fn new(options: &Options, evaluator: G::Evaluator) -> Self {
        let alphabeta = || Box::new(AlphaBeta::new(evaluator.clone(), options.parameters())) as Box<dyn Searcher<G>>;
        let searcher = match options.searcher() {
            SearcherKind::Auto | SearcherKind::Solver => G::solver().unwrap_or_else(alphabeta),
            SearcherKind::AlphaBeta => alphabeta(),
            SearcherKind::Mcts => Box::new(Mcts::new(evaluator, options.parameters())),
            SearcherKind::Random => Box::new(Baseline::Random),
            SearcherKind::Greedy => Box::new(Baseline::Greedy),
        };
        ConfiguredSearcher { settings: options.searcher_settings().map(str::to_owned).collect(), searcher }
    }

    /// Whether these options ask for the same searcher.
    pub(super) fn fits(&self, options: &Options) -> bool {
        self.settings.iter().map(String::as_str).eq(options.searcher_settings())
    }
}
