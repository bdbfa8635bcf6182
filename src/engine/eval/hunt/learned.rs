//! The learned evaluation of the hunt family: a sum of weights looked up by patterns of geese.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::HuntEvaluator;
use super::pattern_model::PatternModel;
use super::weights::{LearnedWeights, Shipped, WeightsError};
use crate::eval::{Backup, Evaluator, MAX_EVALUATION, Terms};
use crate::geometry::{Board, PointSet, Word};
use crate::rules::hunt::{Hunt, Phase, Position, Side};
use crate::rules::{Game, Seat};

/// Units of a weight in a hundredth of a piece, fine enough that small weights are not lost in rounding.
const UNITS: i32 = 4;

/// Learned weights, with the pattern model that says which of them count in a position.
pub struct LearnedEvaluation {
    model: PatternModel,
    /// The weights by entry of the model.
    weights: Vec<i16>,
    serves: Vec<Backup>,
    /// The game or the file that they come from.
    source: String,
}

impl LearnedEvaluation {
    /// Fits learned weights to a game.
    ///
    /// # Errors
    /// The weights are for other rules, or do not fit the board.
    pub fn new<W: Word>(game: &Hunt<W>, learned: LearnedWeights, source: &str) -> Result<Self, WeightsError> {
        let expected = game.ruleset().rules.core_fingerprint();
        if learned.fingerprint != expected {
            return Err(WeightsError::OtherRules { found: learned.fingerprint, expected });
        }
        let model = PatternModel::new(game, learned.groups).ok_or(WeightsError::Damaged)?;
        let mut stored = learned.weights.into_iter();
        let mut weights: Vec<i16> = Vec::with_capacity(model.entries());
        for entry in 0..model.entries() {
            weights.push(match model.first_alike(entry) {
                _ if model.is_spare(entry) => 0,
                first if first < entry => weights[first],
                _ => stored.next().ok_or(WeightsError::Damaged)?,
            });
        }
        if stored.next().is_some() {
            return Err(WeightsError::Damaged);
        }
        Ok(LearnedEvaluation { model, weights, serves: learned.serves, source: source.to_owned() })
    }

    /// The weights shipped with the program for these rules or for a relative of them, if games have shown that they help
    /// this kind of search.
    pub fn shipped<W: Word>(game: &Hunt<W>, backup: Backup) -> Option<Self> {
        let rules = &game.ruleset().rules;
        let fingerprint = rules.core_fingerprint();
        Shipped::find(rules).into_iter().find_map(|file| {
            let weights = LearnedWeights { fingerprint, ..LearnedWeights::decode(file.bytes).ok()? };
            let learned = LearnedEvaluation::new(game, weights, file.game()).ok()?;
            let serves = if learned.knows_start(game) { &learned.serves } else { file.more_geese };
            serves.contains(&backup).then_some(learned)
        })
    }

    /// Whether this kind of search plays better with the weights.
    pub fn serves(&self, backup: Backup) -> bool {
        self.serves.contains(&backup)
    }

    /// Makes weights for the rules of `game`, and for every search, from one for every entry of `model`, in nats of the odds that the geese
    /// win; `hundredths` of a piece multiply these odds by e.
    pub fn store<W: Word>(game: &Hunt<W>, model: &PatternModel, nats: &[f32], hundredths: f32) -> LearnedWeights {
        let round = |entry: usize| libm::rintf(nats[entry] * hundredths * UNITS as f32) as i16;
        let is_stored = |&entry: &usize| model.first_alike(entry) == entry && !model.is_spare(entry);
        LearnedWeights {
            fingerprint: game.ruleset().rules.core_fingerprint(),
            serves: Backup::ALL.to_vec(),
            groups: model.groups().to_vec(),
            weights: (0..model.entries()).filter(is_stored).map(round).collect(),
        }
    }

    /// The game of the catalog, or the file, that the weights come from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the weights were learned from positions with as many pieces as at the start, all of them on the board:
    /// then the material entries of these positions have weights.
    fn knows_start<W: Word>(&self, game: &Hunt<W>) -> bool {
        let (rules, start) = (&game.ruleset().rules, game.start());
        // Of those on the board some are taken off before the game.
        let standing = start.geese().iter().skip(rules.opening_removals as usize);
        let geese = standing.chain((game.all() - start.geese()).iter().take(usize::from(start.hand))).collect();
        let foxes = (game.all() - geese).iter().take(rules.foxes as usize).collect();
        let knows = |side| self.weights[self.model.material_entry(&Position::new(foxes, geese, side))] != 0;
        knows(Side::Geese) && knows(Side::Fox)
    }

