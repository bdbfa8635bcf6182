//! What the referee makes of the players' moves and answers.

use std::time::Duration;

use reynard_engine::rules::Seat;

use super::puppets::{Call, List, Puppet, engine, failure, games, honest, never, nodes, puppet_games, ruleset, stage};
use crate::tournament::player::{AbandonFlag, Failure, Player};
use crate::tournament::record::{Cause, Forfeit, GameRecord};
use crate::tournament::resolved::ResolvedSpec;
use crate::tournament::runner::{RunEnd, run, run_with};
use crate::tournament::spec::{Limits, Referee};

type Answer = Result<String, Failure>;
type Script = dyn Fn(Call<'_>) -> Answer + Send + Sync;

/// The one game in which A is honest on seat 0 and B does this.
fn against(resolved: &ResolvedSpec, b: impl Fn(Call<'_>) -> Answer + Send + Sync + 'static) -> GameRecord {
    puppet_games(resolved, 1, [&honest, Box::leak(Box::new(b))]).remove(0)
}

#[test]
fn every_failure_loses_with_its_own_reason() {
    use Forfeit::{ClosedPipe, Crash, Flood, Garbage, Hang, HugeLine, NoMove, Refused, Start};
    for kind in [Start, Crash, ClosedPipe, Hang, NoMove, Garbage, HugeLine, Flood, Refused] {
        let on_go = move |call: Call<'_>| match call {
            Call::Go(_) => Err(failure(kind)),
            call => honest(call),
        };
        let on_new_game = move |call: Call<'_>| match call {
            Call::NewGame(_) => Err(failure(kind)),
            call => honest(call),
        };
        for (record, plies) in [(against(&stage(), on_go), 1), (against(&stage(), on_new_game), 0)] {
            assert_eq!((record.ending.winner(), record.moves.len()), (Some(Seat::P1), plies));
            assert_eq!(record.ending.cause, Cause::Forfeit(kind));
            assert_eq!(record.ending.reason, format!("{kind:?} on purpose"));
        }
    }
}

#[test]
fn an_illegal_move_loses_and_is_quoted() {
    let record = against(&stage(), |call| match call {
        Call::Go(_) => Ok(format!("z9z8{}", "!".repeat(10_000))),
        call => honest(call),
    });
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::IllegalMove)));
    assert!(record.ending.reason.contains("z9z8") && record.ending.reason.len() < 500, "{}", record.ending.reason);
}

#[test]
fn moves_are_recorded_in_canonical_texts() {
    let mut resolved = stage();
    resolved.spec.max_plies = 2;
    let record = against(&resolved, |call| match call {
        Call::Go(_) => honest(call).map(|text| format!("{}-{}", &text[..2], &text[2..])),
        call => honest(call),
    });
    assert_eq!((record.ending.winner, &record.ending.cause), (None, &Cause::PlyLimit));
    assert!(!record.moves[1].text().contains('-'), "{:?}", record.moves);
}

#[test]
fn each_game_and_seat_has_seeds_of_its_own() {
    use std::sync::Mutex;
    static SEEDS: Mutex<Vec<(u8, u32)>> = Mutex::new(Vec::new());
    let note = |call: Call<'_>| {
        if let Call::NewGame(setup) = call {
            assert_eq!(setup.role, if setup.seat == Seat::P1 { "geese" } else { "fox" });
            SEEDS.lock().expect("no panic").push((setup.seat.0, setup.seed));
        }
        honest(call)
    };
    let note: &'static _ = Box::leak(Box::new(note));
    let mut resolved = stage();
    resolved.spec.max_plies = 1;
    puppet_games(&resolved, 4, [note, note]);
    let first = std::mem::take(&mut *SEEDS.lock().expect("no panic"));
    puppet_games(&resolved, 4, [note, note]);
    assert_eq!(first, *SEEDS.lock().expect("no panic"), "the same again");
    let mut distinct: Vec<u32> = first.iter().map(|&(_, seed)| seed).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 8);
}

