//! Legal moves: lists, counts and random ones; and their effects: the position after a move, the penalty for a missed
//! jump, and who has won.

use rand::Rng;

use super::Hunt;
use super::move_geometry::GooseDirection;
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{Capture, FillRule, FoxGoal, Huff, Placing, Stuck};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::Reason;
use crate::rules::jumps::Jumper;
use crate::rules::random::{below, pick};

/// What the side to move does in a ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Puts a piece on the board: places a fox, or drops or puts back a goose.
    Put,
    /// Takes one of the owed foxes off the board.
    TakeOff,
    MoveFox,
    MoveGoose,
}

impl<W: Word> Hunt<W> {
    #[inline]
    pub(super) fn task(&self, position: &Position<W>) -> Task {
        match (position.phase, position.turn) {
            (Phase::Place, Side::Fox) | (Phase::Drop, _) => Task::Put,
            (Phase::Remove, _) => Task::TakeOff,
            (_, Side::Fox) => Task::MoveFox,
            (_, Side::Geese) if self.has_stock && position.hand > 0 => Task::Put,
            (_, Side::Geese) => Task::MoveGoose,
        }
    }

    /// The empty points of the board.
    #[inline]
    pub fn empty(&self, position: &Position<W>) -> PointSet<W> {
        self.geometry.all - position.occupied()
    }

