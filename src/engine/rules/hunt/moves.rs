//! Legal moves: listing, counting, choosing one at random.

use rand::Rng;

use super::Hunt;
use super::keys::{Capture, GeeseStuck};
use super::move_geometry::GooseDirection;
use super::position::{Move, Phase, Position, Side};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::jumps::{Chains, JumpMove as _};
use crate::rules::random::{below, pick};

impl<W: Word> Hunt<W> {
    /// The empty points of the board.
    #[inline]
    pub fn empty(&self, position: &Position<W>) -> PointSet<W> {
        self.geometry.all - position.occupied()
    }

    /// The directions open to the geese now.
    #[inline]
    pub(super) fn goose_directions(&self, position: &Position<W>) -> &[GooseDirection<W>] {
        if position.first { &self.geometry.straight_forward } else { &self.geometry.goose_directions }
    }

    /// The points where a piece may be put in this phase.
    pub(super) fn landing_zone(&self, position: &Position<W>) -> PointSet<W> {
        let empty = self.empty(position);
        match position.phase {
            Phase::Place => empty & self.geometry.fox_zone,
            Phase::Drop => empty & self.drop_zone,
            _ => empty,
        }
    }

    /// Whether the geese side drops from its stock this turn.
    pub(super) fn is_stock_drop(&self, position: &Position<W>) -> bool {
        self.has_stock && position.turn == Side::Geese && position.hand > 0
    }

    pub(super) fn geese_can_step(&self, position: &Position<W>) -> bool {
        let (geese, empty) = (position.geese(), self.empty(position));
        self.goose_directions(position).iter().any(|direction| !direction.targets(geese, empty).is_empty())
    }

    pub(super) fn fox_side_can_jump(&self, position: &Position<W>) -> bool {
        let (foxes, geese) = (position.foxes(), position.geese());
        foxes.iter().any(|fox| self.geometry.jumps.can_jump(fox, geese, foxes))
    }

    pub(super) fn fox_side_can_move(&self, position: &Position<W>) -> bool {
        let empty = self.empty(position);
        let can_step = |fox: Point| !self.geometry.fox_steps[fox.index()].is_disjoint(empty);
        position.foxes().iter().any(can_step) || self.fox_side_can_jump(position)
    }

    /// Appends the legal moves of a position that is not decided.
    pub(super) fn generate(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        match (position.phase, position.turn) {
            (Phase::Place | Phase::Drop, _) => moves.extend(self.landing_zone(position).iter().map(Move::put)),
            (Phase::Remove, _) => moves.extend(position.owed.iter().map(Move::take_off)),
            (Phase::Normal, Side::Fox) => self.generate_fox_side(position, moves),
            (Phase::Normal, Side::Geese) if self.is_stock_drop(position) => {
                moves.extend(self.landing_zone(position).iter().map(Move::put));
            }
            (Phase::Normal, Side::Geese) => self.generate_geese(position, moves),
        }
    }

    /// Appends the jumps, or the choices of a piece to take off, of a position that is not decided.
    pub(super) fn generate_captures(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        match (position.phase, position.turn) {
            (Phase::Remove, _) => self.generate(position, moves),
            (Phase::Normal, Side::Fox) => {
                position.foxes().iter().for_each(|fox| self.generate_jumps(position, fox, moves));
            }
            _ => {}
        }
    }

    fn generate_geese(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let (geese, empty) = (position.geese(), self.empty(position));
        let before = moves.len();
        for direction in self.goose_directions(position) {
            for to in direction.targets(geese, empty) {
                moves.push(Move::step(direction.origin(to), to));
            }
        }
        if moves.len() == before && self.ruleset.rules.geese_stuck == GeeseStuck::Pass {
            moves.push(Move::pass());
        }
    }

    fn generate_fox_side(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let before = moves.len();
        for fox in position.foxes() {
            self.generate_jumps(position, fox, moves);
        }
        if moves.len() > before && self.ruleset.rules.capture == Capture::Forced {
            return;
        }
        let empty = self.empty(position);
        for fox in position.foxes() {
            let steps = self.geometry.fox_steps[fox.index()] & empty;
            moves.extend(steps.iter().map(|to| Move::step(fox, to)));
        }
    }

    pub(super) fn generate_jumps(&self, position: &Position<W>, fox: Point, moves: &mut Vec<Move<W>>) {
        let (geese, foxes) = (position.geese(), position.foxes());
        if !self.geometry.jumps.can_jump(fox, geese, foxes) {
            return;
        }
        let mut chains = Chains::new(&self.geometry.jumps, fox, geese, foxes, moves);
        match (self.ruleset.rules.chain, self.ruleset.rules.forced_chain) {
            (false, _) => chains.single(),
            (true, false) => chains.all(),
            (true, true) => chains.complete(),
        }
    }

    /// The number of legal moves of a position that is not decided, counted in bulk where possible.
    pub(super) fn count(&self, position: &Position<W>) -> u64 {
        match (position.phase, position.turn) {
            (Phase::Normal, Side::Geese) if !self.is_stock_drop(position) => self.count_geese(position),
            (Phase::Normal, Side::Fox) => self.count_fox_side(position),
            _ => self.count_listed(position),
        }
    }

