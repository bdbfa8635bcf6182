//! Two foxes: a placement is a pair of points. Which of the foxes jumps matters only during the jump.

use super::foxes::{Foxes, Jump};
use super::rules::{Middles, PatternRules};
use super::words::{MOST_POINTS, PairMap, PairSet, WordMap, Words, pair_bit};
use crate::geometry::singles;

/// Two foxes under the rules of a game, with tables of what steps, jumps and symmetries make of sets of pairs.
pub(super) struct TwoFoxes {
    rules: PatternRules,
    /// By cell: the number of the point.
    numbers: [u8; 64],
    /// By bit of a set of pairs: the two points.
    pairs: Vec<u64>,
    all: PairSet,
    /// By cell: the pairs with a fox on it.
    with: Vec<PairSet>,
    before_steps: PairMap,
    /// By symmetry: the map of sets of pairs.
    images: Vec<PairMap>,
    /// By axis of jumps and cell of the middle: the pairs with a fox at one end and none at the other.
    over: Vec<Vec<PairSet>>,
}

/// For each fox that jumps, by the number of its point: the points of the other fox.
type Rows = Words<MOST_POINTS>;

fn join(sets: impl Iterator<Item = PairSet>) -> PairSet {
    sets.fold(PairSet::default(), |all, set| all | set)
}

fn cell(point: u64) -> usize {
    point.trailing_zeros() as usize & 63
}

impl TwoFoxes {
    /// The number of a point.
    #[inline(always)]
    fn number(&self, point: u64) -> usize {
        self.numbers[cell(point)].into()
    }

    /// The set with one pair, given as its two points.
    fn pair(&self, points: u64) -> PairSet {
        PairSet::of(pair_bit(self.number(points), self.number(points & points.wrapping_sub(1))))
    }

    /// The pairs from which a step of either fox leads to this pair.
    fn before_step(&self, pair: u64) -> PairSet {
        let moved =
            |fox: u64| singles(self.rules.near(fox) & !pair).map(move |before| self.pair(before | (pair & !fox)));
        join(singles(pair).flat_map(moved))
    }

    /// The pairs with a fox at exactly one end of a jump over `middle`.
    fn beside_jump(&self, axis: &Middles, middle: u64) -> PairSet {
        let (up, down) = axis.ends(axis.points & middle);
        if up == 0 { PairSet::default() } else { (self.with[cell(up)] | self.with[cell(down)]) & !self.pair(up | down) }
    }
}

impl Foxes for TwoFoxes {
    const NUMBER: u32 = 2;
    const CHUNK_PATTERNS: usize = 1 << 14;

    type Set = PairSet;
    type Jumpers = Rows;

    fn new(rules: PatternRules) -> Option<TwoFoxes> {
        let points: Vec<u64> = singles(rules.all).collect();
        if points.len() > MOST_POINTS {
            return None;
        }
        let mut foxes = TwoFoxes {
            rules,
            numbers: [0; 64],
            pairs: Vec::new(),
            all: PairSet::default(),
            with: vec![PairSet::default(); 64],
            before_steps: PairMap::new(0, PairSet::of),
            images: Vec::new(),
            over: Vec::new(),
        };
        for (high, &point) in points.iter().enumerate() {
            foxes.numbers[cell(point)] = high as u8;
            foxes.pairs.extend(points[..high].iter().map(|low| point | low));
        }
        let bits = foxes.pairs.len();
        for bit in 0..bits {
            foxes.all.insert(bit);
            singles(foxes.pairs[bit]).for_each(|point| foxes.with[cell(point)].insert(bit));
        }
        foxes.before_steps = PairMap::new(bits, |bit| foxes.before_step(foxes.pairs[bit]));
        let image = |map: &WordMap| PairMap::new(bits, |bit| foxes.pair(map.apply(foxes.pairs[bit])));
        foxes.images = foxes.rules.symmetries.iter().map(image).collect();
        let over = |axis: &Middles| (0..64).map(|cell| foxes.beside_jump(axis, 1 << cell)).collect();
        foxes.over = foxes.rules.jumps.iter().map(over).collect();
        Some(foxes)
    }

    fn rules(&self) -> &PatternRules {
        &self.rules
    }

    #[inline]
    fn beside(&self, pattern: u64) -> PairSet {
        self.all & !self.on_any(pattern)
    }

    fn on_all(&self, points: u64) -> PairSet {
        singles(points).fold(self.all, |pairs, point| pairs & self.with[cell(point)])
    }

    #[inline]
    fn on_any(&self, points: u64) -> PairSet {
        join(singles(points).map(|point| self.with[cell(point)]))
    }

    #[inline]
    fn before_steps(&self, set: PairSet) -> PairSet {
        self.before_steps.apply(set)
    }

    fn can_jump(&self, pattern: u64) -> PairSet {
        let axes = self.rules.jumps.iter().zip(&self.over);
        join(
            axes.flat_map(|(axis, over)| {
                singles(self.rules.open_middles(axis, pattern)).map(|middle| over[cell(middle)])
            }),
        )
    }

    #[inline]
    fn image(&self, symmetry: usize, set: PairSet) -> PairSet {
        self.images[symmetry].apply(set)
    }

