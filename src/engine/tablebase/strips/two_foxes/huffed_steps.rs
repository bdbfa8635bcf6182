//! Steps of one of two foxes that are huffed, for all places of the other one at once.
//!
//! Who could have jumped is taken off where it stands after the step; of two such foxes the geese side takes off which
//! it likes. Either way one fox is left: the one that stood still, or the one that stepped.

use super::{Rows, TwoFoxes};
use crate::geometry::singles;
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::pairs::{MOST_POINTS, PairSet};

/// Where foxes end the game, so that nobody is huffed.
struct Ends {
    /// One fox on any of these does.
    alone: u64,
    /// Both foxes on these two do; empty or two points.
    together: u64,
}

impl Ends {
    /// The points on which a fox may stand while another one steps to any of some points, so that the game goes on.
    fn others(&self, targets: u64) -> u64 {
        // Foxes do not share a point.
        let apart = match targets.count_ones() {
            0 => 0,
            1 => !targets,
            _ => u64::MAX,
        };
        if targets & !self.together == 0 { apart & !self.together } else { apart }
    }
}

impl TwoFoxes {
    /// See [`Foxes::bad_huffs`].
    pub(super) fn steps_huffed(&self, pattern: u64, reached: u64) -> PairSet {
        let jumpers = self.jumpers(pattern);
        let (ends, other_can) = (self.ends(pattern), self.turned(&jumpers));
        let going_on = self.rules.all & !pattern & !ends.alone;
        let (bad, mut found) = (going_on & !reached, Rows::default());
        for mover in singles(self.rules.all & !pattern) {
            let number = self.number(mover);
            let (mover_can, other_can) = (jumpers.0[number] & going_on, other_can.0[number] & going_on);
            let targets = self.rules.near(mover) & going_on;
            let (any, to_bad) = (ends.others(targets), ends.others(targets & bad));
            let mover_goes = mover_can & !other_can & bad & any;
            let other_goes = other_can & !mover_can & to_bad;
            // The geese side would choose.
            let one_goes = mover_can & other_can & bad & to_bad;
            found.0[number] = mover_goes | other_goes | one_goes;
        }
        self.of_any_jumper(&found)
    }

    fn ends(&self, pattern: u64) -> Ends {
        let rules = &self.rules;
        let missing = if rules.foxes_fill { rules.fortress & !pattern } else { 0 };
        match missing.count_ones() {
            1 => Ends { alone: rules.home | missing, together: 0 },
            2 => Ends { alone: rules.home, together: missing },
            _ => Ends { alone: rules.home, together: 0 },
        }
    }

    /// By number of the point of a fox: the points of another one that can jump.
    fn turned(&self, jumpers: &Rows) -> Rows {
        let mut turned = Rows([0; MOST_POINTS]);
        for point in singles(self.rules.all) {
            for other in singles(jumpers.0[self.number(point)]) {
                turned.0[self.number(other)] |= point;
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::geometry::PointSet;
    use crate::rules::hunt::{Hunt, MoveKind, Position, Ruleset, Side};
    use crate::rules::{Game, Notation};
    use crate::tablebase::strips::rules::PatternRules;
    use crate::tablebase::strips::words::word;

    fn game(keys: &str) -> Hunt<u64> {
        let text = format!(
            r#"{{"name": "huffs", "title": "Huffs", "extends": "siege", "fox_zone": "any",
            "geese": ["a1", "b1", "c1", "d1"], "fox_wins_below": 1, {keys}}}"#
        );
        Hunt::new(&Ruleset::from_text("huffs.json", &text, &[]).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Whether the rules know a step that is huffed and leaves no fox on any of the points, whatever the geese side
    /// does.
    fn goes_wrong(game: &Hunt<u64>, position: &Position<u64>, reached: u64) -> bool {
        let moves = |position: &Position<u64>| {
            let mut moves = Vec::new();
            game.legal_moves(position, &mut moves);
            moves
        };
        let is_bad = |left: &Position<u64>| word(left.foxes()) & reached == 0;
        moves(position).into_iter().filter(|mv| mv.kind == MoveKind::Step).any(|mv| {
            let after = game.play_unchecked(position, mv);
            let mut choices = moves(&after).into_iter().map(|mv| game.play_unchecked(&after, mv));
            match (after.foxes().len(), after.owed().is_empty()) {
                (1, _) => is_bad(&after),
                (_, false) => choices.all(|left| is_bad(&left)),
                (_, true) => false,
            }
        })
    }

    #[test]
    fn the_rules_say_which_huffs_go_wrong() {
        let (any, filled) = (r#""attacker_moves": "any", "fortress""#, r#""fill_rule": "any_piece""#);
        let rulesets = [
            format!(r#""board": "grid(4,4)", {any}: ["a4", "b4", "c4", "d4"]"#),
            format!(r#""board": "grid(4,4)", {any}: ["a4", "b4", "c4", "d4"], {filled}"#),
            format!(r#""board": "grid(4,4)", {any}: ["b3", "c3"], {filled}, "fox_home_wins": true"#),
            format!(r#""board": "grid(5,3)", {any}: ["b3", "c2", "a1"], {filled}, "chain": false"#),
            format!(r#""board": "alquerque25", {any}: ["a4", "b4"], "fox_home_wins": true"#),
        ];
        for keys in rulesets {
            let game = game(&keys);
            let foxes =
                TwoFoxes::new(PatternRules::of(&game, 2).expect("a game for this method")).expect("a small board");
            let (mut rng, mut found) = (ChaCha8Rng::seed_from_u64(1), [0; 2]);
            for _ in 0..1_000 {
                let mut some = |share: f64| {
                    let set: PointSet<u64> = game.all().iter().filter(|_| rng.random_bool(share)).collect();
                    word(set)
                };
                let (pattern, reached) = (some(0.4), some(0.6));
                let told = foxes.steps_huffed(pattern, reached);
                for bit in foxes.bits(foxes.rules.all & !pattern) {
                    let set = |word: u64| PointSet::narrow(PointSet::from_word(u128::from(word)));
                    let position = Position::new(set(foxes.points(bit)), set(pattern), Side::Fox);
                    if game.turn(&position).seat().is_some() {
                        let expected = goes_wrong(&game, &position, reached);
                        let is_told = told & PairSet::of(bit) != PairSet::default();
                        assert_eq!(is_told, expected, "{keys}: {} {reached:x}", game.position_text(&position));
                        found[usize::from(expected)] += 1;
                    }
                }
            }
            assert!(found.iter().all(|&number| number > 1_000), "{keys}: {found:?}");
        }
    }
}
