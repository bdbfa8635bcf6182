//! The compiled game beside the slow one, over random games and over random positions.

use std::collections::BTreeMap;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::thegame::TheGame;
use reynard_engine::rules::{Game, Notation, SearchHints};

use super::brute::{Slow, Variant};
use super::{Check, ruleset, with_game};

const RULESETS: [&str; 3] = ["the-game", "the-game-horn", "the-game-2010"];

/// The same moves, the same positions after them, the same end.
fn compare<const N: usize>(game: &TheGame<N>, slow: &Slow) {
    let text = slow.text();
    let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(game.position_text(&position), text);
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
    texts.sort();
    let context = format!("{} {text}", game.info().ruleset);
    assert_eq!(texts, slow.moves(), "{context}");
    assert_eq!(game.turn(&position).outcome().is_some(), slow.is_won(), "{context}");
    assert_eq!(game.count_moves(&position), texts.len() as u64, "{context}");
    let mut captures = Vec::new();
    game.tactical_moves(&position, &mut captures);
    moves.retain(|&mv| game.is_tactical(&position, mv));
    assert_eq!(captures, moves, "{context}");
}

/// Every move from a position gives the same position in both.
fn compare_after<const N: usize>(game: &TheGame<N>, slow: &Slow) {
    let position = game.parse_position(&slow.text()).unwrap_or_else(|error| panic!("{error}"));
    for mv in slow.moves() {
        let mut next = slow.clone();
        next.play(&mv);
        let played = game.parse_move(&position, &mv).unwrap_or_else(|error| panic!("{}: {error}", slow.text()));
        let after = game.play_unchecked(&position, played);
        assert_eq!(game.position_text(&after), next.text(), "{} {mv}", slow.text());
        assert_eq!(game.parse_position(&next.text()), Ok(after));
    }
}

struct Games<'a> {
    variant: Variant,
    rng: &'a mut ChaCha8Rng,
    games: usize,
    plies: usize,
}

impl Check for Games<'_> {
    fn run<const N: usize>(&mut self, game: &TheGame<N>) {
        for _ in 0..self.games {
            let mut slow = Slow::start(&self.variant);
            for ply in 0..self.plies {
                compare(game, &slow);
                if ply % 5 == 0 {
                    compare_after(game, &slow);
                }
                let moves = slow.moves();
                if moves.is_empty() {
                    break;
                }
                slow.play(&moves[self.rng.random_range(0..moves.len())]);
            }
        }
    }
}

struct Positions<'a> {
    variant: Variant,
    rng: &'a mut ChaCha8Rng,
    positions: usize,
}

impl Check for Positions<'_> {
    fn run<const N: usize>(&mut self, game: &TheGame<N>) {
        for index in 0..self.positions {
            let slow = random_position(&self.variant, self.rng);
            compare(game, &slow);
            if index % 8 == 0 {
                compare_after(game, &slow);
            }
        }
    }
}

/// Up to five pieces each, often in stacks and on the Basis squares, with any counters.
fn random_position(variant: &Variant, rng: &mut impl Rng) -> Slow {
    let mut slow = Slow { stacks: BTreeMap::new(), ..Slow::start(variant) };
    for side in 0..2 {
        slow.hand[side] = if rng.random_bool(0.6) { 0 } else { rng.random_range(0..4) };
        slow.turns[side] = if rng.random_bool(0.6) { 5 } else { rng.random_range(0..6) };
        slow.counter[side] = rng.random_range(0..4);
        for _ in slow.hand[side]..rng.random_range(slow.hand[side]..6) {
            let place = random_place(&slow, rng);
            let stack = slow.stacks.entry(place).or_default();
            let letter = ['A', 'B'][side];
            let is_legal = stack.chars().all(|piece| piece == letter) || stack.len() == 1;
            if is_legal && !variant.blocked.contains(&place) {
                // Either player may lie below.
                stack.insert(if rng.random_bool(0.5) { 0 } else { stack.len() }, letter);
            }
        }
    }
    slow.stacks.retain(|_, stack| !stack.is_empty());
    slow.turn = rng.random_range(0..2);
    slow
}

fn random_place(slow: &Slow, rng: &mut impl Rng) -> (i32, i32) {
    let used: Vec<_> = slow.stacks.keys().copied().collect();
    match rng.random_range(0..10) {
        0 => slow.variant.basis[0],
        1 => slow.variant.basis[1],
        2 | 3 if !used.is_empty() => used[rng.random_range(0..used.len())],
        _ => (rng.random_range(0..slow.variant.size), rng.random_range(0..slow.variant.size)),
    }
}

/// A ruleset, the size and the blocked squares.
type Board = (&'static str, i32, Vec<(i32, i32)>);

/// Every ruleset on several sizes, with and without blocked squares.
fn boards() -> Vec<Board> {
    let blocked = [vec![], vec![(3, 3), (4, 4)], vec![(1, 0), (0, 2), (2, 2), (3, 1)]];
    let mut boards = Vec::new();
    for name in RULESETS {
        for size in [5, 6, 7, 8, 9, 12, 16] {
            for blocked in &blocked {
                let off_basis = |&&place: &&(i32, i32)| place != (size - 1, size - 1);
                boards.push((name, size, blocked.iter().filter(off_basis).copied().collect()));
            }
        }
    }
    boards
}

pub fn compiled(name: &str, size: i32, blocked: &[(i32, i32)]) -> reynard_engine::rules::thegame::Ruleset {
    let square = |&(file, rank): &(i32, i32)| format!("\"{}{}\"", (b'a' + file as u8) as char, rank + 1);
    let blocked: Vec<String> = blocked.iter().map(square).collect();
    ruleset(name, &format!("size={size} blocked=[{}]", blocked.join(",")))
}

#[test]
fn random_games_agree_with_the_slow_player() {
    let mut rng = ChaCha8Rng::seed_from_u64(1971);
    for (name, size, blocked) in boards() {
        let variant = Variant::new(name, size, &blocked);
        with_game(&compiled(name, size, &blocked), &mut Games { variant, rng: &mut rng, games: 1, plies: 80 });
    }
}

#[test]
fn random_positions_agree_with_the_slow_player() {
    let mut rng = ChaCha8Rng::seed_from_u64(2010);
    for (name, size, blocked) in boards() {
        let variant = Variant::new(name, size, &blocked);
        with_game(&compiled(name, size, &blocked), &mut Positions { variant, rng: &mut rng, positions: 120 });
    }
}
