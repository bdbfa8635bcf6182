//! Properties of schedules of every format.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::tournament::TournamentSpec;
use crate::tournament::fixture::Fixture;
use crate::tournament::header::Shard;

/// Decides a game by its number and a seed; so many of four are drawn.
fn decided(seed: u64, draws: u64) -> impl Fn(u64) -> Option<u8> + Copy {
    move |game| {
        let hash = (game ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        (hash % 4 >= draws).then_some((hash >> 8) as u8 % 2)
    }
}

fn oracle(seed: u64) -> impl Fn(u64) -> Option<u8> + Copy {
    decided(seed, 1)
}

fn schedule(format: Format, engines: usize, rulesets: usize, pairs: u64, rounds: Option<u32>) -> Schedule {
    Schedule::new(format, engines, rulesets, pairs, rounds.unwrap_or(0))
}

/// Finishes every game before this one.
fn finish_until(schedule: &mut Schedule, game: u64, winner: impl Fn(u64) -> Option<u8>) {
    (0..game).for_each(|game| schedule.finish(game, winner(game)));
}

/// All games, each finished as soon as it is known.
fn all(schedule: &mut Schedule, winner: impl Fn(u64) -> Option<u8>) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    loop {
        match schedule.fixture(fixtures.len() as u64) {
            Next::Game(fixture) => {
                schedule.finish(fixture.game, winner(fixture.game));
                fixtures.push(fixture);
            }
            Next::End => return fixtures,
            Next::Wait => panic!("all results are there"),
        }
    }
}

/// What holds in every format.
fn assert_sound(fixtures: &[Fixture], schedule: &Schedule) {
    if let Some(games) = schedule.games() {
        assert_eq!(fixtures.len() as u64, games);
    }
    let mut met = BTreeSet::new();
    for (index, fixture) in fixtures.iter().enumerate() {
        assert_eq!((fixture.game, fixture.pair), (index as u64, index as u64 / 2));
        assert_ne!(fixture.seats[0], fixture.seats[1]);
        let mut pairing = fixture.seats;
        pairing.sort_unstable();
        if index % 2 == 0 {
            assert!(met.insert((pairing, fixture.ruleset, fixture.opening)), "an opening comes back: {fixture:?}");
        } else {
            let mut swapped = fixtures[index - 1].clone();
            swapped.seats.reverse();
            assert_eq!(Fixture { game: fixture.game - 1, ..fixture.clone() }, swapped);
        }
    }
    assert!(fixtures.is_sorted_by_key(|fixture| fixture.round), "rounds follow each other");
    assert!(fixtures.is_sorted_by_key(|fixture| fixture.opening), "openings are outermost");
}

fn pairings_of(fixtures: &[Fixture]) -> BTreeMap<[usize; 2], u64> {
    let mut count = BTreeMap::new();
    for fixture in fixtures {
        *count.entry(fixture.seats).or_insert(0) += 1;
    }
    count
}

#[test]
fn the_order_is_opening_pairing_ruleset_game() {
    let games = all(&mut schedule(Format::RoundRobin, 3, 2, 2, None), oracle(0));
    let row = |game: usize| {
        let Fixture { opening, ruleset, seats, round, .. } = &games[game];
        (*opening, *ruleset, *seats, *round)
    };
    assert_eq!(games.len(), 3 * 2 * 2 * 2);
    assert_eq!(row(0), (0, 0, [0, 1], 0));
    assert_eq!(row(1), (0, 0, [1, 0], 0));
    assert_eq!(row(2), (0, 1, [0, 1], 0));
    assert_eq!(row(4), (0, 0, [0, 2], 0));
    assert_eq!(row(8), (0, 0, [1, 2], 0));
    assert_eq!(row(12), (1, 0, [0, 1], 1));
}

#[test]
fn a_gauntlet_is_run_by_the_first_engine() {
    let games = all(&mut schedule(Format::Gauntlet, 4, 1, 3, None), oracle(0));
    let expected: BTreeMap<_, _> = (1..4).flat_map(|other| [([0, other], 3), ([other, 0], 3)]).collect();
    assert_eq!(pairings_of(&games), expected);
}

