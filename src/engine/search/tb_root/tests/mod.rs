//! Searches with toy tables, compared with the values in the tables.

mod to_the_end;

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{ALL_HOLD, TbRank};
use crate::eval::HuntEvaluator;
use crate::rules::hunt::{Hunt, Move, Position};
use crate::rules::{Game, Notation, Record, Seat, Turn};
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::mcts::{Mcts, MctsParameters};
use crate::search::{
    BestMove, OpenTables, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher, TableProber, tb_root,
};
use crate::tablebase::TableValue;
use crate::tablebase::toy::{SolvedGame, ToyTables, small_hunt};

type Small = Hunt<u64>;
type Asked = (BestMove<Move<u64>>, Vec<SearchInfo<Move<u64>>>);

fn solved() -> (Small, Arc<SolvedGame<Small>>) {
    static SOLVED: OnceLock<Arc<SolvedGame<Small>>> = OnceLock::new();
    let game = small_hunt(&[]);
    let solved = SOLVED.get_or_init(|| Arc::new(SolvedGame::from(&game, &[game.start()])));
    (game, Arc::clone(solved))
}

fn evaluator() -> HuntEvaluator {
    HuntEvaluator::default()
}

fn alphabeta() -> Box<dyn Searcher<Small>> {
    Box::new(AlphaBeta::new(evaluator(), AlphaBetaParameters::default()))
}

fn mcts() -> Box<dyn Searcher<Small>> {
    Box::new(Mcts::new(evaluator(), MctsParameters::default()))
}

/// The parameters of a search with tables.
struct Question {
    toy: ToyTables,
    limit: u32,
    nodes: u64,
    config: SearchConfig,
}

impl Question {
    fn new(solved: &Arc<SolvedGame<Small>>) -> Self {
        let toy = ToyTables { solved: Arc::clone(solved), most_pieces: 99, damaged: None };
        Question { toy, limit: 999, nodes: 300, config: SearchConfig { hash_mib: 1, ..SearchConfig::default() } }
    }

    fn open(self) -> (OpenTables<Small>, u32, SearchLimits, SearchConfig) {
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        (OpenTables::new(Arc::new(self.toy)), self.limit, limits, self.config)
    }
}

type Opened = (OpenTables<Small>, u32, SearchLimits, SearchConfig);

fn ask(opened: &Opened, game: &Small, record: &Record<Small>, searcher: &mut dyn Searcher<Small>) -> Asked {
    let &(ref open, limit, limits, config) = opened;
    let probing = TableProber::new(open, limit);
    let task = SearchTask { tables: Some(&probing), ..SearchTask::timeless(game, record, limits, config) };
    let mut infos = Vec::new();
    let found = tb_root::search(searcher, &task, &mut |info| infos.push(info.clone()));
    let last = infos.last().expect("at least one report");
    assert_eq!((last.lines[0].pv[0], last.lines[0].pv.get(1).copied()), (found.best, found.ponder));
    for info in &infos {
        assert!(info.lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{info:?}");
        info.lines.iter().for_each(|line| check_line(game, record, &line.pv, line.score));
    }
    (found, infos)
}

fn check_line(game: &Small, record: &Record<Small>, pv: &[Move<u64>], score: Score) {
    let mut record = record.clone();
    for &mv in pv {
        assert!(game.is_legal(record.position(), mv), "illegal {mv:?} in {pv:?}");
        record.play(game, mv);
    }
    assert!(score != Score::DRAW || pv.len() > 1 || record.turn(game).outcome().is_some());
}

/// Positions in which a player is to move, about `count` thirds of each value, spread evenly over the tables.
fn sample(game: &Small, solved: &SolvedGame<Small>, count: usize) -> Vec<Position<u64>> {
    sample_of(game, solved, count, |_| true)
}

fn sample_of(
    game: &Small,
    solved: &SolvedGame<Small>,
    count: usize,
    wanted: impl Fn(&Position<u64>) -> bool,
) -> Vec<Position<u64>> {
    let open = |position: &&Position<u64>| game.turn(position).seat().is_some() && wanted(position);
    let of_value = |winner: Option<Seat>| {
        let fits = |position: &&Position<u64>| solved.verdict(game, position).winner == winner;
        let all: Vec<_> = solved.positions.iter().filter(open).filter(fits).copied().collect();
        let step = (3 * all.len() / count).max(1);
        all.into_iter().step_by(step)
    };
    [None, Some(Seat::P1), Some(Seat::P2)].into_iter().flat_map(of_value).collect()
}

fn mover(game: &Small, position: &Position<u64>) -> Seat {
    game.turn(position).seat().expect("a player is to move")
}

fn moves(game: &Small, position: &Position<u64>) -> Vec<Move<u64>> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    moves
}

