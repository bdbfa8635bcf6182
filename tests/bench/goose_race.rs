//! Fits the weights of the race in `src/engine/eval/goose` and shows what the learned turns to go are worth: games of players
//! who look no further than their own turn, with the same rolls for both seats. `cargo bench --bench goose_race`.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard::testing::tune::{LabelledSample, Problem};
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

/// Regression of the winner on lead and turn, both over the square root of what is to be played.
fn fit(game: &Goose) {
    let mut sample = LabelledSample::new(2);
    let player = Player::Evaluating { learned: 100 };
    for seed in 0..TRAINING_GAMES {
        let mut rows = Vec::new();
        let winner = play(game, [player, player], seed, |position| {
            let turns = [Seat::P1, Seat::P2].map(|seat| evaluator(100).turns_to_go(game, position, seat));
            let root = (turns[0] + turns[1]).max(1.0).sqrt();
            let turn = if position.seat() == Seat::P1 { 1.0 } else { -1.0 };
            rows.push([(turns[1] - turns[0]) / root, turn / root].map(|feature| feature as f32));
        });
        let label = if winner == Some(Seat::P1) { 1.0 } else { 0.0 };
        rows.into_iter().for_each(|row| sample.push(0.0, row, label));
    }
    let problem = Problem { sample: &sample, scale: 150.0, l2: 0.0, bounds: vec![[-2000.0, 2000.0]; 2] };
    let fitted = problem.solve(|_, _| {});
    let default = GooseEvaluator::default();
    let now = [f64::from(default.lead), f64::from(default.lead * default.turn) / 100.0];
    println!(
        "{} positions: EvalRaceLead {:.0}, EvalRaceTurn {:.0}",
        sample.len(),
        fitted[0],
        100.0 * fitted[1] / fitted[0]
    );
    let [nothing, now, fitted] = [vec![0.0; 2], now.to_vec(), fitted].map(|weights| sample.loss(&weights, 150.0));
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
