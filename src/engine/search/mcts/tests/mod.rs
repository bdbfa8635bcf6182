//! Whole searches of tiny games.

mod many_seats;

use std::time::Duration;

use super::tree::Abandoned;
use super::value::WinRate;
use super::{Mcts, MctsParameters};
use crate::rules::{Game, Record, Repetition, Seat, Turn};
use crate::search::toys::{
    CoinNim, DoubleNim, Heap, Ladder, NoOpinion, Pace, Race, Ring, TicTacToe, Toy, ToyGame, expectation, minimax,
    ticking, wins_against_random, won,
};
use crate::search::{
    BestMove, Control, NO_MORE_MEMORY, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher, TimeBounds,
    scarcity,
};

type Toyed<T> = Mcts<ToyGame<T>, NoOpinion>;

fn searcher<T: Toy>() -> Toyed<T> {
    Mcts::new(NoOpinion, MctsParameters::default())
}

/// A search request with defaults for everything that a test does not vary.
struct Question<'a, T: Toy> {
    game: ToyGame<T>,
    record: Record<ToyGame<T>>,
    root_moves: &'a [u8],
    limits: SearchLimits,
    config: SearchConfig,
}

impl<T: Toy> Question<'_, T> {
    fn at(toy: T, position: T::Position, iterations: u64) -> Self {
        let limits = SearchLimits { nodes: Some(iterations), ..SearchLimits::default() };
        let config = SearchConfig { hash_mib: 4, ..SearchConfig::default() };
        Question { game: ToyGame(toy), record: Record::new(position), root_moves: &[], limits, config }
    }

    fn ask(&self, searcher: &mut Toyed<T>) -> (BestMove<u8>, Vec<SearchInfo<u8>>) {
        let Question { game, record, root_moves, limits, config } = self;
        let task = SearchTask { root_moves, ..SearchTask::timeless(game, record, *limits, *config) };
        let mut infos = Vec::new();
        let found = searcher.search(&task, &mut |info| infos.push(info.clone()));
        self.check(found, &infos);
        (found, infos)
    }

    /// Checks the properties that every answer must have.
    fn check(&self, found: BestMove<u8>, infos: &[SearchInfo<u8>]) {
        let last = infos.last().expect("at least one report");
        assert_eq!(last.lines[0].pv[0], found.best);
        for line in infos.iter().flat_map(|info| &info.lines) {
            assert_eq!(line.wdl.0.iter().sum::<u16>(), 1000);
            let mut record = self.record.clone();
            for &mv in &line.pv {
                assert!(self.game.is_legal(record.position(), mv), "{:?} in {:?}", mv, record.position());
                record.play(&self.game, mv);
            }
            let ended = record.turn(&self.game).outcome().is_some();
            assert!(line.score != Score::DRAW || line.pv.len() > 1 || ended);
            assert!(line.score != Score::win_in(1) || (line.pv.len() == 1 && ended));
        }
    }
}

fn best_score<T: Toy>(question: &Question<'_, T>) -> Score {
    question.ask(&mut searcher()).1.last().unwrap().lines[0].score
}

/// Every position within `plies` of `position` where a player is to move.
fn positions_below<T: Toy>(toy: &T, position: T::Position, plies: u32, found: &mut Vec<T::Position>) {
    if toy.turn(&position).seat().is_some() && !found.contains(&position) {
        found.push(position);
    }
    if plies > 0 {
        toy.moves(&position).into_iter().for_each(|mv| positions_below(toy, toy.play(&position, mv), plies - 1, found));
    }
}

#[test]
fn tic_tac_toe_positions_get_their_exact_result() {
    let mut positions = Vec::new();
    positions_below(&TicTacToe, TicTacToe::START, 5, &mut positions);
    for position in positions.into_iter().skip(1).step_by(7) {
        let (winner, plies) = minimax(&TicTacToe, &position);
        let seat = TicTacToe.turn(&position).seat().unwrap();
        let score = best_score(&Question::at(TicTacToe, position, 100_000));
        let exact = Score::of_outcome(winner, seat, plies);
        // Draws are reported long before every line is proved, and long wins need not be the shortest.
        let agrees = match exact.0.signum() {
            0 => score.0.abs() < 20,
            sign => score == exact || (plies > 3 && score.is_decided() && score.0.signum() == sign),
        };
        assert!(agrees, "{position:?}: {score:?}, not {exact:?}");
    }
}