fn plies(game: &Small, solved: &SolvedGame<Small>, position: &Position<u64>, mv: Move<u64>) -> u32 {
    let after = solved.verdict(game, &game.play_unchecked(position, mv));
    if game.is_irreversible(position, mv) { 1 } else { after.distance + 1 }
}

/// The number of replies that keep the opponent's draw or win, after a move that keeps the value of such a position.
fn holding(game: &Small, solved: &SolvedGame<Small>, position: &Position<u64>, mv: Move<u64>) -> usize {
    let (seat, after) = (mover(game, position), game.play_unchecked(position, mv));
    let lost = solved.verdict(game, position).winner.is_some();
    let is_kept = |winner: Option<Seat>| winner != Some(seat) && (winner.is_some() || !lost);
    let holds = |&reply: &Move<u64>| is_kept(solved.verdict(game, &game.play_unchecked(&after, reply)).winner);
    moves(game, &after).iter().filter(|reply| holds(reply)).count()
}

/// Checks that the move keeps the value of the position, at the right distance.
fn assert_perfect(game: &Small, solved: &SolvedGame<Small>, position: &Position<u64>, mv: Move<u64>) {
    let (verdict, text) = (solved.verdict(game, position), game.position_text(position));
    assert_eq!(solved.verdict(game, &game.play_unchecked(position, mv)).winner, verdict.winner, "{text}");
    let is_equal = |mv: &Move<u64>| {
        let after = game.play_unchecked(position, *mv);
        let winner = solved.verdict(game, &after).winner;
        winner == verdict.winner && (winner.is_none() || plies(game, solved, position, *mv) == verdict.distance)
    };
    assert!(is_equal(&mv), "{text}");
    if verdict.winner == Some(mover(game, position)) {
        return;
    }
    let goes_on = |mv: &Move<u64>| game.turn(&game.play_unchecked(position, *mv)).seat().is_some();
    let fewest = moves(game, position).into_iter().filter(is_equal).filter(goes_on);
    let fewest = fewest.map(|mv| holding(game, solved, position, mv)).min();
    assert!(fewest.is_none_or(|fewest| goes_on(&mv) && holding(game, solved, position, mv) == fewest), "{text}");
}

#[test]
fn every_answer_keeps_the_value_and_is_scored_by_it() {
    let (game, solved) = solved();
    let opened = Question::new(&solved).open();
    for searcher in &mut [alphabeta(), mcts()] {
        for position in sample(&game, &solved, 250) {
            let (found, infos) = ask(&opened, &game, &Record::new(position), &mut **searcher);
            assert_perfect(&game, &solved, &position, found.best);
            let (verdict, last) = (solved.verdict(&game, &position), &infos[infos.len() - 1]);
            let score = last.lines[0].score;
            let exact = Score::of_verdict(verdict, mover(&game, &position), 0);
            let is_proved = score.is_decided() && score.0.signum() == exact.0.signum();
            assert!(score == exact || is_proved, "{}: {score:?}, {exact:?}", game.position_text(&position));
            let goes_on = |mv| game.turn(&game.play_unchecked(&position, mv)).seat().is_some();
            assert_eq!(last.tbhits > 0, moves(&game, &position).into_iter().any(goes_on));
        }
    }
}

