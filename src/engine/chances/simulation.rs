//! Chances of a game estimated by playing games out.

use std::thread;

use super::{Chances, ChancesMethod, Forecast, MeanEstimate, PlayerChances, Z};
use crate::rules::DiceGame;
use crate::rules::random::stream;

/// Bounds on a simulation.
#[derive(Clone, Copy)]
pub struct SimulationLimits<'a> {
    /// Games to play; fewer when `is_enough` says so.
    pub games: u64,
    /// The seed: game n draws from ChaCha8 with this seed and stream n, so that the result does not depend on the
    /// threads.
    pub seed: u64,
    /// Threads to play on; taken as 1 to 256.
    pub threads: usize,
    /// Whether the games played so far suffice; every thread asks after its first batch and each later one.
    pub is_enough: &'a (dyn Fn() -> bool + Sync),
}

/// Games that a thread plays between two calls of `is_enough`.
const BATCH: u64 = 256;
/// The most rolls of a game; a longer one counts as a draw.
const LONGEST_ROLLS: u32 = 1_000_000;

/// Sums over games played out.
#[derive(Clone, Default)]
struct Sums {
    games: u64,
    /// By seat: the number of games won.
    wins: Vec<u64>,
    takings: Vec<Moments>,
    draws: u64,
    player_turns: Moments,
    rolls: Moments,
    /// By number of the kind of event: how often it happened in a game.
    events: Vec<Moments>,
}

/// The forecast for a game from `start`, by playing games out.
pub fn simulate<G: DiceGame>(game: &G, start: &G::Position, limits: SimulationLimits<'_>) -> Forecast {
    let threads = limits.threads.clamp(1, 256);
    let work = |index: usize| {
        let mut sums = Sums::new(game);
        let mut batch = index as u64;
        while batch * BATCH < limits.games && (sums.games == 0 || !(limits.is_enough)()) {
            (batch * BATCH..limits.games.min((batch + 1) * BATCH)).for_each(|n| sums.play(game, start, limits.seed, n));
            batch += threads as u64;
        }
        sums
    };
    let sums = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|index| scope.spawn(move || work(index))).collect();
        let mut sums = work(0);
        // A thread that panicked only loses its games.
        others.into_iter().filter_map(|other| other.join().ok()).for_each(|other| sums.add(&other));
        sums
    });
    sums.forecast()
}

impl Sums {
    fn new<G: DiceGame>(game: &G) -> Self {
        Sums {
            wins: vec![0; game.seats()],
            takings: vec![Moments::default(); game.seats()],
            events: vec![Moments::default(); game.event_kinds()],
            ..Sums::default()
        }
    }

    /// Plays game `n` and adds its result.
    fn play<G: DiceGame>(&mut self, game: &G, start: &G::Position, seed: u64, n: u64) {
        let mut rng = stream(seed, n);
        let mut position = *start;
        let mut events = Vec::new();
        let mut pot = game.pot(start);
        let mut player_turns = 0;
        let mut rolls = 0;
        while rolls < LONGEST_ROLLS
            && let Some(roll) = game.random_move(&position, &mut rng)
        {
            let step = game.step(&position, roll);
            pot += step.paid;
            player_turns += step.player_turns;
            rolls += 1;
            game.events(&position, roll, &mut events);
            position = step.after;
        }
        self.games += 1;
        match game.turn(&position).outcome().and_then(|outcome| outcome.winner) {
            Some(winner) => {
                self.wins[winner.index()] += 1;
                self.takings[winner.index()].note(pot);
            }
            None => self.draws += 1,
        }
        self.player_turns.note(f64::from(player_turns));
        self.rolls.note(f64::from(rolls));
        let mut counts = vec![0u32; self.events.len()];
        events.iter().for_each(|&kind| counts[kind] += 1);
        self.events.iter_mut().zip(counts).for_each(|(moments, count)| moments.note(f64::from(count)));
    }

    fn add(&mut self, other: &Sums) {
        self.games += other.games;
        self.draws += other.draws;
        self.wins.iter_mut().zip(&other.wins).for_each(|(mine, theirs)| *mine += theirs);
        self.takings.iter_mut().zip(&other.takings).for_each(|(mine, theirs)| mine.add(theirs));
        self.player_turns.add(&other.player_turns);
        self.rolls.add(&other.rolls);
        self.events.iter_mut().zip(&other.events).for_each(|(mine, theirs)| mine.add(theirs));
    }

    fn forecast(&self) -> Forecast {
        let estimate = |moments: &Moments| moments.estimate(self.games);
        let player = |(&wins, takings): (&u64, &Moments)| PlayerChances {
            win: MeanEstimate::of_share(wins, self.games),
            pot: estimate(takings),
        };
        let chances = Chances {
            method: ChancesMethod::Simulation { games: self.games },
            players: self.wins.iter().zip(&self.takings).map(player).collect(),
            draw: MeanEstimate::of_share(self.draws, self.games).mean,
            player_turns: estimate(&self.player_turns),
            rolls: estimate(&self.rolls),
        };
        Forecast { chances, events: self.events.iter().map(estimate).collect() }
    }
}

/// The sum of some whole numbers and that of their squares, which are exact in any order.
#[derive(Clone, Copy, Default)]
struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    fn note(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn add(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean over a number of games; games without a note count as 0.
    fn estimate(&self, games: u64) -> MeanEstimate {
        let n = games.max(1) as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        MeanEstimate { mean, error: Z * (variance / n).sqrt() }
    }
}
