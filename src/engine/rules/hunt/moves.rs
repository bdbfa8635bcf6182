//! Legal moves: lists, counts and random ones.

use rand::Rng;

use super::Hunt;
use super::move_geometry::GooseDirection;
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{Capture, DropsRule, Stuck};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::jumps::Jumper;
use crate::rules::random::{below, pick};

impl<W: Word> Hunt<W> {
    /// The points where the side to move may put a piece, or take off one of the owed pieces, and whether it may move a
    /// piece instead.
    #[inline(always)]
    pub(super) fn choices(&self, position: &Position<W>) -> (PointSet<W>, bool) {
        let drops = self.ruleset.rules.drops > 0 && position.hand > 0 && position.turn == Side::Geese;
        let only_moves = position.phase == Phase::Normal && !drops;
        if only_moves { (PointSet::EMPTY, true) } else { self.points_to_choose(position, drops) }
    }

    #[inline(never)]
    fn points_to_choose(&self, position: &Position<W>, drops: bool) -> (PointSet<W>, bool) {
        let rule = self.ruleset.rules.drops_rule;
        let is_full = rule == DropsRule::Refill && position.geese().len() >= self.geometry.start_geese.len();
        match (position.phase, position.turn) {
            (Phase::Remove, _) => (position.owed, false),
            (Phase::Drop, _) | (Phase::Place, Side::Fox) => (self.landing_zone(position), false),
            _ if is_full || !drops => (PointSet::EMPTY, true),
            _ => {
                let zone = self.landing_zone(position);
                (zone, zone.is_empty() || rule == DropsRule::AnyTurn)
            }
        }
    }

    /// The move of one of the [`choices`](Self::choices).
    fn choice(&self, position: &Position<W>, point: Point) -> Move<W> {
        if position.phase == Phase::Remove { Move::take_off(point) } else { Move::put(point) }
    }

    /// The empty points of the board.
    #[inline]
    pub fn empty(&self, position: &Position<W>) -> PointSet<W> {
        self.geometry.all - position.occupied()
    }

    /// The points that geese may enter: empty ones and, where they may form piles again, those with their own kind.
    #[inline]
    pub(crate) fn open_to_geese(&self, position: &Position<W>) -> PointSet<W> {
        self.geometry.all - (position.foxes() | (position.geese() - self.geometry.repile))
    }

    /// The directions in which geese may step in this position.
    #[inline]
    fn goose_directions(&self, position: &Position<W>) -> &[GooseDirection<W>] {
        if position.first { &self.geometry.straight_forward } else { &self.geometry.goose_directions }
    }

    /// The directions in which geese may step in this position, each with the points onto which they step.
    #[inline]
    pub(super) fn goose_targets(
        &self,
        position: &Position<W>,
    ) -> impl Iterator<Item = (&GooseDirection<W>, PointSet<W>)> {
        let geese = position.geese();
        let open = self.open_to_geese(position);
        self.goose_directions(position).iter().map(move |direction| (direction, direction.targets(geese, open)))
    }

    /// The foxes, each with the empty points onto which it can step.
    #[inline]
    pub(crate) fn fox_targets(&self, position: &Position<W>) -> impl Iterator<Item = (Point, PointSet<W>)> {
        let empty = self.empty(position);
        position.foxes().iter().map(move |fox| (fox, self.steps_onto(fox, empty)))
    }

    /// The empty points onto which a fox on `from` can step.
    #[inline]
    pub(crate) fn steps_onto(&self, from: Point, empty: PointSet<W>) -> PointSet<W> {
        if self.ruleset.rules.fox_range != 1 {
            self.long_steps_onto(from, empty)
        } else {
            self.geometry.fox_steps[from.index()] & empty
        }
    }

    #[cold]
    fn long_steps_onto(&self, from: Point, empty: PointSet<W>) -> PointSet<W> {
        let open = |ray: &Vec<Point>| ray.iter().copied().take_while(|&point| empty.has(point)).collect();
        self.geometry.fox_rays[from.index()].iter().map(open).fold(PointSet::EMPTY, |all, open: PointSet<W>| all | open)
    }

    /// The points where a piece may be put in this phase of the game.
    pub(super) fn landing_zone(&self, position: &Position<W>) -> PointSet<W> {
        let empty = self.empty(position);
        empty & if position.turn == Side::Fox { self.geometry.fox_zone } else { self.drop_zone }
    }