#[test]
fn whole_games_keep_the_value_and_wins_are_played_home() {
    let (game, solved) = solved();
    let opened = Question::new(&solved).open();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (searcher, plies) in [(alphabeta(), 60), (mcts(), 60)] {
        let mut searcher = searcher;
        for position in sample(&game, &solved, 40) {
            let (hero, verdict) = (mover(&game, &position), solved.verdict(&game, &position));
            let mut record = Record::new(position);
            let mut left = verdict.distance;
            for _ in 0..plies {
                let Turn::Player(seat) = record.turn(&game) else { break };
                let before = *record.position();
                if seat == hero {
                    let now = solved.verdict(&game, &before);
                    let (found, _) = ask(&opened, &game, &record, &mut *searcher);
                    record.play(&game, found.best);
                    let after = solved.verdict(&game, record.position());
                    // Repetition, which tables do not know, turns a loss of the hero into a draw.
                    let ended = record.turn(&game).outcome().map(|outcome| outcome.winner);
                    let is_saved = ended == Some(None) && now.winner != Some(hero);
                    let kept = after.winner == now.winner && ended.is_none_or(|end| end == now.winner) || is_saved;
                    assert!(kept, "{} gave away {now:?}", game.position_text(&before));
                } else {
                    let replies = moves(&game, &before);
                    record.play(&game, replies[rng.random_range(0..replies.len())]);
                }
                if verdict.winner == Some(hero) && record.turn(&game).seat().is_some() {
                    let now = solved.verdict(&game, record.position());
                    assert_eq!(now.winner, Some(hero));
                    assert!(record.counters().reversible == 0 || now.distance < left);
                    left = now.distance;
                }
            }
            if verdict.winner == Some(hero) {
                assert_eq!(record.turn(&game).outcome().and_then(|outcome| outcome.winner), Some(hero));
            }
        }
    }
}

#[test]
fn positions_inside_the_tree_are_probed_up_to_the_limit() {
    let (game, solved) = solved();
    for (most_pieces, limit, hits) in [(4, 999, true), (4, 4, true), (4, 3, false), (4, 0, false), (3, 999, false)] {
        for searcher in &mut [alphabeta(), mcts()] {
            let mut question = Question::new(&solved);
            (question.toy.most_pieces, question.limit, question.nodes) = (most_pieces, limit, 20_000);
            let (open, limit, limits, config) = question.open();
            let probing = TableProber::new(&open, limit);
            let record = Record::new(game.start());
            let task = SearchTask { tables: Some(&probing), ..SearchTask::timeless(&game, &record, limits, config) };
            let mut last = 0;
            searcher.search(&task, &mut |info| last = info.tbhits);
            assert_eq!(last > 0, hits, "tables to {most_pieces}, limit {limit}");
            assert_eq!(last, probing.hits());
        }
    }
}

#[test]
fn a_shallow_search_asks_about_the_moves_of_the_root_alone() {
    let (game, solved) = solved();
    let mut question = Question::new(&solved);
    question.toy.most_pieces = 4;
    let (open, limit, limits, config) = question.open();
    let limits = SearchLimits { depth: Some(1), ..limits };
    let mut asked = [0, 0];
    for position in sample_of(&game, &solved, 300, |position| position.geese().len() == 5) {
        let probing = TableProber::new(&open, limit);
        let record = Record::new(position);
        let task = SearchTask { tables: Some(&probing), ..SearchTask::timeless(&game, &record, limits, config) };
        alphabeta().search(&task, &mut |_| {});
        let is_covered = |mv: &Move<u64>| {
            let after = game.play_unchecked(&position, *mv);
            after.geese().len() == 4 && game.turn(&after).seat().is_some()
        };
        let is_any_covered = moves(&game, &position).iter().any(is_covered);
        assert_eq!(probing.hits() > 0, is_any_covered, "{}", game.position_text(&position));
        asked[usize::from(is_any_covered)] += 1;
    }
    assert!(asked.iter().all(|&positions| positions > 20), "{asked:?}");
}

#[test]
fn certain_scores_above_the_tables_are_true() {
    let (game, solved) = solved();
    let mut question = Question::new(&solved);
    (question.toy.most_pieces, question.nodes) = (4, 200);
    let opened = question.open();
    let uncovered = sample_of(&game, &solved, 300, |position| position.geese().len() == 5);
    for searcher in &mut [alphabeta(), mcts()] {
        let (mut certain, mut by_table) = (0, 0);
        for &position in &uncovered {
            searcher.clear();
            let (found, infos) = ask(&opened, &game, &Record::new(position), &mut **searcher);
            let (score, seat) = (infos[infos.len() - 1].lines[0].score, mover(&game, &position));
            let text = game.position_text(&position);
            if score.is_certain() {
                let winner = if score.0 > 0 { seat } else { seat.other() };
                assert_eq!(solved.verdict(&game, &position).winner, Some(winner), "{text}: {score:?}");
                let after = game.play_unchecked(&position, found.best);
                assert_eq!(solved.verdict(&game, &after).winner, Some(winner), "{text}");
            }
            certain += u32::from(score.is_certain());
            by_table += u32::from(score.is_certain() && !score.is_decided());
        }
        assert!(by_table > 0 && certain > 50, "{certain} scores are certain, {by_table} come from tables");
    }
}

