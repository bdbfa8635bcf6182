//! From options to a searcher.

use super::options::{Options, SearcherKind};
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::search::{Control, Found, Info, Line, Score, Searcher, Task};

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
}

/// A searcher with the tag of what it was built from.
pub(super) struct Tool<G: Game> {
    pub tag: ToolTag,
    pub searcher: Box<dyn Searcher<G>>,
}

impl<G: Game> Tool<G> {
    pub fn build<E: Evaluator<G>>(tag: ToolTag, _options: &Options, _evaluator: E) -> Self {
        let searcher: Box<dyn Searcher<G>> = match tag.kind {
            SearcherKind::AlphaBeta | SearcherKind::Mcts | SearcherKind::Random => Box::new(FirstMove),
        };
        Tool { tag, searcher }
    }
}

/// Stands in until the searchers are here.
struct FirstMove;

impl<G: Game> Searcher<G> for FirstMove {
    fn search(
        &mut self,
        task: &Task<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Found<G::Move> {
        let mut moves = task.root_moves.to_vec();
        if moves.is_empty() {
            task.game.legal_moves(task.record.position(), &mut moves);
        }
        let best = moves[0];
        let line = Line { score: Score(0), wdl: Score(0).wdl(), pv: vec![best], visits: None };
        let info = |nodes| Info {
            depth: 1,
            seldepth: 1,
            nodes,
            elapsed: control.elapsed(),
            hashfull: 0,
            tbhits: 0,
            lines: vec![line.clone()],
        };
        report(&info(1));
        let mut nodes = 1;
        let is_endless = task.limits == Default::default();
        while (is_endless || task.limits.nodes.is_some_and(|limit| nodes < limit)) && control.may_continue(1.0) {
            nodes += 1;
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        Found { best, ponder: None }
    }

    fn clear(&mut self) {}
}
