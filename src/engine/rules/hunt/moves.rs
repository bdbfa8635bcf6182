//! Legal moves: lists, counts and random ones; and their effects: the position after a move, the penalty for a missed
//! jump, and who has won.

use rand::Rng;

use super::Hunt;
use super::move_geometry::GooseDirection;
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{Capture, DropsRule, FillRule, FoxGoal, Huff, HuffStock, Placing, Stuck};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::Reason;
use crate::rules::jumps::{Jumper, NO_PILES, Piles};
use crate::rules::random::{below, pick};

impl<W: Word> Hunt<W> {
    /// The points where the side to move may put a piece, or take off one of the owed pieces, and whether it may move a
    /// piece instead.
    #[inline(always)]
    fn choices(&self, position: &Position<W>) -> (PointSet<W>, bool) {
        let drops = self.has_stock && position.hand > 0 && position.turn == Side::Geese;
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
    fn goose_targets(&self, position: &Position<W>) -> impl Iterator<Item = (&GooseDirection<W>, PointSet<W>)> {
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
    fn may_pass(&self, position: &Position<W>) -> bool {
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
            _ => {
                let before = moves.len();
                self.generate_fox_side(position, moves);
                let steps = moves.split_off(before);
                moves.extend(steps.into_iter().filter(|mv| mv.kind == MoveKind::Jump));
            }
        }
    }

    fn generate_geese(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        for (direction, targets) in self.goose_targets(position) {
            // An `extend` would be a call.
            targets.iter().for_each(|to| moves.push(Move::step(direction.origin(to), to)));
        }
    }

    #[inline(always)]
    fn generate_fox_side(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
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
        if !self.ruleset.rules.chain {
            jumper.single(moves);
        } else if self.ruleset.rules.forced_chain {
            jumper.complete_chains(moves);
        } else {
            jumper.chains(moves);
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
            return self.nth_fox_step(position, index - jump_count);
        }
        let (fox, jump) = jumps().nth(index as usize)?;
        let jumper = self.jumper(position, fox);
        let first = jumper.first(jump.to, jump.over);
        Some(if rules.chain { jumper.drawn_chain(first, !rules.forced_chain, rng) } else { jumper.move_of(first) })
    }

    fn nth_fox_step(&self, position: &Position<W>, index: u32) -> Option<Move<W>> {
        nth_target(self.fox_targets(position), index).map(|(fox, to)| self.fox_step(position, fox, to))
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

impl<W: Word> Hunt<W> {
    /// The winner and the reason if the pieces on the board decide the game, whatever moves are legal.
    #[inline(always)]
    pub(super) fn decided(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let foxes = position.foxes();
        if foxes.is_empty() && position.phase == Phase::Normal {
            return Some((Side::Geese, Reason::NoPieceLeft(self.seat(Side::Fox))));
        }
        if self.geese_left(position) < self.ruleset.rules.fox_wins_below {
            return Some((Side::Fox, Reason::TooFewPieces(self.seat(Side::Geese))));
        }
        if self.has_region_goal { self.decided_by_region(position) } else { None }
    }

    /// The geese on the board and those still to be dropped.
    #[inline(always)]
    pub(crate) fn geese_left(&self, position: &Position<W>) -> u32 {
        let further = || {
            let stock = if self.has_stock { u32::from(position.hand) } else { 0 };
            position.piles.into_iter().map(u32::from).sum::<u32>() + stock
        };
        position.geese().len() + if self.has_further_geese { further() } else { 0 }
    }

    #[inline(never)]
    fn decided_by_region(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let rules = &self.ruleset.rules;
        let is_past = || rules.fox_goal == FoxGoal::PastGeese && self.is_past_geese(position);
        if position.turn == Side::Geese && (!position.foxes().is_disjoint(self.geometry.fox_goal) || is_past()) {
            let seat = self.seat(Side::Fox);
            let reason = if rules.fox_home_wins { Reason::FirstRowReached(seat) } else { Reason::GoalReached(seat) };
            return Some((Side::Fox, reason));
        }
        if self.is_penned(position) {
            return Some((Side::Geese, Reason::GoalReached(self.seat(Side::Geese))));
        }
        let fillers = match rules.fill_rule {
            FillRule::AttackersOnly => position.geese(),
            FillRule::AnyPiece => position.occupied(),
        };
        let filled = !self.geometry.fortress.is_empty() && self.geometry.fortress.is_subset(fillers);
        filled.then_some((Side::Geese, Reason::FortressOccupied))
    }

    /// Whether all foxes stand in the pen in their turn and no step or jump leads one of them off it.
    fn is_penned(&self, position: &Position<W>) -> bool {
        let pen = self.geometry.pen;
        let stays = |(fox, targets): (Point, PointSet<W>)| {
            targets.is_subset(pen) && self.jumper(position, fox).jumps().all(|jump| pen.has(jump.to))
        };
        let are_inside = position.foxes().is_subset(pen) && position.phase == Phase::Normal;
        are_inside && position.turn == Side::Fox && self.fox_targets(position).all(stays)
    }

    /// Whether all foxes stand and no goose is on a lower rank than one of them.
    fn is_past_geese(&self, position: &Position<W>) -> bool {
        let rank = |point: Point| self.geometry.ranks[point.index()];
        let highest = position.foxes().iter().map(rank).max();
        position.phase != Phase::Place && position.geese().iter().all(|goose| highest <= Some(rank(goose)))
    }

    /// Whether the side to move has no legal move and does not pass, which ends the game.
    pub(super) fn is_stuck(&self, position: &Position<W>) -> bool {
        let (points, pieces_move) = self.choices(position);
        let can_move = || match position.turn {
            Side::Fox => {
                self.fox_targets(position).any(|(_, targets)| !targets.is_empty()) || self.fox_side_can_jump(position)
            }
            Side::Geese => self.goose_targets(position).any(|(_, targets)| !targets.is_empty()),
        };
        let is_stuck = points.is_empty() && !(pieces_move && can_move());
        is_stuck && !self.may_pass(position)
    }

    /// The position after one of the owed pieces has been taken off.
    pub(super) fn after_removal(&self, position: &Position<W>, point: Point) -> Position<W> {
        let rules = &self.ruleset.rules;
        let mut next = Position { owed: PointSet::EMPTY, phase: Phase::Normal, ..*position };
        next.pieces.toggle(position.turn.other(), point);
        if position.turn == Side::Fox {
            match self.still_to_remove(&next) {
                0 if rules.places_foxes() => next.phase = Phase::Place,
                0 => next.turn = self.first_side,
                _ => (next.phase, next.owed) = (Phase::Remove, next.geese()),
            }
        }
        next
    }

    /// The geese that the fox side has still to take off in the opening.
    pub(super) fn still_to_remove(&self, position: &Position<W>) -> u32 {
        let removed = self.geometry.start_geese.len().saturating_sub(position.geese().len());
        self.ruleset.rules.opening_removals.saturating_sub(removed)
    }

    pub(super) fn after_put(&self, position: &Position<W>, point: Point) -> Position<W> {
        let mut next = *position;
        next.pieces.toggle(position.turn, point);
        if position.turn == Side::Fox {
            let all_stand = next.foxes().len() >= self.ruleset.rules.foxes;
            next.phase = if all_stand { Phase::Normal } else { Phase::Place };
            next.turn = match self.ruleset.rules.placing {
                Placing::Alternate => Side::Geese,
                _ if !all_stand => Side::Fox,
                Placing::FoxThenGeese => Side::Geese,
                Placing::FoxFirst | Placing::GeeseThenFox => self.first_side,
            };
            return next;
        }
        if self.ruleset.rules.huff_stock == HuffStock::Captured {
            next.hand -= 1;
        }
        match position.phase {
            // To put the goose back is a ply of its own: the geese move again.
            Phase::Drop => next.phase = Phase::Normal,
            _ => next.turn = self.turn_after_drop(next.hand.into()),
        }
        next
    }

    /// The side that acts after a goose has been dropped, which leaves this number in hand.
    fn turn_after_drop(&self, hand: u32) -> Side {
        let rules = &self.ruleset.rules;
        match rules.placing {
            _ if rules.drops_rule == DropsRule::Refill => Side::Geese,
            _ if hand > rules.drops.saturating_sub(rules.first_drops) => Side::Geese,
            Placing::FoxThenGeese | Placing::GeeseThenFox if hand > 0 => Side::Geese,
            Placing::FoxThenGeese => self.first_side,
            Placing::FoxFirst | Placing::Alternate | Placing::GeeseThenFox => Side::Fox,
        }
    }

    #[inline(always)]
    pub(super) fn after_goose_step(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        if self.geometry.piles.is_empty() {
            let pieces = position.pieces.slid(Side::Geese, mv.from, mv.to);
            Position { pieces, first: false, turn: Side::Fox, ..*position }
        } else {
            self.with_goose_carried(position, mv)
        }
    }

    /// The position after one goose has been taken off its point or pile and put onto another.
    #[cold]
    fn with_goose_carried(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        let next = Position { first: false, turn: Side::Fox, ..*position };
        let mut next = self.without_piled(next, PointSet::of(mv.from), NO_PILES);
        match self.geometry.piles.iter().position(|pile| pile == mv.to) {
            Some(pile) if next.geese().has(mv.to) => next.piles[pile] += 1,
            _ => next.pieces.toggle(Side::Geese, mv.to),
        }
        next
    }

    /// The position without one goose of each of these points, and without further ones of piles.
    #[cold]
    fn without_piled(&self, mut position: Position<W>, mut points: PointSet<W>, again: Piles) -> Position<W> {
        for (pile, (further, again)) in self.geometry.piles.iter().zip(position.piles.iter_mut().zip(again)) {
            if points.has(pile) && *further > again {
                points = points.without(pile);
                *further -= 1;
            }
            *further -= again;
        }
        position.pieces = position.pieces.without_geese(points);
        position
    }

    #[inline]
    pub(super) fn after_fox_move(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        // Without huffs the position is built where the caller wants it: a copy would wait for its single bytes.
        if self.ruleset.rules.huff == Huff::None { self.moved_fox(position, mv) } else { self.huffed(position, mv) }
    }

    /// The position after a step or jump, without the penalty for a missed jump.
    #[inline(always)]
    fn moved_fox(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        // A chain may end where it began: the piece slides to its own point, which changes nothing.
        let pieces = position.pieces.slid(Side::Fox, mv.from, mv.to);
        let caught = if self.keeps_captured { mv.captures() as u8 } else { 0 };
        let hand = position.hand.saturating_add(caught);
        if self.geometry.piles.is_empty() {
            let pieces = pieces.without_geese(mv.captured);
            Position { pieces, turn: Side::Geese, hand, ..*position }
        } else {
            self.without_piled(Position { pieces, turn: Side::Geese, hand, ..*position }, mv.captured, mv.again)
        }
    }

    /// The position after a step or jump, with the penalty for a missed jump carried out or noted as owed.
    #[inline(never)]
    fn huffed(&self, before: &Position<W>, mv: Move<W>) -> Position<W> {
        let mut next = self.moved_fox(before, mv);
        if self.decided(&next).is_some() {
            return next;
        }
        let guilty = self.huff_candidates(before, mv, &next);
        if guilty.is_empty() {
            return next;
        }
        if self.returns_geese {
            let possible = self.has_goose_to_return(&next) && !self.landing_zone(&next).is_empty();
            next.phase = if possible { Phase::Drop } else { Phase::Normal };
        } else if guilty.len() == 1 {
            guilty.iter().for_each(|fox| next.pieces.toggle(Side::Fox, fox));
        } else {
            next.owed = guilty;
            next.phase = Phase::Remove;
        }
        next
    }

    /// Whether a huff that puts a goose on the board finds one.
    pub(super) fn has_goose_to_return(&self, position: &Position<W>) -> bool {
        position.hand > 0 || self.ruleset.rules.huff_stock == HuffStock::Unlimited
    }

    /// The pieces that could have jumped and did not, on their present points.
    fn huff_candidates(&self, before: &Position<W>, mv: Move<W>, next: &Position<W>) -> PointSet<W> {
        if mv.kind == MoveKind::Jump {
            let rules = &self.ruleset.rules;
            let stopped_early = rules.huff_partial_chain && rules.chain && self.jumper(next, mv.to).can_jump();
            return if stopped_early { PointSet::of(mv.to) } else { PointSet::EMPTY };
        }
        let could = before.foxes().iter().filter(|&fox| self.jumper(before, fox).can_jump());
        could.map(|fox| if fox == mv.from { mv.to } else { fox }).collect()
    }

    pub(super) fn raises_rank(&self, mv: Move<W>) -> bool {
        self.geometry.ranks[mv.to.index()] > self.geometry.ranks[mv.from.index()]
    }
}
