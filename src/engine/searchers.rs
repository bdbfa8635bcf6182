//! From options to a searcher.

use super::kit::Kit;
use super::options::{Options, SearcherKind};
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBeta;
use crate::search::baseline::Baseline;
use crate::search::mcts::Mcts;

/// What a searcher was built from; a change of it asks for a new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ToolTag {
    kind: SearcherKind,
    parameters: Vec<String>,
    /// Trees keep what tables told them.
    tables: (String, u32),
}

impl ToolTag {
    pub(super) fn of(options: &Options) -> Self {
        ToolTag {
            kind: options.searcher(),
            parameters: options.parameter_values().map(str::to_owned).collect(),
            tables: (options.table_path().to_owned(), options.table_probe_limit()),
        }
    }

    /// Whether these options ask for the same searcher.
    pub(super) fn fits(&self, options: &Options) -> bool {
        self.kind == options.searcher()
            && self.parameters.iter().map(String::as_str).eq(options.parameter_values())
            && (self.tables.0.as_str(), self.tables.1) == (options.table_path(), options.table_probe_limit())
    }
}

/// A searcher with the tag of what it was built from.
pub(super) struct Tool<G: Game> {
    pub tag: ToolTag,
    pub searcher: Box<dyn Searcher<G>>,
}

impl<G: Game> Tool<G> {
    pub(super) fn build<K: Kit<G>>(options: &Options) -> Self {
        let tag = ToolTag::of(options);
        let evaluator = || K::evaluator(options);
        let alphabeta = || Box::new(AlphaBeta::new(evaluator(), options.parameters())) as Box<dyn Searcher<G>>;
        let searcher = match tag.kind {
            SearcherKind::Auto | SearcherKind::Solver => K::solver(options).unwrap_or_else(alphabeta),
            SearcherKind::AlphaBeta => alphabeta(),
            SearcherKind::Mcts => Box::new(Mcts::new(evaluator(), options.parameters())),
            SearcherKind::Random => Box::new(Baseline::Random),
            SearcherKind::Greedy => Box::new(Baseline::Greedy),
        };
        Tool { tag, searcher }
    }
}
