//! The rules again, in the plainest words, to compare the generator with.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use reynard_engine::geometry::{Point, PointSet};
use reynard_engine::rules::solitaire::{Position, Solitaire};
use reynard_engine::rules::{Game, Notation};

use super::game;

type Place = (i32, i32);

/// What a peg's turn amounts to, with the names of its landing points.
type Chains = BTreeMap<(Place, Place, BTreeSet<Place>), Vec<String>>;

struct Model {
    holes: BTreeSet<Place>,
    pegs: BTreeSet<Place>,
}

fn name((file, rank): Place) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

impl Model {
    /// Every chain of every peg, the alphabetically smallest way for each.
    fn moves(&self) -> BTreeSet<String> {
        let mut chains = Chains::new();
        for &from in &self.pegs {
            let mut others = self.pegs.clone();
            others.remove(&from);
            self.jump_on(from, from, &others, &mut vec![name(from)], &mut chains);
        }
        chains.values().map(|path| path.join("x")).collect()
    }

    fn jump_on(&self, origin: Place, at: Place, others: &BTreeSet<Place>, path: &mut Vec<String>, chains: &mut Chains) {
        for (files, ranks) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (over, to) = ((at.0 + files, at.1 + ranks), (at.0 + 2 * files, at.1 + 2 * ranks));
            if !others.contains(&over) || others.contains(&to) || !self.holes.contains(&to) {
                continue;
            }
            let mut left = others.clone();
            left.remove(&over);
            path.push(name(to));
            let mut taken = self.pegs.clone();
            taken.remove(&origin);
            let taken = taken.difference(&left).copied().collect();
            let known = chains.entry((origin, to, taken)).or_insert_with(|| path.clone());
            if *path < *known {
                *known = path.clone();
            }
            self.jump_on(origin, to, &left, path, chains);
            path.pop();
        }
    }
}

fn place(game: &Solitaire<u64>, point: Point) -> Place {
    (i32::from(game.board().file(point)), i32::from(game.board().rank(point)))
}

fn agrees(game: &Solitaire<u64>, pegs: PointSet<u64>) {
    let position = Position { pegs };
    let places = |points: Vec<Point>| points.into_iter().map(|point| place(game, point)).collect();
    let model = Model { holes: places(game.board().points().to_vec()), pegs: places(pegs.iter().collect()) };
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    let texts: BTreeSet<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
    let expected = if pegs == game.target() { BTreeSet::new() } else { model.moves() };
    let text = game.position_text(&position);
    assert_eq!(texts, expected, "{text}");
    assert_eq!(moves.len(), texts.len(), "{text}");
    assert_eq!(game.count_moves(&position), moves.len() as u64, "{text}");
    assert_eq!(game.turn(&position).outcome().is_some(), moves.is_empty(), "{text}");
    assert_eq!(game.parse_position(&text), Ok(position));
    for mv in moves {
        let path = game.landings(&position, mv).unwrap_or_else(|| panic!("{text}: {mv:?}"));
        let points: Vec<Point> = [mv.from].into_iter().chain(path).collect();
        assert_eq!(game.chain(&position, &points), Some(mv), "{text}");
        let after = game.play_unchecked(&position, mv);
        assert_eq!(after.pegs.len() + mv.captured.len(), pegs.len(), "{text}: {mv:?}");
        assert!(after.pegs.has(mv.to) && after.pegs.is_disjoint(mv.captured), "{text}: {mv:?}");
    }
}

fn some_pegs(game: &Solitaire<u64>, chosen: &[bool]) -> PointSet<u64> {
    game.board().points().iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(&point, _)| point).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_are_those_of_the_model(share in 0.05..0.95_f64, seed in prop::collection::vec(0.0..1.0_f64, 37)) {
        let chosen: Vec<bool> = seed.iter().map(|&draw| draw < share).collect();
        for game in [game("solitaire", &[]), game("solitaire-french", &[])] {
            agrees(&game, some_pegs(&game, &chosen));
        }
    }
}
