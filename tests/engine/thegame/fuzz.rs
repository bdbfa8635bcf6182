//! Arbitrary and mutated texts: answered or refused, never a panic.

use std::sync::LazyLock;

use proptest::prelude::*;
use reynard_engine::rules::thegame::TheGame;
use reynard_engine::rules::{Game, Notation, perft};

use super::ruleset;

static SMALL: LazyLock<TheGame<1>> = LazyLock::new(|| TheGame::new(&ruleset("the-game", "size=5 blocked=c3")));
static HORN: LazyLock<TheGame<1>> = LazyLock::new(|| TheGame::new(&ruleset("the-game-horn", "")));
static LARGE: LazyLock<TheGame<4>> = LazyLock::new(|| TheGame::new(&ruleset("the-game-2010", "size=16")));

/// A position that is accepted must be written and read again, and be playable.
fn position_is_sane<const N: usize>(game: &TheGame<N>, text: &str) {
    match game.parse_position(text) {
        Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column), "{text}: {error}"),
        Ok(position) => {
            assert_eq!(game.parse_position(&game.position_text(&position)), Ok(position), "{text}");
            let mut moves = Vec::new();
            game.legal_moves(&position, &mut moves);
            assert_eq!(moves.len() as u64, game.count_moves(&position), "{text}");
            assert_eq!(moves.is_empty(), game.turn(&position).outcome().is_some(), "{text}");
            for &mv in &moves {
                let next = game.play_unchecked(&position, mv);
                assert_eq!(game.parse_position(&game.position_text(&next)), Ok(next), "{text} {mv:?}");
            }
            assert!(perft(game, &position, 1) > 0 || moves.is_empty());
        }
    }
}

fn mutated(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let letters: Vec<char> = "0123456789ABab()/=, @-\u{e9}hand".chars().collect();
    let change = (any::<prop::sample::Index>(), prop::sample::select(letters), 0..4_u8);
    (prop::sample::select(texts), prop::collection::vec(change, 0..5)).prop_map(|(text, changes)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (index, letter, kind) in changes {
            let at = index.index(characters.len());
            match kind {
                0 => characters[at] = letter,
                1 => characters.insert(at, letter),
                2 => drop(characters.remove(at)),
                _ => characters.insert(at, characters[at]),
            }
        }
        characters.into_iter().collect()
    })
}

const SMALL_TEXTS: &[&str] = &[
    "5/5/5/5/5 a hand=5,5 turns=0,0 basis=0,0",
    "2A1B/A3A/B(BA)3/2(AB)2/3B1 b hand=0,0 turns=5,5 basis=0,3",
    "1(AB)(AB)2/3B1/5/(AAA)1B1B/5 b hand=0,0 turns=5,5 basis=0,0",
];
const LARGE_TEXTS: &[&str] = &[
    "16/16/16/16/10A5/16/16/16/16/12(AB)3/16/16/16/16/16/B15 a hand=5,5 turns=0,0 basis=0,0",
    "15B/16/A15/16/16/16/16/(BB)15/16/16/16/16/16/16/16/16 b hand=0,3 turns=5,2 basis=1,2",
];

proptest! {
    #[test]
    fn mutated_positions(small in mutated(SMALL_TEXTS), large in mutated(LARGE_TEXTS)) {
        position_is_sane(&*SMALL, &small);
        position_is_sane(&*LARGE, &large);
    }

    #[test]
    fn arbitrary_texts(text in "\\PC{0,40}") {
        position_is_sane(&*SMALL, &text);
        let start = HORN.start();
        if let Ok(mv) = HORN.parse_move(&start, &text) {
            prop_assert!(HORN.is_legal(&start, mv));
        }
    }

    #[test]
    fn texts_that_look_like_moves(text in "[@a-q0-9-]{1,8}") {
        let position = HORN.parse_position(
            "A7/A7/4B3/2B5/1A3AB1/(AB)2B4/8/8 a hand=1,0 turns=5,5 basis=0,0").expect("a position");
        if let Ok(mv) = HORN.parse_move(&position, &text) {
            prop_assert!(HORN.is_legal(&position, mv), "{}", text);
        }
    }
}