#[test]
fn counting_games_is_counting_pairs() {
    let engines: Vec<_> = ["a", "b"].map(|name| serde_json::json!({"name": name})).to_vec();
    let by_games = serde_json::json!({"rulesets": ["r"], "engines": engines, "format": "match", "games": 10});
    let by_games: TournamentSpec = serde_json::from_value(by_games).expect("a spec");
    let mut by_games = schedule(by_games.format, 2, 1, by_games.pair_count(), None);
    let mut by_pairs = schedule(Format::Sprt, 2, 1, 5, None);
    assert_eq!(all(&mut by_games, oracle(0)), all(&mut by_pairs, oracle(0)));
}

#[test]
fn any_game_of_a_huge_tournament_is_known_at_once() {
    let mut schedule = schedule(Format::RoundRobin, 256, 256, 1_000_000_000, None);
    let games = schedule.games().expect("known beforehand");
    assert_eq!(games, 32_640 * 256 * 2_000_000_000);
    assert!(matches!(schedule.fixture(games - 1), Next::Game(game) if game.opening == 999_999_999));
    assert_eq!(schedule.fixture(games), Next::End);
}

#[test]
fn a_round_waits_for_the_results_of_the_one_before() {
    for (format, rounds) in [(Format::Swiss, Some(3)), (Format::Knockout, None)] {
        let known = |until: u64, game: u64| {
            let mut schedule = schedule(format, 4, 1, 1, rounds);
            finish_until(&mut schedule, until, oracle(3));
            schedule.fixture(game)
        };
        assert!(matches!(known(0, 3), Next::Game(_)), "{format:?}: the first round needs no results");
        for until in 0..4 {
            assert_eq!(known(until, 4), Next::Wait, "{format:?}: {until} games are not the round");
        }
        assert!(matches!(known(4, 4), Next::Game(fixture) if fixture.round <= 1 && fixture.opening == 1));
    }
}

#[test]
fn standings_cost_what_was_played_and_not_what_is_planned() {
    for format in [Format::Swiss, Format::Knockout] {
        let mut schedule = schedule(format, 8, 4, 1_000_000_000_000, Some(3));
        finish_until(&mut schedule, 16, |_| Some(0));
        assert!(matches!(schedule.fixture(16), Next::Game(_)));
        let placing = schedule.placing().expect("rounds");
        let games: Vec<u64> = placing.rounds[0].meetings.iter().map(|meeting| meeting.games).collect();
        assert_eq!((placing.winner, games), (None, vec![8, 8, 0, 0]), "{format:?}");
    }
}

#[test]
fn the_wait_ends_when_the_results_come() {
    let whole = all(&mut schedule(Format::Swiss, 6, 2, 2, Some(4)), oracle(5));
    let mut schedule = schedule(Format::Swiss, 6, 2, 2, Some(4));
    let mut played = Vec::new();
    while played.len() < whole.len() {
        match schedule.fixture(played.len() as u64) {
            Next::Game(fixture) => played.push(fixture),
            Next::Wait => finish_until(&mut schedule, played.len() as u64, oracle(5)),
            Next::End => panic!("too early"),
        }
    }
    assert_eq!(played, whole);
}

#[test]
fn a_bye_counts_as_a_won_meeting_and_comes_once() {
    // The better seed always wins: meetings are listed with the higher-placed engine first.
    let games = all(&mut schedule(Format::Swiss, 3, 1, 1, Some(3)), |game| Some((game % 2) as u8));
    let rounds: Vec<_> = games.iter().step_by(2).map(|game| game.seats).collect();
    assert_eq!(rounds, [[0, 1], [0, 2], [1, 2]]);
}

#[test]
fn a_drawn_knockout_goes_on_and_then_to_the_better_seed() {
    let mut schedule = schedule(Format::Knockout, 4, 1, 3, None);
    let games = all(&mut schedule, decided(0, 4));
    // Two meetings of three pairs and four more each, then one.
    assert_eq!(games.len(), 3 * 2 * (3 + 4));
    assert_eq!(champion(&mut schedule), Some(0));
    assert_sound(&games, &schedule);
}

/// Who is left of a knockout.
fn champion(schedule: &mut Schedule) -> Option<usize> {
    schedule.placing().expect("rounds").winner
}