    /// Whether the learned weights apply to a position; they know nothing of foxes that are still to be placed, or of
    /// geese that these take off before the game.
    #[inline]
    fn covers<W: Word>(position: &Position<W>) -> bool {
        let is_opening = position.phase == Phase::Remove && position.turn == Side::Fox;
        position.phase != Phase::Place && !is_opening
    }

    /// The parts of the evaluation by name, in units of a weight: the numbers of pieces, then every group.
    fn parts<W: Word>(&self, board: &Board, position: &Position<W>) -> Vec<(String, i32)> {
        let weight = |entry: usize| i32::from(self.weights[entry]);
        let mut parts = vec![("pieces".to_owned(), weight(self.model.material_entry(position)))];
        parts.extend(self.model.groups().iter().map(|&group| (name(board, group), 0)));
        self.model.for_each_pattern(position, |group, entry| parts[1 + group].1 += weight(entry));
        parts
    }
}

/// The name of a group, made of its first and last point.
fn name(board: &Board, group: PointSet<u128>) -> String {
    let names = board.names(group);
    format!("{} to {}", names[0], names[names.len() - 1])
}

/// Evaluates hunts by learned weights where there are some, else by the linear evaluation.
#[derive(Clone, Default)]
pub struct LearnedHuntEvaluator {
    linear: HuntEvaluator,
    learned: Option<Arc<LearnedEvaluation>>,
    listener: Option<Arc<Listener>>,
}

impl LearnedHuntEvaluator {
    /// An evaluator with learned weights, or with the linear evaluation if there are none.
    pub fn new(linear: HuntEvaluator, learned: Option<Arc<LearnedEvaluation>>) -> Self {
        LearnedHuntEvaluator { linear, learned, listener: None }
    }

    /// A copy of the evaluator that shows the listener every position that it evaluates.
    pub fn heard_by(&self, listener: Arc<Listener>) -> Self {
        LearnedHuntEvaluator { listener: Some(listener), ..self.clone() }
    }
}

impl<W: Word> Evaluator<Hunt<W>> for LearnedHuntEvaluator {
    fn evaluate(&self, game: &Hunt<W>, position: &Position<W>, seat: Seat) -> i32 {
        if let Some(listener) = &self.listener {
            listener.hear(position);
        }
        match &self.learned {
            Some(learned) if LearnedEvaluation::covers(position) => {
                let value =
                    (learned.model.sum(&learned.weights, position) / UNITS).clamp(-MAX_EVALUATION, MAX_EVALUATION);
                if game.side(seat) == Side::Geese { value } else { -value }
            }
            _ => self.linear.evaluate(game, position, seat),
        }
    }

    fn explain(&self, game: &Hunt<W>, position: &Position<W>) -> Terms {
        let Some(learned) = self.learned.as_ref().filter(|_| LearnedEvaluation::covers(position)) else {
            return self.linear.explain(game, position);
        };
        let sign = if game.side(Seat::P1) == Side::Geese { 1 } else { -1 };
        // Rounded so that the terms add up to the evaluation.
        let mut sum = 0;
        let term = |(name, part): (String, i32)| {
            let before = sum / UNITS;
            sum += part;
            (name, sign * (sum / UNITS - before))
        };
        learned.parts(game.board(), position).into_iter().map(term).collect()
    }
}

/// Collects one of every `stride` positions that an evaluator evaluates, without those in a phase other than the normal
/// one.
///
/// It is part of the evaluator, not a wrapper around it: another type of evaluator would compile every searcher again.
pub struct Listener {
    asked: AtomicU64,
    stride: u64,
    /// Positions in the widest word, which holds boards of any size.
    kept: Mutex<Vec<Position<u128>>>,
}

impl Listener {
    /// A listener that keeps one of every `stride` positions.
    pub fn new(stride: u64) -> Self {
        Listener { asked: AtomicU64::new(0), stride: stride.max(1), kept: Mutex::default() }
    }

