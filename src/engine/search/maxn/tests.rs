//! The search against plain max^n, through the searcher that hands over to it.

use super::value::{Value, WinShares};
use crate::eval::{Evaluator, GooseEvaluator};
use crate::rules::goose::{Goose, Ruleset};
use crate::rules::{Game, Notation, Record, SearchHints, Turn};
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::toys::{Heap, NoOpinion, Pace, Race, Toy, ToyGame, wins_against_random};
use crate::search::wdl_curve;
use crate::search::{Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};

fn ask<G: SearchHints, E: Evaluator<G>>(
    game: &G,
    evaluator: E,
    position: G::Position,
    limits: SearchLimits,
    multi_pv: usize,
) -> Vec<SearchInfo<G::Move>> {
    let record = Record::new(position);
    let config = SearchConfig { hash_mib: 1, multi_pv, ..SearchConfig::default() };
    let task = SearchTask::timeless(game, &record, limits, config);
    let mut infos = Vec::new();
    let mut searcher = AlphaBeta::new(evaluator, AlphaBetaParameters::default());
    let found = searcher.search(&task, &mut |info| infos.push(info.clone()));
    let last = infos.last().expect("a report");
    assert_eq!(last.lines[0].pv[0], found.best);
    for line in infos.iter().flat_map(|info| &info.lines) {
        let mut record = record.clone();
        for &mv in &line.pv {
            assert!(game.is_legal(record.position(), mv), "{line:?}");
            record.play(game, mv);
        }
    }
    infos
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

/// Max^n with dice, without windows or memory, by the same counting of depth.
struct Plain<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    iteration: usize,
}

impl<G: Game, E: Evaluator<G>> Plain<'_, G, E> {
    fn shares(&self, position: &G::Position, depth: i32, ply: usize) -> WinShares {
        let after = |mv, depth| self.shares(&self.game.play_unchecked(position, mv), depth, ply + 1);
        let seats = self.game.seats();
        let mut sum = [0.0; 8];
        match self.game.turn(position) {
            Turn::Over(outcome) => {
                let discount = 1e-6 * ply as f64;
                sum[..seats].fill(discount / (seats - 1) as f64);
                sum[outcome.winner.unwrap().index()] = 1.0 - discount;
            }
            _ if depth <= 0 => return Value::of_opinion(self.game, self.evaluator, position).shares,
            Turn::Player(seat) => {
                let mut moves = Vec::new();
                self.game.legal_moves(position, &mut moves);
                let forced = moves.len() == 1 && ply > 0 && ply < 2 * self.iteration;
                let replies = moves.iter().map(|&mv| after(mv, depth - 1 + i32::from(forced)));
                let own = |shares: &WinShares| shares[seat.index()];
                return replies.reduce(|best, reply| if own(&reply) > own(&best) { reply } else { best }).unwrap();
            }
            Turn::Chance => {
                let mut rolls = Vec::new();
                self.game.chance_outcomes(position, &mut rolls);
                for (roll, probability) in rolls {
                    sum.iter_mut().zip(after(roll, depth)).for_each(|(sum, share)| *sum += probability * share);
                }
            }
        }
        sum
    }
}

/// Asserts that the searcher gives the mover of a position what plain max^n gives, one to three plies deep.
fn compare<G: SearchHints, E: Evaluator<G> + Clone>(game: &G, evaluator: &E, position: G::Position) {
    let Some(seat) = game.turn(&position).seat() else { return };
    for plies in 1..=3 {
        let plain = Plain { game, evaluator, iteration: plies as usize };
        let expected = plain.shares(&position, plies, 0)[seat.index()];
        let infos = ask(game, evaluator.clone(), position, depth(plies as u32), 1);
        let score = infos.last().unwrap().lines[0].score;
        match score.plies_to_end() {
            None => assert_eq!(score, wdl_curve::score(expected), "{position:?}, {plies} plies"),
            Some(end) => assert!((expected - f64::from(u8::from(end > 0))).abs() < 1e-3, "{position:?}"),
        }
    }
}

#[test]
fn pruning_and_memory_change_nothing() {
    for seats in [3, 4, 8] {
        let game = ToyGame(Race { seats, length: 7 });
        for n in 0..12u8 {
            let place = |seat: u8| [n.wrapping_mul(7 + seat) % 7, n.wrapping_mul(11 + 3 * seat) / 2 % 7];
            let places: Vec<[u8; 2]> = (0..seats).map(place).collect();
            compare(&game, &Pace, Race::at(&places, n % seats, [[1, 2], [1, 3], [2, 3]][usize::from(n % 3)]));
        }
    }
}

