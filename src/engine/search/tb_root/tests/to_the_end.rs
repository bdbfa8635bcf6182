//! Searches with toy tables that know the distance to the end.

use super::*;
use crate::tablebase::Metric;

/// The game and tables of [`solved`], and tables with distances to the end.
fn solved_to_the_end() -> (Small, Arc<SolvedGame<Small>>, Arc<SolvedGame<Small>>) {
    static ENDS: OnceLock<Arc<SolvedGame<Small>>> = OnceLock::new();
    let (game, conversions) = solved();
    let ends = ENDS.get_or_init(|| Arc::new(SolvedGame::with_metric(&game, Metric::End, &[game.start()])));
    (game, conversions, Arc::clone(ends))
}

/// Tables of both metrics; those with distances to the end cover at most `most_pieces` geese.
fn both(conversions: &Arc<SolvedGame<Small>>, ends: &Arc<SolvedGame<Small>>, most_pieces: u32) -> Opened {
    let (open, limit, limits, config) = Question::new(conversions).open();
    let toy = ToyTables { solved: Arc::clone(ends), most_pieces, damaged: None };
    (open.with_ends(Ok(Some(Arc::new(toy)))), limit, limits, config)
}

fn score(infos: &[SearchInfo<Move<u64>>]) -> Score {
    infos[infos.len() - 1].lines[0].score
}

#[test]
fn the_shortest_win_is_played_and_reported() {
    let (game, solved, ends) = solved_to_the_end();
    let mut opened = both(&solved, &ends, 99);
    opened.3.multi_pv = 3;
    let mut past_conversion = 0;
    for searcher in &mut [alphabeta(), mcts()] {
        for position in sample(&game, &solved, 250) {
            let (found, infos) = ask(&opened, &game, &Record::new(position), &mut **searcher);
            let (seat, text) = (mover(&game, &position), game.position_text(&position));
            let verdict = ends.verdict(&game, &position);
            if verdict.winner.is_none() {
                assert_perfect(&game, &solved, &position, found.best);
                continue;
            }
            let of_end = |verdict: TableValue| Score::of_outcome(verdict.winner, seat, verdict.distance);
            assert_eq!(score(&infos), of_end(verdict), "{text}");
            for line in &infos[infos.len() - 1].lines {
                let after = ends.verdict(&game, &game.play_unchecked(&position, line.pv[0])).before(false);
                assert!(after.winner.is_none() || line.score == of_end(after), "{text}: {:?}", line.pv[0]);
            }
            let line = &infos[infos.len() - 1].lines[0];
            assert_eq!(line.pv.len(), verdict.distance.min(24) as usize, "{text}: {:?}", line.pv);
            past_conversion += u32::from(solved.verdict(&game, &position).distance < verdict.distance);
        }
    }
    assert!(past_conversion > 50, "{past_conversion} wins go on behind a conversion");
}

#[test]
fn conversions_decide_where_distances_to_the_end_do_not_reach() {
    let (game, solved, ends) = solved_to_the_end();
    let opened = both(&solved, &ends, 4);
    let mut by_table = 0;
    for position in sample_of(&game, &solved, 100, |position| position.geese().len() == 5) {
        let (found, infos) = ask(&opened, &game, &Record::new(position), &mut *alphabeta());
        assert_perfect(&game, &solved, &position, found.best);
        by_table += u32::from(score(&infos).is_certain() && !score(&infos).is_decided());
    }
    assert!(by_table > 10, "{by_table} scores count to a conversion");
}

#[test]
fn a_win_in_time_is_reported_whatever_comes_too_late_beside_it() {
    let beside_late_ones: u32 = [4, 6].map(wins_beside_late_ones).iter().sum();
    assert!(beside_late_ones > 10, "{beside_late_ones} wins stand beside moves whose end comes too late");
}

