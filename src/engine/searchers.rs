//! From options to a searcher.

use super::options::{Options, SearcherKind};
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::random::Random;

/// What a searcher was built from; a change of it asks for a new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ToolTag {
    kind: SearcherKind,
    parameters: Vec<String>,
}

impl ToolTag {
    pub fn of(options: &Options) -> Self {
        ToolTag { kind: options.searcher(), parameters: options.parameter_values().map(str::to_owned).collect() }
    }

    /// Whether these options ask for the same searcher.
    pub fn fits(&self, options: &Options) -> bool {
        self.kind == options.searcher() && self.parameters.iter().map(String::as_str).eq(options.parameter_values())
    }
}

/// A searcher with the tag of what it was built from.
pub(super) struct Tool<G: Game> {
    pub tag: ToolTag,
    pub searcher: Box<dyn Searcher<G>>,
}

impl<G: Game> Tool<G> {
    pub fn build<E: Evaluator<G>>(options: &Options, evaluator: E) -> Self {
        let tag = ToolTag::of(options);
        let searcher: Box<dyn Searcher<G>> = match tag.kind {
            SearcherKind::AlphaBeta => Box::new(AlphaBeta::new(evaluator, options.parameters())),
            SearcherKind::Mcts => Box::new(Mcts::new(evaluator, options.parameters())),
            SearcherKind::Random => Box::new(Random),
        };
        Tool { tag, searcher }
    }
}