#[test]
fn three_players_of_goose_team_find_what_plain_max_n_finds() {
    let switches = [("players".to_owned(), "3".to_owned())];
    let game = Goose::new(&Ruleset::from_catalog("goose-team", &switches).unwrap());
    for text in [
        "p1=0,0,0,0 p2=0,0,0,0 p3=0,0,0,0 dice=6+3",
        "p1=12,0,33,52 p2=0,4,63,7 p3=61,3,20,21 turn=p2 dice=6+3",
        "p1=40,41,20,30 p2=37,38,60,25 p3=63,63,44,45 turn=p3 dice=5",
        "p1=63,63,63,57 p2=63,63,63,62 p3=63,63,19:1,56 dice=4+1",
        "p1=63,63,63,60 p2=63,63,63,61 p3=63,63,63,62 turn=p2 dice=1",
    ] {
        compare(&game, &GooseEvaluator::default(), game.parse_position(text).unwrap());
    }
}

#[test]
fn wins_among_three_are_proved_only_where_they_can_be_forced() {
    let game = Heap { seats: 3 };
    for heap in 1..=3 {
        let score = ask(&ToyGame(game), NoOpinion, (heap, 1), depth(12), 1).last().unwrap().lines[0].score;
        assert_eq!(score, Score::win_in(1), "{heap}");
    }
    // Whatever is left of four, the next seat takes it all; both after it lose.
    let infos = ask(&ToyGame(game), NoOpinion, (4, 0), depth(12), 3);
    for line in &infos.last().unwrap().lines {
        assert_eq!((line.score, line.pv.len()), (Score::loss_in(2), 2), "{line:?}");
    }
    // Of five one is taken: the second seat, which loses as well, can put nothing off.
    let last = ask(&ToyGame(game), NoOpinion, (5, 0), depth(12), 1).pop().unwrap();
    assert_eq!((last.lines[0].score, last.lines[0].pv[0]), (Score::loss_in(3), 1));
    // Of six every move leaves somebody the choice of the winner: nothing is certain.
    let score = ask(&ToyGame(game), NoOpinion, (6, 0), depth(12), 1).last().unwrap().lines[0].score;
    assert!(!score.is_decided(), "{score:?}");
}

#[test]
fn several_lines_are_ordered_and_exact() {
    let game = ToyGame(Race { seats: 3, length: 9 });
    let position = Race::at(&[[3, 4], [5, 1], [2, 2]], 0, [1, 3]);
    let all = ask(&game, Pace, position, depth(3), 4);
    let lines = &all.last().unwrap().lines;
    assert_eq!(lines.len(), 4);
    assert!(lines.is_sorted_by(|one, other| one.score >= other.score));
    let single = ask(&game, Pace, position, depth(3), 1);
    assert_eq!(single.last().unwrap().lines[0].score, lines[0].score);
    assert!(single.last().unwrap().nodes < all.last().unwrap().nodes, "one line needs less");
}

#[test]
fn limits_hold_and_a_stopped_search_answers() {
    let game = ToyGame(Race { seats: 4, length: 9 });
    let position = Race::at(&[[3, 4], [5, 1], [2, 2], [0, 7]], 2, [1, 3]);
    for nodes in [1, 2, 50, 5000] {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let infos = ask(&game, Pace, position, limits, 1);
        assert!(infos.last().unwrap().nodes <= nodes, "{nodes}");
        assert_eq!(infos, ask(&game, Pace, position, limits, 1));
    }
    let roll = ask(&game, Pace, Race::START, depth(2), 1);
    assert!(game.0.rolls().iter().any(|&(mv, _)| mv == roll[0].lines[0].pv[0]), "a root where the dice are due");
}

#[test]
fn it_beats_random_runners_at_a_table_of_four() {
    let mut searcher = AlphaBeta::new(Pace, AlphaBetaParameters::default());
    let wins = wins_against_random(Race { seats: 4, length: 9 }, 24, depth(2), &mut searcher);
    assert!(wins >= 14, "{wins} of 24, where chance gives 6");
}
