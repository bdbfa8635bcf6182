//! Games whose chances have closed forms.

use rand::Rng;
use reynard_engine::chances::{Chain, ChancesMethod, SimulationLimits, SolvedChain, TooLarge, simulate, solve};
use reynard_engine::rules::random::draw;
use reynard_engine::rules::{DiceGame, DiceStep, Game, Outcome, Reason, Seat, Turn};

/// Two players flip in turn until one succeeds; every failure pays 1.
#[derive(Clone)]
struct Flips {
    success: f64,
}

/// Whose flip it is, the pot, and whether the last one succeeded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Flip {
    seat: u8,
    pot: u32,
    is_over: bool,
}

const FIRST: Flip = Flip { seat: 0, pot: 2, is_over: false };

impl Game for Flips {
    type Position = Flip;
    type Move = bool;

    fn fingerprint(&self) -> u64 {
        0
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Flip {
        FIRST
    }

    fn turn(&self, at: &Flip) -> Turn {
        let winner = Some(Seat(at.seat));
        if at.is_over { Turn::Over(Outcome { winner, reason: Reason::LastFieldReached }) } else { Turn::Chance }
    }

    fn legal_moves(&self, at: &Flip, moves: &mut Vec<bool>) {
        let flips: &[bool] = if at.is_over { &[] } else { &[true, false] };
        moves.extend(flips);
    }

    fn play_unchecked(&self, at: &Flip, is_success: bool) -> Flip {
        if is_success { Flip { is_over: true, ..*at } } else { Flip { seat: 1 - at.seat, pot: at.pot + 1, ..*at } }
    }

    fn key(&self, at: &Flip) -> u64 {
        u64::from(at.pot) << 2 | u64::from(at.seat) << 1 | u64::from(at.is_over)
    }

    fn is_irreversible(&self, _at: &Flip, _is_success: bool) -> bool {
        true
    }

    fn random_move<R: Rng>(&self, at: &Flip, rng: &mut R) -> Option<bool> {
        let mut flips = Vec::new();
        self.chance_outcomes(at, &mut flips);
        draw(&flips, rng).copied()
    }

    fn chance_outcomes(&self, at: &Flip, outcomes: &mut Vec<(bool, f64)>) {
        if !at.is_over {
            outcomes.extend([(true, self.success), (false, 1.0 - self.success)]);
        }
    }
}

impl DiceGame for Flips {
    fn step(&self, at: &Flip, is_success: bool) -> DiceStep<Flip> {
        let after = self.play_unchecked(at, is_success);
        // A success counts twice, so that turns are not rolls.
        let player_turns = if is_success { 2 } else { 1 };
        DiceStep { after, paid: f64::from(after.pot - at.pot), player_turns }
    }

    fn course(&self, at: &Flip) -> Flip {
        Flip { pot: 0, ..*at }
    }

    fn pot(&self, at: &Flip) -> f64 {
        f64::from(at.pot)
    }

    fn event_kinds(&self) -> usize {
        1
    }

    /// A failure.
    fn events(&self, _at: &Flip, is_success: bool, events: &mut Vec<usize>) {
        events.extend((!is_success).then_some(0));
    }
}

fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-11, "{value} instead of {expected}");
}

#[test]
fn flips_in_turn_have_their_closed_form() {
    let (success, failure) = (1.0 / 6.0, 5.0 / 6.0);
    let course = solve(&Flips { success }, &FIRST, 10).expect("two states");
    let [first, second] = course.chances.players[..] else { panic!("two players") };
    // The first wins after 0, 2, 4, ... failures.
    let even = failure * failure;
    assert_near(first.win.mean, success / (1.0 - even));
    assert_near(second.win.mean, success * failure / (1.0 - even));
    let paid = 2.0 * even / (1.0 - even).powi(2);
    assert_near(first.pot.mean, success * (paid + 2.0 / (1.0 - even)));
    // Somebody takes everything in the end: the stakes and the failures before the first success.
    assert_near(first.pot.mean + second.pot.mean, 2.0 + failure / success);
    assert_near(course.chances.rolls.mean, 6.0);
    assert_near(course.chances.player_turns.mean, 7.0);
    assert_near(course.events[0].mean, failure / success);
    assert!(matches!(course.chances.method, ChancesMethod::Exact { states: 2, residual, .. } if residual < 1e-12));
}