/// Checks wins, after two plies without progress, in a game that `limit` such plies draw. Returns how many of the wins
/// stand beside moves whose end comes too late.
fn wins_beside_late_ones(limit: u32) -> u32 {
    let game = small_hunt(&[("no_progress", &limit.to_string())]);
    let solve = |metric| Arc::new(SolvedGame::with_metric(&game, metric, &[game.start()]));
    let (conversions, ends) = (solve(Metric::Conversion), solve(Metric::End));
    let opened = both(&conversions, &ends, 99);
    let mut beside_late_ones = 0;
    for position in sample(&game, &conversions, 400) {
        let mut record = Record::new(position);
        for _ in 0..2 {
            let quiet = |mv: &Move<u64>| !game.is_irreversible(record.position(), *mv);
            let first = moves(&game, record.position()).into_iter().find(quiet);
            first.into_iter().for_each(|mv| record.play(&game, mv));
        }
        let Turn::Player(seat) = record.turn(&game) else { continue };
        let mut in_time = Vec::new();
        let mut late = 0;
        for mv in moves(&game, record.position()) {
            let mut after = record.clone();
            after.play(&game, mv);
            let verdict = ends.verdict(&game, after.position());
            match (verdict.winner, after.turn(&game)) {
                (None, _) => {}
                (Some(_), Turn::Player(_)) if after.counters().idle + verdict.distance > limit => late += 1,
                (Some(winner), _) if winner == seat => in_time.push((verdict.distance + 1, mv)),
                _ => {}
            }
        }
        let Some(shortest) = in_time.iter().map(|&(plies, _)| plies).min() else { continue };
        let (found, infos) = ask(&opened, &game, &record, &mut *alphabeta());
        let text = game.position_text(record.position());
        assert_eq!(score(&infos), Score::win_in(shortest), "{text}");
        assert!(in_time.contains(&(shortest, found.best)), "{text}: {:?}", found.best);
        beside_late_ones += u32::from(late > 0);
    }
    beside_late_ones
}

#[test]
fn no_mate_is_reported_on_whose_way_a_position_may_stand_for_the_third_time() {
    let (game, solved, ends) = solved_to_the_end();
    let mated = |position: &Position<u64>, mv: Move<u64>| {
        let verdict = ends.verdict(&game, &game.play_unchecked(position, mv)).before(false);
        (verdict.winner == game.turn(position).seat()).then_some(verdict.distance)
    };
    // A slower win that can lead back to the position where it began.
    let slower = |position: &Position<u64>| {
        let nearest = ends.verdict(&game, position).distance;
        let is_slower = |mv: &Move<u64>| mated(position, *mv).is_some_and(|plies| plies > nearest + 1);
        moves(&game, position).into_iter().filter(is_slower).find(|mv| !game.is_irreversible(position, *mv))
    };
    let (second, line) =
        cycle(&game, &solved, |start| slower(start).is_some()).expect("a win with a slower one beside");
    // From the second position of the cycle back to the first, and once round.
    let mut twice = Record::new(second);
    line.iter().for_each(|&mv| twice.play(&game, mv));
    let start = *twice.position();
    let (opened, alone) = (both(&solved, &ends, 99), Question::new(&solved).open());
    let (found, infos) = ask(&opened, &game, &Record::new(start), &mut *alphabeta());
    assert_eq!(score(&infos), Score::win_in(ends.verdict(&game, &start).distance));
    assert_eq!(found.best, line[3], "the only perfect move");
    let answers = [&alone, &opened].map(|opened| ask(opened, &game, &twice, &mut *alphabeta()));
    let reported = answers.each_ref().map(|(found, infos)| (found.best, score(infos)));
    assert_eq!(reported[0], reported[1], "nearer positions have stood twice");
    // Only the root has occurred twice: the perfect way leaves it behind, the slower one may lead back to it.
    let mut once_round = Record::new(start);
    [line[3], line[0], line[1], line[2]].into_iter().for_each(|mv| once_round.play(&game, mv));
    assert_eq!(*once_round.position(), start);
    let (found, infos) = ask(&opened, &game, &once_round, &mut *alphabeta());
    assert_eq!((found.best, score(&infos)), (line[3], Score::win_in(ends.verdict(&game, &start).distance)));
    let slow = [slower(&start).expect("as chosen")];
    for (record, is_clear) in [(&Record::new(start), true), (&once_round, false)] {
        let &(ref open, limit, limits, config) = &opened;
        let probing = TableProber::new(open, limit);
        let task = SearchTask {
            root_moves: &slow,
            tables: Some(&probing),
            ..SearchTask::timeless(&game, record, limits, config)
        };
        let mut last = Score::DRAW;
        tb_root::search(&mut *alphabeta(), &task, &mut |info| last = info.lines[0].score);
        assert_eq!(last.is_decided(), is_clear, "{last:?}");
    }
}