#[test]
fn cross_check_writes_disagreements_down_and_changes_no_result() {
    let mut resolved = stage();
    resolved.spec.cross_check = true;
    resolved.spec.max_plies = 6;
    let agreed = against(&resolved, honest);
    assert_eq!(agreed.disagreements, Vec::<String>::new());
    let lies = against(&resolved, |call| match call {
        Call::Query(history, "legalmoves") if history.moves.len() == 2 => honest(Call::Query(history, "legalmoves"))
            .map(|text| text.split_once(' ').expect("two").1.to_owned() + " z9z8"),
        Call::Query(history, "fen") if history.moves.len() == 3 => Ok("nonsense".to_owned()),
        Call::Query(history, "hash") if history.moves.len() == 4 => Ok("0123456789abcdef".to_owned()),
        call => honest(call),
    });
    assert_eq!((&lies.moves, &lies.ending), (&agreed.moves, &agreed.ending));
    let [moves, fen, hash] = &lies.disagreements[..] else { panic!("{:?}", lies.disagreements) };
    assert!(moves.starts_with("ply 2: B: legalmoves: missing ") && moves.ends_with("not legal z9z8"), "{moves}");
    assert!(fen.starts_with("ply 3: B: fen 'nonsense'"), "{fen}");
    assert!(hash.starts_with("ply 4: B: hash '0123456789abcdef'"), "{hash}");
}

#[test]
fn cross_check_lets_others_count_positions_otherwise() {
    let mut resolved = stage();
    (resolved.spec.cross_check, resolved.spec.max_plies) = (true, 4);
    let record = against(&resolved, |call| match call {
        Call::Query(_, "hash") => Ok("1".to_owned()),
        Call::Query(_, "fen") => Ok("unknown".to_owned()),
        Call::Query(history, "legalmoves") => {
            honest(Call::Query(history, "legalmoves")).map(|text| text.split(' ').rev().collect::<Vec<_>>().join("  "))
        }
        call => honest(call),
    });
    let hash = "ply 0: B: has another hash for the start position; its hashes are not compared";
    assert_eq!(record.disagreements, Vec::<String>::new());
    assert_eq!(record.not_comparable, [hash, "ply 0: B: does not answer query fen"]);
}

#[test]
fn cross_check_looks_at_the_last_position_too() {
    let mut resolved = stage();
    (resolved.spec.cross_check, resolved.spec.max_plies) = (true, 400);
    let agreed = against(&resolved, honest);
    assert_eq!((&agreed.ending.cause, &agreed.disagreements), (&Cause::Rules, &Vec::new()));
    let end = agreed.moves.len();
    let lies = against(&resolved, move |call| match call {
        Call::Query(history, "fen") if history.moves.len() == end => Ok("nonsense".to_owned()),
        call => honest(call),
    });
    let dies = against(&resolved, move |call| match call {
        Call::Query(history, "fen") if history.moves.len() == end => Err(failure(Forfeit::Crash)),
        call => honest(call),
    });
    for (record, note) in [(lies, "fen 'nonsense'"), (dies, "broke down when asked after the end: Crash")] {
        assert_eq!((&record.moves, &record.ending), (&agreed.moves, &agreed.ending));
        let [line] = &record.disagreements[..] else { panic!("{:?}", record.disagreements) };
        assert!(line.starts_with(&format!("ply {end}: B: {note}")), "{line}");
    }
}

#[test]
fn a_breakdown_in_a_query_is_a_forfeit() {
    let mut resolved = stage();
    resolved.spec.cross_check = true;
    let record = against(&resolved, |call| match call {
        Call::Query(history, _) if history.moves.len() == 3 => Err(failure(Forfeit::Crash)),
        call => honest(call),
    });
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::Crash)));
    assert_eq!(record.moves.len(), 3);
}

