//! The search against plain minimax, and the guarantees that it gives.

mod dice;

use std::time::Duration;

use super::{AlphaBeta, AlphaBetaParameters, Reductions, logarithms};
use crate::eval::Evaluator;
use crate::rules::{Game, Record, Repetition, SearchHints, Seat, Turn};
use crate::search::toys::{Circle, KeyOpinion, NoOpinion, TicTacToe, Toy, ToyGame, Walkers, ticking};
use crate::search::{
    BestMove, Control, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher, TimeBounds,
};

/// The value of a record for the seat to move, by plain minimax to `depth` plies; undecided positions count 0.
fn minimax<G: Game>(game: &G, record: &mut Record<G>, depth: u32, ply: u32) -> Score {
    let Turn::Player(seat) = record.turn(game) else { return Score::DRAW };
    let mut moves = Vec::new();
    game.legal_moves(record.position(), &mut moves);
    let mut best = -Score::INFINITE;
    for mv in moves {
        record.play(game, mv);
        let score = match record.turn(game) {
            Turn::Over(outcome) => Score::of_outcome(outcome.winner, seat, ply + 1),
            _ if depth <= 1 => Score::DRAW,
            Turn::Player(next) if next == seat => minimax(game, record, depth - 1, ply + 1),
            _ => -minimax(game, record, depth - 1, ply + 1),
        };
        record.undo();
        best = best.max(score);
    }
    best
}

struct Asked<M> {
    found: BestMove<M>,
    infos: Vec<SearchInfo<M>>,
}

impl<M> Asked<M> {
    fn last(&self) -> &SearchInfo<M> {
        &self.infos[self.infos.len() - 1]
    }

    fn score(&self) -> Score {
        self.last().lines[0].score
    }
}

struct Asker<'a, G: Game> {
    game: &'a G,
    record: Record<G>,
    root_moves: Vec<G::Move>,
    limits: SearchLimits,
    config: SearchConfig,
}

impl<'a, G: SearchHints> Asker<'a, G> {
    fn new(game: &'a G, position: G::Position) -> Self {
        let config = SearchConfig { hash_mib: 1, ..SearchConfig::default() };
        Asker { game, record: Record::new(position), root_moves: Vec::new(), limits: SearchLimits::default(), config }
    }

    fn depth(mut self, depth: u32) -> Self {
        self.limits.depth = Some(depth);
        self
    }

    fn nodes(mut self, nodes: u64) -> Self {
        self.limits.nodes = Some(nodes);
        self
    }

    fn ask<E: Evaluator<G>>(&self, evaluator: E) -> Asked<G::Move> {
        self.ask_under(evaluator, &Control::timeless())
    }

    fn ask_under<E: Evaluator<G>>(&self, evaluator: E, control: &Control) -> Asked<G::Move> {
        let mut searcher = AlphaBeta::new(evaluator, AlphaBetaParameters::default());
        self.ask_again(&mut searcher, control)
    }

    fn ask_again<E: Evaluator<G>>(&self, searcher: &mut AlphaBeta<G, E>, control: &Control) -> Asked<G::Move> {
        let task = SearchTask {
            root_moves: &self.root_moves,
            control,
            ..SearchTask::timeless(self.game, &self.record, self.limits, self.config)
        };
        let mut infos = Vec::new();
        let found = searcher.search(&task, &mut |info| infos.push(info.clone()));
        let asked = Asked { found, infos };
        self.check(&asked);
        asked
    }