#[test]
fn seeds_that_are_better_meet_later() {
    // The better seed wins: the one that comes first in the meeting.
    let games = all(&mut schedule(Format::Knockout, 6, 1, 1, None), |game| Some((game % 2) as u8));
    let meetings: Vec<_> = games.iter().step_by(2).map(|game| (game.round, game.seats)).collect();
    let expected = [(0, [3, 4]), (0, [2, 5]), (1, [0, 3]), (1, [1, 2]), (2, [0, 1])];
    let sorted = |(round, mut seats): (u32, [usize; 2])| {
        seats.sort_unstable();
        (round, seats)
    };
    let meetings: BTreeSet<_> = meetings.into_iter().map(sorted).collect();
    assert_eq!(meetings, expected.into_iter().collect());
}

#[test]
fn a_swiss_is_placed_by_meetings_then_games_then_order() {
    let swiss = || schedule(Format::Swiss, 3, 1, 1, Some(2));
    let mut schedule = swiss();
    // Whoever a pairing names first wins the first game of the pair; the second one is drawn.
    all(&mut schedule, |game| game.is_multiple_of(2).then_some(0));
    let placing = schedule.placing().expect("rounds");
    // 0 beats 1 while 2 has a bye, then 0 beats 2 while 1 has one.
    let places: Vec<_> = placing.places.iter().map(|place| (place.engine, place.meeting_points, place.byes)).collect();
    assert_eq!(places, [(0, 2.0, 0), (1, 1.0, 1), (2, 1.0, 1)]);
    let points: Vec<f64> = placing.places.iter().map(|place| place.game_points).collect();
    assert_eq!(points, [3.0, 0.5, 0.5]);
    assert_eq!((placing.winner, placing.rounds.len()), (Some(0), 2));
    assert_eq!(placing.rounds[0].byes, [2]);
    let mut half = swiss();
    finish_until(&mut half, 3, decided(0, 4));
    assert_eq!(half.placing().expect("rounds").winner, None, "the last round is not over");
}

#[test]
fn a_knockout_is_placed_by_the_round_of_the_defeat() {
    let knockout = || schedule(Format::Knockout, 4, 1, 1, None);
    let mut drawn = knockout();
    all(&mut drawn, decided(0, 4));
    let placing = drawn.placing().expect("rounds");
    assert_eq!(placing.winner, Some(0));
    let places: Vec<_> = placing.places.iter().map(|place| (place.engine, place.beaten_in)).collect();
    assert_eq!(places, [(0, None), (1, Some(1)), (2, Some(0)), (3, Some(0))]);
    let last = placing.rounds[1].meetings[0];
    assert!(last.by_seed && last.is_finished && last.games == 10 && last.points == [5.0, 5.0], "{last:?}");
    // All games of the first round proper are drawn, so extra pairs decide: nothing is finished yet.
    let mut begun = knockout();
    finish_until(&mut begun, 4, decided(0, 4));
    let begun = begun.placing().expect("rounds");
    assert_eq!((begun.winner, begun.rounds.len()), (None, 1));
    assert!(begun.rounds[0].meetings.iter().all(|meeting| !meeting.is_finished && meeting.winner.is_none()));
    assert_eq!(schedule(Format::Match, 2, 1, 1, None).placing(), None);
}