/// A game nobody here knows: three moves `step`, then the second player has won.
fn stranger(call: Call<'_>) -> Answer {
    let Call::Query(history, query) = call else { return Ok("step".to_owned()) };
    let plies = history.moves.len();
    let answer = match query {
        "gameover" => (plies >= 3).to_string(),
        "p1turn" => (plies % 2 == 0).to_string(),
        "result" if plies >= 3 => "p2win".to_owned(),
        "legalmoves" => "step stop".to_owned(),
        _ => "unknown".to_owned(),
    };
    Ok(answer)
}

fn strange_spec() -> ResolvedSpec {
    let mut resolved = stage();
    (resolved.rulesets, resolved.spec.referee) = (vec![ruleset("no-such-game")], Referee::Engines);
    resolved
}

fn strange_game(resolved: &ResolvedSpec, b: impl Fn(Call<'_>) -> Answer + Send + Sync + 'static) -> GameRecord {
    puppet_games(resolved, 1, [&stranger, Box::leak(Box::new(b))]).remove(0)
}

#[test]
fn engines_referee_a_game_that_nobody_here_knows() {
    let record = strange_game(&strange_spec(), stranger);
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P2), &Cause::Rules));
    assert_eq!((record.moves.len(), record.disagreements.len()), (3, 0));
    assert_eq!(record.ending.reason, "both engines say that p2 has won");
}

#[test]
fn engines_that_disagree_end_the_game_without_a_winner() {
    for (query, lie, plies) in [("gameover", "true", 1), ("p1turn", "true", 1), ("result", "draw", 3)] {
        let record = strange_game(&strange_spec(), move |call| match call {
            Call::Query(history, asked) if asked == query && history.moves.len() == plies => Ok(lie.to_owned()),
            call => stranger(call),
        });
        assert_eq!((record.ending.winner(), &record.ending.cause), (None, &Cause::Rules), "{query}");
        assert_eq!(record.ending.reason, format!("the engines disagree about {query}"));
        assert_eq!((record.moves.len(), record.disagreements.len()), (plies, 1));
        assert!(record.disagreements[0].contains(&format!("B says {lie}")), "{:?}", record.disagreements);
    }
}

#[test]
fn an_engine_that_cannot_be_asked_is_refused() {
    let record = strange_game(&strange_spec(), |call| match call {
        Call::Query(..) => Ok("unknown".to_owned()),
        call => stranger(call),
    });
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::Refused)));
    assert!(record.ending.reason.contains("'unknown' to query gameover"), "{}", record.ending.reason);
    let two_words = strange_game(&strange_spec(), |call| match call {
        Call::Go(_) => Ok("two words".to_owned()),
        call => stranger(call),
    });
    assert_eq!(two_words.ending.cause, Cause::Forfeit(Forfeit::IllegalMove));
}

/// A stranger that plays what is no move of its game.
fn cheat(call: Call<'_>) -> Answer {
    match call {
        Call::Go(_) => Ok("a1a9".to_owned()),
        call => stranger(call),
    }
}

/// Nobody but the engine that plays them knows what is legal, and one refuses positions.
fn silent(refuses: bool, script: fn(Call<'_>) -> Answer) -> impl Fn(Call<'_>) -> Answer + Send + Sync + 'static {
    move |call| match call {
        Call::Query(_, "legalmoves") => Ok("unknown".to_owned()),
        Call::Query(history, _) if refuses && history.moves.iter().any(|mv| mv == "a1a9") => {
            Err(failure(Forfeit::Refused))
        }
        call => script(call),
    }
}