    fn columns(empty: u32) -> u32 {
        empty * empty.saturating_sub(1) / 2
    }

    #[inline]
    fn column(empty: u64, foxes: u64) -> u32 {
        let low = (empty & foxes.wrapping_sub(1) & !foxes).count_ones();
        let high = (empty & (foxes & foxes.wrapping_sub(1)).wrapping_sub(1)).count_ones();
        high * high.saturating_sub(1) / 2 + low
    }

    fn bits(&self, empty: u64) -> impl Iterator<Item = usize> {
        singles(empty).flat_map(move |high| {
            singles(empty & (high - 1)).map(move |low| pair_bit(self.number(low), self.number(high)))
        })
    }

    #[inline]
    fn points(&self, bit: usize) -> u64 {
        self.pairs[bit]
    }

    fn jumpers(&self, pattern: u64) -> Rows {
        let (mut rows, empty) = (Rows::default(), self.rules.all & !pattern);
        for axis in &self.rules.jumps {
            for middle in singles(self.rules.open_middles(axis, pattern)) {
                let (up, down) = axis.ends(middle);
                rows.0[self.number(up)] |= empty & !(up | down);
                rows.0[self.number(down)] |= empty & !(up | down);
            }
        }
        rows
    }

    fn for_every_jumper(&self, set: PairSet) -> Rows {
        let mut rows = Rows::default();
        for pair in set.bits().map(|bit| self.pairs[bit]) {
            singles(pair).for_each(|fox| rows.0[self.number(fox)] |= pair & !fox);
        }
        rows
    }

    fn of_any_jumper(&self, jumpers: &Rows) -> PairSet {
        let mut set = PairSet::default();
        for (jumper, &others) in jumpers.0.iter().enumerate() {
            singles(others).for_each(|other| set.insert(pair_bit(jumper, self.number(other))));
        }
        set
    }

    fn as_jumpers(_sets: &[PairSet]) -> Option<&[Rows]> {
        None
    }

    fn packed_bytes(empty: u32) -> usize {
        (empty * empty).div_ceil(8) as usize
    }

    /// Packs a row for each empty point of the fox that has jumped: a bit for each empty point of the other one.
    fn pack(&self, jumpers: &Rows, empty: u64, bytes: &mut [u8]) {
        bytes.fill(0);
        let rows = singles(empty).map(|jumper| jumpers.0[self.number(jumper)]);
        let bits = rows.flat_map(|row| singles(empty).map(move |other| row & other != 0));
        for (number, _) in bits.enumerate().filter(|(_, bit)| *bit) {
            bytes[number / 8] |= 1 << (number % 8);
        }
    }

    fn bad_huffs(&self, pattern: u64, reached: u64) -> PairSet {
        self.steps_huffed(pattern, reached)
    }

    fn add_failing(&self, jump: &Jump, packed: &[u8], failing: &mut Rows) {
        let others = self.rules.all & !jump.pattern & !(jump.from | jump.to);
        let first = ((jump.empty & (jump.landing - 1)).count_ones() * jump.empty.count_ones()) as usize;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&packed[first / 8..][..8]);
        let row = u64::from_le_bytes(bytes) >> (first % 8);
        let held = singles(jump.empty).zip(0..).filter(|&(_, bit)| row >> bit & 1 == 1);
        let held = held.fold(0, |held, (other, _)| held | other);
        failing.0[self.number(jump.from)] |= others & !self.rules.symmetries[jump.back].apply(held);
    }
}

/// The points where foxes end the game by a step, which is then not huffed.
struct Ends {
    /// A fox on any of these points ends the game.
    alone: u64,
    /// Foxes on both of these points end the game; empty or two points.
    together: u64,
}

impl Ends {
    /// The points on which a fox may stand while another one steps to some point of `targets` and the game goes on.
    fn others(&self, targets: u64) -> u64 {
        // Two foxes do not share a point.
        let apart = match targets.count_ones() {
            0 => 0,
            1 => !targets,
            _ => u64::MAX,
        };
        if targets & !self.together == 0 { apart & !self.together } else { apart }
    }
}

/// Huffed steps, for all points of the other fox at once. A fox that could have jumped is taken off where it stands
/// after the step; if both could have, the geese side chooses. Either way one fox remains: the one that stood still, or
/// the one that stepped.
impl TwoFoxes {
    /// The pairs from which a huffed step may make the geese miss their goal; see [`Foxes::bad_huffs`].
    fn steps_huffed(&self, pattern: u64, reached: u64) -> PairSet {
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
            // If both could have jumped, the geese side chooses the one to take off.
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

    /// For each fox, by the number of its point: the points of another fox that can jump.
    fn turned(&self, jumpers: &Rows) -> Rows {
        let mut turned = Rows::default();
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
            "fox_start": ["a2", "b2"], "geese": ["a1", "b1", "c1", "d1"], "fox_wins_below": 1, {keys}}}"#
        );
        Hunt::new(&Ruleset::from_text("huffs.json", &text, &[]).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Whether, by the legal moves, some huffed step leaves no fox on a point of `reached`, whatever the geese side
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
            match (after.foxes().len(), after.owed.is_empty()) {
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