    /// Checks the properties that every search must have.
    fn check(&self, asked: &Asked<G::Move>) {
        assert_eq!(asked.last().lines[0].pv[0], asked.found.best);
        for info in &asked.infos {
            assert!(info.lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{info:?}");
            for (index, line) in info.lines.iter().enumerate() {
                assert!(info.lines[..index].iter().all(|other| other.pv[0] != line.pv[0]), "{info:?}");
                self.check_line(line.score, &line.pv);
            }
        }
    }

    fn check_line(&self, score: Score, pv: &[G::Move]) {
        let mut record = self.record.clone();
        for &mv in pv {
            assert!(self.game.is_legal(record.position(), mv), "illegal {mv:?} in {pv:?}");
            record.play(self.game, mv);
        }
        let over = record.turn(self.game).outcome().is_some();
        assert!(score != Score::DRAW || pv.len() > 1 || over, "0 without a reply: {pv:?}");
        assert!(score != Score::win_in(1) || pv.len() == 1 && over, "no win at once: {pv:?}");
    }
}

#[test]
fn solves_noughts_and_crosses() {
    let asked = Asker::new(&ToyGame(TicTacToe), TicTacToe::START).depth(9).ask(NoOpinion);
    assert_eq!(asked.score(), Score::DRAW);
    assert_eq!(asked.last().depth, 9);
}

#[test]
fn agrees_with_minimax_wherever_noughts_and_crosses_is_decided() {
    for squares in 0..9 * 9 * 9u16 {
        let moves = [squares % 9, squares / 9 % 9, squares / 81].map(|square| square as u8);
        if moves[0] == moves[1] || moves[0] == moves[2] || moves[1] == moves[2] {
            continue;
        }
        let board = TicTacToe::after(&moves);
        let expected = minimax(&ToyGame(TicTacToe), &mut Record::new(board), 9, 0);
        let asked = Asker::new(&ToyGame(TicTacToe), board).depth(9).ask(KeyOpinion);
        assert_eq!(asked.score(), expected, "{board:?}");
    }
}

#[test]
fn agrees_with_minimax_when_sides_do_not_alternate() {
    let mut decided = 0;
    for points in [5, 7, 8, 10, 11] {
        let game = Circle::game(points);
        let pairs = (0..points).flat_map(|first| (0..points).map(move |second| (first, second)));
        for (first, second) in pairs.filter(|(first, second)| first != second) {
            let position = Circle::at(first, second);
            let expected = minimax(&game, &mut Record::new(position), 8, 0);
            if expected.is_decided() {
                decided += 1;
                assert_eq!(
                    Asker::new(&game, position).depth(8).ask(NoOpinion).score(),
                    expected,
                    "{points} {position:?}"
                );
            }
        }
    }
    assert!(decided > 50, "only {decided} positions say anything");
}

#[test]
fn a_position_that_stood_twice_already_ends_the_game() {
    let mut game = Circle::game(8);
    for (repetition, expected) in [(Repetition::Loses(Seat::P2), 1), (Repetition::Loses(Seat::P1), -1)] {
        game.0.repetition = repetition;
        let mut asker = Asker::new(&game, Circle::at(4, 1)).depth(1);
        // Back and forth, until one more step back would bring that position for the third time.
        for mv in [1, 1, 7, 7, 1, 1, 7] {
            asker.record.play(&game, mv);
        }
        assert_eq!(asker.record.turn(&game).seat(), Some(Seat::P2));
        asker.root_moves = vec![7];
        let score = asker.ask(NoOpinion).score();
        assert_eq!(score, if expected > 0 { Score::loss_in(1) } else { Score::win_in(1) });
    }
}

#[test]
fn the_no_progress_rule_is_seen() {
    let mut game = Circle::game(11);
    game.0.no_progress_plies = 3;
    let asked = Asker::new(&game, Circle::at(0, 5)).depth(10).ask(KeyOpinion);
    let expected = minimax(&game, &mut Record::new(Circle::at(0, 5)), 10, 0);
    assert_eq!(asked.score(), expected);
}

#[test]
fn tosses_of_a_coin_are_averaged() {
    let mut game = Circle::game(11);
    game.0.coin = true;
    let asked = Asker::new(&game, Circle::at(1, 4)).depth(4).ask(KeyOpinion);
    assert!(!asked.last().lines[0].pv.is_empty());
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let game = Circle::game(40);
    let asker = Asker::new(&game, game.0.opposite()).nodes(20_000);
    let (one, two) = (asker.ask(KeyOpinion), asker.ask(KeyOpinion));
    assert_eq!(one.infos, two.infos);
    assert_eq!(one.last().nodes, 20_000);
}

#[test]
fn clearing_forgets_everything() {
    let game = Circle::game(40);
    let asker = Asker::new(&game, game.0.opposite()).nodes(5_000);
    let mut searcher = AlphaBeta::new(KeyOpinion, AlphaBetaParameters::default());
    let first = asker.ask_again(&mut searcher, &Control::timeless());
    asker.ask_again(&mut searcher, &Control::timeless());
    searcher.clear();
    assert_eq!(asker.ask_again(&mut searcher, &Control::timeless()).infos, first.infos);
}

#[test]
fn several_lines_and_chosen_root_moves() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::START).depth(4);
    asker.config.multi_pv = 20;
    assert_eq!(asker.ask(KeyOpinion).last().lines.len(), 9);
    asker.root_moves = vec![2, 7];
    let asked = asker.ask(KeyOpinion);
    assert_eq!(asked.last().lines.len(), 2);
    assert!(asked.last().lines.iter().all(|line| [2, 7].contains(&line.pv[0])));
}

