//! The two readings of the goose's rules against each other, roll by roll.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::goose::{Goose, Move, Position, Roll, Ruleset, Wait};
use reynard_engine::rules::{DiceGame, Game, Notation, Seat, Turn};

use super::model::{FOREVER, Model, Nine, State};

/// Rolls that are compared.
const ROLLS: usize = 100_000;

fn nine_name(nine: Nine) -> &'static str {
    match nine {
        Nine::FirstThrow => "first_throw",
        Nine::WheneverOnStart => "whenever_on_start",
        Nine::Off => "off",
    }
}

/// The engine's game of the model's switches.
pub fn goose(model: &Model) -> Goose {
    let prison = if model.prison == FOREVER { "until_relieved".to_owned() } else { model.prison.to_string() };
    let switches = [
        ("players", model.players.to_string()),
        ("finish", if model.sum_only { "sum_only" } else { "either_die" }.to_owned()),
        ("back_goose", if model.back_surplus { "surplus" } else { "sum" }.to_owned()),
        ("nine_rule", nine_name(model.nine).to_owned()),
        ("well", if model.well == FOREVER { "until_relieved" } else { "two_turns" }.to_owned()),
        ("prison", prison),
        ("exchange", model.exchange.to_string()),
    ];
    let switches = switches.map(|(key, value)| (key.to_owned(), value));
    Goose::new(&Ruleset::from_catalog("goose", &switches).expect("a ruleset"))
}

fn drawn_model(rng: &mut ChaCha8Rng) -> Model {
    let exchange = rng.random_bool(0.7);
    let prisons = if exchange { &[FOREVER, 0, 1, 3][..] } else { &[0, 1, 3] };
    Model {
        players: rng.random_range(2..=8),
        sum_only: rng.random(),
        back_surplus: rng.random(),
        nine: [Nine::FirstThrow, Nine::WheneverOnStart, Nine::Off][rng.random_range(0..3)],
        well: [2, FOREVER][rng.random_range(0..2)],
        prison: prisons[rng.random_range(0..prisons.len())],
        exchange,
    }
}

/// Everything that both readings know.
fn assert_same(model: &Model, state: &State, game: &Goose, position: &Position, was: &str) {
    let about = format!("{model:?}\n{was}\n{state:?}\n{}", game.position_text(position));
    for (index, counter) in state.counters[..model.players].iter().enumerate() {
        let seat = Seat(index as u8);
        assert_eq!(game.fields(position, seat), [counter.field], "{about}");
        let wait = if counter.wait == FOREVER { Wait::UntilRelieved } else { Wait::Turns(counter.wait) };
        assert_eq!(game.waits(position, seat).collect::<Vec<_>>(), [wait], "{about}");
        let won = if state.over == Some(Some(seat.0)) { i64::from(state.pot) } else { 0 };
        assert_eq!(i64::from(position.accounts[seat.index()]), won - 1 - i64::from(counter.paid), "{about}");
    }
    match state.over {
        None => {
            assert_eq!(game.turn(position), Turn::Chance, "{about}");
            assert_eq!(
                (usize::from(position.seat().0), i64::from(position.pot)),
                (state.to_roll, i64::from(state.pot)),
                "{about}"
            );
        }
        Some(winner) => {
            let outcome = game.turn(position).outcome().map(|outcome| outcome.winner);
            assert_eq!(outcome, Some(winner.map(Seat)), "{about}");
        }
    }
}

#[test]
fn both_readings_of_the_rules_agree_on_every_roll() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut rolls, mut wins, mut draws) = (0, 0, 0);
    while rolls < ROLLS {
        let model = drawn_model(&mut rng);
        let game = goose(&model);
        let (mut state, mut position) = (model.start(), game.start());
        assert_same(&model, &state, &game, &position, "start");
        while state.over.is_none() {
            let was = game.position_text(&position);
            let dice = (rng.random_range(1..=6), rng.random_range(1..=6));
            let expected = model.step(&state, dice);
            let step = game.step(&position, Move::Roll(Roll::new(dice.0, dice.1)));
            (state, position) = (expected.after, step.after);
            assert_same(&model, &state, &game, &position, &format!("{was}, {dice:?}"));
            assert_eq!(step.player_turns, expected.player_turns, "{model:?}: {was}, {dice:?}");
            rolls += 1;
        }
        wins += u32::from(state.over != Some(None));
        draws += u32::from(state.over == Some(None));
    }
    assert!(wins > 300 && draws > 3, "{wins} wins, {draws} draws");
}

#[test]
fn positions_read_from_their_text_go_on_in_the_same_way() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..300 {
        let model = drawn_model(&mut rng);
        let game = goose(&model);
        let mut position = game.start();
        while game.turn(&position) == Turn::Chance {
            let read = game.parse_position(&game.position_text(&position)).expect("its own text");
            assert_eq!(game.course(&read), game.course(&position), "{}", game.position_text(&position));
            position =
                game.random_move(&position, &mut rng).map(|mv| game.play_unchecked(&position, mv)).expect("a roll");
        }
    }
}