#[test]
fn near_wins_are_taken_and_near_losses_prevented_without_any_iteration_to_speak_of() {
    let mut positions = Vec::new();
    positions_below(&TicTacToe, TicTacToe::START, 6, &mut positions);
    for position in positions {
        let (winner, plies) = minimax(&TicTacToe, &position);
        let seat = TicTacToe.turn(&position).seat().unwrap();
        let (found, _) = Question::at(TicTacToe, position, 1).ask(&mut searcher());
        let after = minimax(&TicTacToe, &TicTacToe.play(&position, found.best));
        if winner == Some(seat) && plies <= 3 {
            assert_eq!(after, (winner, plies - 1), "{position:?}");
        }
        let lost_soon = after.0 == Some(seat.other()) && after.1 <= 3;
        assert!(!lost_soon || after == (winner, plies - 1), "{position:?}");
    }
}

#[test]
fn a_side_that_moves_twice_is_understood() {
    for heap in 1..=14 {
        for phase in 0..3 {
            let position = (heap, phase);
            let (winner, plies) = minimax(&DoubleNim, &position);
            let seat = DoubleNim.turn(&position).seat().unwrap();
            let score = best_score(&Question::at(DoubleNim, position, 50_000));
            assert!(score.is_decided() && (score.0 > 0) == (winner == Some(seat)), "{position:?}: {score:?}");
            assert!(plies > 3 || score == Score::of_outcome(winner, seat, plies), "{position:?}: {score:?}");
        }
    }
}

#[test]
fn dice_are_drawn_by_their_probabilities() {
    let (_, infos) = Question::at(CoinNim, (5, 0, 2), 60_000).ask(&mut searcher());
    let best = &infos.last().unwrap().lines[0];
    let [win, draw, _] = best.wdl.0.map(f64::from);
    let exact = expectation(&CoinNim, &(5, 0, 2));
    // Win, draw and loss chances agree with the expected result; exploration costs a little of it.
    assert!(((win + draw / 2.0) / 1000.0 - exact).abs() < 0.04, "{best:?}, exactly {exact}");
    let after = CoinNim.play(&(5, 0, 2), best.pv[0]);
    assert!((expectation(&CoinNim, &after) - exact).abs() < 1e-9);
}

#[test]
fn a_rare_roll_that_wins_counts_as_often_as_it_comes() {
    /// One move, then one roll: one side of the die wins, after the other five the game goes on without end.
    #[derive(Clone, Copy)]
    struct Lottery;
    impl Toy for Lottery {
        type Position = u32;
        const START: u32 = 0;
        fn turn(&self, position: &u32) -> Turn {
            match position {
                1 => Turn::Chance,
                2 => won(Seat(0)),
                position => Turn::Player(Seat((position % 2) as u8)),
            }
        }
        fn moves(&self, position: &u32) -> Vec<u8> {
            if *position == 0 { vec![0] } else { vec![0, 1] }
        }
        fn rolls(&self) -> Vec<(u8, f64)> {
            (1..=6).map(|side| (side, 1.0 / 6.0)).collect()
        }
        fn play(&self, position: &u32, mv: u8) -> u32 {
            match (position, mv) {
                (1, 6) => 2,
                (1, _) => 3,
                (position, _) => position + 1,
            }
        }
    }
    let (_, infos) = Question::at(Lottery, 0, 20_000).ask(&mut searcher());
    let [win, draw, _] = infos.last().unwrap().lines[0].wdl.0.map(f64::from);
    let exact = 1.0 / 6.0 + 5.0 / 6.0 / 2.0;
    assert!(((win + draw / 2.0) / 1000.0 - exact).abs() < 0.02, "{win} {draw}, exactly {exact}");
}

#[test]
fn a_chance_node_at_the_root_gets_a_legal_answer() {
    let (found, _) = Question::at(CoinNim, (5, 0, 0), 500).ask(&mut searcher());
    assert!(found.best == 1 || found.best == 2);
}

#[test]
fn the_third_occurrence_counts_as_the_rules_say() {
    let score = |repetition| best_score(&Question::at(Ring(repetition), (0, 0), 20_000));
    assert_eq!(score(Repetition::Draws).wdl().0[1], 500);
    assert!(score(Repetition::Loses(Seat::P1)).0 < -100);
    assert!(score(Repetition::Loses(Seat::P2)).0 > 100);
}