#[test]
fn nobody_loses_by_the_opponents_illegal_move() {
    let resolved = strange_spec();
    let play = |a: Box<Script>, b: Box<Script>| puppet_games(&resolved, 1, [Box::leak(a), Box::leak(b)]).remove(0);
    let illegal = Cause::Forfeit(Forfeit::IllegalMove);
    let by_lists = strange_game(&resolved, cheat);
    let by_both = play(Box::new(silent(true, stranger)), Box::new(silent(true, cheat)));
    for record in [by_lists, by_both] {
        assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &illegal), "{record:?}");
        assert!(record.ending.reason.contains("'a1a9'"), "{}", record.ending.reason);
    }
    let listed = strange_game(&resolved, |call| match call {
        Call::Query(_, "legalmoves") => Ok("step a1a9".to_owned()),
        call => cheat(call),
    });
    let unlisted = play(Box::new(silent(true, stranger)), Box::new(silent(false, cheat)));
    for record in [listed, unlisted] {
        assert_eq!((record.ending.winner, &record.ending.cause), (None, &Cause::Rules), "{record:?}");
        assert_eq!(record.ending.reason, "the engines disagree about legalmoves");
        assert!(record.disagreements[0].contains("a1a9"), "{:?}", record.disagreements);
    }
    // Whoever listed a move and then refuses it is to blame itself.
    let whim = |call: Call<'_>| match call {
        Call::Query(history, _) if history.moves.len() == 2 => Err(failure(Forfeit::Refused)),
        call => stranger(call),
    };
    let record = play(Box::new(whim), Box::new(stranger));
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P2), &Cause::Forfeit(Forfeit::Refused)));
}

#[test]
fn our_own_rules_say_what_is_legal_where_we_know_them() {
    let mut resolved = stage();
    resolved.spec.referee = Referee::Engines;
    let record = against(&resolved, |call| match call {
        Call::Go(_) => Ok("z9z8".to_owned()),
        call => honest(call),
    });
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::IllegalMove)));
    assert!(record.ending.reason.contains("z9z8"), "{}", record.ending.reason);
}

#[test]
fn engines_can_referee_a_known_game_too() {
    let mut resolved = stage();
    (resolved.engines, resolved.spec.max_plies) = (vec![engine("A", &[("Searcher", "random")], nodes(1)); 2], 300);
    let play = |resolved: &ResolvedSpec| {
        let mut list = List::new(games(4));
        assert_eq!(run(resolved, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
        list.records
    };
    let ours = play(&resolved);
    resolved.spec.referee = Referee::Engines;
    let theirs = play(&resolved);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!((&ours.moves, ours.ending.winner), (&theirs.moves, theirs.ending.winner));
        assert_eq!((&ours.ending.cause, &theirs.ending.cause), (&Cause::Rules, &Cause::Rules));
    }
}

#[test]
fn a_late_move_loses_on_time_even_if_it_is_legal() {
    let mut resolved = stage();
    let clock = Limits { clock_ms: Some(100), increment_ms: Some(10), ..Limits::default() };
    resolved.engines[1].limits = clock;
    resolved.spec.time_margin_ms = 5;
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| {
        Ok(Box::new(Puppet(honest, Duration::from_millis([5_000, 40][engine]))) as Box<dyn Player>)
    };
    let mut list = List::new(games(1));
    assert_eq!(run_with(&resolved, &open, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
    let record = &list.records[0];
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::Time)));
    // 100, 70, 40, 10: the fourth move is 30 ms late.
    assert_eq!(record.moves.len(), 7);
}

#[test]
fn the_clock_is_given_again_after_so_many_moves() {
    let mut resolved = stage();
    resolved.spec.max_plies = 24;
    let play = |resolved: &ResolvedSpec| {
        let open = |_engine: usize, _ruleset: usize, _: &AbandonFlag| {
            Ok(Box::new(Puppet(honest, Duration::from_millis(40))) as Box<dyn Player>)
        };
        let mut list = List::new(games(1));
        assert_eq!(run_with(resolved, &open, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
        list.records.remove(0)
    };
    for (moves_to_go, plies) in [(None, 4), (Some(2), 24), (Some(3), 4)] {
        let clock = Limits { clock_ms: Some(100), moves_to_go, ..Limits::default() };
        resolved.engines.iter_mut().for_each(|engine| engine.limits = clock);
        let record = play(&resolved);
        let is_late = record.ending.cause == Cause::Forfeit(Forfeit::Time);
        assert_eq!((record.moves.len(), is_late), (plies, plies < 24), "{moves_to_go:?}");
    }
}
