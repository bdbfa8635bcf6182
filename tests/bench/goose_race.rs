//! Fits the weights of the race in `src/engine/eval/goose.rs` and shows what the learned turns to go are worth: games of players
//! who look no further than their own turn, with the same rolls for both seats. `cargo bench --bench goose_race`.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::eval::{Evaluator, GooseEvaluator};
use reynard_engine::rules::goose::{Goose, Move, Position, Ruleset};
use reynard_engine::rules::{Game, SearchHints, Seat, Turn};

const TRAINING_GAMES: u64 = 4_000;
const PAIRS: u64 = 2_000;

#[derive(Clone, Copy)]
enum Player {
    Evaluating {
        learned: i32,
    },
    /// The furthest counter, then the larger die.
    Greedy,
    Random,
}

fn evaluator(learned: i32) -> GooseEvaluator {
    GooseEvaluator { learned, ..GooseEvaluator::default() }
}

fn moves(game: &Goose, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    moves
}

/// The best that the dice in hand can do.
fn best(game: &Goose, evaluator: &GooseEvaluator, position: &Position, seat: Seat) -> (i32, Move) {
    let value = |&mv: &Move| {
        let next = game.play_unchecked(position, mv);
        match game.turn(&next) {
            Turn::Over(outcome) if outcome.winner == Some(seat) => i32::MAX,
            Turn::Player(_) => best(game, evaluator, &next, seat).0,
            _ => evaluator.evaluate(game, &next, seat),
        }
    };
    let moves = moves(game, position);
    moves.iter().map(|mv| (value(mv), *mv)).max_by_key(|(value, _)| *value).expect("a player's turn has a move")
}

/// The winner; `see` is shown every position where dice are due.
fn play(game: &Goose, players: [Player; 2], seed: u64, mut see: impl FnMut(&Position)) -> Option<Seat> {
    let (mut position, mut dice) = (game.start(), ChaCha8Rng::seed_from_u64(seed));
    let mut own = ChaCha8Rng::seed_from_u64(!seed);
    loop {
        let seat = match game.turn(&position) {
            Turn::Over(outcome) => return outcome.winner,
            Turn::Player(seat) => Some(seat),
            Turn::Chance => None,
        };
        let mv = match seat.map(|seat| (seat, players[seat.index()])) {
            None => {
                see(&position);
                game.random_move(&position, &mut dice).expect("a roll")
            }
            Some((seat, Player::Evaluating { learned })) => best(game, &evaluator(learned), &position, seat).1,
            Some((_, Player::Greedy)) => {
                let greed = |mv: &Move| game.greed(&position, *mv);
                moves(game, &position).into_iter().max_by_key(greed).expect("a player's turn has a move")
            }
            Some((_, Player::Random)) => game.random_move(&position, &mut own).expect("a player's turn has a move"),
        };
        position = game.play_unchecked(&position, mv);
    }
}

/// Hundredths of a piece that multiply the odds of winning by e.
const SCALE: f64 = 150.0;

/// A position where dice are due: the lead and the turn of seat 0, both over the square root of what is to be played,
/// and whether that seat won.
type Row = ([f64; 2], bool);

/// The chance that the weights give seat 0.
fn chance(features: [f64; 2], weights: [f64; 2]) -> f64 {
    1.0 / (1.0 + (-(features[0] * weights[0] + features[1] * weights[1]) / SCALE).exp())
}

/// The mean cross-entropy of a position, in nats.
fn loss(rows: &[Row], weights: [f64; 2]) -> f64 {
    let of = |&(features, won): &Row| {
        let chance = chance(features, weights);
        -(if won { chance } else { 1.0 - chance }).ln()
    };
    rows.iter().map(of).sum::<f64>() / rows.len() as f64
}

/// The weights of least loss, by Newton's method for logistic regression.
fn newton(rows: &[Row]) -> [f64; 2] {
    let mut weights = [0.0; 2];
    for _ in 0..30 {
        let (mut gradient, [mut a, mut b, mut c]) = ([0.0; 2], [0.0; 3]);
        for &([x, y], won) in rows {
            let chance = chance([x, y], weights);
            let (slope, bend) = (f64::from(u8::from(won)) - chance, chance * (1.0 - chance) / SCALE);
            gradient = [gradient[0] + slope * x, gradient[1] + slope * y];
            [a, b, c] = [a + bend * x * x, b + bend * x * y, c + bend * y * y];
        }
        let determinant = a * c - b * b;
        weights[0] += (c * gradient[0] - b * gradient[1]) / determinant;
        weights[1] += (a * gradient[1] - b * gradient[0]) / determinant;
    }
    weights
}

/// Regression of the winner on lead and turn.
fn fit(game: &Goose) {
    let mut rows: Vec<Row> = Vec::new();
    let player = Player::Evaluating { learned: 100 };
    for seed in 0..TRAINING_GAMES {
        let mut seen = Vec::new();
        let winner = play(game, [player, player], seed, |position| {
            let turns = [Seat::P1, Seat::P2].map(|seat| evaluator(100).turns_to_go(game, position, seat));
            let root = (turns[0] + turns[1]).max(1.0).sqrt();
            let turn = if position.seat() == Seat::P1 { 1.0 } else { -1.0 };
            seen.push([(turns[1] - turns[0]) / root, turn / root]);
        });
        rows.extend(seen.into_iter().map(|features| (features, winner == Some(Seat::P1))));
    }
    let fitted = newton(&rows);
    let default = GooseEvaluator::default();
    let now = [f64::from(default.lead), f64::from(default.lead * default.turn) / 100.0];
    println!(
        "{} positions: EvalRaceLead {:.0}, EvalRaceTurn {:.0}",
        rows.len(),
        fitted[0],
        100.0 * fitted[1] / fitted[0]
    );
    let [nothing, now, fitted] = [[0.0; 2], now, fitted].map(|weights| loss(&rows, weights));
    println!("loss: {nothing:.5} without an opinion, {now:.5} with the defaults, {fitted:.5} fitted");
}

fn duel(game: &Goose, name: &str, players: [Player; 2]) {
    let score = |seed: u64| {
        let one = play(game, players, seed, |_| {}) == Some(Seat::P1);
        let other = play(game, [players[1], players[0]], seed, |_| {}) == Some(Seat::P2);
        f64::from(u8::from(one) + u8::from(other)) / 2.0
    };
    let scores: Vec<f64> = (0..PAIRS).map(|pair| score(u64::MAX - pair)).collect();
    let mean = scores.iter().sum::<f64>() / PAIRS as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / PAIRS as f64;
    let error = 1.96 * (variance / PAIRS as f64).sqrt();
    println!("{name}: {:.1} ± {:.1} % of {} games", 100.0 * mean, 100.0 * error, 2 * PAIRS);
}

fn main() {
    let game = Goose::new(&Ruleset::from_catalog("goose-team", &[]).expect("a catalog ruleset"));
    fit(&game);
    let [learned, distance] = [100, 0].map(|learned| Player::Evaluating { learned });
    duel(&game, "learned against distance", [learned, distance]);
    duel(&game, "learned against greedy", [learned, Player::Greedy]);
    duel(&game, "distance against greedy", [distance, Player::Greedy]);
    duel(&game, "learned against random", [learned, Player::Random]);
}