    /// The fox on a point, as a piece that may jump over geese.
    #[inline]
    pub(super) fn jumper(&self, position: &Position<W>, fox: Point) -> Jumper<'_, W> {
        self.geometry.jumps.jumper(fox, position.geese(), position.foxes(), position.piles)
    }

    /// The number of single jumps of the fox on a point.
    #[inline]
    pub(crate) fn count_jumps_of(&self, position: &Position<W>, fox: Point) -> u32 {
        self.jumper(position, fox).jumps().count() as u32
    }

    pub(super) fn fox_side_can_jump(&self, position: &Position<W>) -> bool {
        position.foxes().iter().any(|fox| self.jumper(position, fox).can_jump())
    }

    /// What it means for the side to move to have no legal move; a side that cannot place its foxes loses.
    #[inline]
    pub(super) fn stuck_rule(&self, position: &Position<W>) -> Stuck {
        match position.turn {
            Side::Fox if position.phase == Phase::Place => Stuck::Lose,
            Side::Fox => self.ruleset.rules.fox_stuck,
            Side::Geese => self.ruleset.rules.geese_stuck,
        }
    }

    /// Whether the side to move passes when nothing else is legal.
    #[inline]
    pub(super) fn may_pass(&self, position: &Position<W>) -> bool {
        self.stuck_rule(position) == Stuck::Pass
    }

    /// Appends the legal moves of a position that is not decided.
    pub(super) fn generate(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let before = moves.len();
        let (points, pieces_move) = self.choices(position);
        moves.extend(points.iter().map(|point| self.choice(position, point)));
        match position.turn {
            _ if !pieces_move => {}
            Side::Fox => self.generate_fox_side(position, moves),
            Side::Geese => self.generate_geese(position, moves),
        }
        if moves.len() == before && self.may_pass(position) {
            moves.push(Move::pass());
        }
    }

    /// Appends the jumps, or the choices of a piece to take off, of a position that is not decided.
    pub(super) fn generate_captures(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        match (position.phase, position.turn) {
            (Phase::Remove, _) => moves.extend(position.owed.iter().map(Move::take_off)),
            (Phase::Place, _) | (_, Side::Geese) => {}
            _ if self.geometry.betweens.is_empty() => {
                position.foxes().iter().for_each(|fox| self.generate_jumps(position, fox, moves));
            }
            _ => self.fox_targets(position).for_each(|(fox, targets)| {
                let steps = targets.iter().map(|to| self.fox_step(position, fox, to));
                moves.extend(steps.filter(|mv| mv.kind == MoveKind::Jump));
            }),
        }
    }

    fn generate_geese(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        for (direction, targets) in self.goose_targets(position) {
            // An `extend` would be a call.
            targets.iter().for_each(|to| moves.push(Move::step(direction.origin(to), to)));
        }
    }

    #[inline(always)]
    pub(super) fn generate_fox_side(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let before = moves.len();
        for fox in position.foxes() {
            self.generate_jumps(position, fox, moves);
        }
        if moves.len() > before && self.ruleset.rules.capture == Capture::Forced {
            return;
        }
        for (fox, targets) in self.fox_targets(position) {
            targets.iter().for_each(|to| moves.push(self.fox_step(position, fox, to)));
        }
    }

    /// The move of a fox to an empty point, which takes the geese between which it comes where the rules say so.
    #[inline]
    fn fox_step(&self, position: &Position<W>, from: Point, to: Point) -> Move<W> {
        let step = Move::step(from, to);
        if self.geometry.betweens.is_empty() {
            return step;
        }
        let pairs = self.geometry.betweens[to.index()].iter().filter(|pair| pair.is_subset(position.geese()));
        let captured = pairs.fold(PointSet::EMPTY, |all, &pair| all | pair);
        Move { captured, kind: if captured.is_empty() { MoveKind::Step } else { MoveKind::Jump }, ..step }
    }

    fn generate_jumps(&self, position: &Position<W>, fox: Point, moves: &mut Vec<Move<W>>) {
        let jumper = self.jumper(position, fox);
        if !jumper.can_jump() {
            return;
        }
        if self.ruleset.rules.chain {
            jumper.chains(moves, self.ruleset.rules.forced_chain);
        } else {
            jumper.single(moves);
        }
    }

    /// The number of legal moves of a position that is not decided, counted in bulk where possible.
    pub(super) fn count(&self, position: &Position<W>) -> u64 {
        let (points, pieces_move) = self.choices(position);
        let moves = match position.turn {
            _ if !pieces_move => 0,
            Side::Fox => self.count_fox_side(position),
            Side::Geese => self.count_goose_steps(position),
        };
        let count = u64::from(points.len()) + moves;
        if count == 0 { u64::from(self.may_pass(position)) } else { count }
    }

    #[inline]
    fn count_goose_steps(&self, position: &Position<W>) -> u64 {
        self.goose_targets(position).map(|(_, targets)| u64::from(targets.len())).sum()
    }

    fn count_fox_side(&self, position: &Position<W>) -> u64 {
        match self.count_jumps(position) {
            None => {
                let mut moves = Vec::new();
                self.generate_fox_side(position, &mut moves);
                moves.len() as u64
            }
            Some(jumps) if jumps > 0 && self.ruleset.rules.capture == Capture::Forced => jumps,
            Some(jumps) => jumps + self.count_fox_steps(position),
        }
    }

    /// The number of jumps if none of them can be continued, else `None`: different single jumps are different moves.
    fn count_jumps(&self, position: &Position<W>) -> Option<u64> {
        let mut count = 0;
        for fox in position.foxes() {
            let jumper = self.jumper(position, fox);
            for jump in jumper.jumps() {
                if self.ruleset.rules.chain && jumper.can_go_on(jumper.first(jump.to, jump.over)) {
                    return None;
                }
                count += 1;
            }
        }
        Some(count)
    }

    fn count_fox_steps(&self, position: &Position<W>) -> u64 {
        self.fox_targets(position).map(|(_, targets)| u64::from(targets.len())).sum()
    }

    /// A random legal move of a position that is not decided, all equally likely, but chains drawn jump by jump.
    pub(super) fn draw_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let (points, pieces_move) = self.choices(position);
        let drawn = match position.turn {
            _ if !pieces_move => pick(points, rng).map(|point| self.choice(position, point)),
            Side::Fox => self.draw_fox_move(position, rng),
            Side::Geese if points.is_empty() => self.draw_goose_move(position, rng),
            Side::Geese => match below(points.len() + self.count_goose_steps(position) as u32, rng) {
                index if index < points.len() => points.nth(index).map(Move::put),
                _ => self.draw_goose_move(position, rng),
            },
        };
        if drawn.is_none() { self.may_pass(position).then(Move::pass) } else { drawn }
    }

    #[inline]
    fn draw_goose_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        // Boards with more directions than this are rare; further ones are computed again when drawn.
        let mut kept = [PointSet::EMPTY; 8];
        let mut total = 0;
        for (index, (_, targets)) in self.goose_targets(position).enumerate() {
            total += targets.len();
            if let Some(place) = kept.get_mut(index) {
                *place = targets;
            }
        }
        let index = if total == 0 { return None } else { below(total, rng) };
        let directions = self.goose_directions(position);
        let more = self.goose_targets(position).skip(kept.len()).map(|(_, targets)| targets);
        let (direction, to) = nth_target(directions.iter().zip(kept.into_iter().chain(more)), index)?;
        Some(Move::step(direction.origin(to), to))
    }

    #[inline]
    fn draw_fox_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let rules = &self.ruleset.rules;
        let jumps_of = |fox: Point| self.jumper(position, fox).jumps().map(move |jump| (fox, jump));
        let jumps = || position.foxes().iter().flat_map(jumps_of);
        let jump_count = jumps().count() as u32;
        let must_jump = jump_count > 0 && rules.capture == Capture::Forced;
        let total = jump_count + if must_jump { 0 } else { self.count_fox_steps(position) as u32 };
        let index = if total == 0 { return None } else { below(total, rng) };
        if index >= jump_count {
            let (fox, to) = nth_target(self.fox_targets(position), index - jump_count)?;
            return Some(self.fox_step(position, fox, to));
        }
        let (fox, jump) = jumps().nth(index as usize)?;
        let jumper = self.jumper(position, fox);
        let first = jumper.first(jump.to, jump.over);
        Some(if rules.chain { jumper.drawn_chain(first, !rules.forced_chain, rng) } else { jumper.move_of(first) })
    }
}

/// The target with this index, of all sets together, and what stands beside its set.
#[inline]
fn nth_target<W: Word, T>(sets: impl Iterator<Item = (T, PointSet<W>)>, mut index: u32) -> Option<(T, Point)> {
    for (origin, targets) in sets {
        if index < targets.len() {
            return targets.nth(index).map(|to| (origin, to));
        }
        index -= targets.len();
    }
    None
}