#[test]
fn a_repetition_in_the_record_ends_the_game_at_once() {
    let mut question = Question::at(Ring(Repetition::Loses(Seat::P2)), (0, 0), 2_000);
    for mv in [1, 3, 1, 3, 1] {
        question.record.play(&question.game, mv);
    }
    // The position with seat 1 to move at place 1 has now occurred three times; one move earlier seat 0 foresaw that.
    question.record.undo();
    assert_eq!(best_score(&question), Score::win_in(1));
}

#[test]
fn one_thread_and_a_seed_repeat_themselves() {
    let parameters = MctsParameters { rollout_plies: 20, ..MctsParameters::default() };
    let run = || Question::at(TicTacToe, TicTacToe::START, 3_000).ask(&mut Mcts::new(NoOpinion, parameters)).1;
    assert_eq!(run(), run());
    let mut searcher = searcher();
    let question = Question::at(TicTacToe, TicTacToe::START, 3_000);
    let first = question.ask(&mut searcher).1;
    searcher.clear();
    assert_eq!(first, question.ask(&mut searcher).1);
}

#[test]
fn the_tree_is_kept_along_the_game_and_dropped_off_it() {
    let mut searcher = searcher();
    let mut question = Question::at(TicTacToe, TicTacToe::START, 2_000);
    let (found, _) = question.ask(&mut searcher);
    question.limits.nodes = Some(10);
    question.config.multi_pv = 9;
    question.record.play(&question.game, found.best);
    question.record.play(&question.game, found.ponder.unwrap());
    let visits =
        |infos: Vec<SearchInfo<u8>>| infos.last().unwrap().lines.iter().filter_map(|line| line.visits).sum::<u64>();
    let reused = visits(question.ask(&mut searcher).1);
    assert!(reused > 10, "{reused}");
    question.record = Record::new(question.game.0.play(&TicTacToe::START, 0));
    assert!(visits(question.ask(&mut searcher).1) <= 10);
}

/// A game without end, with `MOVES` moves everywhere.
#[derive(Clone, Copy)]
struct Plain<const MOVES: u8>;

impl<const MOVES: u8> Toy for Plain<MOVES> {
    type Position = u32;
    const START: u32 = 0;
    fn turn(&self, position: &u32) -> Turn {
        Turn::Player(Seat((position % 2) as u8))
    }
    fn moves(&self, _: &u32) -> Vec<u8> {
        (0..MOVES).collect()
    }
    fn play(&self, position: &u32, _: u8) -> u32 {
        position + 1
    }
}

#[test]
fn the_allowed_moves_stay_allowed_when_room_is_made() {
    let mut question = Question::at(Plain::<60>, 0, 3_000);
    question.config.hash_mib = 1;
    let mut searcher = searcher();
    let (found, _) = question.ask(&mut searcher);
    question.record.play(&question.game, found.best);
    question.root_moves = &[50, 57];
    question.config.multi_pv = 2;
    question.limits.nodes = Some(30_000);
    let (_, infos) = question.ask(&mut searcher);
    assert!(infos.windows(2).any(|pair| pair[1].hashfull < pair[0].hashfull), "room was made");
    for info in infos {
        let mut moves: Vec<u8> = info.lines.iter().map(|line| line.pv[0]).collect();
        moves.sort_unstable();
        assert_eq!(moves, question.root_moves);
    }
}

#[test]
fn a_full_tree_makes_room_and_goes_on() {
    let mut question = Question::at(Plain::<60>, 0, 30_000);
    question.config.hash_mib = 1;
    let mut searcher = searcher();
    let (_, infos) = question.ask(&mut searcher);
    let last = infos.last().unwrap();
    assert_eq!(last.nodes, 30_000);
    assert!(last.depth >= 2);
    assert!(infos.windows(2).any(|pair| pair[1].hashfull < pair[0].hashfull), "room was made");
    let total: u64 = searcher.tree.as_ref().map(|tree| u64::from(tree.root_node().visits())).unwrap();
    assert_eq!(total, 30_000, "no visit is lost when room is made");
    assert!(searcher.tree.as_ref().unwrap().arena.bytes() <= 1 << 20);
}

#[test]
fn a_tree_that_the_system_refuses_memory_stays_smaller_and_says_so_once() {
    let mut question = Question::at(Plain::<60>, 0, 30_000);
    question.config.hash_mib = 1 << 16;
    scarcity::LEFT.set(1 << 20);
    let (_, infos) = question.ask(&mut searcher());
    scarcity::LEFT.set(usize::MAX);
    assert_eq!(infos.last().unwrap().nodes, 30_000);
    let remarks: Vec<&str> = infos.iter().filter_map(|info| info.remark.as_deref()).collect();
    assert_eq!(remarks, [NO_MORE_MEMORY]);
}

