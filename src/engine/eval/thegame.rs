//! The evaluation of The Game, by material, safety of the Basis, threats and mobility.

use super::{Backup, Evaluator, Terms, named, parameters, total};
use crate::rules::thegame::{Outlook, Position, TheGame};
use crate::rules::{Game, Seat};

parameters! {
    /// Counts moves to the enemy Basis, safety of a player's own one, neutralised pieces, threatened captures, and
    /// mobility.
    ///
    /// The weights are in hundredths of a piece and count for both players, each from its own point of view.
    pub struct TheGameEvaluator {
        /// The Game: per piece on the board or in hand.
        piece: "EvalTheGamePiece" = 100, 0..=1000;
        /// The Game: per piece in hand.
        hand: "EvalTheGameHand" = -5, -200..=200;
        /// The Game: penalty per own neutralised piece.
        neutralised: "EvalTheGameNeutralised" = 40, -200..=400;
        /// The Game: per free piece one move away from the enemy Basis.
        near_one: "EvalTheGameNearOne" = 12, -200..=400;
        /// The Game: per free piece two moves away.
        near_two: "EvalTheGameNearTwo" = 9, -200..=400;
        /// The Game: per free piece three moves away.
        near_three: "EvalTheGameNearThree" = 1, -200..=400;
        /// The Game: factor of these three weights in mcts, in hundredths; nothing is searched below its leaves.
        near_in_mcts: "EvalTheGameNearMcts" = 250, 0..=1000;
        /// The Game: some piece threatens to take an open Basis.
        threat: "EvalTheGameThreat" = 8, -200..=1000;
        /// The Game: the same in mcts.
        threat_in_mcts: "EvalTheGameThreatMcts" = 60, -200..=1000;
        /// The Game: two or more pieces threaten that.
        double_threat: "EvalTheGameDoubleThreat" = 184, -200..=1000;
        /// The Game: the own Basis is held by a free piece.
        holder: "EvalTheGameHolder" = 25, -200..=400;
        /// The Game: penalty for an enemy on top of the own holder.
        besieged: "EvalTheGameBesieged" = 145, -200..=1000;
        /// The Game: penalty per turn that the Basis counter has run.
        basis_count: "EvalTheGameBasisCount" = 36, -200..=200;
        /// The Game: per square on which some free piece can end.
        reach: "EvalTheGameReach" = 2, -50..=50;
        /// The Game: per free enemy piece that could be neutralised.
        hit: "EvalTheGameHit" = 1, -200..=400;
        /// The Game: per enemy piece that could be captured.
        prize: "EvalTheGamePrize" = 26, -200..=400;
        /// The Game: for the side to move.
        tempo: "EvalTheGameTempo" = 12, -200..=200;
    }
}

/// The worth of an open enemy Basis that the side to move can take: nearly always a win.
const WINNING: i32 = 5_000;

impl TheGameEvaluator {
    /// The evaluator of a search with this backup.
    pub(crate) fn for_backup(self, backup: Backup) -> TheGameEvaluator {
        if backup == Backup::Minimax {
            return self;
        }
        let near = [self.near_one, self.near_two, self.near_three].map(|weight| weight * self.near_in_mcts / 100);
        let [near_one, near_two, near_three] = near;
        TheGameEvaluator { near_one, near_two, near_three, threat: self.threat_in_mcts, ..self }
    }

    /// The terms of the evaluation by name, from the point of view of player 1.
    #[inline(always)]
    fn terms<const N: usize>(&self, game: &TheGame<N>, position: &Position) -> [(&'static str, i32); 8] {
        let views = [Seat::P1, Seat::P2].map(|seat| game.outlook(position, seat));
        let moving = game.side_to_move(position).unwrap_or(Seat::P1);
        let both = |term: &dyn Fn(&Outlook) -> i32| term(&views[0]) - term(&views[1]);
        let sign = if moving == Seat::P1 { 1 } else { -1 };
        let near = |view: &Outlook| {
            self.near_one * view.near[0] + self.near_two * view.near[1] + self.near_three * view.near[2]
        };
        [
            ("material", both(&|view| self.piece * view.pieces + self.hand * view.hand)),
            ("neutralised", both(&|view| -self.neutralised * view.neutralised)),
            ("distance", both(&near)),
            ("threats", both(&|view| self.threats(view)) + sign * winning(&views[moving.index() % 2])),
            ("own basis", both(&|view| self.safety(view))),
            ("freedom", both(&|view| self.reach * view.reach)),
            ("captures", both(&|view| self.hit * view.hits + self.prize * view.prizes)),
            ("tempo", sign * self.tempo),
        ]
    }

    fn threats(&self, view: &Outlook) -> i32 {
        match attackers(view) {
            _ if !view.goal_open => 0,
            0 => 0,
            1 => self.threat,
            _ => self.threat + self.double_threat,
        }
    }

    fn safety(&self, view: &Outlook) -> i32 {
        let held = match (view.holders, view.besiegers) {
            (0, _) => 0,
            (_, 0) => self.holder,
            _ => -self.besieged,
        };
        held - self.basis_count * view.basis_count
    }
}

/// The number of pieces that could take the enemy Basis in one move.
fn attackers(view: &Outlook) -> i32 {
    view.near[0] + i32::from(view.near_entry[0])
}

fn winning(view: &Outlook) -> i32 {
    if view.goal_open && attackers(view) > 0 { WINNING } else { 0 }
}

impl<const N: usize> Evaluator<TheGame<N>> for TheGameEvaluator {
    fn evaluate(&self, game: &TheGame<N>, position: &Position, seat: Seat) -> i32 {
        let value = total(self.terms(game, position));
        if seat == Seat::P1 { value } else { -value }
    }

    fn explain(&self, game: &TheGame<N>, position: &Position) -> Terms {
        named(self.terms(game, position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_near_a_basis_weigh_otherwise_where_nothing_is_searched_below_a_leaf() {
        let evaluator = TheGameEvaluator {
            near_one: 12,
            near_two: 9,
            near_three: 1,
            near_in_mcts: 250,
            ..TheGameEvaluator::default()
        };
        let TheGameEvaluator { near_one, near_two, near_three, threat, .. } = evaluator.for_backup(Backup::Mean);
        assert_eq!([near_one, near_two, near_three, threat], [30, 22, 2, evaluator.threat_in_mcts]);
        assert_eq!(evaluator.for_backup(Backup::Minimax), evaluator);
    }
}
