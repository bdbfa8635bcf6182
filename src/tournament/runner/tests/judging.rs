//! What the referee makes of the players' moves and answers.

use std::time::Duration;

use reynard_engine::rules::Seat;

use super::puppets::{Call, List, Puppet, failure, games, honest, never, puppet_games, stage};
use crate::tournament::plan::{Plan, Sinks};
use crate::tournament::player::{AbandonFlag, Failure, Player};
use crate::tournament::record::{Cause, Forfeit, GameRecord};
use crate::tournament::runner::{RunEnd, run_with};
use crate::tournament::spec::Limits;

type Answer = Result<String, Failure>;

/// The one game in which A is honest on seat 0 and B does this.
fn against(resolved: &Plan, b: impl Fn(Call<'_>) -> Answer + Send + Sync + 'static) -> GameRecord {
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
fn a_late_move_loses_on_time_even_if_it_is_legal() {
    let mut resolved = stage();
    let clock = Limits { clock_ms: Some(100), increment_ms: Some(10), ..Limits::default() };
    resolved.engines[1].limits = clock;
    resolved.spec.time_margin_ms = 5;
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| {
        Ok(Box::new(Puppet(honest, Duration::from_millis([5_000, 40][engine]))) as Box<dyn Player>)
    };
    let mut list = List::new(games(1));
    assert_eq!(run_with(&resolved, &Sinks::default(), &open, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
    let record = &list.records[0];
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::Time)));
    // 100, 70, 40, 10: the fourth move is 30 ms late.
    assert_eq!(record.moves.len(), 7);
}

#[test]
fn the_clock_is_given_again_after_so_many_moves() {
    let mut resolved = stage();
    resolved.spec.max_plies = 24;
    let play = |resolved: &Plan| {
        let open = |_engine: usize, _ruleset: usize, _: &AbandonFlag| {
            Ok(Box::new(Puppet(honest, Duration::from_millis(40))) as Box<dyn Player>)
        };
        let mut list = List::new(games(1));
        assert_eq!(
            run_with(resolved, &Sinks::default(), &open, 1, &never(), &mut list).expect("a run"),
            RunEnd::Complete
        );
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