#[test]
fn nodes_freed_by_making_room_are_handed_out_once() {
    let mut question = Question::at(Plain::<60>, 0, 300);
    (question.config.hash_mib, question.config.threads) = (1, 2);
    let mut searcher = searcher();
    question.ask(&mut searcher);
    let tree = searcher.tree.as_mut().unwrap();
    assert_eq!(tree.make_room(|| false), Ok(true));
    let mut taken = std::collections::HashSet::new();
    let mut open = vec![tree.root];
    while let Some(index) = open.pop() {
        assert!(taken.insert(index), "{index} has two parents");
        open.extend(tree.arena.children(tree.arena.node(index)).map(|(child, _)| child));
    }
    let mut stretches = [tree.lend_stretch(), tree.lend_stretch()];
    for number in 0.. {
        let Some(node) = tree.arena.allocate(&mut stretches[number % 2]) else { break };
        assert!(taken.insert(node), "{node} is in use");
    }
    assert_eq!(tree.make_room(|| true), Err(Abandoned));
}

#[test]
fn only_the_listed_moves_are_played_and_reported() {
    let mut question = Question::at(TicTacToe, TicTacToe::START, 1_000);
    question.root_moves = &[1, 7];
    question.config.multi_pv = 5;
    let (found, infos) = question.ask(&mut searcher());
    assert!([1, 7].contains(&found.best));
    assert_eq!(infos.last().unwrap().lines.len(), 2);
}

#[test]
fn lines_are_ordered_by_visits() {
    let mut question = Question::at(TicTacToe, TicTacToe::START, 1_000);
    question.config.multi_pv = 9;
    let (_, infos) = question.ask(&mut searcher());
    let visits: Vec<_> = infos.last().unwrap().lines.iter().map(|line| line.visits).collect();
    assert!(visits.len() == 9 && visits.is_sorted_by(|a, b| a >= b));
}

#[test]
fn several_threads_share_the_tree() {
    let mut question = Question::at(TicTacToe, TicTacToe::START, 20_000);
    question.config.threads = 3;
    let mut searcher = searcher();
    question.limits.nodes = Some(2_000);
    let (_, infos) = question.ask(&mut searcher);
    assert_eq!(infos.last().unwrap().nodes, 2_000);
    let tree = searcher.tree.as_ref().unwrap();
    assert_eq!(tree.root_node().visits(), 2_000, "pretended visits are taken back");
}

#[test]
fn every_pretended_visit_is_taken_back() {
    for threads in [1, 3] {
        let mut question = Question::at(Plain::<5>, 0, 20_000);
        question.config.threads = threads;
        let mut searcher = searcher();
        question.ask(&mut searcher);
        let tree = searcher.tree.as_ref().unwrap();
        assert_eq!(tree.root_node().visits(), 20_000);
        let mut open = vec![tree.root];
        while let Some(index) = open.pop() {
            let node = tree.arena.node(index);
            if node.visits() > 0 {
                assert_eq!(node.mean(), WinRate::HALF, "{threads} threads: all opinions are even");
            }
            if !node.is_expanded() {
                continue;
            }
            let children: u32 = tree.arena.children(node).map(|(_, child)| child.visits()).sum();
            // A lone worker visits it once as a leaf; several may do so while one of them expands it.
            let (own, once) = (node.visits().checked_sub(children), u32::from(index != tree.root));
            assert!(own.is_some_and(|own| own == once || threads > 1), "{threads} threads: {own:?} at {index}");
            open.extend(tree.arena.children(node).map(|(child, _)| child));
        }
    }
}

#[test]
fn an_iteration_takes_little_memory() {
    fn bytes<const MOVES: u8>() -> u64 {
        let mut question = Question::at(Plain::<MOVES>, 0, 20_000);
        question.config.hash_mib = 16;
        let mut searcher = searcher();
        question.ask(&mut searcher);
        let arena = &searcher.tree.as_ref().unwrap().arena;
        u64::from(arena.fill()) * arena.bytes() as u64 / 1000 / 20_000
    }
    let bytes = [bytes::<9>(), bytes::<90>()];
    assert!(bytes.iter().all(|&bytes| bytes <= 110), "{bytes:?} an iteration, with few moves and with many");
}