#[test]
fn damaged_tables_are_reported_once_and_play_goes_on() {
    let (game, solved) = solved();
    for searcher in &mut [alphabeta(), mcts()] {
        let mut question = Question::new(&solved);
        (question.toy.damaged, question.nodes) = (Some(4), 20_000);
        question.toy.most_pieces = 4;
        let opened = question.open();
        let remarks = |asked: Asked| asked.1.into_iter().filter_map(|info| info.remark).collect::<Vec<_>>();
        let first = remarks(ask(&opened, &game, &Record::new(game.start()), &mut **searcher));
        assert!(matches!(&first[..], [one] if one.contains("toy.table, block 7: a checksum")), "{first:?}");
        searcher.clear();
        let second = remarks(ask(&opened, &game, &Record::new(game.start()), &mut **searcher));
        assert_eq!(second, Vec::<String>::new());
    }
}

#[test]
fn several_threads_answer_the_same() {
    let (game, solved) = solved();
    let one = Question::new(&solved).open();
    let mut question = Question::new(&solved);
    question.config.threads = 2;
    let two = question.open();
    for make in [alphabeta, mcts] {
        for position in sample(&game, &solved, 60) {
            let record = Record::new(position);
            let (found, single) = ask(&one, &game, &record, &mut *make());
            let (other, double) = ask(&two, &game, &record, &mut *make());
            assert_perfect(&game, &solved, &position, found.best);
            assert_perfect(&game, &solved, &position, other.best);
            let score = |infos: &[SearchInfo<Move<u64>>]| infos[infos.len() - 1].lines[0].score.0.signum();
            assert_eq!(score(&single), score(&double));
        }
    }
}

#[test]
fn several_lines_and_chosen_moves_are_respected() {
    let (game, solved) = solved();
    let mut question = Question::new(&solved);
    question.config.multi_pv = 3;
    let (open, limit, limits, config) = question.open();
    for position in sample(&game, &solved, 50) {
        let record = Record::new(position);
        let mut allowed = moves(&game, &position);
        let probing = TableProber::new(&open, limit);
        allowed.truncate(4);
        let task = SearchTask {
            root_moves: &allowed,
            tables: Some(&probing),
            ..SearchTask::timeless(&game, &record, limits, config)
        };
        let mut last = Vec::new();
        tb_root::search(&mut *alphabeta(), &task, &mut |info| last = info.lines.clone());
        assert_eq!(last.len(), allowed.len().min(3));
        assert!(last.iter().all(|line| allowed.contains(&line.pv[0])));
        assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0]));
    }
}

#[test]
fn a_win_that_comes_too_late_is_not_claimed() {
    let (_, solved) = solved();
    let limit = 4;
    let game = small_hunt(&[("no_progress", "4")]);
    // Other rules give other keys, but the tables ignore this rule.
    let solved_too = Arc::new(SolvedGame::from(&game, &[game.start()]));
    assert_eq!(solved_too.verdicts.len(), solved.verdicts.len());
    let opened = Question::new(&solved_too).open();
    let (mut late, mut in_time) = (0, 0);
    for position in sample(&game, &solved_too, 2_000) {
        let (verdict, seat) = (solved_too.verdict(&game, &position), mover(&game, &position));
        if verdict.winner != Some(seat) {
            continue;
        }
        let record = Record::new(position);
        let claimed = |mv: &Move<u64>| {
            let mut after = record.clone();
            after.play(&game, *mv);
            let verdict = solved_too.verdict(&game, after.position());
            verdict.winner == Some(seat) && after.counters().idle + verdict.distance <= limit
        };
        let plies_of = |mv| plies(&game, &solved_too, &position, mv);
        let nearest = moves(&game, &position).into_iter().filter(claimed).map(plies_of).min();
        let (found, infos) = ask(&opened, &game, &record, &mut *alphabeta());
        let score = infos[infos.len() - 1].lines[0].score;
        assert_eq!(score.is_certain(), nearest.is_some(), "{score:?}, {verdict:?}");
        assert!(nearest.is_none_or(|nearest| plies_of(found.best) == nearest), "{}", game.position_text(&position));
        late += u32::from(nearest.is_none());
        in_time += u32::from(nearest.is_some());
    }
    assert!(late > 0 && in_time > 100, "{late} wins take too long, {in_time} do not");
}