#[test]
fn several_threads_find_the_same_result() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::after(&[0, 1])).depth(9);
    let expected = asker.ask(KeyOpinion).score();
    asker.config.threads = 4;
    for _ in 0..20 {
        assert_eq!(asker.ask(KeyOpinion).score(), expected);
    }
}

#[test]
fn threads_share_the_node_limit() {
    let game = Circle::game(40);
    let mut asker = Asker::new(&game, game.0.opposite()).nodes(50_000);
    asker.config.threads = 3;
    let nodes = asker.ask(KeyOpinion).last().nodes;
    assert!((45_000..60_000).contains(&nodes), "{nodes}");
}

#[test]
fn a_search_that_is_stopped_at_once_still_reports() {
    let control = Control::timeless();
    control.stop();
    let game = Circle::game(40);
    for nodes in [1, 2, 5] {
        let asked = Asker::new(&game, game.0.opposite()).nodes(nodes).ask_under(KeyOpinion, &control);
        assert_eq!(asked.infos.len(), 1);
    }
}

#[test]
fn the_clock_ends_the_search_early_without_a_choice() {
    let control = ticking();
    control.set_time(TimeBounds { soft: Duration::from_millis(500), hard: Duration::from_millis(1000) });
    let game = Circle::game(100);
    let mut asker = Asker::new(&game, game.0.opposite());
    asker.root_moves = vec![1];
    asker.ask_under(KeyOpinion, &control);
    assert!(control.elapsed() < Duration::from_millis(200), "{:?}", control.elapsed());
}

#[test]
fn the_time_for_a_choice_is_a_parameter() {
    let game = Circle::game(100);
    let took = |parameters: AlphaBetaParameters| {
        let control = ticking();
        control.set_time(TimeBounds { soft: Duration::from_millis(500), hard: Duration::from_secs(3) });
        let mut searcher = AlphaBeta::new(KeyOpinion, parameters);
        Asker::new(&game, game.0.opposite()).ask_again(&mut searcher, &control);
        control.elapsed()
    };
    let shares = |changed, fresh, steady, settled| AlphaBetaParameters {
        time_changed: changed,
        time_fresh: fresh,
        time_steady: steady,
        time_settled: settled,
        ..AlphaBetaParameters::default()
    };
    let long = took(shares(5000, 5000, 5000, 5000));
    for short in [
        shares(10, 5000, 5000, 5000),
        shares(5000, 10, 5000, 5000),
        shares(5000, 5000, 10, 5000),
        shares(5000, 5000, 5000, 10),
    ] {
        assert!(took(short) < long, "{short:?}");
    }
}

#[test]
fn the_search_ends_as_soon_as_it_sees_that_its_time_is_up() {
    let control = ticking();
    let hard = Duration::from_millis(100);
    control.set_time(TimeBounds { soft: hard, hard });
    let game = Circle::game(100);
    let nodes = Asker::new(&game, game.0.opposite()).ask_under(KeyOpinion, &control).last().nodes;
    let seen = control.elapsed();
    assert!(hard / 2 <= seen && seen < 2 * hard, "{seen:?}");
    assert!(nodes < 100 * 5_000, "{nodes} nodes in a hundred looks at the clock");
}

#[test]
fn a_proof_outlasts_the_search_that_found_it() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::after(&[0, 1])).depth(9);
    let mut searcher = AlphaBeta::new(KeyOpinion, AlphaBetaParameters::default());
    let control = Control::timeless();
    let proof = asker.ask_again(&mut searcher, &control);
    let (plies, line) = (proof.score().plies_to_end().expect("a win"), proof.last().lines[0].pv.clone());
    assert!(plies > 4 && line.len() > 4, "{plies} {line:?}");
    asker.limits.depth = Some(2);
    for (played, &mv) in (1..).zip(&line[..4]) {
        asker.record.play(asker.game, mv);
        let reported = asker.ask_again(&mut searcher, &control);
        assert_eq!(reported.score().plies_to_end().map(i32::abs), Some(plies - played), "after {played} plies");
        let (mut record, mut sign) = (asker.record.clone(), reported.score().0.signum());
        for &mv in &reported.last().lines[0].pv {
            record.play(asker.game, mv);
            sign = -sign;
            let Turn::Player(_) = record.turn(asker.game) else { break };
            let value = minimax(asker.game, &mut record, 9, 0);
            assert_eq!(value.0.signum(), sign, "the line belongs to the proof, after {played} plies");
        }
    }
}