    /// The points that geese may enter: empty ones and, where they may form piles again, those with their own kind.
    #[inline]
    pub(super) fn open_to_geese(&self, position: &Position<W>) -> PointSet<W> {
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
    pub(super) fn fox_targets(&self, position: &Position<W>) -> impl Iterator<Item = (Point, PointSet<W>)> {
        let empty = self.empty(position);
        position.foxes().iter().map(move |fox| (fox, self.steps_onto(fox, empty)))
    }

    /// The empty points onto which a fox on `from` can step.
    #[inline]
    pub(crate) fn steps_onto(&self, from: Point, empty: PointSet<W>) -> PointSet<W> {
        if self.has_long_steps {
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

    pub(super) fn geese_can_step(&self, position: &Position<W>) -> bool {
        self.goose_targets(position).any(|(_, targets)| !targets.is_empty())
    }

    /// The fox on a point, as a piece that may jump over geese.
    #[inline]
    pub(super) fn jumper(&self, position: &Position<W>, fox: Point) -> Jumper<'_, W> {
        self.geometry.jumps.jumper(fox, position.geese(), position.foxes(), position.piles)
    }

    pub(super) fn fox_side_can_jump(&self, position: &Position<W>) -> bool {
        position.foxes().iter().any(|fox| self.jumper(position, fox).can_jump())
    }

    pub(super) fn fox_side_can_move(&self, position: &Position<W>) -> bool {
        self.fox_targets(position).any(|(_, targets)| !targets.is_empty()) || self.fox_side_can_jump(position)
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
        match self.task(position) {
            Task::Put => moves.extend(self.landing_zone(position).iter().map(Move::put)),
            Task::TakeOff => moves.extend(position.owed.iter().map(Move::take_off)),
            Task::MoveFox => self.generate_fox_side(position, moves),
            Task::MoveGoose => self.generate_geese(position, moves),
        }
        if moves.len() == before && self.may_pass(position) {
            moves.push(Move::pass());
        }
    }

    /// Appends the jumps, or the choices of a piece to take off, of a position that is not decided.
    pub(super) fn generate_captures(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        match self.task(position) {
            Task::TakeOff => moves.extend(position.owed.iter().map(Move::take_off)),
            Task::MoveFox => position.foxes().iter().for_each(|fox| self.generate_jumps(position, fox, moves)),
            Task::Put | Task::MoveGoose => {}
        }
    }

    fn generate_geese(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        for (direction, targets) in self.goose_targets(position) {
            moves.extend(targets.iter().map(|to| Move::step(direction.origin(to), to)));
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
            moves.extend(targets.iter().map(|to| Move::step(fox, to)));
        }
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
        let count = match self.task(position) {
            Task::Put => u64::from(self.landing_zone(position).len()),
            Task::TakeOff => u64::from(position.owed.len()),
            Task::MoveFox => self.count_fox_side(position),
            Task::MoveGoose => self.goose_targets(position).map(|(_, targets)| u64::from(targets.len())).sum(),
        };
        if count == 0 { u64::from(self.may_pass(position)) } else { count }
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
        let drawn = match self.task(position) {
            Task::Put => pick(self.landing_zone(position), rng).map(Move::put),
            Task::TakeOff => pick(position.owed, rng).map(Move::take_off),
            Task::MoveFox => self.draw_fox_move(position, rng),
            Task::MoveGoose => self.draw_goose_move(position, rng),
        };
        if drawn.is_none() { self.may_pass(position).then(Move::pass) } else { drawn }
    }

    #[inline]
    fn draw_goose_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let geese = position.geese();
        let open = self.open_to_geese(position);
        let directions = self.goose_directions(position);
        // Boards with more directions than this are rare; further ones are computed again when drawn.
        let mut kept = [PointSet::EMPTY; 8];
        let mut total = 0;
        for (index, direction) in directions.iter().enumerate() {
            let targets = direction.targets(geese, open);
            total += targets.len();
            if let Some(place) = kept.get_mut(index) {
                *place = targets;
            }
        }
        if total == 0 {
            return None;
        }
        let mut index = below(total, rng);
        for (number, direction) in directions.iter().enumerate() {
            let targets = kept.get(number).copied().unwrap_or_else(|| direction.targets(geese, open));
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

    fn draw_jump_or_step<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let rules = &self.ruleset.rules;
        let jumps_of = |fox: Point| self.jumper(position, fox).jumps().map(move |jump| (fox, jump));
        let jumps = || position.foxes().iter().flat_map(jumps_of);
        let jump_count = jumps().count() as u32;
        let must_jump = rules.capture == Capture::Forced;
        let step_count = if must_jump { 0 } else { self.count_fox_steps(position) as u32 };
        let index = below(jump_count + step_count, rng);
        if index >= jump_count {
            return self.nth_fox_step(position, index - jump_count);
        }
        let (fox, jump) = jumps().nth(index as usize)?;
        let jumper = self.jumper(position, fox);
        let first = jumper.first(jump.to, jump.over);
        Some(if rules.chain { jumper.drawn_chain(first, !rules.forced_chain, rng) } else { jumper.move_of(first) })
    }

    fn nth_fox_step(&self, position: &Position<W>, mut index: u32) -> Option<Move<W>> {
        for (fox, targets) in self.fox_targets(position) {
            if index < targets.len() {
                return targets.nth(index).map(|to| Move::step(fox, to));
            }
            index -= targets.len();
        }
        None
    }
}

impl<W: Word> Hunt<W> {
    /// The winner and the reason if the pieces on the board decide the game, whatever moves are legal.
    #[inline(always)]
    pub(super) fn decided(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let foxes = position.foxes();
        let geese = position.geese();
        if foxes.is_empty() && position.phase != Phase::Place {
            return Some((Side::Geese, Reason::NoPieceLeft(self.seat(Side::Fox))));
        }
        let further = if self.has_further_geese { self.further_geese(position) } else { 0 };
        if geese.len() + further < self.ruleset.rules.fox_wins_below {
            return Some((Side::Fox, Reason::TooFewPieces(self.seat(Side::Geese))));
        }
        if self.has_region_goal { self.decided_by_region(position) } else { None }
    }

    /// The geese beyond one on each point, and those still to be dropped.
    pub(super) fn further_geese(&self, position: &Position<W>) -> u32 {
        let stock = if self.has_stock { u32::from(position.hand) } else { 0 };
        position.piles.into_iter().map(u32::from).sum::<u32>() + stock
    }

    #[inline(never)]
    fn decided_by_region(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let rules = &self.ruleset.rules;
        if position.turn == Side::Geese && !position.foxes().is_disjoint(self.geometry.fox_goal) {
            let seat = self.seat(Side::Fox);
            let reason = if rules.fox_home_wins { Reason::FirstRowReached(seat) } else { Reason::GoalReached(seat) };
            return Some((Side::Fox, reason));
        }
        if rules.fox_goal == FoxGoal::PastGeese && position.turn == Side::Geese && self.is_past_geese(position) {
            return Some((Side::Fox, Reason::GoalReached(self.seat(Side::Fox))));
        }
        let fillers = match rules.fill_rule {
            FillRule::AttackersOnly => position.geese(),
            FillRule::AnyPiece => position.occupied(),
        };
        let filled = !self.geometry.fortress.is_empty() && self.geometry.fortress.is_subset(fillers);
        filled.then_some((Side::Geese, Reason::FortressOccupied))
    }

    /// Whether all foxes stand and no goose is on a lower rank than one of them.
    fn is_past_geese(&self, position: &Position<W>) -> bool {
        let rank = |point: Point| self.geometry.ranks[point.index()];
        let highest = position.foxes().iter().map(rank).max();
        position.phase != Phase::Place && position.geese().iter().all(|goose| highest <= Some(rank(goose)))
    }

    /// Whether the side to move has no legal move and does not pass, which ends the game.
    pub(super) fn is_stuck(&self, position: &Position<W>) -> bool {
        let is_stuck = match self.task(position) {
            Task::Put => self.landing_zone(position).is_empty(),
            Task::TakeOff => false,
            Task::MoveFox => !self.fox_side_can_move(position),
            Task::MoveGoose => !self.geese_can_step(position),
        };
        is_stuck && !self.may_pass(position)
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
        if !self.has_endless_stock {
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
        match self.ruleset.rules.placing {
            _ if hand > self.hand_after_first_turn => Side::Geese,
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
            self.with_goose_carried(Position { first: false, turn: Side::Fox, ..*position }, mv)
        }
    }

    /// The position after one goose has been taken off its point or pile and put onto another.
    #[cold]
    fn with_goose_carried(&self, mut position: Position<W>, mv: Move<W>) -> Position<W> {
        let pile = |point: Point| self.geometry.piles.iter().position(|pile| pile == point);
        match pile(mv.from) {
            Some(pile) if position.piles[pile] > 0 => position.piles[pile] -= 1,
            _ => position.pieces.toggle(Side::Geese, mv.from),
        }
        match pile(mv.to) {
            Some(pile) if position.geese().has(mv.to) => position.piles[pile] += 1,
            _ => position.pieces.toggle(Side::Geese, mv.to),
        }
        position
    }

    /// The position after the captured geese have been taken off their points and piles.
    #[cold]
    fn with_piles_taken(&self, mut position: Position<W>, mv: Move<W>) -> Position<W> {
        let mut emptied = mv.captured;
        let counts = position.piles.iter_mut().zip(mv.again);
        for (pile, (count, again)) in self.geometry.piles.iter().zip(counts) {
            if !mv.captured.has(pile) {
                continue;
            }
            if *count > again {
                emptied = emptied.without(pile);
            }
            *count = count.saturating_sub(1 + again);
        }
        Position { pieces: position.pieces.without_geese(emptied), ..position }
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
            self.with_piles_taken(Position { pieces, turn: Side::Geese, hand, ..*position }, mv)
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
            let possible =
                (next.hand > 0 || self.has_endless_stock) && !(self.empty(&next) & self.drop_zone).is_empty();
            next.phase = if possible { Phase::Drop } else { Phase::Normal };
        } else if guilty.len() == 1 {
            guilty.iter().for_each(|fox| next.pieces.toggle(Side::Fox, fox));
        } else {
            next.owed = guilty;
            next.phase = Phase::Remove;
        }
        next
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