    fn count_listed(&self, position: &Position<W>) -> u64 {
        let mut moves = Vec::new();
        self.generate(position, &mut moves);
        moves.len() as u64
    }

    fn count_fox_side(&self, position: &Position<W>) -> u64 {
        match self.count_jumps(position) {
            None => self.count_listed(position),
            Some(jumps) if jumps > 0 && self.ruleset.rules.capture == Capture::Forced => jumps,
            Some(jumps) => jumps + self.count_fox_steps(position),
        }
    }

    /// The number of jump moves as long as none of them goes on: different single jumps are different moves.
    fn count_jumps(&self, position: &Position<W>) -> Option<u64> {
        let (geese, foxes) = (position.geese(), position.foxes());
        let mut count = 0;
        for fox in foxes {
            let blocked = foxes.without(fox);
            for jump in self.geometry.jumps.jumps(fox, geese, blocked) {
                if self.ruleset.rules.chain && self.geometry.jumps.can_jump(jump.to, geese - jump.over, blocked) {
                    return None;
                }
                count += 1;
            }
        }
        Some(count)
    }

    fn count_geese(&self, position: &Position<W>) -> u64 {
        let (geese, empty) = (position.geese(), self.empty(position));
        let count = |direction: &GooseDirection<W>| u64::from(direction.targets(geese, empty).len());
        match self.goose_directions(position).iter().map(count).sum() {
            0 => u64::from(self.ruleset.rules.geese_stuck == GeeseStuck::Pass),
            steps => steps,
        }
    }

    fn count_fox_steps(&self, position: &Position<W>) -> u64 {
        let empty = self.empty(position);
        let steps = |fox: Point| u64::from((self.geometry.fox_steps[fox.index()] & empty).len());
        position.foxes().iter().map(steps).sum()
    }

    /// A random legal move of a position that is not decided: uniform, but that the pieces of a chain are drawn one
    /// after the other.
    pub(super) fn draw_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        match (position.phase, position.turn) {
            (Phase::Remove, _) => pick(position.owed, rng).map(Move::take_off),
            (Phase::Normal, Side::Fox) => self.draw_fox_move(position, rng),
            (Phase::Normal, Side::Geese) if !self.is_stock_drop(position) => self.draw_goose_move(position, rng),
            _ => pick(self.landing_zone(position), rng).map(Move::put),
        }
    }

    #[inline]
    fn draw_goose_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let (geese, empty) = (position.geese(), self.empty(position));
        let directions = self.goose_directions(position);
        // Boards with more than these directions are rare; theirs are computed again when one is drawn.
        let mut kept = [PointSet::EMPTY; 8];
        let mut total = 0;
        for (index, direction) in directions.iter().enumerate() {
            let targets = direction.targets(geese, empty);
            total += targets.len();
            if let Some(place) = kept.get_mut(index) {
                *place = targets;
            }
        }
        if total == 0 {
            return (self.ruleset.rules.geese_stuck == GeeseStuck::Pass).then(Move::pass);
        }
        let mut index = below(total, rng);
        for (number, direction) in directions.iter().enumerate() {
            let targets = kept.get(number).copied().unwrap_or_else(|| direction.targets(geese, empty));
            if index < targets.len() {
                return targets.nth(index).map(|to| Move::step(direction.origin(to), to));
            }
            index -= targets.len();
        }
        None
    }

    #[inline]
    fn draw_fox_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        if self.fox_side_can_jump(position) {
            return self.draw_jump_or_step(position, rng);
        }
        let total = self.count_fox_steps(position) as u32;
        let index = if total == 0 { return None } else { below(total, rng) };
        self.nth_fox_step(position, index)
    }

    fn nth_fox_step(&self, position: &Position<W>, mut index: u32) -> Option<Move<W>> {
        let empty = self.empty(position);
        for fox in position.foxes() {
            let steps = self.geometry.fox_steps[fox.index()] & empty;
            if index < steps.len() {
                return steps.nth(index).map(|to| Move::step(fox, to));
            }
            index -= steps.len();
        }
        None
    }

    fn draw_jump_or_step<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let (geese, foxes) = (position.geese(), position.foxes());
        let jumps = || {
            let from = move |fox| self.geometry.jumps.jumps(fox, geese, foxes).map(move |jump| (fox, jump));
            foxes.iter().flat_map(from)
        };
        let jump_count = jumps().count() as u32;
        let forced = self.ruleset.rules.capture == Capture::Forced;
        let step_count = if forced { 0 } else { self.count_fox_steps(position) as u32 };
        let index = below(jump_count + step_count, rng);
        if index >= jump_count {
            return self.nth_fox_step(position, index - jump_count);
        }
        let (fox, jump) = jumps().nth(index as usize)?;
        if !self.ruleset.rules.chain {
            return Some(Move::jump(fox, jump.to, jump.over));
        }
        let may_stop = !self.ruleset.rules.forced_chain;
        Some(self.geometry.jumps.drawn_chain(fox, (jump.to, jump.over), (geese, foxes), may_stop, rng))
    }
}
