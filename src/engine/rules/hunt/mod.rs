//! Fox & Geese and its family: one compiler from ruleset data to a fast game.

mod checks;
mod effects;
mod move_geometry;
mod moves;
mod notation;
mod position;
mod ruleset;

pub(crate) use move_geometry::{Axis, GooseDirection, MoveGeometry};
pub(crate) use position::{Move, MoveKind, Phase};
pub use position::{Position, Side};
use rand::Rng;
pub(crate) use ruleset::{
    Capture, CaptureBy, DropsRule, FillRule, First, HuffStock, JumpRows, NoProgressResult, Placing, Rules, Stuck,
};
pub use ruleset::{FoxGoal, FoxZone, Huff, RepetitionKey, Ruleset};

use super::game::{Game, HistoryRules, Outcome, Reason, Repetition, SearchHints, Seat, Turn};
use crate::geometry::{Board, Point, PointSet, Symmetry, Vector, Word, symmetries};

/// A game of the hunt family, compiled for boards that fit the word `W`.
#[derive(Clone, Debug)]
pub struct Hunt<W: Word> {
    ruleset: Ruleset,
    geometry: MoveGeometry<W>,
    fingerprint: u64,
    /// The side that moves first after any placement.
    first_side: Side,
    /// The side of seat 0, which acts first.
    p1: Side,
    /// Whether captured geese are kept for huffing.
    keeps_captured: bool,
    /// Where geese are dropped, or put back by huffing.
    drop_zone: PointSet<W>,
    /// Whether there can be geese beyond one on each point: on piles, or in hand and to be dropped.
    has_further_geese: bool,
    /// Geese at the start, those in hand with them.
    pub(crate) army: u32,
    /// Whether some goal is to reach or fill a region.
    pub(crate) has_region_goal: bool,
}

impl<W: Word> Hunt<W> {
    /// Compiles a ruleset; a board with more cells than `W` has bits gives wrong results (see `Rules::is_wide`).
    pub fn new(ruleset: &Ruleset) -> Self {
        debug_assert!(ruleset.board.cells() <= W::BITS as usize);
        let geometry = MoveGeometry::new(ruleset);
        let rules = &ruleset.rules;
        let first_side = if rules.first == First::Fox { Side::Fox } else { Side::Geese };
        let drop_zone = match rules.huff {
            Huff::AddGooseHome => geometry.home,
            _ => PointSet::narrow(rules.points_or_all(&rules.drop_zone)),
        };
        let regions = geometry.fox_goal | geometry.fortress | geometry.pen;
        Hunt {
            fingerprint: ruleset.fingerprint(),
            first_side,
            p1: match rules.placing {
                _ if rules.opening_removals > 0 => Side::Fox,
                Placing::FoxFirst | Placing::FoxThenGeese if rules.places_foxes() => Side::Fox,
                Placing::FoxThenGeese | Placing::GeeseThenFox => Side::Geese,
                Placing::FoxFirst | Placing::Alternate => first_side,
            },
            keeps_captured: rules.returns_geese() && rules.huff_stock == HuffStock::Captured,
            drop_zone: drop_zone & PointSet::narrow(rules.points_or_all(&rules.goose_zone)),
            has_further_geese: rules.drops > 0 || !rules.piles.is_empty(),
            army: rules.goose_count(),
            has_region_goal: rules.fox_goal == FoxGoal::PastGeese || !regions.is_empty(),
            geometry,
            ruleset: ruleset.clone(),
        }
    }

    /// The data from which this game was compiled.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The points and lines that the game is played on.
    pub fn board(&self) -> &Board {
        &self.ruleset.board
    }

    /// Every point of the board.
    pub fn all(&self) -> PointSet<W> {
        self.geometry.all
    }

    /// The board and the moves as point sets and shifts.
    pub fn geometry(&self) -> &MoveGeometry<W> {
        &self.geometry
    }

    /// The turns and mirrors of the board under which the rules stay the same, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        symmetries(self.board()).into_iter().filter(|symmetry| self.keeps_rules(symmetry)).collect()
    }

    fn keeps_rules(&self, symmetry: &Symmetry) -> bool {
        let geometry = &self.geometry;
        let has_image = |direction: &GooseDirection<W>| {
            let vector = symmetry.vector(direction.vector);
            let from = symmetry.set(direction.from);
            geometry.goose_directions.iter().any(|other| other.vector == vector && other.from == from)
        };
        let up = Vector { files: 0, ranks: 1 };
        let keeps_goal = self.ruleset.rules.fox_goal != FoxGoal::PastGeese || symmetry.vector(up) == up;
        let MoveGeometry { fortress, pen, fox_goal, fox_zone, piles, .. } = *geometry;
        let sets = [fortress, pen, fox_goal, self.drop_zone, fox_zone, piles];
        keeps_goal
            && sets.iter().all(|&set| symmetry.set(set) == set)
            && geometry.goose_directions.iter().all(has_image)
    }

    /// Whether geese can be in hand: captured ones that come back, or drops.
    pub fn has_hand(&self) -> bool {
        self.keeps_captured || self.ruleset.rules.drops > 0
    }

    /// The jumps of the fox side over single geese from `point`, whatever stands on the board: the points jumped over
    /// and landed on.
    pub fn fox_jumps(&self, point: Point) -> impl Iterator<Item = (Point, Point)> {
        let singles = self.geometry.jumps.from(point).iter().filter(|jump| jump.over.len() == 1);
        singles.filter_map(|jump| Some((jump.over.first()?, jump.to)))
    }

    /// The points from which a goose may step to `to`, if it were empty; the rule for the first move is ignored.
    pub fn goose_origins(&self, to: Point) -> PointSet<W> {
        let targets = PointSet::of(to);
        self.geometry.goose_directions.iter().fold(PointSet::EMPTY, |origins, direction| {
            origins | (targets.rotated(PointSet::<W>::rotation(-direction.distance)) & direction.from)
        })
    }

    /// The seat that plays a side.
    pub fn seat(&self, side: Side) -> Seat {
        if side == self.p1 { Seat::P1 } else { Seat::P2 }
    }

    /// The side that a seat plays.
    pub fn side(&self, seat: Seat) -> Side {
        if seat == Seat::P1 { self.p1 } else { self.p1.other() }
    }
}