#[test]
fn a_proof_is_known_however_few_nodes_are_left() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::after(&[0, 1])).depth(9);
    let mut searcher = AlphaBeta::new(KeyOpinion, AlphaBetaParameters::default());
    let proof = asker.ask_again(&mut searcher, &Control::timeless());
    let winning = proof.found.best;
    for (played, sign) in [(None, 1), (Some(winning), -1)] {
        if let Some(mv) = played {
            asker.record.play(asker.game, mv);
        }
        let plies = proof.score().plies_to_end().expect("a win") - i32::from(played.is_some());
        for nodes in 1..=40 {
            asker.limits.nodes = Some(nodes);
            let reported = asker.ask_again(&mut searcher, &Control::timeless());
            let line = &reported.last().lines[0].pv;
            assert_eq!(reported.score().plies_to_end(), Some(sign * plies), "{nodes} nodes, {played:?}");
            assert_eq!(line.len() as i32, plies, "{nodes} nodes, {played:?}: {line:?}");
        }
    }
}

#[test]
fn the_line_of_a_proof_ends_the_game() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::after(&[0, 1])).depth(9);
    asker.config.multi_pv = 7;
    let mut searcher = AlphaBeta::new(KeyOpinion, AlphaBetaParameters::default());
    for search in 1..=2 {
        let reported = asker.ask_again(&mut searcher, &Control::timeless());
        let lines = reported.last().lines.iter();
        let proofs = lines.filter_map(|line| Some((line.score.plies_to_end()?.unsigned_abs() as usize, line.pv.len())));
        let proofs: Vec<_> = proofs.collect();
        assert!(proofs.len() > 1 && proofs.iter().all(|(plies, line)| plies == line), "search {search}: {proofs:?}");
    }
}

#[test]
fn the_move_in_hand_is_reported_once_a_search_lasts() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::START).depth(3);
    asker.config.multi_pv = 2;
    let moves_reported = |seconds| {
        let control = Control::new(move || Duration::from_secs(seconds));
        let infos = asker.ask_under(KeyOpinion, &control).infos;
        assert_eq!(infos.last().and_then(|info| info.current.clone()), None, "the last one is a report");
        infos
            .into_iter()
            .filter_map(|info| info.current.map(|current| (info.depth, current.number)))
            .collect::<Vec<_>>()
    };
    assert_eq!(moves_reported(0), []);
    let reported = moves_reported(1);
    for depth in [1, 2] {
        let numbers = || reported.iter().filter(|(completed, _)| *completed == depth).map(|&(_, number)| number);
        assert!(numbers().eq((1..=9).chain(2..=9)), "both lines: {reported:?}");
    }
    assert!(
        reported.iter().all(|(completed, _)| [1, 2].contains(completed)),
        "not before there is a line: {reported:?}"
    );
}

#[test]
fn a_mate_limit_ends_the_search() {
    let mut asker = Asker::new(&ToyGame(TicTacToe), TicTacToe::after(&[0, 3, 1, 4])).depth(30);
    asker.limits.mate = Some(1);
    let asked = asker.ask(NoOpinion);
    assert_eq!(asked.found.best, 2);
    assert_eq!(asked.score(), Score::win_in(1));
}

#[test]
fn walkers_are_small() {
    assert!(size_of::<Walkers>() <= 8);
}

#[test]
fn logarithms_are_close() {
    for (n, value) in logarithms().into_iter().enumerate().skip(1) {
        assert!((value - (n as f64).ln()).abs() < 0.04, "ln {n} = {value}");
    }
}

#[test]
fn later_moves_are_reduced_more() {
    let reductions = Reductions::new(&AlphaBetaParameters::default());
    assert_eq!(reductions.plies(1, 1), 0);
    assert!(reductions.plies(10, 20) > reductions.plies(10, 3));
    assert!(reductions.plies(1000, 1000) >= reductions.plies(10, 20));
}