/// The fewest rematches of one pairing of all, by trying everything.
fn fewest_rematches(left: &[usize], has_met: &dyn Fn(usize, usize) -> bool) -> u64 {
    let Some((&first, rest)) = left.split_first() else { return 0 };
    let with = |at: usize| {
        let mut others = rest.to_vec();
        let second = others.remove(at);
        u64::from(has_met(first, second)) + fewest_rematches(&others, has_met)
    };
    (0..rest.len()).map(with).min().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn formats_without_rounds_seat_everybody_fairly(
        format in prop::sample::select(vec![Format::RoundRobin, Format::Gauntlet]),
        engines in 2_usize..7, rulesets in 1_usize..4, pairs in 1_u64..5,
    ) {
        let mut schedule = schedule(format, engines, rulesets, pairs, None);
        let games = all(&mut schedule, oracle(0));
        assert_sound(&games, &schedule);
        let count = pairings_of(&games);
        prop_assert!(count.values().all(|&games| games == pairs * rulesets as u64));
        let expected = if format == Format::Gauntlet { 2 * (engines - 1) } else { engines * (engines - 1) };
        prop_assert_eq!(count.len(), expected);
    }

    #[test]
    fn shards_share_out_all_games(count in 1_u64..6, pairs in 1_u64..9) {
        for game in all(&mut schedule(Format::RoundRobin, 4, 2, pairs, None), oracle(0)) {
            let owners = (0..count).filter(|&index| Shard { index, count }.has(game.pair)).count();
            prop_assert_eq!(owners, 1);
        }
    }

    #[test]
    fn a_swiss_has_no_rematch_that_can_be_helped(
        engines in 2_usize..9, rounds in 1_u32..10, pairs in 1_u64..3, seed in 0_u64..1_000,
    ) {
        let mut schedule = schedule(Format::Swiss, engines, 1, pairs, Some(rounds));
        let games = all(&mut schedule, oracle(seed));
        assert_sound(&games, &schedule);
        // The bye is one more engine.
        let places = engines + engines % 2;
        let mut met = BTreeSet::new();
        for round in 0..rounds {
            let mut meetings: BTreeSet<[usize; 2]> = games.iter().filter(|game| game.round == round)
                .map(|game| [game.seats[0].min(game.seats[1]), game.seats[0].max(game.seats[1])]).collect();
            let playing: BTreeSet<usize> = meetings.iter().flatten().copied().collect();
            prop_assert_eq!((meetings.len(), playing.len()), (engines / 2, engines / 2 * 2));
            meetings.extend((0..engines).filter(|engine| !playing.contains(engine)).map(|engine| [engine, engines]));
            let has_met = |a: usize, b: usize| met.contains(&[a.min(b), a.max(b)]);
            let again = meetings.iter().filter(|[a, b]| has_met(*a, *b)).count() as u64;
            let everybody: Vec<usize> = (0..places).collect();
            prop_assert_eq!(again, fewest_rematches(&everybody, &has_met));
            met.extend(meetings);
        }
    }

    #[test]
    fn a_knockout_leaves_one(engines in 2_usize..20, pairs in 1_u64..3, seed in 0_u64..1_000, draws in 0_u64..4) {
        let mut schedule = schedule(Format::Knockout, engines, 2, pairs, None);
        let games = all(&mut schedule, decided(seed, draws));
        assert_sound(&games, &schedule);
        let placing = schedule.placing().expect("rounds");
        let champion = placing.winner;
        // Whoever lost a meeting never plays again: all but the champion have a last round that somebody survived.
        let last_round = |engine: usize| games.iter().filter(|game| game.seats.contains(&engine)).map(|game| game.round).max();
        let end = games.iter().map(|game| game.round).max();
        prop_assert_eq!(1_u64 << (end.unwrap_or(0) + 1), (engines as u64).next_power_of_two());
        prop_assert!(champion.is_some_and(|champion| last_round(champion) == end));
        prop_assert_eq!(placing.places[0].engine, champion.unwrap_or(0));
        prop_assert!(placing.places[1..].iter().all(|place| place.beaten_in == last_round(place.engine).or(place.beaten_in)));
        for round in 0..=end.unwrap_or(0) {
            let playing = (0..engines).filter(|&engine| last_round(engine).is_some_and(|last| last >= round)).count();
            let expected = (engines as u64).next_power_of_two() >> round;
            prop_assert!(playing as u64 <= expected && (round == 0 || playing as u64 == expected));
        }
    }

    #[test]
    fn results_alone_decide_the_pairings(seed in 0_u64..1_000, engines in 2_usize..8) {
        let swiss = || schedule(Format::Swiss, engines, 1, 1, Some(5));
        let one = all(&mut swiss(), oracle(seed));
        // Asked for the last game first.
        let mut schedule = swiss();
        finish_until(&mut schedule, one.len() as u64, oracle(seed));
        let last = schedule.fixture(one.len() as u64 - 1);
        prop_assert_eq!(last, Next::Game(one[one.len() - 1].clone()));
        prop_assert_eq!(all(&mut schedule, oracle(seed)), one);
    }
}

#[test]
fn a_game_is_found_by_its_players_and_its_opening() {
    for format in [Format::Match, Format::Gauntlet, Format::RoundRobin] {
        let engines = if format == Format::Match { 2 } else { 4 };
        let mut schedule = schedule(format, engines, 3, 5, None);
        let fixtures = all(&mut schedule, oracle(1));
        assert!(fixtures.iter().all(|fixture| schedule.number_of(fixture) == Some(fixture.game)), "{format:?}");
        let strange = Fixture { opening: 5, ..fixtures[0].clone() };
        assert_eq!(schedule.number_of(&strange), None);
    }
}