#[test]
fn no_thread_takes_nodes_that_another_search_has_moved() {
    let mut question = Question::at(Plain::<60>, 0, 3_000);
    question.config.hash_mib = 1;
    let mut searcher = searcher();
    for (threads, iterations) in [(4, 3_000), (1, 30_000), (4, 3_000), (2, 3_000)] {
        question.config.threads = threads;
        question.limits.nodes = Some(iterations);
        question.ask(&mut searcher);
        let tree = searcher.tree.as_ref().unwrap();
        let (mut open, mut seen, mut replies) = (vec![tree.root], std::collections::HashSet::new(), Vec::new());
        let mut most_tried = 0;
        while let Some(index) = open.pop() {
            assert!(seen.insert(index), "{index} has two parents");
            replies.extend(tree.arena.places(tree.arena.node(index)));
            let children: Vec<u32> = tree.arena.children(tree.arena.node(index)).map(|(child, _)| child).collect();
            let mut moves: Vec<_> = children.iter().filter_map(|&child| tree.arena.mv(child)).collect();
            moves.sort_unstable();
            assert!(
                moves.iter().copied().eq(0..children.len() as u8),
                "equal moves are tried in their order, each once"
            );
            most_tried = most_tried.max(if index == tree.root { 0 } else { children.len() });
            open.extend(children);
        }
        assert!(most_tried > 8, "beyond those that a node lists at first");
        replies.sort_unstable();
        assert!(replies.len() > 100 && replies.is_sorted_by(|one, next| one < next), "replies of two nodes");
    }
}

#[test]
fn the_depth_limit_is_the_longest_line() {
    let mut question = Question::at(TicTacToe, TicTacToe::START, 100_000);
    question.limits.depth = Some(3);
    let (_, infos) = question.ask(&mut searcher());
    assert_eq!(infos.last().unwrap().depth, 3);
}

#[test]
fn a_stopped_search_still_answers() {
    let Question { game, record, config, .. } = Question::at(TicTacToe, TicTacToe::START, 1);
    let control = Control::timeless();
    control.stop();
    let task =
        SearchTask { control: &control, ..SearchTask::timeless(&game, &record, SearchLimits::default(), config) };
    let mut reports = 0;
    let found = searcher().search(&task, &mut |_| reports += 1);
    assert!(found.best < 9 && reports == 1);
}

#[test]
fn the_search_ends_as_soon_as_it_sees_that_its_time_is_up() {
    let Question { game, record, config, .. } = Question::at(Plain::<5>, 0, 1);
    let (control, hard) = (ticking(), Duration::from_millis(2000));
    control.set_time(TimeBounds { soft: hard, hard });
    let task =
        SearchTask { control: &control, ..SearchTask::timeless(&game, &record, SearchLimits::default(), config) };
    let mut nodes = 0;
    searcher().search(&task, &mut |info| nodes = info.nodes);
    let seen = control.elapsed();
    assert!(hard <= seen && seen < hard + Duration::from_millis(50), "{seen:?}");
    assert!(nodes <= 10 * 2000, "{nodes} nodes in two thousand looks at the clock");
}

#[test]
fn puzzles_of_one_player_are_solved_or_refuted() {
    for (goal, is_solvable) in [(13, true), (22, true), (58, true)] {
        let score = best_score(&Question::at(Ladder { goal }, Ladder::START, 50_000));
        assert_eq!(score.is_decided().then_some(score.0 > 0), Some(is_solvable), "{goal}: {score:?}");
    }
    assert!(best_score(&Question::at(Ladder { goal: 2 }, (1, 3), 100)).0 > 0);
    assert!(best_score(&Question::at(Ladder { goal: 3 }, (1, 3), 100)).is_loss());
}

#[test]
fn a_forced_move_is_answered_and_a_roll_at_the_root_too() {
    let (found, _) = Question::at(DoubleNim, (1, 0), 50).ask(&mut searcher());
    assert_eq!(found.best, 1);
    let game = ToyGame(Race { seats: 3, length: 9 });
    let record = Record::new(Race::START);
    let (limits, config) = (SearchLimits { nodes: Some(500), ..SearchLimits::default() }, SearchConfig::default());
    let task = SearchTask::timeless(&game, &record, limits, config);
    let found = Mcts::new(Pace, MctsParameters::default()).search(&task, &mut |_| {});
    assert!(game.0.rolls().iter().any(|&(roll, _)| roll == found.best));
}
