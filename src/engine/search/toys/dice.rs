//! A race with dice, for two seats and more.

use super::{Toy, ToyGame, mix, won};
use crate::eval::{Evaluator, Terms};
use crate::rules::{Game, MAX_SEATS, Record, Seat, Turn};
use crate::search::levels::Baseline;
use crate::search::{SearchConfig, SearchLimits, SearchTask, Searcher};

/// Every seat has two runners. Two dice of three sides are rolled, then the roller moves a runner by one of them, and a
/// runner by the other; a die that no runner can use lapses. A runner that another lands on goes back to the start. The
/// first seat with both runners home wins.
#[derive(Clone, Copy)]
pub(crate) struct Race {
    pub seats: u8,
    pub length: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Track {
    pub places: [[u8; 2]; MAX_SEATS],
    pub seat: u8,
    /// The dice still to be used; 0 for a used one, both 0 before the roll.
    pub dice: [u8; 2],
}

const ROLL: u8 = 64;

impl Race {
    pub(crate) fn at(places: &[[u8; 2]], seat: u8, dice: [u8; 2]) -> Track {
        let mut track = Track { seat, dice, ..Race::START };
        track.places[..places.len()].copy_from_slice(places);
        track
    }

    fn winner(&self, track: &Track) -> Option<Seat> {
        (0..self.seats).find(|&seat| track.places[usize::from(seat)] == [self.length; 2]).map(Seat)
    }

    /// The moves with one die; a move is 8 times the runner plus the points.
    fn with_die(&self, track: &Track, die: u8) -> impl Iterator<Item = u8> {
        let (own, length) = (track.places[usize::from(track.seat)], self.length);
        (0..2).filter(move |&runner| die > 0 && own[usize::from(runner)] < length).map(move |runner| runner * 8 + die)
    }
}

impl Toy for Race {
    type Position = Track;
    const START: Track = Track { places: [[0; 2]; MAX_SEATS], seat: 0, dice: [0; 2] };

    fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    fn turn(&self, track: &Track) -> Turn {
        match (self.winner(track), track.dice) {
            (Some(winner), _) => won(winner),
            (None, [0, 0]) => Turn::Chance,
            _ => Turn::Player(Seat(track.seat)),
        }
    }

    fn moves(&self, track: &Track) -> Vec<u8> {
        match self.turn(track) {
            Turn::Chance => self.rolls().into_iter().map(|(roll, _)| roll).collect(),
            Turn::Over(_) => Vec::new(),
            Turn::Player(_) => {
                let [one, other] = track.dice;
                let second = if other == one { 0 } else { other };
                self.with_die(track, one).chain(self.with_die(track, second)).collect()
            }
        }
    }

    fn play(&self, track: &Track, mv: u8) -> Track {
        let mut next = *track;
        if mv >= ROLL {
            next.dice = [(mv - ROLL) / 8, mv % 8];
            return next;
        }
        let (runner, die) = (usize::from(mv / 8), mv % 8);
        let place = (track.places[usize::from(track.seat)][runner] + die).min(self.length);
        for rival in next.places.iter_mut().flatten().filter(|rival| **rival == place && place < self.length) {
            *rival = 0;
        }
        next.places[usize::from(track.seat)][runner] = place;
        let used = usize::from(next.dice[0] != die);
        next.dice[used] = 0;
        if next.dice == [0; 2] {
            next.seat = (track.seat + 1) % self.seats;
        }
        next
    }

    fn rolls(&self) -> Vec<(u8, f64)> {
        let pairs = (1..=3).flat_map(|one| (one..=3).map(move |other| (one, other)));
        pairs.map(|(one, other)| (ROLL + one * 8 + other, if one == other { 1.0 / 9.0 } else { 2.0 / 9.0 })).collect()
    }

    fn key(&self, track: &Track) -> u64 {
        let places = track.places.iter().flatten().fold(0, |key, &place| mix(key ^ u64::from(place)));
        mix(places ^ u64::from(track.seat) << 16 ^ u64::from(track.dice[0]) << 8 ^ u64::from(track.dice[1]))
    }
}

/// An evaluation that prefers to be ahead of the others, with noise so that no two positions have equal values.
#[derive(Clone)]
pub(crate) struct Pace;

impl Evaluator<ToyGame<Race>> for Pace {
    fn evaluate(&self, game: &ToyGame<Race>, track: &Track, seat: Seat) -> i32 {
        let run = |seat: usize| track.places[seat].iter().map(|&place| i32::from(place)).sum::<i32>();
        let seats = game.seats();
        let all: i32 = (0..seats).map(run).sum();
        let own = run(seat.index());
        let whim = (game.key(track) >> 40) as i32 % 20;
        40 * (own - (all - own) / (seats as i32 - 1)) + if seat == Seat::P1 { whim } else { -whim }
    }

    fn explain(&self, _: &ToyGame<Race>, _: &Track) -> Terms {
        Vec::new()
    }
}

/// The number of games that a searcher wins against random players, its seat going round.
pub(crate) fn wins_against_random(
    race: Race,
    games: u64,
    limits: SearchLimits,
    searcher: &mut dyn Searcher<ToyGame<Race>>,
) -> usize {
    let game = ToyGame(race);
    let is_won = |number: u64| {
        let own = Seat((number % u64::from(race.seats)) as u8);
        let mut record = Record::new(Race::START);
        loop {
            let seat = match record.turn(&game) {
                Turn::Over(outcome) => return outcome.winner == Some(own),
                Turn::Player(seat) => Some(seat),
                Turn::Chance => None,
            };
            let config = SearchConfig { hash_mib: 1, seed: 1000 * number, ..SearchConfig::default() };
            let task = SearchTask::timeless(&game, &record, limits, config);
            let found = if seat == Some(own) {
                searcher.search(&task, &mut |_| {})
            } else {
                Baseline::Random.search(&task, &mut |_| {})
            };
            record.play(&game, found.best);
        }
    };
    (0..games).map(is_won).filter(|&won| won).count()
}