/// A won position that `wanted` accepts with one perfect move, and a line that begins with it and leads back to the
/// position.
fn cycle(
    game: &Small,
    solved: &SolvedGame<Small>,
    wanted: impl Fn(&Position<u64>) -> bool,
) -> Option<(Position<u64>, Vec<Move<u64>>)> {
    let back = |from: &Position<u64>, line: &[Move<u64>]| -> Position<u64> {
        line.iter().fold(*from, |position, &mv| game.play_unchecked(&position, mv))
    };
    for &start in solved.positions.iter().filter(|start| wanted(start)) {
        let verdict = solved.verdict(game, &start);
        if game.turn(&start).seat().is_none_or(|seat| verdict.winner != Some(seat)) || verdict.distance < 3 {
            continue;
        }
        let best = |mv: &Move<u64>| {
            let after = solved.verdict(game, &game.play_unchecked(&start, *mv));
            after.winner == verdict.winner && plies(game, solved, &start, *mv) == verdict.distance
        };
        let perfect: Vec<_> = moves(game, &start).into_iter().filter(best).collect();
        let [first] = perfect[..] else { continue };
        let after_first = back(&start, &[first]);
        for reply in moves(game, &after_first) {
            let third = back(&after_first, &[reply]);
            for mv in moves(game, &third) {
                let fourth = back(&third, &[mv]);
                let closing = moves(game, &fourth).into_iter().find(|&mv| back(&fourth, &[mv]) == start);
                if let Some(closing) = closing {
                    return Some((after_first, vec![reply, mv, closing, first, reply, mv, closing]));
                }
            }
        }
    }
    None
}

#[test]
fn a_win_is_not_spoiled_by_what_stood_on_the_board_before() {
    let (game, solved) = solved();
    let (position, line) = cycle(&game, &solved, |_| true).expect("some perfect move can be repeated");
    let mut record = Record::new(position);
    line.iter().for_each(|&mv| record.play(&game, mv));
    let spoiled = line[3];
    let mut after = record.clone();
    after.play(&game, spoiled);
    assert_eq!(after.turn(&game).outcome().map(|outcome| outcome.winner), Some(None), "the perfect move draws now");
    let opened = Question::new(&solved).open();
    for searcher in &mut [alphabeta(), mcts()] {
        let (found, infos) = ask(&opened, &game, &record, &mut **searcher);
        assert_ne!(found.best, spoiled);
        let seat = mover(&game, record.position());
        let kept = solved.verdict(&game, &game.play_unchecked(record.position(), found.best)).winner == Some(seat);
        let can_keep = moves(&game, record.position()).into_iter().any(|mv| {
            mv != spoiled && solved.verdict(&game, &game.play_unchecked(record.position(), mv)).winner == Some(seat)
        });
        assert_eq!(kept, can_keep);
        assert!(!can_keep || infos[infos.len() - 1].lines[0].score >= Score::DRAW);
    }
}

#[test]
fn ranks_rise_from_a_quick_loss_to_the_end_of_the_game() {
    let rising = [
        TbRank::Lost { plies: 1, to_end: Reverse(true), holding: Reverse(ALL_HOLD) },
        TbRank::Lost { plies: 1, to_end: Reverse(false), holding: Reverse(1) },
        TbRank::Lost { plies: 9, to_end: Reverse(false), holding: Reverse(2) },
        TbRank::Lost { plies: 9, to_end: Reverse(false), holding: Reverse(1) },
        TbRank::Escaped { plies: 3 },
        TbRank::Drawn { holding: Reverse(ALL_HOLD) },
        TbRank::Drawn { holding: Reverse(2) },
        TbRank::Spoiled { plies: Reverse(7) },
        TbRank::Won { plies: Reverse(8), to_end: false },
        TbRank::Won { plies: Reverse(1), to_end: false },
        TbRank::Won { plies: Reverse(1), to_end: true },
    ];
    assert!(rising.windows(2).all(|pair| pair[0] < pair[1] && pair[0].score() <= pair[1].score()));
}