    #[cold]
    fn hear<W: Word>(&self, position: &Position<W>) {
        if self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.stride) && position.phase == Phase::Normal {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(position.resized());
        }
    }

    /// The positions kept since the last call, in words of the size that the game uses.
    pub fn take<W: Word>(&self) -> Vec<Position<W>> {
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        kept.iter().map(Position::resized).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::super::GroupKind;
    use super::*;
    use crate::geometry::Point;
    use crate::rules::hunt::Ruleset;
    use crate::rules::{Record, Turn};

    fn ruleset(name: &str) -> Ruleset {
        Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog")
    }

    /// Some weights, each different from its neighbours.
    fn weights<W: Word>(game: &Hunt<W>) -> LearnedWeights {
        let model = PatternModel::of_kinds(game, &[GroupKind::Blocks, GroupKind::Rows]).expect("a model");
        let nats: Vec<f32> = (0..model.entries()).map(|entry| (entry * 7919 % 2003) as f32 / 1000.0 - 1.0).collect();
        LearnedEvaluation::store(game, &model, &nats, 150.0)
    }

    fn evaluator<W: Word>(game: &Hunt<W>) -> LearnedHuntEvaluator {
        let learned = LearnedEvaluation::new(game, weights(game), "a test").expect("weights for this game");
        LearnedHuntEvaluator::new(HuntEvaluator::default(), Some(Arc::new(learned)))
    }

    /// The positions of a few random games.
    fn positions<W: Word>(game: &Hunt<W>) -> Vec<Position<W>> {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut positions = Vec::new();
        for _ in 0..5 {
            let mut record = Record::new(game.start());
            while let (Turn::Player(_), true) = (record.turn(game), record.plies() < 60) {
                positions.push(*record.position());
                let Some(mv) = game.random_move(record.position(), &mut rng) else { break };
                record.play(game, mv);
            }
        }
        positions
    }

    fn check<W: Word>(game: &Hunt<W>) {
        let evaluator = evaluator(game);
        for position in positions(game) {
            let value = evaluator.evaluate(game, &position, Seat::P1);
            assert_eq!(evaluator.evaluate(game, &position, Seat::P2), -value);
            let sum: i32 = evaluator.explain(game, &position).iter().map(|(_, value)| value).sum();
            assert_eq!(sum.clamp(-MAX_EVALUATION, MAX_EVALUATION), value);
            if position.phase != Phase::Normal {
                continue;
            }
            for symmetry in game.symmetries() {
                let foxes = symmetry.set(position.foxes());
                let geese = symmetry.set(position.geese());
                let image = Position { hand: position.hand, ..Position::new(foxes, geese, position.turn) };
                assert_eq!(
                    evaluator.evaluate(game, &image, Seat::P1),
                    value,
                    "{} {position:?}",
                    game.ruleset().heading.name
                );
            }
        }
    }

    #[test]
    fn symmetric_positions_are_worth_the_same_and_terms_add_up() {
        for name in
            ["masters-15", "bell-13", "murray-13", "two-foxes-24", "siege", "bagha-chal", "fox-and-hounds", "refskak"]
        {
            check(&Hunt::<u64>::new(&ruleset(name)));
        }
        check(&Hunt::<u128>::new(&ruleset("great-siege")));
    }

    #[test]
    fn positions_of_different_worth_differ() {
        let game = Hunt::<u64>::new(&ruleset("masters-15"));
        let evaluator = evaluator(&game);
        let mut values: Vec<i32> =
            positions(&game).iter().map(|position| evaluator.evaluate(&game, position, Seat::P1)).collect();
        let all = values.len();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > all / 2, "{} of {all}", values.len());
    }

    #[test]
    fn weights_fit_the_rules_that_matter_and_no_others() {
        let bell = Hunt::<u64>::new(&ruleset("bell-13"));
        let learned = weights(&bell);
        for same in ["bell-15", "bell-17"] {
            assert!(LearnedEvaluation::new(&Hunt::<u64>::new(&ruleset(same)), learned.clone(), "").is_ok(), "{same}");
        }
        let masters = Hunt::<u64>::new(&ruleset("masters-15"));
        let error = LearnedEvaluation::new(&masters, learned.clone(), "").err().expect("other rules");
        assert!(matches!(error, WeightsError::OtherRules { found, .. } if found == learned.fingerprint));
    }

    #[test]
    fn weights_that_do_not_fit_the_board_are_refused() {
        let game = Hunt::<u64>::new(&ruleset("bell-13"));
        let whole = weights(&game);
        let refused = |change: &dyn Fn(&mut LearnedWeights)| {
            let mut weights = whole.clone();
            change(&mut weights);
            LearnedEvaluation::new(&game, weights, "").err()
        };
        let changes: [&dyn Fn(&mut LearnedWeights); 5] = [
            &|weights| weights.weights.push(1),
            &|weights| weights.weights.truncate(weights.weights.len() - 1),
            &|weights| weights.groups.clear(),
            &|weights| weights.groups[0] = PointSet::EMPTY,
            &|weights| weights.groups[0] = PointSet::of(Point(127)),
        ];
        for change in changes {
            assert_eq!(refused(change), Some(WeightsError::Damaged));
        }
    }
}