impl<W: Word> Game for Hunt<W> {
    type Position = Position<W>;
    type Move = Move<W>;

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        let rules = &self.ruleset.rules;
        let (phase, owed) = match rules.opening_removals {
            0 if rules.places_foxes() => (Phase::Place, PointSet::EMPTY),
            0 => (Phase::Normal, PointSet::EMPTY),
            _ => (Phase::Remove, self.geometry.start_geese),
        };
        Position {
            phase,
            owed,
            piles: self.geometry.start_piles,
            hand: rules.drops as u8,
            first: rules.first_move_forward,
            ..Position::new(self.geometry.start_foxes, self.geometry.start_geese, self.p1)
        }
    }

    fn history_rules(&self) -> HistoryRules {
        let rules = &self.ruleset.rules;
        HistoryRules {
            repetition: match rules.repetition {
                RepetitionKey::Draw => Repetition::Draws,
                RepetitionKey::GeeseLose => Repetition::Loses(self.seat(Side::Geese)),
                RepetitionKey::FoxLoses => Repetition::Loses(self.seat(Side::Fox)),
                RepetitionKey::None => Repetition::Ignored,
            },
            no_progress_plies: rules.no_progress,
            no_progress_winner: match rules.no_progress_result {
                NoProgressResult::Draw => None,
                NoProgressResult::FoxWins => Some(self.seat(Side::Fox)),
                NoProgressResult::GeeseWin => Some(self.seat(Side::Geese)),
            },
        }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        let seat = self.seat(position.turn);
        match self.decided(position) {
            Some((winner, reason)) => Turn::Over(Outcome { winner: Some(self.seat(winner)), reason }),
            None if self.is_stuck(position) => {
                let winner = (self.stuck_rule(position) == Stuck::Lose).then_some(seat.other());
                Turn::Over(Outcome { winner, reason: Reason::NoLegalMove(seat) })
            }
            None => Turn::Player(seat),
        }
    }

    #[inline]
    fn side_to_move(&self, position: &Position<W>) -> Option<Seat> {
        Some(self.seat(position.turn))
    }

    fn legal_moves(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        if self.decided(position).is_none() {
            self.generate(position, moves);
        }
    }

    #[inline]
    fn count_moves(&self, position: &Position<W>) -> u64 {
        if self.decided(position).is_some() { 0 } else { self.count(position) }
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        match mv.kind {
            MoveKind::Step if position.turn == Side::Geese => self.after_goose_step(position, mv),
            MoveKind::Step | MoveKind::Jump => self.after_fox_move(position, mv),
            MoveKind::Put => self.after_put(position, mv.to),
            MoveKind::TakeOff => self.after_removal(position, mv.to),
            MoveKind::Pass => Position { turn: position.turn.other(), ..*position },
        }
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> u64 {
        position.key() ^ self.fingerprint
    }

    #[inline]
    fn is_irreversible(&self, position: &Position<W>, mv: Move<W>) -> bool {
        match mv.kind {
            // Huffing can bring captured geese back to their old points.
            MoveKind::Jump | MoveKind::Put => !self.ruleset.rules.returns_geese(),
            MoveKind::TakeOff => true,
            // A fox is taken off, now or with the next ply, or the game is over.
            MoveKind::Step if position.turn == Side::Fox => {
                self.ruleset.rules.huff == Huff::RemoveFox && self.fox_side_can_jump(position)
            }
            MoveKind::Step => {
                self.geometry.geese_never_retreat && !self.ruleset.rules.returns_geese() && self.raises_rank(mv)
            }
            MoveKind::Pass => false,
        }
    }

    fn is_progress(&self, position: &Position<W>, mv: Move<W>) -> bool {
        match mv.kind {
            MoveKind::Jump | MoveKind::Put => true,
            // A step that can be undone is not irreversible.
            MoveKind::Step => position.turn == Side::Geese && self.geometry.geese_never_retreat && self.raises_rank(mv),
            MoveKind::TakeOff | MoveKind::Pass => false,
        }
    }

    #[inline]
    fn random_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        if self.decided(position).is_some() { None } else { self.draw_move(position, rng) }
    }
}

impl<W: Word> SearchHints for Hunt<W> {
    #[inline]
    fn is_tactical(&self, _position: &Position<W>, mv: Move<W>) -> bool {
        matches!(mv.kind, MoveKind::Jump | MoveKind::TakeOff)
    }

    fn is_steady(&self) -> bool {
        true
    }

    fn tactical_moves(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        if self.decided(position).is_none() {
            self.generate_captures(position, moves);
        }
    }

    #[inline]
    fn gain(&self, _position: &Position<W>, mv: Move<W>) -> u32 {
        mv.captures() + u32::from(mv.kind == MoveKind::TakeOff)
    }

    #[inline]
    fn move_slot(&self, mv: Move<W>) -> usize {
        mv.from.index() * self.ruleset.board.cells() + mv.to.index()
    }

    fn move_slots(&self) -> usize {
        self.ruleset.board.cells() * self.ruleset.board.cells()
    }
}