#[test]
fn a_pot_that_is_there_already_goes_with_the_wins() {
    let game = Flips { success: 0.25 };
    let mut exact = SolvedChain::new(&game, &FIRST, 10).expect("two states");
    let poor = exact.chances(&game, &Flip { pot: 0, ..FIRST }, 10).expect("known").players[0];
    let rich = exact.chances(&game, &Flip { pot: 100, ..FIRST }, 10).expect("known").players[0];
    assert_near(rich.pot.mean - poor.pot.mean, 100.0 * poor.win.mean);
    assert_eq!(exact.chain().states().len(), 2, "a pot is no state");
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let game = Flips { success: 0.25 };
    let effort = SimulationLimits { games: 5_000, seed: 7, threads: 1, is_enough: &|| false };
    let one = simulate(&game, &FIRST, effort);
    assert_eq!(one, simulate(&game, &FIRST, SimulationLimits { threads: 3, ..effort }));
    assert_ne!(one, simulate(&game, &FIRST, SimulationLimits { seed: 8, ..effort }));
    assert!((one.events[0].mean - 3.0).abs() < one.events[0].error * 2.0, "{one:?}");
}

#[test]
fn a_simulation_stops_when_it_is_told_to() {
    let effort = SimulationLimits { games: u64::MAX, seed: 7, threads: 2, is_enough: &|| true };
    let ChancesMethod::Simulation { games } = simulate(&Flips { success: 0.5 }, &FIRST, effort).chances.method else {
        panic!("a simulation");
    };
    assert!((1..10_000).contains(&games), "{games}");
}

/// The gambler's ruin: a fair walk from 0 to `top`, where the player wins; at 0 nobody does.
#[derive(Clone)]
struct Walk {
    top: u32,
}

impl Game for Walk {
    type Position = u32;
    type Move = bool;

    fn fingerprint(&self) -> u64 {
        0
    }

    fn seats(&self) -> usize {
        1
    }

    fn start(&self) -> u32 {
        self.top / 2
    }

    fn turn(&self, &at: &u32) -> Turn {
        let winner = (at > 0).then_some(Seat::P1);
        let is_over = at == 0 || at == self.top;
        if is_over { Turn::Over(Outcome { winner, reason: Reason::LastFieldReached }) } else { Turn::Chance }
    }

    fn legal_moves(&self, at: &u32, moves: &mut Vec<bool>) {
        let steps: &[bool] = if self.turn(at) == Turn::Chance { &[true, false] } else { &[] };
        moves.extend(steps);
    }

    fn play_unchecked(&self, &at: &u32, is_up: bool) -> u32 {
        if is_up { at + 1 } else { at - 1 }
    }

    fn key(&self, &at: &u32) -> u64 {
        u64::from(at)
    }

    fn is_irreversible(&self, _at: &u32, _is_up: bool) -> bool {
        false
    }

    fn random_move<R: Rng>(&self, at: &u32, rng: &mut R) -> Option<bool> {
        let mut steps = Vec::new();
        self.chance_outcomes(at, &mut steps);
        draw(&steps, rng).copied()
    }

    fn chance_outcomes(&self, at: &u32, outcomes: &mut Vec<(bool, f64)>) {
        if self.turn(at) == Turn::Chance {
            outcomes.extend([(true, 0.5), (false, 0.5)]);
        }
    }
}

impl DiceGame for Walk {
    fn step(&self, at: &u32, is_up: bool) -> DiceStep<u32> {
        DiceStep { after: self.play_unchecked(at, is_up), paid: 0.0, player_turns: 1 }
    }

    fn course(&self, &at: &u32) -> u32 {
        at
    }

    fn pot(&self, _at: &u32) -> f64 {
        0.0
    }
}

#[test]
fn the_gamblers_ruin_has_its_closed_form() {
    let (walk, start) = (Walk { top: 20 }, 7);
    let course = solve(&walk, &start, 100).expect("19 states");
    assert_near(course.chances.players[0].win.mean, 7.0 / 20.0);
    assert_near(course.chances.draw, 13.0 / 20.0);
    assert!((course.chances.player_turns.mean - 7.0 * 13.0).abs() < 1e-9, "{course:?}");
}

#[test]
fn visits_of_the_walk_have_their_closed_form() {
    let (walk, start) = (Walk { top: 20 }, 7);
    let chain = Chain::new(&walk, &start, 100).expect("19 states");
    let visits = chain.visits(chain.find(&walk, &start).expect("the start"));
    for at in 1..20u32 {
        // Green's function of the walk: twice the way to the nearer end times the other's, over the length.
        let expected = 2.0 * f64::from(at.min(start)) * f64::from(20 - at.max(start)) / 20.0;
        let found = visits[chain.find(&walk, &at).expect("a state")];
        assert!((found - expected).abs() < 1e-9, "{at}: {found} instead of {expected}");
    }
    assert_near(visits[0], 7.0 / 20.0);
    assert_near(visits[1], 13.0 / 20.0);
}

#[test]
fn a_chain_that_grows_too_large_is_refused() {
    assert_eq!(
        Chain::new(&Walk { top: 1_000 }, &5, 100).map(|chain| chain.states().len()),
        Err(TooLarge { limit: 100 })
    );
}
